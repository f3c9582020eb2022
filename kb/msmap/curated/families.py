"""What many records have in common: written once, as a family, and put into each when it is read.

A record names its families under ``like``. An entry of one of its lists is then the name of an
entry of the family, or has ``like`` with such a name and keys of its own, which stand for those of
the family; ``null`` leaves one out. Texts of a family have placeholders: those under ``values``,
which the record fills under ``with``, and a few that follow from the record's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import Field, StringConstraints, model_validator

from msmap.curated import schema
from msmap.curated.schema import Bilingual, Model, Slug
from msmap.messages import Message
from msmap.problems import DataError, Problem

LIKE, WITH = "like", "with"
# The lists of which entries may be a family's. Parameters are those of targets.
KINDS: dict[str, type[Model]] = {
    "targets": schema.Target,
    "parameters": schema.Parameter,
    "caveats": schema.Caveat,
    "checks": schema.Check,
}
# What of a target is a list of parameters.
_PARAMETERS = ("parameters", "inputs")
_METHODS = "torch.Tensor."
_PLACE = re.compile(r"\{(call [^{}]+|[a-z][a-z_0-9]*)\}")
# Values that hold placeholders hold others' no deeper than this.
_DEEPEST = 9

Name = Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_-]*$")]
_Entries = dict[Name, dict[str, Any]]


class Family(Model):
    """What many records have in common; each says ``like`` and its own."""

    id: Slug
    about: Annotated[Bilingual, Field(description="Which records are like this")]
    values: Annotated[
        dict[Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_0-9]*$")], Any],
        Field(
            description="Placeholders of the texts below with what they stand for where a record's "
            "`with` says nothing; null: each record has to say it"
        ),
    ] = Field(default={})
    targets: _Entries = Field(default={})
    parameters: _Entries = Field(default={}, description="Of targets, also of their `inputs`")
    caveats: _Entries = Field(default={})
    checks: _Entries = Field(default={})

    @model_validator(mode="after")
    def _keys_are_known(self) -> Family:
        for kind, model in KINDS.items():
            for name, entry in getattr(self, kind).items():
                if unknown := sorted(entry.keys() - model.model_fields.keys()):
                    raise ValueError(Message("unknown key `{}.{}.{}`", kind, name, unknown[0]))
        return self

    @model_validator(mode="after")
    def _has_entries(self) -> Family:
        if not any(getattr(self, kind) for kind in KINDS):
            raise ValueError(Message("a family has targets, parameters, caveats or checks"))
        return self


@dataclass(frozen=True, slots=True)
class Source:
    """A family as it stands in its file."""

    path: Path
    node: yaml.MappingNode
    item: Family

    def part(self, key: str) -> Mapping[str, yaml.Node]:
        """What stands under a key, by name."""
        return _children(_children(self.node).get(key))


class Mark(yaml.Mark):
    """A place in a family's file, for what stands in a record's stead."""

    def __init__(self, path: Path, mark: Any) -> None:
        super().__init__(str(path), mark.index, mark.line, mark.column, None, 0)


def filled(text: str, name: str, value: Callable[[str], str | None]) -> str:
    """A family's text for a record.

    Args:
        text: the text, with placeholders.
        name: the record's.
        value: what a placeholder stands for; None if it is none of the family's.
    """

    def put(found: re.Match[str]) -> str:
        word, _, operand = found[1].partition(" ")
        if operand:
            return called(name, operand, value("arguments") or "")
        made = value(word)
        return made if made is not None else derived(name).get(word, found[0])

    return _PLACE.sub(put, text)


def derived(name: str) -> dict[str, str]:
    """The placeholders that follow from a record's name; ``{call x}`` is it, called on x."""
    op = name.rpartition(".")[2]
    receiver = "self" if name.startswith(_METHODS) else "input"
    return {"name": name, "op": op, "function": op.rstrip("_"), "receiver": receiver}


def called(name: str, operand: str, arguments: str) -> str:
    """A call of a record's name on something: ``x.abs_()``, ``torch.abs_(x)``."""
    if name.startswith(_METHODS):
        return f"{operand}.{name.rpartition('.')[2]}({arguments})"
    return f"{name}({', '.join(filter(None, (operand, arguments)))})"


def expanded(
    node: yaml.Node | None, path: Path, sources: Mapping[str, Source], keep: bool = False
) -> yaml.Node | None:
    """A record's node with what its families say put in.

    Args:
        node: the record, as written.
        path: its file.
        sources: the families there are.
        keep: leave ``like`` and ``with`` in it, so that what stands there is found.

    Raises:
        DataError: a family, an entry or a value that isn't there.
    """
    written = _children(node)
    if LIKE not in written or not isinstance(node, yaml.MappingNode):
        return node
    return _Expansion(path, written, sources, keep).record(node)


def like(node: yaml.Node | None) -> list[str]:
    """The families that a record names."""
    return [found.value for found in _names(_children(node).get(LIKE))]


