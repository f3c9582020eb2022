"""What own classes hold and functions make, read from their source for the layers in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard, cast

from msmap.infer.interpreter import Reading
from msmap.infer.values.lattice import Class, Entry, Function, Path, Value, owner_kind, settled
from msmap.weights.arguments import Made
from msmap.weights.shapes import NOTHING, UNKNOWN, Shape, joined
from msmap.weights.states import OWN

_LISTS = ("torch.nn.ModuleList", "torch.nn.Sequential")
_CONTAINERS = (*_LISTS, "torch.nn.ModuleDict")
# Functions that call each other are followed so far, and classes that hold each other.
_DEEP = 12


NO_CODE = cast(ast.FunctionDef, ast.parse("def _(): pass").body[0])


def own(entry: Entry, made: tuple[Body, ast.Call] | None) -> Shape:
    """An object of an own class: of PyTorch's where it comes from a layer."""
    base = entry.torch_base
    if owner_kind(base) != "module":
        return UNKNOWN
    layer = base.startswith("torch.nn.") and base not in _CONTAINERS
    return Shape(base if layer else OWN, entry, made=made)


class ClassOf:
    """An own class whose methods are looked through for what they set on ``self``."""

    def __init__(self, shape: Shape, depth: int) -> None:
        assert shape.entry is not None
        self.entry, self.depth = shape.entry, depth
        self.made = cast("tuple[Body, ast.Call] | None", shape.made)

    def fields(self) -> dict[str, Shape]:
        """What it holds, by attribute; ``*`` stands for any part of a name."""
        found: dict[str, list[Shape]] = {}
        for one in reversed(self.entry.lineage):
            for name, made in one.members.items():
                if isinstance(made, Function) and isinstance(made.node, ast.FunctionDef):
                    first = name == "__init__" and one is self._maker()
                    work = Body(one.home, made.node, self, self.depth, self.made if first else None)
                    for field_, shape in work.sets():
                        found.setdefault(field_, []).append(shape)
        return {name: joined(shapes) for name, shapes in found.items()}

    def _maker(self) -> Entry | None:
        """The class whose ``__init__`` is called."""
        return next((one for one in self.entry.lineage if "__init__" in one.members), None)


# What sets something on a module by a name that is an argument.
_SETTERS = ("setattr", "register_parameter", "register_buffer", "__setattr__")


def sets(entry: Entry, name: str) -> bool | None:
    """Whether a method of a class sets an attribute of a name on it; None if that isn't told."""
    found: bool | None = False
    for one in (n for e in entry.lineage for m in e.members.values() for n in _of_method(m)):
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) and one.attr == name:
            return True
        if isinstance(one, ast.Call) and getattr(one.func, "attr", _id(one.func)) in _SETTERS:
            named = [a for a in (*one.args, *(k.value for k in one.keywords)) if _is_text(a)]
            if any(a.value == name for a in named):
                return True
            found = found if named else None
    return found


def shared(entry: Entry) -> Iterator[tuple[str, str]]:
    """What methods of a class set to another part of its object, that first: paths in it."""
    made = [m for e in entry.lineage for name, m in e.members.items() if name != "forward"]
    for one in (node for method in made for node in _of_method(method)):
        if isinstance(one, ast.Assign) and (first := _path(one.value)):
            yield from ((first, other) for target in one.targets if (other := _path(target)))


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is set to what: one by one where both are written so."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        if len(target.elts) == len(value.elts):
            yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def _path(node: ast.expr) -> str:
    """``a.b`` of ``self.a.b``; "" of all else."""
    name, _, path = ast.unparse(node).partition(".")
    return path if name == "self" and all(map(str.isidentifier, path.split("."))) else ""


def _of_method(made: Value) -> Iterator[ast.AST]:
    return ast.walk(made.node) if isinstance(made, Function) else iter(())


