"""Every page as Markdown, and what a language model is told of the site."""

from __future__ import annotations

from collections.abc import Iterable

from datasette_msmap.taken import downloads
from datasette_msmap.web import texts
from datasette_msmap.web.responses import Answer, Ask, redirect
from msmap.errors import NotFound, UnknownRelease
from msmap.query.base.records import entries
from msmap.query.drift import drift
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import lookup as understood
from msmap.render import View, markdown
from msmap.render.missing import words

TYPE = "text/markdown; charset=utf-8"


def _answer(ask: Ask, pieces: Iterable[str], status: int = 200) -> Answer:
    return Answer("".join(pieces), TYPE, status, ask.language, shared=True)


def _told(ask: Ask, found: object, title: str = "") -> Answer:
    view = View(ask.language, ask.device, names=1000, full=True)
    head = [f"# {_text(ask, title)}\n\n"] if title else []
    return _answer(ask, [*head, *markdown.tell(found, view)])


def named(ask: Ask) -> Answer:
    """The page of a name of either framework; another spelling leads to the canonical one."""
    name = ask.vars["page"]
    try:
        kb = ask.served.as_of(ask.args.get("mindspore") or None, ask.device)
    except UnknownRelease as error:
        return _answer(ask, [f"{error}\n"], 404)
    found = understood.at_address(kb, name)
    about = found.record or found.probe
    canonical = about.torch if about else found.reverse.api.name if found.reverse else None
    if found.named_alone:
        return _told(ask, answers.Lookup(kb.releases(), (found,)))
    if canonical is None:
        said = words(name, ask.language, found.known, found.elsewhere)
        near = "".join(f"- [{n}]({ask.to.markdown(ask.to.name(n))})\n" for n in found.nearest)
        return _answer(ask, [f"# {name}\n\n{said}\n\n{near}"], 404)
    if canonical != name:
        mindspore = ask.args.get("mindspore")
        return redirect(ask.to.markdown(ask.to.name(canonical, mindspore=mindspore)))
    return _told(ask, answers.Lookup(kb.releases(), (found,)))


def guide(ask: Ask) -> Answer:
    """A guide."""
    try:
        return _told(ask, answers.Guide((ask.kb.guide(ask.vars["page"]),)))
    except NotFound as error:
        return _answer(ask, [f"{words(error.name, ask.language, None, None, 'other')}\n"], 404)


def guides(ask: Ask) -> Answer:
    """All guides, a line each."""
    lines = (f"- {_link(ask, *told)}\n" for told in _guides(ask))
    return _answer(ask, [f"# {_text(ask, 'home.guides')}\n\n", *lines])


def claims(ask: Ask) -> Answer:
    """All statements."""
    claims, sources = ask.once(KnowledgeBase.claims), ask.once(KnowledgeBase.sources)
    return _told(ask, answers.Claims(tuple(claims), tuple(sources)), "nav.claims")


def tables(ask: Ask) -> Answer:
    """All rows of published tables."""
    known = tuple(ask.once(KnowledgeBase.tables))
    rows = tuple(ask.kb.table_rows())
    return _told(ask, answers.Claims((), (), rows, known), "tables.title")


def stats(ask: Ask) -> Answer:
    """All counts."""
    return _told(ask, answers.Stats(**ask.once(KnowledgeBase.stats)), "nav.stats")


def browse(ask: Ask) -> Answer:
    """All records."""
    return _told(ask, answers.List(tuple(ask.kb.records())), "site.browse")


def coverage(ask: Ask) -> Answer:
    """How many names of each namespace have an answer."""
    return _told(ask, answers.coverage(ask.kb), "nav.coverage")


def releases(ask: Ask) -> Answer:
    """What changes from the last release but one to the newest."""
    known = list(ask.kb.known_releases())
    path = ask.served.path
    with KnowledgeBase.open(path, known[-2:][0]) as one, KnowledgeBase.open(path) as other:
        return _told(ask, drift.between(one, other))


def data(ask: Ask) -> Answer:
    """What can be taken along."""
    lines = (f"- [{place}]({ask.root}/{place}): {what}\n" for place, what in downloads.listed(ask))
    head = f"# {_text(ask, 'data.title')}\n\n{_text(ask, 'data.lead')}\n\n"
    return _answer(ask, [head, *lines])


def port(ask: Ask) -> Answer:
    """That the rewriter is a form, and how a program asks it."""
    head = f"# {_text(ask, 'port.title')}\n\n{_text(ask, 'port.lead')}\n\n"
    asked = f"curl {ask.site}{ask.root}/api/v1/port --data-binary @model.py"
    return _answer(ask, [head, f"```sh\n{asked}\n```\n"])


def home(ask: Ask) -> Answer:
    """What there is, with links to all of it as Markdown: llms.txt."""
    counted = ask.once(KnowledgeBase.stats)
    torch, mindspore = counted["releases"]["torch"], counted["releases"]["mindspore"]
    lines = [
        "# msmap\n",
        f"> {_text(ask, 'site.tagline')}\n",
        _text(ask, "llms.lead", counted["records"], counted["checks"], torch, mindspore),
        f"\n## {_text(ask, 'llms.ask')}\n",
        *(
            f"- [{name}]({ask.to.absolute(f'{ask.root}/api/v1/{name}')}): {_text(ask, told)}"
            for name, told in _ASKED.items()
        ),
        *(
            f"- {_link(ask, path, _text(ask, title), _text(ask, 'llms' + path.replace('/', '.')))}"
            for path, title in _LISTS.items()
        ),
        f"\n## {_text(ask, 'home.guides')}\n",
        *(f"- {_link(ask, *told)}" for told in _guides(ask)),
        f"\n## {_text(ask, 'site.browse')}\n",
        *(
            f"- {_link(ask, '/' + e.torch, e.torch, e.summary.get(ask.language))}"
            for e in ask.once(entries)
        ),
        "",
    ]
    return _answer(ask, ["\n".join(lines)])


# What of the API is listed, with the key of what it is.
_ASKED = {"openapi.json": "data.file.api", "records.ndjson": "data.file.records"}
# What is listed of the site, by address, with the key of its title.
_LISTS = {
    "/browse": "site.browse", "/claims": "nav.claims", "/tables": "tables.title",
    "/coverage": "nav.coverage",
    "/releases": "nav.releases", "/stats": "nav.stats",
}  # fmt: skip


def _guides(ask: Ask) -> Iterable[tuple[str, str, str]]:
    for found in ask.once(KnowledgeBase.guides):
        language = ask.language
        yield f"/guides/{found.id}", found.title.get(language), found.summary.get(language)


def _link(ask: Ask, path: str, title: str, told: str) -> str:
    return f"[{title}]({ask.to.absolute(ask.to.markdown(ask.to.page(path)))}): {told}"


def _text(ask: Ask, key: str, *values: object) -> str:
    return texts.get(key, ask.language).format(*values)


# By the address of the page; slow ones as the pages are.
PAGES = {
    "index": home, "guides": guides, "claims": claims, "tables": tables, "stats": stats,
    "browse": browse,
    "coverage": coverage, "releases": releases, "data": data, "port": port,
}  # fmt: skip
SLOW = ("releases",)
