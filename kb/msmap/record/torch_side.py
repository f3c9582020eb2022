"""PyTorch, as recording sees it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils.data.dataloader import DataLoader, _BaseDataLoaderIter

from msmap.record import exact
from msmap.record.side import Side
from msmap.record.tensors import is_plain, plain
from msmap.recording.model import Call, Layer

if TYPE_CHECKING:
    from msmap.record.journal import Journal

_DROPOUTS = torch.nn.modules.dropout._DropoutNd
_DROPPING = {
    "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout",
    "dropout_", "feature_dropout",
}  # fmt: skip
# Not arguments of a layer, but where and how it is made.
_ELSEWHERE = {"self", "device", "dtype", "args", "kwargs", "inplace"}
# What changes no value and has no counterpart.
_SILENT = {"requires_grad_", "retain_grad", "backward", "register_hook", "numpy", "item", "tolist"}


class TorchSide(Side):
    """PyTorch."""

    framework = "torch"

    def __init__(self, noise: bool = True) -> None:
        self.noise = exact.Exact() if noise else None

    def release(self) -> str:
        return str(torch.__version__).partition("+")[0]

    def device(self) -> str:
        return "GPU" if torch.cuda.is_available() else "CPU"

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, torch.Tensor)

    def key(self, tensor: Any) -> tuple[int, int]:
        with torch._C.DisableTorchFunction():
            return id(tensor), int(tensor._version)

    def array(self, tensor: Any) -> Any:
        with torch._C.DisableTorchFunction(), torch.no_grad():
            found = tensor.detach()
            if found.dtype == torch.bfloat16:
                found = found.float()
            if found.is_sparse:
                found = found.to_dense()
            return found.cpu().resolve_conj().resolve_neg().numpy().copy()

    def exact(self, tensor: Any) -> Any:
        with torch._C.DisableTorchFunction(), torch.no_grad():
            found = exact.of(tensor)
            return None if found is None else found.detach().numpy()

    def on_gradient(self, tensor: Any, told: Callable[[Any, Any], None]) -> Callable[[], None]:
        with torch._C.DisableTorchFunction():
            handles = []
            if tensor.requires_grad:
                handles.append(tensor.register_hook(lambda g: told(self.array(g), None)))
                shadow = exact.of(tensor)
                if shadow is None and tensor.is_leaf and self.noise is not None:
                    shadow = exact._shadow(tensor)
                if shadow is not None and shadow.requires_grad:
                    handles.append(shadow.register_hook(lambda g: self._noise(g, told)))

        def stop() -> None:
            for handle in handles:
                handle.remove()

        return stop

    def _noise(self, gradient: Any, told: Callable[[Any, Any], None]) -> None:
        if self.noise is not None and self.noise.sound:
            with torch._C.DisableTorchFunction():
                told(None, gradient.detach().numpy().copy())

    def layers(self, net: Any) -> Iterator[tuple[str, Any]]:
        yield from net.named_modules()

    def described(self, path: str, layer: Any) -> Layer:
        own = {name: one for name, one in layer._parameters.items() if one is not None}
        buffers = {name: one for name, one in layer._buffers.items() if one is not None}
        return Layer(
            path, name(layer), base(layer), is_own(layer), arguments(layer),
            {n: tuple(one.shape) for n, one in (own | buffers).items()}, tuple(buffers),
        )  # fmt: skip

    def state(self, net: Any) -> dict[str, Any]:
        found = dict(net.named_parameters(remove_duplicate=False))
        return found | dict(net.named_buffers(remove_duplicate=False))

    def trainable(self, net: Any) -> dict[str, Any]:
        return {name: one for name, one in net.named_parameters() if one.requires_grad}

    @contextmanager
    def recording(self, journal: Journal) -> Iterator[None]:
        before = torch.nn.Module.__call__

        def call(module: Any, *args: Any, **kwargs: Any) -> Any:
            return self._called(journal, before, module, args, kwargs)

        def begins(optimizer: Any, *_: Any) -> None:
            journal.quiet += 1
            journal.optimizing(name(optimizer), optimizing(optimizer))

        def ends(*_: Any) -> None:
            journal.quiet -= 1
            journal.stepped()

        torch.nn.Module.__call__ = call
        handles = [
            register_optimizer_step_pre_hook(begins), register_optimizer_step_post_hook(ends)
        ]  # fmt: skip
        try:
            with _Functions(journal, self.noise), _loading(journal):
                yield
        finally:
            torch.nn.Module.__call__ = before
            for handle in handles:
                handle.remove()

    def _called(
        self, journal: Journal, call: Callable[..., Any], module: Any, args: Any, kwargs: Any
    ) -> Any:
        def made(path: str) -> Call:
            # What stands outside of the model is described nowhere else.
            told = {} if journal.knows(module) else arguments(module)
            return Call(True, path, name(module), training=bool(module.training), arguments=told)

        own = is_own(module)
        drops = isinstance(module, _DROPOUTS)
        return self.called(journal, call, module, args, kwargs, made, own, drops)

    @contextmanager
    def without_dropout(self, nets: list[Any]) -> Iterator[None]:
        with ExitStack() as stack:
            for net in nets:
                for _, layer in self.layers(net):
                    if isinstance(getattr(layer, "dropout", None), float) and not is_own(layer):
                        stack.callback(setattr, layer, "dropout", layer.dropout)
                        layer.dropout = 0.0
            yield

    def seed(self, number: int) -> None:
        torch.manual_seed(number)

    def finish(self, nets: list[Any]) -> None:
        """Forget what was computed beside."""
        for net in nets:
            exact.drop(self.state(net).values())


class _Functions(TorchFunctionMode):  # type: ignore[misc]
    """Sees all functions of PyTorch's that get tensors."""

    def __init__(self, journal: Journal, noise: exact.Exact | None) -> None:
        super().__init__()
        self.journal, self.noise = journal, noise

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        journal = self.journal
        short = getattr(func, "__name__", "")
        if short == "backward" and args:
            journal.lost(args[0])
        run = self.noise.run if self.noise is not None else _plainly
        if journal.no_dropout and short in _DROPPING and args:
            run = _given_back
        if journal.quiet or not journal.active or short in _SILENT or short.startswith("__get"):
            return run(func, args, kwargs)
        called = resolve_name(func) or short
        if short == "__set__" or not called.startswith("torch."):
            return run(func, args, kwargs)
        if not any(isinstance(t, torch.Tensor) for t in exact._tensors((args, kwargs))):
            return run(func, args, kwargs)
        given = {
            str(key): plain(value)
            for key, value in (*enumerate(args), *kwargs.items())
            if not isinstance(value, torch.Tensor) and is_plain(value)
        }
        if not journal.wants(""):
            return run(func, args, kwargs)
        number = journal.enter(Call(False, "", called, arguments=given), [*args, kwargs])
        journal.quiet += 1
        try:
            out = run(func, args, kwargs)
        except BaseException:
            journal.abandon(number)
            raise
        finally:
            journal.quiet -= 1
        journal.leave(number, out)
        return out


