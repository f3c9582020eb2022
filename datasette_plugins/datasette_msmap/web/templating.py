"""Pages rendered from templates: everything escaped, nothing in a record can act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from datasette_msmap.web import charts, counts, linked, texts
from datasette_msmap.web.responses import DEVICES, Answer, Ask
from datasette_msmap.web.tones import tone
from msmap import vocabulary
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import labels

# What reorders, breaks or hides text: marks of direction, Unicode's own line ends, and control
# characters but tab and newline.
_UNSEEN = {
    ord(character): None
    for character in "\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2066\u2067\u2068\u2069\ufeff"
} | dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])


def clean(value: Any) -> Any:
    """Text without characters that reorder or hide other text."""
    # None of these is printable, and most text is.
    if isinstance(value, str) and not (value.isprintable() or isinstance(value, Markup)):
        return value.translate(_UNSEEN)
    return value


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
