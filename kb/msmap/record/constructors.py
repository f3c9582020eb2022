"""The arguments of MindSpore's layers: as they are given, or read from what layers keep of them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mindspore

from msmap.record.tensors import is_plain, plain

_GIVEN = "_msmap_arguments"
_INIT = "__init__"
_ELSEWHERE = {"self", "args", "kwargs", "dtype", "weight_init", "bias_init", "auto_prefix", "flags"}
_COMPLEMENT = {
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "InstanceNorm1d",
    "InstanceNorm2d", "InstanceNorm3d",
}  # fmt: skip


@contextmanager
def watching() -> Iterator[None]:
    """Keep what layers and optimizers are made with, while the block runs."""
    spaces = (mindspore.nn, mindspore.mint.nn, mindspore.mint.optim, mindspore.experimental.optim)
    kinds = {
        kind
        for space in spaces
        for kind in vars(space).values()
        if isinstance(kind, type) and "__init__" in vars(kind)
        and issubclass(kind, (mindspore.nn.Cell, mindspore.experimental.optim.Optimizer))
    }  # fmt: skip
    before = {kind: vars(kind)["__init__"] for kind in kinds if kind is not mindspore.nn.Cell}
    for kind, init in before.items():
        setattr(kind, _INIT, _kept(init))
    try:
        yield
    finally:
        for kind, init in before.items():
            setattr(kind, _INIT, init)


def _kept(init: Callable[..., None]) -> Callable[..., None]:
    # Decorators of MindSpore's hide the signature of some.
    signature = inspect.signature(init)
    # What passes all on says nothing of its own.
    passes = any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())

    @functools.wraps(init)
    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        # The outermost of MindSpore's own classes is what was called.
        if _GIVEN not in self.__dict__ and not passes:
            try:
                bound = signature.bind(self, *args, **kwargs)
                bound.apply_defaults()
                self.__dict__[_GIVEN] = dict(bound.arguments)
            except TypeError:
                pass
        init(self, *args, **kwargs)

    return made


def of(cell: Any) -> dict[str, Any]:
    """The arguments that a layer or an optimizer of MindSpore's was made with."""
    kind = next(k for k in type(cell).__mro__ if k.__module__.startswith("mindspore."))
    if kind is mindspore.nn.Cell:
        return {}
    given = cell.__dict__.get(_GIVEN)
    if given is None:
        given = {name: _read(kind.__name__, cell, name) for name in _parameters(kind)}
    if kind.__name__ == "Dropout" and given.get("p", 0) is None and "keep_prob" in given:
        # Two ways to say the same.
        given = given | {"p": round(1.0 - given["keep_prob"], 10)}
    if kind.__name__ == "Dropout":
        given = {name: value for name, value in given.items() if name != "keep_prob"}
    return {
        name: plain(value)
        for name, value in given.items()
        if name not in _ELSEWHERE and value is not _ELSEWHERE and is_plain(value)
    }


def _parameters(kind: type) -> list[str]:
    """The parameters of a constructor, and of those that it passes them on to."""
    found: list[str] = []
    for one in kind.__mro__:
        if one is mindspore.nn.Cell:
            break
        if _INIT in vars(one):
            parameters = inspect.signature(vars(one)[_INIT]).parameters
            found += [name for name in parameters if name not in found]
            if not any(p.kind is p.VAR_POSITIONAL for p in parameters.values()):
                break
    return found


def _read(kind: str, cell: Any, name: str) -> Any:
    """An argument as a layer keeps it, or what says that it doesn't."""
    primitive = getattr(getattr(cell, kind.lower(), None), "init_attrs", {})
    value = getattr(cell, name, primitive.get(name, _ELSEWHERE))
    if value is _ELSEWHERE:
        return value
    if name == "bias" and (value is None or isinstance(value, mindspore.Parameter)):
        # Whether there is one was asked; what is kept is the tensor.
        return value is not None
    if kind.startswith("Conv1d") and isinstance(value, tuple):
        # Kept as one of two axes.
        return value[-1]
    if name == "momentum" and kind in _COMPLEMENT and type(cell).__module__.startswith(_NN):
        return round(1.0 - value, 10)
    if name in ("kdim", "vdim") and value == getattr(cell, "embed_dim", None):
        return None
    if kind == "Dropout" and name == "keep_prob":
        # Only its default is kept under the name.
        return _ELSEWHERE
    if kind == "Dropout" and name == "p":
        return round(1.0 - primitive["keep_prob"], 10) if "keep_prob" in primitive else value
    if name == "approximate" and kind == "GELU" and type(cell).__module__.startswith(_NN):
        return value in (True, "tanh")
    if isinstance(value, str) and name == "pad_mode":
        return value.lower()
    if name == "padding" and kind.endswith("Pool2d") and isinstance(value, tuple):
        # A pool of two axes is kept as one of three.
        return value[-2:]
    return value


_NN = "mindspore.nn."
