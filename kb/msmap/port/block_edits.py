"""What MindSpore needs nothing for: the statement, block, decorator or base class goes."""

from __future__ import annotations

import ast
import re

from msmap.code import bindings
from msmap.code.bindings import Body, Place
from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port import stopping
from msmap.port.roles import turns_off
from msmap.port.session import Rewriter

# What stands behind the last manager, where parentheses may be around all of them.
_HEAD = re.compile(r"(?:[\s,)\\]|#[^\n]*\n)*:")
_COMMENT = re.compile(r"#[^\n]*")
# What closes parentheses around an expression.
_CLOSING = r"(?:[\s\\]|#[^\n]*\n)*\)"
_BACKWARD = re.compile(r"\.backward\(")
# These alone say nothing of what is computed: what they stand for is one for the whole process.
_STATEMENTS = ("torch.cuda.set_device", "torch.accelerator.set_device_index")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TEXTS = (ast.Constant, ast.JoinedStr)


def remove(work: Rewriter, use: Use, record: Record) -> None:
    """Take a call out of the source.

    Raises:
        Refused: it can't be told that nothing needs it, or it stands where only a person can.
    """
    if not work.resolver.own and not work.resolver.reading.snippet and removed(work, use, record):
        return
    raise Refused(
        "removable",
        f"{record.torch}: delete this call; MindSpore needs nothing in its place",
        f"{record.torch}：删除此调用即可，MindSpore 无需任何替代",
    )


def removed(work: Rewriter, use: Use, record: Record) -> bool:
    """Whether the statement, block or decorator went that a call is all of."""
    statement = use.statement
    if record.torch in _STATEMENTS:
        if isinstance(statement, ast.Expr) and statement.value is use.node:
            line(work, statement)
            return True
    elif turns_off(use.node, record.torch):
        if isinstance(statement, ast.With) and manages(statement, use.node):
            _check(work, statement, record)
            manager(work, statement, use.node, record.torch)
            work.ungraded.append(statement)
            return True
        if isinstance(statement, _FUNCTIONS) and use.node in statement.decorator_list:
            _check(work, statement, record)
            decorator(work, use.node)
            work.ungraded.append(statement)
            return True
    return False


def manages(statement: ast.With, node: ast.AST) -> bool:
    """Whether a call is one of the managers of a block, and its result has no name."""
    return any(i.context_expr is node and i.optional_vars is None for i in statement.items)


def _check(work: Rewriter, statement: ast.stmt, record: Record) -> None:
    """Refuse where what is computed may get into a loss: gradients would flow through it then."""
    body, place = work.places.get(statement, (work.bodies[0], None))
    if isinstance(statement, _FUNCTIONS):
        body = next(body for body in work.bodies if body.node is statement)
    function, owner = body.node, body.owner
    differentiated = owner is not None and bool(owner.bases) and _runs(work, owner, function)
    flows = function is not statement and place is not None and _flows(work, body, place)
    if differentiated and not flows and stopping.is_possible(work, body, statement):
        work.stopped.append(statement)
        return
    if differentiated or flows:
        raise Refused(
            "removable",
            f"{record.torch}: gradients may flow through here; wrap what is computed in"
            " mindspore.ops.stop_gradient and delete the call",
            f"{record.torch}：梯度可能流经此处；请用 mindspore.ops.stop_gradient 包住计算结果，"
            "再删除此调用",
        )


def _runs(work: Rewriter, owner: ast.ClassDef, function: ast.AST) -> bool:
    """Whether a method may run where the layer is called."""
    name = getattr(function, "name", "")
    if name in ("forward", "construct", "__call__"):
        return True
    mentioned = re.compile(rf"\.{re.escape(name)}\b")
    others = [n for n in owner.body if getattr(n, "name", "") not in (name, "__init__")]
    return any(mentioned.search(work.source.text(one)) for one in others)


