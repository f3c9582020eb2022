"""PyTorch code in, MindSpore code out: every call and name that the base knows, in place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence, Set

from msmap.code.deep import deeper
from msmap.code.modules import Module
from msmap.code.refusal import Refused
from msmap.code.resolve import Facts, Resolver
from msmap.code.source import Source
from msmap.code.uses import Use
from msmap.code.values import Value
from msmap.model import Port
from msmap.port import caveats, earlier_runs
from msmap.port import imports as importing
from msmap.port.rules import (
    calls,
    class_tests,
    class_values,
    devices,
    f_strings,
    float64,
    in_place,
    launcher,
    learning_rates,
    modules,
    no_grad,
    operators,
    packages,
    parameters,
    removals,
    sequential,
    star_imports,
    subclasses,
    training_mode,
    training_steps,
    values,
)
from msmap.port.session import Rewriter

# What becomes of each kind of use.
_HANDLERS: dict[str, Callable[[Rewriter, Use], None]] = {
    "name": values.name,
    "call": calls.call,
    "method": calls.call,
    "possible": calls.call,
    "perhaps": learning_rates.perhaps,
    "read": calls.read,
    "operator": operators.operator,
    "result": calls.result,
    "device": values.device,
    "set": values.set,
    "value": values.value,
    "field": modules.field,
    "unclear": parameters.field,
    "setting": modules.setting,
    "buffer": modules.buffer,
    "member": modules.member,
    "own": modules.own,
    "layer": modules.layer,
    "class": modules.class_definition,
    "super": subclasses.constructor,
    "made": subclasses.made,
    "heir": subclasses.value,
    "above": subclasses.computed,
    "torn": modules.torn,
    "base": modules.unknown_base,
    "child": sequential.child,
    "kept": sequential.kept,
    "joined": sequential.joined,
}

# What is written with more parentheses may be nested too deeply: the parser takes 200 levels.
_NESTED = 50

# What begins with what it is a part of.
_PARTS = (ast.Attribute, ast.Subscript)


def rewrite(
    source: str,
    facts: Facts,
    target: str | None = None,
    own: str | None = None,
    known: Mapping[str, Value] | None = None,
    place: Module | None = None,
    imports: bool = True,
) -> Port:
    """Port a PyTorch expression or a few lines, keeping everything else as written.

    Args:
        source: Python source.
        facts: the base.
        target: key of the target to use, instead of the best: for the one call of ``own``, else
            for the outermost call.
        own: the record whose check the source is: names that nothing binds are its inputs, and a
            bare method means it, where it may be several.
        known: what names stand for that the source doesn't bind.
        place: the same source as a file of a tree, for what it imports of other files.
        imports: whether imports are written too, and with them short names; not in a part of a
            file.

    Raises:
        SyntaxError: the source isn't Python.
        RecursionError: it, or what it would become, is too deep for Python's parser.
    """
    work = rewriter(source, facts, target, own, known, place)
    if imports and own is None:
        importing.port(work)
    return work.port()


def rewriter(
    source: str,
    facts: Facts,
    target: str | None = None,
    own: str | None = None,
    known: Mapping[str, Value] | None = None,
    place: Module | None = None,
) -> Rewriter:
    """The same with what became of each use; it has run."""
    text = Source(source) if place is None else place.source

    def done() -> Rewriter:
        return _rewritten(source, Resolver(text, facts, own, known, place), target)

    try:
        work = done()
        if not any(text.count("(") > _NESTED for _, _, text in work.changes.all()):
            return work
    except RecursionError:
        with deeper():
            work = done()
    try:
        Source(work.port().code or "")
    except SyntaxError as error:  # too many nested parentheses
        raise RecursionError(str(error)) from None
    return work


def _rewritten(source: str, resolver: Resolver, target: str | None) -> Rewriter:
    text = resolver.source
    pinned: dict[ast.AST, str] = {}
    if target is not None and text.tree.body:
        owned = resolver.owned()
        chosen = owned[0] if len(owned) == 1 else _outermost(text.tree.body[-1])
        pinned = {} if chosen is None else {chosen: target}
    work = Rewriter(source, resolver, pinned)
    _run(work)
    return work


def _run(work: Rewriter) -> None:
    """Make all changes, the inner ones first, and remember what is refused."""
    learning_rates.port(work)
    star_imports.port(work)
    float64.port(work)
    uses = sorted(work.uses.values(), key=lambda use: work.source.order(use.node))
    launcher.port(work)
    modes = training_mode.find(work)
    late = _late(work, uses)
    for use in late:
        _handle(work, use, modes)
    done = {use.node for use in late}
    # What is refused there stands behind all that follows.
    refused, work.refused[:] = work.refused[:], []
    every: list[tuple[ast.AST, Use | None]] = [(use.node, use) for use in uses]
    every += [(node, None) for node in modes if node not in work.uses]
    for node, one in sorted(every, key=lambda found: work.source.order(found[0])):
        if one is None:
            training_mode.put(work, node)
        elif node not in done:
            _handle(work, one, modes)
    work.refused += refused
    training_mode.tell(work)
    modules.uncalled(work)
    sequential.port(work)
    f_strings.formats(work)
    class_tests.names(work)
    training_steps.port(work)
    removals.again(work)
    no_grad.port(work)
    devices.port(work)
    launcher.tell(work)
    class_values.port(work)
    packages.port(work)
    in_place.port(work)


def _late(work: Rewriter, uses: Sequence[Use]) -> list[Use]:
    """The uses that make layers or loaders which were called, or asked for parts, further up."""
    order = work.source.order
    makers = ((getattr(use.receiver, "maker", None), use.node) for use in uses)
    late = {m for m, node in makers if m is not None and m in work.uses and order(m) > order(node)}
    if any(use.how == "setting" and modules.LOADER in use.names for use in uses):
        late.update(use.node for use in uses if use.how == "call" and modules.LOADER in use.names)
    spans = [work.source.span(maker) for maker in late]
    return [use for use in uses if spans and _is_in(work.source.span(use.node), spans)]


def _is_in(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(begin <= span[0] and span[1] <= end for begin, end in others)


def _handle(work: Rewriter, use: Use, modes: Set[ast.AST] = frozenset()) -> None:
    """Write a use; a module that it makes is put in training mode if it is one of ``modes``."""
    if use.node in work.unproved:
        return
    before = len(work.notes)
    try:
        _check(work, use)
        if use.how == "text":
            f_strings.ported(work, use, lambda inner: _handle(work, inner))
        else:
            _HANDLERS[use.how](work, use)
            if use.node in modes:
                training_mode.put(work, use.node)
    except Refused as refused:
        work.refuse(use.node, refused)
        work.doubts.pop(use.node, None)
    for doubt in dict.fromkeys(work.doubts.pop(use.node, ())):
        work.warn(use.node, doubt)
    if len(work.notes) > before:
        work.said[use.node] = work.notes[before:]
    if use.node in work.lacking and use.node in work.written:
        work.warn(use.node, work.lacking[use.node])
    record, bites = work.bites.get(use.node, (None, ()))
    if record is not None:
        for bite in bites:
            if bite.differs:
                work.warn(use.node, caveats.said(record, bite))


def _check(work: Rewriter, use: Use) -> None:
    """Refuse what stands for another thing than PyTorch's, because the code says so."""
    if isinstance(getattr(use.node, "ctx", None), ast.Store):
        return
    name = work.resolver.reading.replaced.among(use.names)
    if name:
        raise Refused(
            "value",
            f"{name} is set to something else in this file: what stands for it here is the"
            " code's own",
            f"{name} 在本文件中被替换：此处是代码自己的实现",
        )
    earlier_runs.check(work, use)


def _outermost(statement: ast.stmt) -> ast.AST | None:
    """The call that a statement makes; of a layer called in place, the making of the layer."""
    value = getattr(statement, "value", None)
    while isinstance(value, _PARTS):
        value = value.value
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
        value = value.func
    return value if isinstance(value, ast.AST) else None
