"""The models of documents and of what they state, as people write them under data/."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from msmap import vocabulary
from msmap.curated.schema import Bilingual, Model, Slug, Text
from msmap.messages import Message


class Part(Model):
    """A section of a document, and what covers its topic here."""

    id: Slug
    title: Bilingual
    covered_by: Annotated[
        list[str], Field(min_length=1, description="Guides by id, records by their PyTorch name")
    ]


class Source(Model):
    """A document that statements were taken from."""

    id: Slug
    title: Bilingual
    language: vocabulary.Language
    mindspore: Annotated[str, Field(description="The MindSpore release that it was written for")]
    url: Annotated[str | None, StringConstraints(pattern=r"^https://\S+$")] = None
    sections: Annotated[list[Part], Field(min_length=1)]


class Place(Model):
    """Where a statement stands."""

    source: Slug
    section: Slug


class Proof(Model):
    """Lines that run on a framework beside the two, and what they print."""

    code: Text
    gives: Text


class Claim(Model):
    """A statement of a document, in our words, and what running it shows."""

    id: Slug
    says: Bilingual
    stands_in: Annotated[list[Place], Field(min_length=1)]
    about: Annotated[list[str], Field(description="Names of either framework, in full")] = []
    verdict: vocabulary.Verdict
    until: Annotated[
        str | None,
        Field(
            description="held_until: the first release of MindSpore in which it was no longer "
            "true, or PyTorch and the release"
        ),
    ] = None
    reason: Annotated[vocabulary.UntestedReason | None, Field(description="not_testable: why")] = (
        None
    )
    now: Annotated[
        Bilingual | None, Field(description="What is true; only what holds can do without")
    ] = None
    shown_by: Annotated[
        list[str],
        Field(description="Checks that fail when the verdict is wrong: OWNER#CHECK, the owner "
              "a record's PyTorch name or a guide's id"),
    ] = []  # fmt: skip
    tensorflow: Annotated[
        Proof | None, Field(description="What shows the part about TensorFlow, where installed")
    ] = None
    contradicts: Annotated[
        list[str], Field(description="Statements that say otherwise: TOPIC/CLAIM")
    ] = []

    @model_validator(mode="after")
    def _verdict_is_complete(self) -> Claim:
        wanted = {
            "until": self.verdict == "held_until",
            "reason": self.verdict == "not_testable",
        }
        for name, needed in wanted.items():
            if (getattr(self, name) is not None) != needed:
                raise ValueError(
                    Message("verdict {} needs {}", self.verdict, name)
                    if needed
                    else Message("verdict {} has no {}", self.verdict, name)
                )
        if self.verdict != "holds" and self.now is None:
            raise ValueError(Message("verdict {} needs now", self.verdict))
        if self.verdict == "not_testable" and self.shown_by:
            raise ValueError(Message("what is not testable has no shown_by"))
        if self.verdict in ("holds", "refuted") and not (self.shown_by or self.tensorflow):
            raise ValueError(Message("verdict {} needs shown_by or tensorflow", self.verdict))
        return self


class Claims(Model):
    """The statements about one topic."""

    id: Slug
    title: Bilingual
    claims: Annotated[list[Claim], Field(min_length=1)]
