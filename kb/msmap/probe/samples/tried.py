"""A sample run on PyTorch, which decides whether it is one; in a child that may crash."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from msmap.probe.sample import Sample
from msmap.probe.samples import drawing
from msmap.probe.samples.call import Gap
from msmap.verify.trial import compare, inputs
from msmap.verify.trial.results import leaves
from msmap.verify.trial.torch_side import TorchSide

# Names that give memory that nobody wrote to; bools that nobody wrote to may all be True.
_UNWRITTEN = (
    "torch.empty", "torch.empty_like", "torch.empty_permuted", "torch.empty_strided",
    "torch.Tensor.new_empty", "torch.Tensor.new_empty_strided",
)  # fmt: skip


# With so many seeds something else is drawn.
_SEEDS = 6


def settle(sample: Sample) -> Sample:
    """The sample with what PyTorch does with it: whether it has gradients, and is random.

    Raises:
        Gap: PyTorch raises and isn't to, or the other way round; or its result can't be compared.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            side = _side(sample)
            found = _run(side)
        except Exception:
            if sample.raises:
                return sample
            raise Gap("refused") from None
        if sample.raises:
            raise Gap("refused")
        try:
            return _judged(sample, side, found)
        except Exception as error:
            raise error if isinstance(error, Gap) else Gap("opaque") from None


def _judged(sample: Sample, side: TorchSide, found: list[Any]) -> Sample:
    for value in found:
        _comparable(value)
    drew = drawing.has_drawn()
    with drawing.written():
        again = _run(side)
    if sample.name in _UNWRITTEN and any(leaf.value.size for _, leaf in leaves(found[0][0])):
        return replace(sample, random=True)
    # A number may be drawn without a trace: a layer's own weights are replaced.
    # One number may be drawn twice by chance.
    others = (_run(side, drawing.SEED + number) for number in range(1, _SEEDS)) if drew else ()
    if _differ(found, again) or any(_differ(found, other) for other in others):
        return replace(sample, random=True)
    # A parameter is filled outside of what is derived.
    filled = sample.name.startswith("torch.nn.init.")
    return replace(sample, gradient=not filled and _has_gradients(side))


def _side(sample: Sample) -> TorchSide:
    dtypes = {name: str(spec["dtype"]) for name, spec in sample.inputs.items()}
    arrays = {name: inputs.array(name, spec) for name, spec in sample.inputs.items()}
    strided = frozenset(n for n, s in sample.inputs.items() if s.get("edge") == "non-contiguous")
    side = TorchSide(sample.torch, arrays, dtypes, strided)
    drawing.seed()
    side.prepare(side.tensors())
    return side


def _run(side: TorchSide, seed: int = drawing.SEED) -> list[Any]:
    """The results of a call and its inputs afterwards, in both modes of a layer."""
    found = []
    for mode in (True, False) if side.layer is not None else (False,):
        side.set_mode(mode)
        drawing.seed(seed)
        tensors = side.tensors()
        found.append([side.run(tensors), tensors])
    return found


def _differ(one: list[Any], other: list[Any]) -> bool:
    return bool(compare.same(one, other).differences)


def _comparable(value: Any) -> None:
    """Refuse results that aren't made of tensors and plain values.

    Raises:
        Gap: there is another kind of value in it.
    """
    import torch

    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list | tuple):
        for item in value:
            _comparable(item)
    elif isinstance(value, torch.Tensor):
        if value.layout != torch.strided or value.is_quantized or value.device.type != "cpu":
            raise Gap("sparse")
    elif not isinstance(value, bool | int | float | complex | str | None | torch.dtype
                        | torch.device | torch.layout | np.ndarray | np.generic):  # fmt: skip
        raise Gap("opaque")


def _has_gradients(side: TorchSide) -> bool:
    """Whether PyTorch gives gradients for the inputs or parameters."""
    wanted = [name for name, dtype in side.dtypes.items() if "float" in dtype]
    if not wanted and side.layer is None:
        return False
    try:
        drawing.seed()
        return any(side.gradients(wanted, drawing.SEED))
    except Exception:
        return False
