"""What came out of checks, as text or Markdown: of a record, or of two environments compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msmap import vocabulary
from msmap.model import Check, Evidence, Finding, Record
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, line, pad
from msmap.render.record import LABELS, word

if TYPE_CHECKING:
    from msmap.evidence.environments import Change, Comparison, Merged

_STYLES = {"agrees": GOOD, "forward_only": GOOD, "differs": BAD, "refuted": BAD, "raises": WARN}


def chosen(check: Check, environment: str | None) -> Evidence | None:
    """The evidence of a check in an environment, by a part of its name; the newest of all."""
    fitting = [e for e in check.evidence if environment is None or environment in e.environment]
    return fitting[-1] if fitting else None


def told(finding: Evidence | Finding | None, tongue: str) -> Iterator[str]:
    """What is known of one run, a line each."""
    if finding is None:
        yield word(vocabulary.VERIFICATIONS, "unverified", tongue)
        return
    yield _outcome(finding, tongue)
    for text in (finding.message, finding.torch_gave, finding.mindspore_gave):
        if text:
            yield " ".join(text.split())


def _outcome(finding: Evidence | Finding, tongue: str) -> str:
    terms = vocabulary.VERIFICATIONS if isinstance(finding, Evidence) else _VARIANT_TERMS
    return word(terms, finding.outcome, tongue)


_VARIANT_TERMS = vocabulary.VARIANT_OUTCOMES


def _rows(
    checks: list[tuple[Check, Evidence | None]], tongue: str
) -> Iterator[tuple[Check, str, Evidence | Finding]]:
    for check, evidence in checks:
        if evidence is not None:
            yield check, "", evidence
            for name, finding in evidence.variants.items():
                yield check, name, finding


def text(found: Record, checks: list[tuple[Check, Evidence | None]], tongue: str) -> Iterator[Line]:
    """Every run of a record's checks, check by check and variant by variant."""
    environments = {e.environment for _, e in checks if e is not None}
    yield line((found.torch, BOLD), ("  " + "; ".join(sorted(environments)), DIM))
    target = None
    for check, name, finding in _rows(checks, tongue):
        if not name and check.target != target:
            target = check.target
            yield line((target or "-", BOLD))
        label = name or check.id
        style = _STYLES.get(finding.outcome, "")
        yield line(
            (pad(label, 32 if name else 34), CODE),
            (pad(_outcome(finding, tongue), 24), style),
            _words(finding, tongue),
            indent=4 if name else 2,
        )
    for check, evidence in checks:
        if evidence is None:
            unverified = word(vocabulary.VERIFICATIONS, "unverified", tongue)
            yield line((pad(check.id, 34), CODE), unverified, indent=2)
    yield line((f"msmap evidence show {found.torch} CHECK/VARIANT > run.py; python run.py", DIM))


def _words(finding: Evidence | Finding, tongue: str) -> str:
    """What is worth saying of a run: the message, or what both sides gave."""
    gave = " | ".join(t for t in (finding.torch_gave, finding.mindspore_gave) if t)
    text = finding.message
    if isinstance(finding, Evidence) and finding.gradient == "agrees":
        text = "; ".join(filter(None, [text, LABELS[tongue]["gradients"]]))
    short = gave if len(gave) <= 80 else ""
    return " ".join("  ".join(filter(None, [text, short])).split())


def markdown(
    found: Record, checks: list[tuple[Check, Evidence | None]], tongue: str
) -> Iterator[str]:
    """The same as a table."""
    yield f"## {found.torch}\n\n| check | variant | outcome | |\n|---|---|---|---|"
    for check, name, finding in _rows(checks, tongue):
        words = _words(finding, tongue).replace("|", "\\|")
        cells = [f"`{check.id}`", name, _outcome(finding, tongue), words]
        yield "| " + " | ".join(cells) + " |"


def counts(done: Merged) -> str:
    """What became of the lines of a merged file."""
    found = {
        "taken": done.taken,
        "the same": done.same,
        "in conflict": len(done.conflicts),
        "inconclusive and left out": done.inconclusive,
        "of checks that changed since and left out": done.outdated,
        "of unknown checks and left out": done.unknown,
    }
    return ", ".join(f"{n} {what}" for what, n in found.items() if n) or "no outcomes"


def fields(change: Change) -> Iterator[str]:
    """What differs of a check between two environments, a field a line."""
    width = max(len(name) for name in change.fields)
    for name, (left, right) in change.fields.items():
        yield f"  {name:{width}}  {_show(left)} | {_show(right)}"


def _show(value: Any) -> str:
    return "-" if value in ("", None) else " ".join(str(value).split())


def comparison(found: Comparison) -> Iterator[str]:
    """The checks that came out differently in two environments."""
    yield " | ".join(found.environments)
    for change in found.changes:
        yield f"{change.record}: {change.check}"
        yield from fields(change)
    for name, only in zip(found.environments, (found.only_first, found.only_second), strict=True):
        for record, check in only:
            yield f"{record}: {check}: only in {name}"
    yield _summary(found)


def comparison_markdown(found: Comparison) -> Iterator[str]:
    """The same as a table."""
    first, second = found.environments
    yield f"| check | | {first} | {second} |\n|---|---|---|---|"
    for change in found.changes:
        for name, values in change.fields.items():
            left, right = (_show(value).replace("|", "\\|") for value in values)
            yield f"| {change.record}: {change.check} | {name} | {left} | {right} |"
    for left, right, only in (("yes", "no", found.only_first), ("no", "yes", found.only_second)):
        for record, check in only:
            yield f"| {record}: {check} | ran | {left} | {right} |"
    yield f"\n{_summary(found)}"


def _summary(found: Comparison) -> str:
    first, second = found.environments
    return (
        f"{len(found.changes)} differ, {found.same} the same, {len(found.only_first)} only in "
        f"{first}, {len(found.only_second)} only in {second}"
    )
