"""Which names are read later: live variables of statements, as compilers compute them."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from typing import Any

from msmap.code.tree import children

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_NONE: Set[str] = frozenset()


class Live:
    """The names that may be read after each statement of a function, before they are bound anew.

    Args:
        body: the statements of a function or a module.
        after: the names that are read when all of it has run.
    """

    def __init__(self, body: Sequence[ast.stmt], after: Set[str] = _NONE) -> None:
        self._after: dict[ast.stmt, set[str]] = {}
        # Where `break` and `continue` lead, innermost last.
        self._loops: list[tuple[Set[str], Set[str]]] = []
        # What the handlers around a statement read.
        self._raised: list[Set[str]] = []
        self._block(body, after)

    def after(self, statement: ast.stmt) -> Set[str]:
        """The names that may be read once a statement has run."""
        return self._after.get(statement, _NONE)

    def _block(self, body: Sequence[ast.stmt], after: Set[str]) -> Set[str]:
        for node in reversed(body):
            self._after.setdefault(node, set()).update(after, *self._raised)
            after = self._before(node, after)
        return after

    def _before(self, node: Any, after: Set[str]) -> Set[str]:
        if isinstance(node, ast.Return | ast.Raise):
            return reads(node)
        if isinstance(node, ast.Break | ast.Continue):
            loop = self._loops[-1] if self._loops else (after, after)
            return loop[isinstance(node, ast.Continue)]
        if isinstance(node, ast.If):
            return reads(node.test) | self._block(node.body, after) | self._block(
                node.orelse, after
            )  # fmt: skip
        if isinstance(node, ast.While):
            return self._loop(node, reads(node.test), _NONE, after)
        if isinstance(node, ast.For | ast.AsyncFor):
            around = self._loop(node, _NONE, bound(node.target), after)
            return around | reads(node.iter) | reads(node.target)
        if isinstance(node, ast.With | ast.AsyncWith):
            return self._block(node.body, after) | reads(*node.items)
        if isinstance(node, ast.Match):
            cases = [self._block(case.body, after) for case in node.cases]
            return frozenset(after).union(reads(node.subject), *cases)
        if hasattr(node, "handlers"):
            return self._try(node, after)
        if isinstance(node, _NAMED):
            return (after - {node.name}) | reads(node)
        return (after - bound(node)) | reads(node)

    def _loop(
        self, node: ast.For | ast.AsyncFor | ast.While, test: Set[str], target: Set[str],
        after: Set[str],
    ) -> Set[str]:  # fmt: skip
        ends = self._block(node.orelse, after)
        head = test | ends
        for _ in range(3):
            self._loops.append((after, head))
            before = head
            head = head | (self._block(node.body, head) - target)
            self._loops.pop()
            if head == before:
                break
        return head

    def _try(self, node: Any, after: Set[str]) -> Set[str]:
        last = self._block(node.finalbody, after)
        handled: Set[str] = _NONE
        for handler in node.handlers:
            handled = handled | self._block(handler.body, last)
        ends = self._block(node.orelse, last)
        self._raised.append(handled | last)
        before = self._block(node.body, ends)
        self._raised.pop()
        return before | handled | last


class Lines:
    """The lines that read names within a node: coarser than live variables, and cheaper."""

    def __init__(self, node: ast.AST) -> None:
        self._lines: dict[str, list[int]] = {}
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
                self._lines.setdefault(one.id, []).append(one.lineno)
        for lines in self._lines.values():
            lines.sort()

    def are_after(self, name: str, node: Any, loop: int | None = None) -> bool:
        """Whether a name is read after a statement, or before it in a loop that begins there."""
        lines = self._lines.get(name)
        if not lines:
            return False
        if lines[-1] > node.end_lineno:
            return True
        at = len(lines) if loop is None else bisect_left(lines, loop)
        return at < len(lines) and lines[at] < node.lineno


def reads(*nodes: ast.AST) -> Set[str]:
    """The names that code reads, functions in it too, but for the parameters of these."""
    return frozenset(name.id for node in nodes for name in loaded(node))


def loaded(node: ast.AST, hidden: Set[str] = _NONE) -> Iterator[ast.Name]:
    """The nodes that read names."""
    if isinstance(node, ast.Name):
        if node.id not in hidden and isinstance(node.ctx, ast.Load):
            yield node
        return
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target
    if isinstance(node, _FUNCTIONS):
        hidden = hidden | {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        if not isinstance(node, ast.Lambda):
            inner = {n for one in node.body for n in _all_bound(one)}
            hidden = hidden | inner
    for child in children(node):
        yield from loaded(child, hidden)


def _all_bound(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id


def bound(node: ast.AST) -> Set[str]:
    """The names that a statement without blocks, or a target, binds."""
    ahead: list[ast.AST] = [node]
    found: set[str] = set()
    for one in ahead:
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            found.add(one.id)
        elif not isinstance(one, ast.Lambda):
            ahead += children(one)
    return found
