"""Whether code always sets the mode of a module before it depends on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msmap.code import bindings
from msmap.code.bindings import Body, Place
from msmap.infer.interpreter import Reading
from msmap.infer.values.lattice import Class, Function, Path, owner_kind
from msmap.port.modes.dependent import value_of

_SETTERS = ("train", "eval", "set_train")
# Methods that give the module itself, and those that don't depend on its mode.
FLUENT = ("to", "cuda", "cpu", "npu", "float", "half", "double", "bfloat16", "requires_grad_",
          "apply", "share_memory", "type", "to_empty")  # fmt: skip
_HARMLESS = ("parameters", "named_parameters", "buffers", "named_buffers", "state_dict",
             "load_state_dict", "zero_grad", "register_buffer", "register_parameter", "add_module",
             "parameters_and_names", "trainable_params", "get_parameters", "modules",
             "named_modules", "children", "named_children", "init_weights", "reset_parameters",
             "_init_weights", "initialize_weights", "__class__", "append", "extend")  # fmt: skip
_FIELDS = (
    "weight",
    "bias",
    "data",
    "grad",
    "shape",
    "device",
    "dtype",
    "requires_grad",
    "in_features",
    "out_features",
    "in_channels",
    "out_channels",
    "__class__",
    "__name__",
)
# Functions that look at a module, and don't apply it.
_LOOKING = (
    "print",
    "len",
    "str",
    "repr",
    "isinstance",
    "type",
    "id",
    "hasattr",
    "sum",
    "issubclass",
)
_SAVING = ("torch.save", "torch.nn.init.", "torch.nn.utils.", "torch.optim.")


class First:
    """The names of one file that stand for modules, followed to where their mode matters."""

    def __init__(
        self, home: Reading, bodies: Sequence[Body], others: dict[Reading, First] | None = None
    ) -> None:
        self.home = home
        self._others = {home: self} if others is None else others
        self.bodies = list(bodies)
        self.parents = home.source.nodes.parents
        self.where: dict[ast.AST, tuple[Body, Place]] = {}
        for body in self.bodies:
            for place in body.places:
                self.where |= dict.fromkeys(bindings.own(place.node), (body, place))
        self.by_node: dict[ast.AST, Body] = {body.node: body for body in self.bodies}
        self._reads: dict[Body, dict[str, list[ast.Name]]] = {}
        self._reads_itself = True
        self._seen: set[tuple[ast.AST, str]] = set()

    def anew(self, reads_itself: bool = True) -> None:
        """Another module is followed: what was asked on the way of one is all true, or none is.

        Where it doesn't read itself in ``forward``, it may be applied before its mode is set.
        """
        for one in self._others.values():
            one._seen.clear()
            one._reads_itself = reads_itself

    def name(self, body: Body, name: str) -> bool:
        """Whether the mode of what a name of a body stands for is set before it matters."""
        if (body.node, name) in self._seen:
            return True
        self._seen.add((body.node, name))
        place = self.home.place
        is_global = isinstance(body.node, ast.Module)
        if is_global and place is not None and place.is_told_elsewhere(name):
            return False
        return all(self._is_settled(one, name) for one in self.reads(body).get(name, ()))

    def reads(self, body: Body) -> dict[str, list[ast.Name]]:
        """The names that a body reads, its parameters too, each with where."""
        found = self._reads.get(body)
        if found is None:
            found = self._reads[body] = {}
            for statement in body.node.body:
                for node in bindings.read(statement):
                    found.setdefault(node.id, []).append(node)
        return found

    def attribute(self, owner: ast.ClassDef, name: str) -> bool:
        """Whether the mode of what an attribute of an object holds is set before it matters."""
        if (owner, name) in self._seen:
            return True
        self._seen.add((owner, name))
        place = self.home.place
        if place is not None and place.is_told_elsewhere(name):
            return False
        inside = {n for n in ast.walk(owner) if isinstance(n, ast.Attribute) and n.attr == name}
        for node in ast.walk(self.home.source.tree):
            if isinstance(node, ast.Attribute) and node.attr == name:
                mine = node in inside and isinstance(node.value, ast.Name)
                if isinstance(node.ctx, ast.Load) and not (
                    mine and self._is_settled(node, ast.unparse(node))
                ):
                    return False
        return True

    def value(self, node: ast.expr) -> bool:
        """Whether the mode of what an expression has just made is set before it matters."""
        return self._is_harmless(node)

    def _is_settled(self, node: ast.expr, text: str) -> bool:
        """Whether a module that is read here has its mode, or needs none here."""
        return self._is_harmless(node) or self._is_dominated(node, text)

    def _is_harmless(self, node: ast.expr) -> bool:
        """Whether nothing is computed by a module where it is read, nor anywhere it goes to."""
        parent = self.parents.get(node)
        if isinstance(parent, ast.keyword | ast.Starred):
            node, parent = parent, self.parents.get(parent)  # type: ignore[assignment]
        if isinstance(parent, ast.Attribute):
            return self._of_attribute(parent)
        if isinstance(parent, ast.Call):
            if parent.func is node:
                return not self._reads_itself
            return self._given(parent, node)
        if isinstance(parent, ast.Assign | ast.AnnAssign):
            return self._assigned(parent, node)
        if isinstance(parent, ast.Expr | ast.FormattedValue):
            return True
        if isinstance(parent, ast.Compare):
            return all(isinstance(op, ast.Is | ast.IsNot) for op in parent.ops)
        if isinstance(parent, ast.IfExp):
            return node is parent.test or self._is_harmless(parent)
        return isinstance(parent, ast.If | ast.While | ast.Assert | ast.Delete) or (
            isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
        )

    def _of_attribute(self, node: ast.Attribute) -> bool:
        """The same of an attribute of a module."""
        if not isinstance(node.ctx, ast.Load):
            return True
        outer = self.parents.get(node)
        if isinstance(outer, ast.Call) and outer.func is node:
            if node.attr in _SETTERS or (node.attr == "forward" and not self._reads_itself):
                return True
            if node.attr in FLUENT:
                return self._is_harmless(outer)
            return node.attr in _HARMLESS
        if node.attr == "training":
            return False
        return node.attr in _FIELDS or self._is_harmless(node)

    def _given(self, call: ast.Call, node: ast.AST) -> bool:
        """The same of a module that is given to something."""
        if call in self.home.objects or self._is_layer(call):
            return self._to_object(call, node)
        found = value_of(self.home, call.func)
        if isinstance(call.func, ast.Name) and call.func.id in _LOOKING:
            return True
        if isinstance(found, Path):
            name = self.home.canonical(found.name) or ""
            return name.startswith(_SAVING)
        return isinstance(found, Function) and self._parameter(found, call, node)

    def _is_layer(self, call: ast.Call) -> bool:
        use = self.home.uses.get(call)
        named = self.home.canonical(use.names[0]) if use is not None and use.how == "call" else ""
        return owner_kind(named or "") == "module"

    def _to_object(self, call: ast.Call, node: ast.AST) -> bool:
        """A module that another one is made of gets its mode with that; else who keeps it tells."""
        found = self.home.objects.get(call)
        if found is None:
            return True
        if not isinstance(found, Class):
            return False
        if owner_kind(found.entry.torch_base) == "module":
            return True
        made = found.entry.member("__init__")
        return isinstance(made, Function) and self._parameter(made, call, node, 1)

    def _parameter(self, made: Function, call: ast.Call, node: ast.AST, skipped: int = 0) -> bool:
        """The same of a module that a function of the tree is given."""
        spec = made.node.args
        every = [a.arg for a in (*spec.posonlyargs, *spec.args)][skipped:]
        if isinstance(node, ast.keyword):
            name = node.arg or ""
            known = name in every or name in [a.arg for a in spec.kwonlyargs]
        else:
            at = call.args.index(node) if node in call.args else -1
            known = 0 <= at < len(every) and not any(
                isinstance(one, ast.Starred) for one in call.args[: at + 1]
            )
            name = every[at] if known else ""
        if not known or isinstance(made.node, ast.Lambda):
            return False
        inner = self._others.get(made.home)
        if inner is None:
            bodies = bindings.bodies(made.home.source.tree)
            inner = self._others[made.home] = First(made.home, bodies, self._others)
        body = inner.by_node.get(made.node)
        return body is not None and inner.name(body, name)

    def _assigned(self, node: ast.Assign | ast.AnnAssign, value: ast.AST) -> bool:
        """The same of a module that gets another name."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        found = self.where.get(node)
        if value is not node.value or found is None:
            return False
        return all(self.target(found[0], target) for target in targets)

    def target(self, body: Body, target: ast.expr) -> bool:
        """The same of what is assigned to something in a body."""
        if isinstance(target, ast.Name):
            outer: Body | None = body
            shared = any(
                isinstance(p.node, ast.Global | ast.Nonlocal) and target.id in p.node.names
                for p in body.places
            )
            return outer is not None and not shared and self.name(outer, target.id)
        on = target.value if isinstance(target, ast.Attribute) else None
        if isinstance(on, ast.Name) and on.id == "self" and body.owner is not None:
            return self.attribute(body.owner, target.attr)  # type: ignore[attr-defined]
        return False

    def _is_dominated(self, node: ast.expr, text: str) -> bool:
        """Whether a mode has always been set in the function before a module is read there."""
        found = self.where.get(node)
        if found is None:
            return False
        _, place = found
        return any(
            sets_mode(statement, text)
            for one in (place, *place.outward())
            for statement in one.block[: one.index]
        )


def sets_mode(node: ast.stmt, text: str) -> bool:
    """Whether a statement always sets the mode of what an expression stands for."""
    if isinstance(node, ast.If):
        ways = (node.body, node.orelse)
        return all(any(sets_mode(one, text) for one in way) for way in ways)
    if isinstance(node, ast.With):
        return any(sets_mode(one, text) for one in node.body)
    if isinstance(node, ast.Assign):
        same = [ast.unparse(one) for one in node.targets] == [text]
        return same and any(on == text for on in _set(node.value))
    return isinstance(node, ast.Expr) and any(on == text for on in _set(node.value))


def _set(node: ast.expr) -> Iterator[str]:
    """What an expression sets the mode of, on the way through its calls."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _SETTERS:
            on = node.func.value
            while (
                isinstance(on, ast.Call)
                and isinstance(on.func, ast.Attribute)
                and on.func.attr in (*FLUENT, *_SETTERS)
            ):
                on = on.func.value
            yield ast.unparse(on)
        node = node.func.value