def _id(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _is_text(node: ast.expr) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


class Body:
    """A function whose expressions are read for the layers that they make.

    Args:
        reading: of the file that it stands in.
        node: the function.
        around: the class of which it is a method.
        depth: how many functions call each other to get here.
        called: the call whose arguments its parameters get; their defaults where there is none.
    """

    def __init__(
        self,
        reading: Reading,
        node: ast.FunctionDef,
        around: ClassOf | None,
        depth: int,
        called: tuple[Body, ast.Call] | None = None,
    ) -> None:
        self.reading, self.node, self.around, self.depth = reading, node, around, depth
        arguments = node.args
        named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        self.parameters = {one.arg for one in named}
        for rest in (arguments.vararg, arguments.kwarg):
            self.parameters |= {rest.arg} if rest is not None else set()
        self.myself = named[0].arg if around is not None and named else ""
        self.given = self._given(called)
        self.loops: set[str] = set()
        self.local: dict[str, list[ast.expr]] = {}
        self.added: dict[str, list[ast.expr]] = {}
        self.asked: set[str] = set()
        self.inner = {n.name: n for n in _inside(node) if isinstance(n, ast.FunctionDef)}
        for one in _inside(node):
            self._note(one)

    def _given(self, called: tuple[Body, ast.Call] | None) -> dict[str, tuple[Body, ast.expr]]:
        """What the parameters are, each with the function in which the expression stands."""
        arguments = self.node.args
        places = [*arguments.posonlyargs, *arguments.args]
        outside = self if self.node is NO_CODE else Body(self.reading, NO_CODE, None, self.depth)
        found: dict[str, tuple[Body, ast.expr]] = {}
        behind = places[len(places) - len(arguments.defaults) :]
        for one, value in zip(behind, arguments.defaults, strict=True):
            found[one.arg] = (outside, value)
        for one, other in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if other is not None:
                found[one.arg] = (outside, other)
        if called is not None:
            caller, call = called
            if any(keyword.arg is None for keyword in call.keywords):
                # What else is given may take the place of any default.
                found = {}
            names = [one.arg for one in places[bool(self.myself) :]]
            for name, value in zip(names, call.args, strict=False):
                if isinstance(value, ast.Starred):
                    return {known: found[known] for known in names[: call.args.index(value)]}
                found[name] = (caller, value)
            for keyword in call.keywords:
                if keyword.arg is not None:
                    found[keyword.arg] = (caller, keyword.value)
        return found

    def _note(self, one: ast.AST) -> None:
        """What a name of the function is set to, and what is put into a list."""
        targets: list[ast.expr] = []
        if isinstance(one, ast.Assign):
            targets = one.targets
        elif isinstance(one, ast.AnnAssign) and one.value is not None:
            targets = [one.target]
        elif isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            self.added.setdefault(one.target.id, []).append(one.value)
        elif isinstance(one, ast.For | ast.comprehension):
            names = [n.id for n in ast.walk(one.target) if isinstance(n, ast.Name)]
            self.loops.update(names)
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            on = one.func.value
            if one.func.attr in ("append", "extend", "insert") and one.args:
                name = on.id if isinstance(on, ast.Name) else self._mine(on)
                value = one.args[-1]
                if one.func.attr != "extend":
                    value = ast.List([value], ast.Load())
                self.added.setdefault(name, []).append(value)
        for target in targets:
            if isinstance(target, ast.Name) and one.value is not None:  # type: ignore[attr-defined]
                self.local.setdefault(target.id, []).append(one.value)  # type: ignore[attr-defined]

    def _mine(self, node: ast.expr) -> str:
        """``self.name`` for an attribute of the object itself, else ""."""
        of_name = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if of_name and self.myself and node.value.id == self.myself:  # type: ignore[attr-defined]
            return f"self.{node.attr}"  # type: ignore[attr-defined]
        return ""

    def sets(self) -> Iterator[tuple[str, Shape]]:
        """What the function sets on its object."""
        for one in _inside(self.node):
            if isinstance(one, ast.Assign | ast.AnnAssign) and one.value is not None:
                targets = one.targets if isinstance(one, ast.Assign) else [one.target]
                for target, value in (pair for t in targets for pair in _pairs(t, one.value)):
                    if name := self._mine(target).removeprefix("self."):
                        yield name, self._with_added(f"self.{name}", self.shape(value))
            elif isinstance(one, ast.Call):
                yield from self._added_by(one)

    def _added_by(self, node: ast.Call) -> Iterator[tuple[str, Shape]]:
        """What a call sets: ``add_module``, ``setattr``, and the layers of a Sequential."""
        func, args = node.func, node.args
        if isinstance(func, ast.Name) and func.id == "setattr" and len(args) == 3:
            if isinstance(args[0], ast.Name) and args[0].id == self.myself:
                yield self._pattern(args[1]), self.shape(args[2])
        elif isinstance(func, ast.Attribute) and func.attr in ("add_module", "register_module"):
            if isinstance(func.value, ast.Name) and func.value.id == self.myself and len(args) == 2:
                yield self._pattern(args[0]), self.shape(args[1])
        elif (
            isinstance(func, ast.Attribute)
            and func.attr == "__init__"
            and isinstance(func.value, ast.Call)
            and isinstance(func.value.func, ast.Name)
            and func.value.func.id == "super"
            and self.around is not None
            and self.around.entry.torch_base in _CONTAINERS
        ):
            yield from self._children(node, self.around.entry.torch_base).items()

    def _pattern(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return str(node.value)
        if isinstance(node, ast.JoinedStr):
            return "".join(
                str(one.value) if isinstance(one, ast.Constant) else "*" for one in node.values
            )
        return "*"

    def shape(self, node: ast.expr) -> Shape:
        """What an expression makes."""
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.IfExp):
            return joined([self.shape(node.body), self.shape(node.orelse)])
        if isinstance(node, ast.BoolOp):
            return joined([self.shape(one) for one in node.values if not self._is_asked(one)])
        if isinstance(node, ast.Name):
            return self._name(node.id)
        return NOTHING if _is_none(node) else UNKNOWN

    def _name(self, name: str) -> Shape:
        """What a name of the function stands for."""
        if name in self.asked or name in self.loops:
            return UNKNOWN
        self.asked.add(name)
        several = [self.shape(value) for value in self.local.get(name, ())]
        if name in self.given:
            where, value = self.given[name]
            several.append(where.shape(value))
        elif name in self.parameters:
            several.append(UNKNOWN)
        found = self._with_added(name, joined(several)) if several else UNKNOWN
        self.asked.discard(name)
        return found

    def _with_added(self, name: str, shape: Shape) -> Shape:
        """A container with what is put into it later."""
        added = self.added.get(name)
        if not added or shape.kind is None:
            return shape
        inner = [one for value in added for one in self._elements(value).values()]
        held = [*shape.held.values(), *inner]
        return Shape(shape.kind, shape.entry, {"*": joined(held)} if held else {})

    def _is_asked(self, node: ast.expr) -> bool:
        """Whether it is a name that is just being asked for: `norm = norm or nn.LayerNorm`."""
        return isinstance(node, ast.Name) and node.id in self.asked

    def _call(self, node: ast.Call) -> Shape:
        if (inner := self._called(node)) is not None:
            return joined([inner.shape(one) for one in inner.returns()] or [UNKNOWN])
        if getattr(node.func, "attr", getattr(node.func, "id", "")) == "deepcopy" and node.args:
            return self.shape(node.args[0])
        several = [self.made_of(found, node) for found in self._meant(node.func)]
        return joined(several) if several else UNKNOWN

    def made_of(self, found: Value | None, node: ast.Call) -> Shape:
        """What calling a value makes."""
        if isinstance(found, Path):
            name = self.reading.canonical(found.name) or found.name
            if name in _CONTAINERS:
                return Shape(OWN, None, self._children(node, name))
            return Shape(name, given=_given(node)) if owner_kind(name) == "module" else UNKNOWN
        if isinstance(found, Class):
            return own(found.entry, (self, node))
        if isinstance(found, Function) and isinstance(found.node, ast.FunctionDef):
            inner = self.calling(found, None, node)
            return joined([inner.shape(one) for one in inner.returns()] or [UNKNOWN])
        return UNKNOWN

    def _called(self, node: ast.Call) -> Body | None:
        """The function that is called, if it is one that stands in this one, or a method."""
        if self.depth >= _DEEP:
            return None
        if isinstance(node.func, ast.Name) and node.func.id in self.inner:
            made = self.inner[node.func.id]
            return Body(self.reading, made, None, self.depth + 1, (self, node))
        mine = self._mine(node.func).removeprefix("self.")
        found = self.around.entry.member(mine) if mine and self.around is not None else None
        if isinstance(found, Function) and isinstance(found.node, ast.FunctionDef):
            return self.calling(found, self.around, node)
        return None

    def calling(self, made: Function, around: ClassOf | None, call: ast.Call) -> Body:
        """A function of the source as it is called so."""
        deep = self.depth >= _DEEP
        node = NO_CODE if deep else cast(ast.FunctionDef, made.node)
        return Body(made.home, node, around, self.depth + 1, (self, call))

    def returns(self) -> list[ast.expr]:
        """What it returns."""
        every = (one for one in _inside(self.node) if isinstance(one, ast.Return))
        return [one.value for one in every if one.value is not None]

    def _meant(self, node: ast.expr) -> list[Value | None]:
        """What may be called here, None for what isn't known; nothing if it is no name."""
        if isinstance(node, ast.BoolOp):
            rest = [one for one in node.values if not self._is_asked(one)]
            return [found for one in rest for found in self._meant(one)]
        if isinstance(node, ast.IfExp):
            return [*self._meant(node.body), *self._meant(node.orelse)]
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            return self._meant(node.args[0]) if name == "partial" and node.args else [None]
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id == self.myself:
            return []
        name = root.id
        if name in self.loops or name in self.asked:
            return [None]
        if name not in self.parameters and name not in self.local:
            return [settled(self.reading.peek(node))]
        if root is not node:
            return [None]
        self.asked.add(name)
        found = [one for value in self.local.get(name, ()) for one in self._meant(value)]
        if name in self.given:
            where, value = self.given[name]
            found += [] if _is_none(value) else where._meant(value)
        elif name in self.parameters:
            found.append(None)
        self.asked.discard(name)
        return found or [None]

    def _children(self, node: ast.Call, container: str) -> dict[str, Shape]:
        """What a container is made of."""
        if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
            named = self._named(node.args[0])
            if named is not None:
                return named
            if container.endswith("ModuleList"):
                return self._elements(node.args[0])
        return self._elements(ast.List(list(node.args), ast.Load()))

    def _named(self, node: ast.expr) -> dict[str, Shape] | None:
        """A dictionary of layers, or one of pairs."""
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            return {self._pattern(k): self.shape(v) for k, v in pairs if k is not None}
        if isinstance(node, ast.DictComp):
            return {"*": self.shape(node.value)}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name == "dict" and node.keywords:
                return {k.arg: self.shape(k.value) for k in node.keywords if k.arg}
            if name in ("OrderedDict", "dict") and len(node.args) == 1:
                first = node.args[0]
                if isinstance(first, ast.List | ast.Tuple) and all(
                    isinstance(one, ast.Tuple) and len(one.elts) == 2 for one in first.elts
                ):
                    pairs_ = [one.elts for one in first.elts if isinstance(one, ast.Tuple)]
                    return {self._pattern(k): self.shape(v) for k, v in pairs_}
                return self._named(first)
        return None

    def _elements(self, node: ast.expr) -> dict[str, Shape]:
        """What a list holds: by number where that is known."""
        if isinstance(node, ast.List | ast.Tuple):
            if not any(isinstance(one, ast.Starred) for one in node.elts):
                return {str(at): self.shape(one) for at, one in enumerate(node.elts)}
            every = [
                shape
                for one in node.elts
                for shape in (
                    self._elements(one.value).values()
                    if isinstance(one, ast.Starred)
                    else (self.shape(one),)
                )
            ]
            return {"*": joined(every)} if every else {}
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return {"*": self.shape(node.elt)}
        if isinstance(node, ast.BinOp):
            both = [*self._elements(node.left).values(), *self._elements(node.right).values()]
            return {"*": joined(both)} if both else {}
        if isinstance(node, ast.Name) and node.id in self.local:
            return self._list(node.id)
        if isinstance(node, ast.Call) and (inner := self._called(node)) is not None:
            several = [inner._elements(one) for one in inner.returns()]
            if len(several) == 1:
                return several[0]
            return {"*": joined([one for each in several for one in each.values()] or [UNKNOWN])}
        return {"*": UNKNOWN}

    def _list(self, name: str) -> dict[str, Shape]:
        """What a list holds that a name of the function stands for."""
        if name in self.asked or name in self.parameters:
            return {"*": UNKNOWN}
        self.asked.add(name)
        begun = [self._elements(value) for value in self.local[name]]
        added = [self._elements(value) for value in self.added.get(name, ())]
        self.asked.discard(name)
        if len(begun) == 1 and not added:
            return begun[0]
        every = [shape for one in (*begun, *added) for shape in one.values()]
        return {"*": joined(every)} if every else {}


def _given(node: ast.Call) -> Made | None:
    """The arguments of a call; None if it doesn't show them all."""
    if any(isinstance(one, ast.Starred) for one in node.args):
        return None
    keywords = tuple((k.arg, ast.unparse(k.value)) for k in node.keywords if k.arg is not None)
    if len(keywords) < len(node.keywords):
        return None
    return Made(tuple(ast.unparse(one) for one in node.args), keywords)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a function but for those of functions and classes in it."""
    ahead = list(ast.iter_child_nodes(node))
    while ahead:
        one = ahead.pop(0)
        yield one
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            ahead += ast.iter_child_nodes(one)
