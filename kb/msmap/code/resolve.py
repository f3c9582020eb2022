"""Which record a name or a call of a source means."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from msmap.code.receivers import Receivers, owner_kind
from msmap.code.refusal import Refused
from msmap.code.scope import Scope
from msmap.code.source import Source
from msmap.model import Record, Text


class Facts(Protocol):
    """What is asked of the base to read and to port code."""

    def torch_name(self, spelling: str) -> str | None:
        """The canonical PyTorch name, or None."""

    def find(self, name: str) -> Record | None:
        """The record of a canonical PyTorch name, or None."""

    def methods(self, attribute: str) -> tuple[str, ...]:
        """The canonical names of all PyTorch methods and properties called ``attribute``."""

    def mindspore_dtype(self, name: str) -> str | None:
        """The MindSpore dtype of the same name as a PyTorch dtype, or None."""


# The nodes that may be a name of PyTorch's.
NAMES = (ast.Attribute, ast.Name)
# Whether a call comes to the same whichever of some records it means.
Alike = Callable[[ast.Call, Sequence[Record]], bool]


@dataclass(frozen=True, slots=True)
class Meaning:
    """The record that is meant, and a word on it where that is a guess."""

    record: Record
    note: Text | None = None


def is_method(record: Record) -> bool:
    """Whether the API is called on an object rather than by its name."""
    return record.kind in ("method", "property")


class Resolver:
    """What the names and calls of a source mean; ``own`` is what a bare method means first."""

    def __init__(self, source: Source, facts: Facts, own: str | None = None) -> None:
        self.source, self.facts, self.own = source, facts, own
        self.scope = Scope(source)
        self.receivers = Receivers(source, self.scope.spelling)

    def name(self, node: ast.Attribute | ast.Name) -> Record | None:
        """The record that a name refers to; None if it is none of PyTorch's.

        Raises:
            Refused: it is a name of PyTorch's that has no record, or that nobody knows.
        """
        found = self.scope.spelling(node)
        if found is None:
            return None
        spelling, certain = found
        name = self.facts.torch_name(spelling)
        if name is None:
            if certain and not self._is_constant(node):
                raise Refused(
                    "unknown_name",
                    f"{spelling} is no name of PyTorch that msmap knows",
                    f"{spelling} 不是 msmap 已知的 PyTorch 名称",
                )
            return None
        record = self.facts.find(name)
        if record is None:
            raise _unrecorded(name)
        return record

    def call(self, node: ast.Call, alike: Alike) -> Meaning | None:
        """The record whose API is called, by its name or on an object; None if there is none.

        Raises:
            Refused: it is an API without a record, or a method that may be several.
        """
        if not isinstance(node.func, NAMES):
            return None
        record = self.name(node.func)
        return self._method(node, alike) if record is None else Meaning(record)

    def receiver(self, function: ast.expr, record: Record) -> ast.expr | None:
        """What a method is called on; None where PyTorch's name itself is called."""
        if not is_method(record) or not isinstance(function, ast.Attribute):
            return None
        return function.value if self._is_bare(function) else None

    def property(self, node: ast.Attribute) -> Record | None:
        """The record of a tensor's property that is read; None if it may be anything."""
        found = [r for c in self.facts.methods(node.attr) if (r := self.facts.find(c))]
        if len(found) != 1 or found[0].kind != "property":
            return None
        return found[0] if self.scope.is_object(node.value) else None

    def owned(self) -> list[ast.Call | ast.Attribute]:
        """Where ``own`` is called, or read if it is a property; the first to end first."""
        leaf = (self.own or "").rpartition(".")[2]
        read = [n for n in self.source.all(ast.Attribute) if n.attr == leaf]
        found: list[ast.Call | ast.Attribute] = [n for n in read if self._reads(n)]
        found += [n for n in self.source.all(ast.Call) if self._calls(n)]
        return sorted(found, key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0))

    def _reads(self, node: ast.Attribute) -> bool:
        found = self.property(node) if self._is_bare(node) else None
        return found is not None and found.torch == self.own

    def _calls(self, node: ast.Call) -> bool:
        try:
            found = self.call(node, lambda *_: False)
        except Refused:
            return False
        return found is not None and found.record.torch == self.own

    def _is_bare(self, function: ast.Attribute) -> bool:
        """Whether something is called on an object, and no name of PyTorch's."""
        return self.scope.spelling(function) is None or _is_scheduler(function)

    def _is_constant(self, node: ast.Attribute | ast.Name) -> bool:
        """Whether a name begins with a constant, whose attribute it is: torch.__version__.split."""
        found = self.scope.spelling(node.value) if isinstance(node, ast.Attribute) else None
        name = self.facts.torch_name(found[0]) if found else None
        record = self.facts.find(name) if name else None
        return record is not None and record.kind == "constant"

    def _method(self, node: ast.Call, alike: Alike) -> Meaning | None:
        """The record of a method that is called on an object; None if no record has the name."""
        function = node.func
        if not isinstance(function, ast.Attribute) or not self._is_bare(function):
            return None
        if not self.scope.is_object(function.value):
            return None
        kind = self.receivers.kind(function.value)
        if kind == "other":
            return None
        candidates = self.facts.methods(function.attr)
        records = [r for c in candidates if (r := self.facts.find(c)) is not None]
        # Lists and dictionaries have methods of PyTorch's containers.
        likely = [c for c in candidates if owner_kind(c) in (kind or "tensor", "tensor")]
        if not records and likely:
            raise _unrecorded(likely[0])
        # What a property gives is called here: the call itself stays.
        records = [record for record in records if record.kind != "property"]
        if len(records) > 1:
            return self._meant(node, function, records, alike)
        return Meaning(records[0]) if records else None

    def _meant(
        self, node: ast.Call, function: ast.Attribute, records: list[Record], alike: Alike
    ) -> Meaning:
        """Which of several records a bare method means."""
        if own := [r for r in records if r.torch == self.own]:
            return Meaning(own[0])
        kind = self.receivers.kind(function.value)
        fitting = [r for r in records if owner_kind(r.torch) == kind] or records
        if len(fitting) == 1 or alike(node, fitting):
            return Meaning(fitting[0])
        method = f".{function.attr}()"
        for record in fitting:
            if owner_kind(record.torch) == "tensor":
                text = self.source.text(function.value)
                return Meaning(
                    record,
                    Text(
                        f"{text} is taken for a tensor: {method} is {record.torch}",
                        f"将 {text} 视为 Tensor：{method} 即 {record.torch}",
                    ),
                )
        raise Refused(
            "ambiguous",
            f"{method} may be {' or '.join(r.torch for r in fitting)}",
            f"{method} 可能是 {' 或 '.join(r.torch for r in fitting)}",
        )


def _unrecorded(name: str) -> Refused:
    en, zh = f"{name} is known, but has no record yet", f"{name} 已知，但尚无记录"
    return Refused("no_record", en, zh)


def _is_scheduler(method: ast.Attribute) -> bool:
    """Whether a method is called on what many call ``lr_scheduler``, like PyTorch's module."""
    name = method.value
    return isinstance(name, ast.Name) and name.id == "lr_scheduler" and method.attr.islower()
