"""The rewriter: PyTorch code in, MindSpore code out, and at each line that stays why it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from datasette_msmap.web import code
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap import model
from msmap.port.attempt import unreadable
from msmap.query.base import porting

LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the result, and why what stands in it was left as it is."""

    text: Markup
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What stands in the rewriter: a source, what became of it, and what is to be known of that.

    ``left`` are the lines of the source that were refused, with the reasons; ``read`` says whether
    any of it could be read. ``probed`` is None where it isn't asked for.
    """

    source: str = ""
    lines: tuple[Line, ...] = ()
    left: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    read: bool = True
    probed: bool | None = None

    @property
    def rows(self) -> int:
        """As many lines as it takes to see all of both sides."""
        return min(max(4, self.source.count("\n") + 2, len(self.lines) + 1), 40)


def example(torch: str, mindspore: str) -> Rewriting:
    """A source whose port is known."""
    return Rewriting(torch, tuple(_lines(code.broken(mindspore), ())))


def rewritten(made: model.Port, language: str, probed: bool | None = None) -> Rewriting:
    """What became of a source, in a language."""
    left = [(r.line, r.source, r.reason.get(language)) for r in made.refusals]
    whole = made.source if made.code is None else made.code
    places = [(_place(made, line), why) for line, _, why in left]
    return Rewriting(
        made.source,
        tuple(_lines(whole, places)),
        tuple((line, f"{source}: {why}" if source else why) for line, source, why in left),
        tuple(note.get(language) for note in made.notes),
        made.records,
        unreadable(made) is None,
        probed,
    )


def _lines(text: str, reasons: Iterable[tuple[int, str]]) -> Iterator[Line]:
    told: dict[int, list[str]] = {}
    texts = text.rstrip("\n").split("\n")
    for number, why in reasons:
        place = min(max(number, 1), len(texts))
        if why not in told.setdefault(place, []):
            told[place].append(why)
    for number, line in enumerate(texts, 1):
        yield Line(code.shown(line), tuple(told.get(number, ())))


def _place(made: model.Port, line: int) -> int:
    """The line of the result at which a line of the source is."""
    if made.code is None:
        return line
    before = (edit for edit in made.edits if edit.end_line < line)
    return line + sum(e.text.count("\n") - (e.end_line - e.line) for e in before)


def port(ask: Ask) -> Answer:
    """The rewriter as a page, which needs no script; the script takes its answers from it too."""
    source = ask.args.get("code", "")
    probed = ask.args.get("probed") == "1"
    found = Rewriting(probed=probed)
    if source.strip():
        made = porting.attempt(ask.kb, source, probed, LONGEST)
        found = rewritten(made, ask.language, probed)
    return render(
        ask,
        "port.html",
        rewriting=found,
        source=source[:LONGEST],
        indexed=not source and not probed,
    )


PAGE = Page("/port", port, nav=7, sitemap=False, slow=True, args=("code", "probed"))
