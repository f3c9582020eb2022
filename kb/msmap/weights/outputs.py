"""Both models run on the same inputs, and how far apart what they give is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msmap.errors import WeightsError
from msmap.weights import layers, reasons
from msmap.weights.convert import Done
from msmap.weights.mapping import put
from msmap.weights.report import Carried, Output
from msmap.weights.tensors import DTYPES, Held, to_float

_INPUT = re.compile(r"^([a-z]+\d*) ?\[([\d, ]*)\](?: in (-?[\d.]+)\.\.(-?[\d.]+))?$")
# What float32 gives through some dozens of layers, for outputs of about one.
_TOLERANCE = 1e-4


def inputs(text: str) -> Any:
    """An array of NumPy as ``float32[2, 3]`` or ``int64[4] in 0..5`` says, the same every time.

    Raises:
        WeightsError: it says neither.
    """
    import numpy as np

    match = _INPUT.match(text.strip())
    if match is None or match[1] not in DTYPES or match[1] in ("bfloat16", "bool"):
        raise WeightsError(
            f"--input {text}: a dtype and a shape, such as 'float32[2, 3]' or 'int64[4] in 0..5'"
        )
    shape = [int(n) for n in match[2].replace(" ", "").split(",") if n]
    random = np.random.RandomState(0)
    if match[1].startswith(("int", "uint")):
        low, high = int(float(match[3] or 0)), int(float(match[4] or 10))
        return random.randint(low, max(high, low + 1), shape).astype(match[1])
    if match[3] is not None:
        return random.uniform(float(match[3]), float(match[4]), shape).astype(match[1])
    return random.standard_normal(shape).astype(match[1])


def compared(done: Done, net: Any, cell: Any, given: Sequence[Any]) -> Carried:
    """The report with how far the outputs are apart, once both models have the file's weights.

    Both are in evaluation mode. Without inputs a note says so.

    Raises:
        WeightsError: a model fails on the inputs, or they give another number of tensors.
    """
    report = done.report
    if not given:
        return replace(report, notes=(*report.notes, reasons.NO_INPUT))
    load_torch(net, done.torch)
    load_mindspore(cell, done.mindspore)
    theirs, ours = torch_outputs(net, given), mindspore_outputs(cell, given)
    if len(theirs) != len(ours):
        raise WeightsError(
            f"PyTorch's model gives {len(theirs)} tensors, and MindSpore's {len(ours)}"
        )
    return replace(report, outputs=tuple(map(_compared, theirs, ours)))


def load_torch(net: Any, tensors: Mapping[str, Held]) -> None:
    """Give a model of PyTorch's the tensors that it has, by its names."""
    import numpy as np
    import torch

    known = net.state_dict()
    for name, tensor in tensors.items():
        if name in known:
            value = torch.from_numpy(np.array(to_float(tensor)))
            known[name].copy_(value.reshape(known[name].shape))


def load_mindspore(cell: Any, tensors: Mapping[str, Held]) -> None:
    """Give a network of MindSpore's the tensors that it has, by their names in files."""
    slots = {slot.name: slot.path for slot in layers.cells(cell).slots.values()}
    found = {slots[name]: to_float(one) for name, one in tensors.items() if name in slots}
    put(cell, found)


def torch_outputs(net: Any, given: Sequence[Any]) -> list[Any]:
    """What a model of PyTorch's gives, as arrays of NumPy."""
    import torch

    net.eval()
    with torch.no_grad():
        try:
            return _leaves(net(*(torch.from_numpy(one) for one in given)))
        except Exception as error:
            raise WeightsError(f"PyTorch's model fails on the inputs: {_said(error)}") from error


def mindspore_outputs(cell: Any, given: Sequence[Any]) -> list[Any]:
    """What a network of MindSpore's gives, as arrays of NumPy."""
    import mindspore

    cell.set_train(False)
    try:
        return _leaves(cell(*(mindspore.Tensor(one) for one in given)))
    except Exception as error:
        raise WeightsError(f"MindSpore's model fails on the inputs: {_said(error)}") from error


def _said(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _leaves(value: Any) -> list[Any]:
    """All tensors of what a model gives, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [leaf for one in value for leaf in _leaves(one)]
    if hasattr(value, "asnumpy"):
        return [(value.float() if str(value.dtype) == "BFloat16" else value).asnumpy()]
    if hasattr(value, "detach"):
        plain = value.detach().cpu()
        return [(plain.float() if str(plain.dtype) == "torch.bfloat16" else plain).numpy()]
    return []


def _compared(theirs: Any, ours: Any) -> Output:
    import numpy as np

    if theirs.shape != ours.shape:
        return Output(tuple(theirs.shape), float("inf"), float("inf"), False)
    if not theirs.size:
        return Output(tuple(theirs.shape), 0.0, 0.0, True)
    one, other = theirs.astype(np.float64), ours.astype(np.float64)
    apart = np.abs(one - other)
    scale = float(np.nanmax(np.abs(one)))
    absolute = float(np.nanmax(apart))
    agrees = bool(np.array_equal(np.isnan(one), np.isnan(other)))
    agrees &= absolute <= _TOLERANCE * max(scale, 1.0)
    return Output(tuple(theirs.shape), absolute, absolute / scale if scale else absolute, agrees)
