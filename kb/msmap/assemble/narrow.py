"""Records as they hold for one release: without the targets, caveats and checks that don't."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from msmap.assemble.base import Base
from msmap.curated import schema
from msmap.model import guide_owner
from msmap.releases import within
from msmap.signatures.lifetimes import alike
from msmap.signatures.release import Signatures

_NAME = re.compile(r"\b(?:mindspore|ms)((?:\.[A-Za-z_]\w*)+)")


def lacks(code: str, mindspore: Signatures, newest: Signatures) -> bool:
    """Whether code names something that only the newest release has."""
    return any(name in newest.apis and name not in mindspore.apis for name in _named(code))


@lru_cache(maxsize=1 << 14)
def _named(code: str) -> tuple[str, ...]:
    """The names of MindSpore's in code, which is asked of for one release after the other."""
    return tuple(f"mindspore{found}" for found in _NAME.findall(code))


def record(written: schema.Record, mindspore: Signatures, newest: Signatures) -> schema.Record:
    """The record as far as it holds for a release; itself where all of it does.

    Ranges are kept to in every release. A name that a target needs is looked for in earlier
    releases only: in the newest one its absence is a mistake, which lint reports.
    """
    release, past = mindspore.release, mindspore is not newest
    targets = [
        t
        for t in written.targets
        if within(release, t.mindspore)
        and not (past and t.api and t.api not in mindspore.apis)
        and not (past and t.expression and lacks(t.expression, mindspore, newest))
    ]
    gone: set[str] = set()
    if len(targets) < len(written.targets):
        gone = {t.key for t in written.targets} - {t.key for t in targets}
    caveats = [c for c in written.caveats if within(release, c.mindspore) and c.target not in gone]
    hidden: set[str] = set()
    if len(caveats) < len(written.caveats):
        hidden = {check for c in written.caveats if c not in caveats for check in c.shown_by}
        hidden -= {check for c in caveats for check in c.shown_by}
    checks = [
        c
        for c in written.checks
        if c.id not in hidden
        and c.target not in gone
        and not (past and c.mindspore and lacks(c.mindspore, mindspore, newest))
    ]
    example = written.example_mindspore
    if not targets or (past and example and lacks(example, mindspore, newest)):
        example = None
    update: dict[str, object] = {
        "targets": targets, "caveats": caveats, "checks": checks, "example_mindspore": example,
    }  # fmt: skip
    if written.targets and not targets:
        update["missing"] = _missing(written.targets, release)
    same = all(getattr(written, key) == value for key, value in update.items())
    return written if same else written.model_copy(update=update)


def _missing(targets: Iterable[schema.Target], release: str) -> schema.Bilingual:
    names = ", ".join(t.key for t in targets)
    return schema.Bilingual(
        en=f"MindSpore {release} doesn't have {names}; other releases do.",
        zh=f"MindSpore {release} 中没有 {names}；其他版本中有。",
    )


def guide(written: schema.Guide, mindspore: Signatures, newest: Signatures) -> schema.Guide:
    """The guide without the checks that name what a release lacks; itself if none does."""
    sections = [
        s.model_copy(
            update={
                "checks": [c for c in s.checks if not lacks(c.mindspore or "", mindspore, newest)]
            }
        )
        for s in written.sections
    ]
    if all(now.checks == then.checks for now, then in zip(sections, written.sections, strict=True)):
        return written
    return written.model_copy(update={"sections": sections})


def runnable(base: Base) -> None:
    """Leave out the checks that a release's targets don't carry.

    Lint complains of them where records are written: for the newest release.
    """
    owners = {owner for owner, _ in base.failed_ports}
    for name in owners & base.records.keys():
        found = base.records[name]
        checks = tuple(c for c in found.checks if (name, c.id) not in base.failed_ports)
        base.records[name] = replace(found, checks=checks)
    for name in [n for n in base.guides if guide_owner(n) in owners]:
        topic, owner = base.guides[name], guide_owner(name)
        sections = tuple(
            replace(s, checks=tuple(c for c in s.checks if (owner, c.id) not in base.failed_ports))
            for s in topic.sections
        )
        base.guides[name] = replace(topic, sections=sections)


def moved(one: Signatures, other: Signatures) -> set[str]:
    """The MindSpore names under which two releases have something else, and their aliases."""
    found = {
        name
        for name in one.apis.keys() | other.apis.keys()
        if not alike(one.apis.get(name), other.apis.get(name))
    }
    for release in (one, other):
        found |= {name for name, api in release.apis.items() if api.alias_of in found}
    return found
