"""The calls of one API in a piece of code, and which parameters they give."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import chain, repeat

from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.infer.resolve import Facts, Resolver, is_method
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port import bind
from msmap.port.bind import Bound
from msmap.port.targets import source_signatures
from msmap.signatures.parse import parse


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of a record's API in some code, in the order of the source; None: fits nothing."""

    source: Source
    record: Record
    found: tuple[tuple[ast.Call, Bound | None], ...]
    # The calls of layers that those calls make.
    layers: tuple[ast.Call, ...] = ()


def read(code: str, record: Record, facts: Facts) -> Calls:
    """The very calls in a piece of code that the rewriter takes for the record's.

    A method that is called by its full name has the receiver among its arguments, and no other
    forms: it is left out.
    """
    source = Source(code)
    resolver = Resolver(source, facts, record.torch)
    made = [
        node
        for node in resolver.owned()
        if isinstance(node, ast.Call) and not (is_method(record) and resolver.is_named(node))
    ]
    return Calls(
        source,
        record,
        tuple((node, _bound(node, source, record)) for node in made),
        tuple(resolver.layers(made)),
    )


def receiver(node: ast.Call, calls: Calls) -> str | None:
    """What a method is called on; None if the API is none."""
    return _receiver(node, calls.source, calls.record)


def given(calls: Calls) -> dict[str, list[str]]:
    """The parameters that the calls give, with the arguments as written.

    Of a call that fits no overload, or several, those that it names.
    """
    found: dict[str, list[str]] = {}
    for node, bound in calls.found:
        if bound is not None:
            for name, argument in bound.given.items():
                found.setdefault(name, []).append(argument.text)
            continue
        for keyword in node.keywords:
            if keyword.arg is not None:
                found.setdefault(keyword.arg, []).append(calls.source.text(keyword.value))
    return found


def inputs(calls: Calls) -> dict[str, list[str]]:
    """The same of the calls of layers that the code makes: at once, or by the name they get."""
    forward = [parse(text) for text in calls.record.call]
    found: dict[str, list[str]] = {}
    for node in calls.layers:
        for signature in forward:
            placed = [p.name for p in signature.parameters if p.positional]
            rest = repeat(signature.variadic.name if signature.variadic else None)
            by_place = zip(chain(placed, rest), node.args)  # noqa: B905  (the first never ends)
            for name, argument in (*by_place, *((k.arg, k.value) for k in node.keywords)):
                if name is not None:
                    found.setdefault(name, []).append(calls.source.text(argument))
    return found


def _receiver(node: ast.Call, source: Source, record: Record) -> str | None:
    if is_method(record) and isinstance(node.func, ast.Attribute):
        return source.text(node.func.value)
    return None


def _bound(node: ast.Call, source: Source, record: Record) -> Bound | None:
    if any(k.arg is None for k in node.keywords):
        return None
    on = _receiver(node, source, record)
    arguments = [values.argument(source.text(a), "position") for a in node.args]
    try:
        return bind.bind(
            record.torch,
            source_signatures(record),
            [*([values.argument(on)] if on else []), *arguments],
            {str(k.arg): values.argument(source.text(k.value), "keyword") for k in node.keywords},
            ranked=bool(record.overloads),
        )
    except Refused:
        return None
