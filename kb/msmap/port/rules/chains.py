"""Changes in place of one tensor behind one another: a line for each of ``p.mul_(d).add_(q)``."""

from __future__ import annotations

import ast
from dataclasses import replace

from msmap.infer.effects import changes_in_place
from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port import layout
from msmap.port.arguments import Argument
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.targets import Arguments


def whole(statement: ast.stmt | None) -> list[ast.Call]:
    """The changes of which a statement is made, the last first."""
    found: list[ast.Call] = []
    node = statement.value if isinstance(statement, ast.Expr) else None
    while isinstance(node, ast.Call) and changes_in_place(node):
        found.append(node)
        node = _on(node)
    return found


def _on(call: ast.Call) -> ast.expr:
    """What a method is called on."""
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


@rule(Phase.ARGUMENTS, modes=SOURCES)
def link(work: Rewriter, use: Use, record: Record, arguments: Arguments) -> Arguments:
    """Change what the changes before this one do, if they are written, and may be repeated."""
    chain = whole(use.statement)
    if use.seen or use.statement is None or use.node not in chain[:-1]:
        return arguments
    before = chain[[*chain].index(use.node) + 1]
    on = _on(chain[-1])
    source = work.source
    begin, end = source.span(use.statement)
    commented = "#" in source.between(begin, end)
    if commented or before not in work.written or not _is_name(work, on):
        return arguments
    indent = work.changes.indent(begin)
    apart = "; " if indent.strip() else f"\n{indent}"
    done = work.changes.text(before)
    # What is behind the first holds the lines of those before it.
    done = layout.enclosed(done) if before is chain[-1] else done
    work.before[use.node] = done + apart
    return replace(arguments, receiver=Argument(source.text(on), on, "position"))


def _is_name(work: Rewriter, node: ast.expr) -> bool:
    """Whether something has a name, and the same in MindSpore."""
    while isinstance(node, ast.Attribute):
        if node in work.uses and node.attr != "data":
            return False
        node = node.value
    return isinstance(node, ast.Name)
