"""Mistakes put into records, to see whether their checks notice."""
