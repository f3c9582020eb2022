"""Everything below a data directory, read and joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from msmap import model, releases
from msmap.assemble import claims
from msmap.assemble import narrow as earlier
from msmap.assemble import records as assemble
from msmap.assemble.records import Base, Signatures
from msmap.curated import load as records
from msmap.curated import schema
from msmap.curated.load import Files
from msmap.evidence import files as evidence
from msmap.evidence import verification
from msmap.problems import DataError, Problem
from msmap.signatures import files, lifetimes

Environments = Mapping[str, dict[tuple[str, str], evidence.Line]]


@dataclass(frozen=True, slots=True)
class Content:
    """Files as they stand, and what they say joined with all the rest.

    ``earlier`` are the bases of the earlier MindSpore releases, oldest first, if asked for.
    """

    directory: Path
    base: Base
    files: Files
    earlier: tuple[Base, ...] = ()

    def claims(self) -> tuple[model.Claim, ...]:
        """All statements, by topic."""
        return claims.joined((c.item for c in self.files.claims), self.base)

    def sources(self) -> tuple[model.Source, ...]:
        """The documents that statements were taken from."""
        return tuple(claims.source(s.item) for s in self.files.sources)


def known(directory: Path, framework: str) -> dict[str, Path]:
    """The signature files of a framework by release, oldest first.

    Raises:
        DataError: there is none.
    """
    place = directory / "signatures"
    found = {release: path for name, release, path in files.available(place) if name == framework}
    if not found:
        hint = f"no signatures of {framework}; run `msmap signatures {framework}`"
        raise DataError([Problem(place, 1, hint)])
    return {release: found[release] for release in sorted(found, key=releases.order)}


def signatures(directory: Path, framework: str, release: str | None = None) -> Signatures:
    """The names of a known release of a framework, by default the newest.

    Raises:
        DataError: there are none of the framework.
    """
    paths = known(directory, framework)
    release = release or next(reversed(paths))
    return Signatures(framework, release, files.load(paths[release]), paths[release])


def _history(directory: Path, framework: str) -> list[Signatures]:
    """The names of every release, oldest first, with their lifetimes."""
    read: dict[bytes, files.Api] = {}
    paths = known(directory, framework)
    loaded = {release: files.load(path, read) for release, path in paths.items()}
    found = lifetimes.spans(list(loaded.values()))
    # Most names were always there: saying so of each would only cost time.
    lives = {
        name: lifetimes.lifetime(spans, list(loaded))
        for name, spans in found.items()
        if len(spans) > 1 or spans[0].first or spans[0].last < len(loaded) - 1
    }
    return [Signatures(framework, r, apis, paths[r], lives) for r, apis in loaded.items()]


def read(directory: Path, mindspore: str | None = None) -> Content:
    """Everything below a data directory, joined for one MindSpore release, with its evidence.

    Args:
        directory: the data directory.
        mindspore: ``2.8.0``, or ``2.8`` for the newest of those; by default the newest of all.

    Raises:
        DataError, files.SignatureFileError, evidence.EvidenceError: what is wrong, where.
        releases.UnknownRelease: there are no signatures of that release.
    """
    found = records.load(directory)
    torch, newest = signatures(directory, "torch"), signatures(directory, "mindspore")
    try:
        known_ones = list(known(directory, "mindspore"))
        release = releases.choose(mindspore, known_ones, "MindSpore")
    except releases.UnknownRelease as error:
        hint = "`msmap signatures mindspore` reads those of the one installed"
        raise releases.UnknownRelease(f"{error}; {hint}") from None
    chosen = newest
    if release != newest.release:
        chosen = signatures(directory, "mindspore", release)
    written, topics = _items(found)
    base = _joined(torch, chosen, newest, written, topics)
    _attach(base, evidence.read_all(directory / "evidence", chosen.release))
    return Content(directory, base, found)


def read_all(directory: Path) -> Content:
    """The same for the newest MindSpore release, with the bases of all earlier ones.

    Raises:
        DataError, files.SignatureFileError, evidence.EvidenceError: what is wrong, where.
    """
    found = records.load(directory)
    written, topics = _items(found)
    torch = signatures(directory, "torch")
    *past, newest = _history(directory, "mindspore")
    base = _joined(torch, newest, newest, written, topics)
    now = {r.torch: earlier.narrow(r, newest, newest) for r in written}
    bases = []
    for mindspore in past:
        then = {r.torch: (now[r.torch], earlier.narrow(r, mindspore, newest)) for r in written}
        done = earlier.unchanged(base, mindspore, then)
        bases.append(_joined(torch, mindspore, newest, written, topics, done))
    environments = evidence.read_all(directory / "evidence")
    for each in (*bases, base):
        release = each.mindspore.release
        mine = ("", release)
        _attach(each, {n: e for n, e in environments.items() if releases.of_environment(n) in mine})
    return Content(directory, base, found, tuple(bases))


def _items(found: Files) -> tuple[list[schema.Record], list[schema.Guide]]:
    return [r.item for r in found.records], [g.item for g in found.guides]


def _joined(
    torch: Signatures, mindspore: Signatures, newest: Signatures,
    written: Iterable[schema.Record], guides: Iterable[schema.Guide],
    done: Mapping[str, model.Record] | None = None,
) -> Base:  # fmt: skip
    """The base of a MindSpore release, without evidence."""
    held = [earlier.narrow(record, mindspore, newest) for record in written]
    if mindspore is newest:
        return assemble.base(torch, mindspore, held, guides)
    topics = [earlier.narrow_guide(guide, mindspore, newest) for guide in guides]
    base = assemble.base(torch, mindspore, held, topics, done)
    earlier.runnable(base)
    return base


def _attach(base: Base, environments: Environments) -> None:
    """Give all checks of a base their evidence."""
    for name, record in base.records.items():
        base.records[name] = with_evidence(record, environments)
    for name, guide in base.guides.items():
        sections = tuple(
            replace(
                s, checks=tuple(evidence.attach(c, f"guide:{name}", environments) for c in s.checks)
            )
            for s in guide.sections
        )
        base.guides[name] = replace(guide, sections=sections)


def with_evidence(record: model.Record, environments: Environments) -> model.Record:
    """A record with the outcomes of its checks, and what they say of each target."""
    checks = tuple(evidence.attach(c, record.torch, environments) for c in record.checks)
    return verification.judged(replace(record, checks=checks))
