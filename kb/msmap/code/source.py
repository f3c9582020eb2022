"""A source text, parsed, and the places of its nodes."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import Any, TypeVar

from msmap.code.tree import KINDS, Nodes

Node = TypeVar("Node", bound=ast.stmt)

# What replaces the text between two byte offsets.
Change = tuple[int, int, str]


# By type of node, the fields in which statements stand, in the parser's order.
BLOCKS = {
    kind: [f for f in kind._fields if f in ("body", "handlers", "orelse", "finalbody", "cases")]
    for kind in KINDS
}
_WIDER = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module))
_WORD = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_PART = re.compile(rb"[\w\x80-\xff]")
_QUOTES = (b'"', b"'")
_BOUND = re.compile(rb"[ \t]*=(?!=)")
# In so many bytes names are searched one by one; in more all words are read once.
_SEARCHED = 4_000_000
_METHOD = re.compile(rb"(?:async[\s\\]+)?def[\s\\]+([^\s(\[\\]+)")


class Source:
    """Python source with byte offsets: Python's columns count bytes.

    White space around the code, also before the first line of it, is no part of what is parsed,
    and neither is a mark of the byte order.

    Raises:
        SyntaxError: the text isn't Python.
    """

    def __init__(self, text: str) -> None:
        marked = text.removeprefix("\ufeff")
        code = marked.strip()
        try:
            self._bytes = text.encode()
        except UnicodeEncodeError as error:
            raise SyntaxError(str(error)) from None
        before = text[: len(text) - len(marked) + marked.index(code)].encode()
        self.whole = text
        self._said: dict[tuple[str, ...], bool] = {}
        # A place in bytes is one in characters where each is one byte: nothing has to be decoded.
        self._plain = text if text.isascii() else None
        self._lines = list(accumulate(map(len, self._bytes.splitlines(keepends=True)), initial=0))
        if len(self._lines) > 1 and not self._bytes.endswith((b"\n", b"\r")):
            del self._lines[-1]
        # Where the lines that the parser counts begin.
        skipped = bisect_right(self._lines, len(before)) - 1
        self._starts = [len(before), *self._lines[skipped + 1 :]]
        try:
            self.tree = ast.parse(code)
        except SyntaxError as error:
            if error.lineno is not None:
                error.lineno += skipped
            if error.end_lineno is not None:
                error.end_lineno += skipped
            raise

    @cached_property
    def statements(self) -> Mapping[type[ast.AST], Sequence[ast.AST]]:
        """All statements by their type, in the same order: far fewer, and most ask for these."""
        found: dict[type[ast.AST], list[ast.AST]] = {}
        nodes: list[ast.AST] = [self.tree]
        for node in nodes:
            found.setdefault(type(node), []).append(node)
            for name in BLOCKS[type(node)]:
                nodes += getattr(node, name)
        return found

    @cached_property
    def nodes(self) -> Nodes:
        """All nodes by their type."""
        return Nodes(self.tree)

    def mentions(self, *words: str) -> bool:
        """Whether any of some words of ASCII stands anywhere in the source."""
        found = self._said.get(words)
        if found is None:
            found = self._said[words] = any(word in self.whole for word in words)
        return found

    def all(self, kind: type[Node]) -> Sequence[Node]:
        """The statements of one type, the outer first."""
        return self.statements.get(kind, ())  # type: ignore[return-value]

    def words(
        self, names: Sequence[str], within: ast.AST | None = None
    ) -> Iterator[tuple[str, int, str]]:
        """Where names stand as words: the line as nodes count it, and how it stands there.

        It is the whole of a "text", a "part" behind a dot, "bound" by ``=``, or anything else, "".
        Where one is defined, or stands for what a function gives, is left out, and so are comments
        and texts as far as their line shows that they are.
        """
        text = self._bytes
        begin, end = (0, len(text)) if within is None else self.span(within)
        wanted = {name.encode(): name for name in names}
        if len(wanted) * (end - begin) > _SEARCHED:
            found = (m.span() for m in _WORD.finditer(text, begin, end) if m[0] in wanted)
        else:
            found = (span for word in wanted for span in _places(text, word, begin, end))
        for first, last in found:
            if text.endswith((b"def ", b"class ", b"-> ", b"->"), 0, first):
                continue
            if text[first - 1 : first] in _QUOTES and text[last : last + 1] in _QUOTES:
                how = "text"
            elif text[first - 1 : first] == b".":
                how = "part"
            else:
                how = "bound" if _BOUND.match(text, last) else ""
            line = bisect_right(self._starts, first)
            if not how and _is_prose(text[self._starts[line - 1] : first]):
                continue
            yield wanted[text[first:last]], line, how

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Byte offsets of a node; decorators belong to what they decorate."""
        first: Any = node
        if node.__class__ in _WIDER:
            if isinstance(node, ast.Module):
                return 0, len(self._bytes)
            first = min([*first.decorator_list, node], key=attrgetter("lineno"))
        begin = self._starts[first.lineno - 1] + first.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return begin, end

    def begin(self, node: Any) -> int:
        """The byte offset where a node begins, its decorators apart."""
        place: int = self._starts[node.lineno - 1] + node.col_offset
        return place

    def line(self, number: int) -> tuple[int, int]:
        """Byte offsets of a line, counted from 1, with its break."""
        last = len(self._bytes) if number >= len(self._lines) else self._lines[number]
        return self._lines[number - 1], last

    def order(self, node: ast.AST) -> tuple[int, int]:
        """By what nodes are sorted so that what is inside comes first."""
        begin, end = self.span(node)
        return end, -begin

    def name_span(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, int]:
        """Byte offsets of the name of a function."""
        found = _METHOD.match(self._bytes, self.begin(node))
        assert found is not None, "a function begins so"
        return found.span(1)

    def lines(self, begin: int, end: int) -> tuple[int, int]:
        """Byte offsets of the whole lines that two byte offsets are in."""
        last = bisect_right(self._lines, max(begin, end - 1))
        after = self._lines[last] if last < len(self._lines) else len(self._bytes)
        return self._lines[bisect_right(self._lines, begin) - 1], after

    def counted(self, offset: int) -> tuple[int, int]:
        """The line and the column of a byte offset as nodes have them."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1]

    def place(self, offset: int) -> tuple[int, int]:
        """The line, from 1, and the column in characters, from 0, of a byte offset."""
        line = bisect_right(self._lines, offset)
        begin = self._lines[line - 1]
        return line, offset - begin if self._plain else len(self.between(begin, offset))

    def line_span(self, offset: int) -> tuple[int, int]:
        """Byte offsets of the line that a byte offset is in, with what ends it."""
        line = bisect_right(self._lines, offset)
        end = self._lines[line] if line < len(self._lines) else len(self._bytes)
        return self._lines[line - 1], end

    def between(self, begin: int, end: int) -> str:
        """The text between two byte offsets."""
        return self._bytes[begin:end].decode() if self._plain is None else self._plain[begin:end]

    def text(self, node: ast.AST) -> str:
        """A node's source as written."""
        return self.between(*self.span(node))

    def replaced(self, node: ast.AST, changes: Iterable[Change]) -> str:
        """A node's source with changes made in it; they come in order and don't overlap."""
        place, last = self.span(node)
        pieces: list[str] = []
        for begin, end, text in changes:
            pieces += [self.between(place, begin), text]
            place = end
        return "".join(pieces) + self.between(place, last)


def _is_prose(before: bytes) -> bool:
    """Whether what a line begins with opens a comment or a text that goes on."""
    if not _OPENING.search(before) or _LONG.search(before):
        return False
    quote = b""
    place = 0
    while place < len(before):
        char = before[place : place + 1]
        if quote:
            if char == b"{":
                return False
            place += char == b"\\"
            quote = b"" if char == quote else quote
        elif char == b"#":
            return True
        elif char in _QUOTES:
            quote = char
        place += 1
    return bool(quote)


_OPENING = re.compile(rb"[\"'#]")
# Where such a text begins or ends, the line alone doesn't tell what is code.
_LONG = re.compile(rb"\"\"\"|'''")


def _places(text: bytes, word: bytes, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a word stands in a text."""
    first = text.find(word, begin, end)
    while first >= 0:
        last = first + len(word)
        if not (_PART.match(text, first - 1, first) or _PART.match(text, last, last + 1)):
            yield first, last
        first = text.find(word, last, end)
