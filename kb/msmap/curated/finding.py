"""The models of what helps to find things: words that mean the same, and errors explained."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, field_validator

from msmap.curated.schema import Bilingual, Model, Slug, Text
from msmap.messages import Message


class Synonyms(Model):
    """Groups of words or short phrases, in either language, of which one finds what has another."""

    id: Slug
    groups: Annotated[
        list[Annotated[list[Text], Field(min_length=2)]],
        Field(min_length=1, description="What is asked for by any of a group is looked for by all"),
    ]


class Mistake(Model):
    """An error of MindSpore that people who port code meet: its cause, and what to write.

    What a name of PyTorch becomes stands in records, and no mistake has to repeat it.
    """

    id: Slug
    says: Annotated[
        list[Text],
        Field(
            min_length=1,
            description="Regular expressions, one of which finds the error, its type in front",
        ),
    ]
    cause: Bilingual
    instead: Annotated[Text | None, Field(description="What to write, as code")] = None
    see: Annotated[
        list[str], Field(min_length=1, description="Guides by id, records by their PyTorch name")
    ]
    provoked_by: Annotated[Text, Field(description="Code that ends in the error")]

    @field_validator("says")
    @classmethod
    def _can_be_compiled(cls, patterns: list[str]) -> list[str]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(
                    Message("{!r} is no regular expression: {}", pattern, error)
                ) from None
        return patterns
