"""The folder of an experiment: data, predictions and values that survive every kill."""
