"""Records written by machine: what a person has to add stands there as TODO."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msmap.curated import folding, layout
from msmap.curated.families import Family
from msmap.probe.draft.drafted import Drafted
from msmap.probe.draft.make import draft
from msmap.probe.draft.trial import Run


def text(data: Mapping[str, Any], families: Iterable[Family] = ()) -> str:
    """A draft as it is written: like the family that says the most of it."""
    return layout.text(folding.nearest(data, families))


__all__ = ["Drafted", "Run", "draft", "text"]
