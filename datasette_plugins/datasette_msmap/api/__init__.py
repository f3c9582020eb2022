"""The routes of the JSON API, and the database as a download."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from datasette_msmap.api import download, openapi, posted, routes
from datasette_msmap.api import reference as manual
from datasette_msmap.api import table as api
from datasette_msmap.api.table import BASE
from datasette_msmap.web import encoding
from datasette_msmap.web.refusals import Refused, told, wrong
from datasette_msmap.web.responses import JSON, Answer, Ask, View
from datasette_msmap.web.routing import Route, route
from msmap.vocabulary import LANGUAGES


def _view(told_of: api.Route) -> View:
    def make(ask: Ask) -> Answer:
        given = told_of.given(ask, posted.read(ask, told_of) if ask.method == "POST" else None)
        found = told_of.make(ask, given)
        return found if isinstance(found, Answer) else encoding.answer(ask, told_of.schema, found)

    return told(make)


def _document(ask: Ask) -> Answer:
    language = ask.args.get("lang", "en")
    if language not in LANGUAGES:
        raise wrong("lang", language, LANGUAGES)
    body = encoding.text(openapi.document(ask, routes.ROUTES, language), indent=1) + "\n"
    return Answer(body, JSON, shared=True)


def _schema(ask: Ask) -> Answer:
    name = ask.vars["name"]
    known = openapi.schema_names()
    if name not in known:
        near = get_close_matches(name, known) or known
        raise Refused(404, f"schema {name}: one of {', '.join(known)}", near)
    found = {"$id": encoding.schema_address(ask, name), **openapi.schema(name)}
    return Answer(
        encoding.text(found, indent=1) + "\n",
        "application/schema+json; charset=utf-8",
        shared=True,
        max_age=86_400,
    )


def _nothing(ask: Ask) -> Answer:
    known = [BASE + route.path for route in routes.ROUTES]
    near = get_close_matches(ask.path[:200], known) or known
    raise Refused(404, f"no such address; {ask.root}{BASE}/openapi.json has all", near)


def _route(pattern: str, make: View, **more: Any) -> Route:
    # What is no argument of the API is said, not left out.
    return route(pattern, make, **{"args": None, **more}, shared=True, refuse=encoding.refusal)


# Stands among the pages: what leads to these is theirs.
reference: View = manual.page

ROUTES: list[Route] = [
    route(r"^(?P<zh>/zh)?/api\.md$", manual.markdown, shared=True),
    *(
        _route(r.pattern, _view(r), slow=r.slow, aside=r.aside, posts=r.posts)
        for r in routes.ROUTES
    ),
    _route(rf"^{BASE}/openapi\.json$", told(_document), args=("lang",), aside=True),
    _route(rf"^{BASE}/schemas/(?P<name>[^/]+)\.json$", told(_schema), args=()),
    _route(r"^/api/.*$", told(_nothing), args=()),
    _route(r"^/msmap\.db$", download.database, args=(), slow=True),
]
