"""The other ways to write the calls that a check is about."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from msmap.code.source import Change
from msmap.port import arguments as values
from msmap.port.arguments import Argument
from msmap.port.bind import Bound
from msmap.port.record_calls import Calls, receiver
from msmap.signatures.parse import POSITIONAL_ONLY, VARIADIC

_AXES = ("dim", "dims", "axis", "axes", "dim0", "dim1", "start_dim", "end_dim")

# Makes another argument list of a bound call; None where this call has no such form.
Form = Callable[[Bound], list[str] | None]


def positional(bound: Bound) -> list[str] | None:
    """Every argument by position that can be, PyTorch's defaults filling the gaps."""
    given = dict(bound.given)
    found: list[str] = []
    placed = [p for p in bound.signature.parameters if p.positional or p.kind == VARIADIC]
    waiting = [p.name for p in placed if p.name in given]
    for parameter in placed:
        if not waiting:
            break
        if parameter.name in given:
            waiting.remove(parameter.name)
            argument = given.pop(parameter.name)
            found += [item.text for item in argument.items or (argument,)]
        elif parameter.default in (None, "..."):
            return None
        else:
            found.append(str(parameter.default))
    return [*found, *(f"{name}={argument.text}" for name, argument in given.items())]


def keyword(bound: Bound) -> list[str] | None:
    """Every argument by keyword."""
    variadic = bound.signature.variadic
    if variadic is not None and variadic.name in bound.given:
        return None
    return [
        argument.text if _alone(bound, name) else f"{name}={argument.text}"
        for name, argument in bound.given.items()
    ]


def shuffled(bound: Bound) -> list[str] | None:
    """Every argument by keyword, the last first."""
    found = keyword(bound)
    if found is None:
        return None
    first = sum(_alone(bound, name) for name in bound.given)
    return [*found[:first], *reversed(found[first:])]


def _alone(bound: Bound, name: str) -> bool:
    parameter = bound.signature.get(name)
    return parameter is not None and parameter.kind == POSITIONAL_ONLY


def defaults(bound: Bound) -> list[str] | None:
    """Only what must be given."""
    needed = {p.name for p in bound.signature.parameters if p.required or p.kind == VARIADIC}
    given = {name: a for name, a in bound.given.items() if name in needed}
    return positional(replace(bound, given=given))


def with_argument(name: str, text: str) -> Form:
    """The call with an argument set, or set anew."""

    def form(bound: Bound) -> list[str] | None:
        if bound.signature.get(name) is None:
            return None
        given = {k: v for k, v in bound.given.items() if k != name}
        return [*(positional(replace(bound, given=given)) or []), f"{name}={text}"]

    return form


def with_first(text: str) -> Form:
    """The call with another first argument."""

    def form(bound: Bound) -> list[str] | None:
        first = bound.signature.parameters[0].name
        rest = {k: v for k, v in bound.given.items() if k != first}
        return [text, *(f"{k}={v.text}" for k, v in rest.items())]

    return form


def other_end(ranks: dict[str, int]) -> Form:
    """The same axes, counted from the other end; ``ranks`` are those of the inputs by name."""

    def form(bound: Bound) -> list[str] | None:
        rank = next((ranks[a.text] for a in bound.given.values() if a.text in ranks), 0)
        return _axes(bound, lambda axes: [a - rank if a >= 0 else a + rank for a in axes], rank)

    return form


def repeated(bound: Bound) -> list[str] | None:
    """The first of several axes twice."""
    return _axes(bound, lambda axes: [axes[0], *axes[:-1]] if len(axes) > 1 else axes, 1)


def _axes(bound: Bound, change: Callable[[list[int]], list[int]], rank: int) -> list[str] | None:
    if not rank:
        return None
    given = dict(bound.given)
    for name in _AXES:
        argument = given.get(name)
        found = None if argument is None else values.fold(argument.text)
        if isinstance(found, bool) or not isinstance(found, int | tuple | list):
            continue
        many = not isinstance(found, int)
        axes = list(found) if isinstance(found, tuple | list) else [found]
        if axes and all(isinstance(a, int) for a in axes):
            new = change(axes)
            text = str(tuple(new) if many else new[0])
            items = tuple(values.argument(str(a)) for a in new)
            variadic = argument is not None and argument.items is not None
            given[name] = Argument(text, None, "position", items if variadic else None)
    changed = {k for k in given if given[k].text != bound.given[k].text}
    return positional(replace(bound, given=given)) if changed else None


def shape(calls: Calls) -> tuple[object, ...]:
    """Which overloads the code calls, and with which arguments."""
    return tuple(
        None if bound is None else (bound.signature.text, frozenset(bound.given))
        for _, bound in calls.found
    )


def rewritten(calls: Calls, form: Form) -> str | None:
    """The code with every call of the record's API in another form; None if there is none."""
    changes: list[Change] = []
    place = 0
    for node, bound in calls.found:
        begin, end = calls.source.span(node)
        text = None if bound is None else _call(node, bound, calls, form)
        # A call in a call has no forms: each would be of other text.
        if text is None or begin < place:
            return None
        changes.append((begin, end, text))
        place = end
    return calls.source.replaced(calls.source.tree, changes) if changes else None


def renamed(calls: Calls, name: str) -> str | None:
    """The code with the record's API called by another name; None if it isn't called."""
    changes = sorted((*calls.source.span(node.func), name) for node, _ in calls.found)
    return calls.source.replaced(calls.source.tree, changes) if changes else None


def is_same_call(one: str, other: str) -> bool:
    """Whether code is the same but for the order of keywords, which no callee sees."""
    return one == other or _ordered(one) == _ordered(other)


def _ordered(code: str) -> str:
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not any(map(_may_act, node.keywords)):
            node.keywords.sort(key=lambda keyword: str(keyword.arg))
    return ast.dump(tree)


def _may_act(keyword: ast.keyword) -> bool:
    """Whether it may matter when an argument is computed, as of random numbers."""
    return keyword.arg is None or any(isinstance(n, ast.Call) for n in ast.walk(keyword))


def _call(node: ast.Call, bound: Bound, calls: Calls, form: Form) -> str | None:
    made = form(bound)
    if made is None:
        return None
    if found := receiver(node, calls):
        # The receiver stands before the dot, whatever the form.
        made = [text for text in made if text not in (found, f"self={found}")]
    return f"{calls.source.text(node.func)}({', '.join(made)})"
