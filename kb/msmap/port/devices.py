"""Names for devices: they go, or become texts, where nothing that was ported sees them any more."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from textwrap import dedent

from msmap.code.reading import Use
from msmap.port import removals
from msmap.port.rewriter import Rewriter
from msmap.port.training import places
from msmap.port.training.places import Body

_TEXTS = {"cpu": "CPU", "cuda": "GPU", "npu": "Ascend"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CHOSEN = {"cpu": "CPU", "gpu": "GPU"}
_DEVICE = "torch.device"


def port(work: Rewriter) -> None:
    """Take out or write what makes devices that nothing needs; all else was written before."""
    if work.resolver.own or work.resolver.reading.snippet:
        return
    for statement in dict.fromkeys(work.idle):
        _idle(work, statement)
    if not work.source.mentions("device("):
        return
    made = [use for use in work.uses.values() if _is_device(work, use)]
    if made:
        _Devices(work, made).write()


def _idle(work: Rewriter, statement: ast.stmt) -> None:
    """A statement goes that says nothing any more: ``x = x``, or ``x`` alone."""
    begin, end = work.source.span(statement)
    if any(b <= begin and end <= e and e - b > end - begin for b, e, _ in work.changes.all()):
        return
    written = ast.parse(dedent(f"{work.changes.text(statement)}\n")).body
    if len(written) != 1:
        return
    one = written[0]
    if isinstance(one, ast.Expr):
        idle = _is_plain(one.value)
    else:
        idle = (
            isinstance(one, ast.Assign)
            and len(one.targets) == 1
            and _is_plain(one.value)
            and ast.unparse(one.targets[0]) == ast.unparse(one.value)
        )
    if idle and "#" not in work.changes.text(statement):
        removals.line(work, statement)


def _is_plain(node: ast.expr) -> bool:
    """Whether reading an expression does nothing: a name, an attribute of one, or some of them."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_plain, node.elts))
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_plain(node.value))


def _is_device(work: Rewriter, use: Use) -> bool:
    return use.how == "call" and work.resolver.reading.canonical(use.names[0]) == _DEVICE


class _Devices:
    """What is made of devices in a source, and who still sees them."""

    def __init__(self, work: Rewriter, made: list[Use]) -> None:
        self.work, self.source = work, work.source
        self.made = {use.node: use for use in made}
        # By what is passed to a call, the call and its place or its name there.
        self.passed: dict[ast.AST, tuple[ast.Call, int | str]] = dict(_passed(work.source.tree))
        self.asked: set[tuple[ast.AST, str]] = set()
        self.changes = list(work.changes.all())
        self.begins = [begin for begin, _, _ in self.changes]

    def write(self) -> None:
        """Write what can be told."""
        done: set[ast.AST] = set()
        for statement in dict.fromkeys(use.statement for use in self.made.values()):
            mine = [node for node, use in self.made.items() if use.statement is statement]
            name = _target(statement)
            if statement is None or statement not in self.work.places:
                continue
            if name:
                done |= self.named(statement, name, mine)
            else:
                done |= {n for n in mine if self.is_unseen(n) and self.put(n)}
        self.work.refused[:] = [one for one in self.work.refused if one[1] not in done]

    def named(self, statement: ast.stmt, name: str, mine: list[ast.AST]) -> set[ast.AST]:
        """What is done of the devices that a statement gives a name."""
        body = self.work.places[statement][0]
        every = [use.statement for use in self.made.values()]
        if any(bound not in every for bound in body.bindings[name]) or name in body.parameters:
            return set()
        if not self.is_dead(body, name):
            return set()
        seen = [n for n in _reads(body, name) if not self.is_dropped(n)]
        if not seen:
            removals.line(self.work, statement)
            return set(mine)
        return {node for node in mine if self.put(node)}

    def is_dead(self, body: Body, name: str) -> bool:
        """Whether nothing in a body does anything with a name but pass it to such bodies."""
        if (body.node, name) in self.asked:
            return True
        self.asked.add((body.node, name))
        return all(self.is_dropped(n) or self.is_unseen(n) for n in _reads(body, name))

    def is_dropped(self, node: ast.Name) -> bool:
        """Whether a name stood in what was written without it."""
        begin, end = self.source.span(node)
        at = bisect_right(self.begins, begin) - 1
        if at < 0 or self.changes[at][1] < end:
            return False
        return re.search(rf"\b{node.id}\b", self.changes[at][2]) is None

    def is_unseen(self, node: ast.AST) -> bool:
        """Whether something is passed to a function of the source that does nothing with it."""
        if node not in self.passed:
            return False
        call, place = self.passed[node]
        if not isinstance(call.func, ast.Name):
            return False
        name = call.func.id
        bodies = self.work.bodies
        outer = [b for b in bodies if name in b.bindings or name in b.parameters]
        if len(outer) != 1 or len(outer[0].bindings.get(name, ())) != 1:
            return False
        function = outer[0].bindings[name][0]
        if not isinstance(function, _FUNCTIONS) or function.decorator_list:
            return False
        body = next(b for b in bodies if b.node is function)
        placed = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        if isinstance(place, int):
            parameter = placed[place] if place < len(placed) else ""
        else:
            parameter = place
        known = {*placed, *(one.arg for one in function.args.kwonlyargs)}
        if parameter not in known or parameter in body.bindings:
            return False
        return self.is_dead(body, parameter)

    def put(self, node: ast.AST) -> bool:
        """A device becomes a text; whether it can."""
        assert isinstance(node, ast.Call)
        chosen = self.work.facts.device
        text = None
        if chosen:
            text = f'"{_CHOSEN.get(chosen.lower(), "Ascend")}"'
        elif len(node.args) == 1 and not node.keywords:
            text = self.text(node.args[0])
        if text is not None:
            self.work.changes.put(node, text)
        return text is not None

    def text(self, node: ast.expr) -> str | None:
        """What the text of a device of PyTorch's is here."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            known = _TEXTS.get(node.value.partition(":")[0])
            quote = self.source.text(node)[-1]
            return None if known is None else f"{quote}{known}{quote}"
        if isinstance(node, ast.IfExp):
            yes, no = self.text(node.body), self.text(node.orelse)
            if yes is not None and no is not None:
                return f"{yes} if {self.work.changes.text(node.test)} else {no}"
        return None


def _target(statement: ast.stmt | None) -> str:
    """The one name that a statement assigns to; "" if it is no such statement."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else ""
    return ""


def _reads(body: Body, name: str) -> list[ast.Name]:
    inside = body.node.body
    return [node for one in inside for node in places.read(one) if node.id == name]


def _passed(tree: ast.AST) -> Iterator[tuple[ast.AST, tuple[ast.Call, int | str]]]:
    """What is passed to calls, as far as it can be told to which parameter."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for place, argument in enumerate(node.args):
                if isinstance(argument, ast.Starred):
                    break
                yield argument, (node, place)
            yield from ((k.value, (node, k.arg)) for k in node.keywords if k.arg is not None)
