"""What changes of names and signatures from one release to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from msmap import model
from msmap.signatures import lifetimes
from msmap.signatures.parse import VARIADIC, VARIADIC_KEYWORDS, Parameter, parse


@dataclass(frozen=True, slots=True)
class Pair:
    """What was, and what is instead."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What of a record only one of the releases has, by key or id."""

    lost: tuple[str, ...]
    gained: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameDrift:
    """A name that appeared, vanished or was deprecated; ``curated`` if a record maps to it."""

    name: str
    curated: bool
    text: str


@dataclass(frozen=True, slots=True)
class SignatureDrift:
    """How a signature changed; ``part`` is signatures, or call for what a layer is called with.

    Parameters are told apart where one overload became one other; else overloads are listed.
    """

    name: str
    curated: bool
    part: str
    came: tuple[str, ...]
    went: tuple[str, ...]
    moved: tuple[str, ...]
    defaults: dict[str, Pair]
    overloads: Difference


def names(
    apis: Mapping[str, model.Api], wanted: Iterable[str], curated: set[str]
) -> tuple[NameDrift, ...]:
    """Names that appeared, vanished or were deprecated, those first that records map to."""
    found = [NameDrift(name, name in curated, apis[name].deprecated) for name in wanted]
    return tuple(sorted(found, key=lambda n: (not n.curated, n.name)))


def signatures(
    before: Mapping[str, model.Api], after: Mapping[str, model.Api], curated: set[str]
) -> tuple[SignatureDrift, ...]:
    """The signatures that changed between two releases, those first that records map to."""
    found = []
    for name in before.keys() & after.keys():
        for part in ("signatures", "call"):
            old, new = getattr(before[name], part), getattr(after[name], part)
            if old != new and lifetimes.differ(old, new):
                found.append(signature(name, name in curated, part, old, new))
    return tuple(sorted(found, key=lambda s: (not s.curated, s.name, s.part)))


def signature(
    name: str, curated: bool, part: str, before: Sequence[str], after: Sequence[str]
) -> SignatureDrift:
    """How a signature changed, from its overloads."""
    known, now = lifetimes.shapes(before), lifetimes.shapes(after)
    old = [text for text in before if not lifetimes.shapes([text]) <= now]
    new = [text for text in after if not lifetimes.shapes([text]) <= known]
    if len(old) != 1 or len(new) != 1:
        overloads = Difference(tuple(old), tuple(new))
        return SignatureDrift(name, curated, part, (), (), (), {}, overloads)
    one, other = _parameters(old[0]), _parameters(new[0])
    common = [key for key in one if key in other]
    return SignatureDrift(
        name, curated, part,
        came=tuple(_written(key, *other[key]) for key in other if key not in one),
        went=tuple(_written(key, *one[key]) for key in one if key not in other),
        moved=tuple(key for key in common if _place(*one[key]) != _place(*other[key])),
        defaults={
            key: Pair(one[key][0].default or "", other[key][0].default or "")
            for key in common
            if one[key][0].default != other[key][0].default
        },
        overloads=Difference((), ()),
    )  # fmt: skip


def _parameters(text: str) -> dict[str, tuple[Parameter, int]]:
    """The parameters of a signature as they are written, with their places from 0."""
    stars = {VARIADIC: "*", VARIADIC_KEYWORDS: "**"}
    return {
        f"{stars.get(p.kind, '')}{p.name}": (p, place)
        for place, p in enumerate(parse(text).parameters)
    }


def _written(key: str, parameter: Parameter, _: int) -> str:
    return key if parameter.default is None else f"{key}={parameter.default}"


def _place(parameter: Parameter, place: int) -> tuple[str, int]:
    """How a parameter can be given, and where if it can be given by position."""
    return parameter.kind, place if parameter.positional else -1
