"""The reference of the API as a page, and as Markdown: every route with requests to copy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from datasette_msmap.api import samples
from datasette_msmap.api.routes import ROUTES
from datasette_msmap.api.table import BASE, Argument, Route
from datasette_msmap.web import texts
from datasette_msmap.web.responses import Answer, Ask
from datasette_msmap.web.templating import render

# A list that is longer is shown by its beginning.
_SHOWN = 14


@dataclass(frozen=True, slots=True)
class Sample:
    """A request in the languages that it is shown in; ``link`` opens it, "" for what is posted."""

    link: str
    written: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A route as the page has it."""

    route: Route
    anchor: str
    path: str
    methods: str
    samples: tuple[Sample, ...]


def page(ask: Ask) -> Answer:
    """The page."""
    return render(
        ask, "api.html", routes=list(_routes(ask)), base=BASE,
        values=lambda argument: _values(ask, argument), chinese=ask.language == "zh",
        version_of=BASE.rpartition("/")[2],
    )  # fmt: skip


def markdown(ask: Ask) -> Answer:
    """The same as Markdown."""
    chinese = ask.language == "zh"
    lines = [f"# {_text(ask, 'api.title')}\n", f"{_text(ask, 'api.lead')}\n"]
    for shown in _routes(ask):
        lines += [f"## `{shown.methods} {shown.path}`\n", f"{shown.route.words[chinese]}\n"]
        for argument in shown.route.arguments:
            must = f" ({_text(ask, 'api.required')})" if argument.required else ""
            told = f"- `{argument.name}`{must}: {argument.words[chinese]} {_values(ask, argument)}"
            lines.append(told.rstrip())
        for sample in shown.samples:
            lines.append(f"\n```sh\n{sample.written[0][1]}\n```\n")
    kind = "text/markdown; charset=utf-8"
    return Answer("\n".join(lines), kind, language=ask.language, shared=True)


def _text(ask: Ask, key: str) -> str:
    return texts.get(key, ask.language)


def _routes(ask: Ask) -> Iterator[Shown]:
    site = f"{ask.site}{ask.root}"
    for route in ROUTES:
        asked = [samples.get(route)] + ([samples.post(route)] if route.posts else [])
        yield Shown(
            route,
            route.operation,
            f"{BASE}{route.path}",
            "GET, POST" if route.posts else "GET",
            tuple(
                Sample(
                    f"{ask.root}{each.address}" if each.body is None else "",
                    tuple((label, code) for _, label, code in samples.written(site, each)),
                )
                for each in asked
            ),
        )


def _values(ask: Ask, argument: Argument) -> str:
    """The values that an argument may have, where there are few enough to say."""
    if argument.number is not None:
        return f"{argument.number.least} – {argument.number.most:,}"
    known = list(argument.choices or (argument.listed(ask) if argument.listed else ()))
    if not known:
        return ""
    return ", ".join(known[:_SHOWN]) + (" …" if len(known) > _SHOWN else "")
