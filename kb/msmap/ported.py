"""What porting made of a file: edits for editors, what was left, and what to know of the rest."""

from __future__ import annotations

from dataclasses import dataclass

from msmap.model import Edit, Refusal, Text


@dataclass(frozen=True, slots=True)
class Edited(Edit):
    """What replaces a part of a file, or of a cell of a notebook; places as of a Refusal."""

    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Left(Refusal):
    """A place that was left as it was, why, and the command that says more; as a Refusal else.

    ``guide`` is the id of the guide that tells what to do instead, "" if there is none.
    """

    command: str
    guide: str = ""
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """What to know of a place that was ported; ``line`` is None of what holds everywhere."""

    line: int | None
    column: int
    text: Text
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class PortedFile:
    """What porting made of a file.

    ``verified`` counts the calls whose counterpart was run and agrees, ``told`` those of which a
    note says what is otherwise or that nothing was run, ``left`` what stands as it was. ``edits``
    are in order, don't overlap, and hold the comments above what was left too. ``written`` says
    that the file was replaced, ``kept`` why it was not, though it was asked for.
    """

    path: str
    verified: int
    told: int
    left: int
    edits: tuple[Edited, ...]
    refusals: tuple[Left, ...]
    notes: tuple[Note, ...]
    records: tuple[str, ...]
    written: bool = False
    kept: Text | None = None
