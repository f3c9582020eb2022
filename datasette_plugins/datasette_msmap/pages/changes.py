"""What changes from one MindSpore release to another."""

from __future__ import annotations

from collections import Counter

from datasette_msmap.responses import Answer, Ask
from datasette_msmap.templating import render
from msmap import drift
from msmap.drift import RecordDrift
from msmap.releases import UnknownRelease

KINDS = ("vanished", "signatures", "deprecated", "appeared")


def releases(ask: Ask) -> Answer:
    """The drift between two releases, the two newest if none are named."""
    known = list(ask.kb.known_releases())
    wanted = [ask.args.get("from") or known[-2:][0], ask.args.get("to") or known[-1]]
    bases, unknown = [], ""
    for release in wanted:
        try:
            bases.append(ask.served.as_of(release))
        except UnknownRelease:
            unknown = release
    if unknown:
        told = {"known": known, "unknown": unknown, "wanted": wanted, "found": None}
        return render(ask, "releases.html", 404, **told)
    found = drift.between(*bases)
    once = [record.name for record in found.records if _ran_once(record)]
    records = [record for record in found.records if record.name not in once]
    counted = Counter(record.effect for record in records)
    return render(
        ask,
        "releases.html",
        known=known,
        unknown="",
        wanted=[base.releases()["mindspore"] for base in bases],
        found=found,
        kinds=KINDS,
        effects=drift.EFFECTS,
        records=records,
        once=once,
        counted={effect: counted[effect] for effect in drift.EFFECTS if counted[effect]},
        indexed=not ask.args,
    )


def _ran_once(record: RecordDrift) -> bool:
    """Whether all that is news of a record is that its checks ran with one of the releases only."""
    outcomes = [check.outcome for check in record.changed if check.outcome is not None]
    if record.verification is not None:
        outcomes.append(record.verification)
    return record.effect == "outcome" and all(
        "unverified" in (pair.before, pair.after) for pair in outcomes
    )
