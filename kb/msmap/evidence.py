"""Outcomes of checks: one file per environment, sorted, a line each, replaced whole.

A line says of variants that agree only how far apart they are, and details what differs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from msmap import atomic
from msmap.model import Check, Evidence, Finding, Record
from msmap.vocabulary import UNTESTABLE_REASONS, VARIANT_OUTCOMES, VARIANTS, VERIFICATIONS


@dataclass(frozen=True, slots=True)
class Line:
    """The outcome of one check, and the hash of what ran."""

    record: str
    check: str
    hash: str
    outcome: str
    reason: str = ""
    message: str = ""
    max_abs: float | None = None
    max_rel: float | None = None
    ulps: float | None = None
    gradient: str = ""
    torch_gave: str = ""
    mindspore_gave: str = ""
    variants: dict[str, Finding] = field(default_factory=dict)


class EvidenceError(Exception):
    """An evidence file that can't be read; the message names file and line."""


def read(path: Path) -> dict[tuple[str, str], Line]:
    """The outcomes in a file, by record and check.

    Raises:
        EvidenceError: a line is not what ``write`` writes.
    """
    found: dict[tuple[str, str], Line] = {}
    for number, text in enumerate(path.read_bytes().splitlines(), 1):
        try:
            line = _line(json.loads(text.decode("utf-8")))
        except (ValueError, TypeError) as error:
            raise EvidenceError(
                f"{path}:{number}: not a line of evidence ({error}); "
                "run `msmap verify --all` to make the file again"
            ) from None
        found[line.record, line.check] = line
    return found


def _line(data: Any) -> Line:
    line = Line(**{k: v for k, v in data.items() if k not in _GROUPS}, variants=_variants(data))
    for name, value in ((f.name, getattr(line, f.name)) for f in fields(line)):
        if name == "variants":
            continue
        number = name in _ERRORS
        fits = value is None or isinstance(value, int | float) if number else isinstance(value, str)
        if not fits:
            raise ValueError(f"{name} is {value!r}")
    if line.outcome not in VERIFICATIONS:
        raise ValueError(f'outcome "{line.outcome}": one of {", ".join(VERIFICATIONS)}')
    if line.reason and line.reason not in UNTESTABLE_REASONS:
        raise ValueError(f'reason "{line.reason}": one of {", ".join(UNTESTABLE_REASONS)}')
    return line


# Variants that need no words, by outcome, in one text; and those that agree, with their errors.
_NAMED = ("refused", "no_kernel")
_MEASURED = ("agrees", "forward_only")
_GROUPS = (*_NAMED, *_MEASURED, "variants")
_ERRORS = ("max_abs", "max_rel", "ulps")


def _variants(data: Any) -> dict[str, Finding]:
    """The findings that a line tells in groups."""
    found: dict[str, Finding] = {}
    for outcome in _NAMED:
        found |= {name: Finding(outcome) for name in data.get(outcome, "").split()}
    for outcome in _MEASURED:
        for name, errors in data.get(outcome, {}).items():
            largest, relative, ulps = map(float, errors or (0, 0, 0))
            found[name] = Finding(outcome, largest, relative, ulps)
    for name, fields_ in data.get("variants", {}).items():
        found[name] = Finding(**fields_)
    for name, finding in found.items():
        if name not in VARIANTS or finding.outcome not in VARIANT_OUTCOMES:
            raise ValueError(f'variant "{name}" with outcome "{finding.outcome}"')
    return {name: found[name] for name in VARIANTS if name in found}


def _grouped(variants: Mapping[str, Finding]) -> dict[str, Any]:
    """The same findings as a line has them; 0 stands for no error at all."""
    groups: dict[str, Any] = {}
    for outcome in _NAMED:
        groups[outcome] = " ".join(n for n, f in variants.items() if f.outcome == outcome)
    for outcome in _MEASURED:
        groups[outcome] = {
            name: [f.max_abs, f.max_rel, f.ulps] if f.max_abs or f.ulps else 0
            for name, f in variants.items()
            if f.outcome == outcome
        }
    groups["variants"] = {
        name: {k: v for k, v in asdict(f).items() if v not in ("", None)}
        for name, f in variants.items()
        if f.outcome not in (*_NAMED, *_MEASURED)
    }
    return groups


