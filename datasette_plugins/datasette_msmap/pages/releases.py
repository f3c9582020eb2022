"""What changes from one MindSpore release to another."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from threading import Lock

from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.served import Served
from datasette_msmap.web.templating import render
from msmap.errors import UnknownRelease
from msmap.query import drift
from msmap.query.drift import Drift, RecordDrift
from msmap.query.knowledge_base import KnowledgeBase
from msmap.releases import choose

KINDS = ("vanished", "signatures", "deprecated", "appeared")


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
    found = _between(ask.served, *chosen)
    once = [record.name for record in found.records if _ran_once(record)]
    records = [record for record in found.records if record.name not in once]
    counted = Counter(record.effect for record in records)
    return render(
        ask,
        "releases.html",
        known=known,
        unknown="",
        wanted=chosen,
        found=found,
        kinds=KINDS,
        effects=drift.EFFECTS,
        records=records,
        once=once,
        counted={effect: counted[effect] for effect in drift.EFFECTS if counted[effect]},
        indexed=not ask.args,
    )


# A drift takes seconds: it is made once, by one thread, with bases that are closed again.
_ONE = Lock()


def _between(served: Served, before: str, after: str) -> Drift:
    with _ONE:
        return _made(served, before, after)


@lru_cache(maxsize=32)
def _made(served: Served, before: str, after: str) -> Drift:
    path = served.path
    with KnowledgeBase.open(path, before) as one, KnowledgeBase.open(path, after) as other:
        return drift.between(one, other)


def _ran_once(record: RecordDrift) -> bool:
    """Whether all that is news of a record is that its checks ran with one of the releases only."""
    outcomes = [check.outcome for check in record.changed if check.outcome is not None]
    if record.verification is not None:
        outcomes.append(record.verification)
    return record.effect == "outcome" and all(
        "unverified" in (pair.before, pair.after) for pair in outcomes
    )


PAGE = Page("/releases", releases, nav=5, slow=True, args=("from", "to"))
