"""What arguments are taken for that aren't literals, and whether the code proves it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msmap.code import bindings
from msmap.code.bindings import Body
from msmap.infer.uses import Use
from msmap.infer.values.lattice import PLAIN, UNKNOWN, Instance, Items
from msmap.model import Text
from msmap.port import targets
from msmap.port.arguments import Argument, kind
from msmap.port.conversion import Assumed
from msmap.port.session import Rewriter
from msmap.port.targets import Written

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What no text, tuple or list takes part in.
_OF_NUMBERS = (ast.Sub, ast.FloorDiv, ast.Div, ast.Pow, ast.LShift, ast.RShift)
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_MAKERS = {"int", "float", "len", "round", "abs", "range", "sqrt", "ceil", "floor"}
_TYPES = {"int", "float"}
# What may stand before a type in an annotation, or beside it.
_AROUND = {"Optional", "None", "Union", "Final", "Annotated"}
# So many steps from a name to what it is made of are followed.
_DEEP = 6


def tell(
    work: Rewriter,
    use: Use,
    done: Written,
    call: ast.Call | None = None,
    given: Mapping[str, ast.expr] | None = None,
) -> None:
    """Say in the file what a call is taken to get, where the code doesn't prove it.

    Args:
        work: what it is a part of.
        use: what is written.
        done: what it becomes.
        call: where that is called, if it is a function that stands for a class.
        given: what is given there, by the parameters of the function.
    """
    if work.resolver.own or work.resolver.reading.snippet:
        work.notes += [one.note for one in done.assumed]
        return
    for one in done.assumed:
        node = _written(use.node, work, one.argument)
        body = work.places[use.statement][0] if use.statement in work.places else work.bodies[0]
        if given is not None:
            node = given.get(one.argument.text)
            body = work.once(Proof).around.get(call, body)
        if not _holds(work, node, body, one):
            name, text = use.names[0], one.argument.text
            en, zh = (f"{name}: `{text}`: {one.note.en}", f"{name}：`{text}`：{one.note.zh}")
            work.doubt(use.node, Text(en, zh))


def _is_converted(node: ast.expr | None) -> bool:
    """Whether the port itself makes an argument Python's number, such as one of NumPy's."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("int", "float")
    )


def _holds(work: Rewriter, node: ast.expr | None, body: Body, one: Assumed) -> bool:
    if one.what == "given":
        found = UNKNOWN if node is None else work.resolver.reading.given.get(node, UNKNOWN)
        return found is not UNKNOWN and not getattr(found, "optional", False)
    if one.what not in ("by_hand", "tuple") and _is_converted(one.argument.node):
        return True
    if one.what == "by_hand" or node is None:
        return False
    if one.what == "plain" and work.resolver.reading.given.get(node) is PLAIN:
        return True
    if one.what != "tuple" and work.once(Proof).number(node, body):
        return True
    return "tuple" in one.what and work.once(Proof).tuple(node, body)


def _written(call: ast.AST, work: Rewriter, argument: Argument) -> ast.expr | None:
    """The expression of a call that an argument stands for."""
    if not isinstance(call, ast.Call):
        return None
    every = [*call.args, *(one.value for one in call.keywords)]
    if isinstance(call.func, ast.Attribute):
        every.append(call.func.value)
    return next((one for one in every if work.changes.text(one) == argument.text), None)


