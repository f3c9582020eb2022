"""MindSpore, as recording sees it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import mindspore
from mindspore import Tensor

from msmap.record import constructors
from msmap.record.functions import Functions, compiling
from msmap.record.side import Side
from msmap.recording.model import Call, Layer

if TYPE_CHECKING:
    from msmap.record.journal import Journal

_OPTIMIZERS = (mindspore.nn.Optimizer, mindspore.experimental.optim.Optimizer)
# MindSpore's own switch for what is compiled, asked at every call.
_TRACING = ("mindspore.graph.jit_trace", "mindspore.common.jit_trace")
_DROPOUTS = {"Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "DropoutExt"}


class MindSporeSide(Side):
    """MindSpore; what would be compiled runs uncompiled."""

    framework = "mindspore"

    def release(self) -> str:
        return str(mindspore.__version__)

    def device(self) -> str:
        return str(mindspore.get_context("device_target"))

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, Tensor)

    def key(self, tensor: Any) -> tuple[int, int]:
        return id(tensor), int(tensor._version)

    def array(self, tensor: Any) -> Any:
        if str(tensor.dtype) == "BFloat16":
            tensor = mindspore.ops.Cast()(tensor, mindspore.float32)
        return tensor.asnumpy().copy()

    def exact(self, tensor: Any) -> Any:
        return None

    def on_gradient(self, tensor: Any, told: Callable[[Any, Any], None]) -> Callable[[], None]:
        def hook(gradient: Any) -> None:
            if gradient is not None:
                told(self.array(gradient), None)

        try:
            handle = tensor.register_hook(hook)
        except (RuntimeError, TypeError, ValueError):
            # Nothing asks for gradients here.
            return lambda: None
        return handle.remove  # type: ignore[no-any-return]

    def layers(self, net: Any) -> Iterator[tuple[str, Any]]:
        yield from net.cells_and_names()

    def described(self, path: str, layer: Any) -> Layer:
        held = {n: p for n, p in layer._params.items() if p is not None}
        buffers = {n: b for n, b in layer._buffers.items() if b is not None}
        return Layer(
            path, name(layer), base(layer), is_own(layer), constructors.of(layer),
            {n: tuple(one.shape) for n, one in (held | buffers).items()}, tuple(buffers),
        )  # fmt: skip

    def state(self, net: Any) -> dict[str, Any]:
        return {
            f"{path}.{n}" if path else n: one
            for path, layer in self.layers(net)
            for n, one in (*layer._params.items(), *layer._buffers.items())
            if one is not None
        }

    def trainable(self, net: Any) -> dict[str, Any]:
        held = {id(p): n for n, p in reversed(self.state(net).items())}
        return {n: p for n, p in self.state(net).items() if held[id(p)] == n and _trains(p)}

    @contextmanager
    def recording(self, journal: Journal) -> Iterator[None]:
        functions = Functions(journal)
        before = mindspore.nn.Cell.__call__

        def call(cell: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(cell, _OPTIMIZERS):
                return self._stepping(journal, functions, before, cell, args, kwargs)
            return self._called(journal, before, cell, args, kwargs)

        mindspore.nn.Cell.__call__ = call
        functions.put()
        try:
            with _uncompiled():
                yield
        finally:
            functions.take()
            mindspore.nn.Cell.__call__ = before

    def _stepping(
        self, journal: Journal, functions: Functions, call: Callable[..., Any], cell: Any,
        args: Any, kwargs: Any,
    ) -> Any:  # fmt: skip
        journal.optimizing(name(cell), constructors.of(cell))
        # The compiler would read the hooks of parameters.
        journal.stop()
        journal.quiet += 1
        try:
            with functions.apart():
                out = call(cell, *args, **kwargs)
        finally:
            journal.quiet -= 1
        journal.stepped()
        return out

    def _called(
        self, journal: Journal, call: Callable[..., Any], cell: Any, args: Any, kwargs: Any
    ) -> Any:
        def made(path: str) -> Call:
            # What stands outside of the model is described nowhere else.
            told = {} if journal.knows(cell) else constructors.of(cell)
            return Call(True, path, name(cell), training=bool(cell.training), arguments=told)

        own = is_own(cell)
        drops = not own and type(cell).__name__ in _DROPOUTS
        return self.called(journal, call, cell, args, kwargs, made, own, drops)

    @contextmanager
    def without_dropout(self, nets: list[Any]) -> Iterator[None]:
        with ExitStack() as stack:
            for net in nets:
                for _, layer in self.layers(net):
                    held = layer.__dict__.get("dropout")
                    if isinstance(held, float) and not is_own(layer):
                        stack.callback(setattr, layer, "dropout", held)
                        layer.dropout = 0.0
            yield

    def seed(self, number: int) -> None:
        mindspore.set_seed(number)


@contextmanager
def _uncompiled() -> Iterator[None]:
    """What jit and graph mode would compile runs line by line, or nothing inside would be seen."""
    # Tracing has no switch: it begins nothing, and ends with what it is given.
    tracing = next((sys.modules[name] for name in _TRACING if name in sys.modules), None)
    instead = {"_jit_trace_begin": lambda *_, **__: True, "_jit_trace_end": lambda gave, **_: gave}
    before = {name: getattr(tracing, name) for name in instead if hasattr(tracing, name)}
    mode = mindspore.get_context("mode")
    for name in before:
        setattr(tracing, name, instead[name])
    # Gradients ask for the mode itself.
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    try:
        with compiling("0"):
            yield
    finally:
        mindspore.set_context(mode=mode)
        for name, own in before.items():
            setattr(tracing, name, own)


def _trains(parameter: Any) -> bool:
    return bool(getattr(parameter, "requires_grad", False))


def is_own(layer: Any) -> bool:
    """Whether a cell's class is the user's."""
    return not type(layer).__module__.startswith("mindspore.")


def name(thing: Any) -> str:
    """The public name of a cell's or optimizer's class; of the user's own, the class's name."""
    return type(thing).__name__ if is_own(thing) else base(thing)


def base(thing: Any) -> str:
    """The nearest public class of MindSpore's that a cell or an optimizer is of."""
    known = (_names().get(kind) for kind in type(thing).__mro__)
    return next(filter(None, known), type(thing).__name__)


@cache
def _names() -> dict[type, str]:
    spaces = (
        (mindspore.nn, "mindspore.nn"),
        (mindspore.mint.nn, "mindspore.mint.nn"),
        (mindspore.mint.optim, "mindspore.mint.optim"),
        (mindspore.experimental.optim, "mindspore.experimental.optim"),
    )
    return {
        kind: f"{path}.{short}"
        for space, path in reversed(spaces)
        for short, kind in vars(space).items()
        if isinstance(kind, type) and not (space is mindspore.nn and _of_mint(short))
    }


def _of_mint(short: str) -> bool:
    """Whether a name of ``mindspore.nn`` is one of mint's, which no documentation has there."""
    return short.endswith("Ext") or short == "Linear"
