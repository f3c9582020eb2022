"""Changes of a source, made from the inside out, and where their texts stand."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Sequence

from msmap.code.source import Change, Source

# Where any expression may stand as it is.
_OPEN = (ast.stmt, ast.keyword, ast.Tuple, ast.List, ast.Set, ast.Dict)


class Changes:
    """What replaces parts of a source, in order and without overlap."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._begins: list[int] = []
        self._changes: list[Change] = []

    def all(self) -> list[Change]:
        """All changes, in the order of the source."""
        return self._changes

    def restore(self, changes: Sequence[Change]) -> None:
        """All changes are those that were made before."""
        self._changes = list(changes)
        self._begins = [begin for begin, _, _ in changes]

    def _range(self, begin: int, end: int) -> tuple[int, int]:
        return bisect_left(self._begins, begin), bisect_left(self._begins, end)

    def within(self, node: ast.AST) -> list[Change]:
        """The changes inside of a node."""
        low, high = self._range(*self.source.span(node))
        return self._changes[low:high]

    def text(self, node: ast.AST) -> str:
        """A node's text with all changes in it made."""
        return self.source.replaced(node, self.within(node))

    def put(self, node: ast.AST, text: str) -> None:
        """A node becomes a text, and with it all that was changed inside."""
        begin, end = self.source.span(node)
        self.add(begin, end, text)

    def rewrite(self, written: Callable[[str], str]) -> None:
        """All texts are written in another way."""
        self._changes = [(begin, end, written(text)) for begin, end, text in self._changes]

    def add(self, begin: int, end: int, text: str) -> None:
        """What stands between two byte offsets becomes a text."""
        low, high = self._range(begin, end)
        self._begins[low:high] = [begin]
        self._changes[low:high] = [(begin, end, text)]


def parent_of(source: Source, statement: ast.stmt | None, node: ast.AST) -> ast.AST:
    """The node that an expression is directly in, looked for from its statement on."""
    begin, end = source.span(node)
    parent: ast.AST = statement or source.tree
    here: ast.AST | None = parent
    while here is not None and here is not node:
        parent, here = here, _holding(source, here, begin, end, node)
    return parent


def _holding(
    source: Source, parent: ast.AST, begin: int, end: int, node: ast.AST
) -> ast.AST | None:
    for child in ast.iter_child_nodes(parent):
        if child is node:
            return child
        if not hasattr(child, "lineno"):
            if (found := _holding(source, child, begin, end, node)) is not None:
                return found
            continue
        first, last = source.span(child)
        if first <= begin and end <= last:
            return child
    return None


def is_open(node: ast.AST, parent: ast.AST) -> bool:
    """Whether an expression may stand in its parent without parentheses."""
    if isinstance(parent, ast.Call):
        return node is not parent.func
    if isinstance(parent, ast.Subscript):
        return node is parent.slice
    return isinstance(parent, _OPEN)
