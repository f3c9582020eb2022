"""Everything below a data directory, read and joined."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from msmap import assemble, evidence, model, records, schema
from msmap.assemble import Base, Signatures
from msmap.problems import DataError, Problem
from msmap.records import Loaded
from msmap.signatures import files


@dataclass(frozen=True, slots=True)
class Content:
    """Records and guides as they stand in their files, and joined with all the rest."""

    directory: Path
    base: Base
    records: tuple[Loaded[schema.Record], ...]
    guides: tuple[Loaded[schema.Guide], ...]


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
    release, path = max(found, key=lambda f: _order(f[0]))
    return Signatures(framework, release, files.load(path), path)


def _order(release: str) -> list[tuple[bool, int, str]]:
    """Releases in order: 2.9.0 before 2.10.0, and 2.10.0rc1 before 2.10.0."""
    parts = re.findall(r"\d+|[a-z]+", release)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in [*parts, "0"]]


def read(directory: Path) -> Content:
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
    return Content(directory, base, tuple(loaded), tuple(guides))


def with_evidence(
    record: model.Record, environments: dict[str, dict[tuple[str, str], evidence.Line]]
) -> model.Record:
    """A record with the outcomes of its checks, and what they say of each target."""
    checks = tuple(
        _judged(record, evidence.attach(c, record.torch, environments)) for c in record.checks
    )
    targets = []
    for target in record.targets:
        outcome, reason = evidence.summarise(c for c in checks if c.target == target.key)
        # No docstring says where a composition runs: that it ran here is what is known.
        seen = ("CPU",) if outcome.startswith("verified") else ()
        runs_on = target.runs_on or seen
        targets.append(replace(target, verification=outcome, reason=reason, runs_on=runs_on))
    whole, _ = evidence.summarise(checks)
    verification = targets[0].verification if targets else whole
    return replace(record, checks=checks, targets=tuple(targets), verification=verification)


def _judged(record: model.Record, check: model.Check) -> model.Check:
    """A check whose evidence says which of its variants no caveat explains."""
    found = tuple(
        replace(e, unexplained=evidence.unexplained(record, check, e)) for e in check.evidence
    )
    return replace(check, evidence=found)
