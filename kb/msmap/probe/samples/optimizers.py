"""Samples of optimizers that PyTorch tests itself with (OptimizerInfo), over a small network."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from msmap.probe.samples import drawing
from msmap.probe.samples.call import Call, Gap, Known, Text

# What ``verify.trial.training`` names ``net``.
PARAMETERS = Text("net.parameters()")
# Of matrices alone.
_MATRICES = {"torch.optim.Muon": Text("[net.weight]")}
GROUPS = Text('[{"params": [net.weight], "lr": 0.05}, {"params": [net.bias]}]')


@cache
def by_name() -> dict[str, Any]:
    """PyTorch's optimizers by name."""
    from torch.testing._internal.common_optimizers import optim_db

    return {f"torch.optim.{info.optim_cls.__name__}": info for info in optim_db}


def calls(known: Known, most: int) -> Iterator[Call | Gap]:
    """Calls of an optimizer with the settings of PyTorch's tests, and with groups of parameters."""
    info = by_name().get(known.name)
    if info is None:
        return
    found = [given.kwargs for given in drawing.drawn(lambda: info.optim_inputs_func(device="cpu"))][
        :most
    ]
    first = _MATRICES.get(known.name, PARAMETERS)
    for place, kwargs in enumerate(found):
        yield _call(known, first, kwargs, f"optimizer-{place}")
    yield _call(known, GROUPS, {"lr": 0.1}, f"optimizer-{len(found)}")
    for place, kwargs in enumerate(_errors(info)):
        yield _call(known, PARAMETERS, kwargs, f"error-{place}", raises=True)


def _errors(info: Any) -> list[dict[str, Any]]:
    """Settings that an optimizer refuses."""
    import torch

    found = drawing.drawn(lambda: info.optim_error_inputs_func(device="cpu", dtype=torch.float32))
    return [e.optimizer_error_input.kwargs for e in found if e.optimizer_error_input.kwargs]


def _call(
    known: Known, first: Text, kwargs: dict[str, Any], label: str, raises: bool = False
) -> Call:
    origin = "error" if raises else "optimizer"
    return Call(known.name, "function", (first,), kwargs, ((), {}), origin, label, "", raises)
