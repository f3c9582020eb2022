"""The database, built whole from data/ into a temporary file and moved into place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import insert
from sqlite_utils import Database
from sqlmodel import SQLModel, create_engine

from msmap import assemble, atomic, evidence, index, model, records, rows
from msmap.assemble import Base, Signatures
from msmap.problems import DataError, Problem
from msmap.signatures import files


@dataclass(frozen=True, slots=True)
class Built:
    """What went into a database."""

    path: Path
    records: int
    guides: int
    checks: int
    apis: int


def signatures(directory: Path, framework: str) -> Signatures:
    """The newest signature file of a framework.

    Raises:
        DataError: there is none.
    """
    found = [
        (release, path)
        for name, release, path in files.available(directory / "signatures")
        if name == framework
    ]
    if not found:
        place = directory / "signatures"
        hint = f"no signatures of {framework}; run `msmap signatures {framework}`"
        raise DataError([Problem(place, 1, hint)])
    release, path = max(found, key=lambda f: [int(n) for n in f[0].split(".")])
    return Signatures(framework, release, files.load(path))


def read(directory: Path) -> Base:
    """Everything below a data directory, joined, with its evidence.

    Raises:
        DataError, files.SignatureFileError, evidence.EvidenceError: what is wrong, where.
    """
    loaded, guides = records.load(directory)
    base = assemble.base(
        signatures(directory, "torch"),
        signatures(directory, "mindspore"),
        (r.item for r in loaded),
        (g.item for g in guides),
    )
    environments = evidence.read_all(directory / "evidence")
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
    return base


def with_evidence(
    record: model.Record, environments: dict[str, dict[tuple[str, str], evidence.Line]]
) -> model.Record:
    """A record with the outcomes of its checks, and what they say of each target."""
    checks = tuple(evidence.attach(c, record.torch, environments) for c in record.checks)
    targets = []
    for target in record.targets:
        outcome, reason = evidence.summarise(c for c in checks if c.target == target.key)
        targets.append(replace(target, verification=outcome, reason=reason))
    whole, _ = evidence.summarise(checks)
    verification = targets[0].verification if targets else whole
    return replace(record, checks=checks, targets=tuple(targets), verification=verification)


def build(directory: Path, path: Path) -> Built:
    """Build the database from a data directory; ``path`` is replaced whole or not at all.

    Raises:
        DataError, files.SignatureFileError, evidence.EvidenceError: what is wrong, where.
    """
    base = read(directory)
    if base.failed_ports:
        raise DataError(
            [
                Problem(
                    directory / "records" / records.path_of(owner), 1,
                    f"check `{check}` can't be ported: {port.refusals[0].reason.en}", "port",
                )
                for (owner, check), port in sorted(base.failed_ports.items())
            ]
        )  # fmt: skip
    with atomic.replacing(path) as temporary:
        _fill(temporary, base)
    checks = sum(len(r.checks) for r in base.records.values())
    checks += sum(len(s.checks) for g in base.guides.values() for s in g.sections)
    apis = len(base.torch.apis) + len(base.mindspore.apis)
    return Built(path, len(base.records), len(base.guides), checks, apis)


def _fill(path: Path, base: Base) -> None:
    engine = create_engine(f"sqlite:///{path}")
    SQLModel.metadata.create_all(engine)
    with engine.begin() as connection:
        for table, content in rows.of(base).items():
            if content:
                connection.execute(insert(table), content)
    engine.dispose()
    database = Database(path)
    database.table("document").enable_fts(["names", "title", "body"], tokenize="unicode61")
    database.table("spelling").enable_fts(["name"], tokenize="trigram")
    for name in ("document", "spelling"):
        database.table(name).optimize()
    database.execute(f"PRAGMA user_version = {index.SCHEMA_VERSION}")
    database.vacuum()
    database.close()
