"""One module a command, of its name."""
