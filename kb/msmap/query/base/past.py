"""What held as of an earlier MindSpore release: editions, past names, that release's evidence."""

from __future__ import annotations

import json
from collections.abc import Iterable

from msmap import model, names
from msmap.candidates import Probe, Summary
from msmap.evidence import attach
from msmap.query.base import decode, probes
from msmap.query.base.newest import Kept, Newest, lines
from msmap.query.base.rows import Row, Rows

# A name as of a release: the newest release's row as far as it goes back, else one of the past.
_NAMES = (
    f"SELECT {decode.API}, release, '' FROM api WHERE {{0}} AND first <= :rank UNION ALL"
    f" SELECT {decode.API}, '', until FROM past_api"
    " WHERE {0} AND first <= :rank AND last >= :rank"
)
_EVIDENCE = tuple(model.Evidence.__dataclass_fields__)


class Past:
    """Reads records, guides and names as an earlier release has them.

    ``rank`` is the place of the release in the table of releases. ``record`` keeps what it read.
    """

    def __init__(self, rows: Rows, release: str, rank: int) -> None:
        self._rows, self._newest = rows, Newest(rows)
        self.release, self._rank = release, rank
        self.record = Kept(self._record)

    def releases(self) -> dict[str, str]:
        """The release of each framework that is described."""
        return self._newest.releases() | {"mindspore": self.release}

    def _names(self, condition: str, name: str = "") -> list[Row]:
        return self._rows(_NAMES.format(condition), {"name": name, "rank": self._rank})

    def _api(self, row: Row) -> model.Api:
        release = self.release if row[1] == "mindspore" else row[10]
        return decode.api((*row[:10], release, row[11]))

    def api(self, name: str) -> model.Api | None:
        """A public name of either framework, or None."""
        rows = self._names("name = :name", name)
        return self._api(rows[0]) if rows else None

    def apis(self) -> dict[str, model.Api]:
        """Every public name of MindSpore."""
        return {row[0]: self._api(row) for row in self._names("framework = 'mindspore'")}

    def mindspore_name(self, spelling: str) -> str | None:
        """The canonical MindSpore name of any usual spelling, or None."""
        for name in names.mindspore_spellings(spelling):
            for column in ("name", "defined"):
                rows = self._names(f"{column} = :name AND framework = 'mindspore'", name)
                if rows:
                    return str(rows[0][9] or rows[0][0])
        return None

    def _record(self, name: str) -> model.Record | None:
        """The record of a canonical PyTorch name, or None."""
        rows = self._rows(
            "SELECT document FROM edition WHERE torch = ? AND first <= ? AND last >= ?",
            (name, self._rank, self._rank),
        )
        text = self._rows.inflated("record", rows[0][0]) if rows else self._rows.record(name)
        if text is None:
            return None
        found = decode.record(json.loads(text))
        return attach.record_given(found, self._evidence(found.owner))

    def _evidence(self, owner: str) -> dict[str, tuple[model.Evidence, ...]]:
        """What came out of the checks of a record or guide with this release, by check."""
        rows = self._rows(
            f"SELECT c.slug, {', '.join(f'e.{name}' for name in _EVIDENCE)}"
            ' FROM evidence e JOIN "check" c ON c.id = e."check"'
            " WHERE c.owner = ? AND e.mindspore = ? ORDER BY c.id, e.environment",
            (owner, self.release),
        )
        found: dict[str, tuple[model.Evidence, ...]] = {}
        for slug, *values in rows:
            data = dict(zip(_EVIDENCE, values, strict=True))
            data |= {key: json.loads(data[key]) for key in ("variants", "unexplained")}
            one = decode.evidence(data)
            found[slug] = (*found.get(slug, ()), one)
        return found

    def probe(self, name: str) -> Probe | None:
        """What probing found of a canonical PyTorch name, or None."""
        return probes.find(self._rows, name, self._rank)

    def probes(self) -> list[Summary]:
        """A line about each probe, by name."""
        return probes.summaries(self._rows, self._rank)

    def guide(self, document: str) -> model.Guide:
        """The guide of a stored document."""
        found = self._newest.guide(document)
        return attach.guide_given(found, self._evidence(found.owner))

    def sources(self, known: str) -> list[tuple[int, model.Summary]]:
        """The records that map to a canonical MindSpore name, with the rank of that target."""
        wanted = {known, *(row[0] for row in self._names("alias_of = :name", known))}
        # What an earlier release's targets were stands in its documents alone.
        rows = self._rows(
            "SELECT torch FROM edition WHERE first <= ? AND last >= ? UNION"
            " SELECT t.torch FROM target t JOIN target_name n ON n.target = t.id"
            f" WHERE n.name IN ({', '.join('?' * len(wanted))})",
            (self._rank, self._rank, *sorted(wanted)),
        )
        found: dict[str, tuple[int, model.Summary]] = {}
        for (torch,) in rows:
            record = self.record(torch)
            for rank, target in enumerate(record.targets if record else (), 1):
                if record is not None and wanted & set(model.uses(target)):
                    found.setdefault(torch, (rank, model.summary(record, target)))
        return sorted(found.values(), key=lambda source: (source[0], source[1].torch))

    def summaries(self, wanted: Iterable[str], device: str = "") -> list[model.Summary]:
        """A line about each of the records, under its best target; for a device if one is named."""
        return lines(self.record, wanted, device)
