"""Names for devices: they go, or become texts, where nothing that was ported sees them any more."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from textwrap import dedent

from msmap.code import bindings
from msmap.code.bindings import Body
from msmap.infer.uses import Use
from msmap.model import Text
from msmap.port import block_edits, earlier_runs
from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_TEXTS = {"cpu": "CPU", "cuda": "GPU", "npu": "Ascend"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CHOSEN = {"cpu": "CPU", "gpu": "GPU"}
_DEVICE = "torch.device"
_SHOWN = 40


@rule(Phase.NAMES, modes=Mode.FILE)
def port(work: Rewriter) -> None:
    """Take out or write what makes devices that nothing needs; all else was written before."""
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
        block_edits.line(work, statement)


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
        # Of one device: what was asked on the way, and the functions that give it. All must be dead
        # that sees it, so what is asked again while it is asked counts as dead.
        self.asked: set[tuple[object, str]] = set()
        self.following: list[ast.AST] = []
        self.changes = list(work.changes.all())
        self.begins = [begin for begin, _, _ in self.changes]
        # What still sees a device, the first that was found.
        self.seer: ast.AST | None = None

    def write(self) -> None:
        """Write what can be told."""
        done: set[ast.AST] = set()
        for statement in dict.fromkeys(use.statement for use in self.made.values()):
            mine = [node for node, use in self.made.items() if use.statement is statement]
            if statement is None or not self.is_known(statement) or self.was_left(mine):
                continue
            self.asked, self.following, self.seer = set(), [], None
            name = _target(statement)
            if name and self.makes(statement):
                done |= self.named(statement, name, mine)
            else:
                done |= {n for n in mine if self.is_unseen(n) and self.put(n)}
            if self.seer is not None:
                self.tell([node for node in mine if node not in done], self.seer)
        self.work.refused[:] = [one for one in self.work.refused if one[1] not in done]

    def was_left(self, nodes: list[ast.AST]) -> bool:
        """Whether an earlier run said of devices that they stay: other files may have seen them."""
        kept = {one for one in nodes if earlier_runs.is_said(self.work, one, _DEVICE)}
        self.work.kept |= kept
        return bool(kept)

    def is_known(self, statement: ast.stmt) -> bool:
        """Whether a statement stands where names can be followed: also in the body of a class."""
        return statement in self.work.places or _is_field(statement, self.parents)

    def makes(self, statement: ast.stmt) -> bool:
        """Whether a statement in a body gives a device alone to what it assigns to."""
        is_one = isinstance(statement, ast.Assign) and self.is_device(statement.value)
        return is_one and statement in self.work.places

    def is_device(self, node: ast.expr) -> bool:
        """Whether an expression gives one of the devices, and nothing else."""
        if isinstance(node, ast.IfExp):
            return self.is_device(node.body) and self.is_device(node.orelse)
        return node in self.made

    def tell(self, nodes: list[ast.AST], seer: ast.AST) -> None:
        """Say of devices that stay what has to go first."""
        text = " ".join(self.source.text(seer).split())
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        reason = Text(
            "torch.device: delete this call; MindSpore needs nothing in its place, but"
            f" `{shown}` may use it: see to that first",
            "torch.device：删除此调用，MindSpore 中无需对应写法；"
            f"但 `{shown}` 可能用到它，请先处理该处",
        )
        for number, (begin, node, refusal) in enumerate(self.work.refused):
            if node in nodes:
                self.work.refused[number] = (begin, node, replace(refusal, reason=reason))

    def named(self, statement: ast.stmt, name: str, mine: list[ast.AST]) -> set[ast.AST]:
        """What is done of the devices that a statement gives a name."""
        body = self.work.places[statement][0]
        if not self.is_dead_name(body, name):
            return set()
        seen = [n for n in _reads(body, name) if not self.is_dropped(n)]
        if not seen:
            block_edits.line(self.work, statement)
            return set(mine)
        return {node for node in mine if self.put(node)}

    def is_dead_name(self, body: Body, name: str) -> bool:
        """Whether a name of a body stands for devices alone, and nothing does anything with it."""
        every = [use.statement for use in self.made.values()]
        given = body.bindings[name]
        if name in body.parameters or any(one not in every and not self.gets(one) for one in given):
            return False
        return self.is_dead(body, name)

    def gets(self, statement: ast.stmt) -> bool:
        """Whether a statement gives a name what a function gives whose devices are followed."""
        value = statement.value if isinstance(statement, ast.Assign) else None
        return isinstance(value, ast.Call) and self.function(value.func) in self.following

    def is_dead(self, body: Body, name: str) -> bool:
        """Whether nothing in a body does anything with a name but pass it to such bodies."""
        if (body.node, name) in self.asked:
            return True
        self.asked.add((body.node, name))
        return all(self.is_dropped(n) or self.is_unseen(n) for n in _reads(body, name))

    def is_dropped(self, node: ast.expr) -> bool:
        """Whether a name stood in what was written without it."""
        begin, end = self.source.span(node)
        at = bisect_right(self.begins, begin) - 1
        if at < 0 or self.changes[at][1] < end:
            return False
        name = _leaf(node)
        count = len(re.findall(rf"\b{name}\b", self.changes[at][2])) if name else 1
        return not count or count <= self.count_ahead(node, name, self.changes[at][:2])

    def count_ahead(self, node: ast.expr, name: str, span: tuple[int, int]) -> int:
        """How often a name stands in what a method is called on, if it is passed to that.

        Args:
            node: what is passed.
            name: it.
            span: where the whole call has to stand.
        """
        call = self.parents.get(node)
        call = self.parents.get(call) if isinstance(call, ast.keyword) else call
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return 0
        if node is call.func or self.source.span(call) != span:
            return 0
        every = [*call.args, *(keyword.value for keyword in call.keywords)]
        alone = sum(_leaf(one) == name for part in every for one in ast.walk(part)) == 1
        ahead = (name in (_leaf(one), getattr(one, "arg", "")) for one in ast.walk(call.func.value))
        return sum(ahead) if alone else 0

    def is_unseen(self, node: ast.AST) -> bool:
        """Whether what an expression gives goes where nothing is done with it."""
        parent = self.parents.get(node)
        if isinstance(parent, ast.IfExp) and node is not parent.test:
            return self.is_unseen(parent)
        if isinstance(parent, ast.Call | ast.keyword):
            return self.is_passed(node) or self.seen_by(parent)
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            return self.is_kept(parent, parent.targets[0])
        if isinstance(parent, ast.Tuple) and (target := self.beside(parent, node)) is not None:
            return self.is_kept(*target)
        if isinstance(parent, ast.AnnAssign):
            return self.is_kept(parent, parent.target)
        if isinstance(parent, ast.Return):
            return self.is_given(parent)
        if isinstance(parent, ast.arguments):
            return self.is_default(parent, node)
        return self.seen_by(parent)

    def beside(self, values: ast.Tuple, node: ast.AST) -> tuple[ast.stmt, ast.expr] | None:
        """The statement that gives one of several values a name of its own, and that target."""
        statement = self.parents.get(values)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        targets = statement.targets[0]
        every = [*values.elts, *getattr(targets, "elts", ())]
        if any(isinstance(one, ast.Starred) for one in every):
            return None
        if not isinstance(targets, ast.Tuple) or len(targets.elts) != len(values.elts):
            return None
        place = next(number for number, one in enumerate(values.elts) if one is node)
        return statement, targets.elts[place]

    def seen_by(self, node: ast.AST | None) -> bool:
        """Never; and remember what sees a device."""
        while node is not None and not hasattr(node, "lineno"):
            node = self.parents.get(node)
        while isinstance(node, ast.keyword):
            node = self.parents.get(node)
        if self.seer is None and isinstance(node, ast.expr):
            self.seer = node
        return False

    def is_kept(self, statement: ast.stmt, target: ast.expr) -> bool:
        """Whether nothing is done with what a statement keeps under a name, or on an object."""
        if isinstance(target, ast.Attribute):
            found = self.work.places.get(statement)
            owner = bindings.root(target)
            body = None if found is None else found[0]
            while body is not None and owner not in body.bindings and owner not in body.parameters:
                body = body.outer
            return body is not None and self.is_attribute_dead(target.attr)
        if not isinstance(target, ast.Name):
            return False
        if _is_field(statement, self.parents):
            return self.is_attribute_dead(target.id)
        return statement in self.work.places and self.is_dead_name(
            self.work.places[statement][0], target.id
        )

    def is_attribute_dead(self, name: str) -> bool:
        """Whether nothing is done with what objects have under a name, whichever these are."""
        if ("", name) in self.asked:
            return True
        self.asked.add(("", name))
        # Whoever asks by a text gets it too, and other files do.
        if self.source.mentions(f'"{name}"', f"'{name}'") or self.is_told_elsewhere(name):
            return False
        return all(
            self.is_dropped(node) or self.is_unseen(node) for node in self.loaded.get(name, ())
        )

    def is_told_elsewhere(self, name: str) -> bool:
        """Whether another file that may import this one says a name."""
        place = self.work.resolver.reading.place
        return place is not None and place.is_told_elsewhere(name)

    def is_given(self, statement: ast.Return) -> bool:
        """Whether nothing is done with what the function gives in which a statement stands."""
        node: ast.AST | None = statement
        while node is not None and not isinstance(node, (*_FUNCTIONS, ast.Lambda)):
            node = self.parents.get(node)
        if not isinstance(node, _FUNCTIONS):
            return False
        if (node, "") in self.asked:
            return True
        self.asked.add((node, ""))
        self.following.append(node)
        if [_leaf(one) for one in node.decorator_list] in (["property"], ["cached_property"]):
            return self.is_attribute_dead(node.name)
        if self.is_told_elsewhere(node.name):
            return False
        if self.is_decorated(node) or isinstance(self.parents.get(node), ast.ClassDef):
            return False
        reads = [n for body in self.work.bodies[:1] for n in _reads(body, node.name)]
        if any(self.function(read) is not node for read in reads):
            return False
        calls = [self.parents.get(read) for read in reads]
        if not all(
            isinstance(c, ast.Call) and c.func is r for c, r in zip(calls, reads, strict=True)
        ):
            return False
        return all(self.is_call_gone(call) or self.is_unseen(call) for call in calls if call)

    def is_call_gone(self, call: ast.AST) -> bool:
        """Whether a call stood in what was written without it."""
        return isinstance(call, ast.Call) and self.is_dropped(call.func)

    def is_default(self, spec: ast.arguments, node: ast.AST) -> bool:
        """Whether nothing is done with a parameter of which something is the default."""
        function = self.parents.get(spec)
        placed = [*spec.posonlyargs, *spec.args]
        defaults = dict(zip(reversed(spec.defaults), reversed(placed), strict=False))
        defaults |= {d: a for d, a in zip(spec.kw_defaults, spec.kwonlyargs, strict=True) if d}
        body = next((b for b in self.work.bodies if b.node is function), None)
        name = defaults[node].arg if node in defaults else ""
        return body is not None and name not in body.bindings and self.is_dead(body, name)

    def function(self, node: ast.AST) -> ast.AST | None:
        """The one function, or class, of the source that a name stands for; else None."""
        if not isinstance(node, ast.Name):
            return None
        outer = [b for b in self.work.bodies if node.id in b.bindings or node.id in b.parameters]
        if len(outer) != 1 or len(outer[0].bindings.get(node.id, ())) != 1:
            return None
        found = outer[0].bindings[node.id][0]
        return found if isinstance(found, (*_FUNCTIONS, ast.ClassDef)) else None

    def is_decorated(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether anything stays above a function that may see what it is given, or gives."""
        above = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
        return not all(self.is_dropped(one) for one in above)

    def is_passed(self, node: ast.AST) -> bool:
        """Whether something is passed to a function of the source that does nothing with it."""
        if node not in self.passed:
            return False
        call, place = self.passed[node]
        function = self.function(call.func)
        skipped = 0
        if isinstance(function, ast.ClassDef):
            made = [n for n in function.body if getattr(n, "name", "") in ("__init__", "__new__")]
            if function.decorator_list or function.keywords or len(made) != 1:
                return False
            function, skipped = made[0], 1
        if not isinstance(function, _FUNCTIONS) or self.is_decorated(function):
            return False
        body = next(b for b in self.work.bodies if b.node is function)
        placed = [one.arg for one in (*function.args.posonlyargs, *function.args.args)][skipped:]
        if isinstance(place, int):
            parameter = placed[place] if place < len(placed) else ""
        else:
            parameter = place
        known = {*placed, *(one.arg for one in function.args.kwonlyargs)}
        if parameter not in known or parameter in body.bindings:
            return False
        return self.is_dead(body, parameter)

    @cached_property
    def passed(self) -> dict[ast.AST, tuple[ast.Call, int | str]]:
        """By what is passed to a call, the call and its place or its name there."""
        return dict(_passed(self.parents))

    @cached_property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        """What each node stands in."""
        return self.source.nodes.parents

    @cached_property
    def loaded(self) -> dict[str, list[ast.Attribute]]:
        """By their name, all attributes that are read, but for names of PyTorch's."""
        found: dict[str, list[ast.Attribute]] = {}
        uses = self.work.uses.values()
        named = {getattr(u.node, "func", u.node) for u in uses if u.how in ("name", "call")}
        for node in self.source.nodes.of(ast.Attribute):
            if node not in named:
                found.setdefault(node.attr, []).append(node)
        for name, nodes in found.items():
            found[name] = [node for node in nodes if isinstance(node.ctx, ast.Load)]
        return found

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


def _leaf(node: ast.AST) -> str:
    """The last word of a name, of an attribute, or of what is called."""
    return getattr(node, "id", "") or getattr(node, "attr", "")


def _is_field(statement: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a statement binds a name in the body of a class."""
    return isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(
        parents.get(statement), ast.ClassDef
    )


def _target(statement: ast.stmt) -> str:
    """The one name that a statement assigns to; "" if it is no such statement."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else ""
    return ""


def _reads(body: Body, name: str) -> list[ast.Name]:
    inside = body.node.body
    return [node for one in inside for node in bindings.read(one) if node.id == name]


def _passed(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, tuple[ast.Call, int | str]]]:
    """What is passed to calls, as far as it can be told to which parameter."""
    for node in nodes:
        if isinstance(node, ast.Call):
            for place, argument in enumerate(node.args):
                if isinstance(argument, ast.Starred):
                    break
                yield argument, (node, place)
            yield from ((k.value, (node, k.arg)) for k in node.keywords if k.arg is not None)
