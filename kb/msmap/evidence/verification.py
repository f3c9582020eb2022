"""How far a record is verified, by what came out of its checks and their variants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msmap.model import Check, Evidence, Record
from msmap.vocabulary import OUTCOMES


def _worth(found: Evidence) -> tuple[str, str]:
    """An outcome with its reason; a difference that no caveat explains refutes the record."""
    sound = OUTCOMES[found.outcome].agrees
    return ("refuted", "") if sound and found.unexplained else (found.outcome, found.reason)


def _explained(record: Record, check: Check) -> Check:
    """A check whose evidence says which of its variants no caveat explains."""
    told = [_unexplained(record, check, evidence) for evidence in check.evidence]
    # Copies cost time, and nearly always nothing is left to explain.
    if all(e.unexplained == names for e, names in zip(check.evidence, told, strict=True)):
        return check
    found = (replace(e, unexplained=n) for e, n in zip(check.evidence, told, strict=True))
    return replace(check, evidence=tuple(found))


def _unexplained(record: Record, check: Check, found: Evidence) -> tuple[str, ...]:
    """The variants that differ silently, or that nobody knows what to make of, with no caveat."""
    differing = [n for n, f in found.variants.items() if f.outcome in ("differs", "inconclusive")]
    if not differing:
        return ()
    caveats = [c for c in record.caveats if c.target in (None, check.target)]
    said = {name for c in caveats for name in c.variants}
    target = next((t for t in record.targets if t.key == check.target), None)
    if target is not None and target.category not in _SAFE_TO_RENAME:
        said.add("import-only")
    return tuple(name for name in differing if name not in said)


# Where a record promises that changing the name is enough.
_SAFE_TO_RENAME = ("no_params", "identical", "target_more_params")


def summarise(checks: Iterable[Check]) -> tuple[str, str]:
    """The verification of a target from its checks, and the reason where it is untestable.

    Anything refuted, inconclusive, stale or not run shows, and any variant that differs with no
    caveat to say so; else the weakest agreement counts;
    a documented difference lowers nothing.
    """
    outcomes = [_worth(c.evidence[-1]) if c.evidence else ("unverified", "") for c in checks]
    found = dict(outcomes)
    lowering = [outcome for outcome in found if OUTCOMES[outcome].lowers]
    if lowering:
        outcome = min(lowering, key=lambda name: OUTCOMES[name].worth)
    else:
        outcome = max(found, key=lambda name: OUTCOMES[name].worth, default="unverified")
    return outcome, found.get(outcome, "")


def judged(record: Record) -> Record:
    """The record as far verified as the evidence of its checks says."""
    record = replace(record, checks=tuple(_explained(record, c) for c in record.checks))
    targets = []
    for target in record.targets:
        outcome, reason = summarise(c for c in record.checks if c.target == target.key)
        # No docstring says where a composition runs: that it ran here is what is known.
        seen = ("CPU",) if OUTCOMES[outcome].agrees else ()
        runs_on = target.runs_on or seen
        targets.append(replace(target, verification=outcome, reason=reason, runs_on=runs_on))
    whole, _ = summarise(record.checks)
    verification = targets[0].verification if targets else whole
    return replace(record, targets=tuple(targets), verification=verification)
