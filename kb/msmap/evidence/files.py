"""Outcomes of checks: one file per environment, sorted, a line each, replaced whole.

A line only names variants that agree, and details what differs. It keeps no size of an error:
rounding moves it from one processor to the next.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from msmap.errors import EvidenceError
from msmap.evidence import likeness, names
from msmap.evidence.likeness import Text
from msmap.messages import Message
from msmap.model import Finding
from msmap.problems import Problem
from msmap.vocabulary import OUTCOMES, UNTESTABLE_REASONS, VARIANT_OUTCOMES, VARIANTS


@dataclass(frozen=True, slots=True)
class Line:
    """The outcome of one check, and the hash of what ran."""

    record: str
    check: str
    hash: str
    outcome: str
    reason: str = ""
    message: str = ""
    gradient: str = ""
    torch_gave: str = ""
    mindspore_gave: str = ""
    variants: dict[str, Finding] = field(default_factory=dict)


def read(path: Path, problems: list[Problem] | None = None) -> dict[tuple[str, str], Line]:
    """The outcomes in a file, by record and check.

    Args:
        path: the file.
        problems: takes what is wrong and where; the rest is read. None: nothing may be wrong.

    Raises:
        EvidenceError: a line is not what ``write`` writes, or the file is told by one that isn't
            beside it, and ``problems`` is None.
    """
    return _read(likeness.scan(path), {}, {}, problems)


def _read(
    file: Text, known: dict[Path, Text], parsed: dict[bytes, Line],
    problems: list[Problem] | None,
) -> dict[tuple[str, str], Line]:  # fmt: skip
    """The same of a file that was scanned, as others may have been.

    Lines that were parsed before are taken from what they gave.
    """
    said: list[Problem] = []
    found: dict[tuple[str, str], Line] = {}
    for place, number, text in likeness.whole(file, said, known):
        line = parsed.get(text)
        if line is None:
            try:
                line = parsed[text] = _line(json.loads(text.decode("utf-8")))
            except (ValueError, TypeError, AttributeError) as error:
                # What the full file has wrong is said where it is read itself.
                if place == file.path or problems is None:
                    said.append(Problem(place, number, _advice(text, error), "evidence"))
                continue
        found[line.record, line.check] = line
    if problems is None and said:
        raise EvidenceError("{}:{}: {}", said[0].path, said[0].line, said[0].message)
    if problems is not None:
        problems += said
    return found


# What git writes where two sides of a merge differ.
_MARKERS = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")


def _advice(text: bytes, error: Exception) -> Message:
    """What is wrong with a line, and what to do."""
    if text.startswith(_MARKERS):
        return Message(
            "a conflict of a merge; take one side whole with `git checkout --ours` or `--theirs`, "
            "then `msmap verify` runs what it lacks"
        )
    return Message(
        "not a line of evidence ({}); delete it, and `msmap verify` runs its check again", error
    )


def _line(data: Any) -> Line:
    plain = {k: v for k, v in data.items() if k not in _GROUPS}
    if "gradient" not in plain:
        plain["gradient"] = _GRADIENT.get(data.get("outcome"), "")
    line = Line(**plain, variants=_variants(data))
    _check_kinds(line)
    if line.outcome not in OUTCOMES:
        raise ValueError(f'outcome "{line.outcome}": one of {", ".join(OUTCOMES)}')
    if line.reason and line.reason not in UNTESTABLE_REASONS:
        raise ValueError(f'reason "{line.reason}": one of {", ".join(UNTESTABLE_REASONS)}')
    return line


def _check_kinds(item: Line | Finding) -> None:
    """Raise ValueError unless all but the variants is text."""
    for name in _TEXTS[item.__class__]:
        value = getattr(item, name)
        if not isinstance(value, str):
            raise ValueError(f"{name} is {value!r}")


_TEXTS = {
    kind: tuple(field.name for field in fields(kind) if field.name != "variants")
    for kind in (Line, Finding)
}


# What the gradients of most checks with an outcome are: not written.
_GRADIENT = {name: row.gradient for name, row in OUTCOMES.items()}
# Outcomes of variants that need no words: the variants are named in a text.
_NAMED = ("agrees", "forward_only", "refused", "no_kernel")
_GROUPS = (*_NAMED, "variants")


def _variants(data: Any) -> dict[str, Finding]:
    """The findings that a line tells in groups."""
    named = _named(*(data.get(outcome, "") for outcome in _NAMED))
    if "variants" not in data:
        return named
    found = dict(named)
    for name, fields_ in data["variants"].items():
        found[name] = Finding(**fields_)
        _check_kinds(found[name])
    return _known(found)


@lru_cache(maxsize=1 << 12)
def _named(*groups: str) -> dict[str, Finding]:
    """The findings of variants that are named alone; most checks have the same, as one object."""
    found: dict[str, Finding] = {}
    for finding, named in zip(_PLAIN.values(), groups, strict=True):
        found |= dict.fromkeys(named.split(), finding)
    return _known(found)


def _known(found: dict[str, Finding]) -> dict[str, Finding]:
    """Findings in the order of variants; ValueError if there is no such variant or outcome."""
    for name, finding in found.items():
        if name not in VARIANTS or finding.outcome not in VARIANT_OUTCOMES:
            raise ValueError(f'variant "{name}" with outcome "{finding.outcome}"')
    return {name: found[name] for name in VARIANTS if name in found} if found else found


# What says no more than its outcome is the same for all.
_PLAIN = {outcome: Finding(outcome) for outcome in _NAMED}


def _grouped(line: Line) -> dict[str, Any]:
    """The same findings as a line of text has them."""
    groups: dict[str, Any] = {"variants": {}}
    named: dict[str, list[str]] = {outcome: [] for outcome in _NAMED}
    # In one order, whatever order they ran in.
    for name in (name for name in VARIANTS if name in line.variants):
        f = line.variants[name]
        if f.outcome not in _NAMED:
            groups["variants"][name] = {k: v for k, v in asdict(f).items() if _says(v)}
        else:
            named[f.outcome].append(name)
    return groups | {outcome: " ".join(names) for outcome, names in named.items()}


def read_all(
    directory: Path,
    mindspore: str | None = None,
    problems: list[Problem] | None = None,
    about: Collection[str] | None = None,
    known: dict[Path, Text] | None = None,
) -> dict[str, dict[tuple[str, str], Line]]:
    """The evidence of every environment, or of those with one MindSpore, newest release last.

    Args:
        directory: where the files are.
        mindspore: a release; all if None.
        problems: as for ``read``.
        about: the records and guides whose evidence is wanted; all if None.
        known: files that were scanned already, by path.
    """
    known = {} if known is None else known
    parsed: dict[bytes, Line] = {}
    found = {}
    for name in names.ordered(path.stem for path in directory.glob("*.jsonl")):
        if mindspore is None or names.parse(name).mindspore in ("", mindspore):
            file = likeness.scanned(directory / f"{name}.jsonl", known)
            if about is not None:
                mine = {owner: file.records[owner] for owner in about if owner in file.records}
                file = replace(file, records=mine)
            found[name] = _read(file, known, parsed, problems)
    return found


def write(path: Path, lines: Iterable[Line]) -> None:
    """Replace the file with these outcomes, sorted; nothing half-written is ever seen.

    Files of other releases beside it that are told by what differs from it go on saying the same.
    """
    records: dict[str, list[bytes]] = {}
    for line in sorted(lines, key=lambda li: (li.record, li.check)):
        records.setdefault(line.record, []).append(_written(line))
    likeness.write(path, records)


def _written(line: Line) -> bytes:
    """A line of the file: short, because there are to be tens of thousands."""
    data = {f.name: getattr(line, f.name) for f in fields(line) if f.name != "variants"}
    usual = _GRADIENT.get(line.outcome, "")
    said = {k: v for k, v in (data | _grouped(line)).items() if _says(v)}
    if line.gradient == usual:
        said.pop("gradient", None)
    else:
        said["gradient"] = line.gradient
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


def _says(value: Any) -> bool:
    return value not in ("", {})


def merge(path: Path, lines: Iterable[Line], owned: Mapping[str, Collection[str]]) -> None:
    """Put new outcomes into a file; those of checks that an owner no longer has are dropped.

    Args:
        path: the evidence file of an environment; made if missing.
        lines: what came out.
        owned: record or guide to the ids of the checks that it has now.
    """
    # What can't be read has to run again.
    kept = read(path, []) if path.exists() else {}
    kept = {k: v for k, v in kept.items() if k[0] not in owned or k[1] in owned[k[0]]}
    write(path, (kept | {(line.record, line.check): line for line in lines}).values())
