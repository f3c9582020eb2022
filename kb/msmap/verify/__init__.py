"""Checks run on both frameworks, in forked children of a process that imported them once."""

from __future__ import annotations

from importlib import import_module

# Scripts that `msmap evidence show` of 0.1 printed import these from here; they go after 0.2.
_MOVED = ("inputs", "state", "training")


def __getattr__(name: str) -> object:
    if name in _MOVED:
        return import_module(f"msmap.verify.trial.{name}")
    raise AttributeError(f"module 'msmap.verify' has no attribute {name!r}")
