"""Checks run on both frameworks, in forked children of a process that imported them once."""
