"""Answers as Markdown, to paste into an issue or a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msmap import vocabulary
from msmap.candidates import Probe
from msmap.evidence import devices
from msmap.model import Caveat, Guide, Parameter, Port, Record, Reverse, Target
from msmap.render import View, lists, missing, namesakes, short
from msmap.render import brief as briefly
from msmap.render import probe as probes
from msmap.render import record as page
from msmap.render.brief import Brief
from msmap.render.labels import BRIEF, PROBE, RECORD, word
from msmap.render.markup import code, fenced, inline

if TYPE_CHECKING:
    from msmap.evidence.environments import Comparison
    from msmap.query.drift.drift import Drift
    from msmap.query.names import answers
    from msmap.scan.report import Report


def tell(answer: object, view: View) -> Iterator[str]:
    """An answer as Markdown."""
    return (f"{said}\n" for said in _TELLERS[type(answer).__name__](answer, view))


def record(found: Record, view: View, port: Port | None = None) -> Iterator[str]:
    """A record: heading, both sides, caveats, parameters; ``view.full`` has tables and evidence.

    ``port`` is that of the call that was asked for, of which both sides stand for the example.
    """
    language, labels = view.language, RECORD[view.language]
    told = briefly.brief(found, language, view.device, briefly.taken(found, port))
    best = told.target
    yield f"## `{found.torch}` → `{labels['none'] if best is None else page.name(best, labels)}`\n"
    yield f"{inline(found.summary.get(language))}\n"
    if found.missing is not None:
        yield f"{inline(found.missing.get(language))}\n"
    if found.family:
        yield labels["family"].format(f"`{found.family}`") + "\n"
    if found.covers:
        shared = labels["comma"].join(f"`{name}`" for name in found.covers)
        yield f"{labels['covers']}{labels['colon']}{shared}\n"
    sides = found.example_torch, found.example_mindspore
    if port is not None:
        sides = port.source.strip(), port.code or ""
    if sides[0]:
        yield fenced(f"# PyTorch\n{sides[0]}\n# MindSpore\n{sides[1]}") + "\n"
    yield from _all(found, best, view) if view.full else _short(found, told, language)
    yield ""


def _short(found: Record, told: Brief, language: str) -> Iterator[str]:
    """What fits on a screen: the caveats that bite, and what becomes of parameters."""
    for each in told.caveats:
        yield _caveat(each, language, each.text.get(language))
    if rows := list(short.remarks(found, told, language)):
        yield ""
    for title, text, style in rows:
        yield f"- **{title}** {code(text) if style else inline(text)}"
    if more := RECORD[language]["comma"].join(briefly.beside(told, found, language)):
        yield f"\n*{inline(BRIEF[language]['verbose'].format(more))}*"


def _all(found: Record, best: Target | None, view: View) -> Iterator[str]:
    """Every caveat, a table of targets, what checks gave, and the parameters of the best."""
    language, labels = view.language, RECORD[view.language]
    here, elsewhere = devices.caveats(found, view.device) if view.device else (found.caveats, ())
    yield from (_caveat(caveat, language, caveat.text.get(language)) for caveat in here)
    if elsewhere:
        heading = page.unknown(elsewhere, view.device, labels)
        yield f"\n<details><summary>{heading}</summary>\n"
        yield from (_caveat(caveat, language, caveat.text.get(language)) for caveat in elsewhere)
        yield "\n</details>"
    if found.targets:
        yield f"\n| {labels['targets']} | {labels['runs']} | | |\n|---|---|---|---|"
        for target in found.targets:
            category = word(vocabulary.CATEGORIES, target.category, language)
            outcome = word(vocabulary.VERIFICATIONS, target.verification, language)
            shown = _cell(page.name(target, labels))
            yield f"| `{shown}` | {page.platforms(target, labels)} | {category} | {outcome} |"
        yield ""
        for target in found.targets:
            checks = [check for check in found.checks if check.target == target.key]
            lines = [*page.proof(checks, language, labels)] if checks else []
            for line in (*lines, *page.lifetime(target, labels, indent=0)):
                yield f"- `{target.key}`: {line.text.strip()}"
    told = [p for p in (best.parameters if best else ()) if p.relation != "same"]
    if told:
        yield "\n| PyTorch | MindSpore | |\n|---|---|---|"
        for parameter in told:
            yield _row(parameter, language)


def probe(found: Probe, language: str, near: Iterable[str] = ()) -> Iterator[str]:
    """A probe: heading, that nobody wrote it, signatures, parameters, differences, candidates."""
    labels, best = PROBE[language], found.best
    counterpart = "" if found.reason else f" → `{best.mindspore}`" if best else " → –"
    yield f"## `{found.torch}`{counterpart}\n"
    yield f"**{probes.basis(found, language)}**\n"
    first = found.first
    if not found.reason:
        yield f"{probes.tallies(first, language).text} ({probes.ran_on(found, first, language)})\n"
    target = best.target if best else None
    sides = [(f"# PyTorch\n{found.torch}", found.signatures)]
    if target is not None:
        name = target.api or target.expression
        sides.append((f"# MindSpore\n{name}", target.signatures or ("",)))
    told = [f"{head}{text}" for head, signatures in sides for text in signatures[:1]]
    if told:
        yield fenced("\n".join(told)) + "\n"
    changed = [p for p in (target.parameters if target else ()) if p.relation != "same"]
    if changed:
        yield "| PyTorch | MindSpore | |\n|---|---|---|"
        yield from (_row(parameter, language) for parameter in changed)
        yield ""
    for each in probes.worst(first.differences if first else ())[: probes.SHOWN]:
        outcome = word(vocabulary.PROBE_OUTCOMES, each.outcome, language)
        said = f": {probes.short(each.message)}" if each.message else ""
        yield f"- **{outcome}** ({probes.where(each, language)}){said}"
        yield f"  `{_cell(each.torch)}`"
    if found.candidates:
        yield f"\n| {labels['candidates']} | | | | |\n|---|---|---|---|---|"
    for candidate in found.candidates:
        name, *cells = probes.row(candidate, language)
        yield f"| `{_cell(name)}` | {' | '.join(cells)} |"
    if names := list(near):
        yield f"\n{labels['near']}{RECORD[language]['colon']}" + ", ".join(f"`{n}`" for n in names)
    yield ""


def _caveat(caveat: Caveat, language: str, text: str) -> str:
    impact = word(vocabulary.IMPACTS, caveat.impact, language)
    seen = RECORD[language]["seen"].format(" ".join(caveat.device))
    where = f" ({seen})" if caveat.device else ""
    return f"- **{impact}**{where}: {inline(text)}"


def _row(parameter: Parameter, language: str) -> str:
    relation = word(vocabulary.RELATION_WORDS, parameter.relation, language)
    left = _side(parameter.torch, parameter.torch_default)
    right = _side(parameter.mindspore, parameter.mindspore_default)
    value = f": `{_cell(parameter.value)}`" if parameter.value else ""
    return f"| {left} | {right} | {relation}{value} |"


def _side(names: tuple[str, ...], default: str | None) -> str:
    text = ", ".join(names)
    if not text:
        return "-"
    return f"`{text} = {_cell(default)}`" if default is not None else f"`{text}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def reverse(found: Reverse, language: str) -> Iterator[str]:
    """What a MindSpore name was in PyTorch."""
    yield f"## `{found.api.name}`\n"
    if found.sources[0][0] == 0:
        yield f"{RECORD[language]['akin']}\n"
    for rank, summary in found.sources:
        said = inline(summary.summary.get(language))
        if rank == 0:
            yield f"- `{summary.torch}`: {said}"
            continue
        category = word(vocabulary.CATEGORIES, summary.category, language)
        rank_text = f"{RECORD[language]['rank']} {rank}"
        yield f"- `{summary.torch}` ({rank_text}, {category}): {said}"
    yield ""


def guide(found: Guide, language: str) -> Iterator[str]:
    """A guide: its sections with code of both frameworks."""
    yield f"# {found.title.get(language)}\n"
    yield f"{found.summary.get(language)}\n"
    for section in found.sections:
        yield f"## {section.title.get(language)}\n"
        yield f"{section.text.get(language)}\n"
        for name, lines in (("PyTorch", section.torch), ("MindSpore", section.mindspore)):
            if lines:
                yield fenced(f"# {name}\n{lines.strip()}") + "\n"
    if found.records:
        yield ", ".join(f"`{name}`" for name in found.records) + "\n"


def _lookup(found: answers.Lookup, view: View) -> Iterator[str]:
    for answer in found.answers:
        if answer.group is not None:
            yield from (f"- {row.text}" for row in lists.group(answer.group, view.language))
        if answer.record is not None:
            yield from record(answer.record, view, answer.port)
        if answer.record is not None and answer.nearest:
            yield f"*{inline(namesakes.words(answer.nearest, view.language))}*\n"
        if answer.reverse is not None:
            yield from reverse(answer.reverse, view.language)
        if answer.probe is not None:
            yield from probe(answer.probe, view.language, answer.nearest)
        if answer.found_as:
            yield from _found_as(answer, PROBE[view.language])
        if answer.named_alone:
            yield from (f"- {row}" for row in missing.told(answer, view.language))
            yield ""


def _found_as(answer: answers.Answer, labels: dict[str, str]) -> Iterator[str]:
    """What a MindSpore name was in PyTorch, as far as samples tell."""
    yield f"## `{answer.known}`\n\n{labels['probed']}\n"
    for summary in answer.found_as:
        tally = summary.values
        yield f"- `{summary.torch}`: {labels['agree'].format(tally.agreed, tally.tried)}"
    yield ""


def _search(found: answers.Search, view: View) -> Iterator[str]:
    for hit in found.hits:
        if hit.by != "guess":
            yield f"- `{hit.name}`: {hit.title.get(view.language)}"
            if context := hit.context.get(view.language):
                yield f"  {context}"


def _explained(found: answers.Explained, view: View) -> Iterator[str]:
    if (told := found.explanation) is not None:
        yield f"{code(told.error)}\n\n{inline(told.cause.get(view.language))}\n"
        if told.instead:
            yield fenced(told.instead.rstrip()) + "\n"
        yield from (f"- `{name.removeprefix('guide:')}`" for name in told.see)


def _list(found: answers.List, view: View) -> Iterator[str]:
    yield "| PyTorch | MindSpore | | | | |\n|---|---|---|---|---|---|"
    rows = [*map(lists.row, found.records), *map(lists.probe_row, found.probes)]
    for row in rows:
        yield "| `" + "` | `".join(map(_cell, row)) + "` |"


def _coverage(found: answers.Coverage, view: View) -> Iterator[str]:
    head, *rows = lists.coverage(found, view.language)
    return _table(head, rows)


def _names(found: answers.Names, view: View) -> Iterator[str]:
    return _table(("PyTorch", "MindSpore", "", ""), lists.unrecorded(found))


def _briefs(found: answers.Briefs, view: View) -> Iterator[str]:
    return _table(("", "", "", ""), lists.briefs(found))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table whose first column is code."""
    yield f"| {' | '.join(head)} |\n|{'---|' * len(head)}"
    for first, *rest in rows:
        yield f"| `{_cell(first)}` | {' | '.join(map(_cell, rest))} |"


