"""What became of each tensor, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from msmap.database import ANSWERS_VERSION
from msmap.model import Text


@dataclass(frozen=True, slots=True)
class Placed:
    """A tensor that was carried over: its names, and dtype and shape as they were written.

    ``layer`` is the class of the layer that it belongs to, "" where a mapping named the tensor
    alone; ``value`` how its values were put otherwise, "" if they were not.
    """

    torch: str
    mindspore: str
    layer: str
    dtype: str
    shape: tuple[int, ...]
    value: str
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class Tied:
    """A tensor that is another one: their values are written once, or under both names."""

    name: str
    to: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """A tensor that the other side has no use for."""

    name: str
    reason: Text


@dataclass(frozen=True, slots=True)
class Open:
    """A tensor of the file without a place, or a parameter that nothing was found for."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    reason: Text
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Carried:
    """What ``msmap weights`` did.

    ``source`` and ``destination`` are files, "" where none was written; ``back`` says that it went
    from MindSpore to PyTorch. ``key`` and ``prefix`` are where in the file the weights stand, and
    what was taken off their names. ``checked``: the model of the other side was there, so that
    ``unset`` is all that it has without a value. ``left`` is what else the file has.
    """

    source: str
    destination: str
    back: bool
    key: str
    prefix: str
    checked: bool
    placed: tuple[Placed, ...]
    tied: tuple[Tied, ...]
    dropped: tuple[Dropped, ...]
    unplaced: tuple[Open, ...]
    unset: tuple[Open, ...]
    left: tuple[str, ...]
    optimizer: str = ""
    optimizer_placed: tuple[Placed, ...] = ()
    notes: tuple[Text, ...] = ()
    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)

    @property
    def is_whole(self) -> bool:
        """Whether every tensor found its place, and every parameter a value."""
        return not (self.unplaced or self.unset)
