"""Samples of layers that PyTorch tests itself with (ModuleInfo), and how a layer was made."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any

from msmap.probe.samples import drawing, tensors
from msmap.probe.samples.call import Call, Gap, Known

_DTYPES = ("float32", "float64", "float16", "bfloat16")
_ATTRIBUTE = "_msmap_made_with"

Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]


def remember() -> None:
    """From now on, layers know what they are made with, so that they can be written as source."""
    import torch

    def new(cls: type, *args: Any, **kwargs: Any) -> Any:
        made: Any = object.__new__(cls)
        object.__setattr__(made, _ATTRIBUTE, (args, kwargs))
        return made

    torch.nn.Module.__new__ = new


def made_with(layer: Any) -> Arguments:
    """The arguments that a layer was made with.

    Raises:
        Gap: they aren't known.
    """
    found: Arguments | None = vars(layer).get(_ATTRIBUTE)
    if found is None:
        raise Gap("object")
    return found


@cache
def by_name() -> dict[str, Any]:
    """PyTorch's layers by name."""
    from torch.testing._internal.common_modules import module_db

    return {f"torch.nn.{info.module_cls.__name__}": info for info in module_db}


def calls(known: Known, most: int) -> Iterator[Call | Gap]:
    """Calls of a layer as PyTorch's tests of layers have them, so many at most in a dtype."""
    info = by_name().get(known.name)
    if info is None:
        return
    dtypes = {*_DTYPES, *map(tensors.name_of, info.dtypes)}
    for dtype in [d for d in tensors.DTYPES if d in dtypes]:
        found = list(enumerate(_inputs(info, dtype)))
        for place, given in found[:: max(1, -(-len(found) // most))]:
            yield _call(known, info, given, "module", f"module-{place}-{dtype}", dtype)
    for place, error in enumerate(_errors(info)):
        given, label = error.module_error_input, f"error-{place}"
        yield _call(known, info, given, "error", label, "float32", raises=True)


def _inputs(info: Any, dtype: str) -> list[Any]:
    import torch

    given = {"device": "cpu", "dtype": getattr(torch, dtype), "requires_grad": False}
    make = partial(info.module_inputs_func, info, **given)
    found = drawing.drawn(partial(make, training=True))
    found += drawing.drawn(partial(make, training=False))
    return found


def _errors(info: Any) -> list[Any]:
    import torch

    make = info.module_error_inputs_func
    if make is None:
        return []
    return drawing.drawn(
        lambda: make(info, device="cpu", dtype=torch.float32, requires_grad=False, training=False)
    )


def _call(
    known: Known, info: Any, given: Any, origin: str, label: str, dtype: str, raises: bool = False
) -> Call | Gap:
    made, then = given.constructor_input, given.forward_input
    kwargs = dict(made.kwargs)
    if dtype != "float32" and "dtype" in inspect.signature(info.module_cls).parameters:
        import torch

        kwargs["dtype"] = getattr(torch, dtype)
    inputs = (then.args, then.kwargs) if then is not None else ((), {})
    return Call(known.name, "layer", made.args, kwargs, inputs, origin, label, dtype, raises)
