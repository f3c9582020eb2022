"""The knowledge base: look up, reverse, search and port, from the database alone."""

from __future__ import annotations

import json
import os
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from msmap import claimed, database, model, names, releases, tabled
from msmap.errors import NotFound
from msmap.messages import Message
from msmap.query.base import decode, published, statistics
from msmap.query.base.newest import Newest
from msmap.query.base.past import Past
from msmap.query.base.rows import Rows
from msmap.query.base.torch_names import Torch
from msmap.query.names import guides_of as about
from msmap.query.names import twins
from msmap.query.names.nearest import nearest, siblings

if TYPE_CHECKING:
    from types import TracebackType

    from msmap.candidates import Probe, Summary


class KnowledgeBase:
    """Read access to one msmap database, as of one MindSpore release.

    ``rows`` asks its tables, for the functions of ``msmap.query`` alone: tables change. ``device``
    is what answers are for, "" for none.

    Raises:
        DatabaseError: there is none at ``path``, or it can't be read.
    """

    def __init__(self, path: os.PathLike[str] | str | None = None) -> None:
        self.path = database.path(path)
        self.rows = Rows(self.path)
        self._as_of: Newest | Past = Newest(self.rows)
        self._torch = Torch(self.rows)
        self._lines: dict[str, model.Summary] = {}
        self._dtypes: dict[str, str | None] = {}
        # The records as they are for a device, by that and by name: all bases of one share them.
        self._chosen: dict[tuple[str, str], model.Record] = {}
        self.device = ""

    @classmethod
    def open(
        cls,
        path: os.PathLike[str] | str | None = None,
        mindspore: str | None = None,
        device: str | None = None,
    ) -> KnowledgeBase:
        """The base shipped with the package, or the one at ``path`` (or ``$MSMAP_DB``).

        Args:
            path: the database.
            mindspore: as of which release; ``2.8`` is the newest of those, None the newest of all.
            device: ``ascend``, ``gpu`` or ``cpu``: records have the target first that is best
                there, ports are written for it, and caveats that hold there come first; None is
                the order in which records were written.

        Raises:
            DatabaseError: there is none, or it can't be read.
            UnknownRelease: the database knows nothing of that release.
            UnknownDevice: the device is none of the three.
        """
        opened = cls(path)
        try:
            opened._choose(mindspore, device)
        except BaseException:
            opened.close()
            raise
        return opened

    def _choose(self, mindspore: str | None, device: str | None) -> None:
        """Answer as of a release, for a device."""
        if device is not None:
            from msmap.evidence import devices

            self.device = devices.parse(device)
        if mindspore is None:
            return
        ranks = self.known_releases()
        release = releases.choose(mindspore, list(ranks), "MindSpore")
        if ranks[release] < max(ranks.values()):
            self._as_of = Past(self.rows, release, ranks[release])

    def known_releases(self) -> dict[str, int]:
        """The rank of every MindSpore release that the database knows, oldest first."""
        rows = self.rows("SELECT name, id FROM release WHERE framework = 'mindspore' ORDER BY id")
        return dict(rows)

    def close(self) -> None:
        """Close the database."""
        self.rows.connection.close()

    def forget(self) -> None:
        """Let go of the records read so far, for who keeps a base open for long."""
        self._chosen.clear()
        self._as_of.record.clear()

    @property
    def remembered(self) -> int:
        """How many records are kept that were read so far."""
        return len(self._as_of.record) + len(self._chosen)

    def on(self, device: str) -> KnowledgeBase:
        """The same base for a device: what was read is kept once for all of them.

        Raises:
            UnknownDevice: the device is none of the three.
        """
        found = copy(self)
        found._lines = {}
        found._choose(None, device)
        return found

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def releases(self) -> dict[str, str]:
        """The release of each framework that is described."""
        return self._as_of.releases()

    def find(self, name: str) -> model.Record | None:
        """The record of a canonical PyTorch name, or None."""
        found = self._as_of.record(name)
        if found is None or not self.device:
            return found
        chosen = self._chosen.get((self.device, name))
        if chosen is None:
            from msmap.evidence import devices

            chosen = devices.record(found, self.device)
            self._chosen[self.device, name] = chosen
        return chosen

    def torch_name(self, spelling: str) -> str | None:
        """The canonical PyTorch name of any usual spelling, or None if none is known.

        A name with a record of its own stands for itself even where it is an alias.
        """
        return self._torch.name(spelling)

    def mindspore_name(self, spelling: str) -> str | None:
        """The canonical MindSpore name of any usual spelling, or None if none is known."""
        return self._as_of.mindspore_name(spelling)

    def is_mindspore(self, spelling: str) -> bool:
        """Whether a spelling means a MindSpore name; where both have it, PyTorch is meant.

        A name counts that any release has: it may be asked for because it is gone.
        """
        with self.rows.reading() as connection:
            if database.means_mindspore(connection, spelling):
                return True
        return self.torch_name(spelling) is None and self.ever(spelling) is not None

    def ever(self, spelling: str) -> model.Api | None:
        """What the newest release that knows a MindSpore name has under it."""
        for name in names.mindspore_spellings(spelling):
            rows = self.rows(
                f"SELECT {decode.API}, release, '', 0 FROM api"
                " WHERE framework = 'mindspore' AND name = ? UNION ALL"
                f" SELECT {decode.API}, (SELECT name FROM release WHERE id = last), until, -last"
                " FROM past_api p WHERE framework = 'mindspore' AND name = ?"
                " ORDER BY -last LIMIT 1",
                (name, name),
            )
            if rows:
                return decode.api(rows[0])
        return None

    def api(self, name: str) -> model.Api | None:
        """A public name of either framework as its release has it, or None."""
        return self._as_of.api(name)

    def apis(self) -> dict[str, model.Api]:
        """Every public name of MindSpore."""
        return self._as_of.apis()

    def methods(self, attribute: str) -> tuple[str, ...]:
        """The PyTorch methods and properties of that bare name."""
        return self._torch.methods(attribute)

    def torch_kind(self, name: str) -> str:
        """The kind of a canonical PyTorch name; "" if nobody knows it."""
        return self._torch.known(name)[0]

    def returns(self, name: str) -> tuple[str, ...]:
        """The signatures of a canonical PyTorch name, with what each gives where that is known."""
        return self._torch.known(name)[1]

    def unrecorded(self, name: str) -> model.Text | None:
        """None: of a name without a record nothing more is to be said where none is asked for."""
        return None

    def mindspore_dtype(self, name: str) -> str | None:
        """The MindSpore dtype of the same name, for a PyTorch dtype."""
        if self.torch_kind(name) != "dtype":
            return None
        if name not in self._dtypes:
            same = names.mindspore_dtypes(name)
            self._dtypes[name] = next((n for n in same if self.api(n) is not None), None)
        return self._dtypes[name]

    def lookup(self, name: str) -> model.Record:
        """The record of a PyTorch API, by any usual spelling.

        Raises:
            NotFound: no record; says whether the name is known, and the nearest names.
        """
        known = self.torch_name(name)
        record = self.find(known) if known else None
        if record is None:
            raise twins.not_found(self, name, known)
        return self._exemplified(record) if self.device else record

    def probe(self, name: str) -> Probe:
        """What a machine found of a PyTorch API without a record, by any usual spelling.

        Raises:
            NotFound: nothing, or it has a record; says whether the name is known, and the nearest.
        """
        known = self.torch_name(name)
        found = self.tried(known) if known else None
        if found is None:
            said = ""
            if known and self.find(known) is not None:
                said = Message("{} has a record, and so no probe", known)
            elif known:
                said = Message("{} is known, but was not probed", known)
            near = self.nearest(known or name)
            raise NotFound(name, known, near, None, self.telling(known), said)
        return found

    def tried(self, name: str) -> Probe | None:
        """The probe of a canonical PyTorch name, or None; a name with a record has none."""
        found = self._as_of.probe(name)
        if found is None or not self.device:
            return found
        from msmap.evidence import devices

        return devices.probe(found, self.device)

    def probes(self, namespace: str | None = None) -> list[Summary]:
        """A line about each name that was probed and has no record, with its best candidate.

        A namespace stands for what is below it too.
        """
        found = self._as_of.probes()
        return [s for s in found if namespace is None or s.torch.startswith(f"{namespace}.")]

    def _exemplified(self, record: model.Record) -> model.Record:
        """The record with its example written for its best target, where another one was best."""
        stored = self._as_of.record(record.torch)
        if stored is None or record.targets[:1] == stored.targets[:1] or not record.example_torch:
            return record
        return self._rewritten(record)

    def _rewritten(self, record: model.Record) -> model.Record:
        """The record with its example written for its best target."""
        from msmap.port import rewrite

        written = rewrite.rewrite(record.example_torch, self, record.targets[0].key, record.torch)
        return replace(record, example_mindspore=written.whole or record.example_mindspore)

    def reverse(self, name: str) -> model.Reverse:
        """What a MindSpore API was in PyTorch, by any usual spelling.

        Where no record maps to it, these are the records of the same operation; their rank is 0.

        Raises:
            NotFound: there are none either; says whether the name is known.
        """
        from msmap.query.names import related

        known = self.mindspore_name(name)
        found = (self.mapped(known) or related.reverse(self, known)) if known else None
        if found is None:
            elsewhere = None if known else self.ever(name)
            near = self.nearest(known or name)
            raise NotFound(name, known, near, elsewhere, self.telling(known or name))
        return found

    def mapped(self, name: str) -> model.Reverse | None:
        """What a canonical MindSpore name was in PyTorch; None where no record maps to it."""
        api, sources = self.api(name), self._as_of.sources(name)
        return model.Reverse(api, tuple(sources)) if api is not None and sources else None

    def found_as(self, name: str) -> tuple[str, tuple[Summary, ...]]:
        """A MindSpore name, and the PyTorch names that it agrees with as far as samples tell.

        Those without a record that it agrees best with, and those that published tables pair it
        with. The larger share of samples that agree comes first; the name is the canonical one, ""
        if it isn't known.
        """
        from msmap.query.names import related

        return related.found_as(self, name)

    def telling(self, name: str | None) -> tuple[str, ...]:
        """The guides that have a name in them."""
        with self.rows.reading() as connection:
            return about.guides(connection, name)

    def nearest(self, name: str, count: int = 5) -> tuple[str, ...]:
        """The known names nearest to one, curated ones first."""
        with self.rows.reading() as connection:
            return tuple(nearest(connection, name, count))

    def siblings(self, name: str, count: int = 5) -> tuple[str, ...]:
        """The names of the same function, method or layer beside a canonical one, curated first."""
        with self.rows.reading() as connection:
            return tuple(siblings(connection, name)[:count])

    def namesakes(self, word: str) -> list[str]:
        """PyTorch's names with a record whose last part is a word, the likeliest first."""
        with self.rows.reading() as connection:
            return database.namesakes(connection, word)

    def others(self, spelling: str, name: str) -> tuple[str, ...]:
        """What else a word that stands for a canonical name may have meant, the likeliest first."""
        with self.rows.reading() as connection:
            return tuple(database.others(connection, spelling, name))

    def records(
        self,
        namespace: str | None = None,
        category: str | None = None,
        verification: str | None = None,
        device: str | None = None,
    ) -> list[model.Summary]:
        """Records that fit all filters, by name; ``device`` is where the best target runs."""
        sql, values = "SELECT torch FROM record r WHERE 1", []
        if namespace is not None:
            sql += " AND (namespace = ? OR substr(namespace, 1, ?) = ?)"
            values += [namespace, len(namespace) + 1, f"{namespace}."]
        wanted = [row[0] for row in self.rows(sql + " ORDER BY torch", values)]
        missing = [name for name in wanted if name not in self._lines]
        if missing:
            told = self._as_of.summaries(missing, self.device)
            self._lines |= {line.torch: line for line in told}
        return [
            s
            for name in wanted
            if (s := self._lines.get(name)) is not None
            and category in (None, s.category)
            and verification in (None, s.verification)
            and (device is None or device in (*s.runs_on, *s.ran_on))
        ]

    def search(self, text: str, limit: int = 20, kind: str | None = None) -> list[model.Hit]:
        """Records, guides and probes for words, a pasted name or an error, as ``search.search``."""
        from msmap.query.search import search

        return search.search(self, text, limit, kind)

    def guides(self) -> list[model.Guide]:
        """All guides, by id."""
        rows = self.rows("SELECT document FROM guide ORDER BY id")
        return [self._as_of.guide(row[0]) for row in rows]

    def guide(self, name: str) -> model.Guide:
        """One guide.

        Raises:
            NotFound: there is none of that id.
        """
        rows = self.rows("SELECT document FROM guide WHERE id = ?", (names.clean(name),))
        if not rows:
            near = [h.name for h in self.search(name.replace("-", " ")) if h.kind == "guide"]
            known = [row[0] for row in self.rows("SELECT id FROM guide ORDER BY id")]
            raise NotFound(name, None, tuple(near or known))
        return self._as_of.guide(rows[0][0])

    def claims(
        self,
        verdict: str | None = None,
        source: str | None = None,
        about: str | None = None,
        topic: str | None = None,
    ) -> list[claimed.Claim]:
        """Statements of documents that fit all filters, by topic.

        Args:
            verdict: one of ``vocabulary.VERDICTS``.
            source: the id of the document.
            about: a name of either framework, in any usual spelling.
            topic: as in ``dropout/keep-prob``.

        Raises:
            NotFound: there is no such document or topic.
        """
        values: list[str] = []
        sql = "SELECT document FROM claim c WHERE 1"
        if verdict is not None:
            sql, values = sql + " AND verdict = ?", [*values, verdict]
        if topic is not None:
            self._exists("topic", "claim", topic)
            sql, values = sql + " AND topic = ?", [*values, topic]
        if source is not None:
            self._exists("id", "source", source)
            sql += " AND name IN (SELECT claim FROM claim_place WHERE source = ?)"
            values.append(source)
        if (names_ := self._either(about)) is not None:
            marks = ", ".join("?" * len(names_))
            sql += f" AND name IN (SELECT claim FROM claim_subject WHERE name IN ({marks}))"
            values += sorted(names_)
        rows = self.rows(sql + " ORDER BY c.rowid", values)
        return [decode.claim(json.loads(row[0])) for row in rows]

    def _exists(self, column: str, table: str, value: str) -> None:
        known = [r[0] for r in self.rows(f"SELECT DISTINCT {column} FROM {table} ORDER BY 1")]
        if value not in known:
            raise NotFound(value, None, tuple(known))

    def sources(self) -> list[claimed.Source]:
        """The documents that statements were taken from, by id."""
        rows = self.rows("SELECT document FROM source ORDER BY id")
        return [decode.source(json.loads(row[0])) for row in rows]

    def tables(self) -> list[tabled.Table]:
        """The tables of pairs that others publish, by id."""
        return published.tables(self.rows)

    def table_rows(
        self, table: str | None = None, verdict: str | None = None, about: str | None = None
    ) -> list[tabled.Row]:
        """Rows of published tables that fit all filters, each with what running its pair showed.

        Args:
            table: the id of a table.
            verdict: one of ``tabled.ROW_VERDICTS``.
            about: a name of either framework, in any usual spelling.

        Raises:
            NotFound: there is no such table.
        """
        if table is not None:
            self._exists("id", "pair_table", table)
        return published.find(self.rows, table, verdict, self._either(about))

    def _either(self, name: str | None) -> frozenset[str] | None:
        """A name as it was given, and as both frameworks have it."""
        if name is None:
            return None
        known = (name, self.torch_name(name), self.mindspore_name(name))
        return frozenset(each for each in known if each)

    def completions(self, prefix: str = "", limit: int = 200) -> list[str]:
        """PyTorch names with a record or a probe and the targets of records that start so."""
        rows = self.rows(
            "SELECT torch FROM record WHERE substr(torch, 1, ?1) = ?2"
            " UNION SELECT torch FROM probe WHERE substr(torch, 1, ?1) = ?2"
            " UNION SELECT api FROM target WHERE api != '' AND substr(api, 1, ?1) = ?2"
            " ORDER BY 1 LIMIT ?3",
            (len(prefix), prefix, limit),
        )
        return [row[0] for row in rows]

    def port(self, code: str, probed: bool = False) -> model.Port:
        """PyTorch code as MindSpore code; a refusal says what can't be carried over and why.

        Args:
            code: the code.
            probed: where there is no record use what probing found, with a note on each use.

        Raises:
            SyntaxError: the code isn't Python.
        """
        from msmap.port import rewrite
        from msmap.query.base.porting import WithProbes

        if not probed:
            return rewrite.rewrite(code, self)
        facts = WithProbes(self)
        return facts.marked(rewrite.rewrite(code, facts))

    def stats(self) -> statistics.Counts:
        """Counts: names of each framework, records by category and verification, checks."""
        return statistics.counts(self.rows, self.releases())
