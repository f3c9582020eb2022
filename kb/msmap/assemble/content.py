"""Everything below a data directory, read and joined."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from msmap import claimed, model, releases
from msmap.assemble import claims, narrow, probes, records
from msmap.assemble.base import Base
from msmap.assemble.probes import Line
from msmap.assemble.records import Like
from msmap.curated import load, schema
from msmap.curated.finding import Mistake
from msmap.curated.load import Files
from msmap.errors import UnknownRelease
from msmap.evidence import attach, files, names
from msmap.evidence.attach import Environments
from msmap.problems import Problem
from msmap.signatures import release as signatures
from msmap.signatures.release import Signatures


@dataclass(frozen=True, slots=True)
class Content:
    """Files as they stand, and what they say joined with all the rest.

    ``earlier`` are the bases of the earlier MindSpore releases, oldest first, if asked for;
    ``problems`` is what can't be read of the evidence. ``probes`` is what is kept of the records'
    names, as it stands, where it is asked for.
    """

    directory: Path
    base: Base
    files: Files
    earlier: tuple[Base, ...] = ()
    problems: tuple[Problem, ...] = ()
    probes: Mapping[str, Line] = field(default_factory=dict)

    def claims(self) -> tuple[claimed.Claim, ...]:
        """All statements, by topic."""
        return claims.joined((c.item for c in self.files.claims), self.base)

    def sources(self) -> tuple[claimed.Source, ...]:
        """The documents that statements were taken from."""
        return tuple(claims.source(s.item) for s in self.files.sources)

    def mistakes(self) -> tuple[model.Mistake, ...]:
        """Errors that are explained."""
        return tuple(_mistake(m.item) for m in self.files.mistakes)


def _mistake(written: Mistake) -> model.Mistake:
    cause = model.Text(written.cause.en, written.cause.zh)
    return model.Mistake(
        written.id, tuple(written.says), cause, written.instead or "", tuple(written.see)
    )


@contextmanager
def uncollected() -> Iterator[None]:
    """Leave cycles alone meanwhile: all that is read stays, and to look through it again and again
    takes a third of the time.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            # What is there is old: else it would be looked through at once, which takes a tenth of
            # a build.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


@uncollected()
def read(
    directory: Path,
    mindspore: str | None = None,
    *,
    generation: int,
    about: Collection[str] | None = None,
) -> Content:
    """Everything below a data directory, joined for one MindSpore release, with its evidence.

    Args:
        directory: the data directory.
        mindspore: ``2.8.0``, or ``2.8`` for the newest of those; by default the newest of all.
        generation: ``verify.plan.variants.GENERATION``: hashes cover what variants checks have.
        about: the records and guides whose checks are wanted; all if None.

    Raises:
        DataError, SignatureFileError: what is wrong, where.
        UnknownRelease: there are no signatures of that release.
    """
    found = load.load(directory)
    torch = signatures.read(directory, "torch")
    newest = signatures.read(directory, "mindspore")
    try:
        known = list(signatures.known(directory, "mindspore"))
        release = releases.choose(mindspore, known, "MindSpore")
    except UnknownRelease as error:
        hint = "`msmap signatures mindspore` reads those of the one installed"
        raise UnknownRelease("{}; {}", error, hint) from None
    chosen = newest
    if release != newest.release:
        chosen = signatures.read(directory, "mindspore", release)
    written, topics = _items(found)
    base = joined(torch, chosen, newest, written, topics, generation, about=about)
    problems: list[Problem] = []
    prove(base, files.read_all(directory / "evidence", chosen.release, problems))
    return Content(directory, base, found, (), tuple(problems), tried(directory, base))


def tried(directory: Path, base: Base) -> dict[str, Line]:
    """What is kept of what probing found of the records' names."""
    return probes.lines(directory, base, [], recorded=True)


