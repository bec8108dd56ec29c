"""One module a command: its function `command`, whose docstring is the help."""
