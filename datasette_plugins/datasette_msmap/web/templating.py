"""Pages rendered from templates: everything escaped, nothing in a record can act."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

import jinja2
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from markupsafe import Markup

from datasette_msmap.web import charts, code, counts, linked, prose, texts
from datasette_msmap.web.addresses import Addresses
from datasette_msmap.web.responses import DEVICES, Answer, Ask
from datasette_msmap.web.tones import tone
from datasette_msmap.web.unseen import clean
from msmap import cache as files
from msmap import sample_words, vocabulary
from msmap.query.drift import dates as changes
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import labels

_TEMPLATES = Path(__file__).parent.parent / "templates" / "msmap"


class _Compiled(jinja2.BytecodeCache):
    """Templates as an earlier start has compiled them, which takes a third of the time of one."""

    def __init__(self, language: str) -> None:
        self._place = files.folder()
        self._name = files.name(f"templates-{language}", _TEMPLATES)
        # What they are compiled to depends on how, and on the words in them; of their own text
        # Jinja keeps a digest itself.
        code = Path(__file__).read_text("utf-8")
        self._made_by = f"{jinja2.__version__}\0{code}\0{texts.TEXTS}".encode()
        found = files.read(self._place, self._name, self._made_by) if self._place else None
        self._known: dict[str, bytes] = found or {}
        self._new = False

    def load_bytecode(self, bucket: Bucket) -> None:
        if (found := self._known.get(bucket.key)) is not None:
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key] = bucket.bytecode_to_string()
        self._new = True

    def keep(self) -> None:
        """Keep what was compiled now for the next start."""
        if self._new and self._place is not None:
            files.write(self._place, self._name, self._known, self._made_by)


class _Worded(Extension):
    """Words of the site put into templates as they are compiled: a page has a hundred of them.

    What takes values is told when the page is made.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """A template in which words stand where they are asked for by their key alone."""
        language = cast("Any", self.environment).language
        return _ALONE.sub(lambda found: _literal(texts.get(found[1], language).format()), source)


_ALONE = re.compile(r"\bt\('([\w.-]+)'\)")


def _literal(text: str) -> str:
    quoted = text.encode("unicode_escape").decode().replace('"', '\\"')
    return f'"{quoted}"'


@cache
def _environment(language: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        bytecode_cache=_Compiled(language),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=clean,
        auto_reload=False,
    )
    environment.extend(language=language)
    environment.add_extension(_Worded)
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
    for language in vocabulary.LANGUAGES:
        environment = _environment(language)
        for name in environment.list_templates():
            environment.get_template(name)
        compiled = environment.bytecode_cache
        assert isinstance(compiled, _Compiled)
        compiled.keep()


def render(ask: Ask, template: str, status: int = 200, **context: Any) -> Answer:
    """A page in the language that was asked for.

    ``kept`` among the context are the arguments that make it another page; search engines are
    told of it with those alone, or not at all if ``indexed`` is False.
    """
    language = ask.language

    def t(key: str, *values: object) -> str:
        return texts.get(key, language).format(*values)

    def word(table: str, key: str) -> str:
        # The words of samples stand apart.
        home = sample_words if hasattr(sample_words, table) else vocabulary
        return labels.word(getattr(home, table), key, language)

    told = {
        "ask": ask,
        "to": ask.to,
        "plain": replace(ask.to, device=""),
        "t": t,
        "word": word,
        "language": language,
        "other": "en" if language == "zh" else "zh",
        "languages": vocabulary.LANGUAGES,
        "framed": partial(_framed_for, ask),
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
    body = _environment(language).get_template(template).render(told)
    return Answer(body.encode(), status=status, language=language)


def _framed_for(ask: Ask, part: str) -> Markup:
    """A part of the frame of a page."""
    pages = tuple((page.path, page.name) for page in ask.pages if page.nav)
    current = next((path for path, _ in pages if ask.path.startswith(path)), "")
    releases = ask.once(KnowledgeBase.releases)
    return _framed(
        part, replace(ask.to, site=""), pages, current, releases["torch"], releases["mindspore"],
        ask.served.version, bool(ask.once(changes.day)),
    )  # fmt: skip


@lru_cache(maxsize=200)
def _framed(
    part: str,
    to: Addresses,
    pages: tuple[tuple[str, str], ...],
    current: str,
    torch: str,
    mindspore: str,
    version: str,
    dated: bool,
) -> Markup:
    """A part that is the same on all pages of a section, made once.

    Addresses in it are without the origin, of which strangers can name many.
    """
    language = to.language
    made = _environment(language).get_template(f"{part}.html").render(
        to=to, plain=replace(to, device=""), pages=pages, current=current, version=version,
        dated=dated, t=lambda key, *values: texts.get(key, language).format(*values),
        releases={"torch": torch, "mindspore": mindspore},
    )  # fmt: skip
    return Markup(made)


def _query(args: Mapping[str, str]) -> str:
    return f"?{urlencode(args)}" if args else ""
