"""Which class each layer of a model is of: from the model, its cells, or a table of paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Protocol

from msmap.weights.arguments import Made, kept
from msmap.weights.states import OWN, States
from msmap.weights.tensors import Held


class Layers(Protocol):
    """What is known of a model of PyTorch's."""

    def kind(self, path: str) -> str | None:
        """The class of the layer at a path, ``torch.nn.Module`` for an own one; None if unknown."""

    def made(self, path: str) -> tuple[Made, ...]:
        """With what the layer at a path may be made; () where it isn't told, or of an own class."""

    def holds(self, name: str) -> bool | None:
        """Whether the model itself has a parameter or a buffer of a name; None if unknown."""

    @property
    def ties(self) -> Sequence[tuple[str, ...]]:
        """Names of one parameter, or paths of one layer; of a source also those that may be."""


@dataclass(slots=True)
class Live:
    """A model of PyTorch's that is there.

    ``tensors`` are its parameters and buffers by name, ``saved`` which of them a state dict has,
    ``buffers`` which are no parameters, ``ties`` the names of one parameter, the first one first,
    ``order`` the parameters as an optimizer gets them, ``groups`` the same by its groups, where the
    optimizer is there too.
    """

    kinds: dict[str, str]
    tensors: dict[str, Held]
    saved: set[str]
    buffers: set[str]
    ties: list[tuple[str, ...]]
    order: list[str]
    groups: list[list[str]] = field(default_factory=list)
    kept: dict[str, Made] = field(default_factory=dict)

    def kind(self, path: str) -> str | None:
        """The class of the layer at a path; None if there is none."""
        return self.kinds.get(path)

    def made(self, path: str) -> tuple[Made, ...]:
        """With what it was made, as far as it keeps that."""
        return (self.kept[path],) if path in self.kept else ()

    def holds(self, name: str) -> bool | None:
        """Whether it has one of that name."""
        return name in self.tensors


def live(model: Any, optimizer: Any = None) -> Live:
    """What a ``torch.nn.Module`` says of itself, and its optimizer of the order of parameters."""
    modules = dict(model.named_modules(remove_duplicate=False))
    kinds = {path: layer_class(one) for path, one in modules.items()}
    parameters = dict(model.named_parameters(remove_duplicate=False))
    buffers = dict(model.named_buffers(remove_duplicate=False))
    same: dict[int, list[str]] = {}
    for name, value in parameters.items():
        same.setdefault(id(value), []).append(name)
    return Live(
        kinds,
        {name: _held(value) for name, value in (parameters | buffers).items()},
        {name for name, value in model.state_dict().items() if hasattr(value, "detach")},
        set(buffers),
        [tuple(names) for names in same.values() if len(names) > 1],
        [name for name, _ in model.named_parameters()],
        _groups(parameters, optimizer),
        {path: kept(vars(one)) for path, one in modules.items() if _is_theirs(one)},
    )


def _groups(parameters: Mapping[str, Any], optimizer: Any) -> list[list[str]]:
    """The names of parameters in the groups of an optimizer; of others than the model's, ""."""
    names = {id(value): name for name, value in reversed(list(parameters.items()))}
    groups = getattr(optimizer, "param_groups", None) or []
    return [[names.get(id(value), "") for value in group["params"]] for group in groups]


def _held(value: Any) -> Held:
    import torch

    dtype = str(value.dtype).removeprefix("torch.")

    def read() -> Any:
        plain = value.detach().cpu().contiguous()
        if dtype == "bfloat16":
            return plain.view(torch.int16).numpy().view("<u2")
        return plain.numpy()

    return Held(dtype, tuple(value.shape), read)


def layer_class(layer: Any) -> str:
    """The nearest class of PyTorch's that a layer is of, by its public name."""
    import torch

    for kind in type(layer).__mro__:
        if getattr(torch.nn, kind.__name__, None) is kind:
            return f"torch.nn.{kind.__name__}"
    return OWN


