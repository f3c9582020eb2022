"""Everything known, in memory, while it is being put together."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass, field
from functools import cached_property

from msmap import model, names
from msmap.assemble import families
from msmap.assemble.derive import Open
from msmap.curated import schema
from msmap.kin import Kin
from msmap.signatures.release import Signatures


@dataclass
class Base:
    """Everything known, in memory, while it is being put together; the rewriter's facts."""

    torch: Signatures
    mindspore: Signatures
    # What variants are made of a check: a hash covers it.
    generation: int
    records: MutableMapping[str, model.Record] = field(default_factory=dict)
    # Of a record's target, under its key "parameters" or "inputs".
    unaccounted: dict[tuple[str, str, str], tuple[Open, ...]] = field(default_factory=dict)
    failed_ports: dict[tuple[str, str], model.Port] = field(default_factory=dict)
    guides: MutableMapping[str, model.Guide] = field(default_factory=dict)
    # Records and guides as people wrote them, as far as they hold for the release.
    written: dict[str, schema.Record] = field(default_factory=dict)
    topics: dict[str, schema.Guide] = field(default_factory=dict)
    # The API of every record's best target, by which siblings are found.
    best: dict[str, str] = field(default_factory=dict)
    # The names that share another's answer, with the name of that record.
    families: dict[str, str] = field(default_factory=dict)
    # The records that another release has just so, but for what came out of their checks.
    same: frozenset[str] = frozenset()
    # Those of them that the next newer release has just so, with what came out of their checks.
    alike: frozenset[str] = frozenset()
    # The records and dtypes that the rewriter asked for while porting a record's checks.
    asked: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.asking: set[str] = set()

    @cached_property
    def _defined(self) -> dict[str, str]:
        return {a.defined: n for n, a in self.torch.apis.items() if a.defined}

    @cached_property
    def _methods(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, api in self.torch.apis.items():
            if api.kind in ("method", "property"):
                found.setdefault(name.rsplit(".", 1)[1], []).append(name)
        return found

    def torch_name(self, spelling: str) -> str | None:
        """The canonical PyTorch name of a spelling; a curated alias stands for all others."""
        for name in names.torch_spellings(spelling):
            if self.answers(name):
                return name
            if found := self.torch.canonical(name) or self._defined.get(name):
                return self.stand_ins.get(found, found)
        return None

    @cached_property
    def stand_ins(self) -> dict[str, str]:
        """The recorded alias of each canonical name that has no record itself."""
        aliases = ((self.torch.apis[n].alias_of, n) for n in self.records if n in self.torch.apis)
        return {name: alias for name, alias in aliases if name and name not in self.records}

    @cached_property
    def kin(self) -> Kin:
        """The names of all records, by which siblings are found."""
        return Kin(self.best)

    def find(self, name: str) -> model.Record | None:
        """The record of a canonical name, or None."""
        self.asking.add(name)
        head = self.families.get(name)
        if head is None:
            return self.records.get(name)
        return families.covered(self.records[head], name, self.torch)

    def answers(self, name: str) -> bool:
        """Whether a canonical name has a record, its own or a family's."""
        return name in self.records or name in self.families

    def reverses(self) -> dict[str, model.Reverse]:
        """What each canonical MindSpore name that some record writes was in PyTorch."""
        found: dict[str, list[tuple[int, model.Summary]]] = {}
        for record in self.records.values():
            for name, source in self.sources(record).items():
                found.setdefault(name, []).append(source)
        return {name: self.reverse(name, sources) for name, sources in found.items()}

    def sources(self, record: model.Record) -> dict[str, tuple[int, model.Summary]]:
        """The canonical MindSpore names that a record writes, with its best target that does."""
        found: dict[str, tuple[int, model.Summary]] = {}
        for rank, target in enumerate(record.targets, 1):
            names = set(filter(None, map(self.mindspore.canonical, model.uses(target))))
            found |= {n: (rank, model.summary(record, target)) for n in sorted(names - set(found))}
        return found

    def reverse(
        self, name: str, sources: Iterable[tuple[int, model.Summary]]
    ) -> model.Reverse:  # fmt: skip
        """What a canonical MindSpore name was in PyTorch, told by the records that write it."""
        ordered = sorted(sources, key=lambda source: (source[0], source[1].torch))
        return model.Reverse(self.mindspore.api(name), tuple(ordered))

    @property
    def device(self) -> str:
        """What answers are for: all devices."""
        return ""

    def unrecorded(self, name: str) -> model.Text | None:
        """None: of a name without a record nothing more is to be said here."""
        return None

    def methods(self, attribute: str) -> tuple[str, ...]:
        """The PyTorch methods and properties of that bare name."""
        return tuple(self._methods.get(attribute, ()))

    def torch_kind(self, name: str) -> str:
        """The kind of a canonical PyTorch name; "" if nobody knows it."""
        found = self.torch.apis.get(name)
        return "" if found is None else found.kind

    def returns(self, name: str) -> tuple[str, ...]:
        """The signatures of a canonical PyTorch name, with what each gives where that is known."""
        found = self.torch.apis.get(name)
        return () if found is None else found.signatures

    def mindspore_dtype(self, name: str) -> str | None:
        """The MindSpore dtype of the same name, for a PyTorch dtype."""
        found = self.torch.apis.get(name)
        if found is None or found.kind != "dtype":
            return None
        candidates = names.mindspore_dtypes(name)
        self.asking.update(candidates)
        return next((n for n in candidates if n in self.mindspore.apis), None)
