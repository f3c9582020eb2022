"""Evidence files of a family of environments: the earlier releases' as what differs from one.

A family is what differs in MindSpore's release alone. One of its files, that of the newest release
that ran everything, stands in full. Each other begins with a line ``{"like": NAME}`` that names it,
and has for every record of which it holds lines of the full file one that says so::

    {"record":"torch.abs","as":"0c25851cf9a0","without":"sign"}

``as`` is the digest of the full file's lines of that record: were they to change, nothing would be
said of this release that it didn't show. ``without`` names checks that have no line here. The lines
that follow stand instead of the full file's, or beside them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msmap import atomic
from msmap.errors import EvidenceError
from msmap.evidence import names
from msmap.messages import Message
from msmap.problems import Problem
from msmap.releases import order

# As many of the full file's records must a newer release's file have to take its place.
_ENOUGH = 0.9


@dataclass(slots=True)
class Text:
    """A file as its lines by record, with where each stands; ``like`` names the full file."""

    path: Path
    like: str = ""
    records: dict[str, list[bytes]] = field(default_factory=dict)
    numbers: dict[str, list[int]] = field(default_factory=dict)


def scan(path: Path, data: bytes | None = None) -> Text:
    """A file cut into lines, none of which but those of this module are looked into.

    A line that names no record stands under "", to be refused by who reads it.

    Args:
        path: where it is.
        data: what stands in it, if that was read already.
    """
    found = Text(path)
    # Neighbours are mostly of one record.
    head, lines, numbers = b"\n", [b""], [0]
    for number, line in enumerate((path.read_bytes() if data is None else data).splitlines(), 1):
        if not line.startswith(head):
            if number == 1 and line.startswith(b'{"like":'):
                found.like = str(_loaded(line).get("like", ""))
                continue
            record = _record(line)
            head = line[: line.index(b'"', 11) + 1] if line.startswith(_RECORD) else b"\n"
            lines = found.records.setdefault(record, [])
            numbers = found.numbers.setdefault(record, [])
        lines.append(line)
        numbers.append(number)
    return found


_RECORD = b'{"record":"'


def scanned(path: Path, known: dict[Path, Text]) -> Text:
    """A file cut into lines, as ``known`` has it, or will have it then."""
    if path not in known:
        known[path] = scan(path)
    return known[path]


def _record(line: bytes) -> str:
    if line.startswith(_RECORD):
        return line[11 : line.index(b'"', 11)].decode("utf-8", "replace")
    return str(_loaded(line).get("record", ""))


def _loaded(line: bytes) -> dict[str, object]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def whole(
    file: Text, problems: list[Problem], known: dict[Path, Text]
) -> Iterable[tuple[Path, int, bytes]]:
    """Every line of evidence of a file with the place that it stands at, by record.

    Args:
        file: of some records or all.
        problems: takes what can't be told, because the full file says something else now than
            what this one was made from, or isn't there.
        known: files that were scanned already, by path, and more by and by.
    """
    full = _full_of(file, problems, known)
    for record, lines in file.records.items():
        numbers = file.numbers[record]
        if not _implies(lines[0]):
            yield from ((file.path, n, line) for n, line in zip(numbers, lines, strict=True))
            continue
        theirs = full.records.get(record, []) if full else []
        try:
            implied = set(unpacked(lines, theirs)) - set(lines)
        except ValueError as error:
            implied = set()
            if full is not None:
                problems.append(Problem(file.path, numbers[0], Message("{}", error), "evidence"))
        if full is not None:
            places = zip(full.numbers.get(record, ()), theirs, strict=True)
            yield from ((full.path, n, line) for n, line in places if line in implied)
        rest = zip(numbers[1:], lines[1:], strict=True)
        yield from ((file.path, n, line) for n, line in rest)


def _full_of(file: Text, problems: list[Problem], known: dict[Path, Text]) -> Text | None:
    """The file that another is told by; None if it stands in full itself, or is no good."""
    if not file.like:
        return None
    path = file.path.with_name(f"{file.like}.jsonl")
    if path not in known and not path.is_file():
        wrong = Message("says what differs from {}, which is not beside it; copy both", path.name)
        problems.append(Problem(file.path, 1, wrong, "evidence"))
        return None
    full = scanned(path, known)
    if full.like:
        wrong = Message(
            "says what differs from {}, which stands not in full; restore both with `git checkout`",
            path.name,
        )
        problems.append(Problem(file.path, 1, wrong, "evidence"))
        return None
    return full


def _implies(line: bytes) -> bool:
    return b'"as":' in line and "as" in _loaded(line)


def packed(record: str, own: list[bytes], full: list[bytes]) -> list[bytes]:
    """A record's lines as what differs from the full file's."""
    mine, theirs = _by_check(own), _by_check(full)
    if not any(mine.get(check) == line for check, line in theirs.items()):
        return own
    head = {"record": record, "as": _digest(full)}
    if without := [check for check in theirs if check not in mine]:
        head["without"] = " ".join(without)
    other = [line for check, line in mine.items() if theirs.get(check) != line]
    return [_dumped(head), *other]


def unpacked(lines: list[bytes], full: list[bytes]) -> list[bytes]:
    """A record's own lines, from what is told of them and the full file's.

    Raises:
        ValueError: the full file's have changed since.
    """
    if not lines or not _implies(lines[0]):
        return lines
    head = _loaded(lines[0])
    if head["as"] != _digest(full):
        raise ValueError(
            f"other lines of {head['record']} are meant than stand in the full file; restore "
            "both files with `git checkout`, or delete this line and run `msmap verify`"
        )
    gone = str(head.get("without", "")).split()
    if len(lines) == 1 and not gone:
        return full
    theirs = {check: line for check, line in _by_check(full).items() if check not in gone}
    return [line for _, line in sorted((theirs | _by_check(lines[1:])).items())]


def _by_check(lines: Iterable[bytes]) -> dict[str, bytes]:
    return {_check(line): line for line in lines}


# How a line begins that was written here: nearly none has to be parsed to be told from others.
_HEAD = re.compile(rb'\{"record":"[^"\\]*","check":"([\w-]+)"')


def _check(line: bytes) -> str:
    head = _HEAD.match(line)
    return head[1].decode() if head else str(_loaded(line).get("check"))


def _digest(lines: list[bytes]) -> str:
    return hashlib.sha256(b"\n".join(lines)).hexdigest()[:12]


def _dumped(data: Mapping[str, str]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def write(path: Path, records: dict[str, list[bytes]]) -> None:
    """Replace a file, and what its family says of it, so that every other release says the same.

    Whoever is stopped in between leaves files that say so too.

    Raises:
        EvidenceError: what a file says can't be told any more.
    """
    try:
        _write(path, records)
    except ValueError as error:
        raise EvidenceError("{}: {}", path.parent, error) from None


def _write(path: Path, records: dict[str, list[bytes]]) -> None:
    family = {file.path: file for file in map(scan, _family(path))}
    old = family.pop(path, Text(path))
    full = next((file for file in reversed(family.values()) if not file.like), None)
    if full is None or any(file.like == path.stem for file in family.values()):
        _write_full(old, records, [file for file in family.values() if file.like == path.stem])
    elif _age(path) > _age(full.path) and len(records) >= _ENOUGH * len(full.records):
        _save(Text(path, "", records))
        _follow(Text(path, "", records), full, list(family.values()))
    else:
        _save(_told(Text(path, "", records), full))


def _family(path: Path) -> list[Path]:
    """The files that differ in MindSpore's release alone from one, oldest first, with it."""
    mine = names.parse(path.stem)
    if not mine.mindspore:
        return [path] if path.exists() else []
    found = [p for p in path.parent.glob("*.jsonl") if names.parse(p.stem).mindspore]
    alike = [p for p in found if names.parse(p.stem).elsewhere == mine.elsewhere]
    return sorted(alike, key=_age)


