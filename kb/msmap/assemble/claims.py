"""Statements of documents, joined with the checks that show what is true of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msmap import model
from msmap.assemble.base import Base
from msmap.assemble.derive import text
from msmap.curated import claims as schema


def checks(base: Base) -> dict[tuple[str, str], model.Check]:
    """Every check by its owner, a record or a guide, and its own id."""
    found = model.owned(base.records.values(), base.guides.values())
    return {(owner, check.id): check for owner, checks in found.items() for check in checks}


def owned(reference: str, base: Base) -> tuple[str, str]:
    """The owner and the id of a check that a statement names as ``OWNER#CHECK``."""
    owner, _, check = reference.partition("#")
    return (base.guides[owner].owner if owner in base.guides else owner, check)


def joined(topics: Iterable[schema.Claims], base: Base) -> tuple[model.Claim, ...]:
    """All statements, each with the outcomes of its checks; a check that is none is left out."""
    known = checks(base)
    return tuple(_claim(topic, c, base, known) for topic in topics for c in topic.claims)


def _claim(
    topic: schema.Claims,
    claim: schema.Claim,
    base: Base,
    known: Mapping[tuple[str, str], model.Check],
) -> model.Claim:
    proof = claim.tensorflow
    return model.Claim(
        topic=topic.id,
        title=model.Text(topic.title.en, topic.title.zh),
        id=claim.id,
        says=model.Text(claim.says.en, claim.says.zh),
        stands_in=tuple(model.Place(p.source, p.section) for p in claim.stands_in),
        about=tuple(claim.about),
        verdict=claim.verdict,
        until=claim.until or "",
        reason=claim.reason or "",
        now=text(claim.now),
        shown_by=tuple(_shown(claim.shown_by, base, known)),
        tensorflow=model.Proof(proof.code.strip(), proof.gives) if proof else None,
        contradicts=tuple(claim.contradicts),
    )


def _shown(
    references: Iterable[str], base: Base, known: Mapping[tuple[str, str], model.Check]
) -> Iterator[model.Shown]:
    for reference in references:
        owner, check = owned(reference, base)
        if found := known.get((owner, check)):
            yield model.Shown(owner, check, {e.environment: e.outcome for e in found.evidence})


def source(written: schema.Source) -> model.Source:
    """A document as readers get it."""
    return model.Source(
        id=written.id,
        title=model.Text(written.title.en, written.title.zh),
        language=written.language,
        mindspore=written.mindspore,
        url=written.url or "",
        sections=tuple(
            model.Part(s.id, model.Text(s.title.en, s.title.zh), tuple(s.covered_by))
            for s in written.sections
        ),
    )
