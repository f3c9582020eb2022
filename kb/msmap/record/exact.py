"""PyTorch's own noise: whatever runs in float32 runs in float64 beside it, from the same start.

Each floating tensor has a shadow in float64, which functions get in its place. Where a function
can't be run twice (it draws random numbers, or takes no float64), the shadow begins anew with what
came out, and gradients of the step have no yardstick before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

_SHADOW = "_msmap_exact"
_HALVED = {torch.float32, torch.float16, torch.bfloat16}
_SHORTENING = {"float", "half", "bfloat16"}
# What tells of a tensor and gives none.
_TELLING = {
    "size", "dim", "item", "tolist", "numel", "__len__", "is_floating_point", "stride", "numpy",
    "__repr__", "__hash__", "__format__", "__bool__", "__float__", "__int__", "is_contiguous",
    "register_hook", "requires_grad_", "is_complex", "ndimension", "element_size", "data_ptr",
}  # fmt: skip
_GIVING = {"grad", "data", "T", "mT", "H", "mH"}


def of(tensor: Any) -> Any:
    """The shadow of a tensor, or None."""
    return getattr(tensor, _SHADOW, None)


class Exact:
    """Runs functions a second time, on shadows; ``sound`` says that no gradient was cut off."""

    def __init__(self) -> None:
        self.sound = True

    def run(self, func: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """What a function gives; what it gives in float64 is the shadow of that."""
        name = getattr(func, "__name__", "")
        if name in _TELLING or (name == "__get__" and _property(func) not in _GIVING):
            return func(*args, **kwargs)
        given = [t for t in _tensors((args, kwargs)) if t.is_floating_point()]
        if not given:
            return func(*args, **kwargs)
        # Before it runs: it may change what it is given, such as running statistics.
        doubles = _doubled(args), _doubled(kwargs)
        before = torch.get_rng_state()
        out = func(*args, **kwargs)
        left = [t for t in _tensors(out) if t.is_floating_point()]
        if not left and not _changes(name, kwargs):
            return out
        drawn = not torch.equal(before, torch.get_rng_state())
        try:
            if drawn:
                raise _Drawn
            first = doubles[0][0] if doubles[0] else None
            gave = first if name in _SHORTENING else func(*doubles[0], **doubles[1])
        except Exception:
            self._anew(name, args, out, left)
            return out
        for one, other in zip(left, _floating(gave), strict=False):
            if not any(one is t for t in given):
                _put(one, other.double() if other.dtype != torch.float64 else other)
        return out

    def _anew(self, name: str, args: Any, out: Any, left: list[Any]) -> None:
        """Give what came out new shadows."""
        if name in ("dropout", "dropout1d", "dropout2d", "dropout3d") and _same(args, out):
            # What was dropped is zero, and the rest is scaled.
            scale = torch.where(args[0] == 0, torch.ones_like(out), out / args[0]).detach()
            _put(out, _shadow(args[0]) * scale.double())
            return
        for one in left:
            if one.requires_grad:
                self.sound = False
            _put(one, one.detach().double().requires_grad_(one.requires_grad))


class _Drawn(Exception):
    """Random numbers were drawn."""


def _same(args: Any, out: Any) -> bool:
    return bool(args) and isinstance(out, torch.Tensor) and args[0].shape == out.shape


def _property(func: Any) -> str:
    return getattr(getattr(func, "__self__", None), "__name__", "")


def _changes(name: str, kwargs: Any) -> bool:
    in_place = name.endswith("_") and not name.endswith("__")
    setter = name in ("__set__", "__setitem__") or (name.startswith("__i") and name != "__invert__")
    return name == "backward" or in_place or setter or kwargs.get("out") is not None


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, tuple | list):
        return [t for one in value for t in _tensors(one)]
    if isinstance(value, dict):
        return [t for one in value.values() for t in _tensors(one)]
    return []


def _floating(value: Any) -> list[Any]:
    return [t for t in _tensors(value) if t.is_floating_point()]


def _put(tensor: Any, shadow: Any) -> None:
    setattr(tensor, _SHADOW, shadow)


def _shadow(tensor: Any) -> Any:
    found = of(tensor)
    if found is None:
        found = tensor.detach().to(torch.float64, copy=True)
        if tensor.requires_grad and tensor.is_leaf:
            found.requires_grad_()
        _put(tensor, found)
    return found


def _doubled(value: Any) -> Any:
    """Arguments with shadows in place of tensors, and float64 in place of shorter dtypes."""
    if isinstance(value, torch.Tensor):
        return _shadow(value) if value.is_floating_point() else value
    if isinstance(value, torch.dtype):
        return torch.float64 if value in _HALVED else value
    if isinstance(value, dict):
        return {key: _doubled(one) for key, one in value.items()}
    if type(value) in (tuple, list):
        return type(value)(_doubled(one) for one in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_doubled(one) for one in value))
    return value


def drop(tensors: Any) -> None:
    """Forget the shadows of tensors that live on."""
    for tensor in tensors:
        if hasattr(tensor, _SHADOW):
            delattr(tensor, _SHADOW)
