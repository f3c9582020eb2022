"""Samples of operators that PyTorch tests itself with (OpInfo): as functions, methods, in place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from msmap.probe.samples import drawing, tensors
from msmap.probe.samples.call import Call, Form, Gap, Known

# As many of a dtype are looked at, or twice as many as are wanted.
USUAL = 40
# With fewer than these, or than are wanted, there are those for comparison with NumPy too.
_FEW = 8
# What PyTorch's tests call otherwise than it is named.
_PROPERTIES = ("T", "H", "mT", "mH")
_ODD = {"__getitem__": "index"}
_ROOMS = ("nn.functional", "linalg", "special")
# Functions whose samples come in another order than their arguments: which comes first, second, ...
_ORDERS = {
    "torch.where": (1, 0, 2), "torch.einsum": (1, 0),
    "torch.polygamma": (1, 0), "torch.special.polygamma": (1, 0),
}  # fmt: skip


@cache
def by_name() -> dict[str, list[tuple[Any, Form]]]:
    """PyTorch's operators by every name that calls them, with the form of that call."""
    from torch.testing._internal.common_methods_invocations import op_db

    found: dict[str, list[tuple[Any, Form]]] = {}
    more: dict[str, list[tuple[Any, Form]]] = {}
    for op in op_db:
        for name, form in _names(op):
            found.setdefault(name, []).append((op, form))
        for name, form in _elsewhere(op.name):
            more.setdefault(name, []).append((op, form))
    return more | found


def _elsewhere(name: str) -> Iterator[tuple[str, Form]]:
    """Where PyTorch has an operator of a namespace too, with no samples of that: ``torch.relu``."""
    import torch

    room, _, last = name.rpartition(".")
    if room in _ROOMS:
        yield from ((f"torch.{n}", "function") for n in (last, f"{last}_") if hasattr(torch, n))
        yield from _of_tensor(torch.Tensor, last)


def _names(op: Any) -> Iterator[tuple[str, Form]]:
    import torch

    seen = set()
    for plain in [op.name, *(alias.name for alias in op.aliases)]:
        base = plain.removeprefix("torch.")
        last = base.rpartition(".")[2]
        forms: list[tuple[str, Form]] = [(f"torch.{base}", "function")]
        if not base.startswith("_") and not last.endswith("_"):
            forms.append((f"torch.{base}_", "function"))
        if base == last:
            forms += _of_tensor(torch.Tensor, last)
        for name, form in forms:
            if name not in seen:
                seen.add(name)
                yield name, form


def _of_tensor(tensor: type, name: str) -> list[tuple[str, Form]]:
    form: Form = "property" if name in _PROPERTIES else "method"
    if name in _ODD:
        form = "index"
    return [(f"torch.Tensor.{n}", form) for n in (name, f"{name}_") if hasattr(tensor, n)]


def dtypes(op: Any) -> tuple[str, ...]:
    """The dtypes that an operator takes on a CPU, float32 first."""
    found = {tensors.name_of(dtype) for dtype in op.supported_dtypes("cpu")}
    return tuple(d for d in tensors.DTYPES if d in found)


def calls(known: Known, most: int) -> Iterator[Call | Gap]:
    """Calls of a name as PyTorch's tests of operators have them, so many at most in a dtype."""
    # A method has the name of a dtype: ``bool``.
    found = by_name().get(known.name, ()) if known.api.kind != "dtype" else ()
    for number, (op, form) in enumerate(found):
        # An operator has several entries where it has several overloads.
        variant = f"{number}-" if number else ""
        for dtype in dtypes(op):
            label = f"op-{variant}{{}}-{dtype}"
            for place, given in _inputs(op, dtype, most):
                yield _call(known, form, given, "op", label.format(place), dtype)
        yield from _errors(known, op, form, variant)


def _inputs(op: Any, dtype: str, most: int) -> list[tuple[int, Any]]:
    """Sample inputs of an operator; where they are few, those for comparison with NumPy too."""
    import torch

    asked = getattr(torch, dtype)
    found = drawing.drawn(lambda: op.sample_inputs("cpu", asked, requires_grad=False))
    enough = _FEW if most <= USUAL else most // 2
    if len(found) < enough and op.reference_inputs_func is not None:
        found += drawing.drawn(lambda: op.reference_inputs("cpu", asked, requires_grad=False))
    step = max(1, -(-len(found) // most))
    return list(enumerate(found))[::step]


def _errors(known: Known, op: Any, form: Form, variant: str) -> Iterator[Call | Gap]:
    if op.error_inputs_func is None:
        return
    for place, given in enumerate(drawing.drawn(lambda: op.error_inputs("cpu"))):
        label = f"error-{variant}{place}"
        yield _call(known, form, given.sample_input, "error", label, "", raises=True)


def _call(
    known: Known, form: Form, given: Any, origin: str, label: str, dtype: str, raises: bool = False
) -> Call | Gap:
    import torch

    if form != "function" and not isinstance(given.input, torch.Tensor):
        return Gap("nested")
    args = (given.input, *given.args)
    order = _ORDERS.get(known.name, ())
    if len(args) == len(order):
        args = tuple(args[place] for place in order)
    kwargs = dict(given.kwargs)
    if form == "method" and known.is_property:
        form = "property"
    return Call(known.name, form, args, kwargs, ((), {}), origin, label, dtype, raises)
