"""What the items of a dataset are, as its source shows them: tuples, dicts, single values."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msmap.code.bindings import Body
from msmap.infer.uses import Use
from msmap.infer.values import containers
from msmap.infer.values.lattice import (
    ARRAY,
    CONTAINER,
    PLAIN,
    UNKNOWN,
    Items,
    Keyed,
    Mapped,
    Object,
    Value,
    is_tensor,
)
from msmap.port.assumptions import Proof
from msmap.port.session import Rewriter

_Lineage: TypeAlias = Sequence[ast.ClassDef]
TUPLE, DICT, VALUE, OPEN = "tuple", "dict", "value", "unknown"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DICTS = {"dict", "OrderedDict", "defaultdict", "Counter"}
# Datasets of torchvision's that give an image and its class.
_LABELED = {
    "MNIST", "FashionMNIST", "KMNIST", "EMNIST", "QMNIST", "CIFAR10", "CIFAR100", "SVHN", "STL10",
    "ImageFolder", "DatasetFolder", "ImageNet", "FakeData",
}  # fmt: skip
_DEEP = 6

LOADER = "torch.utils.data.DataLoader"


def kinds(work: Rewriter, use: Use, data: ast.expr | None) -> frozenset[str]:
    """What an item of the data that a loader gets may be."""
    if data is None:
        return frozenset({OPEN})
    found = work.resolver.reading.given.get(data, UNKNOWN)
    seen = _of_value(containers.sample(work.resolver.reading, found))
    if seen != {OPEN}:
        return seen
    if isinstance(found, Object):
        return _Items(work).of_class([one.node for one in found.entry.lineage])
    body = work.places[use.statement][0] if use.statement in work.places else work.bodies[0]
    return _Items(work).of_data(data, body, 0)


def _of_value(one: Value) -> frozenset[str]:
    if isinstance(one, Keyed | Mapped):
        return frozenset({DICT})
    if is_tensor(one) or one in (ARRAY, PLAIN):
        return frozenset({VALUE})
    if isinstance(one, Items) and one != CONTAINER:
        nested = any(_holds_dict(v) for v in one.values or () if isinstance(v, Keyed | Mapped))
        return frozenset({DICT if nested else TUPLE})
    return frozenset({OPEN})


def _holds_dict(one: Keyed | Mapped) -> bool:
    """Whether a dict holds dicts: no batch is made of those."""
    inside = one.values if isinstance(one, Keyed) else (one.each,)
    return any(isinstance(value, Keyed | Mapped) for value in inside)


class _Items:
    """Reads what datasets give from their getters' returns."""

    def __init__(self, work: Rewriter) -> None:
        self.work = work
        self.classes = {n.name: n for n in work.source.nodes.of(ast.ClassDef)}

    def of_data(self, data: ast.expr, body: Body, depth: int) -> frozenset[str]:
        """Items of an expression that stands for a dataset."""
        found = self.work.resolver.reading.given.get(data, UNKNOWN)
        if isinstance(found, Object):
            return self.of_class([one.node for one in found.entry.lineage])
        if depth > _DEEP:
            return frozenset({OPEN})
        if isinstance(data, ast.List | ast.Tuple) and data.elts:
            return _joined(self._of(one, None, (), depth) for one in data.elts)
        if isinstance(data, ast.ListComp):
            return self._of(data.elt, None, (), depth)
        if isinstance(data, ast.Call):
            name = getattr(data.func, "id", getattr(data.func, "attr", ""))
            if name in _LABELED:
                return frozenset({TUPLE})
            return self.of_class(self._lineage(name)) if name in self.classes else frozenset({OPEN})
        if isinstance(data, ast.Name):
            return self._named(data, body, depth)
        return frozenset({OPEN})

    def _named(self, data: ast.Name, body: Body, depth: int) -> frozenset[str]:
        """Items of what a name stands for: all that it is bound to, or that calls give for it."""
        while data.id not in body.bindings and data.id not in body.parameters:
            if body.outer is None:
                return frozenset({OPEN})
            body = body.outer
        found: list[frozenset[str]] = []
        for one in body.bindings.get(data.id, ()):
            value = one.value if isinstance(one, ast.Assign) else None
            sole = value is not None and isinstance(one.targets[0], ast.Name)  # type: ignore[attr-defined]
            found.append(
                self.of_data(value, body, depth + 1) if sole and value else frozenset({OPEN})
            )
        if data.id in body.parameters and isinstance(body.node, _FUNCTIONS):
            owner = body.owner.name if body.owner is not None else ""
            found += self._passed(body.node, owner, data.id, depth)
        return _joined(found) or frozenset({OPEN})

    def _passed(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: str, name: str, depth: int
    ) -> Iterator[frozenset[str]]:
        """What the calls in the file give a parameter."""
        names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        called = owner if node.name == "__init__" else node.name
        at = names.index(name) - bool(owner) if name in names else -1
        calls = [
            one
            for one in self.work.source.nodes.of(ast.Call)
            if getattr(one.func, "id", getattr(one.func, "attr", "")) == called
        ]
        if not calls:
            yield frozenset({OPEN})
        for call in calls:
            given = [k.value for k in call.keywords if k.arg == name]
            given += call.args[at : at + 1] if at >= 0 else []
            body = self.work.once(Proof).around.get(call, self.work.bodies[0])
            yield self.of_data(given[0], body, depth + 1) if given else frozenset({OPEN})

    def _lineage(self, name: str) -> list[ast.ClassDef]:
        """A class of the file and those of its bases that stand there too."""
        found: list[ast.ClassDef] = []
        ahead = [name]
        for one in ahead:
            node = self.classes.get(one)
            if node is not None and node not in found:
                found.append(node)
                ahead += [base.id for base in node.bases if isinstance(base, ast.Name)]
        return found

    def of_class(self, lineage: _Lineage) -> frozenset[str]:
        """Items of an own class, whose getter may come from a base."""
        getter = _member(lineage, "__getitem__")
        if getter is None or _member(lineage, "__getitems__") is not None:
            return frozenset({OPEN})
        return self._returned(getter, lineage, 0)

    def _returned(self, node: ast.AST, lineage: _Lineage, depth: int) -> frozenset[str]:
        """What a function returns."""
        if depth > _DEEP or not isinstance(node, ast.FunctionDef):
            return frozenset({OPEN})
        told = ast.unparse(node.returns) if node.returns is not None else ""
        if told.lower().startswith(("tuple[", "typing.tuple[")):
            return frozenset({TUPLE})
        if told.lower().startswith(("dict[", "typing.dict[", "mapping[")) or told == "dict":
            return frozenset({DICT})
        given = [one.value for one in _inside(node) if isinstance(one, ast.Return) and one.value]
        return _joined(self._of(one, node, lineage, depth) for one in given) or frozenset({OPEN})

    def _of(
        self, one: ast.expr, node: ast.FunctionDef | None, lineage: _Lineage, depth: int
    ) -> frozenset[str]:
        """What an expression of a function is."""
        if depth > _DEEP:
            return frozenset({OPEN})
        if isinstance(one, ast.Tuple | ast.List):
            return frozenset({DICT if any(map(_is_nested, one.elts)) else TUPLE})
        if isinstance(one, ast.Dict | ast.DictComp):
            return frozenset({DICT})
        if isinstance(one, ast.IfExp):
            return _joined(self._of(o, node, lineage, depth + 1) for o in (one.body, one.orelse))
        if isinstance(one, ast.Call):
            return self._called(one, lineage, depth)
        if isinstance(one, ast.Subscript):
            return self._item(one, lineage, depth)
        if isinstance(one, ast.Name) and node is not None:
            bound = [
                n.value for n in _inside(node)
                if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is not None
                and any(getattr(t, "id", "") == one.id
                        for t in (n.targets if isinstance(n, ast.Assign) else [n.target]))
            ]  # fmt: skip
            return _joined(self._of(v, node, lineage, depth + 1) for v in bound) or _seen(
                self.work, one
            )
        return _seen(self.work, one)

    def _called(self, one: ast.Call, lineage: _Lineage, depth: int) -> frozenset[str]:
        name = getattr(one.func, "id", getattr(one.func, "attr", ""))
        if name in _DICTS:
            return frozenset({DICT})
        if name == "tuple":
            return frozenset({TUPLE})
        if name in ("copy", "deepcopy") and isinstance(one.func, ast.Attribute) and not one.args:
            return self._of(one.func.value, None, lineage, depth + 1)
        member = _member(lineage, name) if _of_self(one.func) else None
        if member is not None:
            return self._returned(member, lineage, depth + 1)
        return _seen(self.work, one)

    def _item(self, one: ast.Subscript, lineage: _Lineage, depth: int) -> frozenset[str]:
        """An item of what the class keeps: of a list of such."""
        kept = one.value.attr if isinstance(one.value, ast.Attribute) else ""
        if not kept or not _of_self(one.value):
            return _seen(self.work, one)
        made = [
            n.value
            for base in lineage
            for n in ast.walk(base)
            if isinstance(n, ast.Assign) and any(getattr(t, "attr", "") == kept for t in n.targets)
        ]
        lists = [
            self._of(v.elt if isinstance(v, ast.ListComp) else v.elts[0], None, lineage, depth + 1)
            for v in made
            if isinstance(v, ast.ListComp) or (isinstance(v, ast.List) and v.elts)
        ]
        return _joined(lists) or _seen(self.work, one)


def _member(lineage: _Lineage, name: str) -> ast.FunctionDef | None:
    """A method of a class, the nearest one."""
    every = (one for base in lineage for one in base.body if isinstance(one, ast.FunctionDef))
    return next((one for one in every if one.name == name), None)


def _seen(work: Rewriter, one: ast.expr) -> frozenset[str]:
    return _of_value(work.resolver.reading.given.get(one, UNKNOWN))


def _is_nested(one: ast.expr) -> bool:
    """Whether it is a dict that holds dicts, which no batch is made of."""
    return isinstance(one, ast.Dict) and any(isinstance(v, ast.Dict) for v in one.values)


def _of_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self"


def _joined(several: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset(kind for one in several for kind in one)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function, but for what stands in others."""
    ahead = list(ast.iter_child_nodes(node))
    for one in ahead:
        yield one
        if not isinstance(one, (*_FUNCTIONS, ast.Lambda, ast.ClassDef)):
            ahead += ast.iter_child_nodes(one)
