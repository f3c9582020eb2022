"""Functions of a source: what their parameters are, and what they give."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msmap.infer import annotations as hints
from msmap.infer import infinities
from msmap.infer.environment import Scope
from msmap.infer.values import datasets
from msmap.infer.values.lattice import (
    BASES,
    CONTAINER,
    NONE,
    PLAIN,
    TENSOR,
    UNKNOWN,
    Class,
    Entry,
    Function,
    Instance,
    Items,
    Object,
    Value,
    is_tensor,
    joined,
    optional,
    owner_kind,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

# More functions that call each other are not followed.
DEEP = 12


def result(reading: Reading, made: Function) -> Value:
    """What a function of the source gives: what all that it returns agrees on."""
    node = made.node
    if made.running or reading.depth >= DEEP or isinstance(node, ast.AsyncFunctionDef):
        return UNKNOWN
    if made.kind == "decorated":
        return UNKNOWN
    if made.result is None:
        returned = getattr(node, "returns", None)
        told = UNKNOWN
        if returned is not None:
            with reading.silent(made.scope):  # type: ignore[arg-type]
                told = hints.told(reading, returned)
        if told is not UNKNOWN and told is not NONE and not (reading.boundless and is_tensor(told)):
            made.result = told
        else:
            reading.quiet += 1
            made.result = read(reading, made)
            reading.quiet -= 1
            if told is not UNKNOWN and told is not NONE:
                made.result = made.result if infinities.holds(made.result) else told
    return made.result


def read(reading: Reading, made: Function, given: Mapping[str, Value] | None = None) -> Value:
    """Read the body of a function, and what it gives.

    What it uses counts unless this only asks for its result. ``given`` is what is passed to the
    parameters that nothing annotates; by default what all calls are known to pass.
    """
    before = reading.scope, reading.loops, reading.statement, reading.text, reading.typed
    outer = made.scope
    assert isinstance(outer, Scope)
    reading.scope = scope = Scope("function", outer)
    reading.loops, reading.text, reading.typed = [], None, False
    reading.depth += 1
    running = made.running
    made.running, made.done = True, made.done or not reading.quiet
    if given is None:
        given = made.passed if made.settled else None
    _parameters(reading, made, given or {})
    node = made.node
    if isinstance(node, ast.Lambda):
        reading.statement = made.statement
        scope.returns.append(reading.value(node.body))
    elif not reading.block(node.body):
        scope.returns.append(NONE)
    if not reading.quiet:
        reading.leave(scope, made)
    found = joined(scope.returns)
    if scope.yielded is not None:
        found = Items(None, joined(scope.yielded))
    made.running = running
    reading.depth -= 1
    reading.scope, reading.loops, reading.statement, reading.text, reading.typed = before
    return found


def _parameters(reading: Reading, made: Function, given: Mapping[str, Value]) -> None:
    spec = made.node.args
    placed = [*spec.posonlyargs, *spec.args]
    bind = reading.scope.bind
    entry = made.entry
    if placed and entry is not None and made.kind != "static":
        is_class = made.kind == "class" or getattr(made.node, "name", "") == "__new__"
        bind(placed[0].arg, Class(entry) if is_class else Object(entry))
        placed = placed[1:]
    if placed or spec.kwonlyargs:
        forward = (
            entry is not None
            and getattr(made.node, "name", "") == "forward"
            and owner_kind(entry.torch_base) == "module"
        )
        defaults: dict[ast.arg, ast.expr | None] = {}
        if spec.defaults:
            defaults = dict(zip(reversed(placed), reversed(spec.defaults), strict=False))
        if spec.kwonlyargs:
            defaults |= dict(zip(spec.kwonlyargs, spec.kw_defaults, strict=True))
        reading.scope.getter = bool(placed) and _is_of_dataset(entry, made)
        for one in (*placed, *spec.kwonlyargs):
            known = given.get(one.arg, UNKNOWN)
            if one.annotation is not None or (forward and known is UNKNOWN):
                told = _parameter(reading, one, defaults.get(one), forward)
                known = known if _is_narrower(known, told) else told
            elif reading.scope.getter and one is placed[0]:
                known = PLAIN
            bind(one.arg, known)
            if reading.follows and not reading.quiet:
                reading.values[one] = known
            if known.__class__ is Instance:
                reading.scope.held[one.arg] = "shared"
    if spec.vararg is not None:
        each = _parameter(reading, spec.vararg, None, False)
        bind(spec.vararg.arg, Items(None, each))
    if spec.kwarg is not None:
        bind(spec.kwarg.arg, CONTAINER)


def _is_of_dataset(entry: Entry | None, made: Function) -> bool:
    of = "" if entry is None else entry.torch_base
    return of == datasets.DATASET and datasets.takes_one(made.node)


def _is_narrower(given: Value, told: Value) -> bool:
    """Whether what is passed says more of a module than an annotation."""
    if given is UNKNOWN:
        return False
    if infinities.holds(given) and is_tensor(told):
        return True
    if not isinstance(told, Instance) or told.name != BASES["module"]:
        return False
    if isinstance(given, Object):
        return owner_kind(given.entry.torch_base) == "module"
    return isinstance(given, Instance) and given.owner == "module"


def _parameter(reading: Reading, one: ast.arg, default: ast.expr | None, forward: bool) -> Value:
    none = isinstance(default, ast.Constant) and default.value is None
    if one.annotation is not None:
        with reading.silent(reading.scope):
            found = hints.told(reading, one.annotation)
        return optional(found) if none else found
    if not forward:
        return UNKNOWN
    if default is not None and not none:
        return UNKNOWN
    return optional(TENSOR) if none else TENSOR
