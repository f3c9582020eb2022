"""One run of a check, or of one of its variants: what is known of it, and how to run it again."""

from __future__ import annotations

from msmap.errors import MsmapError
from msmap.evidence.verification import counting
from msmap.infer.resolve import Facts
from msmap.model import Evidence, Finding, Record, state_of
from msmap.query.names.answers import Repeat
from msmap.verify import script
from msmap.verify.plan import job, variants


def of(record: Record, place: str, facts: Facts) -> Repeat:
    """The run at a place such as ``exact`` or ``exact/float16``.

    Raises:
        MsmapError: the record has no such check, or the check no such variant.
    """
    name, _, variant = place.partition("/")
    check = next((c for c in record.checks if c.id == name), None)
    if check is None:
        names = ", ".join(c.id for c in record.checks)
        raise MsmapError("{} has no check `{}`; it has {}", record.torch, name, names or "none")
    made = job.make(record.torch, check, state_of(record.targets, check.target))
    evidence = counting(check)
    finding: Evidence | Finding | None = evidence
    if variant:
        seen = evidence.variants if evidence else {}
        finding = seen.get(variant)
        known = {v.name: v for v in variants.of(record, facts).get(name, [])}
        if variant in known:
            made = made.variant(variants.plain(known[variant]))
        elif variant not in seen:
            names = ", ".join({**known, **seen}) or "none"
            raise MsmapError("`{}` has no variant `{}`; it has {}", name, variant, names)
    said = script.script(made, variant)
    return Repeat(record.torch, name, variant, finding, said)
