"""A source text, parsed, and the places of its nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

Node = TypeVar("Node", bound=ast.AST)

# What replaces the text between two byte offsets.
Change = tuple[int, int, str]


class Source:
    """Python source with byte offsets: Python's columns count bytes.

    Raises:
        SyntaxError: the text isn't Python.
    """

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self._bytes = text.encode()
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    @cached_property
    def nodes(self) -> Mapping[type[ast.AST], Sequence[ast.AST]]:
        """All nodes by their type, in the order of ``ast.walk``: one walk for all who ask."""
        found: dict[type[ast.AST], list[ast.AST]] = {}
        nodes: list[ast.AST] = [self.tree]
        for node in nodes:
            found.setdefault(type(node), []).append(node)
            for name in node._fields:
                value = getattr(node, name, None)
                if isinstance(value, ast.AST):
                    nodes.append(value)
                elif isinstance(value, list):
                    nodes += [item for item in value if isinstance(item, ast.AST)]
        return found

    def all(self, kind: type[Node]) -> Sequence[Node]:
        """The nodes of one type."""
        return self.nodes.get(kind, ())  # type: ignore[return-value]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Byte offsets of a node; decorators belong to what they decorate."""
        if isinstance(node, ast.Module):
            return 0, len(self._bytes)
        first = min([*getattr(node, "decorator_list", ()), node], key=lambda n: n.lineno)
        begin = self._starts[first.lineno - 1] + first.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return begin, end

    def between(self, begin: int, end: int) -> str:
        """The text between two byte offsets."""
        return self._bytes[begin:end].decode()

    def text(self, node: ast.AST) -> str:
        """A node's source as written."""
        return self.between(*self.span(node))

    def replaced(self, node: ast.AST, changes: Iterable[Change]) -> str | None:
        """A node's source with changes made in it, in their order; None if two overlap."""
        place, last = self.span(node)
        pieces: list[str] = []
        for begin, end, text in changes:
            if begin < place:
                return None
            pieces += [self.between(place, begin), text]
            place = end
        return "".join(pieces) + self.between(place, last)


def located(node: ast.AST) -> list[ast.AST]:
    """The nearest descendants that have a place in the source."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if hasattr(child, "col_offset"):
            found.append(child)
        else:
            found += located(child)
    return found
