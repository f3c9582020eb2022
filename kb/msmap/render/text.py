"""Answers as lines: styled and wrapped on a terminal, plain in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from msmap.render import View, lists
from msmap.render.labels import EXPLAINED
from msmap.render.layout import BOLD, CODE, DIM, Markup, Piece, columns, line, pad, table

if TYPE_CHECKING:
    from msmap.compare.report import Checked, Compared
    from msmap.evidence.environments import Comparison
    from msmap.query.drift.drift import Drift
    from msmap.query.names import answers
    from msmap.scan.report import Report


def tell(answer: object, view: View) -> Iterator[Piece]:
    """An answer as lines."""
    return _TELLERS[type(answer).__name__](answer, view)


def _lookup(found: answers.Lookup, view: View) -> Iterator[Piece]:
    from msmap.render import missing, namesakes, probe, record, short

    for number, answer in enumerate(a for a in found.answers if a.found):
        if number:
            yield line()
        if answer.port is not None and view.full:
            yield line((answer.port.source.strip(), CODE))
            yield from (line("→ ", (row, CODE)) for row in (answer.port.code or "").splitlines())
            yield line()
        if answer.group is not None:
            yield from lists.group(answer.group, view.language)
            if answer.record is not None:
                yield line()
        if answer.record is not None and view.full:
            yield from record.record(answer.record, view.language, view.device, answer.port)
        elif answer.record is not None:
            yield from short.record(answer.record, view.language, view.device, answer.port)
        if answer.record is not None and answer.nearest:
            yield line((namesakes.words(answer.nearest, view.language), DIM), hang=4)
        if answer.reverse is not None:
            yield from record.reverse(answer.reverse, view.language)
        if answer.probe is not None:
            told = probe.probe if view.full else short.probe
            yield from told(answer.probe, view.language, answer.nearest, answer.guides)
        if answer.found_as:
            yield from probe.found_as(answer.known or "", answer.found_as, view.language)
        if answer.named_alone:
            yield from (line(row, hang=4) for row in missing.told(answer, view.language))


def _search(found: answers.Search, view: View) -> Iterator[Piece]:
    hits = [hit for hit in found.hits if hit.by != "guess"]
    names = [f"guide {hit.name}" if hit.kind == "guide" else hit.name for hit in hits]
    width = (columns([(name,) for name in names]) or [0])[0]
    for name, hit in zip(names, hits, strict=True):
        yield line((pad(name, width), CODE), "  ", hit.title.get(view.language), hang=4)
        if context := hit.context.get(view.language):
            yield line((context, DIM), indent=4)


def _explained(found: answers.Explained, view: View) -> Iterator[Piece]:
    told, labels = found.explanation, EXPLAINED[view.language]
    if told is None:
        return
    yield line((told.error, BOLD))
    yield line(told.cause.get(view.language), indent=2)
    if told.instead:
        yield line(labels["instead"], indent=2)
        yield from (line((row, CODE), indent=4) for row in told.instead.splitlines())
    if told.see:
        yield line(labels["see"], indent=2)
    for name in told.see:
        guide = name.removeprefix("guide:")
        yield line((f"msmap {name}" if guide == name else f"msmap guide {guide}", CODE), indent=4)


def _list(found: answers.List, view: View) -> Iterator[Piece]:
    yield from table([lists.row(summary) for summary in found.records], 44)
    yield from table([lists.probe_row(summary) for summary in found.probes], 44)


def _coverage(found: answers.Coverage, view: View) -> Iterator[Piece]:
    yield from table(lists.coverage(found, view.language), 44)


def _names(found: answers.Names, view: View) -> Iterator[Piece]:
    yield from table(lists.unrecorded(found), 44)


def _briefs(found: answers.Briefs, view: View) -> Iterator[Piece]:
    yield from table(lists.briefs(found), 44)


def _ported(found: answers.Ported, view: View) -> Iterator[Piece]:
    if (code := found.port.code) is not None:
        yield code if code.endswith("\n") else f"{code}\n"


def _ported_files(found: answers.PortedFiles, view: View) -> Iterator[Piece]:
    yield from table(lists.ported(found, view.language), 60)


def _guides(found: answers.Guides, view: View) -> Iterator[Piece]:
    width = max((len(guide.id) for guide in found.guides), default=0)
    for guide in found.guides:
        yield line((pad(guide.id, width), CODE), "  ", guide.title.get(view.language), hang=4)


def _guide(found: answers.Guide, view: View) -> Iterator[Piece]:
    from msmap.render import markdown

    yield Markup("".join(map(str, markdown.tell(found, view))))


def _claims(found: answers.Claims, view: View) -> Iterator[Piece]:
    from msmap.render import claims, tables

    yield from claims.text(found.claims, view.language)
    yield from tables.text(found.rows, found.tables, view.language)


def _stats(found: answers.Stats, view: View) -> Iterator[Piece]:
    return lists.stats(found, view.language)


def _proof(found: answers.Proof, view: View) -> Iterator[Piece]:
    from msmap.render import evidence

    return evidence.text(found, view.language)


def _repeat(found: answers.Repeat, view: View) -> Iterator[Piece]:
    from msmap.render import evidence

    yield from (line(f"# {text}") for text in evidence.told(found.finding, view.language))
    yield found.script


def _compared(found: Compared, view: View) -> Iterator[Piece]:
    from msmap.render import comparison

    return comparison.text(found, view)


def _drift(found: Drift, view: View) -> Iterator[Piece]:
    from msmap.render import drift

    return drift.text(found, view.names, view.language)


def _report(found: Report, view: View) -> Iterator[Piece]:
    from msmap.render import scan

    return scan.text(found, view)


def _comparison(found: Comparison, view: View) -> Iterator[Piece]:
    from msmap.render import evidence

    return (line(text) for text in evidence.comparison(found))


# By the name of its class: importing them all would slow down the start of every command.
def _checked(found: Checked, view: View) -> Iterator[Piece]:
    from msmap.render import weights

    yield from weights.text(found, view)


_TELLERS: dict[str, Callable[[Any, View], Iterator[Piece]]] = {
    "Lookup": _lookup,
    "Search": _search,
    "Explained": _explained,
    "List": _list,
    "Coverage": _coverage,
    "Names": _names,
    "Briefs": _briefs,
    "Ported": _ported,
    "PortedFiles": _ported_files,
    "Guides": _guides,
    "Guide": _guide,
    "Claims": _claims,
    "Stats": _stats,
    "Proof": _proof,
    "Repeat": _repeat,
    "Drift": _drift,
    "Comparison": _comparison,
    "Report": _report,
    "Compared": _compared,
    "Checked": _checked,
}
