"""Where code makes modules of its own accord: they are put in training mode, as PyTorch's are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msmap.code import bindings
from msmap.code.bindings import Body
from msmap.infer.interpreter import Reading
from msmap.infer.values.lattice import (
    FOREIGN,
    UNKNOWN,
    Class,
    Entry,
    Function,
    Path,
    each,
    owner_kind,
)
from msmap.model import Text
from msmap.port.mode import Mode
from msmap.port.modes.dependent import Dependent, value_of
from msmap.port.modes.first import FLUENT, First
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_SET = ".set_train()"
_MODULE = "torch.nn.Module"
_INIT = "__init__"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WRAPPERS = ("torch.nn.DataParallel", "torch.nn.parallel.", "torch.compile", "torch.jit.")
_FILLING = ("append", "extend", "insert")
_HOLDING = (ast.Tuple, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.GeneratorExp, ast.DictComp,
            ast.IfExp, ast.Starred, ast.keyword, ast.comprehension, ast.BoolOp)  # fmt: skip


@rule(Phase.PREPARE, modes=Mode.FILE)
def find(work: Rewriter) -> None:
    """Find the calls that make a module whose mode matters before the code sets it."""
    calls = [*_calls(work)]
    if calls:
        work.nodes |= Made(work, calls).found()


@rule(Phase.NODE, modes=Mode.FILE)
def put(work: Rewriter, node: ast.AST) -> None:
    """Put the module in training mode that a call makes, whatever that became."""
    text = work.changes.text(node)
    if not isinstance(node, ast.Call) or _is_set(work, node):
        return
    if node in work.uses and node not in work.written and work.uses[node].how == "call":
        return
    if text.startswith(("(lambda", "lambda")):
        work.warn(node, _FUNCTION, _MODULE)
        return
    text += _SET
    work.changes.put(node, text)
    work.bare[node] = text


def _is_set(work: Rewriter, node: ast.Call) -> bool:
    """Whether an earlier run has written it."""
    end = work.source.span(node)[1]
    behind = work.source.between(end, work.source.span(work.source.tree)[1])
    return re.match(r"[\s)]*\.\s*set_train\(", behind) is not None


def _calls(work: Rewriter) -> Iterator[ast.Call]:
    """The calls that make modules: of PyTorch's classes, and of the source's own."""
    reading = work.resolver.reading
    for use in work.uses.values():
        if use.how == "call" and isinstance(use.node, ast.Call):
            name = reading.canonical(use.names[0]) or ""
            is_class = owner_kind(name) == "module" and work.facts.torch_kind(name) == "class"
            if is_class and not name.startswith(_WRAPPERS):
                yield use.node
    for node, found in reading.objects.items():
        if isinstance(node, ast.Call) and any(_is_module(one, reading) for one in each(found)):
            yield node


def _is_module(value: object, reading: Reading) -> bool:
    if isinstance(value, Class):
        return owner_kind(value.entry.torch_base) == "module"
    if isinstance(value, Path):
        name = reading.canonical(value.name) or ""
        return owner_kind(name) == "module" and reading.facts.torch_kind(name) == "class"
    return False


class Made:
    """The calls of one file that make modules."""

    def __init__(self, work: Rewriter, calls: list[ast.Call]) -> None:
        self.work, self.calls = work, set(calls)
        self.home: Reading = work.resolver.reading
        self.first = First(self.home, work.bodies)
        self.dependent = Dependent()
        self._building: dict[ast.AST, bool] = {}

    def found(self) -> set[ast.AST]:
        """Those that are put in training mode."""
        return {
            node for node in self.calls
            if not self._is_part(node) and self._matters(node) and self._is_followed(node)
            and self._may_be_set(node)
        }  # fmt: skip

    def _matters(self, node: ast.Call) -> bool:
        found = self.home.objects.get(node)
        classes = [one for one in each(found) if isinstance(one, Class)] if found else []
        if any(self.dependent.entry(one.entry) for one in classes):
            return True
        return self.dependent.made(self.home, node, self._function(node))

    def _may_be_set(self, node: ast.Call) -> bool:
        """Whether all of a module is in training mode when it is made; if not, that is said."""
        found = self.home.objects.get(node)
        for one in each(found) if found else ():
            if isinstance(one, Class) and any(map(_sets_itself, one.entry.lineage)):
                name = one.entry.node.name
                self.work.warn(node, Text(
                    f"{name}: a new Module is in training mode, a new Cell is not, and the"
                    " constructor sets the mode of a part: call set_train() on the other parts"
                    " before the first use",
                    f"{name}：新建的 Module 处于训练模式，而新建的 Cell 不是，且其构造函数设置了"
                    "部分子模块的模式：请在首次使用前对其余部分调用 set_train()",
                ), _MODULE)  # fmt: skip
                return False
        return True

    # Where it stands.

    def _function(self, node: ast.AST) -> ast.AST | None:
        """The function that something stands in."""
        found = self.first.parents.get(node)
        while found is not None and not isinstance(found, _FUNCTIONS):
            found = self.first.parents.get(found)
        return found

    def _is_part(self, node: ast.Call) -> bool:
        """Whether what is made gets its mode with the module that it is made for."""
        parents = self.first.parents
        outer = parents.get(node)
        if isinstance(outer, ast.Call) and outer.func is node:
            return False
        while outer is not None and isinstance(outer, (*_HOLDING, ast.Call, ast.Attribute)):
            if isinstance(outer, ast.Call) and (outer in self.calls or self._is_super(outer)):
                return True
            outer = parents.get(outer)
        function = self._function(node)
        builds = function is not None and self._builds(function) and not self._is_applied(node)
        return builds or self._is_collected(node)

    def _is_collected(self, node: ast.AST) -> bool:
        """Whether it goes into a list that is only a part of other modules."""
        parents = self.first.parents
        outer = parents.get(node)
        while isinstance(outer, _HOLDING):
            node, outer = outer, parents.get(outer)
        if isinstance(outer, ast.Call) and isinstance(outer.func, ast.Attribute):
            on = outer.func.value if outer.func.attr in _FILLING else None
        elif isinstance(outer, ast.Assign) and isinstance(node, _HOLDING):
            on = outer.targets[0] if len(outer.targets) == 1 else None
        else:
            on = outer.target if isinstance(outer, ast.AugAssign) else None
        statement = self._statement(node)
        found = self.first.where.get(statement) if statement is not None else None
        if not isinstance(on, ast.Name) or found is None:
            return False
        reads = [
            one for one in self.first.reads(found[0]).get(on.id, []) if not self._is_filled(one)
        ]
        return bool(reads) and all(map(self._is_given, reads))

    def _is_filled(self, node: ast.AST) -> bool:
        """Whether something is put into a list here."""
        outer = self.first.parents.get(node)
        fills = isinstance(outer, ast.Attribute) and outer.attr in _FILLING
        return fills or (isinstance(outer, ast.AugAssign) and outer.target is node)

    def _is_given(self, node: ast.AST) -> bool:
        """Whether a module is made of something here."""
        outer = self.first.parents.get(node)
        while isinstance(outer, _HOLDING):
            outer = self.first.parents.get(outer)
        return isinstance(outer, ast.Call) and (outer in self.calls or self._is_super(outer))

    def _is_super(self, call: ast.Call) -> bool:
        return isinstance(call.func, ast.Attribute) and call.func.attr == _INIT

    def _builds(self, function: ast.AST) -> bool:
        """Whether a function runs only where a module of the source is made."""
        if function not in self._building:
            self._building[function] = True
            self._building[function] = self._only_builds(function)
        return self._building[function]

    def _only_builds(self, function: ast.AST) -> bool:
        body = self.first.by_node.get(function)
        if body is None:
            return False
        name: str = function.name  # type: ignore[attr-defined]
        if body.owner is not None:
            if not self._owns(body.owner):
                return False
            if name == _INIT:
                return True
            asked: list[ast.AST] = [*self.work.source.nodes.attributes.get(name, ())]
            is_known = name.startswith("_") or not self._is_told_elsewhere(name)
        else:
            asked = self._named(name)
            is_known = not self._is_told_elsewhere(name)
        return bool(asked) and is_known and all(map(self._is_built, asked))

    def _named(self, name: str) -> list[ast.AST]:
        """Where a name is read."""
        every = self.work.source.nodes.names.get(name, ())
        return [one for one in every if isinstance(one.ctx, ast.Load)]

    def _owns(self, owner: ast.ClassDef) -> bool:
        use = self.work.uses.get(owner)
        return use is not None and owner_kind(use.names[0]) == "module"

    def _is_told_elsewhere(self, name: str) -> bool:
        place = self.home.place
        return place is not None and place.is_told_elsewhere(name)

    def _is_built(self, node: ast.AST) -> bool:
        """Whether what a function gives here is a part of a module."""
        call = self.first.parents.get(node)
        if isinstance(call, ast.Call) and call.func is node:
            outer = self.first.parents.get(call)
            if isinstance(outer, ast.Call) and outer.func is call:
                return False
            while isinstance(outer, (*_HOLDING, ast.Call)):
                if outer in self.calls:
                    return True
                outer = self.first.parents.get(outer)
        function = self._function(node)
        return function is not None and self._builds(function)

    def _is_applied(self, node: ast.Call) -> bool:
        """Whether a constructor itself applies what it has just made, by the name that it gets."""
        statement = self._statement(node)
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        names = {ast.unparse(one) for one in targets if isinstance(one, ast.Name | ast.Attribute)}
        function = self._function(node)
        return function is not None and any(
            isinstance(one, ast.Call) and ast.unparse(one.func) in names
            for one in ast.walk(function)
        )

    def _statement(self, node: ast.AST) -> ast.AST | None:
        found: ast.AST | None = node
        while found is not None and not isinstance(found, ast.stmt):
            found = self.first.parents.get(found)
        return found

    # Where it goes to.

    def _is_followed(self, node: ast.Call) -> bool:
        found = self.home.objects.get(node)
        self.first.anew(not isinstance(found, Class) or _reads_itself(found.entry))
        return self._is_exposed(node)

    def _is_exposed(self, node: ast.expr) -> bool:
        """Whether a module may be used before its mode is set."""
        parents = self.first.parents
        outer = parents.get(node)
        if isinstance(outer, ast.Return) and outer.value is node:
            return self._is_returned(node)
        if isinstance(outer, ast.Tuple):
            made = parents.get(outer)
            target = made.targets[0] if isinstance(made, ast.Assign) else None
            found = self.first.where.get(made) if isinstance(made, ast.Assign) else None
            if isinstance(target, ast.Tuple) and len(target.elts) == len(outer.elts) and found:
                return not self.first.target(found[0], target.elts[outer.elts.index(node)])
        if isinstance(outer, ast.Attribute):
            call = parents.get(outer)
            if outer.attr in FLUENT and isinstance(call, ast.Call) and call.func is outer:
                return self._is_exposed(call)
        return not self.first.value(node)

    def _is_returned(self, node: ast.AST) -> bool:
        """Whether what a function gives may be used before its mode is set."""
        function = self._function(node)
        body: Body | None = self.first.by_node.get(function) if function is not None else None
        if body is None or body.owner is not None or isinstance(function, ast.Lambda):
            return True
        name: str = function.name  # type: ignore[union-attr]
        if self._is_told_elsewhere(name):
            return True
        for one in self._named(name):
            call = self.first.parents.get(one)
            if not isinstance(call, ast.Call) or call.func is not one or self._is_exposed(call):
                return True
        return False


def _reads_itself(entry: Entry) -> bool:
    """Whether what an object computes may depend on the object."""
    forward = entry.member("forward")
    if not isinstance(forward, Function) or isinstance(forward.node, ast.Lambda) or entry.heirs:
        return True
    spec = forward.node.args
    names = {"super", *(one.arg for one in (*spec.posonlyargs, *spec.args)[:1])}
    read = (one.id for body in forward.node.body for one in bindings.read(body))
    return not names.isdisjoint(read)


def _sets_itself(entry: Entry) -> bool:
    """Whether the constructor of a class sets a mode."""
    for method in entry.node.body:
        if getattr(method, "name", "") != _INIT:
            continue
        for one in ast.walk(method):
            stored = isinstance(getattr(one, "ctx", None), ast.Store)
            if isinstance(one, ast.Attribute) and (
                one.attr in ("eval", "train") or (one.attr == "training" and stored)
            ):
                return True
    return False


_FUNCTION = Text(
    "a new Module is in training mode; what stands for this layer is a function without a mode:"
    " pass training=True where it is called",
    "新建的 Module 处于训练模式；此层的对应写法是没有模式的函数：请在调用处传入 training=True",
)


@rule(Phase.LAYERS, modes=Mode.FILE)
def tell(work: Rewriter) -> None:
    """Say of models that another library makes that they may start in another mode."""
    reading = work.resolver.reading
    first: First | None = None
    trained = _trained(work)
    for name, node in trained.items():
        first = first or First(reading, work.bodies)
        found = first.where.get(node)
        first.anew()
        if found is not None and not first.name(found[0], name):
            work.warn(node, _LIBRARY, _MODULE)


_LIBRARY = Text(
    "a new Module is in training mode, and a new Cell is not: if this gives a Cell, write"
    " .set_train() behind it",
    "新建的 Module 处于训练模式，而新建的 Cell 不是：若此处得到的是 Cell，请在其后写 .set_train()",
)


def _trained(work: Rewriter) -> dict[str, ast.Call]:
    """The calls of other libraries that make what an optimizer trains, by name."""
    reading = work.resolver.reading
    owned: set[str] = set()
    for use in work.uses.values():
        if use.how == "call" and owner_kind(reading.canonical(use.names[0]) or "") == "optimizer":
            for one in ast.walk(use.node):
                if isinstance(one, ast.Attribute) and one.attr == "parameters":
                    owned.add(ast.unparse(one.value))
    found: dict[str, ast.Call] = {}
    for node in work.source.all(ast.Assign):
        target = node.targets[0] if len(node.targets) == 1 else None
        value = node.value
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            if value.func.attr not in FLUENT:
                break
            value = value.func.value
        if not isinstance(target, ast.Name) or target.id not in owned:
            continue
        if not isinstance(value, ast.Call) or value in work.uses or value in reading.objects:
            continue
        if value_of(reading, value.func) in (FOREIGN, UNKNOWN):
            found[target.id] = value
    return found
