"""Which checks to run: those of some records and guides, from the data files or the database."""

from __future__ import annotations

import ast
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msmap.errors import MsmapError, NotFound
from msmap.infer.resolve import Facts
from msmap.model import Check, Guide, Record, state_of
from msmap.names import torch_spellings
from msmap.query.knowledge_base import KnowledgeBase
from msmap.verify.plan import job, variants
from msmap.verify.plan.job import Job
from msmap.vocabulary import OUTCOMES

if TYPE_CHECKING:
    from msmap.assemble.base import Base


@dataclass(frozen=True, slots=True)
class Shard:
    """The ``index``-th of ``count`` parts of all records and guides, 1 the first."""

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """The shard that ``2/8`` means.

        Raises:
            ValueError: the text means none.
        """
        found = re.fullmatch(r"([0-9]+)/([0-9]+)", text)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise ValueError(f'shard "{text}": write I/N with 1 <= I <= N, such as 2/8')
        return cls(int(found[1]), int(found[2]))

    def has(self, owner: str) -> bool:
        """Whether an owner is in this part; by its name alone, whatever else there is."""
        return zlib.crc32(owner.encode()) % self.count == self.index - 1


@dataclass(frozen=True, slots=True)
class Chosen:
    """Records and guides as of a MindSpore release, and the facts that port their checks."""

    facts: Facts
    records: list[Record]
    guides: list[Guide]

    def __post_init__(self) -> None:
        """Say which check can't run.

        Raises:
            MsmapError: the port of one is refused, or its code isn't Python.
        """
        owners = {record.torch: record.checks for record in self.records}
        owners |= {guide.id: guide.checks for guide in self.guides}
        for owner, check in ((owner, check) for owner, own in owners.items() for check in own):
            if not check.mindspore:
                raise MsmapError(
                    "{}: check `{}` can't be ported; see `msmap lint`", owner, check.id
                )
            if not (_gives(check.torch) and _gives(check.mindspore)):
                raise MsmapError(
                    "{}: the code of check `{}` isn't Python that ends in an expression; "
                    "see `msmap lint`",
                    owner,
                    check.id,
                )


def _gives(code: str) -> bool:
    """Whether code can be read, and has a result."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError):
        return False
    return bool(body) and isinstance(body[-1], ast.Expr)


def about(data: Path, names: Collection[str], mindspore: str | None = None) -> Base:
    """The data files as of a release, the newest if None, with the checks of those names, or of
    all if there are no names.

    Raises:
        DataError, SignatureFileError: what is wrong, where.
        UnknownRelease: there are no signatures of that release.
    """
    from msmap.assemble import content

    read = partial(content.read, data, mindspore, generation=variants.GENERATION)
    wanted = {text for name in names for text in (name, *torch_spellings(name))}
    base = read(about=wanted or None).base
    if not wanted.issuperset(filter(None, map(base.torch_name, names))):
        # An alias that only the signatures know.
        base = read().base
    return base


def written(data: Path, names: list[str], mindspore: str) -> Chosen:
    """The records and guides of those names in the data files; all if there are no names.

    Raises:
        NotFound: there is none of a name.
        MsmapError: a check can't be ported.
    """
    base = about(data, names, mindspore)
    if not names:
        return Chosen(base, list(base.records.values()), list(base.guides.values()))
    guides = [base.guides[name] for name in names if name in base.guides]
    found: list[Record] = []
    for name in (name for name in names if name not in base.guides):
        known = base.torch_name(name)
        if (known or name) not in base.records:
            raise NotFound(name, known, ())
        found.append(base.records[known or name])
    return Chosen(base, found, guides)


@contextmanager
def installed(names: list[str], mindspore: str) -> Iterator[Chosen]:
    """The same from the installed database, which is open as long: it ports what is run.

    Raises:
        NotFound: there is none of a name.
        MsmapError: there is no database, or a check can't be ported.
    """
    with KnowledgeBase.open(mindspore=mindspore) as kb:
        guides = kb.guides()
        wanted = names or [summary.torch for summary in kb.records()]
        known = {guide.id for guide in guides}
        yield Chosen(
            kb,
            [kb.lookup(name) for name in wanted if name not in known],
            [guide for guide in guides if not names or guide.id in names],
        )


def jobs(
    records: Iterable[Record],
    guides: Iterable[Guide],
    facts: Facts,
    environment: str | None = None,
    shard: Shard | None = None,
) -> list[Job]:
    """A job for every check that can run, with its variants, which are ported by ``facts``.

    With an ``environment``, only for those whose evidence there is missing, stale or
    inconclusive; with a ``shard``, only for those of its records and guides.
    """
    found: list[Job] = []
    for record in records:
        wanted = [c for c in record.checks if c.mindspore and _wanted(c, environment)]
        made = variants.of(record, facts) if wanted else {}
        for check in wanted:
            state = state_of(record.targets, check.target)
            plain = map(variants.plain, made.get(check.id, ()))
            found.append(job.make(record.torch, check, state, plain))
    for guide in guides:
        found += [
            job.make(guide.owner, check)
            for check in guide.checks
            if check.mindspore and _wanted(check, environment)
        ]
    return [made for made in found if shard is None or shard.has(made.owner)]


def _wanted(check: Check, environment: str | None) -> bool:
    if environment is None:
        return True
    return all(e.environment != environment or OUTCOMES[e.outcome].open for e in check.evidence)
