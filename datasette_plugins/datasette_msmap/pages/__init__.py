"""The routes of the pages, in English and below /zh in Chinese."""

from __future__ import annotations

import re
from typing import Any

from datasette_msmap.pages import records
from datasette_msmap.responses import View, view


def _route(pattern: str, make: View, slow: bool = False) -> tuple[str, Any]:
    """A route for both languages; ``pattern`` starts with a slash."""
    return rf"^(?P<zh>/zh)?{pattern}$", view(make, slow)


ROUTES: list[tuple[str, Any]] = []


def anything_else(datasette: Any) -> tuple[str, Any]:
    """Names of either framework, and all that is not there; Datasette's own pages excepted."""
    stock = "|".join(re.escape(name) for name in ["-", ":memory:", *datasette.databases])
    return _route(rf"/(?!(?:{stock})(?:[./]|$)|-/)(?P<name>.*)", records.named)
