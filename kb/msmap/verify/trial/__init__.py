"""What happens beside the frameworks, in a child: both sides run and compared."""

from __future__ import annotations

from importlib import import_module

# Scripts that `msmap evidence show` of 0.1 printed call these of a module; they go after 0.2.
_MOVED = ("run", "seed")


def __getattr__(name: str) -> object:
    if name in _MOVED:
        return getattr(import_module("msmap.verify.trial.trial"), name)
    raise AttributeError(f"module 'msmap.verify.trial' has no attribute {name!r}")
