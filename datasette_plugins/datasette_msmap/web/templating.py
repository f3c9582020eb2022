"""Pages rendered from templates: everything escaped, nothing in a record can act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from datasette_msmap.web import charts, code, counts, linked, prose, texts
from datasette_msmap.web.responses import DEVICES, Answer, Ask
from datasette_msmap.web.tones import tone
from datasette_msmap.web.unseen import clean
from msmap import vocabulary
from msmap.query import changes
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import labels


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent.parent / "templates" / "msmap"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=clean,
        auto_reload=False,
    )
    environment.globals |= {
        "vocabulary": vocabulary,
        "bar": charts.bar,
        "covered": counts.covered,
        "tone": tone,
        "devices_shown": ("", *DEVICES.values()),
        "prose": prose.told,
        "name_of": prose.name_of,
        "written": prose.expression,
        "composed": prose.composed,
        "shown_code": code.shown,
        "both_sides": code.sides,
    }
    return environment


def compile_all() -> None:
    """Have all templates ready: a process that is forked then has them too."""
    environment = _environment()
    for name in environment.list_templates():
        environment.get_template(name)


def render(ask: Ask, template: str, status: int = 200, **context: Any) -> Answer:
    """A page in the language that was asked for.

    ``kept`` among the context are the arguments that make it another page; search engines are
    told of it with those alone, or not at all if ``indexed`` is False.
    """
    language = ask.language

    def t(key: str, *values: object) -> str:
        return texts.get(key, language).format(*values)

    def word(table: str, key: str) -> str:
        return labels.word(getattr(vocabulary, table), key, language)

    told = {
        "ask": ask,
        "to": ask.to,
        "plain": replace(ask.to, device=""),
        "t": t,
        "word": word,
        "language": language,
        "other": "en" if language == "zh" else "zh",
        "languages": vocabulary.LANGUAGES,
        "navigation": [page for page in ask.pages if page.nav],
        "here": ask.path,
        "asked": _query(ask.args),
        "releases": ask.once(KnowledgeBase.releases),
        "version": ask.served.version,
        "indexed": status == 200,
        "dated": ask.once(changes.day),
        "linked_data": partial(linked.data, ask, template),
        "sought": "",
        "own_search": False,
        **context,
    }
    told["kept"] = _query(told.get("kept", {}))
    body = _environment().get_template(template).render(told)
    return Answer(body.encode(), status=status, language=language)


def _query(args: Mapping[str, str]) -> str:
    return f"?{urlencode(args)}" if args else ""
