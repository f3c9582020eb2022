"""Records written by machine: what a person has to add stands there as TODO."""

from __future__ import annotations

from msmap.probe.draft.drafted import Drafted
from msmap.probe.draft.layout import record as text
from msmap.probe.draft.make import draft
from msmap.probe.draft.trial import Run

__all__ = ["Drafted", "Run", "draft", "text"]
