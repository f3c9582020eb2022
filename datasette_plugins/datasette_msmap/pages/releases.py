"""What changes from one MindSpore release to another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap import model
from msmap.errors import UnknownRelease
from msmap.query.base.name_drift import NameDrift, SignatureDrift
from msmap.query.base.record_drift import EFFECTS, RecordDrift
from msmap.query.drift import drift
from msmap.query.drift import effect as bearing
from msmap.query.drift.drift import Drift
from msmap.releases import choose


@dataclass(frozen=True, slots=True)
class Group:
    """Changes that mean the same for code: of names of MindSpore by kind, and of records."""

    names: dict[str, tuple[NameDrift | SignatureDrift, ...]]
    records: tuple[RecordDrift, ...]

    @property
    def count(self) -> int:
        """How many changes there are."""
        return sum(map(len, self.names.values())) + len(self.records)


def releases(ask: Ask) -> Answer:
    """The drift between two releases, the two newest if none are named."""
    known = list(ask.kb.known_releases())
    wanted = [ask.args.get("from") or known[-2:][0], ask.args.get("to") or known[-1]]
    chosen, unknown = [], ""
    for release in wanted:
        try:
            chosen.append(choose(release, known, "MindSpore"))
        except UnknownRelease:
            unknown = release
    if unknown:
        told = {"known": known, "unknown": unknown, "wanted": wanted, "found": None}
        return render(ask, "releases.html", 404, **told)
    found = drift.between(*map(ask.served.as_of, chosen))
    once = [record.name for record in found.records if _ran_once(record)]
    records = [record for record in found.records if record.name not in once]
    groups = _groups(found, records)
    return render(
        ask,
        "releases.html",
        known=known,
        unknown="",
        wanted=chosen,
        found=found,
        bearings=bearing.BEARINGS,
        effects=EFFECTS,
        records=records,
        groups=groups,
        titles={model.guide_owner(guide.id): guide.title for guide in ask.kb.guides()},
        once=once,
        indexed=not ask.args,
    )


def _groups(found: Drift, records: Iterable[RecordDrift]) -> dict[str, Group]:
    """All changes by what they mean for code, the worst first."""
    names: dict[str, dict[str, list[NameDrift | SignatureDrift]]] = {}
    for kind, meant, listed in (
        ("vanished", "breaks", found.vanished),
        ("deprecated", "going", found.deprecated),
        ("appeared", "new", found.appeared),
    ):
        names.setdefault(meant, {}).setdefault(kind, []).extend(listed)
    for signature in found.signatures:
        meant = bearing.of_signature(signature)
        names.setdefault(meant, {}).setdefault("signatures", []).append(signature)
    told: dict[str, list[RecordDrift]] = {}
    for record in records:
        told.setdefault(bearing.of_record(record), []).append(record)
    groups = {
        meant: Group(
            {kind: tuple(listed) for kind, listed in names.get(meant, {}).items() if listed},
            tuple(told.get(meant, ())),
        )
        for meant in bearing.BEARINGS
    }
    return {meant: group for meant, group in groups.items() if group.count}


def _ran_once(record: RecordDrift) -> bool:
    """Whether all that is news of a record is that its checks ran with one of the releases only."""
    outcomes = [check.outcome for check in record.changed if check.outcome is not None]
    if record.verification is not None:
        outcomes.append(record.verification)
    return record.effect == "outcome" and all(
        "unverified" in (pair.before, pair.after) for pair in outcomes
    )


PAGE = Page("/releases", releases, nav=5, slow=True, args=("from", "to"))