def read_all(directory: Path) -> dict[str, dict[tuple[str, str], Line]]:
    """The evidence of every environment, by its name."""
    return {path.stem: read(path) for path in sorted(directory.glob("*.jsonl"))}


def write(path: Path, lines: Iterable[Line]) -> None:
    """Replace the file with these outcomes, sorted; nothing half-written is ever seen."""
    text = "".join(
        json.dumps(
            {k: v for k, v in (asdict(line) | _grouped(line.variants)).items() if _says(v)},
            ensure_ascii=False,
        )
        + "\n"
        for line in sorted(lines, key=lambda li: (li.record, li.check))
    )
    atomic.write(path, text)


def _says(value: Any) -> bool:
    return value is not None and value not in ("", {})


def merge(path: Path, lines: Iterable[Line], owned: Mapping[str, Collection[str]]) -> None:
    """Put new outcomes into a file; those of checks that an owner no longer has are dropped.

    Args:
        path: the evidence file of an environment; made if missing.
        lines: what came out.
        owned: record or guide to the ids of the checks that it has now.
    """
    kept = read(path) if path.exists() else {}
    kept = {k: v for k, v in kept.items() if k[0] not in owned or k[1] in owned[k[0]]}
    write(path, (kept | {(line.record, line.check): line for line in lines}).values())


def attach(
    check: Check, owner: str, environments: Mapping[str, Mapping[tuple[str, str], Line]]
) -> Check:
    """The check with its evidence; what ran with another hash is ``stale``."""
    found: list[Evidence] = []
    for name, lines in environments.items():
        line = lines.get((owner, check.id))
        if line is None:
            continue
        found.append(
            Evidence(
                environment=name,
                outcome=line.outcome if line.hash == check.hash else "stale",
                reason=line.reason,
                message=line.message,
                max_abs=line.max_abs,
                max_rel=line.max_rel,
                ulps=line.ulps,
                gradient=line.gradient,
                torch_gave=line.torch_gave,
                mindspore_gave=line.mindspore_gave,
                variants=line.variants,
            )
        )
    return replace(check, evidence=tuple(found))


_BAD_FIRST = ("refuted", "inconclusive", "stale", "unverified")
_GOOD_WORST_FIRST = ("verified_forward_only", "verified_with_tolerance", "verified")


def _worth(found: Evidence) -> tuple[str, str]:
    """An outcome with its reason; a difference that no caveat explains refutes the record."""
    sound = found.outcome.startswith("verified")
    return ("refuted", "") if sound and found.unexplained else (found.outcome, found.reason)


def unexplained(record: Record, check: Check, found: Evidence) -> tuple[str, ...]:
    """The variants that differ silently, or that nobody knows what to make of, with no caveat."""
    caveats = [c for c in record.caveats if c.target in (None, check.target)]
    said = {name for c in caveats for name in c.variants}
    target = next((t for t in record.targets if t.key == check.target), None)
    if target is not None and target.category not in _SAFE_TO_RENAME:
        said.add("import-only")
    return tuple(
        name
        for name, finding in found.variants.items()
        if finding.outcome in ("differs", "inconclusive") and name not in said
    )


# Where a record promises that changing the name is enough.
_SAFE_TO_RENAME = ("no_params", "identical", "target_more_params")


def summarise(checks: Iterable[Check]) -> tuple[str, str]:
    """The verification of a target from its checks, and the reason where it is untestable.

    Anything refuted, inconclusive, stale or not run shows; else the weakest agreement counts;
    a documented difference lowers nothing.
    """
    outcomes = [_worth(c.evidence[-1]) if c.evidence else ("unverified", "") for c in checks]
    found = dict(outcomes)
    for outcome in (*_BAD_FIRST, *_GOOD_WORST_FIRST, "diverges_documented", "untestable"):
        if outcome in found:
            return outcome, found[outcome]
    return "unverified", ""
