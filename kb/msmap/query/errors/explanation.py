"""What an explained error says."""

from __future__ import annotations

from dataclasses import dataclass

from msmap.model import Text


@dataclass(frozen=True, slots=True)
class Explanation:
    """An error explained: ``see`` are guides (``guide:ID``) and names of PyTorch with a record.

    ``instead`` is code, "" if there is none to write; ``by`` is what it was known by: a
    ``mistake``, a ``name`` that MindSpore lacks, a ``keyword``, another ``call`` than the function
    takes, or a ``check`` that gave it.
    """

    error: str
    cause: Text
    instead: str
    see: tuple[str, ...]
    by: str
