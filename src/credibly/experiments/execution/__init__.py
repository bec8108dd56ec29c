"""How the fits of an experiment are carried out."""