def _age(path: Path) -> list[tuple[bool, int, str]]:
    return order(names.parse(path.stem).mindspore)


def _write_full(old: Text, records: dict[str, list[bytes]], others: list[Text]) -> None:
    """The full file, after those that it is implied by have said what they meant in full."""
    new = Text(old.path, "", records)
    changed = {
        record
        for record in old.records.keys() | records.keys()
        if old.records.get(record) != records.get(record)
    }
    meant = []
    for file in others:
        touched = {r: lines for r, lines in file.records.items() if r in changed}
        own = {r: unpacked(lines, old.records.get(r, [])) for r, lines in touched.items()}
        meant.append(own)
        if own != touched:
            _save(Text(file.path, file.like, file.records | own))
    _save(new)
    for file, own in zip(others, meant, strict=True):
        told = {r: packed(r, lines, records.get(r, [])) for r, lines in own.items()}
        if told != own or any(file.records[r] != lines for r, lines in told.items()):
            _save(Text(file.path, file.like, file.records | told))


def _follow(new: Text, old: Text, others: list[Text]) -> None:
    """Let all that was told by one full file be told by another; the old one is the last."""
    for file in (*(o for o in others if o.like == old.path.stem), old):
        given = old.records if file is not old else {}
        own = {r: unpacked(lines, given.get(r, [])) for r, lines in file.records.items()}
        _save(_told(Text(file.path, "", own), new))


def _told(file: Text, full: Text) -> Text:
    told = {r: packed(r, lines, full.records.get(r, [])) for r, lines in file.records.items()}
    return Text(file.path, full.path.stem, told)


def _save(file: Text) -> None:
    head = [_dumped({"like": file.like})] if file.like else []
    lines = [*head, *(line for _, lines in sorted(file.records.items()) for line in lines)]
    atomic.write(file.path, "".join(f"{line.decode()}\n" for line in lines))
