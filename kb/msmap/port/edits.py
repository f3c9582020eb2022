"""Changes of a source, made from the inside out, and where their texts stand."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence, Set
from functools import cached_property
from operator import itemgetter

from msmap.code.source import Change, Source
from msmap.code.tree import children
from msmap.port import arguments

# Where any expression may stand as it is.
_OPEN = (ast.stmt, ast.keyword, ast.Tuple, ast.List, ast.Set, ast.Dict)
_COMMENT = re.compile(r"#[^\n]*")


class Changes:
    """What replaces parts of a source, in order and without overlap."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._begins: list[int] = []
        self._changes: list[Change] = []
        # The blocks that stand further out than in the source: from where to where, and which part
        # of each line's white space is gone.
        self._out: list[tuple[int, int, int, int]] = []

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
        return self.between(*self.source.span(node))

    def between(self, begin: int, end: int) -> list[Change]:
        """The changes that begin between two places."""
        low, high = self._range(begin, end)
        return self._changes[low:high]

    def text(self, node: ast.AST) -> str:
        """A node's text with all changes in it made."""
        return self.source.replaced(node, self.within(node))

    def put(self, node: ast.AST, text: str, several: bool = False) -> None:
        """A node becomes a text, and with it all that was changed inside.

        A text that is a statement, or ``several``, takes the place of the whole one, also of the
        parentheses around its expression, whose comments come to stand above it.
        """
        begin, end = self.source.span(node)
        whole = self._enclosed.get(node)
        if whole is not None and (several or arguments.argument(text).node is None):
            first, last = self.source.span(whole)
            beside = self.source.between(first, begin) + self.source.between(end, last)
            above = [line.strip() for line in _COMMENT.findall(beside)]
            apart = f"\n{self.indent(first)}"
            begin, end, text = first, last, apart.join([*above, text])
        self.add(begin, end, text)

    @cached_property
    def _enclosed(self) -> dict[ast.AST, ast.Expr]:
        """The statements that are an expression in parentheses, by the expression."""
        span = self.source.span
        every = self.source.all(ast.Expr)
        return {one.value: one for one in every if span(one) != span(one.value)}

    def rewrite(self, written: Callable[[str], str]) -> None:
        """All texts are written in another way."""
        self._changes = [(begin, end, written(text)) for begin, end, text in self._changes]

    def around(self, node: ast.AST) -> Change | None:
        """The change that a node went into, with all around it or alone."""
        begin, end = self.source.span(node)
        at = bisect_right(self._begins, begin) - 1
        return self._changes[at] if at >= 0 and end <= self._changes[at][1] else None

    def takes_out(self, node: ast.AST) -> bool:
        """Whether nothing is left of a node."""
        change = self.around(node)
        return change is not None and not change[2].strip()

    def add(self, begin: int, end: int, text: str) -> None:
        """What stands between two byte offsets becomes a text.

        Nothing becomes of what went into a larger change before: where it is in there isn't known.
        """
        low, high = self._range(begin, end)
        if low and begin < self._changes[low - 1][1]:
            return
        self._begins[low:high] = [begin]
        self._changes[low:high] = [(begin, end, text)]

    def outdent(self, begin: int, end: int, indent: str, deeper: str, but: Set[int]) -> None:
        """A block stands further out, with all that was written in it, save some lines."""
        first, last = len(indent.encode()), len(deeper.encode())
        low, high = self._range(begin, end)
        written = [change for change in self._changes[low:high] if "\n" in change[2]]
        for place, after, text in written:
            self.add(place, after, text.replace(f"\n{deeper}", f"\n{indent}"))
        here, number = begin, self.source.place(begin)[0]
        while here < end:
            following = self.source.line_span(here)[1]
            free = number not in but and not any(low < here < high for low, high, _ in written)
            if free and self.source.between(here, following).startswith(deeper):
                self.add(here + first, here + last, "")
            here, number = following, number + 1
        self._out.append((begin, end, first, last))

    def indent(self, offset: int) -> str:
        """What stands before something in its line by now: white space, if it begins the line."""
        line = self.source.line_span(offset)[0]
        found = self.source.between(line, offset)
        for begin, end, first, last in sorted(self._out, key=itemgetter(2), reverse=True):
            if begin <= offset < end:
                found = found[:first] + found[last:]
        return found


def parent_of(source: Source, statement: ast.stmt | None, node: ast.AST) -> ast.AST:
    """The node that an expression is directly in, looked for from its statement on.

    What has no place of its own, such as the parameters of a function, is passed over.
    """
    found = lineage(source, statement, node)
    return next((one for one in reversed(found) if hasattr(one, "lineno")), found[0])


def lineage(source: Source, statement: ast.stmt | None, node: ast.AST) -> list[ast.AST]:
    """The nodes that a node is in, from its statement on, which is the first."""
    first, parents = statement or source.tree, source.nodes.parents
    found: list[ast.AST] = []
    outer = parents.get(node)
    while outer is not None:
        found.append(outer)
        if outer is first:
            return found[::-1]
        outer = parents.get(outer)
    # A name in a text has no place in the tree but the text's.
    return _around(source, first, node)


def _around(source: Source, first: ast.AST, node: ast.AST) -> list[ast.AST]:
    """The nodes from one on whose places another is in."""
    begin, end = source.span(node)
    found: list[ast.AST] = [first]
    while (step := _towards(source, found[-1], begin, end, node)) and step[-1] is not node:
        found += step
    return found + step[:-1]


def _towards(source: Source, parent: ast.AST, begin: int, end: int, node: ast.AST) -> list[ast.AST]:
    """The way from a node one step down to another one in it, [] if it isn't in it."""
    for child in children(parent):
        if child is node:
            return [child]
        if not hasattr(child, "lineno"):
            if further := _towards(source, child, begin, end, node):
                return [child, *further]
            continue
        first, last = source.span(child)
        if first <= begin and end <= last:
            return [child]
    return []


def is_open(node: ast.AST, parent: ast.AST) -> bool:
    """Whether an expression may stand in its parent without parentheses."""
    if isinstance(parent, ast.Call):
        return node is not parent.func
    if isinstance(parent, ast.Subscript):
        return node is parent.slice
    return isinstance(parent, _OPEN)
