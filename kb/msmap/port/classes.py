"""Classes of PyTorch's as values: written where all calls that are made through them are seen."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from msmap.code import arguments as values
from msmap.code.reading import Use
from msmap.code.refusal import Refused
from msmap.model import Record
from msmap.port import call as calls
from msmap.port.rewriter import Rewriter
from msmap.port.training import places
from msmap.port.training.places import Body

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TESTS = (ast.If, ast.IfExp, ast.While)


def port(work: Rewriter) -> None:
    """Write classes that are defaults of parameters, or passed for them, in own functions."""
    if work.resolver.own or work.resolver.reading.snippet:
        return
    left = [node for _, node, refusal in work.refused if refusal.kind == "value"]
    uses = [
        use
        for node in left
        if (use := work.uses.get(node))
        and use.how == "name"
        and not use.typed
        and work.resolver.meaning(use).record.kind == "class"
    ]
    if uses:
        outline = _Outline(work)
        done = {use.node for use in uses if _write(work, outline, use)}
        work.refused[:] = [one for one in work.refused if one[1] not in done]


def _write(work: Rewriter, outline: _Outline, use: Use) -> bool:
    record = work.resolver.meaning(use).record
    found = outline.given.get(use.node)
    if found is None:
        return False
    made = outline.calls(*found)
    if not made or any(isinstance(a, ast.Starred) for one in made for a in one.args):
        return False
    shapes = {(len(one.args), *(k.arg for k in one.keywords)) for one in made}
    if len(shapes) != 1 or None in {k.arg for one in made for k in one.keywords}:
        return False
    try:
        text = _adapter(record, made[0])
    except Refused:
        return False
    if text is None:
        return False
    work.records.append(record.torch)
    work.changes.put(use.node, text)
    return True


def _adapter(record: Record, made: ast.Call) -> str | None:
    """What is called as PyTorch's class is: its counterpart, or a function that makes one."""
    placed = [
        p.name for s in calls.source_signatures(record)[:1] for p in s.parameters if p.positional
    ]
    named = [str(k.arg) for k in made.keywords]
    if len(placed) < len(made.args) or {*placed[: len(made.args)]} & {*named}:
        return None
    given = [*placed[: len(made.args)], *named]
    done = calls.write(
        record,
        calls.Arguments(
            tuple(values.argument(name, "position") for name in placed[: len(made.args)]),
            {name: values.argument(name, "keyword") for name in named},
        ),
    )
    if not done.text:
        return None
    same = [*placed[: len(made.args)], *(f"{name}={name}" for name in named)]
    if done.target.api and done.text == f"{done.target.api}({', '.join(same)})":
        return done.target.api
    return f"lambda {', '.join(given)}: {done.text}" if given else f"lambda: {done.text}"


@dataclass
class _Outline:
    """Which parameters of own functions things are given to, and the calls made through these."""

    work: Rewriter
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    # By what is a default or is passed: the function and its parameter.
    given: dict[ast.AST, tuple[Body, str]] = field(default_factory=dict)
    asked: set[tuple[ast.AST, str]] = field(default_factory=set)
    # The bodies in which a name is bound, and each by the function that it is of.
    binding: dict[str, list[Body]] = field(default_factory=dict)
    by_node: dict[ast.AST, Body] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in ast.walk(self.work.source.tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        for body in self.work.bodies:
            self.by_node[body.node] = body
            for name in body.bindings.keys() | body.parameters:
                self.binding.setdefault(name, []).append(body)
            if isinstance(body.node, _FUNCTIONS):
                self.given.update((value, (body, name)) for value, name in _defaults(body.node))
        for node in self.parents:
            if isinstance(node, ast.Call):
                self.given.update(self._passed(node))

    def _passed(self, node: ast.Call) -> Iterator[tuple[ast.AST, tuple[Body, str]]]:
        found = self._called(node)
        if found is None:
            return
        body, placed = found
        for place, value in zip(placed, node.args, strict=False):
            if isinstance(value, ast.Starred):
                return
            yield value, (body, place)
        for keyword in node.keywords:
            if keyword.arg in body.parameters:
                yield keyword.value, (body, str(keyword.arg))

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

    def calls(self, body: Body, name: str) -> list[ast.Call] | None:
        """The calls that are made through a parameter; None if it is used otherwise too."""
        if (body.node, name) in self.asked:
            return []
        if name in body.bindings or not isinstance(body.node, _FUNCTIONS):
            return None
        self.asked.add((body.node, name))
        found: list[ast.Call] = []
        for node in (n for one in body.node.body for n in places.read(one) if n.id == name):
            parent = self.parents[node]
            if isinstance(parent, ast.Call) and parent.func is node:
                found.append(parent)
            elif node in self.given:
                further = self.calls(*self.given[node])
                if further is None:
                    break
                found += further
            elif not self._is_test(node, parent):
                break
        else:
            self.asked.discard((body.node, name))
            return found
        self.asked.discard((body.node, name))
        return None

    def _is_test(self, node: ast.AST, parent: ast.AST) -> bool:
        """Whether it is only asked whether something is there."""
        if isinstance(parent, _TESTS):
            return parent.test is node
        if isinstance(parent, ast.Compare):
            return isinstance(parent.ops[0], ast.Is | ast.IsNot) and len(parent.ops) == 1
        return False


def _defaults(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[ast.expr, str]]:
    spec = node.args
    placed = [*spec.posonlyargs, *spec.args]
    for one, value in zip(reversed(placed), reversed(spec.defaults), strict=False):
        yield value, one.arg
    for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        if default is not None:
            yield default, one.arg
