"""A call with the values that it is made with, before it is written as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from msmap.signatures.files import Api
from msmap.signatures.parse import Signature, parse

Form = Literal["function", "method", "layer", "property", "index"]


class Gap(Exception):
    """Why an input can't be a sample: one of ``sample_words.GAPS``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Text:
    """An argument that is only known as source: ``net.parameters()``."""

    source: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a name with values of PyTorch's and Python's.

    The first argument of a method, property or index is what it is of. ``then`` is what a layer is
    called with; ``around`` is the source around the call, which stands at ``{}``, with
    tensors in ``inputs``.
    """

    name: str
    form: Form
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    then: tuple[tuple[Any, ...], Mapping[str, Any]] = ((), {})
    origin: str = "op"
    label: str = ""
    dtype: str = ""
    raises: bool = False
    around: str = "{}"
    inputs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """A name and its signatures; those of a method have no receiver."""

    api: Api
    signatures: tuple[Signature, ...] = field(default=())
    calls: tuple[Signature, ...] = field(default=())

    @classmethod
    def of(cls, api: Api) -> Known:
        """What the line of a name in a signature file says."""
        return cls(api, tuple(map(parse, api.signatures)), tuple(map(parse, api.call)))

    @property
    def name(self) -> str:
        """Its full name."""
        return self.api.name

    @property
    def form(self) -> Form:
        """How it is called."""
        if self.api.kind == "method" or self.is_property:
            return "property" if self.is_property else "method"
        return "layer" if self.api.kind == "class" and self.calls else "function"

    @property
    def is_property(self) -> bool:
        """Whether it is read of a tensor, not called."""
        return self.api.kind == "property"


def fitting(signatures: tuple[Signature, ...], count: int, keywords: frozenset[str]) -> Signature:
    """The first signature that takes so many positional arguments and these keywords.

    An empty signature if there is none: parameters then have no names.
    """
    for signature in signatures:
        names = [p.name for p in signature.parameters if p.positional]
        later = set(signature.names) - set(names[:count])
        if (count <= len(names) or signature.variadic) and keywords <= later:
            return signature
    return parse("()")
