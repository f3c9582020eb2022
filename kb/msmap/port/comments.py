"""Lines above what was left as it was, that say why; a second run puts the same ones there.

What a person has to see to stays marked until that person removes the line: code that was ported
around it may no longer show that anything was left.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter

from msmap.code.source import Change, Source
from msmap.port import marks

# Not those by which people tell the scan to pass over a line.
_OURS = re.compile(r"[ \t\f]*# msmap: (?!ignore\b)")
_MORE = re.compile(r"[ \t\f]*# msmap:  ")
_COMMAND = re.compile(r"; (msmap (?:lookup|port|guide) \S+?)(?:; msmap guide \S+)?\s*$")
# What may stand in a line before what a comment is put above.
_BEFORE = re.compile(r"[ \t\f]*(?:@[ \t]*|(?:else|finally|try)[ \t]*:[ \t]*|case\b[^:]*)?")


@dataclass(frozen=True, slots=True)
class Left:
    """Something that was left: where it begins in bytes, why, and what commands say more.

    Further lines of the reason stand in lines of their own.
    """

    begin: int
    reason: str
    command: str
    guide: str = ""


@dataclass(slots=True)
class _Entry:
    """The lines of a comment, without their indents."""

    command: str
    lines: list[str] = field(default_factory=list)

    @property
    def reasons(self) -> set[str]:
        """Why things of its name were left, each with its further lines."""
        found: list[str] = []
        for line in self.lines:
            if _MORE.match(line) and found:
                found[-1] += "\n" + _MORE.sub("", line)
            else:
                found.append(_COMMAND.sub("", line).removeprefix("# msmap: "))
        return set(found)


def above(source: Source, left: Iterable[Left], changes: Sequence[Change]) -> list[Change]:
    """Some changes with those that put a comment above each statement of which something was left.

    What stands there from an earlier run is replaced by what is said with the same command now;
    the rest of it stays.

    Args:
        source: what is changed.
        left: what was left, in any order.
        changes: all other changes, in order; none of them begins or ends within a comment of ours.
    """
    lines = Lines(source)
    moved = frozenset(marks.places(changes))
    wanted: dict[int, dict[str, _Entry]] = {}
    for item in left:
        first, *rest = item.reason.splitlines()
        first = first.rstrip(".。")
        guide = f"msmap guide {item.guide}"
        is_named = not item.guide or guide in first
        more = "; ".join(dict.fromkeys([item.command, *([] if is_named else [guide])]))
        made = [f"# msmap: {first}; {more}", *(f"# msmap:  {line}" for line in rest)]
        place = lines.above(item.begin)
        if place not in moved:
            place = _place(lines, item.begin, changes)
        known = wanted.setdefault(place, {})
        entry = known.setdefault(item.command, _Entry(item.command))
        if made[0] not in entry.lines:
            entry.lines += made

    def said(indent: str, place: int) -> str:
        """What is said of a statement that was moved, but for what was moved with it."""
        _, old = lines.block(place)
        known = {entry.command for entry in old}
        new = [entry for entry in wanted.get(place, {}).values() if entry.command not in known]
        return lines.joined(place, indent, new)

    result = marks.replaced(changes, said)
    for place, new in wanted.items():
        if place in moved:
            continue
        begin, old = lines.block(place)
        text = lines.written(place, _joined(old, list(new.values())), changes)
        if text != source.between(begin, place):
            result.append((begin, place, text))
    # At one place, what is put in comes before the comment, and that before what is replaced.
    return sorted(result, key=itemgetter(0, 1))


def _place(lines: Lines, offset: int, changes: Sequence[Change]) -> int:
    """Where the line begins above which something is said, outside of what is replaced."""
    place = lines.above(offset)
    at = bisect_left(changes, place, key=itemgetter(1))
    while at < len(changes) and changes[at][0] < place < changes[at][1]:
        offset = changes[at][0]
        place = lines.above(offset)
        at = bisect_left(changes, place, key=itemgetter(1))
    return place


def _joined(old: list[_Entry], new: list[_Entry]) -> list[_Entry]:
    """The old comments with what is said of the same now, each once, and then what is new.

    Of several that are said of one name, some may go without saying now.
    """
    by_command = {entry.command: entry for entry in new}
    result: list[_Entry] = []
    for entry in old:
        now = by_command.pop(entry.command, entry)
        if now.reasons <= entry.reasons:
            now = entry
        if now not in result:
            result.append(now)
    return result + list(by_command.values())


class Lines:
    """The lines of a source above which a comment may stand."""

    def __init__(self, source: Source) -> None:
        self.source = source
        begins: set[int] = set()
        for nodes in source.statements.values():
            for node in nodes:
                begins.update(_begins(source, node))
        self.begins = sorted(begins)

    def above(self, offset: int) -> int:
        """Where the line begins above which a comment on what is at an offset may stand."""
        at = bisect_right(self.begins, offset) - 1
        while at > 0:
            begin = self._line(self.begins[at])
            before = self.source.between(begin, self.begins[at])
            if _BEFORE.fullmatch(before) and not self._continued(begin):
                return begin
            at -= 1
        return self._line(self.begins[0])

    def _line(self, offset: int) -> int:
        """Where the line of an offset begins."""
        return self._span(self.source.place(offset)[0])[0]

    def _span(self, line: int) -> tuple[int, int]:
        """A line, without a mark of the byte order."""
        begin, end = self.source.line(line)
        marked = line == 1 and self.source.between(begin, end).startswith("\ufeff")
        return (begin + len("\ufeff".encode()) if marked else begin), end

    def _text(self, line: int) -> str:
        return self.source.between(*self._span(line))

    def _continued(self, begin: int) -> bool:
        """Whether the line that begins there goes on with the one before."""
        line, _ = self.source.place(begin)
        before = self._text(line - 1) if line > 1 else ""
        return before.rstrip("\r\n").endswith("\\") and not before.lstrip().startswith("#")

    def block(self, place: int) -> tuple[int, list[_Entry]]:
        """Where the comments that an earlier run put above a line begin, and what they say."""
        line, _ = self.source.place(place)
        first = line
        while first > 1 and _OURS.match(self._text(first - 1)) and first - 1 not in self._strings:
            first -= 1
        entries: list[_Entry] = []
        for number in range(first, line):
            text = self._text(number).strip()
            if _MORE.match(text) and entries:
                entries[-1].lines.append(text)
                continue
            told = _COMMAND.search(text)
            command = told.group(1) if told else text
            if entries and entries[-1].command == command:
                entries[-1].lines.append(text)
            else:
                entries.append(_Entry(command, [text]))
        return self._span(first)[0], entries

    @cached_property
    def _strings(self) -> frozenset[int]:
        """The lines that begin inside of a text."""
        return frozenset(
            line
            for node in (
                *self.source.nodes.of(ast.Constant),
                *self.source.nodes.of(ast.JoinedStr),
            )
            for line in range(
                self.source.place(self.source.span(node)[0])[0] + 1,
                self.source.place(self.source.span(node)[1])[0] + 1,
            )
        )

    def written(self, place: int, entries: list[_Entry], changes: Sequence[Change]) -> str:
        """Comments as they stand above a line: indented as it will be, with its line break."""
        text = self._text(self.source.place(place)[0])
        return self.joined(place, self._indent(place, text, changes).replace("\f", ""), entries)

    def joined(self, place: int, indent: str, entries: list[_Entry]) -> str:
        """Comments behind an indent, with the line break of the line that begins at a place."""
        text = self._text(self.source.place(place)[0])
        end = text[len(text.rstrip("\r\n")) :] or self._usual_end()
        return "".join(f"{indent}{said}{end}" for entry in entries for said in entry.lines)

    def _indent(self, place: int, text: str, changes: Sequence[Change]) -> str:
        """What a line begins with after some changes: white space, of one byte each."""
        last = place + len(text) - len(text.lstrip())
        pieces = []
        for begin, end, new in changes[bisect_left(changes, place, key=itemgetter(0)) :]:
            if end > last or begin == last:
                break
            if end > begin:
                pieces += [self.source.between(place, begin), new]
                place = end
        return "".join([*pieces, self.source.between(place, last)])

    def _usual_end(self) -> str:
        """The line break of a source whose last line has none."""
        first = self._text(1)
        return first[len(first.rstrip("\r\n")) :] or "\n"


def _begins(source: Source, node: ast.AST) -> Iterable[int]:
    """Where a statement begins, its header and each of its decorators."""
    if isinstance(node, ast.match_case):
        return (source.begin(node.pattern),)
    if isinstance(node, ast.Module):
        return ()
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return (source.begin(node), *map(source.begin, decorators))