def _ported(found: answers.Ported, view: View) -> Iterator[str]:
    if (written := found.port.code) is not None:
        yield fenced(written)


def _ported_files(found: answers.PortedFiles, view: View) -> Iterator[str]:
    head, *rows = lists.ported(found, view.language)
    yield f"| {' | '.join(head)} |\n|---|--:|--:|--:|---|"
    for path, *rest in rows:
        yield f"| {f'`{_cell(path)}`' if path else ''} | {' | '.join(map(_cell, rest))} |"


def _guides(found: answers.Guides, view: View) -> Iterator[str]:
    return (f"- `{guide.id}`: {guide.title.get(view.language)}" for guide in found.guides)


def _guide(found: answers.Guide, view: View) -> Iterator[str]:
    for asked in found.guides:
        yield from guide(asked, view.language)


def _claims(found: answers.Claims, view: View) -> Iterator[str]:
    from msmap.render import claims, tables

    yield from claims.markdown(found.claims, found.sources, view.language)
    yield from tables.markdown(found.rows, found.tables, view.language)


def _stats(found: answers.Stats, view: View) -> Iterator[str]:
    for line in lists.stats(found, view.language):
        yield f"{' ' * line.indent}- {line.text.strip()}"


def _proof(found: answers.Proof, view: View) -> Iterator[str]:
    from msmap.render import evidence

    return evidence.markdown(found, view.language)


def _repeat(found: answers.Repeat, view: View) -> Iterator[str]:
    from msmap.render import evidence

    yield from (f"- {said}" for said in evidence.told(found.finding, view.language))
    yield "\n" + fenced(found.script)


def _drift(found: Drift, view: View) -> Iterator[str]:
    from msmap.render import drift

    return drift.markdown(found, view.names, view.language)


def _report(found: Report, view: View) -> Iterator[str]:
    from msmap.render import scan

    return scan.markdown(found, view)


def _comparison(found: Comparison, view: View) -> Iterator[str]:
    from msmap.render import evidence

    return evidence.comparison_markdown(found)


# By the name of its class, as in `text`.
_TELLERS: dict[str, Callable[[Any, View], Iterator[str]]] = {
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
}
