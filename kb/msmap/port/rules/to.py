"""What ``to`` is given: a dtype is cast to, a device is left out; else the program asks.

A name proves nothing: ``loss.to(other_on_device)`` may cast.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from msmap.code.bindings import Body
from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.infer.values.lattice import DTYPE, NONE, OTHER, PLAIN, is_tensor
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port.arguments import Argument
from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.targets import Arguments

_MOVING = ("torch.Tensor.to", "torch.nn.Module.to")
# What is bound to the parameter of each, whatever the code calls it.
_A_DEVICE = ast.Constant("cpu")
_A_DTYPE = ast.Name("dtype", ast.Load())
_DEVICE, _DTYPE = "device", "dtype"
# What may stand beside a dtype and a device alike.
_BESIDE = {"non_blocking"}


@rule(Phase.ARGUMENTS, modes=Mode.FILE)
def of_argument(work: Rewriter, use: Use, record: Record, arguments: Arguments) -> Arguments:
    """The arguments of ``to``, in which what stands for a device looks like one.

    What may be a device or anything else is asked for it when the program runs.

    Raises:
        Refused: nothing proves which it is, and to ask would compute it twice.
    """
    given = arguments.positional[:1]
    if record.torch not in _MOVING or not given or _is_told(given[0]):
        return arguments
    node = use.node.args[0] if isinstance(use.node, ast.Call) and use.node.args else None
    found = _Proof(work).of(use, node)
    if _asks(node):
        return arguments
    (first,) = given
    if found == _DTYPE:
        return _with(arguments, replace(first, node=_A_DTYPE))
    if found == _DEVICE or _has_dtype(work, use):
        return _with(arguments, replace(first, node=_A_DEVICE, unclear=False))
    steady = first.node is not None and values.is_steady(first.node)
    if steady and len(arguments.positional) == 1 and arguments.keywords.keys() <= _BESIDE:
        text = f"None if isinstance({first.text}, (str, int)) else {first.text}"
        return _with(arguments, values.argument(text, first.by))
    raise Refused(
        "ambiguous",
        f"{record.torch}: nothing proves whether `{first.text}` is a dtype, a device or a tensor;"
        " write dtype= or device= before it",
        f"{record.torch}：无法证明 `{first.text}` 是 dtype、设备还是张量；请写明 dtype= 或 device=",
    )


def _with(arguments: Arguments, first: Argument) -> Arguments:
    return replace(arguments, positional=(first, *arguments.positional[1:]))


def _is_told(given: Argument) -> bool:
    """Whether the argument itself is a literal, or was proved to be an object of PyTorch's."""
    return given.proved in ("tensor", "device") or values.kind(given.node) != "unknown"


def _asks(node: ast.expr | None) -> bool:
    """Whether an earlier run has written that it is asked for."""
    return (
        isinstance(node, ast.IfExp)
        and isinstance(node.body, ast.Constant)
        and node.body.value is None
        and ast.unparse(node.test) == f"isinstance({ast.unparse(node.orelse)}, (str, int))"
    )


def _has_dtype(work: Rewriter, use: Use) -> bool:
    """Whether a call says its dtype apart: what comes first is a device then."""
    assert isinstance(use.node, ast.Call)
    second = use.node.args[1] if len(use.node.args) > 1 else None
    named = any(keyword.arg == _DTYPE for keyword in use.node.keywords)
    return named or (second is not None and _Proof(work).of(use, second) == _DTYPE)


