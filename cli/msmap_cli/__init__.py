"""The command line of msmap: arguments in, text out, no logic."""
