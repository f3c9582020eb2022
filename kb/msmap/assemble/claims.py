"""Statements of documents, joined with the checks that show what is true of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msmap import claimed, model
from msmap.assemble.base import Base
from msmap.assemble.derive import text
from msmap.curated import claims as schema


def checks(base: Base) -> dict[tuple[str, str], model.Check]:
    """Every check by its owner, a record or a guide, and its own id."""
    found = model.owned(base.records.values(), base.guides.values())
    return {(owner, check.id): check for owner, checks in found.items() for check in checks}


def named(reference: str, base: Base) -> tuple[str, model.Check | None]:
    """The owner and the check that a statement names as ``OWNER#CHECK``; None if there is none."""
    name, _, wanted = reference.partition("#")
    found: list[model.Check] = []
    if name in base.guides:
        name = model.guide_owner(name)
        for section in base.guides[reference.partition("#")[0]].sections:
            found += section.checks
    elif name in base.records:
        found += base.records[name].checks
    return name, next((check for check in reversed(found) if check.id == wanted), None)


def joined(topics: Iterable[schema.Claims], base: Base) -> tuple[claimed.Claim, ...]:
    """All statements, each with the outcomes of its checks; a check that is none is left out."""
    return tuple(_claim(topic, c, base) for topic in topics for c in topic.claims)


def _claim(topic: schema.Claims, claim: schema.Claim, base: Base) -> claimed.Claim:
    proof = claim.tensorflow
    return claimed.Claim(
        topic=topic.id,
        title=model.Text(topic.title.en, topic.title.zh),
        id=claim.id,
        says=model.Text(claim.says.en, claim.says.zh),
        stands_in=tuple(claimed.Place(p.source, p.section) for p in claim.stands_in),
        about=tuple(claim.about),
        verdict=claim.verdict,
        until=claim.until or "",
        reason=claim.reason or "",
        now=text(claim.now),
        shown_by=tuple(_shown(claim.shown_by, base)),
        tensorflow=claimed.Proof(proof.code.strip(), proof.gives) if proof else None,
        contradicts=tuple(claim.contradicts),
    )


def _shown(references: Iterable[str], base: Base) -> Iterator[claimed.Shown]:
    for reference in references:
        owner, check = named(reference, base)
        if check is not None:
            outcomes = {e.environment: e.outcome for e in check.evidence}
            yield claimed.Shown(owner, check.id, outcomes)


def source(written: schema.Source) -> claimed.Source:
    """A document as readers get it."""
    return claimed.Source(
        id=written.id,
        title=model.Text(written.title.en, written.title.zh),
        language=written.language,
        mindspore=written.mindspore,
        url=written.url or "",
        sections=tuple(
            claimed.Part(s.id, model.Text(s.title.en, s.title.zh), tuple(s.covered_by))
            for s in written.sections
        ),
    )
