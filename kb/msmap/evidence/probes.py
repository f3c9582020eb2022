"""What probing found: one file per environment, sorted, a line a name, replaced whole.

What is as usual is left out of a line, and a tally is ``[agreed, tried]``; lines keep no size of an
error, for the reason that evidence of checks keeps none.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from msmap import atomic
from msmap.errors import EvidenceError
from msmap.evidence import names
from msmap.messages import Message
from msmap.probed import Candidate, Cell, Difference, Probe, Tally
from msmap.problems import Problem
from msmap.sample_words import GAPS, KINDS, ORIGINS
from msmap.vocabulary import FOUND, NOT_PROBED, PROBE_OUTCOMES

# Where the files stand below a data directory.
FOLDER = "probes"


def path(data: Path, environment: str) -> Path:
    """The file of an environment below a data directory."""
    return data / FOLDER / f"{environment}.jsonl"


def read(path: Path, problems: list[Problem] | None = None) -> dict[str, Probe]:
    """The probes in a file, by PyTorch name.

    Args:
        path: the file.
        problems: takes what is wrong and where; the rest is read. None: nothing may be wrong.

    Raises:
        EvidenceError: a line is not what ``write`` writes, and ``problems`` is None.
    """
    found: dict[str, Probe] = {}
    for number, text in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            probe = parse(text)
            if probe.name in found:
                raise ValueError(Message("{} is listed twice", probe.name))
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            said = Message(
                "not a probe ({}); delete it, and `msmap probe` runs its name again", error
            )
            if problems is None:
                raise EvidenceError("{}:{}: {}", path, number, said) from None
            problems.append(Problem(path, number, said, "evidence"))
            continue
        found[probe.name] = probe
    return found


def scan(path: Path) -> Iterator[tuple[int, str, bytes]]:
    """The lines of a file as they stand, each with its number and the name that it is of.

    A name costs next to nothing; what isn't written as ``write`` writes it has none.
    """
    for number, text in enumerate(path.read_bytes().splitlines(), start=1):
        head, _, _ = text.removeprefix(_HEAD).partition(b'"')
        yield number, head.decode(errors="replace") if text.startswith(_HEAD) else "", text


_HEAD = b'{"name":"'


def read_all(
    directory: Path, mindspore: str | None = None, problems: list[Problem] | None = None
) -> dict[str, dict[str, Probe]]:
    """The probes of every environment, or of those with one MindSpore, newest release last.

    Args:
        directory: where the files are.
        mindspore: a release; all if None.
        problems: as for ``read``.
    """
    return {
        name: read(directory / f"{name}.jsonl", problems)
        for name in names.ordered(path.stem for path in directory.glob("*.jsonl"))
        if mindspore is None or names.parse(name).mindspore in ("", mindspore)
    }


def write(path: Path, probes: Iterable[Probe]) -> None:
    """Replace the file with these probes, sorted by name; nothing half-written is ever seen."""
    lines = (line(probe) for probe in sorted(probes, key=lambda p: p.name))
    atomic.write(path, "".join(f"{text}\n" for text in lines))


def merge(path: Path, probes: Iterable[Probe], known: Collection[str]) -> None:
    """Put new probes into a file; those of names that PyTorch no longer has are dropped.

    Args:
        path: the file of an environment; made if missing.
        probes: what was found.
        known: the names that PyTorch has now.
    """
    # What can't be read has to run again.
    kept = read(path, []) if path.exists() else {}
    kept = {name: probe for name, probe in kept.items() if name in known}
    write(path, (kept | {probe.name: probe for probe in probes}).values())


def line(probe: Probe) -> str:
    """The line that says a probe: what is as usual is left out."""
    return json.dumps(_plain(probe), ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    match value:
        case Tally(agreed, tried):
            return [agreed, tried]
        case Cell(dtype, kinds, given, count):
            return [dtype, list(kinds), list(given), count]
        case Probe() | Candidate() | Difference():
            told = ((f.name, getattr(value, f.name)) for f in fields(value))
            return {key: _plain(item) for key, item in told if item not in _USUAL}
        case Mapping():
            return {key: _plain(item) for key, item in value.items()}
        case tuple():
            return [_plain(item) for item in value]
    return value


_USUAL: tuple[Any, ...] = ("", {}, (), Tally(), 0)


def parse(text: bytes | str) -> Probe:
    """The probe that a line says.

    Raises:
        ValueError, TypeError, AttributeError, KeyError: it says none.
    """
    data: dict[str, Any] = json.loads(text)
    candidates = tuple(_candidate(item) for item in data.pop("candidates", ()))
    probe = Probe(**data, candidates=candidates)
    _check(probe.reason, NOT_PROBED, "reason")
    _check_all(probe.samples, ORIGINS, "origin")
    _check_all(probe.gaps, GAPS, "gap")
    if not isinstance(probe.name, str) or not isinstance(probe.hash, str):
        raise ValueError("name and hash are texts")
    if not isinstance(probe.limit, int):
        raise ValueError("limit is a number")
    return probe


def _candidate(data: dict[str, Any]) -> Candidate:
    tallies = {key: _tally(data[key]) for key in _TALLIES if key in data}
    splits = {key: {k: _tally(v) for k, v in data[key].items()} for key in _SPLITS if key in data}
    differences = tuple(_difference(item) for item in data.get("differences", ()))
    read: dict[str, Any] = {**data, **tallies, **splits, "differences": differences}
    found = Candidate(**read)
    _check(found.found, FOUND, "found")
    _check_all(found.kinds, KINDS, "kind")
    return found


_TALLIES = ("values", "gradients", "errors")
_SPLITS = ("dtypes", "kinds")


def _tally(pair: Any) -> Tally:
    agreed, tried = pair
    if not (isinstance(agreed, int) and isinstance(tried, int) and 0 <= agreed <= tried):
        raise ValueError(f"tally {pair!r}")
    return Tally(agreed, tried)


def _difference(data: dict[str, Any]) -> Difference:
    read: dict[str, Any] = {k: tuple(v) if k in ("dtypes", "kinds") else v for k, v in data.items()}
    found = Difference(**read | {"cells": tuple(_cell(*cell) for cell in data.get("cells", ()))})
    _check(found.outcome, PROBE_OUTCOMES, "outcome")
    _check_all(found.kinds, KINDS, "kind")
    return found


def _cell(dtype: str, kinds: list[str], given: list[str], count: int) -> Cell:
    return Cell(dtype, tuple(kinds), tuple(given), count)


def _check_all(words: Iterable[str], known: Collection[str], what: str) -> None:
    for word in words:
        _check(word, known, what)


def _check(word: str, known: Collection[str], what: str) -> None:
    if word and word not in known:
        raise ValueError(f'{what} "{word}": one of {", ".join(known)}')
