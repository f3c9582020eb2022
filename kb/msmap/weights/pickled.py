"""What stands in a pickle of PyTorch's, read without running any of its code.

Of all names that a pickle may call, tensors' own are answered here and all others by an object that
only remembers what it was given. So a file with a whole model or with a trainer's settings beside
the weights can be read too, and a hostile one does nothing.
"""

from __future__ import annotations

import io
import math
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from msmap.errors import WeightsError
from msmap.weights.tensors import DTYPES, Buffer, Held

# The storages of PyTorch by the dtype of their values; an untyped one has bytes.
STORAGES = {
    "DoubleStorage": "float64", "FloatStorage": "float32", "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16", "LongStorage": "int64", "IntStorage": "int32",
    "ShortStorage": "int16", "CharStorage": "int8", "ByteStorage": "uint8", "BoolStorage": "bool",
    "ComplexFloatStorage": "complex64", "ComplexDoubleStorage": "complex128",
    "UntypedStorage": "uint8",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Storage:
    """A row of values that tensors are made of.

    ``read`` gives so many values from a place on, of a dtype; ``copy`` so many bytes.
    """

    key: str
    dtype: str
    numel: int
    read: Callable[[int, int, str], Any]
    copy: Callable[[int, int], Iterator[Buffer]]


class Foreign:
    """An object of a class that isn't a tensor's: what it was made of, and nothing more."""

    origin = ""

    def __new__(cls, *args: Any, **_: Any) -> Foreign:
        made = super().__new__(cls)
        made.args = args
        made.state = None
        made.items = {}
        return made

    def __init__(self, *args: Any, **_: Any) -> None:
        self.args: tuple[Any, ...]
        self.state: Any
        self.items: dict[Any, Any]

    def __setstate__(self, state: Any) -> None:
        self.state = state

    def __setitem__(self, key: Any, value: Any) -> None:
        self.items[key] = value

    def append(self, _: Any) -> None:
        """What is put into it is nobody's."""

    def extend(self, _: Any) -> None:
        """What is put into it is nobody's."""

    def add(self, _: Any) -> None:
        """What is put into it is nobody's."""


class Kind:
    """The type of a storage, or a dtype, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name


def tensor(
    storage: Any, offset: Any, shape: Any, stride: Any, *rest: Any, dtype: str = ""
) -> Held | Foreign:
    """A tensor of a storage, as ``torch._utils._rebuild_tensor_v2`` makes it.

    Raises:
        ValueError: it would stand outside of its storage.
    """
    if not isinstance(storage, Storage):
        return Foreign()
    shape, stride = tuple(shape), tuple(stride)
    numbers = (offset, *shape, *stride)
    if len(shape) != len(stride) or any(type(n) is not int or n < 0 for n in numbers):
        raise ValueError(f"a tensor has shape {shape}, stride {stride} and offset {offset}")
    found, size, numel = dtype or storage.dtype, DTYPES[storage.dtype][0], storage.numel
    if dtype:
        numel = numel * size // DTYPES[dtype][0]
    last = offset + sum((n - 1) * s for n, s in zip(shape, stride, strict=True))
    if math.prod(shape) and last >= numel:
        raise ValueError(
            f"a tensor of shape {shape} and stride {stride} at {offset} needs {last + 1:,} values, "
            f"and its storage {storage.key} has {numel:,}"
        )

    def read() -> Any:
        import numpy as np

        if not math.prod(shape):
            return np.zeros(shape, DTYPES[found][1])
        flat = storage.read(offset, last + 1 - offset, found)
        strides = tuple(s * flat.itemsize for s in stride)
        return np.lib.stride_tricks.as_strided(flat, shape, strides, writeable=False)

    wide, count = DTYPES[found][0], math.prod(shape)
    in_rows = last + 1 - offset == count and _is_in_rows(shape, stride)
    return Held(
        found, shape, read, (storage.key, offset, shape, stride),
        (lambda: storage.copy(offset * wide, count * wide)) if in_rows else None,
    )  # fmt: skip


def _is_in_rows(shape: Sequence[int], stride: Sequence[int]) -> bool:
    """Whether values stand in the order of their places."""
    step = 1
    for n, s in zip(reversed(shape), reversed(stride), strict=True):
        if n != 1 and s != step:
            return False
        step *= n
    return True


def _typed(
    storage: Any, offset: Any, shape: Any, stride: Any, *rest: Any
) -> Held | Foreign:  # _rebuild_tensor_v3: of an untyped storage
    kind = next((one.name for one in rest if isinstance(one, Kind) and one.name in DTYPES), "")
    return tensor(storage, offset, shape, stride, dtype=kind)


def _parameter(data: Any, *rest: Any) -> Any:
    return data


def _subclass(func: Any, _kind: Any, args: Any, *rest: Any) -> Any:
    """A tensor with attributes: those are no weights."""
    return func(*args)


_ANSWERED: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("torch._utils", "_rebuild_tensor"): tensor,
    ("torch._utils", "_rebuild_tensor_v2"): tensor,
    ("torch._utils", "_rebuild_tensor_v3"): _typed,
    ("torch._utils", "_rebuild_parameter"): _parameter,
    ("torch._utils", "_rebuild_parameter_with_state"): _parameter,
    ("torch", "Size"): tuple,
    ("builtins", "set"): set,
    ("__builtin__", "set"): set,
    ("torch._tensor", "_rebuild_from_type_v2"): _subclass,
}


class _Reader(pickle._Unpickler):
    """Python's own reader in Python: the one in C takes memory for whatever number it is given."""

    def __init__(self, file: BinaryIO, storage: Callable[[Any], Storage]) -> None:
        super().__init__(file, encoding="utf-8", errors="replace")
        self.storage = storage
        self.foreign: list[str] = []

    def find_class(self, module: str, name: str) -> Any:
        """What answers for a name; nothing is imported."""
        if (module, name) in _ANSWERED:
            return _ANSWERED[module, name]
        if module in ("torch", "torch.storage") and name in STORAGES:
            return Kind(STORAGES[name])
        if module == "torch" and name in DTYPES:
            return Kind(name)
        origin = f"{module}.{name}"
        if origin not in self.foreign:
            self.foreign.append(origin)
        return type("Foreign", (Foreign,), {"origin": origin})

    def persistent_load(self, pid: Any) -> Any:
        """The storage of an id; None of a kind that only other tensors have, as quantised ones."""
        if isinstance(pid, tuple) and len(pid) > 1 and isinstance(pid[1], type):
            # Old files name so the class of a module beside its source.
            return pid[1] if pid[0] == "module" else None
        return self.storage(pid)


def load(
    file: BinaryIO, storage: Callable[[Any], Storage], name: str
) -> tuple[Any, tuple[str, ...]]:
    """What the next pickle of a file holds, and the names of others' classes in it.

    Args:
        file: at the pickle's first byte.
        storage: the storage of a persistent id.
        name: what the file is called in errors.

    Raises:
        WeightsError: it is damaged.
    """
    reader = _Reader(file, storage)
    try:
        return reader.load(), tuple(reader.foreign)
    except WeightsError:
        raise
    except EOFError:
        raise WeightsError(
            "{}: the pickle is cut short; write or download it again", name
        ) from None
    except RecursionError:
        raise WeightsError("{}: the pickle is nested too deeply", name) from None
    except ValueError as error:
        raise WeightsError("{}: {}; write or download it again", name, error) from None
    # A damaged pickle may take anything for anything.
    except Exception as error:
        said = str(error) or type(error).__name__
        raise WeightsError(
            "{}: the pickle can't be read ({}); write or download it again", name, said
        ) from None


def owners(found: Any, key: str) -> Iterator[str]:
    """The names of tensors whose values stand in a storage, as paths within what was read."""
    waiting: list[tuple[Any, str]] = [(found, "")]
    seen = set[int]()
    while waiting:
        item, path = waiting.pop()
        if isinstance(item, Held):
            if isinstance(item.place, tuple) and item.place[0] == key:
                yield path
            continue
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, Foreign):
            item = item.state if isinstance(item.state, Mapping) else item.items
        if isinstance(item, Mapping):
            inner = [(value, _below(path, name)) for name, value in item.items()]
        elif isinstance(item, list | tuple):
            inner = [(value, _below(path, at)) for at, value in enumerate(item)]
        else:
            continue
        waiting += reversed(inner)


def _below(path: str, name: object) -> str:
    """The path of a part; where modules keep theirs says nothing."""
    if name in ("_modules", "_parameters", "_buffers"):
        return path
    return f"{path}.{name}" if path else str(name)


def asked(pid: Any) -> tuple[str, str, int]:
    """The key, dtype and number of values that a persistent id names.

    Raises:
        ValueError: it is no id of a storage.
    """
    if (
        not isinstance(pid, Sequence)
        or len(pid) < 5
        or pid[0] != "storage"
        or not isinstance(pid[1], Kind)
        or type(pid[4]) is not int
        or pid[4] < 0
    ):
        raise ValueError("it asks for something that is no storage of a tensor")
    return str(pid[2]), pid[1].name, pid[4]


def opened(content: bytes) -> BinaryIO:
    """Bytes as a file."""
    return io.BytesIO(content)
