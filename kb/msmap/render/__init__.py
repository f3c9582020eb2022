"""How answers read, in both languages: the command line, an editor and a notebook say the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from msmap.render.layout import Piece


@dataclass(frozen=True, slots=True)
class View:
    """How to tell an answer.

    ``device`` is what it is for, such as Ascend, "" for all; ``names`` is how many names to list of
    each kind that no record maps to, ``places`` how many of each finding, None all of them.
    ``full`` is all of a record or probe, with evidence; else what fits on a screen.
    """

    language: str = "en"
    device: str = ""
    names: int = 0
    places: int | None = 3
    full: bool = False


def tell(answer: object, form: str, view: View) -> Iterator[Piece]:
    """An answer in a form, which is a module of this room: its ``tell`` knows every answer."""
    pieces: Iterator[Piece] = import_module(f"{__name__}.{form}").tell(answer, view)
    return pieces