class _Proof:
    """What an expression stands for, by its value and by what the source sets names to."""

    def __init__(self, work: Rewriter) -> None:
        self.work = work
        # Names and attributes that are set to what is made of themselves end where they were asked.
        self._asked: set[tuple[int, str]] = set()

    def of(self, use: Use, node: ast.expr | None) -> str:
        """What an expression gives: "dtype", "device", or "" where nothing proves either."""
        given = None if node is None else self.work.resolver.reading.given.get(node)
        if given is DTYPE:
            return _DTYPE
        if given in (PLAIN, NONE):
            return _DEVICE
        found = self.work.places.get(use.statement) if use.statement is not None else None
        kinds = self._of(node, self.work.bodies[0] if found is None else found[0])
        if len(kinds) == 1 and kinds != {""}:
            return kinds.pop()
        # What isn't PyTorch's holds no dtype of its, as settings that were read.
        return _DEVICE if given is OTHER and kinds == {""} and _says_device(node) else ""

    def _of(self, node: ast.expr | None, body: Body) -> set[str]:
        if isinstance(node, ast.Constant):
            return {_DEVICE if isinstance(node.value, str | int) else ""}
        if isinstance(node, ast.IfExp):
            return self._of(node.body, body) | self._of(node.orelse, body)
        if isinstance(node, ast.BoolOp):
            return set().union(*(self._of(one, body) for one in node.values))
        if isinstance(node, ast.JoinedStr):
            return {_DEVICE}
        use = self.work.uses.get(node) if node is not None else None
        if use is not None and use.names:
            name = self.work.resolver.reading.canonical(use.names[0]) or use.names[0]
            if self.work.facts.mindspore_dtype(name) is not None:
                return {_DTYPE}
            leaf = name.rpartition(".")[2]
            return {next((kind for kind in (_DTYPE, _DEVICE) if kind in leaf), "")}
        if isinstance(node, ast.Name):
            return self._name(node.id, body) - {""} or {_dtype_of(node.id)}
        if isinstance(node, ast.Attribute):
            # What an earlier run wrote.
            written = isinstance(node.value, ast.Name) and node.value.id == "mindspore"
            return self._field(node.attr, body) if not written else {_DTYPE}
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return {_dtype_of(str(node.slice.value))}
        if isinstance(node, ast.Call):
            function = node.func
            return {_dtype_of(getattr(function, "attr", "") or getattr(function, "id", ""))}
        return {""}

    def _name(self, name: str, body: Body) -> set[str]:
        """What a name stands for, by all that it is set to."""
        around: Body | None = body
        while around is not None and name not in around.bindings:
            if name in around.parameters:
                return self._parameter(name, around)
            around = around.outer
        if around is None or (id(around), name) in self._asked:
            return {""}
        self._asked.add((id(around), name))
        found: set[str] = set()
        for one in around.bindings[name]:
            value = getattr(one, "value", None)
            is_sole = isinstance(one, ast.Assign | ast.AnnAssign) and _sets(one, name)
            found |= self._of(value, around) if is_sole else {""}
        return found

    def _field(self, name: str, body: Body) -> set[str]:
        """What an attribute is: PyTorch's own ``device``, unless the source sets it to another."""
        if name != _DEVICE:
            return {_dtype_of(name)}
        if (_ANYBODY, name) in self._asked:
            return {_DEVICE}
        self._asked.add((_ANYBODY, name))
        given = self.work.resolver.reading.given
        others = any(
            given.get(value) is DTYPE
            or is_tensor(given.get(value, OTHER))
            or _DTYPE in self._of(value, body)
            for value in self._set_to(name)
        )
        return {"" if others else _DEVICE}

    def _set_to(self, name: str) -> Iterator[ast.expr]:
        """What the source sets attributes of a name to, or makes objects with."""
        nodes = self.work.source.nodes
        set_here: list[tuple[list[ast.expr], ast.expr | None]] = []
        set_here += [(made.targets, made.value) for made in nodes.of(ast.Assign)]
        set_here += [([made.target], made.value) for made in nodes.of(ast.AnnAssign)]
        for targets, value in set_here:
            if value is not None and any(
                name == (getattr(one, "attr", "") or getattr(one, "id", "")) for one in targets
            ):
                yield value
        for call in nodes.of(ast.Call):
            yield from (keyword.value for keyword in call.keywords if keyword.arg == name)

    def _parameter(self, name: str, body: Body) -> set[str]:
        """What a parameter takes, by its annotation or else by its default."""
        spec = body.node.args  # type: ignore[union-attr]
        for one, default in _defaults(spec):
            if one.arg == name:
                if one.annotation is not None:
                    return _annotated(one.annotation)
                is_none = isinstance(default, ast.Constant) and default.value is None
                return {""} if default is None or is_none else self._of(default, body)
        return {""}


# Whose attribute it is, of one that any object may have.
_ANYBODY = 0


def _dtype_of(name: str) -> str:
    """What a name says of a dtype: the call stays then, and a device raises an error."""
    return _DTYPE if _DTYPE in name.lower() else ""


def _says_device(node: ast.expr | None) -> bool:
    """Whether the last word of an expression is that of a device."""
    text = "" if node is None else ast.unparse(node).lower()
    last = text.rpartition(".")[2]
    return any(word in last for word in (_DEVICE, "rank", "gpu", "cuda"))


# Types of which a device is one, or a part.
_TYPES = {_DEVICE: ("device", "str", "int"), _DTYPE: ("dtype",)}


def _annotated(annotation: ast.expr) -> set[str]:
    """What an annotation says that a parameter takes."""
    text = ast.unparse(annotation)
    words = {word.rpartition(".")[2] for word in text.replace("'", " ").split()}
    for mark in "[]|,":
        words = {part for word in words for part in word.split(mark)}
    words -= {"", "None", "Optional", "Union"}
    return {kind for kind, types in _TYPES.items() if words and words <= {*types}} or {""}


def _sets(node: ast.Assign | ast.AnnAssign, name: str) -> bool:
    """Whether a statement sets the name to its whole value."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(one, ast.Name) and one.id == name for one in targets)


def _defaults(spec: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    placed = [*spec.posonlyargs, *spec.args]
    missing = len(placed) - len(spec.defaults)
    yield from zip(placed, [*[None] * missing, *spec.defaults], strict=True)
    yield from zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
