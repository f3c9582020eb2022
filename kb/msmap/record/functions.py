"""MindSpore's functions, wrapped while something is recorded: what is called between layers."""

from __future__ import annotations

import functools
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

import mindspore
from mindspore import Tensor, mint, ops

from msmap.record.tensors import is_plain, plain
from msmap.recording.model import Call

if TYPE_CHECKING:
    from msmap.record.journal import Journal

_SPACES = (
    (ops, "mindspore.ops"),
    (mint, "mindspore.mint"),
    (mint.nn.functional, "mindspore.mint.nn.functional"),
    (mint.linalg, "mindspore.mint.linalg"),
    (mint.special, "mindspore.mint.special"),
)
_OPERATORS = (
    "add", "radd", "iadd", "sub", "rsub", "isub", "mul", "rmul", "imul", "truediv", "rtruediv",
    "itruediv", "floordiv", "mod", "pow", "rpow", "matmul", "neg", "abs", "getitem", "eq", "ne",
    "lt", "le", "gt", "ge", "and", "or", "xor", "invert",
)  # fmt: skip
# What isn't a computation, or what transforms functions.
_NOT = {
    "grad", "value_and_grad", "get_grad", "jvp", "vjp", "jacfwd", "jacrev", "vmap", "derivative",
    "asnumpy", "register_hook", "set_data", "assign_value", "assign_value_cpp", "init_data",
    "tolist", "item", "size", "data_ptr", "numel", "ndimension", "dim", "itemset", "from_numpy",
    "numpy", "is_contiguous",
    "constexpr", "print_", "function", "operations", "composite", "functional", "get_bytes",
    "data_sync", "flush_from_cache", "offload", "is_init", "has_init", "stride", "set_const_arg",
    "element_size", "storage_offset", "untyped_storage", "partial", "core", "kernel", "shape",
    "dtype", "rank", "is_tensor", "requires_grad_", "retain_grad", "reshard", "backward",
    "batch_norm_", "isinstance_", "hasattr",
}  # fmt: skip
_JIT = "MS_JIT"
_DROPPING = {"dropout", "dropout1d", "dropout2d", "dropout3d", "dropout_ext", "alpha_dropout"}
_GRADIENTS = (
    (mindspore, "value_and_grad"), (mindspore, "grad"), (ops, "value_and_grad"), (ops, "grad"),
)  # fmt: skip


