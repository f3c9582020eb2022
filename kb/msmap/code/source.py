"""A source text and the places of its nodes."""

from __future__ import annotations

import ast


class Source:
    """Source text with byte offsets: Python's columns count bytes."""

    def __init__(self, text: str) -> None:
        self._bytes = text.encode()
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

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


def located(node: ast.AST) -> list[ast.AST]:
    """The nearest descendants that have a place in the source."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if hasattr(child, "col_offset"):
            found.append(child)
        else:
            found += located(child)
    return found
