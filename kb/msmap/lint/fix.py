"""Files in the one layout, without what follows from elsewhere: what lint mends by itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from msmap import atomic
from msmap.curated import families, folding, layout, load, references
from msmap.curated.families import Family
from msmap.curated.layout import Note
from msmap.curated.schema import Record
from msmap.messages import Message
from msmap.problems import DataError, Problem

Place = tuple[str | int, ...]
# What PyYAML leaves out and a file may have: comments, and names of values.
_MORE = re.compile(r"(^|\s)#|(^|[\s\[{,])[&*]\w", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file that is written otherwise."""

    path: Path
    before: str
    after: str


class Known:
    """The families below a data directory, for records that are or may be like one."""

    def __init__(self, directory: Path) -> None:
        self.sources = load.families_in(directory)
        self._comments: dict[str, set[str]] = {}

    def comments(self, name: str) -> set[str]:
        """What the comments of a family say."""
        if name not in self._comments:
            text = self.sources[name].path.read_text(encoding="utf-8")
            self._comments[name] = set(_comments(text))
        return self._comments[name]


def fix(
    directory: Path, names: Collection[str] | None = None, *, write: bool
) -> tuple[list[Fixed], list[Problem]]:
    """The files that are written otherwise than in the one layout, and those that can't be mended.

    Args:
        directory: the data directory.
        names: records, families and other files by name or id; all if None.
        write: replace them, each whole or not at all.

    Raises:
        DataError: files that can't be read.
    """
    load.require(directory)
    known = Known(directory)
    fixed: list[Fixed] = []
    problems: list[Problem] = []
    for folder, paths in load.paths(directory).items():
        for path in paths:
            source = path.read_bytes()
            if (
                names is not None
                and load.read(path, folder, source, known.sources).name not in names
            ):
                continue
            before = source.decode()
            try:
                after = mended(path, folder, before, known)
            except DataError as error:
                problems += error.problems
                continue
            if after != before:
                fixed.append(Fixed(path, before, after))
    if write:
        for found in fixed:
            atomic.write(found.path, found.after)
    return fixed, problems


def mended(path: Path, folder: str, text: str, known: Known) -> str:
    """A file as it should be written.

    Raises:
        DataError: it can't be read, or would lose something by it.
    """
    before = load.read(path, folder, text.encode(), known.sources).item
    data = load.plain(path, text)
    notes: dict[Place, Note] = {}
    groups: dict[Place, str] = {}
    gone: Counter[str] = Counter()
    if has_more(text):
        notes, groups = _notes(text)
    if isinstance(before, Record):
        data = _without_references(data, before, notes)
        if names := data.get(families.LIKE):
            alike = [known.sources[n].item for n in ([names] if isinstance(names, str) else names)]
            whole = load.plain(path, text, known.sources)
            whole = {key: whole.get(key, data[key]) for key in data if key in whole}
            hints = {
                (kind, number): item[families.LIKE]
                for kind in ("caveats", "checks")
                for number, item in enumerate(data.get(kind) or ())
                if isinstance(item, Mapping) and families.LIKE in item
            }
            made = folding.folded(whole | _of(data, "references"), alike, hints)
            data, gone = _commented(made, whole, alike, notes, known)
    data = layout.ordered(data)
    notes = {place: note for place, note in notes.items() if _at(data, place)}
    after = layout.text(data, notes | _named(data, notes, groups))
    try:
        same = load.read(path, folder, after.encode(), known.sources).item == before
    except DataError:
        same = False
    if not same or (has_more(text) and _comments(after) + gone != _comments(text)):
        raise DataError([Problem(path, 1, _UNMENDED, "one-layout")])
    return after


_UNMENDED = Message("`lint --fix` would change what it says, and leaves it as it is")


def has_more(text: str) -> bool:
    """Whether a file has what its data doesn't: comments, or names of values."""
    return _MORE.search(text) is not None


def _of(data: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: data[key] for key in keys if key in data}


def _without_references(
    data: dict[str, Any], record: Record, notes: Mapping[Place, Note]
) -> dict[str, Any]:
    """A record without the references that follow from its names."""
    written = data.get("references", [])
    targets = [{"api": t.api, "expression": t.expression} for t in record.targets]
    kept = references.needed(record.torch, targets, written)
    if len(kept) == len(written) or any(place[0] == "references" for place in notes):
        return data
    return {k: v for k, v in data.items() if k != "references"} | (
        {"references": kept} if kept else {}
    )


