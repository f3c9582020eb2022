"""What a model does, recorded beside its framework: ``Recorder`` in a script of one's own."""

from __future__ import annotations

from msmap.record.recorder import Recorder

__all__ = ["Recorder"]
