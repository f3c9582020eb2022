"""What stands below a data directory now, told by digests, so that what changed is seen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msmap.curated import load
from msmap.evidence import likeness, probes
from msmap.evidence.likeness import Text


# Frozen, it would take longer to be unpickled.
@dataclass(slots=True)
class Seen:
    """Digests of all there is to read: of the whole, of files, of evidence by its owner.

    ``world`` is of all that every record depends on; ``ledgers`` are the files of evidence,
    ``probes`` digests of what probing found, by name. Paths are texts: there are thousands, and
    they are kept.
    """

    world: bytes
    files: dict[str, bytes]
    ledgers: dict[str, bytes]
    evidence: dict[str, bytes]
    probes: dict[str, bytes]


@dataclass(slots=True)
class Look:
    """What was seen, and the bytes that it was seen in: what is read of them is what was seen."""

    seen: Seen
    written: dict[str, bytes]
    ledgers: dict[Path, bytes]

    def scanned(self) -> dict[Path, Text]:
        """The files of evidence, cut into lines."""
        return {path: likeness.scan(path, data) for path, data in self.ledgers.items()}


def look(directory: Path, generation: int, every: bool, before: Seen | None = None) -> Look:
    """What stands below a directory now.

    A file whose content may be used without being read is in the whole by its name alone.

    Args:
        directory: the data directory.
        generation: as for ``content.read``.
        every: with the earlier releases.
        before: an earlier look, of which evidence that is the same needn't be told by owner again.
    """
    found = load.paths(directory)
    paths = [path for folder in found.values() for path in folder]
    written = {str(path): path.read_bytes() for path in paths if path.is_file()}
    world = [str(directory), str(generation), str(every), *map(str, paths)]
    for path in sorted((directory / "signatures").glob("*.jsonl")):
        world += [str(path), _digest(path.read_bytes()).hex()]
    ledgers = {p: p.read_bytes() for p in sorted((directory / "evidence").glob("*.jsonl"))}
    world += map(str, ledgers)
    tried = {} if every else _probes(directory)
    # Lint asks for a name where others were probed.
    world.append(str(bool(tried)))
    digests = {path.name: _digest(data) for path, data in ledgers.items()}
    same = before is not None and before.ledgers == digests
    seen = Seen(
        _digest("\n".join(world).encode()),
        _digests(written, found["families"]),
        digests,
        before.evidence if before is not None and same else _by_owner(ledgers),
        tried,
    )
    return Look(seen, written, ledgers)


def _digests(written: Mapping[str, bytes], families: Iterable[Path]) -> dict[str, bytes]:
    """Digests of files: a record that is like a family is another where any family is."""
    alike = _digest(b"".join(written.get(str(path), b"") for path in families))
    return {
        path: _digest(data + alike if load.is_like(data) else data)
        for path, data in written.items()
    }


def _by_owner(ledgers: Mapping[Path, bytes]) -> dict[str, bytes]:
    """Digests of what stands in files of evidence, by owner; "" has what no owner has."""
    made: dict[str, Any] = {"": hashlib.sha256()}
    for path, data in ledgers.items():
        text = likeness.scan(path, data)
        made[""].update(text.like.encode())
        for owner, lines in text.records.items():
            digest = made.setdefault(owner, hashlib.sha256())
            digest.update(b"\n".join((path.name.encode(), *lines, b"")))
    return {owner: digest.digest() for owner, digest in made.items()}


def _probes(directory: Path) -> dict[str, bytes]:
    """Digests of what probing found, by name; a build looks at it apart."""
    found: dict[str, bytes] = {}
    for path in sorted((directory / probes.FOLDER).glob("*.jsonl")):
        for _, name, text in probes.scan(path):
            found[name] = _digest(found.get(name, b"") + path.name.encode() + text)
    return found


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
