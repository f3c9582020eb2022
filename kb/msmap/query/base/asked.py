"""What readers of a part of the base ask of the whole of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msmap import model
from msmap.candidates import Probe, Summary
from msmap.query.base.rows import Rows


class Asked(Protocol):
    """A base as of one MindSpore release, for one device: `KnowledgeBase` says what each does."""

    rows: Rows
    device: str

    def releases(self) -> dict[str, str]:
        """The release of each framework that is described."""

    def known_releases(self) -> dict[str, int]:
        """The rank of every MindSpore release that the database knows, oldest first."""

    def find(self, name: str) -> model.Record | None:
        """The record of a canonical PyTorch name, or None."""

    def torch_name(self, spelling: str) -> str | None:
        """The canonical PyTorch name of a spelling, or None."""

    def mindspore_name(self, spelling: str) -> str | None:
        """The MindSpore name that a spelling means, or None."""

    def is_mindspore(self, spelling: str) -> bool:
        """Whether a spelling is a name of MindSpore's."""

    def api(self, name: str) -> model.Api | None:
        """A MindSpore name in this release, or None."""

    def ever(self, spelling: str) -> model.Api | None:
        """A MindSpore name in any release, or None."""

    def methods(self, attribute: str) -> tuple[str, ...]:
        """The methods and properties of PyTorch's of a name."""

    def torch_kind(self, name: str) -> str:
        """What a PyTorch name is."""

    def returns(self, name: str) -> tuple[str, ...]:
        """What the overloads of a PyTorch name give."""

    def unrecorded(self, name: str) -> model.Text | None:
        """What to do about a PyTorch name that has no record, or None."""

    def mindspore_dtype(self, name: str) -> str | None:
        """The MindSpore dtype of PyTorch's, or None."""

    def tried(self, name: str) -> Probe | None:
        """What a machine found of a name without a record, or None."""

    def probes(self, namespace: str | None = None) -> Sequence[Summary]:
        """A line about each name that was probed and has no record."""

    def mapped(self, name: str) -> model.Reverse | None:
        """What maps to a MindSpore name, or None."""

    def found_as(self, name: str) -> tuple[str, tuple[Summary, ...]]:
        """What maps to a MindSpore name under another of its names."""

    def telling(self, name: str | None) -> tuple[str, ...]:
        """The guides that tell of a name."""

    def nearest(self, name: str, count: int = 5) -> tuple[str, ...]:
        """The known names that are nearest to one."""

    def namesakes(self, word: str) -> list[str]:
        """The PyTorch names that end in a word."""

    def guides(self) -> Sequence[model.Guide]:
        """All guides."""

    def guide(self, name: str) -> model.Guide:
        """One guide."""

    def lookup(self, name: str) -> model.Record:
        """The record of a name, however it is spelt."""

    def records(self, namespace: str | None = None) -> Sequence[model.Summary]:
        """A line about each record."""

    def port(self, code: str, probed: bool = False) -> model.Port:
        """A port of some code."""