class Functions:
    """The wrapped functions; ``put`` and ``take`` switch between them and MindSpore's own."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._places: list[tuple[Any, str, Any, Any]] = []
        # What is MindSpore's own, by itself and by the function that stands in its place.
        self._own: dict[int, tuple[str, Any]] = {}
        seen: dict[int, Any] = {}
        for space, path in reversed(_SPACES):
            for name, value in list(vars(space).items()):
                if _is_function(name, value):
                    made = seen.setdefault(id(value), self._wrapped(f"{path}.{name}", value))
                    for one in (made, value):
                        self._own.setdefault(id(one), (f"{path}.{name}", value))
                    self._places.append((space, name, value, made))
        for name in dict.fromkeys((*dir(Tensor), *(f"__{one}__" for one in _OPERATORS))):
            plain_name = not name.startswith("_") or name.strip("_") in _OPERATORS
            value = getattr(Tensor, name, None)
            if plain_name and name not in _NOT and callable(value) and not isinstance(value, type):
                # What only a parent has is taken away again.
                own = vars(Tensor).get(name)
                made = self._wrapped(f"mindspore.Tensor.{name}", value)
                self._places.append((Tensor, name, own, made))
        for kind in _primitives():
            name = f"mindspore.ops.{kind.__name__}"
            made = self._wrapped(name, kind.__call__)
            self._places.append((kind, "__call__", vars(kind).get("__call__"), made))
        for space, name in _GRADIENTS:
            value = getattr(space, name)
            self._places.append((space, name, value, self._losing(value)))
        jit = mindspore.jit
        self._places.append((mindspore, "jit", jit, self._compiling(jit)))
        for cell in _jitted():
            called, own = self._own.get(id(cell.cell_contents), ("", None))
            if called:
                made = self._wrapped(called, self._compiled(jit(own)))
                self._places.append((cell, "cell_contents", own, made))

    def put(self) -> None:
        """The wrapped functions stand in their places."""
        for space, name, _, made in self._places:
            setattr(space, name, made)

    def take(self) -> None:
        """MindSpore's own functions stand in their places."""
        for space, name, own, _ in self._places:
            if own is None:
                delattr(space, name)
            else:
                setattr(space, name, own)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """MindSpore's own while the block runs: its compiler reads them by their names."""
        self.take()
        try:
            yield
        finally:
            self.put()

    def _wrapped(self, called: str, function: Callable[..., Any]) -> Callable[..., Any]:
        journal = self._journal
        side = journal.side
        drops = called.rpartition(".")[2] in _DROPPING

        def call(*args: Any, **kwargs: Any) -> Any:
            off = drops and journal.no_dropout and bool(args)
            if journal.quiet or not journal.active or not journal.wants(""):
                return args[0] if off else function(*args, **kwargs)
            journal.quiet += 1
            number = None
            try:
                if any(True for _ in side.leaves([*args, kwargs])):
                    given = {
                        str(key): plain(value)
                        for key, value in (*enumerate(args), *kwargs.items())
                        if not side.is_tensor(value) and is_plain(value)
                    }
                    if args and isinstance(args[0], ops.Primitive):
                        given |= _made_with(args[0])
                    made = Call(False, "", called, arguments=given)
                    number = journal.enter(made, [*args, kwargs])
                out = args[0] if off else function(*args, **kwargs)
            except BaseException:
                if number is not None:
                    journal.abandon(number)
                raise
            finally:
                journal.quiet -= 1
            if number is not None:
                journal.leave(number, out)
            return out

        return functools.wraps(function, updated=())(call) if hasattr(
            function, "__name__"
        ) else call  # fmt: skip

    def _compiling(self, jit: Callable[..., Any]) -> Callable[..., Any]:
        """The compiler, which still compiles MindSpore's own functions: some run no other way."""

        @functools.wraps(jit)
        def made(function: Any = None, **options: Any) -> Any:
            called, own = self._own.get(id(function), ("", function))
            run = jit(own, **options)
            return self._wrapped(called, self._compiled(run)) if called else run

        return made

    def _compiled(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            with self.apart(), compiling("1"):
                return run(*_unhooked(args), **_unhooked(kwargs))

        return call

    def _losing(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that gives gradients, whose loss is told."""
        journal = self._journal

        @functools.wraps(function)
        def made(*args: Any, **kwargs: Any) -> Any:
            run = function(*args, **kwargs)

            @functools.wraps(run)
            def gradients(*given: Any, **named: Any) -> Any:
                out = run(*given, **named)
                if function.__name__ == "value_and_grad":
                    for _, loss in journal.side.leaves(out[0]):
                        journal.lost(loss)
                        break
                return out

            return gradients

        return made


def _jitted() -> list[CellType]:
    """Where each function that was compiled before this keeps what it is of."""
    return [
        cell
        for one in gc.get_objects()
        if type(one) is FunctionType and hasattr(one, "__wrapped_by_jit__")
        for name, cell in zip(one.__code__.co_freevars, one.__closure__ or (), strict=True)
        if name == "func" and cell.cell_contents is getattr(one, "__wrapped__", None)
    ]


def _unhooked(value: Any) -> Any:
    """The same tensors without hooks, which the compiler would read."""
    if isinstance(value, Tensor):
        return value.copy()
    if isinstance(value, dict):
        return {key: _unhooked(one) for key, one in value.items()}
    return type(value)(map(_unhooked, value)) if type(value) in (list, tuple) else value


@contextmanager
def compiling(switch: str) -> Iterator[None]:
    """MindSpore's switch of its compiler, "0" or "1", while the block runs."""
    asked = os.environ.get(_JIT)
    os.environ[_JIT] = switch
    try:
        yield
    finally:
        if asked is None:
            del os.environ[_JIT]
        else:
            os.environ[_JIT] = asked


def _primitives() -> list[Any]:
    """The classes of operations that are made first and called then, such as ``ops.ReLU``."""
    return [
        kind
        for name, kind in vars(ops).items()
        if isinstance(kind, type) and issubclass(kind, ops.Primitive) and kind.__name__ == name
    ]


def _made_with(primitive: Any) -> dict[str, Any]:
    """The arguments that an operation was made with, by name, defaults included."""
    return {
        name: plain(value) for name, value in primitive.init_attrs.items() if is_plain(value)
    }  # fmt: skip


def _is_function(name: str, value: Any) -> bool:
    public = not name.startswith("_") and name not in _NOT and not name[0].isupper()
    kinds = (type, ops.Primitive, mindspore.Tensor)
    inside = getattr(value, "__module__", "") or ""
    return (
        public and callable(value) and not isinstance(value, kinds)
        and inside.startswith("mindspore")
    )  # fmt: skip
