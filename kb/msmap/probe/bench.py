"""Names made ready to be tried: their candidates as targets of one record, which ports samples."""

from __future__ import annotations

import hashlib
import json
from collections import ChainMap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from msmap.assemble import content, records, tables
from msmap.assemble.base import Base
from msmap.curated import schema
from msmap.curated.families import Family
from msmap.model import Record, Text
from msmap.port import record_calls as source_calls
from msmap.port.attempt import attempt
from msmap.port.bind import Bound
from msmap.probe import mapping, reasons, sample
from msmap.probe.candidates import Catalogue, Idea
from msmap.probe.sample import Sample
from msmap.verify.plan.variants import GENERATION as VARIANTS

# Who changes how samples are run, compared or counted raises it: probes are stale then.
GENERATION = 1
_NOBODY = schema.Bilingual(en="Found by running.", zh="由运行得出。")


@dataclass(frozen=True, slots=True)
class Ported:
    """What a sample's call becomes under a candidate, or why it can't be written.

    ``kind`` is one of ``vocabulary.REFUSALS`` then.
    """

    code: str | None
    reason: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A name with its candidates, the likeliest first, as targets of a record that nobody wrote."""

    name: str
    ideas: dict[str, Idea]
    targets: dict[str, schema.Target]
    record: Record | None
    # Those that published tables pair with the name.
    paired: frozenset[str] = frozenset()

    def kept(self, key: str, *, whole: bool) -> dict[str, Any]:
        """What is kept of a target: its data, or where it is known elsewhere no more than a name.

        ``whole`` is for candidates that readers see in full.
        """
        target = self.targets[key]
        if not whole or self.ideas[key].found == "record":
            return {"id": target.id} if target.id else {"api": target.api}
        found = target.model_dump(mode="json", exclude_defaults=True)
        return {name: value for name, value in found.items() if value}


def read(data: Path, mindspore: str | None = None) -> Bench:
    """The bench of a data directory and a MindSpore release, the newest by default.

    Raises:
        DataError, SignatureFileError: what is wrong, where.
        UnknownRelease: there are no signatures of that release.
    """
    found = content.read(data, mindspore, generation=VARIANTS, about=())
    published = tables.published(found.base, (t.item for t in found.files.tables))
    return Bench(found.base, published, families=[f.item for f in found.files.families])


class Bench:
    """All that is known of both frameworks, for the names that are to be tried.

    Args:
        base: names, and the records as they are joined.
        published: what tables pair with each name.
        written: the records as people wrote them; those of the base if None.
        families: what many records have in common.
    """

    def __init__(
        self, base: Base, published: Mapping[str, Collection[str]] | None = None,
        written: Mapping[str, schema.Record] | None = None, families: Iterable[Family] = (),
    ) -> None:  # fmt: skip
        self.base = base
        self.families = {family.id: family for family in families}
        self.torch, self.mindspore = self.base.torch, self.base.mindspore
        self._written = base.written if written is None else written
        self._published = published
        self._catalogue = Catalogue(self.torch, self.mindspore, self._written, published)

    def joined(self, record: schema.Record) -> Bench:
        """The same with a record besides, as if it had been read with the others."""
        base = records.join(
            self.torch, self.mindspore, [record], [], VARIANTS, others=self.base.records
        )
        known = {**self._written, record.torch: record}
        return Bench(base, self._published, known, self.families.values())

    def names(self) -> list[str]:
        """All canonical names of PyTorch that are no modules, as records call them.

        But for those whose record has no target and of which nothing could be run either: of
        these nobody would see what was found.
        """
        apis = self.torch.apis.values()
        plain = [api.name for api in apis if not api.alias_of and api.kind != "module"]
        known = {name for name in plain if name not in self.base.stand_ins}
        found = [n for n in self.torch.apis if n in known or n in self.base.records]
        return [name for name in found if not self._answered(name)]

    def _answered(self, name: str) -> bool:
        """Whether a record says all that there is: it has no target, and nothing can be run."""
        own = self._written.get(name)
        if own is None or any(not target.remove for target in own.targets):
            return False
        return bool(reasons.before(self.torch.apis[name])) or not self.chosen(name).targets

    def prepare(self, name: str, like: str = "", more: Sequence[Idea] = ()) -> Prepared:
        """A canonical name, ready to be tried.

        Args:
            name: the name.
            like: one whose record is to be taken over.
            more: candidates that come before all others.
        """
        made = self.chosen(name, like, more)
        if not made.targets:
            return made
        return replace(made, record=self._record(name, list(made.targets.values())))

    def chosen(self, name: str, like: str = "", more: Sequence[Idea] = ()) -> Prepared:
        """The same without the record that ports samples: enough for ``hash``."""
        ideas: dict[str, Idea] = {}
        targets: dict[str, schema.Target] = {}
        for idea in (*more, *self._of_record(like), *self._catalogue.of(name)):
            target = mapping.target(idea, name, self.torch, self.mindspore)
            if target is not None and target.key not in targets:
                ideas[target.key], targets[target.key] = idea, target
        said = self._catalogue.published(name)
        paired = frozenset(k for k, i in ideas.items() if self.mindspore.canonical(i.api) in said)
        return Prepared(name, ideas, targets, None, paired)

    def siblings(self, name: str) -> list[str]:
        """The other forms of a name that have a record, the nearest first."""
        return self._catalogue.recorded(name)

    def splits(self, name: str) -> bool:
        """Whether the record of a name has targets that share its overloads."""
        found = self._written.get(name)
        return found is not None and any(t.given or t.absent for t in found.targets)

    def _of_record(self, name: str) -> list[Idea]:
        """The targets of a record as candidates of another name."""
        found = self._written.get(name)
        targets = found.targets if found is not None else ()
        return [Idea(t.api or "", "sibling", t, name) for t in targets if not t.remove]

    def _record(self, name: str, targets: list[schema.Target]) -> Record:
        own = self._written.get(name)
        overloads = own.overloads if own is not None else []
        overloads = overloads or list(mapping.overloads(name, self.torch))
        written = schema.Record(torch=name, summary=_NOBODY, overloads=overloads, targets=targets)
        return records.unchecked(written, self._apart())

    def _apart(self) -> Base:
        """A base in which nothing is written of what people did."""
        made = Base(self.torch, self.mindspore, VARIANTS)
        made.records = ChainMap({}, self.base.records)
        return made

    def port(self, prepared: Prepared, tried: Sample, key: str) -> Ported:
        """A sample's call under one candidate."""
        assert prepared.record is not None, "there are candidates"
        facts = _Facts(self.base, prepared.record)
        done = attempt(tried.torch, facts, key, prepared.name)
        if done.whole is None:
            refused = done.refusals[0]
            return Ported(None, refused.reason.en, refused.kind)
        if not any(name == prepared.name for name, _ in done.targets):
            return Ported(None, f"no call of {prepared.name} is found in it", "no_overload")
        return Ported(done.whole)

    def own(self, tried: Sample) -> str:
        """The target that the record of a sample's name takes for its call; "" for none."""
        if tried.name not in self._written:
            return ""
        # What else is in the sample may be refused: it isn't what is tried.
        return dict(attempt(tried.torch, self.base).targets).get(tried.name, "")

    def given(self, prepared: Prepared, tried: Sample) -> tuple[str, ...]:
        """The optional parameters that the calls of a sample give, sorted."""
        bounds = self.bound(prepared, tried)
        return tuple(sorted({name for b in bounds for name in b.given if _optional(b, name)}))

    def bound(self, prepared: Prepared, tried: Sample) -> list[Bound]:
        """The calls of a sample, as far as they fit one overload: it, and what each gives."""
        assert prepared.record is not None, "there are candidates"
        facts = _Facts(self.base, prepared.record)
        calls = source_calls.read(tried.torch, prepared.record, facts).found
        return [bound for _, bound in calls if bound is not None]

    def hash(self, prepared: Prepared, limit: int) -> str:
        """Twelve hexadecimal digits over all that decides what is run and what is kept of it."""
        # Words change no run, and a new key none where it isn't used.
        words: Any = {"note": True, "first": True, "parameters": {"__all__": {"note"}}}
        targets = [
            target.model_dump(mode="json", exclude_defaults=True, exclude=words)
            for target in prepared.targets.values()
        ]
        found = [idea.found for idea in prepared.ideas.values()]
        sides = [self._said(name) for name in (prepared.name, *prepared.targets)]
        generations = (GENERATION, mapping.GENERATION, sample.GENERATION, limit)
        text = json.dumps([generations, targets, found, sides], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def _said(self, name: str) -> Sequence[object]:
        api = self.torch.apis.get(name) or self.mindspore.apis.get(name)
        return () if api is None else (api.kind, api.signatures, api.call, api.platforms)


def _optional(bound: Bound, name: str) -> bool:
    parameter = bound.signature.get(name)
    return parameter is not None and not parameter.required


class _Facts:
    """The base with one more record, which stands before any of the same name."""

    def __init__(self, base: Base, record: Record) -> None:
        self.base, self.record = base, record
        self.device = base.device

    def torch_name(self, spelling: str) -> str | None:
        return self.base.torch_name(spelling)

    def find(self, name: str) -> Record | None:
        return self.record if name == self.record.torch else self.base.find(name)

    def unrecorded(self, name: str) -> Text | None:
        return self.base.unrecorded(name)

    def methods(self, attribute: str) -> tuple[str, ...]:
        return self.base.methods(attribute)

    def mindspore_dtype(self, name: str) -> str | None:
        return self.base.mindspore_dtype(name)

    def torch_kind(self, name: str) -> str:
        return self.base.torch_kind(name)

    def returns(self, name: str) -> tuple[str, ...]:
        return self.base.returns(name)
