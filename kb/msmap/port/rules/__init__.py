"""Rewriting rules, one file each; each registers itself: see `registry`."""
