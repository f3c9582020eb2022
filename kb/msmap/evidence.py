"""Outcomes of checks: one file per environment, sorted, a line each, replaced whole."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from msmap import atomic, releases
from msmap.model import Check, Evidence, Record
from msmap.vocabulary import UNTESTABLE_REASONS, VERIFICATIONS


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
    gradient: str = ""
    torch_gave: str = ""
    mindspore_gave: str = ""


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
    line = Line(**data)
    for name, value in asdict(line).items():
        number = name in ("max_abs", "max_rel")
        fits = value is None or isinstance(value, int | float) if number else isinstance(value, str)
        if not fits:
            raise ValueError(f"{name} is {value!r}")
    if line.outcome not in VERIFICATIONS:
        raise ValueError(f'outcome "{line.outcome}": one of {", ".join(VERIFICATIONS)}')
    if line.reason and line.reason not in UNTESTABLE_REASONS:
        raise ValueError(f'reason "{line.reason}": one of {", ".join(UNTESTABLE_REASONS)}')
    return line


def read_all(
    directory: Path, mindspore: str | None = None
) -> dict[str, dict[tuple[str, str], Line]]:
    """The evidence of every environment, or of those with one MindSpore, newest release last."""
    return {
        name: read(directory / f"{name}.jsonl")
        for name in releases.environments(path.stem for path in directory.glob("*.jsonl"))
        if mindspore is None or releases.of_environment(name) in ("", mindspore)
    }


def write(path: Path, lines: Iterable[Line]) -> None:
    """Replace the file with these outcomes, sorted; nothing half-written is ever seen."""
    text = "".join(
        json.dumps(
            {k: v for k, v in asdict(line).items() if v not in ("", None)}, ensure_ascii=False
        )
        + "\n"
        for line in sorted(lines, key=lambda li: (li.record, li.check))
    )
    atomic.write(path, text)


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
                gradient=line.gradient,
                torch_gave=line.torch_gave,
                mindspore_gave=line.mindspore_gave,
            )
        )
    return replace(check, evidence=tuple(found))


_BAD_FIRST = ("refuted", "inconclusive", "stale", "unverified")
_GOOD_WORST_FIRST = ("verified_forward_only", "verified_with_tolerance", "verified")


def summarise(checks: Iterable[Check]) -> tuple[str, str]:
    """The verification of a target from its checks, and the reason where it is untestable.

    Anything refuted, inconclusive, stale or not run shows; else the weakest agreement counts;
    a documented difference lowers nothing.
    """
    outcomes = [
        (c.evidence[-1].outcome, c.evidence[-1].reason) if c.evidence else ("unverified", "")
        for c in checks
    ]
    found = dict(outcomes)
    for outcome in (*_BAD_FIRST, *_GOOD_WORST_FIRST, "diverges_documented", "untestable"):
        if outcome in found:
            return outcome, found[outcome]
    return "unverified", ""


def judged(record: Record) -> Record:
    """The record as far verified as the evidence of its checks says."""
    targets = []
    for target in record.targets:
        outcome, reason = summarise(c for c in record.checks if c.target == target.key)
        # No docstring says where a composition runs: that it ran here is what is known.
        seen = ("CPU",) if outcome.startswith("verified") else ()
        runs_on = target.runs_on or seen
        targets.append(replace(target, verification=outcome, reason=reason, runs_on=runs_on))
    whole, _ = summarise(record.checks)
    verification = targets[0].verification if targets else whole
    return replace(record, targets=tuple(targets), verification=verification)