def _is_theirs(layer: Any) -> bool:
    """Whether PyTorch's own constructor made a layer: what an own class hands to it isn't known."""
    import torch

    return getattr(torch.nn, type(layer).__name__, None) is type(layer)


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter or buffer of a cell: its name in files, its place, and what fits."""

    name: str
    path: str
    dtype: str
    shape: tuple[int, ...]
    is_buffer: bool


@dataclass(slots=True)
class Cells:
    """A network of MindSpore's that is there: the class of each cell, and what can be set.

    ``slots`` are by path; of a parameter with several paths all stand there, with one slot.
    """

    kinds: dict[str, str]
    slots: dict[str, Slot]

    @property
    def names(self) -> dict[str, Slot]:
        """What can be set by its name in files, once each."""
        return {slot.name: slot for slot in self.slots.values()}


def cells(cell: Any) -> Cells:
    """What a ``mindspore.nn.Cell`` says of itself."""
    kinds: dict[str, str] = {}
    slots: dict[str, Slot] = {}
    known: dict[int, Slot] = {}
    for path, one in _walk(cell, "", set()):
        kinds[path] = _cell_class(one)
        before = f"{path}." if path else ""
        gone = getattr(one, "_non_persistent_buffers_set", ())
        held = [(name, value, False) for name, value in one._params.items() if value is not None]
        held += [
            (name, value, True)
            for name, value in getattr(one, "_buffers", {}).items()
            if value is not None and name not in gone
        ]
        for name, value, is_buffer in held:
            where = before + name
            slot = known.get(id(value))
            if slot is None:
                dtype = str(value.dtype).lower()
                slot = Slot(
                    where if is_buffer else value.name, where, dtype, tuple(value.shape), is_buffer
                )
                known[id(value)] = slot
            slots[where] = slot
    return Cells(kinds, slots)


def _walk(cell: Any, path: str, above: set[int]) -> Iterator[tuple[str, Any]]:
    """Each cell by its path, one that stands at several paths at each of them."""
    yield path, cell
    for name, one in cell._cells.items():
        if one is not None and id(one) not in above:
            inner = f"{path}.{name}" if path else name
            yield from _walk(one, inner, above | {id(cell)})


def _cell_class(cell: Any) -> str:
    """The nearest class of MindSpore's that a cell is of, by its public name."""
    import mindspore

    for kind in type(cell).__mro__:
        home = mindspore.mint.nn if kind.__module__.startswith("mindspore.mint") else mindspore.nn
        if getattr(home, kind.__name__, None) is kind:
            return f"{home.__name__}.{kind.__name__}"
    return "mindspore.nn.Cell"


@dataclass(slots=True)
class ByCells:
    """The layers of a model as those of a network say that was written after it."""

    cells: Cells
    states: States

    def kind(self, path: str) -> str | None:
        """The class whose counterpart stands at a path."""
        cell = self.cells.kinds.get(path)
        if cell is None:
            return None
        return next(iter(self.states.layers(cell)), OWN)

    def made(self, path: str) -> tuple[Made, ...]:
        """Nothing: the class of the counterpart is there."""
        return ()

    def holds(self, name: str) -> bool | None:
        """Whether the network has one of that name."""
        return name in self.cells.slots

    @property
    def ties(self) -> Sequence[tuple[str, ...]]:
        """The network has its parameters once."""
        return ()


@dataclass(slots=True)
class Table:
    """Layers by path, where ``*`` stands for any part of one: as a mapping file has them.

    "" is the class of one that isn't known.
    """

    kinds: Mapping[str, str]
    kept: Mapping[str, Made] = field(default_factory=dict)
    _found: dict[str, str | None] = field(default_factory=dict)

    def kind(self, path: str) -> str | None:
        """The class that the table has for a path, the most exact one; own above what is known."""
        if path not in self._found:
            self._found[path] = self._kind(path)
        return self._found[path]

    def made(self, path: str) -> tuple[Made, ...]:
        """With what a layer was made, where it says that."""
        return (self.kept[path],) if path in self.kept else ()

    def holds(self, name: str) -> bool | None:
        """A table has layers alone."""
        return None

    @property
    def ties(self) -> Sequence[tuple[str, ...]]:
        """A table has layers alone."""
        return ()

    def _kind(self, path: str) -> str | None:
        if path in self.kinds:
            return self.kinds[path] or None
        fit = [p for p in self.kinds if "*" in p and _fits(path, p)]
        if fit:
            return self.kinds[min(fit, key=lambda pattern: pattern.count("*"))]
        before = f"{path}." if path else ""
        parts = path.count(".") + 1 if path else 0
        above = any(
            p.startswith(before) or _fits(path, ".".join(p.split(".")[:parts])) for p in self.kinds
        )
        return OWN if above else None


