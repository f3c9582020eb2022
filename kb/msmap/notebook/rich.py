"""Answers as Markdown and as HTML, from the Markdown that the command line prints.

HTML is made of that Markdown and cleaned: whatever stands in a record, in code or in the name of a
file, no more comes through than text, lists, tables, code and links.
"""

from __future__ import annotations

import locale
from dataclasses import replace
from html import escape

from msmap import model, render
from msmap.candidates import Probe
from msmap.query.names import answers
from msmap.query.names.answers import Answer
from msmap.render import remarks
from msmap.render.labels import SIDES
from msmap.render.markup import fenced

_TAGS = {
    "h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "code", "pre", "strong", "em", "table", "thead",
    "tbody", "tr", "th", "td", "details", "summary", "a", "br", "hr", "blockquote",
}  # fmt: skip
_STYLE = (
    ".msmap{line-height:1.45}"
    ".msmap h1,.msmap h2{font-size:1.15em;margin:.2em 0 .5em}"
    ".msmap pre{background:rgba(128,128,128,.12);padding:.5em .7em;margin:.3em 0;overflow:auto;"
    "white-space:pre;text-align:left}"
    ".msmap table{border-collapse:collapse}"
    ".msmap td,.msmap th{text-align:left;vertical-align:top;padding:.15em .7em}"
    ".msmap .sides{display:flex;flex-wrap:wrap;gap:.8em}"
    ".msmap .sides>div{flex:1 1 20em;min-width:0}"
    ".msmap .sides b{font-weight:600;opacity:.75}"
)
# What is shown where nobody says otherwise.
_views = [render.View("zh" if (locale.getlocale()[0] or "").startswith("zh") else "en")]


def view() -> render.View:
    """How answers are told."""
    return _views[0]


def choose(wanted: render.View) -> None:
    """Tell answers in that way from here on."""
    _views[0] = wanted


def _told(answer: object) -> object:
    """What the library gives as what a command answers with, which every form knows."""
    if isinstance(answer, model.Record):
        return answers.Lookup({}, (Answer(answer.torch, True, "curated", record=answer),))
    if isinstance(answer, model.Reverse):
        return answers.Lookup({}, (Answer(answer.api.name, True, "curated", reverse=answer),))
    if isinstance(answer, Probe):
        return answers.Lookup({}, (Answer(answer.torch, True, answer.basis, probe=answer),))
    if isinstance(answer, model.Guide):
        return answers.Guide((answer,))
    return answers.Ported(answer) if isinstance(answer, model.Port) else answer


def markdown(answer: object) -> str:
    """An answer as Markdown; of a port both sides."""
    if isinstance(answer, model.Port):
        sides = (f"**{name}**\n\n{fenced(code)}\n" for name, code in _both(answer))
        return "\n".join([*sides, *remarks.tell(answer, view())])
    return "".join(map(str, render.tell(_told(answer), "markdown", replace(view(), full=True))))


def text(answer: object) -> str:
    """An answer as plain text."""
    pieces = render.tell(_told(answer), "text", view())
    lines = [one if isinstance(one, str) else f"{one.text}\n" for one in pieces]
    if isinstance(answer, model.Port):
        lines += (f"{said}\n" for said in remarks.tell(answer, view()))
    return "".join(lines).rstrip("\n")


def html(answer: object) -> str | None:
    """An answer as HTML; None where what makes it isn't installed, and Markdown must do."""
    try:
        import markdown_it
        import nh3
    except ModuleNotFoundError:
        return None
    if isinstance(answer, model.Port):
        body, told = _sides(answer), "\n".join(remarks.tell(answer, view()))
    else:
        body, told = "", markdown(answer)
    made = markdown_it.MarkdownIt("commonmark").enable("table").render(told)
    clean = nh3.clean(
        made, tags=_TAGS, attributes={"a": {"href"}}, url_schemes={"http", "https"}
    )  # fmt: skip
    return f'<div class="msmap"><style>{_STYLE}</style>{body}{clean}</div>'


def _both(found: model.Port) -> list[tuple[str, str]]:
    """What both sides are called, and their code, where there is any."""
    say = SIDES[view().language]
    sides = ((say["torch"], found.source), (say["mindspore"], found.code or ""))
    return [(name, code) for name, code in sides if code]


def _sides(found: model.Port) -> str:
    """Code and what became of it, side by side."""
    shown = "".join(
        f"<div><b>{escape(name)}</b><pre><code>{escape(code)}</code></pre></div>"
        for name, code in _both(found)
    )
    return f'<div class="sides">{shown}</div>'
