"""PyTorch code in, MindSpore code out: every call and name that the base knows, in place."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from msmap.code.recursion import deeper
from msmap.code.source import Source
from msmap.infer.modules import Module
from msmap.infer.resolve import Facts, Resolver
from msmap.infer.uses import Use
from msmap.infer.values.lattice import Value
from msmap.model import Port
from msmap.port import imports as importing
from msmap.port import one_use
from msmap.port.dataset_items import LOADER
from msmap.port.rules import registry
from msmap.port.rules.registry import Phase
from msmap.port.session import Rewriter

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
        with deeper(text.nodes.levels):
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
    """Make all changes, phase by phase, and remember what is refused."""
    registry.source(work, Phase.PREPARE)
    _write(work)
    for phase in (Phase.LAYERS, Phase.TRAINING, Phase.BLOCKS, Phase.GRADIENTS, Phase.NAMES):
        registry.source(work, phase)


def _write(work: Rewriter) -> None:
    """Write each use, the inner ones first, and what there is of other nodes."""
    order = work.source.order
    uses = sorted(work.uses.values(), key=lambda use: order(use.node))
    late = _late(work, uses)
    for use in late:
        one_use.write(work, use)
    done = {use.node for use in late}
    # What is refused there stands behind all that follows.
    refused, work.refused[:] = work.refused[:], []
    every: list[tuple[ast.AST, Use | None]] = [(use.node, use) for use in uses]
    every += [(node, None) for node in work.nodes if node not in work.uses]
    for node, one in sorted(every, key=lambda found: order(found[0])):
        if one is None:
            registry.node(work, node)
        elif node not in done:
            one_use.write(work, one)
    work.refused += refused


def _late(work: Rewriter, uses: Sequence[Use]) -> list[Use]:
    """The uses that make layers or loaders which were called, or asked for parts, further up."""
    order = work.source.order
    makers = ((getattr(use.receiver, "maker", None), use.node) for use in uses)
    late = {m for m, node in makers if m is not None and m in work.uses and order(m) > order(node)}
    if any(use.how == "setting" and LOADER in use.names for use in uses):
        late.update(use.node for use in uses if use.how == "call" and LOADER in use.names)
    spans = [work.source.span(maker) for maker in late]
    return [use for use in uses if spans and _is_in(work.source.span(use.node), spans)]


def _is_in(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(begin <= span[0] and span[1] <= end for begin, end in others)


def _outermost(statement: ast.stmt) -> ast.AST | None:
    """The call that a statement makes; of a layer called in place, the making of the layer."""
    value = getattr(statement, "value", None)
    while isinstance(value, _PARTS):
        value = value.value
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
        value = value.func
    return value if isinstance(value, ast.AST) else None
