"""What is taken along: every page as Markdown, names for Sphinx, feeds, dated files, search."""

from __future__ import annotations

from typing import Any

from datasette_msmap.taken import downloads, feeds, markdown, names, searching
from datasette_msmap.web import encoding
from datasette_msmap.web.refusals import told
from datasette_msmap.web.responses import View
from datasette_msmap.web.routing import Route, route


def _both(pattern: str, make: View, *args: str, **more: Any) -> Route:
    """A route for both languages."""
    return route(rf"^(?P<zh>/zh)?{pattern}$", make, args, **more)


def _page(name: str, make: View) -> Route:
    return _both(
        rf"/{name}\.md", make, "device", slow=name in markdown.SLOW, aside=True, shared=True
    )


def _file(pattern: str, make: View, slow: bool = False) -> Route:
    return route(rf"^{pattern}$", told(make), (), slow=slow, shared=True, refuse=encoding.refusal)


ROUTES: list[Route] = [
    *(_page(name, make) for name, make in markdown.PAGES.items()),
    _both(r"/guides/(?P<page>[^/]+)\.md", markdown.guide, "device", shared=True),
    _both(r"/(?P<page>[^/]+)\.md", markdown.named, "device", "mindspore", shared=True),
    _both(r"/llms\.txt", markdown.home, aside=True, shared=True),
    _both(r"/objects\.inv", names.objects, aside=True, shared=True),
    _both(r"/feeds/records\.atom", feeds.records, aside=True, shared=True),
    _both(r"/feeds/releases\.atom", feeds.releases, slow=True, shared=True),
    _both(r"/opensearch\.xml", searching.description),
    _both(r"/opensearch\.json", searching.suggestions, "q", aside=True),
    _file("/data/SHA256SUMS", downloads.sums, slow=True),
    _file(r"/data/msmap\.db", downloads.whole),
    _file(r"/data/(?P<file>[^/]+\.gz)", downloads.packed, slow=True),
]
