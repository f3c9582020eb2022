"""A call written as a user would type it, its tensors named and taken out as inputs."""

from __future__ import annotations

import ast
import keyword
import math
import numbers
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from msmap.probe.samples import layers, recipes, tensors
from msmap.probe.samples.call import Call, Gap, Known, Text, fitting
from msmap.probe.samples.tensors import Spec
from msmap.signatures.parse import Signature

_TAKEN = frozenset({"torch", "np", "nn", "F", "net", "optimizer", "mindspore", "ms", "check"})
_LONGEST = 1500
# Said of where a tensor is, or of bookkeeping that is as by default: on one CPU it changes nothing.
_IDLE: dict[str, tuple[Any, ...]] = {
    "device": ("cpu", None), "requires_grad": (False,), "pin_memory": (False,),
}  # fmt: skip


@dataclass(slots=True)
class Writer:
    """Writes values as source text and collects their tensors, each under a name of its own."""

    inputs: dict[str, Spec] = field(default_factory=dict)
    seen: dict[int, str] = field(default_factory=dict)

    def text(self, value: Any, hint: str = "x") -> str:
        """A value as source text.

        Raises:
            Gap: it can't be written.
        """
        import torch

        if isinstance(value, Text):
            return value.source
        if isinstance(value, torch.Tensor):
            return self.tensor(value, hint)
        if isinstance(value, torch.nn.Module):
            return self._layer(value)
        if isinstance(value, torch.Size):
            value = tuple(value)
        if isinstance(value, slice):
            parts = (value.start, value.stop, value.step)
            return f"slice({', '.join(self.text(p, hint) for p in parts)})"
        if isinstance(value, list | tuple):
            return self._listed(value, hint)
        if isinstance(value, dict):
            pairs = (f"{k!r}: {self.text(v, str(k))}" for k, v in value.items())
            return "{" + ", ".join(pairs) + "}"
        return plain(value)

    def _layer(self, value: Any) -> str:
        """How a layer was made, where that is known (``layers.remember``)."""
        args, kwargs = layers.made_with(value)
        name = public(type(value))
        if name is None:
            raise Gap("object")
        return f"{name}({self.arguments((), args, kwargs)})"

    def _listed(self, value: Sequence[Any], hint: str) -> str:
        hints = [f"{hint}_{n}" if len(value) > 1 else hint for n in range(len(value))]
        items = [self.text(v, h) for v, h in zip(value, hints, strict=True)]
        if isinstance(value, list):
            return f"[{', '.join(items)}]"
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"

    def tensor(self, value: Any, hint: str) -> str:
        """The name of a tensor; the same one again for the same tensor."""
        if id(value) in self.seen:
            return self.seen[id(value)]
        name = _fresh(hint, self.inputs)
        self.inputs[name] = tensors.spec(value)
        self.seen[id(value)] = name
        return name

    def arguments(
        self, signatures: tuple[Signature, ...], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> str:
        """The arguments of a call, those that say nothing on a CPU left out."""
        given = {k: v for k, v in kwargs.items() if not _idle(k, v)}
        signature = fitting(signatures, len(args), frozenset(given))
        names = [p.name for p in signature.parameters if p.positional]
        rest = signature.variadic.name if signature.variadic else "x"
        hints = [*names[: len(args)], *([rest] * (len(args) - len(names)))]
        texts = [self.text(v, h) for v, h in zip(args, hints, strict=True)]
        return ", ".join([*texts, *(f"{k}={self.text(v, k)}" for k, v in given.items())])


def write(call: Call, known: Known) -> tuple[str, dict[str, Spec]]:
    """The source of a call and its inputs.

    Raises:
        Gap: a value can't be written.
    """
    writer = Writer()
    around = recipes.around(call.name) if call.around == "{}" else call.around
    code = around.replace("{}", _code(call, known, writer))
    for name, tensor in (call.inputs or _named(around.replace("{}", ""))).items():
        if name in writer.inputs:
            raise Gap("nested")
        writer.tensor(tensor, name)
    if len(code) > _LONGEST:
        raise Gap("object")
    return code, writer.inputs


def _named(text: str) -> dict[str, Any]:
    """The tensors that the source around a call names."""
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    return {name: _tensor(name) for name in recipes.INPUTS if name in names}


@cache
def _tensor(name: str) -> Any:
    """What a name stands for around calls: the same tensor whenever it is asked for."""
    import torch

    state = torch.default_generator.get_state()
    torch.default_generator.manual_seed(zlib.crc32(name.encode()))
    try:
        return recipes.INPUTS[name](torch)
    finally:
        torch.default_generator.set_state(state)


def _code(call: Call, known: Known, writer: Writer) -> str:
    if call.form in ("method", "property", "index"):
        receiver, *args = call.args
        of = writer.text(receiver, "x")
        if not (of.isidentifier() or isinstance(receiver, Text)):
            raise Gap("nested")
        if call.form == "property":
            return f"{of}.{call.name.rpartition('.')[2]}"
        if call.form == "index":
            return f"{of}[{_index(args[0], writer)}]"
        made = writer.arguments(known.signatures, args, call.kwargs)
        return f"{of}.{call.name.rpartition('.')[2]}({made})"
    made = f"{call.name}({writer.arguments(known.signatures, call.args, call.kwargs)})"
    if call.form == "layer":
        made += f"({writer.arguments(known.calls, *call.then)})"
    return made


def _index(value: Any, writer: Writer) -> str:
    """What stands in brackets: slices with colons, axes parted by commas."""
    if isinstance(value, tuple) and value:
        return ", ".join(_index(item, writer) for item in value) + ("," if len(value) == 1 else "")
    if isinstance(value, slice):
        start, stop, step = ("" if p is None else repr(p) for p in _bounds(value))
        return f"{start}:{stop}" + (f":{step}" if step else "")
    return writer.text(value, "index")


def _bounds(value: slice) -> tuple[Any, Any, Any]:
    return value.start, value.stop, value.step


def plain(value: Any) -> str:
    """Source text of a value without tensors.

    Raises:
        Gap: it has none.
    """
    import torch

    if value is None or value is Ellipsis or isinstance(value, bool | str | range):
        return "..." if value is Ellipsis else repr(value)
    if isinstance(value, torch.dtype | torch.memory_format):
        return str(value)
    if isinstance(value, torch.layout):
        if value == torch.strided:
            return "torch.strided"
        raise Gap("sparse")
    if isinstance(value, torch.device | torch.Generator | torch.Stream):
        raise Gap("device")
    if isinstance(value, numbers.Number):
        return _number(value.item() if hasattr(value, "item") else value)
    if callable(value):
        name = public(value)
        if name is None:
            raise Gap("callable")
        return name
    raise Gap("object")


def _number(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if type(value) not in (bool, int, float, complex):
        raise Gap("object")
    return repr(value)


def public(value: Any) -> str | None:
    """The name under which torch has a function or class of its own for everyone to use."""
    return _public().get(id(value))


@cache
def _public() -> dict[int, str]:
    import torch

    modules = {"torch.nn.functional": torch.nn.functional, "torch.nn": torch.nn, "torch": torch}
    return {
        id(thing): f"{module}.{name}"
        for module, where in reversed(modules.items())
        for name, thing in sorted(vars(where).items())
        if callable(thing) and not name.startswith("_")
        and str(getattr(thing, "__module__", None) or "torch").startswith("torch")
    }  # fmt: skip


def _idle(name: str, value: Any) -> bool:
    import torch

    plain = value.type if isinstance(value, torch.device) and value.index is None else value
    return name in _IDLE and any(plain is v or plain == v for v in _IDLE[name])


def _fresh(hint: str, used: Mapping[str, object]) -> str:
    """A name for a tensor: that of its parameter, if it can be one and is still free."""
    name = "input" if hint == "self" else hint.strip("_") or "x"
    if not name.isidentifier() or keyword.iskeyword(name) or name in _TAKEN:
        name = f"{name}_x" if f"{name}_x".isidentifier() else "x"
    number, free = 1, name
    while free in used:
        number += 1
        free = f"{name}{number}"
    return free
