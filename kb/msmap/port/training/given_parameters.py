"""What an optimizer is given: the modules whose parameters it gets, and their classes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msmap.infer.interpreter import Reading
from msmap.infer.values.lattice import (
    FOREIGN,
    Class,
    Entry,
    Function,
    Object,
    Several,
    each,
    owner_kind,
)
from msmap.port.modes.dependent import value_of
from msmap.port.session import Rewriter
from msmap.port.training.forward_reads import assigned

_GIVING = ("parameters", "named_parameters", "trainable_params")
_FILLING = ("append", "extend", "add")
# What gives the module that it is called on, or that it is given.
_FLUENT = ("to", "cuda", "cpu", "train", "float", "double", "half", "apply")
_WRAPPERS = ("torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel", "torch.compile")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# A class of the source, a call of a layer of PyTorch's, or None for anything.
Made = Entry | ast.Call | None


class Given:
    """What the optimizers of one file are given."""

    def __init__(self, work: Rewriter) -> None:
        self.work = work
        self.home: Reading = work.resolver.reading

    def of(self, maker: ast.Call) -> list[ast.expr]:
        """The modules whose parameters an optimizer gets, and the single tensors."""
        named = [keyword.value for keyword in maker.keywords if keyword.arg == "params"]
        found = {ast.unparse(one): one for one in self._owners([*maker.args[:1], *named], set())}
        return list(found.values())

    def _owners(self, nodes: Iterable[ast.expr], seen: set[str]) -> Iterator[ast.expr]:
        for node in nodes:
            calls = [
                one.func.value for one in ast.walk(node)
                if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)
                and one.func.attr in _GIVING
            ]  # fmt: skip
            if calls:
                yield from calls
            elif isinstance(node, ast.List | ast.Tuple):
                yield from self._owners(node.elts, seen)
            elif isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                groups = [v for k, v in pairs if getattr(k, "value", "") == "params"]
                yield from self._owners(groups, seen)
            elif isinstance(node, ast.Name | ast.Attribute):
                text = ast.unparse(node)
                made = [] if text in seen else self.assigned(text)
                yield from self._owners(made, {*seen, text}) if made else (node,)
            else:
                names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
                known = [n for n in names if n.id not in seen and self.assigned(n.id)]
                yield from self._owners(known, seen) if known else (node,)

    @cached_property
    def _bound(self) -> dict[str, list[ast.expr]]:
        """What each name is given anywhere in the file: assigned, gone through, or put into it."""
        found: dict[str, list[ast.expr]] = {}

        def bind(target: ast.expr, value: ast.expr) -> None:
            if isinstance(target, ast.Tuple | ast.List):
                same = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
                values = value.elts if same else [value] * len(target.elts)  # type: ignore[attr-defined]
                for one, part in zip(target.elts, values, strict=True):
                    bind(one, part)
            elif isinstance(target, ast.Name | ast.Attribute):
                found.setdefault(ast.unparse(target), []).append(value)

        nodes = self.work.source.nodes
        for made in nodes.of(ast.Assign):
            for target in made.targets:
                bind(target, made.value)
        for typed in nodes.of(ast.AnnAssign):
            if typed.value is not None:
                bind(typed.target, typed.value)
        for loop in nodes.of(ast.For):
            bind(loop.target, loop.iter)
        for call in nodes.of(ast.Call):
            if isinstance(call.func, ast.Attribute) and call.func.attr in _FILLING and call.args:
                bind(call.func.value, call.args[0])
        return found

    def assigned(self, text: str) -> list[ast.expr]:
        """What a name is given anywhere in the file."""
        return self._bound.get(text, [])

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether a name is given a tensor where it is bound."""
        values = self.assigned(ast.unparse(node))
        names = [canonical(self.home, one) for one in values]
        return bool(names) and all(
            name.startswith("torch.") and owner_kind(name) != "module" for name in names
        )

    # Of which class a module is.

    def classes(self, node: ast.expr) -> list[Made]:
        """Of which classes a module may be; those of the file where nothing tells."""
        found = list(self._classes(node, frozenset()))
        return found or self._roots

    def _classes(self, node: ast.expr, seen: frozenset[str]) -> Iterator[Made]:
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr not in _FLUENT or node in self.home.objects:
                break
            node = node.func.value
        text = ast.unparse(node)
        if text in seen:
            return
        seen |= {text}
        if isinstance(node, ast.Call):
            yield from self._made(node, seen)
        elif text == "self":
            owner = self._owner(node)
            if owner is not None:
                yield owner
        elif isinstance(node, ast.IfExp):
            yield from self._classes(node.body, seen)
            yield from self._classes(node.orelse, seen)
        elif isinstance(node, ast.Name | ast.Attribute):
            values = self.assigned(text)
            found = [made for value in values for made in self._classes(value, seen)]
            if not found and isinstance(node, ast.Name):
                found = list(self._parameter(node, seen))
            if not found and isinstance(node, ast.Attribute):
                found = list(self._attribute(node, seen))
            yield from found

    def _made(self, node: ast.Call, seen: frozenset[str]) -> Iterator[Made]:
        found = self.home.objects.get(node)
        name = canonical(self.home, node)
        if isinstance(found, Class | Several):
            for one in each(found):
                yield one.entry if isinstance(one, Class) else None
        elif name in _WRAPPERS and node.args:
            yield from self._classes(node.args[0], seen)
        elif owner_kind(name) == "module":
            yield node
        elif value_of(self.home, node.func) is FOREIGN:
            yield None
        else:
            function = getattr(node.func, "attr", getattr(node.func, "id", ""))
            for body in self.work.source.nodes.of(ast.FunctionDef):
                for given in ast.walk(body) if body.name == function else ():
                    if isinstance(given, ast.Return) and given.value is not None:
                        yield from self._classes(given.value, seen)

    def _attribute(self, node: ast.Attribute, seen: frozenset[str]) -> Iterator[Made]:
        """What an attribute of a module holds."""
        for owner in self._classes(node.value, seen) if node.value else ():
            if not isinstance(owner, Entry):
                continue
            for name, of, value, _ in assigned(owner):
                made = of.home.objects.get(value)
                if name == node.attr and isinstance(made, Class):
                    yield made.entry
                elif name == node.attr and owner_kind(canonical(of.home, value)) == "module":
                    yield value  # type: ignore[misc]

    def _parameter(self, node: ast.Name, seen: frozenset[str]) -> Iterator[Made]:
        """What the parameter of a function is, as calls and annotations tell."""
        parents = self.work.source.nodes.parents
        outer: ast.AST | None = parents.get(node)
        while outer is not None:
            if isinstance(outer, _FUNCTIONS):
                every = [*outer.args.posonlyargs, *outer.args.args, *outer.args.kwonlyargs]
                names = [one.arg for one in every]
                if node.id in names:
                    yield from self._passed(outer, names.index(node.id), every, seen)
                    return
            outer = parents.get(outer)

    def _passed(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef, place: int,
        every: Sequence[ast.arg], seen: frozenset[str],
    ) -> Iterator[Made]:  # fmt: skip
        parameter = every[place]
        if parameter.annotation is not None:
            typed = value_of(self.home, parameter.annotation)
            if isinstance(typed, Class):
                yield typed.entry
                return
        owner = self._owner(function)
        bound = owner.members.get(function.name) if owner else self.home.exported(function.name)
        if isinstance(bound, Function) and bound.passed:
            value = bound.passed.get(parameter.arg)
            if isinstance(value, Object):
                yield value.entry
                return
        is_method = isinstance(self.work.source.nodes.parents.get(function), ast.ClassDef)
        asked = function.name
        if asked == "__init__":
            asked = self.work.source.nodes.parents[function].name  # type: ignore[attr-defined]
        for call in self.work.source.nodes.of(ast.Call):
            if getattr(call.func, "attr", getattr(call.func, "id", "")) != asked:
                continue
            given = [k.value for k in call.keywords if k.arg == parameter.arg]
            given += call.args[place - is_method : place - is_method + 1]
            for one in given[:1]:
                yield from self._classes(one, seen)

    def _owner(self, node: ast.AST) -> Entry | None:
        """The module in whose class something stands."""
        parents = self.work.source.nodes.parents
        outer = parents.get(node)
        while outer is not None and not isinstance(outer, ast.ClassDef):
            outer = parents.get(outer)
        use = self.work.uses.get(outer) if outer is not None else None
        return use.receiver.entry if use is not None and isinstance(use.receiver, Class) else None

    @cached_property
    def _roots(self) -> list[Made]:
        """The models of the file: the modules that are no part, and no base, of another one."""
        every = [
            use.receiver.entry for use in self.work.uses.values()
            if use.how == "class" and isinstance(use.receiver, Class)
            and owner_kind(use.receiver.entry.torch_base) == "module"
        ]  # fmt: skip
        parts = {base for one in every for base in one.lineage[1:]}
        for one in every:
            for node in ast.walk(one.node):
                made = self.home.objects.get(node)
                parts |= {c.entry for c in each(made) if isinstance(c, Class)} if made else set()
        return [one for one in every if one not in parts] or [None]


def canonical(home: Reading, node: ast.AST) -> str:
    """The name of PyTorch's that a call is of; "" if it is none."""
    use = home.uses.get(node)
    return (home.canonical(use.names[0]) or "") if use is not None and use.how == "call" else ""