def _flows(work: Rewriter, body: Body, place: Place) -> bool:
    """Whether a gradient is taken after a block by what is bound in it, or beside it."""
    source = work.source
    if any(_is_backward(work, one) for one in place.block):
        return True
    end = source.span(place.node)[1]
    after = source.between(end, source.span(body.node)[1])
    backward = [
        match.end()
        for match in _BACKWARD.finditer(after)
        if not is_gone(work, *_bytes(after, match.span(), end))
    ]
    if not backward:
        return False
    region = after[: backward[-1]]
    return any(re.search(rf"\b{name}\b", region) for name in bindings.all_bound(place.node))


def _bytes(text: str, span: tuple[int, int], start: int) -> tuple[int, int]:
    """Where a part of a text stands in the source, in bytes."""
    return start + len(text[: span[0]].encode()), start + len(text[: span[1]].encode())


def _is_backward(work: Rewriter, node: ast.stmt) -> bool:
    if not isinstance(node, ast.Expr) or _BACKWARD.search(work.source.text(node)) is None:
        return False
    return not is_gone(work, *work.source.span(node))


def is_gone(work: Rewriter, begin: int, end: int) -> bool:
    """Whether what stands between two places was taken into something else that was written."""
    return any(first <= begin and end <= last for first, last, _ in work.changes.all())


def base(work: Rewriter, use: Use) -> bool:
    """Take a name out of the bases of a class; False if it is none, or a comment stands there."""
    owner = use.statement
    if work.resolver.own or not isinstance(owner, ast.ClassDef) or use.node not in owner.bases:
        return False
    source = work.source
    others = [*owner.bases, *(keyword.value for keyword in owner.keywords)]
    begin, end = source.span(use.node)
    at = others.index(use.node)
    if at + 1 < len(others):
        end = min(source.span(one)[0] for one in (*owner.bases, *owner.keywords)[at + 1 :])
    elif at:
        begin = source.span(others[at - 1])[1]
    else:
        first = source.span(owner)[0]
        begin = first + len(source.between(first, begin).rpartition("(")[0].encode())
        rest = source.between(end, source.span(owner.body[0])[0])
        behind = re.match(r"\s*,?\s*\)", rest)
        if behind is None:
            return False
        end += len(behind[0].encode())
    if "#" in source.between(begin, end):
        return False
    work.changes.add(begin, end, "")
    return True


def line(work: Rewriter, statement: ast.stmt) -> None:
    """A statement goes, with its line if nothing else is on it; a block isn't left empty."""
    source = work.source
    begin, end = source.span(statement)
    first, last = source.line_span(begin)[0], source.line_span(end)[1]
    before, behind = source.between(first, begin), source.between(end, last)
    found = work.places.get(statement)
    if found is None or before.strip() or _is_last(work, found[1]):
        work.changes.add(begin, end, "pass")
    elif not behind.strip():
        work.changes.add(first, last, "")
    elif behind.lstrip().startswith("#"):
        work.changes.add(begin, end + len(behind) - len(behind.lstrip()), "")
    else:
        work.changes.add(begin, end, "pass")


def _is_last(work: Rewriter, place: Place) -> bool:
    """Whether nothing else is left of the block of a statement."""
    return all(work.changes.takes_out(one) for one in place.block if one is not place.node)


def decorator(work: Rewriter, node: ast.AST) -> None:
    """A decorator goes, with its line if nothing else is on it."""
    source = work.source
    begin, end = source.span(node)
    first = source.line_span(begin)[0]
    # The parentheses around it may begin on a line further up.
    while not source.between(first, begin).lstrip().startswith("@"):
        first = source.line_span(first - 1)[0]
    before = source.between(first, begin)
    closing = _COMMENT.sub("", before).count("(")
    after = _closed(source, end, closing)
    kept = _COMMENT.findall(before) + _COMMENT.findall(source.between(end, after))
    end = after
    last = source.line_span(end)[1]
    rest = source.between(end, last)
    indent = before[: len(before) - len(before.lstrip())]
    if kept:
        lines = [one.rstrip() for one in (*kept, rest.strip()) if one]
        work.changes.add(first, last, "".join(f"{indent}{one}\n" for one in lines))
    elif rest.strip():
        end += len(rest) - len(rest.lstrip(" \t"))
        work.changes.add(first + len(indent.encode()), end, "")
    else:
        work.changes.add(first, last, "")


