"""Pages rendered from templates: everything escaped, nothing in a record can act."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from datasette_msmap import texts
from datasette_msmap.addresses import LANGUAGES, Addresses
from datasette_msmap.responses import Answer, Ask
from msmap import findings, vocabulary

# What reorders, breaks or hides text: marks of direction, Unicode's own line ends, and control
# characters but tab and newline.
_UNSEEN = {
    ord(character): None
    for character in "\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2066\u2067\u2068\u2069\ufeff"
} | dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])


def clean(value: Any) -> Any:
    """Text without characters that reorder or hide other text."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return value.translate(_UNSEEN)
    return value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates" / "msmap"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=clean,
        auto_reload=False,
    )
    environment.globals |= {"vocabulary": vocabulary, "size": findings.size}
    return environment


def render(ask: Ask, template: str, status: int = 200, **context: Any) -> Answer:
    """A page in the language that was asked for."""
    to = Addresses(ask.root, ask.site, ask.language)
    language = ask.language

    def t(key: str, *values: object) -> str:
        return texts.get(key, language).format(*values)

    def word(table: str, key: str) -> str:
        return str(getattr(vocabulary, table)[key][language == "zh"])

    body = (
        _environment()
        .get_template(template)
        .render(
            ask=ask,
            to=to,
            t=t,
            word=word,
            language=language,
            other="en" if language == "zh" else "zh",
            here=ask.path,
            languages=LANGUAGES,
            releases=ask.kb.releases(),
            version=ask.served.version,
            stock=f"{ask.root}/{ask.served.database}",
            **context,
        )
    )
    return Answer(body.encode(), status=status, language=language)
