"""The same call as people write it otherwise: by keyword, by position, axes from the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from msmap.probe.samples import kinds
from msmap.probe.samples.call import Call, Known, fitting
from msmap.signatures.parse import Signature

Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]
Form = Callable[[Signature, Arguments], Arguments | None]


def others(call: Call, known: Known) -> Iterator[Call]:
    """The call in each form that differs from its own; what a layer is called with stays."""
    if call.form in ("property", "index") or call.raises:
        return
    first = call.args[:1] if call.form == "method" else ()
    given = (call.args[len(first) :], call.kwargs)
    signature = fitting(known.signatures, len(given[0]), frozenset(given[1]))
    axes = _from_the_end(_rank(call))
    for name, form in (("keyword", _keyword), ("position", _position), ("end", axes)):
        made = form(signature, given)
        if made is not None:
            args, kwargs = made
            label = f"{call.label}-{name}"
            yield replace(call, args=(*first, *args), kwargs=kwargs, origin="pattern", label=label)


def _keyword(signature: Signature, given: Arguments) -> Arguments | None:
    """Everything by keyword, in the order of the signature."""
    args, kwargs = given
    parameters = [p for p in signature.parameters if p.positional]
    if not args or len(parameters) < len(args):
        return None
    if any(p.kind == "positional_only" for p in parameters[: len(args)]):
        return None
    named = {p.name: value for p, value in zip(parameters, args, strict=False)}
    return (), {**named, **kwargs}


def _position(signature: Signature, given: Arguments) -> Arguments | None:
    """As much by position as the signature lets be."""
    args, kwargs = list(given[0]), dict(given[1])
    for parameter in [p for p in signature.parameters if p.positional][len(args) :]:
        if parameter.name not in kwargs:
            break
        args.append(kwargs.pop(parameter.name))
    return (tuple(args), kwargs) if len(args) > len(given[0]) else None


def _from_the_end(rank: int) -> Form:
    """Axes counted from the end of a tensor of so many axes."""

    def turned(name: str, value: Any) -> Any:
        if name not in kinds.AXES:
            return value
        if isinstance(value, list | tuple):
            return type(value)(turned(name, item) for item in value)
        plain = type(value) is int and 0 <= value < rank
        return value - rank if plain else value

    def form(signature: Signature, given: Arguments) -> Arguments | None:
        names = [p.name for p in signature.parameters if p.positional]
        args, kwargs = given
        hints = [*names, *[""] * len(args)]
        made = tuple(turned(n, v) for n, v in zip(hints, args, strict=False))
        named = {k: turned(k, v) for k, v in kwargs.items()}
        return None if _same((made, named), given) else (made, named)

    return form


def _same(one: Arguments, other: Arguments) -> bool:
    pairs = [*zip(one[0], other[0], strict=True), *((one[1][k], other[1][k]) for k in one[1])]
    return all(a is b or (type(a) in (int, list, tuple) and repr(a) == repr(b)) for a, b in pairs)


def _rank(call: Call) -> int:
    """How many axes the first tensor of a call has."""
    for value in (*call.args, *call.kwargs.values()):
        inner = value[0] if isinstance(value, list | tuple) and value else value
        if hasattr(inner, "ndim"):
            return int(inner.ndim)
    return 0
