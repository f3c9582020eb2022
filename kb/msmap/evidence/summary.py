"""What all checks of a target say together: outcomes, errors, and how each variant came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from msmap import vocabulary
from msmap.evidence import verification
from msmap.model import Check, Evidence

# The ways to write one call; where all agree they are told as one.
FORMS = ("positional", "keyword", "shuffled", "defaults")


@dataclass(frozen=True, slots=True)
class Summary:
    """The evidence of a target in one environment.

    ``outcomes`` counts checks; ``variants`` maps an outcome, the worst first, to the variants that
    came out so in some check and no worse in any. ``forms`` says that every form of call agrees.
    """

    environments: tuple[str, ...]
    outcomes: dict[str, int]
    gradients: bool
    forms: bool
    variants: dict[str, tuple[str, ...]]


def of(checks: Iterable[Check]) -> Summary | None:
    """The summary of some checks by the evidence that counts; None if none has run."""
    latest = [found for check in checks if (found := verification.counting(check))]
    if not latest:
        return None
    worst = _worst(latest)
    told = {name for name in FORMS if name in worst}
    forms = bool(told) and all(worst[name] == "agrees" for name in told)
    alike: dict[str, tuple[str, ...]] = {}
    for name in vocabulary.VARIANTS:
        if name in worst and not (forms and name in FORMS):
            alike[worst[name]] = (*alike.get(worst[name], ()), name)
    return Summary(
        environments=tuple(sorted({e.environment for e in latest})),
        outcomes=dict(Counter(e.outcome for e in latest)),
        gradients=any(e.gradient == "agrees" for e in latest),
        forms=forms,
        variants={o: alike[o] for o in reversed(vocabulary.VARIANT_OUTCOMES) if o in alike},
    )


def _worst(latest: Iterable[Evidence]) -> dict[str, str]:
    order = {outcome: place for place, outcome in enumerate(vocabulary.VARIANT_OUTCOMES)}
    found: dict[str, str] = {}
    # Where checks came out alike, they share one object.
    for variants in {id(evidence.variants): evidence.variants for evidence in latest}.values():
        for name, finding in variants.items():
            before = found.get(name)
            if before is None or order[finding.outcome] > order[before]:
                found[name] = finding.outcome
    return found
