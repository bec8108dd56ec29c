"""One module per command: its function `command`, whose docstring is the help."""
