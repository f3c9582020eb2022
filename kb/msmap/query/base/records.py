"""Lists over all records: what each is in a line, what is near it, what came out of its checks."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from msmap import model, vocabulary
from msmap.database import NEWEST
from msmap.query.base.asked import Asked

# Targets that have no kernel on the CPU, where all checks run: they were tried there and have none,
# or are documented for other devices alone and ran nowhere.
NO_CPU_KERNEL = (
    "SELECT DISTINCT torch FROM target WHERE reason = 'no_kernel'"
    " OR (api != '' AND NOT cpu AND (ascend OR gpu) AND ran_on = '[]')"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A record in a list: ``mindspore`` is its best target as written, ``api`` only if a name.

    ``impacts`` counts its caveats, in the order of the vocabulary. ``without`` are the devices on
    which a target of it has no kernel: it was tried there, or is documented for others alone and
    ran nowhere. ``reason`` is why its best target could not be run.
    """

    torch: str
    namespace: str
    mindspore: str
    api: str
    category: str
    verification: str
    summary: model.Text
    runs_on: tuple[str, ...]
    ran_on: tuple[str, ...]
    impacts: dict[str, int]
    without: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Danger:
    """A silent difference of a record, by the id of its caveat."""

    torch: str
    caveat: str
    text: model.Text
    mindspore: str


@dataclass(frozen=True, slots=True)
class History:
    """Where a record or guide is written, its changes, and when its checks gave another result.

    ``changes`` are the newest, each a date and what was done. Without git nothing is known of when.
    """

    path: str = ""
    ran: str = ""
    changes: tuple[tuple[str, str], ...] = ()


def history(kb: Asked, owner: str) -> History:
    """The history of a record with a file of its own, or of ``guide:ID``."""
    rows = kb.rows("SELECT path, ran, changes FROM history WHERE owner = ?", (owner,))
    if not rows:
        return History()
    path, ran, changes = rows[0]
    return History(path, ran, tuple((date, what) for date, what in json.loads(changes)))


def entries(kb: Asked) -> list[Entry]:
    """Every record, by name, as of the newest release."""
    caveats: dict[str, Counter[str]] = {}
    for torch, impact, count in kb.rows("SELECT torch, impact, count(*) FROM caveat GROUP BY 1, 2"):
        caveats.setdefault(torch, Counter())[impact] = count
    found = []
    unrun = {row[0] for row in kb.rows(NO_CPU_KERNEL)}
    for row in kb.rows(
        "SELECT r.torch, r.namespace, coalesce(nullif(t.api, ''), t.expression, ''),"
        " coalesce(t.api, ''), r.category, r.verification, r.summary_en, r.summary_zh,"
        " t.ascend, t.gpu, t.cpu, t.ran_on, coalesce(t.reason, '') FROM record r"
        " LEFT JOIN target t ON t.torch = r.torch AND t.rank = 1 ORDER BY r.torch"
    ):
        devices = zip(vocabulary.PLATFORMS, row[8:11], strict=True)
        counted = caveats.get(row[0], Counter())
        found.append(
            Entry(
                torch=row[0],
                namespace=row[1],
                mindspore=row[2],
                api=row[3],
                category=row[4],
                verification=row[5],
                summary=model.Text(row[6], row[7]),
                runs_on=tuple(device for device, runs in devices if runs),
                ran_on=tuple(json.loads(row[11] or "[]")),
                impacts={key: counted[key] for key in vocabulary.IMPACTS if counted[key]},
                without=("CPU",) if row[0] in unrun else (),
                reason=row[12],
            )
        )
    return found


def categories(kb: Asked) -> dict[str, str]:
    """The category of every record, by name."""
    return dict(kb.rows("SELECT torch, category FROM record ORDER BY 1"))


def kinds(kb: Asked) -> dict[str, str]:
    """The kind of every canonical name that is worth a page, as the frameworks have it."""
    known: dict[str, str] = dict(
        kb.rows("SELECT name, kind FROM api WHERE framework IN ('torch', 'mindspore')")
    )
    recorded: dict[str, str] = dict(kb.rows("SELECT torch, kind FROM record"))
    return {name: recorded.get(name) or known.get(name, "") for name in answered(kb)}


