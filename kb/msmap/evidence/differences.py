"""What differs of a record's checks and their variants, and which caveat tells it."""

from __future__ import annotations

from dataclasses import dataclass

from msmap.evidence.verification import counting
from msmap.model import Check, Evidence, Finding, Record
from msmap.vocabulary import OUTCOMES

_DIFFERING = ("differs", "raises", "inconclusive")
# Of the variants with inputs of another dtype, which.
_DTYPES = {name: name for name in ("float16", "bfloat16", "float64", "int32", "int64", "bool")}
_DTYPES["overflow"] = "int32"


@dataclass(frozen=True, slots=True)
class Difference:
    """A run that came out differently on both sides, as printed.

    ``variant`` is empty for the check itself, ``dtype`` is that of its inputs, ``caveats`` tell
    it. ``untold`` is what must be told and isn't: an error need not, since it speaks for itself.
    """

    check: str
    variant: str
    dtype: str
    target: str
    outcome: str
    torch: str
    mindspore: str
    message: str
    caveats: tuple[str, ...]
    untold: bool


def of(record: Record) -> list[Difference]:
    """All that differs of a record in the environment that counts: the untold first."""
    found = []
    for check in record.checks:
        evidence = counting(check)
        if evidence is None:
            continue
        outcome = OUTCOMES[evidence.outcome]
        if evidence.outcome == "diverges_documented" or outcome.failed:
            shown = (c.id for c in record.caveats if check.id in c.shown_by)
            found.append(_made(check, "", evidence, tuple(shown), outcome.failed))
        for name, finding in evidence.variants.items():
            if finding.outcome in _DIFFERING:
                told = (
                    c.id
                    for c in record.caveats
                    if name in c.variants and c.target in (None, check.target)
                )
                untold = name in evidence.unexplained
                found.append(_made(check, name, finding, tuple(told), untold))
    return sorted(found, key=lambda d: (not d.untold, bool(d.caveats)))


def _made(
    check: Check, variant: str, run: Evidence | Finding, caveats: tuple[str, ...], untold: bool
) -> Difference:
    dtypes = (
        [_DTYPES[variant]]
        if variant in _DTYPES
        else [str(s["dtype"]) for s in check.inputs.values()]
    )
    return Difference(
        check=check.id,
        variant=variant,
        dtype=", ".join(dict.fromkeys(dtypes)),
        target=check.target,
        outcome=run.outcome,
        torch=run.torch_gave,
        mindspore=run.mindspore_gave,
        message=run.message,
        caveats=caveats,
        untold=untold,
    )