def _commented(
    made: dict[str, Any], whole: Mapping[str, Any], alike: Sequence[Family],
    notes: Mapping[Place, Note], known: Known,
) -> tuple[dict[str, Any], Counter[str]]:  # fmt: skip
    """A record that leaves things to its families, and the comments that went with that.

    An entry with a comment that no family has stays as it is.
    """
    said = {c for f in alike for c in known.comments(f.id)}
    gone: Counter[str] = Counter()
    for place, note in notes.items():
        if _at(made, place) or not _at(whole, place):
            continue
        comments = [*note.above, *([note.beside] if note.beside else [])]
        if set(comments) <= said:
            gone.update(comments)
        else:
            kind, number = str(place[0]), int(place[1])
            made[kind] = [*made[kind][:number], whole[kind][number], *made[kind][number + 1 :]]
    return made, gone


def _at(data: Any, place: Place) -> bool:
    """Whether something stands at a place."""
    if place == layout.END:
        return True
    for key in place:
        inside = dict(_pairs(data))
        if key not in inside:
            return False
        data = inside[key]
    return True


def _pairs(data: Any) -> Iterable[tuple[str | int, Any]]:
    """What a value holds, by its keys or places."""
    if isinstance(data, Mapping):
        return data.items()
    return enumerate(data) if isinstance(data, list) else ()


def _named(
    data: Any, notes: Mapping[Place, Note], groups: Mapping[Place, str]
) -> dict[Place, Note]:
    """Notes that say of values that are one which comes first: others refer to it by its name."""
    counts = Counter(name for place, name in groups.items() if _at(data, place))
    seen: set[str] = set()
    made: dict[Place, Note] = {}
    for place in _places(data, groups, seen):
        name = groups[place]
        note = notes.get(place, Note())
        if counts[name] > 1:
            made[place] = replace(note, alias=name) if name in seen else replace(note, anchor=name)
        seen.add(name)
    return made


def _places(
    data: Any, groups: Mapping[Place, str], seen: Collection[str], at: Place = ()
) -> Iterator[Place]:
    """The places with a name as they are written, but for those in what stands for another."""
    inside = True
    if at in groups:
        inside = groups[at] not in seen
        yield at
    if inside:
        for key, value in _pairs(data):
            yield from _places(value, groups, seen, (*at, key))


def _notes(text: str) -> tuple[dict[Place, Note], dict[Place, str]]:
    """Comments by the place that they stand at, and names of values by theirs."""
    from ruamel.yaml import YAML

    node = YAML().compose(text)
    lines: dict[int, Place] = {}
    groups: dict[Place, str] = {}
    for place, line, name in _nodes(node, ()):
        # What begins in a line: the outermost.
        lines.setdefault(line, place)
        if name:
            groups[place] = name
    notes: dict[Place, Note] = {}
    begun = sorted(lines)
    written = text.split("\n")
    for line, column, comment in _found(text):
        alone = not written[line][:column].strip()
        if alone:
            place = next((lines[n] for n in begun if n > line), layout.END)
            note = notes.get(place, Note())
            notes[place] = replace(note, above=(*note.above, comment))
        else:
            place = next(lines[n] for n in reversed(begun) if n <= line)
            note = notes.get(place, Note())
            notes[place] = replace(note, beside=f"{note.beside}  {comment}".strip())
    return notes, groups


def _nodes(
    node: Any, at: Place, seen: frozenset[int] = frozenset()
) -> Iterator[tuple[Place, int, str]]:
    """Every value below a node with its place, the line that it begins in, and its name."""
    pairs: Sequence[tuple[Any, Any, Any]] = ()
    if isinstance(node.value, list) and node.value and isinstance(node.value[0], tuple):
        pairs = [(key.value, key, value) for key, value in node.value]
    elif isinstance(node.value, list):
        pairs = [(number, item, item) for number, item in enumerate(node.value)]
    for key, begins, value in pairs:
        place = (*at, key)
        # What stands for another one stands elsewhere.
        yield place, begins.start_mark.line, value.anchor or ""
        yield from _nodes(value, place)


def _found(text: str) -> list[tuple[int, int, str]]:
    """The comments of a text: line, column, and what they say."""
    from ruamel.yaml import YAML

    lines = text.split("\n")
    found: dict[int, tuple[int, str]] = {}
    for token in YAML().scan(text):
        for comment in _flat(getattr(token, "comment", None)):
            mark = token.start_mark if isinstance(comment, str) else comment.start_mark
            said = comment if isinstance(comment, str) else comment.value
            for number, part in enumerate(said.split("\n")):
                if (words := part.strip()).startswith("#"):
                    # Behind a block of lines the mark is a line too far.
                    near = (mark.line + number, mark.line + number - 1)
                    line = next(n for n in near if lines[n].rstrip().endswith(words))
                    found[line] = (lines[line].rindex(words), words)
    return sorted((line, column, said) for line, (column, said) in found.items())


def _flat(comment: Any) -> Iterator[Any]:
    if isinstance(comment, list | tuple):
        for part in comment:
            yield from _flat(part)
    elif comment is not None:
        yield comment


def _comments(text: str) -> Counter[str]:
    """What the comments of a text say, and how often."""
    return Counter(said for _, _, said in _found(text))
