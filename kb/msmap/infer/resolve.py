"""Which record a name, a call or an attribute of a source means."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msmap import npu, private
from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.infer import usual_names
from msmap.infer.facts import Facts
from msmap.infer.interpreter import Reading
from msmap.infer.modules import Module
from msmap.infer.uses import Use
from msmap.infer.values.lattice import Value, owner_kind
from msmap.model import Record, Text


@dataclass(slots=True)
class Meaning:
    """The records that may be meant, the likeliest first, and a word on it where it is a guess.

    ``receiver`` says that a method is called, or a property read, on an object.
    """

    records: tuple[Record, ...]
    receiver: bool = False
    note: Text | None = None

    @property
    def record(self) -> Record:
        """The record that is meant if all come to the same."""
        return self.records[0]


# What a class has for a method and takes no object, whatever it is called on.
_STATIC = frozenset(("torch.nn.Transformer.generate_square_subsequent_mask",))


def is_method(record: Record) -> bool:
    """Whether the API is called on an object rather than by its name."""
    return record.kind in ("method", "property") and record.torch not in _STATIC


class Resolver:
    """What the uses of PyTorch in a source mean; ``own`` is what a bare method means first.

    ``place`` is the source as a file of a tree.
    """

    def __init__(
        self,
        source: Source,
        facts: Facts,
        own: str | None = None,
        known: Mapping[str, Value] | None = None,
        place: Module | None = None,
    ) -> None:
        self.source, self.facts, self.own = source, facts, own
        self.reading = Reading(source, facts, known, own) if place is None else place.reading()

    def meaning(self, use: Use) -> Meaning:
        """The records that a use means.

        Raises:
            Refused: it is a name of PyTorch's that has no record, or that nobody knows, or it is
                not proved to be PyTorch's.
        """
        if use.how in ("name", "call", "text"):
            return Meaning((self.named(use.names[0]),))
        if use.how == "possible":
            return self._possible(use)
        own = self.own if self.own and usual_names.is_guess(use.receiver) else None
        if own and own in self.facts.methods(_leaf(use)):
            return Meaning((self._record(own),), True)
        records = tuple(self._record(name) for name in use.names)
        return Meaning(records, True, self._guess(use, records[0]))

    def named(self, spelling: str) -> Record:
        """The record of a name that code proves to be PyTorch's.

        Raises:
            Refused: it has none, or nobody knows the name.
        """
        name = self.reading.canonical(spelling)
        if name is None:
            unknown = (
                f"{spelling} is no name of PyTorch that msmap knows",
                f"{spelling} 不是 msmap 已知的 PyTorch 名称",
            )
            told = private.said(spelling) or npu.said(spelling, alone=True) or unknown
            raise Refused("unknown_name", *told)
        return self._record(name)

    def _record(self, name: str) -> Record:
        record = self.facts.find(name)
        if record is None:
            en, zh = f"{name} is known, but has no record yet", f"{name} 已知，但尚无记录"
            if more := self.facts.unrecorded(name):
                en, zh = f"{en}; {more.en}", f"{zh}；{more.zh}"
            raise Refused("no_record", en, zh)
        return record

    def _possible(self, use: Use) -> Meaning:
        if self.own:
            return self._ours(use)
        node = use.node
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Attribute)
        receiver = self.source.text(node.func.value)
        shown = receiver if len(receiver) <= _SHOWN and "\n" not in receiver else "..."
        method = f".{node.func.attr}()"
        may = " or ".join(use.names[:2]) + (" or others" if len(use.names) > 2 else "")
        zh = " 或 ".join(use.names[:2]) + (" 等" if len(use.names) > 2 else "")
        raise Refused(
            "possible",
            f"{method} may be {may}: nothing proves what {shown} is",
            f"{method} 可能是 {zh}：无法证明 {shown} 是什么",
        )

    def _ours(self, use: Use) -> Meaning:
        """What a method means in code that people wrote to check a record: else a tensor's."""
        if self.own in use.names:
            return Meaning((self._record(str(self.own)),), True)
        records = [r for name in use.names if (r := self.facts.find(name)) is not None]
        tensors = [r for r in records if owner_kind(r.torch) == "tensor"]
        if len(tensors or records) == 1:
            return Meaning(((tensors or records)[0],), True)
        raise Refused(
            "ambiguous",
            f".{_leaf(use)}() may be {' or '.join(use.names)}",
            f".{_leaf(use)}() 可能是 {' 或 '.join(use.names)}",
        )

    def _guess(self, use: Use, record: Record) -> Text | None:
        """What to say where only the usual name of a thing tells which method is meant."""
        if self.own or not usual_names.is_guess(use.receiver):
            return None
        leaf = _leaf(use)
        others = [n for n in self.facts.methods(leaf) if self.facts.find(n) is not None]
        if len(others) < 2 or use.receiver.owner != "tensor":  # type: ignore[attr-defined]
            return None
        node = use.node.func if isinstance(use.node, ast.Call) else use.node
        assert isinstance(node, ast.Attribute)
        text, method = self.source.text(node.value), f".{leaf}()"
        return Text(
            f"{text} is taken for a tensor: {method} is {record.torch}",
            f"将 {text} 视为 Tensor：{method} 即 {record.torch}",
        )

    def layers(self, made: Sequence[ast.Call]) -> list[ast.Call]:
        """The calls of layers that some calls make."""
        found = [
            use.node
            for use in self.reading.uses.values()
            if use.how == "layer" and getattr(use.receiver, "maker", None) in made
        ]
        found.sort(key=self.source.order)
        return found  # type: ignore[return-value]

    def owned(self) -> list[ast.Call | ast.Attribute]:
        """Where ``own`` is called, or read if it is a property; the first to end first."""
        found = [use for use in self.reading.uses.values() if self._is_own(use)]
        found.sort(key=lambda use: self.source.order(use.node))
        return [use.node for use in found]  # type: ignore[misc]

    def is_named(self, node: ast.AST) -> bool:
        """Whether a call is of a name of PyTorch's, rather than of a method on an object."""
        use = self.reading.uses.get(node)
        return use is not None and use.how == "call"

    def _is_own(self, use: Use) -> bool:
        if use.how not in ("call", "method", "read", "possible"):
            return False
        try:
            return any(r.torch == self.own for r in self.meaning(use).records)
        except Refused:
            return False


_SHOWN = 40


def _leaf(use: Use) -> str:
    node = use.node.func if isinstance(use.node, ast.Call) else use.node
    return getattr(node, "attr", "")


__all__ = ["Facts", "Meaning", "Resolver", "is_method"]
