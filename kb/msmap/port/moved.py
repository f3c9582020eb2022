"""What ``to`` is given: a dtype is cast to, a device is left out, and nobody guesses which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from msmap.code import arguments as values
from msmap.code.arguments import Argument
from msmap.code.refusal import Refused
from msmap.code.uses import Use
from msmap.model import Record
from msmap.port.call import Arguments
from msmap.port.rewriter import Rewriter
from msmap.port.training.places import Body

_MOVING = ("torch.Tensor.to", "torch.nn.Module.to")
_A_DEVICE = ast.Constant("cpu")
_KINDS = ("dtype", "device")


def of_argument(work: Rewriter, use: Use, record: Record, arguments: Arguments) -> Arguments:
    """The arguments of ``to``, in which what stands for a device looks like one.

    Raises:
        Refused: nothing proves which it is.
    """
    given = arguments.positional[:1]
    if record.torch not in _MOVING or not given or work.resolver.own or _is_told(given[0]):
        return arguments
    if work.resolver.reading.snippet:
        return arguments
    node = use.node.args[0] if isinstance(use.node, ast.Call) and use.node.args else None
    found = _Told(work).kinds(use, node)
    if found == {"device"}:
        (first,) = given
        device = replace(first, node=_A_DEVICE, unclear=False)
        return replace(arguments, positional=(device, *arguments.positional[1:]))
    if found != {"dtype"}:
        text = given[0].text
        raise Refused(
            "ambiguous",
            f"{record.torch}: nothing proves whether `{text}` is a dtype, a device or a tensor;"
            " write dtype= or device= before it",
            f"{record.torch}：无法证明 `{text}` 是 dtype、设备还是张量；请写明 dtype= 或 device=",
        )
    return arguments


def _is_told(given: Argument) -> bool:
    """Whether the argument itself is a literal, or was proved to be an object of PyTorch's."""
    return given.proved in ("tensor", "device") or values.kind(given.node) != "unknown"


def _named(name: str) -> set[str]:
    """What a name says of what it stands for: ``train_device``, ``param_dtype``."""
    return {kind for kind in _KINDS if kind in name.lower()}


class _Told:
    """Follows names to what they were set to in the source."""

    def __init__(self, work: Rewriter) -> None:
        self.work = work
        self._asked: set[tuple[int, str]] = set()

    def kinds(self, use: Use, node: ast.expr | None) -> set[str]:
        """What an expression may give: "dtype", "device", or "" for anything else."""
        found = self.work.places.get(use.statement) if use.statement is not None else None
        return self._of(node, self.work.bodies[0] if found is None else found[0])

    def _of(self, node: ast.expr | None, body: Body) -> set[str]:
        if isinstance(node, ast.Constant):
            return {"device" if isinstance(node.value, str | int) else ""}
        if isinstance(node, ast.IfExp):
            return self._of(node.body, body) | self._of(node.orelse, body)
        if isinstance(node, ast.BoolOp):
            return set().union(*(self._of(one, body) for one in node.values))
        if isinstance(node, ast.JoinedStr):
            return {"device"}
        use = self.work.uses.get(node) if node is not None else None
        if use is not None and use.names:
            name = self.work.resolver.reading.canonical(use.names[0]) or use.names[0]
            if self.work.facts.mindspore_dtype(name) is not None:
                return {"dtype"}
            return _named(name.rpartition(".")[2]) or {""}
        if isinstance(node, ast.Name):
            return _named(node.id) or self._name(node.id, body)
        if isinstance(node, ast.Attribute):
            # What an earlier run wrote.
            written = isinstance(node.value, ast.Name) and node.value.id == "mindspore"
            return {"dtype"} if written else _named(node.attr) or {""}
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return _named(str(node.slice.value)) or {""}
        if isinstance(node, ast.Call):
            function = node.func
            last = getattr(function, "attr", "") or getattr(function, "id", "")
            return _named(last) or {""}
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

    def _parameter(self, name: str, body: Body) -> set[str]:
        """What a parameter takes, by its annotation or else by its default."""
        spec = body.node.args  # type: ignore[union-attr]
        for one, default in _defaults(spec):
            if one.arg == name:
                if one.annotation is not None:
                    return _named(ast.unparse(one.annotation)) or {""}
                is_none = isinstance(default, ast.Constant) and default.value is None
                return {""} if default is None or is_none else self._of(default, body)
        return {""}


def _sets(node: ast.Assign | ast.AnnAssign, name: str) -> bool:
    """Whether a statement sets the name to its whole value."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(one, ast.Name) and one.id == name for one in targets)


def _defaults(spec: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    placed = [*spec.posonlyargs, *spec.args]
    missing = len(placed) - len(spec.defaults)
    yield from zip(placed, [*[None] * missing, *spec.defaults], strict=True)
    yield from zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
