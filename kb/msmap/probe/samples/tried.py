"""A sample run on PyTorch, which decides whether it is one; in a child that may crash."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from msmap.probe.sample import Sample
from msmap.probe.samples.call import Gap
from msmap.verify.trial import compare, inputs
from msmap.verify.trial.torch_side import TorchSide

SEED = 20


def settle(sample: Sample) -> Sample:
    """The sample with what PyTorch does with it: whether it has gradients, and is random.

    Raises:
        Gap: PyTorch raises and isn't to, or the other way round; or its result can't be compared.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            side = _side(sample)
            found = _run(side, SEED)
        except Exception:
            if sample.raises:
                return sample
            raise Gap("refused") from None
        if sample.raises:
            raise Gap("refused")
        for value in found:
            _comparable(value)
        if _differ(found, _run(side, SEED, unwritten=True)):
            return replace(sample, random=True)
        if _differ(found, _run(side, SEED + 1)):
            return replace(sample, random=True)
        return replace(sample, gradient=_has_gradients(side))


def _side(sample: Sample) -> TorchSide:
    dtypes = {name: str(spec["dtype"]) for name, spec in sample.inputs.items()}
    arrays = {name: inputs.array(name, spec) for name, spec in sample.inputs.items()}
    strided = frozenset(n for n, s in sample.inputs.items() if s.get("edge") == "non-contiguous")
    side = TorchSide(sample.torch, arrays, dtypes, strided)
    _seed(SEED)
    side.prepare(side.tensors())
    return side


def _run(side: TorchSide, seed: int, unwritten: bool = False) -> list[Any]:
    """The results of a call, in both modes of a layer.

    ``unwritten`` fills memory that nobody writes to with nan or the largest number.
    """
    import torch

    modes = (True, False) if side.layer is not None else (False,)
    found = []
    try:
        torch.use_deterministic_algorithms(unwritten, warn_only=True)
        for mode in modes:
            side.set_mode(mode)
            _seed(seed)
            tensors = side.tensors()
            found.append([side.run(tensors), tensors])
    finally:
        torch.use_deterministic_algorithms(False)
    return found


def _seed(start: int) -> None:
    import torch

    torch.default_generator.manual_seed(start)
    np.random.seed(start)
    random.seed(start)


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
                        | np.ndarray | np.generic):  # fmt: skip
        raise Gap("opaque")


def _has_gradients(side: TorchSide) -> bool:
    """Whether PyTorch gives gradients for the inputs or parameters."""
    wanted = [name for name, dtype in side.dtypes.items() if "float" in dtype]
    if not wanted and side.layer is None:
        return False
    try:
        _seed(SEED)
        return any(side.gradients(wanted, SEED))
    except Exception:
        return False