def manager(work: Rewriter, statement: ast.With, node: ast.AST, name: str) -> bool:
    """A manager goes: what it manages stands one level further out if none is left; whether so.

    Raises:
        Refused: a comment stands where only a person can tell what becomes of it.
    """
    source = work.source
    others = [one for one in statement.items if one.context_expr is not node]
    if not all(work.changes.takes_out(one.context_expr) for one in others):
        index = next(i for i, one in enumerate(statement.items) if one.context_expr is node)
        begin, end = source.span(node)
        if index + 1 < len(statement.items):
            after = source.span(statement.items[index + 1].context_expr)[0]
            closed, _, opened = source.between(end, after).partition(",")
            begin, end = _opened(source, begin, closed.count(")")), after - opened.count("(")
        else:
            before = statement.items[index - 1]
            begin, last = source.span(before.optional_vars or before.context_expr)[1], begin
            closed, _, opened = source.between(begin, last).partition(",")
            begin, end = begin + len(closed.encode()), _closed(source, end, opened.count("("))
        if "#" in source.between(begin, end):
            raise Refused(
                "removable",
                f"{name}: delete this manager",
                f"{name}：请删除此上下文管理器",
            )
        work.changes.add(begin, end, "")
        return False
    if others and "#" in _between_items(work, statement):
        raise Refused(
            "removable",
            f"{name}: delete this manager",
            f"{name}：请删除此上下文管理器",
        )
    unwrap(work, statement)
    return True


def _opened(source: Source, begin: int, count: int) -> int:
    """Where parentheses begin that are opened directly in front of something."""
    before = source.between(0, begin)
    kept = re.sub(rf"(?:\([\s\\]*){{{count}}}$", "", before)
    return len(kept.encode())


def _closed(source: Source, end: int, count: int) -> int:
    """Where parentheses end that are closed directly behind something."""
    behind = re.match(_CLOSING * count, source.between(end, source.span(source.tree)[1]))
    assert behind is not None, "what is opened is closed"
    return end + len(behind[0].encode())


def _between_items(work: Rewriter, statement: ast.With) -> str:
    """All that stands from the first manager of a block to the last."""
    first, last = statement.items[0].context_expr, statement.items[-1].context_expr
    return work.source.between(work.source.span(first)[0], work.source.span(last)[1])


def unwrap(work: Rewriter, statement: ast.With) -> None:
    """What a statement holds stands in its place."""
    source, node = work.source, statement.items[-1].context_expr
    begin = source.span(statement)[0]
    inner = source.span(statement.body[0])[0]
    indent = source.between(source.line_span(begin)[0], begin)
    deeper = source.between(source.line_span(inner)[0], inner)
    end = source.span(node)[1]
    kept = _COMMENT.findall(source.between(begin, source.span(statement.items[0].context_expr)[0]))
    behind = _HEAD.match(source.between(end, inner))
    if behind is not None:
        end += len(behind[0].encode())
        kept += _COMMENT.findall(behind[0])
    head = source.line_span(end)
    if head[0] <= inner < head[1]:
        work.changes.add(begin, inner, "".join(f"{one.rstrip()}\n{indent}" for one in kept))
        return
    comment = source.between(end, head[1]).partition("#")
    kept = [f"{one.rstrip()}\n{indent}" for one in kept]
    if comment[1] or kept:
        text = "".join([*kept, *comment[1:]])
        work.changes.add(begin, head[1], text if comment[1] else text.removesuffix(indent))
    else:
        work.changes.add(source.line_span(begin)[0], head[1], "")
    within = _within_texts(statement)
    work.changes.outdent(head[1], source.span(statement)[1], indent, deeper, within)


def _within_texts(statement: ast.With) -> set[int]:
    """The lines that begin within a text, counted from the first of the source."""
    found: set[int] = set()
    for node in ast.walk(statement):
        if isinstance(node, _TEXTS) and node.lineno != node.end_lineno:
            found.update(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
    return found
