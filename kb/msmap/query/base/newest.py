"""What holds as of the newest MindSpore release: the tables, as they stand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from msmap import database, model
from msmap.candidates import Probe, Summary
from msmap.query.base import decode, probes
from msmap.query.base.rows import Row, Rows
from msmap.vocabulary import PLATFORMS

_SUMMARY = (
    "SELECT r.torch, CASE WHEN t.api != '' THEN t.api ELSE coalesce(t.expression, '') END,"
    " coalesce(t.category, r.category), coalesce(t.verification, r.verification),"
    " r.summary_en, r.summary_zh, t.ascend, t.gpu, t.cpu, t.ran_on{0} FROM record r"
    " LEFT JOIN target t ON t.torch = r.torch"
)


# So many names without a record are kept, unless they are long: on a server anybody may ask.
_NAMES, _LONG = 5_000, 100


class Kept:
    """The records of a base by name, each read once until they are let go of."""

    def __init__(self, read: Callable[[str], model.Record | None]) -> None:
        self._read = read
        self._found: dict[str, model.Record] = {}
        self._missing: set[str] = set()

    def __call__(self, name: str) -> model.Record | None:
        """The record of a canonical PyTorch name, or None."""
        found = self._found.get(name)
        if found is None and name not in self._missing:
            found = self._read(name)
            if found is not None:
                self._found[name] = found
            elif len(name) <= _LONG:
                if len(self._missing) >= _NAMES:
                    self._missing.clear()
                self._missing.add(name)
        return found

    def once(self, name: str) -> model.Record | None:
        """The same for who goes through all: what isn't kept yet is not kept."""
        return self._found.get(name) or self._read(name)

    def __len__(self) -> int:
        return len(self._found)

    def clear(self) -> None:
        """Let go of all."""
        self._found.clear()
        self._missing.clear()


def lines(kept: Kept, wanted: Iterable[str], device: str = "") -> list[model.Summary]:
    """A line about each of some records, under its best target; for a device if one is named."""
    # One after the other: all records at once are large.
    found = (record for name in wanted if (record := kept.once(name)) is not None)
    if device:
        from msmap.evidence import devices

        found = (devices.record(record, device) for record in found)
    return [model.summary(record, next(iter(record.targets), None)) for record in found]


class Newest:
    """Reads records, guides and names as the newest release has them; ``record`` keeps them."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.record = Kept(self._record)

    def releases(self) -> dict[str, str]:
        """The release of each framework that is described."""
        found: dict[str, str] = dict(self._rows("SELECT key, value FROM meta"))
        return {framework: found[framework] for framework in ("torch", "mindspore")}

    def api(self, name: str) -> model.Api | None:
        """A public name of either framework, or None."""
        rows = self._rows(f"SELECT {decode.API}, release, '' FROM api WHERE name = ?", (name,))
        return decode.api(rows[0]) if rows else None

    def apis(self) -> dict[str, model.Api]:
        """Every public name of MindSpore."""
        rows = self._rows(
            f"SELECT {decode.API}, release, '' FROM api WHERE framework = 'mindspore'"
        )
        return {row[0]: decode.api(row) for row in rows}

    def mindspore_name(self, spelling: str) -> str | None:
        """The canonical MindSpore name of any usual spelling, or None."""
        with self._rows.reading() as connection:
            return database.resolve(connection, spelling, "mindspore")

    def _record(self, name: str) -> model.Record | None:
        """The record of a canonical PyTorch name, or None."""
        found = self._rows.record(name)
        return decode.record(json.loads(found)) if found else None

    def probe(self, name: str) -> Probe | None:
        """What probing found of a canonical PyTorch name, or None."""
        return probes.find(self._rows, name)

    def probes(self) -> list[Summary]:
        """A line about each probe, by name."""
        return probes.summaries(self._rows)

    def guide(self, document: str) -> model.Guide:
        """The guide of a stored document."""
        return decode.guide(json.loads(document))

    def sources(self, known: str) -> list[tuple[int, model.Summary]]:
        """The records that map to a canonical MindSpore name, with the rank of that target."""
        rows = self._rows(
            _SUMMARY.format(", min(t.rank)") + " JOIN target_name n ON n.target = t.id"
            " WHERE n.name = ? GROUP BY t.torch ORDER BY min(t.rank), t.torch",
            (known,),
        )
        return [(row[10], _summary(row)) for row in rows]

    def summaries(self, wanted: Iterable[str], device: str = "") -> list[model.Summary]:
        """A line about each of the records, under its best target; for a device if one is named."""
        if device:
            return lines(self.record, wanted, device)
        rows = self._rows(_SUMMARY.format("") + " AND t.rank = 1")
        found = {row[0]: _summary(row) for row in rows}
        return [found[name] for name in wanted]


def _summary(row: Row) -> model.Summary:
    runs_on = tuple(device for device, runs in zip(PLATFORMS, row[6:9], strict=True) if runs)
    ran_on = tuple(json.loads(row[9] or "[]"))
    torch, mindspore, category, verification = row[:4]
    return model.Summary(
        torch, mindspore, category, verification, runs_on, model.Text(row[4], row[5]), ran_on
    )
