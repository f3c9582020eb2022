"""Rules about statements, and about the documents that they stand in."""

from __future__ import annotations

from msmap.assemble.claims import named
from msmap.curated.claims import Claims, Source
from msmap.evidence.verification import counting
from msmap.lint import mend
from msmap.lint.rule import Found, Topic, rule
from msmap.messages import Message
from msmap.vocabulary import OUTCOMES


@rule("claims")
def claim_is_shown(topic: Topic[Claims]) -> Found:
    """The checks that show a verdict exist, and came out as they should."""
    for index, claim in enumerate(topic.written.claims):
        for number, reference in enumerate(claim.shown_by):
            where = ("claims", index, "shown_by", number)
            _, check = named(reference, topic.found.base)
            if check is None:
                yield Message("no check {}: write OWNER#CHECK", reference), where
                continue
            found = counting(check)
            if found is not None and not OUTCOMES[found.outcome].shows:
                yield Message("{} is {} in {}", reference, found.outcome, found.environment), where


@rule("claims")
def claim_stands_somewhere(topic: Topic[Claims]) -> Found:
    """The documents and sections that a statement stands in exist, and the statements it denies."""
    files = topic.found.files
    places = {(s.item.id, part.id) for s in files.sources for part in s.item.sections}
    names = {f"{t.item.id}/{c.id}" for t in files.claims for c in t.item.claims}
    for index, claim in enumerate(topic.written.claims):
        for number, place in enumerate(claim.stands_in):
            if (place.source, place.section) not in places:
                where = ("claims", index, "stands_in", number)
                yield (
                    Message("no section `{}` of a document `{}`", place.section, place.source),
                    where,
                )
        for number, name in enumerate(claim.contradicts):
            if name not in names:
                yield Message("no statement `{}`", name), ("claims", index, "contradicts", number)


@rule("claims")
def claim_is_unique(topic: Topic[Claims]) -> Found:
    """No two statements of a topic share an id."""
    seen: set[str] = set()
    for index, claim in enumerate(topic.written.claims):
        if claim.id in seen:
            yield Message("statement `{}` stands twice", claim.id), ("claims", index, "id")
        seen.add(claim.id)


@rule("claims")
def claim_names_exist(topic: Topic[Claims]) -> Found:
    """The names that a statement is about exist, unless it is not true of today's releases."""
    base = topic.found.base
    for index, claim in enumerate(topic.written.claims):
        for number, name in enumerate(claim.about):
            known = name in base.torch.apis or name in base.mindspore.apis
            if not known and claim.verdict == "holds":
                yield Message("no framework has {}", name), ("claims", index, "about", number)


@rule("source")
def source_is_covered(topic: Topic[Source]) -> Found:
    """Every section of a document has statements, and a guide or a record for its topic."""
    source, found = topic.written, topic.found
    stated = {
        place.section
        for other in found.files.claims
        for claim in other.item.claims
        for place in claim.stands_in
        if place.source == source.id
    }
    for index, part in enumerate(source.sections):
        for number, name in enumerate(part.covered_by):
            if name not in found.base.guides and name not in found.base.records:
                yield (
                    Message("no guide or record {}", name),
                    ("sections", index, "covered_by", number),
                )
        if part.id not in stated:
            text = Message("no statement stands in section `{}`", part.id)
            yield text, ("sections", index, "id"), _statement(source.id, part.id)


def _statement(source: str, section: str) -> str:
    """A statement that stands in a section, for a file of them."""
    made = {
        "id": mend.slug(section, "says"),
        "says": mend.TEXTS,
        "stands_in": [{"source": source, "section": section}],
        "about": [mend.TODO],
        "verdict": "holds",
        "shown_by": [f"{mend.TODO}#{mend.TODO}"],
    }
    return mend.entries(None, ("claims",), [made], block=True)
