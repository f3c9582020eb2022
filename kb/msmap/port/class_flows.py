"""Where classes and functions go as values, and the calls that are made through all of that."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from msmap.code import bindings
from msmap.code.bindings import Body
from msmap.code.tree import children
from msmap.port.edits import lineage
from msmap.port.session import Rewriter

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TESTS = (ast.If, ast.IfExp, ast.While)
# What asks for no more than the keys of a dict.
_OF_KEYS = ("len", "list", "sorted", "tuple", "set", "print")
_KEYS = ("keys",)


@dataclass(frozen=True, slots=True)
class Made:
    """A call: how many arguments it gives by position, and the names of the others."""

    positional: int
    keywords: tuple[str, ...]
    # Where all that it gives is written.
    call: ast.Call | None = field(default=None, compare=False)


class Flows:
    """Follows values of a source to the calls that are made through them.

    Each method gives these calls, or None if the value may go where nobody sees it.
    """

    def __init__(self, work: Rewriter) -> None:
        self.work, self.source = work, work.source
        self.asked: set[tuple[object, str]] = set()
        # The bodies in which a name is bound, and each by the function that it is of.
        self.binding: dict[str, list[Body]] = {}
        self.by_node: dict[ast.AST, Body] = {}
        for body in work.bodies:
            self.by_node[body.node] = body
            for name in body.bindings.keys() | body.parameters:
                self.binding.setdefault(name, []).append(body)

    def follow(self, node: ast.AST, statement: ast.stmt | None) -> list[Made] | None:
        """Of what an expression in a statement gives."""
        parents = lineage(self.source, statement, node)
        parent = parents[-1]
        if isinstance(parent, ast.Call):
            return self._in_call(node, parent, statement)
        if isinstance(parent, ast.keyword):
            call = parents[-2]
            return self._passed(call, str(parent.arg)) if isinstance(call, ast.Call) else None
        if isinstance(parent, ast.arguments):
            name = next((n for value, n in _defaults(parent) if value is node), "")
            body = self.by_node.get(parents[-2])
            return None if body is None or not name else self.name(body, name)
        if isinstance(parent, ast.IfExp | ast.BoolOp):
            is_test = isinstance(parent, ast.IfExp) and parent.test is node
            return [] if is_test else self.follow(parent, statement)
        if isinstance(parent, ast.Dict):
            return self._dict(parent, statement) if node in parent.values else None
        if isinstance(parent, ast.Assign | ast.AnnAssign):
            return self._assigned(parent, node, False)
        return [] if self._is_test(node, parent) else None

    def _in_call(
        self, node: ast.AST, call: ast.Call, statement: ast.stmt | None
    ) -> list[Made] | None:
        made = _made(call)
        if node is call.func and call in self.work.written:
            return []
        if made is None or node is call.func:
            return None if made is None else [made]
        place = call.args.index(node)  # type: ignore[arg-type]
        if place or not self._is_partial(call.func):
            return self._passed(call, place)
        further = self.follow(call, statement)
        if further is None:
            return None
        before = made.positional - 1
        return [
            Made(
                before + one.positional,
                tuple(dict.fromkeys((*made.keywords, *one.keywords))),
                None if before else one.call,
            )
            for one in further
        ]

    def _is_partial(self, function: ast.expr) -> bool:
        """Whether something is functools.partial by an import of the source."""
        imports = self.source.all(ast.ImportFrom)
        if isinstance(function, ast.Name):
            return function.id in {
                alias.asname or alias.name
                for one in imports
                if one.module == "functools"
                for alias in one.names
                if alias.name == "partial"
            }
        on = function.value if isinstance(function, ast.Attribute) else None
        is_named = isinstance(on, ast.Name) and on.id == "functools"
        return is_named and function.attr == "partial" and "functools" in self.work.imported  # type: ignore[attr-defined]

    def _passed(self, call: ast.Call, place: int | str) -> list[Made] | None:
        """Of what is passed to a parameter of an own function."""
        found = self._called(call)
        if found is None:
            return None
        body, placed = found
        name = place if isinstance(place, str) else "".join(placed[place : place + 1])
        return self.name(body, name) if name in body.parameters else None

    def _called(self, node: ast.Call) -> tuple[Body, list[str]] | None:
        """The own function that a call calls, with the parameters that it fills by position."""
        if not isinstance(node.func, ast.Name):
            return None
        name = node.func.id
        outer = self.binding.get(name, [])
        if len(outer) != 1 or len(outer[0].bindings.get(name, ())) != 1:
            return None
        made = outer[0].bindings[name][0]
        skipped = 0
        if isinstance(made, ast.ClassDef) and not made.decorator_list:
            makers = [n for n in made.body if getattr(n, "name", "") == "__init__"]
            made = makers[0] if len(makers) == 1 else made
            skipped = 1
        if not isinstance(made, _FUNCTIONS) or made.decorator_list:
            return None
        placed = [one.arg for one in (*made.args.posonlyargs, *made.args.args)]
        return self.by_node[made], placed[skipped:]

    def _assigned(
        self, statement: ast.Assign | ast.AnnAssign, node: ast.AST, is_dict: bool
    ) -> list[Made] | None:
        """Of what is assigned to a name, or to an attribute of self."""
        if statement.value is not node:
            return None
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        found = self.work.places.get(statement)
        if len(targets) != 1 or found is None:
            return None
        target, body = targets[0], found[0]
        if isinstance(target, ast.Name):
            return self.name(body, target.id, is_dict)
        on = target.value if isinstance(target, ast.Attribute) else None
        if isinstance(on, ast.Name) and on.id == "self" and body.owner is not None:
            return self._attribute(target.attr, is_dict)  # type: ignore[attr-defined]
        return None

    def name(self, body: Body, name: str, is_dict: bool = False) -> list[Made] | None:
        """Of what a name stands for in a body."""
        told: list[ast.Global | ast.Nonlocal] = [
            *self.source.all(ast.Global),
            *self.source.all(ast.Nonlocal),
        ]
        if any(name in one.names for one in told):
            return None
        if isinstance(body.node, ast.Module) and self._is_told_elsewhere(name):
            return None
        reads = (
            (node, statement)
            for statement in body.node.body
            for node in bindings.read(statement)
            if node.id == name
        )
        return self._all((body.node, name), reads, is_dict)

    def _attribute(self, name: str, is_dict: bool) -> list[Made] | None:
        """Of what is set on self: nobody else may ask for an attribute of that name."""
        every = self._attributes.get(name, [])
        on = (node.value for node, _ in every)
        if not all(isinstance(one, ast.Name) and one.id == "self" for one in on):
            return None
        if self._is_told_elsewhere(name) or any(
            how == "text" for *_, how in self.source.words([name])
        ):
            return None
        reads = [(node, place) for node, place in every if isinstance(node.ctx, ast.Load)]
        return self._all((None, name), iter(reads), is_dict)

    @cached_property
    def _attributes(self) -> dict[str, list[tuple[ast.Attribute, ast.stmt]]]:
        """All attributes of the source by name, each with its statement."""
        found: dict[str, list[tuple[ast.Attribute, ast.stmt]]] = {}
        ahead: list[tuple[ast.AST, ast.stmt]] = [(one, one) for one in self.source.tree.body]
        for node, statement in ahead:
            if isinstance(node, ast.Attribute):
                found.setdefault(node.attr, []).append((node, statement))
            ahead += (
                (one, one if isinstance(one, ast.stmt) else statement) for one in children(node)
            )
        return found

    def _is_told_elsewhere(self, name: str) -> bool:
        place = self.work.resolver.reading.place
        return place is not None and place.is_told_elsewhere(name)

    def _all(
        self, key: tuple[object, str], reads: Iterator[tuple[ast.expr, ast.stmt]], is_dict: bool
    ) -> list[Made] | None:
        if key in self.asked:
            return []
        self.asked.add(key)
        found: list[Made] = []
        for node, statement in reads:
            further = (
                self._in_dict(node, statement) if is_dict else self.follow(node, statement)
            )  # fmt: skip
            if further is None:
                break
            found += further
        else:
            self.asked.discard(key)
            return found
        self.asked.discard(key)
        return None

    def _dict(self, node: ast.Dict, statement: ast.stmt | None) -> list[Made] | None:
        """Of the values of a dict that is written out."""
        if None in node.keys:
            return None
        parent = lineage(self.source, statement, node)[-1]
        if isinstance(parent, ast.Assign | ast.AnnAssign):
            return self._assigned(parent, node, True)
        return self._in_dict(node, statement)

    def _in_dict(self, node: ast.expr, statement: ast.stmt | None) -> list[Made] | None:
        """Of the values of what is a dict: they are asked for one by one."""
        parents = lineage(self.source, statement, node)
        parent = parents[-1]
        if isinstance(parent, ast.Subscript) and parent.value is node:
            loaded = isinstance(parent.ctx, ast.Load)
            return self.follow(parent, statement) if loaded else None
        if isinstance(parent, ast.Compare):
            return [] if isinstance(parent.ops[0], ast.In | ast.NotIn) else None
        call = parents[-2] if len(parents) > 1 else None
        if isinstance(parent, ast.Attribute) and isinstance(call, ast.Call):
            if parent.attr == "get" and not call.keywords:
                return self.follow(call, statement)
            return [] if parent.attr in _KEYS else None
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name):
            return [] if parent.func.id in _OF_KEYS else None
        return [] if self._is_test(node, parent) else None

    def _is_test(self, node: ast.AST, parent: ast.AST) -> bool:
        """Whether it is only asked whether something is there."""
        if isinstance(parent, _TESTS):
            return parent.test is node
        if isinstance(parent, ast.UnaryOp):
            return isinstance(parent.op, ast.Not)
        if isinstance(parent, ast.Compare):
            return isinstance(parent.ops[0], ast.Is | ast.IsNot) and len(parent.ops) == 1
        return False


def _made(call: ast.Call) -> Made | None:
    """What a call gives; None if some of it is unpacked."""
    names = [one.arg for one in call.keywords]
    if None in names or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    return Made(len(call.args), tuple(str(name) for name in names), call)


def _defaults(spec: ast.arguments) -> Iterator[tuple[ast.expr, str]]:
    placed = [*spec.posonlyargs, *spec.args]
    for one, value in zip(reversed(placed), reversed(spec.defaults), strict=False):
        yield value, one.arg
    for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        if default is not None:
            yield default, one.arg
