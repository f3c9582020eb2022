"""Whether a value may depend on parameters: what does must be computed where gradients are."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice

from msmap.code import bindings as places
from msmap.code.bindings import Body
from msmap.infer.environment import imported
from msmap.infer.values.lattice import NUMPY, OTHER, PLAIN, Instance, Object, owner_kind
from msmap.infer.values.libraries import Library
from msmap.port.roles import turns_off
from msmap.port.session import Rewriter

# Those of Python's functions that give no more than is in their arguments.
_PLAIN = frozenset(
    ("abs", "bool", "dict", "enumerate", "float", "int", "isinstance", "iter", "len", "list", "max",
     "min", "next", "print", "range", "reversed", "round", "set", "sorted", "str", "sum", "tuple",
     "type", "zip")
)  # fmt: skip
# What gives a number, or a text, whatever it is given.
_NUMBERS = ("len", "int", "float", "bool", "str")
# What gives the value of a tensor without its history.
_LIBRARIES = (OTHER, NUMPY)
_CUTS = ("detach", "item", "data", "tolist", "shape", "size", "dtype", "device", "numel")
# Functions that make a tensor without any history.
_COPIES = ("torch.tensor", "torch.from_numpy")
# What containers of Python's own alone have, and adds to them.
_ADDING = ("append", "appendleft", "extend", "insert")
# What gives the object that it is called on.
_FLUENT = ("to", "cuda", "cpu", "train", "eval", "float", "half", "double", "requires_grad_")
_LITERALS = (ast.List, ast.Dict, ast.Set, ast.Tuple, ast.Constant, ast.JoinedStr, ast.ListComp,
             ast.DictComp, ast.SetComp)  # fmt: skip
_COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp)
_STATE = ("weight", "bias", "parameters", "named_parameters", "modules", "named_modules")


class Graphs:
    """What of a body's values is proved not to depend on any parameter.

    What a function is given counts as data, and what a loop gives, unless it is taken from a
    module: PyTorch too would differentiate twice through what was computed before. Where it may be
    called while gradients are taken (``within``), it counts as what depends on parameters.
    """

    def __init__(
        self, work: Rewriter, body: Body, every: dict[ast.AST, Body],
        others: frozenset[str] = frozenset(), within: bool = False,
    ) -> None:  # fmt: skip
        self.work, self.body, self.every, self.others = work, body, every, others
        self.within = within
        self.uses = work.uses
        self._known: dict[str, bool] = {}
        self._by: dict[str, Sequence[ast.stmt]] = {}

    @cached_property
    def outer(self) -> Graphs | None:
        """The same of the body around this one."""
        outer = self.body.outer
        if outer is None:
            return None
        inside = self.within and not isinstance(outer.node, ast.Module)
        return Graphs(self.work, outer, self.every, within=inside)

    @cached_property
    def modules(self) -> set[str]:
        """The names that are called here, or whose parameters are asked for."""
        found: set[str] = set()
        for place in self.body.places:
            for node in ast.walk(place.node):
                if isinstance(node, ast.Call):
                    state = isinstance(node.func, ast.Attribute) and node.func.attr in _STATE
                    if isinstance(node.func, ast.Name) or state:
                        found.add(places.root(node.func))
        return found

    @cached_property
    def cut(self) -> set[ast.stmt]:
        """The statements that run without gradients."""
        return {
            place.node
            for place in self.body.places
            if any(self.is_cut(around.node) for around in place.outward())
        }

    def is_cut(self, node: ast.stmt) -> bool:
        """Whether what stands in a statement runs without gradients."""
        if not isinstance(node, ast.With):
            return False
        canonical = self.work.resolver.reading.canonical
        uses = (self.uses.get(item.context_expr) for item in node.items)
        calls = [use for use in uses if use is not None and use.how == "call"]
        return any(turns_off(use.node, canonical(use.names[0]) or "") for use in calls)

    def name(self, name: str, ignored: Iterable[ast.stmt] = ()) -> bool:
        """Whether a name stands for no result of parameters, some of its bindings apart."""
        if name in self._known and (self._known[name] or not ignored):
            return self._known[name]
        if self.within and (name in self.body.parameters or name in self._filled):
            return False
        bindings = self.body.bindings.get(name, ())
        if not bindings and name not in self.body.parameters:
            return self.outer is None or self.outer.name(name)
        if ignored:
            known = self._dependent(name)
            return all(node in ignored for node in known)
        before = len(self._known)
        self._known[name] = True  # as far as it is asked for meanwhile
        free = all(self.statement(node) for node in bindings)
        if not free:
            # What was free as far as this is may not be.
            self._known = dict(islice(self._known.items(), before))
        self._known[name] = free
        return free

    def _dependent(self, name: str) -> Sequence[ast.stmt]:
        """The statements by which a name stands for a result of parameters."""
        if name not in self._by:
            bindings = self.body.bindings.get(name, ())
            self._by[name] = [node for node in bindings if not self.statement(node)]
        return self._by[name]

    @cached_property
    def _filled(self) -> set[str]:
        """The names of what something is put into."""
        return {name for place in self.body.places for name in places.changed(place.node)}

    def statement(self, node: ast.stmt) -> bool:
        """Whether what a statement binds is free of parameters."""
        return node in self.cut or self.statement_itself(node)

    def statement_itself(self, node: ast.stmt) -> bool:
        """The same, wherever it stands."""
        if isinstance(node, ast.For | ast.AsyncFor):
            if self.within:
                return self.expression(node.iter)
            return not any(self._of_module(one) for one in ast.walk(node.iter))
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            return node.value is None or self.expression(node.value)
        return not isinstance(node, ast.Expr) or self.expression(node.value)

    def expression(self, node: ast.AST) -> bool:
        """Whether an expression is free of parameters."""
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, _COMPREHENSIONS) and self._is_value(node.elt):
            return True
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(node, ast.Name):
            return self.name(node.id)
        if isinstance(node, ast.Attribute):
            return node.attr in _CUTS or self._attribute(node)
        return all(self.expression(child) for child in ast.iter_child_nodes(node))

    def _is_value(self, node: ast.expr) -> bool:
        """Whether an expression gives a value without its history, whatever that is of."""
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Attribute):
            return node.func.attr in _CUTS
        return isinstance(node.func, ast.Name) and self._cuts(node.func.id)

    def _cuts(self, name: str) -> bool:
        """Whether a function of the source gives nothing but values without their history."""
        graphs: Graphs | None = self
        while graphs is not None and name not in graphs.body.bindings:
            graphs = None if name in graphs.body.parameters else graphs.outer
        made = graphs.body.bindings[name] if graphs is not None else []
        node = made[0] if len(made) == 1 else None
        if not isinstance(node, ast.FunctionDef) or node.decorator_list or graphs is None:
            return False
        known, running = self.work.cutting, self.work.cutting_now
        if node in running:
            # As far as it calls itself, and no other function.
            return node is running[-1]
        if node not in known:
            running.append(node)
            known[node] = self._gives_values(node)
            running.pop()
        return known[node]

    def _gives_values(self, node: ast.FunctionDef) -> bool:
        inner = Graphs(self.work, self.every[node], self.every, within=True)
        places_ = inner.body.places
        given = [p.node.value for p in places_ if isinstance(p.node, ast.Return)]
        walked = (one for place in places_ for one in places.own(place.node))
        if not given or any(isinstance(one, ast.Yield | ast.YieldFrom) for one in walked):
            return False
        return all(one is not None and inner.expression(one) for one in given)

    def call(self, node: ast.Call) -> bool:
        """Whether what is called takes no parameters of its own, and its arguments are free."""
        if any(k.arg == "requires_grad" for k in node.keywords):
            return False
        if isinstance(node.func, ast.Attribute) and node.func.attr in _CUTS:
            return True
        if self._gives_number(node) or self._is_value(node) or self._is_copy(node):
            return True
        given = [*node.args, *(k.value for k in node.keywords)]
        return self.callee(node) and all(self.expression(one) for one in given)

    def _is_copy(self, node: ast.Call) -> bool:
        """Whether a call gives a tensor of values alone, whatever history these have."""
        use = self.uses.get(node)
        if use is None or use.how != "call":
            return False
        return self.work.resolver.reading.canonical(use.names[0]) in _COPIES

    def counts(self, node: ast.AST) -> bool:
        """Whether a call gives how many there are of something, whatever that is."""
        return self._gives_number(node, ("len",))

    def _gives_number(self, node: ast.AST, names: tuple[str, ...] = _NUMBERS) -> bool:
        """Whether a call gives a number of Python's own, or a text, whatever it is given."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return False
        return node.func.id in names and self._function(node.func.id, node)

    def callee(self, node: ast.Call) -> bool:
        """Whether what is called takes nothing from parameters but by its arguments."""
        use, func = self.uses.get(node), node.func
        if use is not None:
            if use.how == "call":
                name = self.work.resolver.reading.canonical(use.names[0]) or ""
                if name == "torch.autograd.Variable":
                    return len(node.args) == 1
                return not name.startswith(("torch.nn.Parameter", "torch.autograd", "torch.utils"))
            on_tensor = use.how == "possible" or _owner(use.receiver) == "tensor"
            of_tensor = use.how in ("method", "possible") and use.names[0].startswith(
                "torch.Tensor."
            )
            assert isinstance(func, ast.Attribute) or use.how == "layer"
            if not (on_tensor and of_tensor) or func.attr.startswith("requires_grad"):  # type: ignore[attr-defined]
                return False
            return self.expression(func.value)  # type: ignore[attr-defined]
        if isinstance(func, ast.Name):
            return self._function(func.id, node)
        if isinstance(func, ast.Attribute):
            adds = func.attr in _ADDING and isinstance(func.value, ast.Name)
            return adds or self._other(places.root(func)) or self._is_literal(func.value)
        return False

    def _is_literal(self, node: ast.expr) -> bool:
        """Whether a name stands for one of Python's own containers or values, made here."""
        made = self.body.bindings.get(node.id, ()) if isinstance(node, ast.Name) else ()
        return bool(made) and all(
            isinstance(one, ast.Assign) and isinstance(one.value, _LITERALS)
            and all(isinstance(target, ast.Name) for target in one.targets)
            and self.expression(one.value)
            for one in made
        )  # fmt: skip

    def _function(self, name: str, call: ast.Call) -> bool:
        """Whether a function, called by its name, uses no parameters but of its arguments."""
        graphs: Graphs | None = self
        while graphs is not None and name not in graphs.body.bindings:
            if name in graphs.body.parameters:
                return False
            graphs = graphs.outer
        if graphs is None:
            return name in _PLAIN
        for node in graphs.body.bindings[name]:
            if isinstance(node, ast.ClassDef):
                continue
            if isinstance(node, ast.ImportFrom):
                if not _is_library(str(node.module)):
                    return False
            elif not isinstance(node, ast.FunctionDef) or not self._plain(node, call):
                return False
        return True

    def _plain(self, node: ast.FunctionDef, call: ast.Call) -> bool:
        """Whether a function uses no parameters, called so."""
        key = f"def {node.name}"
        if key not in self._known:
            placed = zip(node.args.args, call.args, strict=False)
            named = [(one.arg, one.value) for one in call.keywords if one.arg]
            given = [(one.arg, value) for one, value in placed] + named
            others = frozenset(name for name, value in given if self._is_made(value))
            inner = Graphs(self.work, self.every[node], self.every, others)
            self._known[key] = inner._known[key] = True
            self._known[key] = all(
                inner.expression(one) for place in inner.body.places for one in _values(place.node)
            )
        return self._known[key]

    def _is_made(self, node: ast.expr) -> bool:
        """Whether an expression gives what another library makes."""
        return node not in self.uses and self._other(places.root(node))

    def _other(self, name: str) -> bool:
        """Whether a name stands for another library, or for what that made."""
        if name in self.others and name not in self.body.bindings:
            return True
        graphs: Graphs | None = self
        while graphs is not None and name not in graphs.body.bindings:
            if name in graphs.body.parameters:
                return False
            graphs = graphs.outer
        if graphs is None or not name:
            return False
        return all(graphs._is_other(node) for node in graphs.body.bindings[name])

    def _is_other(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Import):
            return all(_is_library(a.name) for a in node.names)
        if isinstance(node, ast.ImportFrom):
            return _is_library(str(node.module))
        if isinstance(node, ast.ClassDef):
            return not node.bases and not any(one in self.uses for one in ast.walk(node))
        made = node.value if isinstance(node, ast.Assign) else None
        if not isinstance(made, ast.Call) or made in self.uses:
            return False
        given = [*made.args, *(keyword.value for keyword in made.keywords)]
        return self._other(places.root(made)) and all(map(self.expression, given))

    def _attribute(self, node: ast.Attribute) -> bool:
        use = self.uses.get(node)
        if use is not None:
            reads = use.how in ("read", "result") and self.expression(node.value)
            return use.how == "name" or reads
        if not self.within and self._is_plain(node):
            return True
        first = places.root(node)
        if first == "self" and isinstance(node.value, ast.Name):
            return self.own(node)
        if first in self.modules or node.attr.endswith(_STATE):
            return False
        return self.expression(node.value)

    def _is_plain(self, node: ast.Attribute) -> bool:
        """Whether an attribute is proved to be a number, a text, or an object with only such."""
        found = self.work.resolver.reading.given.get(node)
        if found is PLAIN:
            return True
        entry = found.entry if isinstance(found, Object) and not found.above else None
        if entry is None or entry.home is not self.work.resolver.reading or entry.heirs:
            return False
        return not entry.node.bases and not any(one in self.uses for one in ast.walk(entry.node))

    def own(self, node: ast.Attribute) -> bool:
        """Whether an attribute of ``self`` is only set to what a method is given, or to plain."""
        return self.body.owner is not None and self._set_plainly(self.body.owner, node.attr)

    def is_object(self, name: str) -> bool:
        """Whether a name stands for an object of a class, such as a layer or an optimizer."""
        graphs: Graphs | None = self
        while graphs is not None and name not in graphs.body.bindings:
            graphs = graphs.outer
        if graphs is None:
            return False
        return all(
            isinstance(node, ast.Assign) and graphs._makes(node.value, name)
            for node in graphs.body.bindings[name]
        )

    def _makes(self, node: ast.expr, name: str) -> bool:
        """Whether an expression makes such an object, or is the one of that name."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr not in _FLUENT:
                break
            node = node.func.value
        if isinstance(node, ast.Name):
            return node.id == name
        if not isinstance(node, ast.Call):
            return False
        use = self.uses.get(node)
        if use is not None:
            return use.how == "call" and owner_kind(use.names[0]) in ("module", "optimizer")
        first = node.func.id if isinstance(node.func, ast.Name) else ""
        made = self.body.bindings.get(first) or (
            self.outer.body.bindings.get(first) if self.outer else None
        )
        return bool(made) and all(isinstance(one, ast.ClassDef) for one in made or ())

    def _set_plainly(self, owner: ast.ClassDef, attribute: str) -> bool:
        plain = (ast.Constant,) if self.within else (ast.Name, ast.Constant)
        found = not self.within
        for node in ast.walk(owner):
            for target, value in _set_to(node):
                for one in ast.walk(target) if isinstance(target, ast.AST) else ():
                    if isinstance(one, ast.Attribute) and one.attr == attribute:
                        if one is not target or not isinstance(value, plain):
                            return False
                        found = True
        return found

    def _of_module(self, node: ast.AST) -> bool:
        use = self.uses.get(node)
        if isinstance(node, ast.Attribute) and node.attr in _STATE:
            return True
        return use is not None and use.how == "layer"


def _set_to(node: ast.AST) -> list[tuple[ast.AST | None, ast.AST | None]]:
    """What a statement sets, each with its value; several at once one by one."""
    value = getattr(node, "value", None)
    found: list[tuple[ast.AST | None, ast.AST | None]] = []
    for target in getattr(node, "targets", [getattr(node, "target", None)]):
        if (
            isinstance(target, ast.Tuple)
            and isinstance(value, ast.Tuple)
            and len(target.elts) == len(value.elts)
            and not any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts))
        ):
            found += zip(target.elts, value.elts, strict=True)
        else:
            found.append((target, value))
    return found


def _is_library(module: str) -> bool:
    """Whether a module is Python's own, or of those that have nothing of PyTorch's."""
    found = imported(module)
    return found in _LIBRARIES or isinstance(found, Library)


def _values(node: ast.stmt) -> list[ast.expr]:
    """The expressions that a statement itself holds, targets apart."""
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return | ast.Expr):
        return [node.value] if node.value is not None else []
    found = [getattr(node, name, None) for name in ("test", "iter", "subject", "exc")]
    return [one for one in found if one is not None]


def _owner(value: object) -> str:
    if isinstance(value, Instance):
        return value.owner or owner_kind(value.name)
    return ""
