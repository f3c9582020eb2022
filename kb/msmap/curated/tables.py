"""The model of a published table of pairs of names, as people write it under data/."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from msmap import tabled
from msmap.curated.schema import Bilingual, Model, Slug

_Name = Annotated[str, StringConstraints(pattern=r"^([A-Za-z_][\w.]*)?$")]


class Table(Model):
    """A table that others publish: which MindSpore name stands for which PyTorch name.

    A row is the PyTorch name ("" where it says that PyTorch has none), the MindSpore name, and the
    parameters that it names. Rows stand by what the table says of them.
    """

    id: Slug
    title: Bilingual
    mindspore: Annotated[str, Field(description="The MindSpore release that it was written for")]
    url: Annotated[str | None, StringConstraints(pattern=r"^https://\S+$")] = None
    rows: Annotated[
        dict[tabled.Says, list[Annotated[list[_Name], Field(min_length=2)]]],
        Field(min_length=1),
    ]
