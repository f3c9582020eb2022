"""Answers for a device: the targets in the order that is best there, and what bites there."""

from __future__ import annotations

from dataclasses import replace

from msmap.candidates import Candidate, Probe
from msmap.errors import UnknownDevice
from msmap.evidence import verification
from msmap.model import Caveat, Record, Target
from msmap.vocabulary import OUTCOMES, PLATFORMS, RELATIONS

_OWN = "mindspore.mint."


def parse(text: str) -> str:
    """The device that a text means in any case, as documentation spells it: Ascend, GPU or CPU.

    Raises:
        UnknownDevice: it means none.
    """
    for platform in PLATFORMS:
        if text.strip().lower() == platform.lower():
            return platform
    known = ", ".join(platform.lower() for platform in PLATFORMS)
    raise UnknownDevice('device "{}": one of {}', text, known)


def record(found: Record, device: str) -> Record:
    """The record for a device: its best target there first, and what holds and bites there.

    First come targets that the documentation lists the device for, or that ran there, with
    those for some calls alone of which it says nothing, such as compositions where a device is
    dropped; then those of which nothing is known, such as compositions; last those documented for
    other devices only, or that failed there. On Ascend, of the first kind, ``mindspore.mint`` with
    PyTorch's own signature is best. Caveats that hold there come first, those of other targets
    after those of the best. All else stays in the record's order.
    """
    targets = tuple(sorted(found.targets, key=lambda target: _rank(found, target, device)))
    here, elsewhere = caveats(found, device)
    if not targets:
        return replace(found, caveats=(*here, *elsewhere))
    best = targets[0]
    # What is told of another target doesn't bite who takes the best one.
    here = tuple(sorted(here, key=lambda caveat: caveat.target not in (None, best.key)))
    return replace(
        found,
        targets=targets,
        category=best.category,
        verification=best.verification,
        caveats=(*here, *elsewhere),
    )


def caveats(found: Record, device: str) -> tuple[tuple[Caveat, ...], tuple[Caveat, ...]]:
    """The caveats that may hold on a device, and those that were seen on others alone."""
    here = tuple(c for c in found.caveats if not c.device or device in c.device)
    return here, tuple(c for c in found.caveats if c not in here)


def probe(found: Probe, device: str) -> Probe:
    """The probe for a device: first the candidates that the documentation lists it for.

    Last come those that are documented for others alone. All else stays as it is: what ran, ran
    where the probe did.
    """

    def rank(candidate: Candidate) -> int:
        return 0 if device in candidate.runs_on else 2 if candidate.runs_on else 1

    return replace(found, candidates=tuple(sorted(found.candidates, key=rank)))


def _rank(found: Record, target: Target, device: str) -> tuple[int, bool]:
    checks = (check for check in found.checks if check.target == target.key)
    outcome, _ = verification.summarise(checks, device)
    if outcome != "unverified" and not OUTCOMES[outcome].shows and outcome != "stale":
        return 2, True
    composed = target.expression is not None
    if (target.given or target.absent) and (composed or not target.runs_on):
        # It is for some calls alone: behind one for all calls it would never be taken.
        return 0, False
    if target.remove or device in target.runs_on or device in target.ran_on:
        return 0, not (device == "Ascend" and _is_own(target))
    return (2 if target.runs_on else 1), True


def _is_own(target: Target) -> bool:
    """Whether a target is one of ``mindspore.mint`` with PyTorch's own signature.

    Its parameters are PyTorch's by name and default; one that it lacks may move those after it.
    """
    told = [p for p in target.parameters if RELATIONS[p.relation].own]
    own = {name for p in told if p.torch == p.mindspore for name in p.mindspore}
    same = all(p in told or own.issuperset(p.mindspore) for p in target.parameters)
    return (target.api or "").startswith(_OWN) and same
