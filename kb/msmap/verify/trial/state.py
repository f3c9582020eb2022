"""A layer's parameters and buffers, carried from PyTorch to MindSpore by the record's mapping."""

from __future__ import annotations

from typing import Any

from msmap.verify.plan.job import Job
from msmap.verify.trial import compare
from msmap.verify.trial.compare import Comparison
from msmap.weights.mapping import Rules, mapped, put


def _of(layer: Any) -> dict[str, Any]:
    return {k: v for k, v in layer.state_dict().items() if hasattr(v, "detach")}


def copy(state: Rules, layer: Any, cell: Any) -> None:
    """Give MindSpore's cell the parameters and buffers of PyTorch's layer.

    Raises:
        ValueError: a name or a shape doesn't fit.
    """
    put(cell, mapped(state, _of(layer)))


def compared(job: Job, layer: Any, cell: Any) -> Comparison:
    """Parameters and buffers after a call, such as running statistics."""
    parameters = dict(cell.parameters_and_names())
    expected = mapped(job.state, _of(layer))
    return compare.same(expected, {k: plain(parameters[k]) for k in expected}, job.rtol, job.atol)


def plain(tensor: Any) -> Any:
    """A MindSpore tensor; as float32 where it is bfloat16, which NumPy lacks."""
    return tensor.float() if str(tensor.dtype) == "BFloat16" else tensor
