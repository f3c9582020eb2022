"""The routes of the pages, in English and below /zh in Chinese."""

from __future__ import annotations

import re
from typing import Any

from datasette_msmap.pages import browse, coverage, files, guides, home
from datasette_msmap.pages import claims as statements
from datasette_msmap.pages import port as porting
from datasette_msmap.pages import record as records
from datasette_msmap.pages import releases as changes
from datasette_msmap.pages import search as finding
from datasette_msmap.pages import stats as numbers
from datasette_msmap.web.responses import View, view


def _route(pattern: str, make: View, slow: bool = False) -> tuple[str, Any]:
    """A route for both languages; ``pattern`` starts with a slash."""
    return rf"^(?P<zh>/zh)?{pattern}$", view(make, slow)


ROUTES: list[tuple[str, Any]] = [
    (r"^/(?:(?P<zh>zh)/?)?$", view(home.home)),
    (r"^/-/msmap/(?P<file>[^/]+)$", view(files.static)),
    (r"^/robots\.txt$", view(files.robots)),
    (r"^/sitemap\.xml$", view(files.sitemap)),
    _route("/browse", browse.browse),
    _route("/guides", guides.listed),
    _route("/guides/(?P<guide>[^/]+)", guides.shown),
    _route("/claims", statements.statements),
    _route("/coverage", coverage.coverage),
    _route("/releases", changes.releases, slow=True),
    _route("/stats", numbers.statistics),
    _route("/search", finding.search),
    _route("/suggest", finding.suggest),
    _route("/port", porting.page, slow=True),
    _route(r"/port\.json", porting.data, slow=True),
]


def anything_else(datasette: Any) -> tuple[str, Any]:
    """Names of either framework, and all that is not there; Datasette's own pages excepted."""
    stock = "|".join(re.escape(name) for name in ["-", ":memory:", *datasette.databases])
    return _route(rf"/(?!(?:{stock})(?:[./]|$)|favicon\.ico$)(?P<name>.*)", records.named)