class Relatives:
    """Which records have a target or the last part of a name in common.

    All at once: to look for those of one takes as long as to answer with it.
    """

    def __init__(self, kb: Asked) -> None:
        self._categories = categories(kb)
        self._targets: dict[str, list[str]] = {}
        self._groups: dict[str, set[str]] = {}
        for torch in self._categories:
            self._groups.setdefault(_last(torch), set()).add(torch)
        for torch, api in kb.rows("SELECT torch, api FROM target WHERE api != ''"):
            self._targets.setdefault(torch, []).append(api)
            self._groups.setdefault(api, set()).add(torch)

    def of(self, torch: str, limit: int = 24) -> dict[str, str]:
        """Records with a target of this one, or the last part of its name, by name.

        With their categories.
        """
        keys = (_last(torch), *self._targets.get(torch, ()))
        found = set().union(*(self._groups.get(key, ()) for key in keys)) - {torch}
        return {name: self._categories[name] for name in sorted(found)[:limit]}


def _last(name: str) -> str:
    """The last part of a name, which names of targets are never written as."""
    return "." + name.rpartition(".")[2].lower()


def outcomes(kb: Asked, owner: str) -> dict[str, dict[str, str]]:
    """What came out of every check of a record, or of ``guide:ID``, by release, oldest first."""
    found: dict[str, dict[str, str]] = {}
    for check, release, outcome in kb.rows(
        'SELECT c.slug, e.mindspore, e.outcome FROM evidence e JOIN "check" c ON c.id = e."check"'
        " JOIN release r ON r.framework = 'mindspore' AND r.name = e.mindspore"
        " WHERE c.owner = ? ORDER BY r.id",
        (owner,),
    ):
        found.setdefault(check, {})[release] = outcome
    return found


def dangers(kb: Asked, limit: int = 8) -> list[Danger]:
    """Silent differences, the most treacherous first: one a record, and none that repeats another.

    Those of other defaults, places or values come before the rest, and classes before functions.
    """
    rows = kb.rows(
        "WITH ranked AS (SELECT c.torch, c.slug, c.text_en, c.text_zh, r.mindspore, r.kind,"
        "  EXISTS (SELECT 1 FROM target t JOIN parameter p ON p.target = t.id"
        "   WHERE t.torch = c.torch AND t.rank = 1 AND p.torch = c.parameter"
        "   AND p.relation IN ('default_differs', 'value_transformed', 'reordered')) AS trap,"
        "  count(*) OVER (PARTITION BY c.torch) AS silent,"
        "  row_number() OVER (PARTITION BY c.text_en ORDER BY c.torch) AS told,"
        "  row_number() OVER (PARTITION BY c.torch ORDER BY c.parameter = '', c.id) AS place"
        "  FROM caveat c JOIN record r ON r.torch = c.torch WHERE c.impact = 'silent')"
        " SELECT torch, slug, text_en, text_zh, mindspore FROM ranked WHERE place = 1 AND told = 1"
        " ORDER BY trap DESC, kind = 'class' DESC, silent DESC, torch LIMIT ?",
        (limit,),
    )
    return [Danger(row[0], row[1], model.Text(row[2], row[3]), row[4]) for row in rows]


def answered(kb: Asked) -> list[str]:
    """Every canonical name that is worth a page: records, what was probed, what records map to."""
    records = kb.rows("SELECT torch FROM record ORDER BY 1")
    probed = kb.rows(f"SELECT torch FROM probe WHERE release = {NEWEST} AND reason = '' ORDER BY 1")
    targets = kb.rows(
        "SELECT DISTINCT coalesce(nullif(a.alias_of, ''), t.api) FROM target t"
        " LEFT JOIN api a ON a.name = t.api AND a.framework = 'mindspore'"
        " WHERE t.api != '' ORDER BY 1"
    )
    return [row[0] for row in (*records, *probed, *targets)]