class Proof:
    """What the code proves of its names: where they are used as only numbers can be."""

    def __init__(self, work: Rewriter) -> None:
        self.work = work
        self.asked: set[tuple[str, ast.AST | None]] = set()
        # The functions in which calls stand.
        self.around: dict[ast.AST | None, Body] = {
            node: body
            for body in work.bodies
            for place in body.places
            for node in bindings.own(place.node)
            if isinstance(node, ast.Call)
        }
        self.attributes: dict[str, list[tuple[ast.Attribute, list[ast.AST]]]] = {}
        for node, above in _parents(work.source.tree):
            if isinstance(node, ast.Attribute):
                self.attributes.setdefault(node.attr, []).append((node, above))

    def number(self, node: ast.expr, body: Body, depth: int = 0) -> bool:
        """Whether an expression of a function is a number, if it is anything that PyTorch takes."""
        if depth > _DEEP:
            return False
        if isinstance(node, ast.Constant):
            return kind(node) in ("int", "float", "bool")
        if isinstance(node, ast.UnaryOp):
            return True
        if isinstance(node, ast.BinOp):
            one_is = any(self.number(n, body, depth + 1) for n in (node.left, node.right))
            both = one_is and isinstance(node.op, ast.Mult | ast.Add | ast.Mod)
            return isinstance(node.op, _OF_NUMBERS) or (
                both and all(self.number(n, body, depth + 1) for n in (node.left, node.right))
            )
        if isinstance(node, ast.IfExp):
            return all(self.number(n, body, depth + 1) for n in (node.body, node.orelse))
        if isinstance(node, ast.BoolOp):
            return all(self.number(n, body, depth + 1) for n in node.values)
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            return name in _MAKERS or (
                name in ("max", "min", "sum")
                and all(self.number(n, body, depth + 1) for n in node.args)
            )
        if isinstance(node, ast.Subscript):
            # An item of a shape, and of what else is proved to hold numbers.
            return not isinstance(node.slice, ast.Slice) and self._is_plain(node)
        if isinstance(node, ast.Name):
            return self._name(node, body, depth)
        return isinstance(node, ast.Attribute) and self._attribute(node, depth)

    def tuple(self, node: ast.expr, body: Body) -> bool:
        """Whether an expression is a tuple or a list."""
        found = self.work.resolver.reading.given.get(node, UNKNOWN)
        if isinstance(found, Items) or (isinstance(found, Instance) and found.owner == "size"):
            return True
        if isinstance(node, ast.Tuple | ast.List | ast.ListComp):
            return True
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tuple", "list"):
            return True
        if isinstance(node, ast.Name) and node.id not in body.parameters:
            bound = [getattr(one, "value", None) for one in body.bindings.get(node.id, ())]
            return bool(bound) and all(isinstance(one, ast.Tuple | ast.List) for one in bound)
        return False

    def _is_plain(self, node: ast.expr) -> bool:
        return self.work.resolver.reading.given.get(node, UNKNOWN) is PLAIN

    def _name(self, node: ast.Name, body: Body, depth: int) -> bool:
        while node.id not in body.bindings and node.id not in body.parameters:
            if body.outer is None:
                return False
            body = body.outer
        key = (node.id, body.node)
        if key in self.asked:
            return False
        self.asked.add(key)
        found = (
            self._bound(node, body, depth)
            or self._used(node.id, body, depth)
            or self._passed(node.id, body, depth)
        )
        self.asked.discard(key)
        return found

    def _bound(self, node: ast.Name, body: Body, depth: int) -> bool:
        """Whether all that a name is bound to is a number."""
        if node.id in body.parameters and not self._annotated(node.id, body):
            return False
        for one in body.bindings.get(node.id, ()):
            if isinstance(one, ast.For):
                if (
                    not isinstance(one.iter, ast.Call)
                    or getattr(one.iter.func, "id", "") != "range"
                ):
                    return self._is_plain(node)
            elif isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
                if not self.number(one.value, body, depth + 1):
                    return False
            elif not self._is_plain(node):
                return False
        return True

    def _passed(self, name: str, body: Body, depth: int) -> bool:
        """Whether all calls in the file give a parameter a number, of which there is one."""
        node = body.node
        if name not in body.parameters or name in body.bindings:
            return False
        if not isinstance(node, _FUNCTIONS):
            return False
        args = [*node.args.posonlyargs, *node.args.args]
        names = [one.arg for one in args][bool(body.owner) :]
        behind = names[len(names) - len(node.args.defaults) :] if node.args.defaults else []
        usual = dict(zip(behind, node.args.defaults, strict=False))
        usual |= {
            one.arg: value
            for one, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if value is not None
        }
        called = body.owner.name if node.name == "__init__" and body.owner else node.name
        calls_ = [
            one
            for one in self.work.source.nodes.of(ast.Call)
            if getattr(one.func, "id", getattr(one.func, "attr", "")) == called
        ]
        for call in calls_:
            given = {k.arg: k.value for k in call.keywords if k.arg is not None}
            if len(given) < len(call.keywords) or any(
                isinstance(one, ast.Starred) for one in call.args
            ):
                return False
            given |= dict(zip(names, call.args, strict=False))
            value = given.get(name, usual.get(name))
            around = self.around.get(call, self.work.bodies[0])
            if value is None or not self.number(value, around, depth + 1):
                return False
        return bool(calls_)

    def _annotated(self, name: str, body: Body) -> bool:
        args = getattr(body.node, "args", None)
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs] if args is not None else []
        return any(one.arg == name and _says_number(one.annotation) for one in every)

    def _used(self, name: str, body: Body, depth: int) -> bool:
        """Whether a name is used anywhere in a function as only a number can be."""
        inside = _parents(body.node)
        return any(
            isinstance(node, ast.Name) and node.id == name and self._as_number(node, above, depth)
            for node, above in inside
        )

    def _attribute(self, node: ast.Attribute, depth: int) -> bool:
        """Whether an attribute of that name is a number wherever the file shows it."""
        key = (f".{node.attr}", None)
        if key in self.asked:
            return False
        self.asked.add(key)
        found = (
            self._is_plain(node)
            or self._field(node.attr)
            or any(
                self._as_number(one, above, depth)
                for one, above in self.attributes.get(node.attr, ())
            )
        )
        if not found:
            found = self._set(node.attr, depth)
        self.asked.discard(key)
        return found

    def _set(self, name: str, depth: int) -> bool:
        """Whether all that attributes of a name are set to is a number."""
        made = [
            (one.value, body)
            for body in self.work.bodies
            for place in body.places
            if isinstance(one := place.node, ast.Assign)
            and any(isinstance(t, ast.Attribute) and t.attr == name for t in one.targets)
        ]
        return bool(made) and all(self.number(value, body, depth + 1) for value, body in made)

    def _field(self, name: str) -> bool:
        """Whether a field of a class, or an option of a script, says that it is a number."""
        for one in self.work.source.nodes.of(ast.AnnAssign):
            if getattr(one.target, "id", "") == name and _says_number(one.annotation):
                return True
        option = name.replace("_", "-")
        for call in self.work.source.nodes.of(ast.Call):
            named = {a.value.lstrip("-") for a in call.args if isinstance(a, ast.Constant)
                     and isinstance(a.value, str)}  # fmt: skip
            if named & {name, option} and getattr(call.func, "attr", "") == "add_argument":
                return any(
                    k.arg == "type" and getattr(k.value, "id", "") in _TYPES for k in call.keywords
                )
        return False

    def _as_number(self, node: ast.expr, above: Sequence[ast.AST], depth: int) -> bool:
        """Whether what stands around an expression takes numbers alone."""
        inner: ast.AST = node
        for outer in reversed(above):
            if isinstance(outer, ast.BinOp):
                if isinstance(outer.op, _OF_NUMBERS):
                    return True
            elif isinstance(outer, ast.UnaryOp) and not isinstance(outer.op, ast.Not):
                return True
            elif isinstance(outer, ast.Compare):
                others = [outer.left, *outer.comparators]
                is_order = any(isinstance(op, _ORDERS) for op in outer.ops)
                return is_order and any(kind(one) in ("int", "float") for one in others)
            elif isinstance(outer, ast.keyword):
                inner = outer
                continue
            elif isinstance(outer, ast.Call):
                return inner is not outer.func and self._takes_number(outer, inner, depth)
            else:
                return False
            inner = outer
        return False

    def _takes_number(self, call: ast.Call, given: ast.AST, depth: int) -> bool:
        """Whether a call takes a number alone in the place of an argument."""
        name = getattr(call.func, "id", "")
        if name in ("range", "int", "float", "round"):
            return True
        use = self.work.uses.get(call)
        if use is not None and use.how == "call":
            record = self.work.facts.find(use.names[0])
            for signature in targets.source_signatures(record)[:1] if record is not None else ():
                names = [p.name for p in signature.parameters if p.positional]
                at = _place(call, given, names)
                return any(p.name == at and _is_int(p.annotation) for p in signature.parameters)
        return depth < _DEEP and self._own(call, given, name, depth)

    def _own(self, call: ast.Call, given: ast.AST, name: str, depth: int) -> bool:
        """Whether a function or a class of the file takes a number there."""
        for body in self.work.bodies:
            node = body.node
            if not isinstance(node, _FUNCTIONS):
                continue
            made = node.name == "__init__" and body.owner is not None and body.owner.name == name
            if made or (node.name == name and body.owner is None):
                names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
                at = _place(call, given, names[1:] if made else names)
                return bool(at) and self.number(ast.Name(at, ast.Load()), body, depth + 1)
        return False


def _place(call: ast.Call, given: ast.AST, names: Sequence[str]) -> str:
    """The parameter that an argument fills."""
    if isinstance(given, ast.keyword):
        return given.arg or ""
    at = next((n for n, one in enumerate(call.args) if one is given), None)
    starred = any(isinstance(one, ast.Starred) for one in call.args)
    return "" if at is None or starred or at >= len(names) else names[at]


def _is_int(annotation: str | None) -> bool:
    return (annotation or "").replace(" ", "") in ("int", "int|None", "Optional[int]", "float")


def _says_number(annotation: ast.expr | None) -> bool:
    """Whether an annotation is of a number, or of one that may be None."""
    if annotation is None:
        return False
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return False
    names = {n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)}
    return bool(names & _TYPES) and names <= _TYPES | _AROUND


def _parents(tree: ast.AST) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    """All nodes of a tree, each with what it stands in."""
    ahead: list[tuple[ast.AST, list[ast.AST]]] = [(tree, [])]
    while ahead:
        node, above = ahead.pop()
        yield node, above
        inner: Iterable[ast.AST] = ast.iter_child_nodes(node)
        around = [*above[-8:], node]
        ahead += [(one, around) for one in inner]
