"""How far a record is verified, by what came out of its checks and their variants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msmap.evidence import names
from msmap.model import Check, Evidence, Record
from msmap.releases import order
from msmap.vocabulary import OUTCOMES, PLATFORMS


def _worth(found: Evidence) -> tuple[str, str]:
    """An outcome with its reason; a difference that no caveat explains refutes the record."""
    sound = OUTCOMES[found.outcome].agrees
    return ("refuted", "") if sound and found.unexplained else (found.outcome, found.reason)


def _explained(record: Record, check: Check) -> Check:
    """A check whose evidence says which of its variants no caveat explains."""
    # Copies cost time, and nearly always nothing is left to explain.
    if all(e.unexplained == _unexplained(record, check, e) for e in check.evidence):
        return check
    found = (replace(e, unexplained=_unexplained(record, check, e)) for e in check.evidence)
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


def counting(check: Check, device: str = "") -> Evidence | None:
    """The evidence that counts for what is said of a check; None if there is none.

    That of CPU, where every check is run, else of another device; with a ``device`` of that alone.
    Of several machines the newest PyTorch counts, and what came out worst: it has to hold on all.
    """
    found = [e for e in check.evidence if not device or platform(e) == device]
    if len(found) == 1:
        return found[0]
    return min(found, key=_precedence, default=None)


def platform(found: Evidence) -> str:
    """The device that evidence is of, as documentation spells it; CPU if its name has none."""
    return _platform(found.environment)


def _platform(environment: str) -> str:
    return names.parse(environment).platform or "CPU"


def _precedence(found: Evidence) -> tuple[object, ...]:
    on = names.parse(found.environment)
    newest = [(-digits, -number, text) for digits, number, text in order(on.torch)]
    device = PLATFORMS[::-1].index(platform(found))
    return device, newest, OUTCOMES[_worth(found)[0]].worth, found.environment


def summarise(checks: Iterable[Check], device: str = "") -> tuple[str, str]:
    """The verification of a target from its checks, and the reason where it is untestable.

    Anything refuted, inconclusive, stale or not run shows, and any variant that differs with no
    caveat to say so; else the weakest agreement counts; a documented difference lowers nothing.
    With a ``device``, what was run there alone counts.
    """
    counted = [counting(check, device) for check in checks]
    return _summary([e for e in counted if e] if device else counted)


def _summary(counted: Iterable[Evidence | None]) -> tuple[str, str]:
    """The same from what counts of each check; None is a check that has not run."""
    found = dict(_worth(e) if e else ("unverified", "") for e in counted)
    if len(found) == 1:
        return next(iter(found.items()))
    lowering = [outcome for outcome in found if OUTCOMES[outcome].lowers]
    if lowering:
        outcome = min(lowering, key=lambda name: OUTCOMES[name].worth)
    else:
        outcome = max(found, key=lambda name: OUTCOMES[name].worth, default="unverified")
    return outcome, found.get(outcome, "")


def judged(record: Record, ran: Iterable[Check] | None = None) -> Record:
    """The record as far verified as the evidence of its checks says, and where its targets ran.

    ``ran`` are its checks with the evidence that is to say so, if it isn't what they have.
    """
    checks = tuple(_explained(record, c) for c in (record.checks if ran is None else ran))
    counted = [(check, counting(check)) for check in checks]
    seen = {_platform(name) for name in {e.environment for c in checks for e in c.evidence}}
    devices = [device for device in PLATFORMS if device in seen]
    targets = []
    for target in record.targets:
        mine = [(check, found) for check, found in counted if check.target == target.key]
        outcome, reason = _summary(found for _, found in mine)
        ran_on = []
        for device in devices:
            # Nearly always all ran on one device: what counts there is what counts.
            there = [e if len(devices) == 1 else counting(check, device) for check, e in mine]
            if OUTCOMES[_summary(e for e in there if e)[0]].agrees:
                ran_on.append(device)
        targets.append(replace(target, verification=outcome, reason=reason, ran_on=tuple(ran_on)))
    whole, _ = _summary(found for _, found in counted)
    verification = targets[0].verification if targets else whole
    return replace(record, checks=checks, targets=tuple(targets), verification=verification)