def _fits(path: str, pattern: str) -> bool:
    parts, wanted = path.split("."), pattern.split(".")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


@dataclass(slots=True)
class First:
    """What the first of several knows."""

    several: tuple[Layers, ...]

    def kind(self, path: str) -> str | None:
        """The class that the first one says which knows the layer."""
        return next((kind for one in self.several if (kind := one.kind(path)) is not None), None)

    def made(self, path: str) -> tuple[Made, ...]:
        """With what the layer is made: as any of them says that knows it as one of that class."""
        kind = self.kind(path)
        return next((m for o in self.several if o.kind(path) == kind and (m := o.made(path))), ())

    def holds(self, name: str) -> bool | None:
        """What the first one says that knows it."""
        return next((said for one in self.several if (said := one.holds(name)) is not None), None)

    @property
    def ties(self) -> Sequence[tuple[str, ...]]:
        """What any of them says."""
        return [names for one in self.several for names in one.ties]


# What PyTorch's own layers hold; of a path that stands there twice, the first.
_ENCODER = {
    "self_attn": "torch.nn.MultiheadAttention",
    "linear1": "torch.nn.Linear", "linear2": "torch.nn.Linear",
    "norm1": "torch.nn.LayerNorm", "norm2": "torch.nn.LayerNorm",
}  # fmt: skip
INSIDE: dict[str, dict[str, str]] = {
    "torch.nn.MultiheadAttention": {"out_proj": "torch.nn.Linear"},
    "torch.nn.TransformerEncoderLayer": _ENCODER,
    "torch.nn.TransformerDecoderLayer": {
        **_ENCODER, "multihead_attn": "torch.nn.MultiheadAttention", "norm3": "torch.nn.LayerNorm",
    },
    "torch.nn.TransformerEncoder": {
        "layers": OWN, "layers.*": "torch.nn.TransformerEncoderLayer", "norm": "torch.nn.LayerNorm",
    },
    "torch.nn.TransformerDecoder": {
        "layers": OWN, "layers.*": "torch.nn.TransformerDecoderLayer", "norm": "torch.nn.LayerNorm",
    },
    "torch.nn.Transformer": {
        "encoder": "torch.nn.TransformerEncoder", "decoder": "torch.nn.TransformerDecoder",
    },
}  # fmt: skip


@dataclass(slots=True)
class Inside:
    """The same, and what PyTorch's own layers hold."""

    layers: Layers

    def made(self, path: str) -> tuple[Made, ...]:
        """With what a layer is made, where it isn't one that another layer makes."""
        return self.layers.made(path)

    def holds(self, name: str) -> bool | None:
        """What the layers in it say."""
        return self.layers.holds(name)

    @property
    def ties(self) -> Sequence[tuple[str, ...]]:
        """What the layers in it say."""
        return self.layers.ties

    def kind(self, path: str) -> str | None:
        """The class of the layer at a path, by what it stands in where nothing else tells."""
        found = self.layers.kind(path)
        if found is not None or not path:
            return found
        parts = path.split(".")
        for at in range(len(parts) - 1, -1, -1):
            outer = self.kind(".".join(parts[:at]))
            inner = ".".join(parts[at:])
            for pattern, kind in INSIDE.get(outer or "", {}).items():
                if _fits(inner, pattern):
                    return kind
        return None
