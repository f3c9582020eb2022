"""What ran without gradients where gradients are taken now: its results let none through."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from msmap.code import bindings
from msmap.code.bindings import Body
from msmap.code.source import Source
from msmap.port import arguments
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.stopping import adds_one
from msmap.port.training import losses
from msmap.port.training.graphs import Graphs

_STOP = "mindspore.ops.stop_gradient"
_KEPT = (ast.Attribute, ast.Subscript)


@rule(Phase.GRADIENTS)
def port(work: Rewriter) -> None:
    """Stop gradients in what ran without, where a function whose gradients are taken calls it.

    That may be one in another file, which says its name.
    """
    if not work.ungraded:
        return
    every: dict[ast.AST, Body] = {body.node: body for body in work.bodies}
    reached = _reached(work, every)
    for statement in work.ungraded:
        body = every.get(statement) or work.places[statement][0]
        if body.node in reached or statement in work.stopped or _is_told_elsewhere(work, body):
            graphs = Graphs(work, body, every, within=not isinstance(body.node, ast.Module))
            for node in _results(statement, whole=body.node is statement):
                if not graphs.expression(node) and not _is_stopped(node):
                    _stop(work, node)


def _stop(work: Rewriter, node: ast.expr) -> None:
    """An expression lets no gradients through, also where it went into a call that sets it."""
    begin, end = work.source.span(node)
    change = work.changes.around(node)
    if change is not None and change[:2] != (begin, end):
        if (text := _last_stopped(change[2])) is not None:
            work.changes.add(*change[:2], text)
        return
    text = work.changes.text(node)
    written = arguments.argument(text).node
    if written is not None and _is_stopped(written):
        return
    is_bare = isinstance(node, ast.Tuple) and work.source.span(node.elts[0])[0] == begin
    work.changes.put(node, f"{_STOP}({f'({text})' if is_bare else text})")


def _last_stopped(text: str) -> str | None:
    """A call that gives on its last argument by position, with that stopped; None if it is none."""
    source = Source(text)
    statement = source.tree.body[0]
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not call.args or _is_stopped(call.args[-1]):
        return None
    begin, end = source.span(call.args[-1])
    given = source.between(begin, end)
    return source.replaced(statement, [(begin, end, f"{_STOP}({given})")])


def _is_told_elsewhere(work: Rewriter, body: Body) -> bool:
    """Whether a function may be called by another file of the tree."""
    place, name = work.resolver.reading.place, getattr(body.node, "name", "")
    return place is not None and bool(name) and place.is_told_elsewhere(name)


def _is_stopped(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("stop_gradient")


def _results(statement: ast.stmt, whole: bool) -> Iterator[ast.expr]:
    """What statements give to others: of a function what it returns, of a block what it sets."""
    for block in bindings.blocks(statement):
        for node in block:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            value = getattr(node, "value", None)
            if isinstance(node, ast.Expr) and isinstance(value, ast.Yield):
                value, gives = value.value, True
            else:
                gives = isinstance(node, ast.Return) or (
                    isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign)
                    and (not whole or _is_kept(node))
                )
            if isinstance(node, ast.Expr) and isinstance(value, ast.Call) and adds_one(value):
                value, gives = value.args[0], True
            if gives and value is not None:
                yield value
            yield from _results(node, whole)


def _is_kept(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> bool:
    """Whether something is set that is there after a function has run."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(one, _KEPT) for target in targets for one in ast.walk(target))


def _reached(work: Rewriter, every: dict[ast.AST, Body]) -> set[ast.AST]:
    """The functions that may run where gradients are taken."""
    named: dict[str, list[ast.AST]] = {}
    for body in work.bodies[1:]:
        named.setdefault(body.node.name, []).append(body.node)  # type: ignore[union-attr]
    found: set[ast.AST] = set()
    ahead = [node for root in _roots(work, every) for node in _called(root, named)]
    while ahead:
        node = ahead.pop()
        if node not in found:
            found.add(node)
            ahead += _called(node, named)
    return found


def _roots(work: Rewriter, every: dict[ast.AST, Body]) -> Iterator[ast.AST]:
    """The statements and functions whose gradients are taken."""
    for loss in work.losses:
        yield from (*loss.forward, loss.loss)
    ported = {loss.body.node for loss in work.losses}
    for use in losses.uses(work):
        body = work.places[use.statement][0] if use.statement in work.places else None
        if body is not None and body.node not in ported:
            yield body.node
    for body in every.values():
        if body.owner is not None and body.owner.bases and body.node not in work.ungraded:
            yield body.node


def _called(root: ast.AST, named: dict[str, list[ast.AST]]) -> Iterable[ast.AST]:
    """The functions of a source that something calls, or passes on, by their names."""
    for node in ast.walk(root):
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        yield from named.get(name, ())
