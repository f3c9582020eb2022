"""f-strings that use PyTorch."""

from __future__ import annotations

import ast
from collections.abc import Callable

from msmap.code import fields
from msmap.code.arguments import Argument
from msmap.code.reading import Use
from msmap.code.refusal import Refused
from msmap.port import call as calls
from msmap.port.rewriter import Rewriter


def ported(work: Rewriter, use: Use, handle: Callable[[Use], None]) -> None:
    """An f-string in which each use is handled where its place is told, and the outcome is one.

    Raises:
        Refused: it stays, and what it uses is written otherwise for MindSpore.
    """
    node = use.node
    assert isinstance(node, ast.JoinedStr)
    if work.resolver.own or not fields.place(work.source, node):
        f_string(work, use)
        return
    changes = list(work.changes.all())
    told = (work.notes, work.refused, work.records, work.targets)
    before = [len(one) for one in told]
    inner = {one.node: one for one in use.inner}
    for each in sorted(inner.values(), key=lambda each: work.source.order(each.node)):
        handle(each)
    if not _is_whole(work, node):
        work.changes.restore(changes)
        for said, length in zip(told, before, strict=True):
            del said[length:]  # type: ignore[attr-defined]
        f_string(work, use)


def _is_whole(work: Rewriter, node: ast.JoinedStr) -> bool:
    """Whether an f-string is one still, and says the same of what was written."""
    try:
        new = ast.parse(f"({work.changes.text(node)})", mode="eval").body
        return _alike(work, node, new)
    except (SyntaxError, ValueError):
        return False


def _alike(work: Rewriter, old: ast.AST | None, new: ast.AST | None) -> bool:
    if isinstance(old, ast.JoinedStr) and isinstance(new, ast.JoinedStr):
        return len(old.values) == len(new.values) and all(
            _alike(work, a, b) for a, b in zip(old.values, new.values, strict=True)
        )
    if isinstance(old, ast.FormattedValue) and isinstance(new, ast.FormattedValue):
        written = ast.parse(f"({work.changes.text(old.value)})", mode="eval").body
        return (
            old.conversion == new.conversion
            and ast.dump(written) == ast.dump(new.value)
            and _alike(work, old.format_spec, new.format_spec)
        )
    return old is new or (old is not None and new is not None and ast.dump(old) == ast.dump(new))


def f_string(work: Rewriter, use: Use) -> None:
    """An f-string as written."""
    for inner in use.inner:
        if not _stays(work, inner):
            named = inner.node.func if isinstance(inner.node, ast.Call) else inner.node
            text = ast.unparse(named)
            raise Refused(
                "f_string",
                f"{text} inside an f-string: move it out of the string",
                f"f-string 中的 {text}：请将其移到字符串之外",
            )


def _stays(work: Rewriter, use: Use) -> bool:
    """Whether a use in an f-string is written alike for MindSpore, such as ``loss.item()``."""
    node = use.node
    if use.how not in ("method", "read") or (isinstance(node, ast.Call) and node.keywords):
        return False
    given = [] if isinstance(node, ast.Attribute) else node.args  # type: ignore[attr-defined]
    on = node.value if isinstance(node, ast.Attribute) else node.func.value  # type: ignore[attr-defined]
    arguments = [Argument(ast.unparse(a), a, "position") for a in (on, *given)]
    record = work.resolver.meaning(use).record
    done = calls.write(record, calls.Arguments(tuple(arguments[1:]), {}, arguments[0]))
    return done.text == ast.unparse(node)
