"""PyTorch code in, MindSpore code out: every call and name that the base knows, in place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from msmap.code.deep import deeper
from msmap.code.modules import Module
from msmap.code.refusal import Refused
from msmap.code.resolve import Facts, Resolver
from msmap.code.source import Source
from msmap.code.uses import Use
from msmap.code.values import Value
from msmap.model import Port
from msmap.port import (
    apis,
    cells,
    classes,
    derived,
    devices,
    in_place,
    launched,
    named,
    operators,
    packages,
    rates,
    removals,
    stopped,
    strings,
    triggers,
)
from msmap.port import imports as importing
from msmap.port.rewriter import Rewriter
from msmap.port.training import steps

# What becomes of each kind of use.
_HANDLERS: dict[str, Callable[[Rewriter, Use], None]] = {
    "name": named.name,
    "call": apis.call,
    "method": apis.call,
    "possible": apis.call,
    "perhaps": rates.perhaps,
    "read": apis.read,
    "operator": operators.operator,
    "result": apis.result,
    "device": named.device,
    "set": named.set,
    "value": named.value,
    "field": cells.field,
    "setting": cells.setting,
    "buffer": cells.buffer,
    "member": cells.member,
    "own": cells.own,
    "layer": cells.layer,
    "class": cells.class_definition,
    "super": derived.constructor,
    "made": derived.made,
    "heir": derived.value,
    "above": derived.computed,
    "torn": cells.torn,
    "base": cells.unknown_base,
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
    made = rewriter(source, facts, target, own, known, place)
    if imports and own is None:
        importing.port(made)
    return made.port()


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
        made = done()
        if not any(text.count("(") > _NESTED for _, _, text in made.changes.all()):
            return made
    except RecursionError:
        with deeper():
            made = done()
    try:
        Source(made.port().code or "")
    except SyntaxError as error:  # too many nested parentheses
        raise RecursionError(str(error)) from None
    return made


def _rewritten(source: str, resolver: Resolver, target: str | None) -> Rewriter:
    text = resolver.source
    pinned: dict[ast.AST, str] = {}
    if target is not None and text.tree.body:
        owned = resolver.owned()
        chosen = owned[0] if len(owned) == 1 else _outermost(text.tree.body[-1])
        pinned = {} if chosen is None else {chosen: target}
    made = Rewriter(source, resolver, pinned)
    _run(made)
    return made


def _run(work: Rewriter) -> None:
    """Make all changes, the inner ones first, and remember what is refused."""
    rates.port(work)
    uses = sorted(work.uses.values(), key=lambda use: work.source.order(use.node))
    launched.port(work)
    late = _late(work, uses)
    for use in late:
        _handle(work, use)
    done = {use.node for use in late}
    # What is refused there stands behind all that follows.
    refused, work.refused[:] = work.refused[:], []
    for use in uses:
        if use.node not in done:
            _handle(work, use)
    work.refused += refused
    cells.uncalled(work)
    strings.formats(work)
    steps.port(work)
    removals.again(work)
    stopped.port(work)
    devices.port(work)
    launched.tell(work)
    classes.port(work)
    packages.port(work)
    in_place.port(work)


def _late(work: Rewriter, uses: Sequence[Use]) -> list[Use]:
    """The uses that make layers or loaders which were called, or asked for parts, further up."""
    order = work.source.order
    makers = ((getattr(use.receiver, "maker", None), use.node) for use in uses)
    late = {m for m, node in makers if m is not None and m in work.uses and order(m) > order(node)}
    if any(use.how == "setting" and cells.LOADER in use.names for use in uses):
        late.update(use.node for use in uses if use.how == "call" and cells.LOADER in use.names)
    spans = [work.source.span(maker) for maker in late]
    return [use for use in uses if spans and _is_in(work.source.span(use.node), spans)]


def _is_in(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(begin <= span[0] and span[1] <= end for begin, end in others)


def _handle(work: Rewriter, use: Use) -> None:
    before = len(work.notes)
    try:
        _check(work, use)
        if use.how == "text":
            strings.ported(work, use, lambda inner: _handle(work, inner))
        else:
            _HANDLERS[use.how](work, use)
    except Refused as refused:
        work.refuse(use.node, refused)
    if len(work.notes) > before:
        work.said[use.node] = work.notes[before:]
    record, bites = work.bites.get(use.node, (None, ()))
    if record is not None:
        for bite in bites:
            if bite.differs:
                work.warn(use.node, triggers.said(record, bite))


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


def _outermost(statement: ast.stmt) -> ast.AST | None:
    """The call that a statement makes; of a layer called in place, the making of the layer."""
    value = getattr(statement, "value", None)
    while isinstance(value, _PARTS):
        value = value.value
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
        value = value.func
    return value if isinstance(value, ast.AST) else None