class _Expansion:
    """One record under way."""

    def __init__(
        self, path: Path, written: Mapping[str, yaml.Node], sources: Mapping[str, Source],
        keep: bool,
    ) -> None:  # fmt: skip
        self.path, self.keep = path, keep
        self.name = str(getattr(written.get("torch"), "value", ""))
        self.families: list[Source] = []
        for named in _names(written[LIKE]):
            if named.value not in sources:
                raise wrong(named, self.path, Message("no family is called `{}`", named.value))
            self.families.append(sources[named.value])
        self.given = _children(written.get(WITH))
        self._refuse_strange(self.given, self.families)

    def record(self, node: yaml.MappingNode) -> yaml.Node:
        pairs = []
        for key, value in node.value:
            if key.value in (LIKE, WITH) and not self.keep:
                continue
            listed = key.value in ("targets", "caveats", "checks")
            pairs.append((key, self._entries(value, key.value, {}) if listed else value))
        return _mapping(node, pairs)

    def _entries(
        self, node: yaml.Node, kind: str, given: Mapping[str, yaml.Node]
    ) -> yaml.Node:  # fmt: skip
        if not isinstance(node, yaml.SequenceNode):
            return node
        made = [self._entry(item, kind, given) for item in node.value]
        return yaml.SequenceNode(node.tag, made, node.start_mark, node.end_mark, node.flow_style)

    def _entry(self, item: yaml.Node, kind: str, given: Mapping[str, yaml.Node]) -> yaml.Node:
        """An entry of a list; ``given`` is what that around it has under ``with``."""
        own = _children(item)
        named = item if isinstance(item, yaml.ScalarNode) else own.get(LIKE)
        given = {**given, **_children(own.get(WITH))}
        pairs: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        if named is not None:
            pairs = self._family(named, kind, given)
        if isinstance(item, yaml.MappingNode):
            for key, value in item.value:
                if key.value in (LIKE, WITH) and named is not None and not self.keep:
                    continue
                gone = named is not None and value.tag.endswith(":null")
                pairs.pop(key.value, None)
                if not gone:
                    pairs[key.value] = (key, value)
        elif named is None:
            return item
        if kind == "targets":
            for key in _PARAMETERS:
                if key in pairs:
                    pairs[key] = (
                        pairs[key][0], self._entries(pairs[key][1], "parameters", given)
                    )  # fmt: skip
        return _mapping(item, list(pairs.values()))

    def _family(
        self, named: yaml.Node, kind: str, given: Mapping[str, yaml.Node]
    ) -> dict[str, tuple[yaml.Node, yaml.Node]]:
        """The pairs of a family's entry, filled for this record."""
        name = str(named.value)
        source = next((f for f in self.families if name in f.part(kind)), None)
        if source is None:
            words = ", ".join(_children(f.node)["id"].value for f in self.families)
            raise wrong(named, self.path, Message("no `{}` under `{}` of {}", name, kind, words))
        self._refuse_strange(given, self.families)
        entry = source.part(kind)[name]
        fill = _Filling(self, source, named, given)
        pairs: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        if kind in ("caveats", "checks"):
            mark = Mark(source.path, entry.start_mark)
            made = [yaml.ScalarNode("tag:yaml.org,2002:str", v, mark, mark) for v in ("id", name)]
            pairs["id"] = (made[0], made[1])
        if isinstance(entry, yaml.MappingNode):
            pairs |= {k.value: (fill.node(k), fill.node(v)) for k, v in entry.value}
        return pairs

    def _refuse_strange(
        self, given: Mapping[str, yaml.Node], families: Sequence[Source]
    ) -> None:  # fmt: skip
        known = {name for family in families for name in family.part("values")} | {*derived("")}
        for name, node in given.items():
            if name not in known:
                raise wrong(
                    node,
                    self.path,
                    Message("`with`: no family of this record has a value `{}`", name),
                )


@dataclass(frozen=True, slots=True)
class _Filling:
    """A family's entry filled for a record: ``named`` is where that names it."""

    of: _Expansion
    source: Source
    named: yaml.Node
    given: Mapping[str, yaml.Node]

    def node(self, node: yaml.Node) -> yaml.Node:
        """A copy of a node with values put in, which knows its place in the family's file."""
        mark = Mark(self.source.path, node.start_mark)
        if isinstance(node, yaml.SequenceNode):
            return yaml.SequenceNode(node.tag, [self.node(n) for n in node.value], mark, mark)
        if isinstance(node, yaml.MappingNode):
            pairs = [(self.node(key), self.node(value)) for key, value in node.value]
            return yaml.MappingNode(node.tag, pairs, mark, mark)
        whole = _PLACE.fullmatch(node.value)
        if whole and not isinstance(value := self._value(whole[1]), yaml.ScalarNode | None):
            return value
        text = filled(node.value, self.of.name, self._text)
        return yaml.ScalarNode(node.tag, text, mark, mark)

    def _value(self, name: str) -> yaml.Node | None:
        """What a placeholder stands for; None if the family has none of that name."""
        own = self.source.part("values")
        for found in (self.given, self.of.given, own):
            if name in found and not found[name].tag.endswith(":null"):
                return found[name]
        if name not in own:
            return None
        message = Message("`{{{0}}}` has no value: write `with: {{{0}: ...}}`", name)
        raise wrong(self.named, self.of.path, message)

    def _text(self, name: str, deep: int = 0) -> str | None:
        found = self._value(name)
        if found is None or deep > _DEEPEST:
            return None
        if not isinstance(found, yaml.ScalarNode):
            raise wrong(
                self.named, self.of.path, Message("`{{{}}}` stands in a text, and is no text", name)
            )
        return filled(found.value, self.of.name, lambda inner: self._text(inner, deep + 1))


def wrong(node: yaml.Node, path: Path, message: str) -> DataError:
    """A complaint about a node: in its record's file, or in the family's that it comes from."""
    mark = node.start_mark
    place = Path(mark.name) if isinstance(mark, Mark) else path
    return DataError([Problem(place, mark.line + 1, message)])


def _mapping(node: yaml.Node, pairs: list[tuple[yaml.Node, yaml.Node]]) -> yaml.MappingNode:
    """A mapping that stands where a node does."""
    return yaml.MappingNode("tag:yaml.org,2002:map", pairs, node.start_mark, node.end_mark)


def _children(node: yaml.Node | None) -> dict[str, yaml.Node]:
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {str(key.value): value for key, value in node.value}


def _names(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """The names in a node that is one, or a list of them."""
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    yield from (item for item in items if isinstance(item, yaml.ScalarNode))