@contextmanager
def _loading(journal: Journal) -> Iterator[None]:
    """Loaders load unseen: MindSpore's do so in threads of their own, which aren't recorded."""

    def unseen(own: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def loads(loader: Any) -> Any:
            journal.quiet += 1
            try:
                return own(loader)
            finally:
                journal.quiet -= 1

        return loads

    places = ((DataLoader, "__iter__"), (_BaseDataLoaderIter, "__next__"))
    before = [getattr(kind, name) for kind, name in places]
    for (kind, name), own in zip(places, before, strict=True):
        setattr(kind, name, unseen(own))
    try:
        yield
    finally:
        for (kind, name), own in zip(places, before, strict=True):
            setattr(kind, name, own)


def _given_back(func: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return args[0]


def _plainly(func: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return func(*args, **kwargs)


def is_own(layer: Any) -> bool:
    """Whether a layer's class is the user's."""
    return not type(layer).__module__.startswith("torch.")


def name(thing: Any) -> str:
    """The public name of a layer's or optimizer's class; of the user's own, the class's name."""
    return type(thing).__name__ if is_own(thing) else base(thing)


def base(thing: Any) -> str:
    """The nearest public class of PyTorch's that a layer or an optimizer is of."""
    for kind in type(thing).__mro__:
        for space, path in ((torch.nn, "torch.nn"), (torch.optim, "torch.optim")):
            if getattr(space, kind.__name__, None) is kind:
                return f"{path}.{kind.__name__}"
    return type(thing).__name__


def arguments(layer: Any) -> dict[str, Any]:
    """The arguments of a layer's constructor, by the attributes of their names."""
    kind = next(k for k in type(layer).__mro__ if k.__module__.startswith("torch."))
    if kind is torch.nn.Module:
        return {}
    found = {}
    for parameter in _parameters(kind):
        # What kind of recurrent layer it is, its class says.
        if parameter in _ELSEWHERE or (parameter == "mode" and isinstance(layer, torch.nn.RNNBase)):
            continue
        value = getattr(layer, parameter, _ELSEWHERE)
        if parameter == "bias" and (value is None or isinstance(value, torch.Tensor)):
            value = value is not None
        elif isinstance(value, torch.Size):
            value = tuple(value)
        if parameter in ("kdim", "vdim") and value == getattr(layer, "embed_dim", None):
            value = None
        if value is not _ELSEWHERE and is_plain(value):
            found[parameter] = plain(value)
    return found


def _parameters(kind: type) -> list[str]:
    """The parameters of a constructor, and of those that it passes them on to."""
    found: list[str] = []
    for one in kind.__mro__:
        if one is torch.nn.Module:
            break
        if "__init__" in vars(one):
            parameters = inspect.signature(vars(one)["__init__"]).parameters
            found += [name for name in parameters if name not in found]
            if not any(p.kind is p.VAR_POSITIONAL for p in parameters.values()):
                break
    return found


def optimizing(optimizer: Any) -> dict[str, Any]:
    """The arguments of an optimizer, by what it began with."""
    group = optimizer.param_groups[0] if optimizer.param_groups else {}
    known = inspect.signature(type(optimizer).__init__).parameters
    values = {k: group.get(k, v) for k, v in optimizer.defaults.items()}
    return {k: plain(v) for k, v in values.items() if k in known and is_plain(v)}
