"""The tools: each asks what a command of `msmap` asks, and tells it in few words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msmap import render, vocabulary
from msmap.assistant.answers import (
    Checked,
    Evidence,
    Found,
    Hit,
    Left,
    Lookup,
    Ported,
    Scanned,
    Search,
)
from msmap.errors import MsmapError
from msmap.port.attempt import unreadable
from msmap.query.base import porting
from msmap.query.names import answers
from msmap.query.names import lookup as understood
from msmap.query.projects import scan as scanning
from msmap.render import hover, missing, scan
from msmap.render.digest import Digest, digest
from msmap.render.labels import word
from msmap.render.markup import code as quoted
from msmap.render.markup import fenced, inline
from msmap.scan import score, settings
from msmap.scan.terms import STATUSES

if TYPE_CHECKING:
    from msmap.model import Check
    from msmap.model import Evidence as Run
    from msmap.query.knowledge_base import KnowledgeBase

# Of what there may be much: as many are told, and as many where details are asked for.
FINDINGS, ALL_FINDINGS = 10, 200
LONGEST = 1_000_000
_SHOWN = 120


class Refused(MsmapError):
    """A question that has no answer; the message says what to ask instead."""


def lookup(
    kb: KnowledgeBase, names: Sequence[str], language: str, detail: bool
) -> tuple[Lookup, str]:
    """What names become, as data and as text.

    Raises:
        Refused: nobody knows any of them.
    """
    found = understood.lookup(kb, names).answers
    if not any(answer.found for answer in found):
        raise Refused("\n".join(_missing(answer, language) for answer in found))
    told = tuple(digest(answer, language, kb.device) for answer in found)
    if not detail:
        lines = [
            hover.name(one, language, _more(one)) if answer.found else _missing(answer, language)
            for one, answer in zip(told, found, strict=True)
        ]
        return Lookup(told), "\n\n".join(lines)
    view = render.View(language, kb.device, full=True)
    pages = tuple(
        _markdown(answers.Lookup(kb.releases(), (answer,)), view)
        for answer in found
        if answer.found
    )
    return Lookup(told, pages), "\n\n".join(pages)


def _more(told: Digest) -> str:
    return f"*detail: {inline(told.more)}*" if told.more else ""


def _missing(answer: answers.Answer, language: str) -> str:
    said = missing.lines(
        answer.query, language, answer.known, answer.elsewhere, answer.guides, answer.nearest
    )
    return f"{'; '.join(said)}; the tool `search` takes words and error messages"


def _markdown(answer: object, view: render.View) -> str:
    return "".join(map(str, render.tell(answer, "markdown", view))).strip()


def search(
    kb: KnowledgeBase, text: str, limit: int, kind: str | None, language: str, detail: bool
) -> tuple[Search, str]:
    """What words lead to.

    Raises:
        Refused: to nothing.
    """
    hits = [hit for hit in kb.search(text, limit, kind) if hit.by != "guess"]
    if not hits:
        raise Refused(
            f"nothing is found for {text!r}: try fewer words, in English or Chinese, or a name"
        )
    told = tuple(
        Hit(
            hit.kind,
            hit.name,
            hit.title.get(language),
            hit.snippet,
            hit.context.get(language) if detail else "",
        )
        for hit in hits
    )
    lines = [f"- {hit.kind} {quoted(hit.name)}: {inline(hit.title)}" for hit in told]
    if detail:
        lines = [
            f"{line}\n  {inline(hit.context)}" if hit.context else line
            for line, hit in zip(lines, told, strict=True)
        ]
    return Search(told), "\n".join(lines)


def port(
    kb: KnowledgeBase, code: str, probed: bool, language: str, detail: bool
) -> tuple[Ported, str]:
    """Code for MindSpore.

    Raises:
        Refused: it can't be read.
    """
    done = porting.attempt(kb, code, probed, LONGEST)
    if (stopped := unreadable(done)) is not None:
        raise Refused(f"{stopped.reason.get(language)}; give whole statements of Python")
    left = tuple(
        Left(r.line, r.column, r.kind, _cut(r.source), r.reason.get(language))
        for r in done.refusals
    )
    notes = tuple(note.get(language) for note in done.notes)
    edits = tuple((e.line, e.column, e.end_line, e.end_column, e.text) for e in done.edits)
    written = done.code or ""
    lines = [fenced(written)]
    lines += [f"- {r.line}:{r.column + 1} {quoted(r.source)}: {inline(r.reason)}" for r in left]
    lines += [f"- {inline(note)}" for note in notes]
    records = done.records if detail else ()
    told = Ported(written, not left, left, notes, records, edits if detail else ())
    return told, "\n".join(lines)


def scanned(
    kb: KnowledgeBase,
    folder: Path,
    paths: Sequence[str],
    wanted: settings.Settings,
    language: str,
    detail: bool,
) -> tuple[Scanned, str]:
    """What files and folders use of PyTorch; ``wanted`` is what their project asks for.

    Raises:
        Refused: one of them isn't below the folder, or none can be read.
    """
    whole = [_below(folder, path) for path in paths]
    known = _known(wanted)
    report = scanning.scan(kb, whole, wanted.exclude, known)
    groups = scan.groups(report)
    sites = [site for group in groups for site in group.sites]
    most = ALL_FINDINGS if detail else FINDINGS
    # One of each kind first: ten of the same say less.
    first = [group.sites[0] for group in groups]
    if not detail:
        sites = [*first, *(site for site in sites if site not in first)]
    told = tuple(
        Found(
            _shown(folder, site.path),
            site.line,
            site.rule,
            site.apis[:3],
            _cut(site.source),
            _cut(site.port),
            scan.said(site, language) if detail else "",
            site.cell,
        )
        for site in sites[:most]
    )
    unread = tuple(
        f"{_shown(folder, one.path)}: {one.reason.get(language)}" for one in report.unread
    )
    if unread and report.read <= len(unread):
        raise Refused("; ".join(unread))
    every = len(score.findings(report.sites))
    answer = Scanned(report.read, report.counts.status, told, max(0, every - len(told)), unread)
    return answer, "\n".join(_scan_lines(answer, language))


def _known(wanted: settings.Settings) -> frozenset[tuple[str, str]]:
    from msmap.scan import baseline

    if wanted.baseline is None:
        return frozenset()
    try:
        return baseline.read(wanted.baseline)
    except OSError as error:
        raise Refused(f"{wanted.baseline}: {error.strerror or error}") from None


def _scan_lines(told: Scanned, language: str) -> Iterator[str]:
    counts = (f"{n:,} {word(STATUSES, name, language)}" for name, n in told.status.items())
    yield ", ".join(counts)
    for one in told.findings:
        cell = "" if one.cell is None else f"[{one.cell}]"
        became = f" → {quoted(one.port)}" if one.port else ""
        yield f"- {quoted(f'{one.path}{cell}:{one.line}')} {one.rule}: {quoted(one.source)}{became}"
        if one.said:
            yield f"  {inline(one.said)}"
    if told.more:
        yield f"- {told.more:,} more; `detail` lists {ALL_FINDINGS}, one path at a time lists fewer"
    yield from (f"- {inline(text)}" for text in told.unread)


def _below(folder: Path, given: str) -> Path:
    try:
        path = (folder / given).resolve()
    except (OSError, ValueError) as error:
        raise Refused(f"{given!r}: {error}") from None
    if not path.is_relative_to(folder.resolve()):
        raise Refused(
            f"{given} is not below {folder}, where this server was started; start another with"
            " `msmap mcp --folder`"
        )
    return path


def _shown(folder: Path, path: str) -> str:
    whole = Path(path).absolute()
    top = folder.resolve()
    return whole.relative_to(top).as_posix() if whole.is_relative_to(top) else path


def evidence(
    kb: KnowledgeBase, name: str, check: str, environment: str, language: str, detail: bool
) -> tuple[Evidence, str]:
    """What came out of a record's checks.

    Raises:
        NotFound: there is no record.
        Refused: it has no such check.
    """
    record = kb.lookup(name)
    proof = answers.proof(record, environment or None)
    chosen = [one for one in proof.checks if check in ("", one.id)]
    if not chosen:
        listed = ", ".join(one.id for one in proof.checks) or "none"
        raise Refused(f"{record.torch} has no check {check!r}; it has {listed}")
    told = tuple(_checked(one, bool(check) or detail, language) for one in chosen)
    script = _script(kb, record.owner, check) if check else ""
    answer = Evidence(record.torch, told, script)
    return answer, "\n".join(_evidence_lines(answer, language))


def _checked(found: Check, whole: bool, language: str) -> Checked:
    run = found.evidence[-1] if found.evidence else None
    if run is None:
        return Checked(found.id, found.target, "unverified")
    return Checked(
        found.id,
        found.target,
        run.outcome,
        run.environment,
        " ".join(filter(None, (run.message, *_gave(run)))) if whole else "",
        _counted(run),
        found.torch if whole else "",
        found.mindspore if whole else "",
    )


def _gave(run: Run) -> Iterable[str]:
    gave = [text for text in (run.torch_gave, run.mindspore_gave) if text]
    return (f"({_cut(' | '.join(gave))})",) if gave else ()


def _counted(run: Run) -> dict[str, int]:
    """How many variants came out how."""
    counts: dict[str, int] = {}
    for finding in run.variants.values():
        counts[finding.outcome] = counts.get(finding.outcome, 0) + 1
    return counts


def _script(kb: KnowledgeBase, owner: str, check: str) -> str:
    return f"msmap evidence show {owner} {check} > run.py; python run.py"


def _evidence_lines(told: Evidence, language: str) -> Iterator[str]:
    yield f"**{quoted(told.name)}**"
    for one in told.checks:
        outcome = word(vocabulary.VERIFICATIONS, one.outcome, language)
        variants = ", ".join(
            f"{n} {word(vocabulary.VARIANT_OUTCOMES, name, language)}"
            for name, n in (one.variants or {}).items()
        )
        rest = f" ({variants})" if variants else ""
        yield f"- {quoted(one.check)} {quoted(one.target)}: {outcome}{rest}"
        for side in filter(None, (one.torch, one.mindspore)):
            yield fenced(side)
        if one.said:
            yield f"  {inline(one.said)}"
    if told.script:
        yield quoted(told.script)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
