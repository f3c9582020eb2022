"""Evidence of several environments: found by name, merged from other machines, compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from msmap.database import ANSWERS_VERSION
from msmap.errors import UnknownEnvironment
from msmap.evidence import files as evidence
from msmap.evidence import names
from msmap.evidence.files import Line
from msmap.vocabulary import OUTCOMES

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A check that two environments say different things of: field to what each says."""

    record: str
    check: str
    fields: dict[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of the lines of one file.

    ``conflicts`` are checks whose outcomes differ although the same code ran: ours stay. Lines of
    checks that are gone (``unknown``) or have changed since (``outdated``), and those that say
    nothing where ours say something (``inconclusive``), are left out.
    """

    path: Path
    taken: int
    same: int
    conflicts: tuple[Change, ...]
    inconclusive: int
    outdated: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the evidence of two environments differs, the worst first."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    environments: tuple[str, str]
    changes: tuple[Change, ...]
    only_first: tuple[Key, ...]
    only_second: tuple[Key, ...]
    same: int


def find(directory: Path, wanted: str) -> Path:
    """The evidence file that a name, a part of a name that only one has, or a path means.

    Raises:
        UnknownEnvironment: none or several.
    """
    known = sorted(directory.glob("*.jsonl"))
    exact = [path for path in known if path.stem == wanted]
    if exact:
        return exact[0]
    if Path(wanted).is_file():
        return Path(wanted)
    found = [path for path in known if wanted in path.stem]
    if len(found) == 1:
        return found[0]
    listed = "".join(f"\n  {path.stem}" for path in found or known) or " none"
    said = f"means {len(found)} environments:" if found else "is no environment; known are:"
    raise UnknownEnvironment('"{}" {}{}', wanted, said, listed)


def compare(first: Path, second: Path) -> Comparison:
    """The checks of which two evidence files say different things, or only one says anything.

    Raises:
        EvidenceError: a file is broken.
    """
    left, right = evidence.read(first), evidence.read(second)
    shared = sorted(left.keys() & right.keys())
    changes = [_change(left[key], right[key]) for key in shared if left[key] != right[key]]
    changes.sort(key=lambda c: _badness(left[c.record, c.check], right[c.record, c.check]))
    alike = first.stem == second.stem
    return Comparison(
        environments=(str(first), str(second)) if alike else (first.stem, second.stem),
        changes=tuple(changes),
        only_first=tuple(sorted(left.keys() - right.keys())),
        only_second=tuple(sorted(right.keys() - left.keys())),
        same=len(shared) - len(changes),
    )


def merge(
    directory: Path, files: Sequence[Path], hashes: Callable[[str], Mapping[Key, str]]
) -> list[Merged]:
    """Put the evidence in files into that of a directory, environment by environment.

    Nothing is written before everything is read.

    Args:
        directory: where evidence is kept.
        files: evidence files, named after their environment.
        hashes: the hash of every check as it is in a MindSpore release: what fits, and what not.

    Raises:
        UnknownEnvironment: a file is not named after one.
        EvidenceError: a file is broken.
    """
    for path in files:
        named = names.parse(path.stem)
        if path.suffix != ".jsonl" or not (named.torch and named.mindspore and named.device):
            raise UnknownEnvironment(
                "{}: an evidence file is named after what it ran on, such as "
                "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64.jsonl",
                path,
            )
    # A check is ported otherwise, and so has another hash, where a release differs.
    current = {r: hashes(r) for r in {names.parse(path.stem).mindspore for path in files}}
    ours = evidence.read_all(directory, problems=[])
    read = [(path, evidence.read(path)) for path in files]
    done: list[Merged] = []
    changed: set[str] = set()
    for path, theirs in read:
        kept = ours.setdefault(path.stem, {})
        mine = current[names.parse(path.stem).mindspore]
        done.append(_merge(path, kept, theirs, mine))
        if done[-1].taken:
            changed.add(path.stem)
    for name in sorted(changed):
        evidence.write(directory / f"{name}.jsonl", ours[name].values())
    return done


def _merge(
    path: Path, ours: dict[Key, Line], theirs: Mapping[Key, Line], hashes: Mapping[Key, str]
) -> Merged:
    taken = same = inconclusive = outdated = unknown = 0
    conflicts: list[Change] = []
    for key, line in theirs.items():
        mine = ours.get(key)
        if key not in hashes:
            unknown += 1
        elif line.hash != hashes[key]:
            outdated += 1
        elif mine == line:
            same += 1
        elif mine is None or mine.hash != hashes[key] or mine.outcome == "inconclusive":
            ours[key] = line
            taken += 1
        elif line.outcome == "inconclusive":
            inconclusive += 1
        else:
            conflicts.append(_change(mine, line))
    return Merged(path, taken, same, tuple(conflicts), inconclusive, outdated, unknown)


def _change(left: Line, right: Line) -> Change:
    one, other = asdict(left), asdict(right)
    fields = {name: (one[name], other[name]) for name in one if one[name] != other[name]}
    return Change(left.record, left.check, fields)


def _badness(left: Line, right: Line) -> tuple[bool, int, str, str]:
    """Other outcomes before other numbers; then by the worse outcome of the two."""
    worst = min(OUTCOMES[line.outcome].worth for line in (left, right))
    return left.outcome == right.outcome, worst, left.record, left.check
