"""What came out of checks, as text or Markdown: of a record, or of two environments compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msmap import vocabulary
from msmap.model import Check, Evidence, Finding
from msmap.render.labels import RECORD, word
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, line, pad

if TYPE_CHECKING:
    from msmap.evidence.environments import Change, Comparison, Merged
    from msmap.query.names.answers import Proof

_STYLES = {"agrees": GOOD, "forward_only": GOOD, "differs": BAD, "refuted": BAD, "raises": WARN}


def told(finding: Evidence | Finding | None, language: str) -> Iterator[str]:
    """What is known of one run, a line each."""
    if finding is None:
        yield word(vocabulary.VERIFICATIONS, "unverified", language)
        return
    yield _outcome(finding, language)
    for said in (finding.message, finding.torch_gave, finding.mindspore_gave):
        if said:
            yield " ".join(said.split())


def _outcome(finding: Evidence | Finding, language: str) -> str:
    terms = vocabulary.VERIFICATIONS if isinstance(finding, Evidence) else _VARIANT_TERMS
    return word(terms, finding.outcome, language)


# What a check shows that uses none of a record's APIs.
_OF_NONE = {"en": "without any of them", "zh": "不使用上述接口"}
_VARIANT_TERMS = vocabulary.VARIANT_OUTCOMES


def _rows(found: Proof) -> Iterator[tuple[Check, str, Evidence | Finding]]:
    for check in found.checks:
        for evidence in check.evidence:
            yield check, "", evidence
            for name, finding in evidence.variants.items():
                yield check, name, finding


def text(found: Proof, language: str) -> Iterator[Line]:
    """Every run of a record's checks, check by check and variant by variant."""
    environments = {e.environment for check in found.checks for e in check.evidence}
    yield line((found.torch, BOLD), ("  " + "; ".join(sorted(environments)), DIM))
    target = None
    for check, name, finding in _rows(found):
        if not name and check.target != target:
            target = check.target
            yield line((target or _OF_NONE[language], BOLD))
        label = name or check.id
        style = _STYLES.get(finding.outcome, "")
        yield line(
            (pad(label, 32 if name else 34), CODE),
            (pad(_outcome(finding, language), 24), style),
            _words(finding, language),
            indent=4 if name else 2,
        )
    for check in found.checks:
        if not check.evidence:
            unverified = word(vocabulary.VERIFICATIONS, "unverified", language)
            yield line((pad(check.id, 34), CODE), unverified, indent=2)
    yield line((f"msmap evidence show {found.torch} CHECK/VARIANT > run.py; python run.py", DIM))


def _words(finding: Evidence | Finding, language: str) -> str:
    """What is worth saying of a run: the message, or what both sides gave."""
    gave = " | ".join(t for t in (finding.torch_gave, finding.mindspore_gave) if t)
    said = finding.message
    if isinstance(finding, Evidence) and finding.gradient == "agrees":
        said = "; ".join(filter(None, [said, RECORD[language]["gradients"]]))
    short = gave if len(gave) <= 80 else ""
    return " ".join("  ".join(filter(None, [said, short])).split())


def markdown(found: Proof, language: str) -> Iterator[str]:
    """The same as a table."""
    yield f"## {found.torch}\n\n| check | variant | outcome | |\n|---|---|---|---|"
    for check, name, finding in _rows(found):
        words = _words(finding, language).replace("|", "\\|")
        cells = [f"`{check.id}`", name, _outcome(finding, language), words]
        yield "| " + " | ".join(cells) + " |"


def merged(done: Merged) -> Iterator[str]:
    """The conflicts of a merged file, field by field, then what became of its lines."""
    for conflict in done.conflicts:
        yield f"{conflict.record}: {conflict.check}: ours | {done.path}"
        yield from _fields(conflict)
    counts = {
        "taken": done.taken,
        "the same": done.same,
        "in conflict": len(done.conflicts),
        "inconclusive and left out": done.inconclusive,
        "of checks that changed since and left out": done.outdated,
        "of unknown checks and left out": done.unknown,
    }
    said = ", ".join(f"{n} {what}" for what, n in counts.items() if n) or "no outcomes"
    yield f"{done.path}: {said}"


def _fields(change: Change) -> Iterator[str]:
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
        yield from _fields(change)
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