@uncollected()
def read_all(directory: Path, *, generation: int) -> Content:
    """The same for the newest MindSpore release, with the bases of all earlier ones.

    Raises:
        DataError, SignatureFileError: what is wrong, where.
    """
    found = load.load(directory)
    written, topics = _items(found)
    torch = signatures.read(directory, "torch")
    *past, newest = signatures.history(directory, "mindspore")
    base = joined(torch, newest, newest, written, topics, generation)
    bases: list[Base] = []
    for mindspore in reversed(past):
        # Neighbours differ least.
        next_ = bases[0] if bases else base
        like = Like(next_, narrow.moved(next_.mindspore, mindspore))
        then = joined(torch, mindspore, newest, written, topics, generation, like)
        then.same = frozenset(n for n, r in then.records.items() if r is base.records[n])
        bases.insert(0, then)
    problems: list[Problem] = []
    environments = files.read_all(directory / "evidence", None, problems)
    prove(base, environments)
    _prove_earlier(base, bases[::-1], environments)
    return Content(directory, base, found, tuple(bases), tuple(problems))


def hashes(directory: Path, mindspore: str, *, generation: int) -> dict[tuple[str, str], str]:
    """The hash of every check as it is in a MindSpore release, by owner and id.

    Raises:
        DataError, SignatureFileError: what is wrong, where.
        UnknownRelease: there are no signatures of that release.
    """
    # A check is ported otherwise, and so has another hash, where a release differs.
    known = claims.checks(read(directory, mindspore, generation=generation).base)
    return {key: check.hash for key, check in known.items()}


def _items(found: Files) -> tuple[list[schema.Record], list[schema.Guide]]:
    return [r.item for r in found.records], [g.item for g in found.guides]


def joined(
    torch: Signatures, mindspore: Signatures, newest: Signatures,
    written: Iterable[schema.Record], guides: Iterable[schema.Guide], generation: int,
    like: Like | None = None, about: Collection[str] | None = None,
    others: Mapping[str, model.Record] | None = None, shared: Mapping[str, str] | None = None,
) -> Base:  # fmt: skip
    """The base of a MindSpore release, without evidence; arguments as for ``records.join``."""
    held = [narrow.record(record, mindspore, newest) for record in written]
    if mindspore is newest:
        return records.join(torch, mindspore, held, guides, generation, None, about, others, shared)
    topics = [narrow.guide(guide, mindspore, newest) for guide in guides]
    base = records.join(torch, mindspore, held, topics, generation, like, about, others, shared)
    narrow.runnable(base)
    return base


def prove(base: Base, environments: Environments, owners: Collection[str] | None = None) -> None:
    """Give the checks of a base, or of some owners in it, the evidence of its release."""
    mine = _of_release(base, environments)
    for name in list(base.records):
        if owners is None or name in owners:
            base.records[name] = attach.record(base.records[name], mine)
    _prove_guides(base, mine, owners)


def _prove_earlier(base: Base, bases: Sequence[Base], environments: Environments) -> None:
    """Give the checks of earlier releases, newest first, their evidence when it is asked for.

    Nearly all of it is that of the next newer release.
    """
    newer, shared = _of_release(base, environments), frozenset(base.records)
    for older in bases:
        mine, release = _of_release(older, environments), older.mindspore.release
        made = (older.records[name] for name in shared & older.same)
        older.alike = frozenset(attach.alike(made, mine, newer, release))
        older.records = attach.Proved(older.records, mine)
        _prove_guides(older, mine)
        newer, shared = mine, older.same


def _prove_guides(base: Base, mine: Environments, owners: Collection[str] | None = None) -> None:
    for name in list(base.guides):
        if owners is None or model.guide_owner(name) in owners:
            base.guides[name] = attach.guide(base.guides[name], mine)


def _of_release(base: Base, environments: Environments) -> Environments:
    mine = ("", base.mindspore.release)
    return {n: e for n, e in environments.items() if names.parse(n).mindspore in mine}
