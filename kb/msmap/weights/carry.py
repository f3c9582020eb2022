"""Tensors carried from one framework's names and shapes to the other's, layer by layer."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msmap.errors import WeightsError
from msmap.model import State, Text
from msmap.weights import reasons
from msmap.weights.expressions import evaluate
from msmap.weights.layers import Cells, Layers, Live, Slot
from msmap.weights.report import Dropped, Open, Placed, Tied
from msmap.weights.states import OWN, States
from msmap.weights.tensors import Held, held


@dataclass(frozen=True, slots=True)
class Named:
    """What a mapping says of a tensor: its name in MindSpore, None if it has none there."""

    mindspore: str | None
    value: str = "value"
    back: str | None = None


@dataclass(slots=True)
class Model:
    """All that is known of the model that weights belong to.

    Args:
        layers: which class each layer is of.
        states: what layers of a class are called on both sides.
        live: the model of PyTorch's, if it is there.
        cells: the network of MindSpore's, if it is there.
        tensors: what is said of single tensors, by PyTorch's names.
        paths: layers that stand at another path in MindSpore, by that of PyTorch.
        ties: the names of one parameter of PyTorch's, the first one first.
    """

    layers: Layers
    states: States
    live: Live | None = None
    cells: Cells | None = None
    tensors: Mapping[str, Named] = field(default_factory=dict)
    paths: Mapping[str, str] = field(default_factory=dict)
    ties: Sequence[tuple[str, ...]] = ()

    def holds(self, name: str) -> bool | None:
        """Whether the model itself has a parameter or buffer of MindSpore's name; None if unknown.

        A model that is there knows best.
        """
        if self.live is not None:
            return self.moved_back(name) in self.live.tensors
        if self.cells is not None:
            return name in self.cells.slots or name in self.cells.names
        return self.layers.holds(name)

    def moved(self, path: str) -> str:
        """The path of a layer in MindSpore."""
        for old in sorted(self.paths, key=len, reverse=True):
            if path == old or path.startswith(f"{old}."):
                rest = path[len(old) :]
                return (self.paths[old] + rest).strip(".")
        return path

    def moved_back(self, path: str) -> str:
        """The path of a layer in PyTorch."""
        for old, new in sorted(self.paths.items(), key=lambda pair: -len(pair[1])):
            if path == new or path.startswith(f"{new}."):
                return (old + path[len(new) :]).strip(".")
        return path

    def rules(self, path: str, kind: str) -> tuple[State, ...]:
        """The state mapping of the layer at a path; of several that it may have the first."""
        return self.states.rules(kind, self.counterparts(path, kind)[0])

    def counterparts(self, path: str, kind: str) -> list[str]:
        """The classes of MindSpore's that the layer at a path may be, "" for the usual one.

        That of --into, else what `msmap port` writes: several only where their states differ.
        """
        cell = self.cells.kinds.get(self.moved(path), "") if self.cells is not None else ""
        if cell not in ("", "mindspore.nn.Cell"):
            return [cell]
        return self.states.of_calls(kind, self.layers.made(path))


@dataclass(slots=True)
class Move:
    """A tensor on its way: its layer's class, how it is called there, and how it is changed.

    ``several`` are the classes that the layer may be of there, where it isn't one.
    """

    name: str
    layer: str
    there: str | None
    value: str = "value"
    several: tuple[str, ...] = ()


@dataclass(slots=True)
class Plan:
    """What becomes of each tensor: ``made`` are those to write, by name."""

    made: dict[str, Held] = field(default_factory=dict)
    placed: list[Placed] = field(default_factory=list)
    tied: list[Tied] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    unplaced: list[Open] = field(default_factory=list)
    unset: list[Open] = field(default_factory=list)
    notes: list[Text] = field(default_factory=list)
    origin: dict[str, str] = field(default_factory=dict)

    def refuse(self, name: str, tensor: Held, reason: Text, near: Iterable[str] = ()) -> None:
        """A tensor has no place."""
        nearest = tuple(difflib.get_close_matches(name, list(near), 3, 0.5))
        self.unplaced.append(Open(name, tensor.dtype, tensor.shape, reason, nearest))

    def put(self, name: str, there: str, tensor: Held) -> None:
        """A tensor goes to a name, which is no other's.

        Raises:
            WeightsError: it is.
        """
        if there in self.made:
            raise WeightsError(
                "tensors {} and {} would both be {}: say with --mapping which is meant",
                self.origin[there],
                name,
                there,
            )
        self.made[there], self.origin[there] = tensor, name


def splits(name: str) -> Iterable[tuple[str, str]]:
    """Each layer that a tensor may belong to, the outermost first, and what it is called there."""
    parts = name.split(".")
    for at in range(len(parts)):
        yield ".".join(parts[:at]), ".".join(parts[at:])


def move(model: Model, name: str) -> Move | None:
    """Where a tensor of PyTorch's goes in MindSpore; None if its layer isn't known."""
    if (named := model.tensors.get(name)) is not None:
        return Move(name, "", named.mindspore, named.value)
    kind: str | None = None
    path = inner = ""
    for path, inner in splits(name):
        kind = model.layers.kind(path)
        if kind is None or kind == OWN:
            continue
        if len(several := model.counterparts(path, kind)) > 1:
            return Move(name, kind, None, "value", tuple(several))
        for rule in model.rules(path, kind):
            if rule.torch == inner:
                there = None if rule.mindspore is None else _join(model.moved(path), rule.mindspore)
                return Move(name, kind, there, rule.value)
    return None if kind is None else Move(name, kind, _join(model.moved(path), inner))


def move_back(model: Model, name: str) -> Move | None:
    """Where a tensor of MindSpore's goes in PyTorch; None if its layer isn't known."""
    for torch, named in model.tensors.items():
        if named.mindspore == name:
            return Move(name, "", torch, _other_way(torch, named.value, named.back))
    kind: str | None = None
    path = inner = ""
    for moved, inner in splits(name):
        path = model.moved_back(moved)
        kind = model.layers.kind(path)
        if kind is None or kind == OWN:
            continue
        if len(several := model.counterparts(path, kind)) > 1:
            return Move(name, kind, None, "value", tuple(several))
        for rule in model.rules(path, kind):
            if rule.mindspore == inner:
                there = _join(path, rule.torch)
                return Move(name, kind, there, _other_way(there, rule.value, rule.back))
    return None if kind is None else Move(name, kind, _join(path, inner))


def _other_way(name: str, value: str, back: str | None) -> str:
    if value == "value" or back is not None:
        return back or value
    raise WeightsError("tensor {}: {} has no way back; give `back` in the mapping", name, value)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def changed(tensor: Held, value: str, name: str) -> Held:
    """A tensor put as an expression says.

    Raises:
        WeightsError: the expression doesn't fit it.
    """
    if value == "value":
        return tensor

    def read() -> object:
        try:
            return evaluate(value, tensor.read())
        except WeightsError as error:
            raise WeightsError("tensor {} {}: {}", name, list(tensor.shape), error) from None

    import numpy as np

    # Its shape is known without its values.
    hollow = np.broadcast_to(np.zeros((), tensor.read().dtype), tensor.shape)
    try:
        made = held(np.asarray(evaluate(value, hollow)), tensor.dtype)
    except WeightsError as error:
        raise WeightsError("tensor {} {}: {}", name, list(tensor.shape), error) from None
    place = None if tensor.place is None else (tensor.place, value)
    return Held(tensor.dtype, made.shape, read, place)


def forward(
    model: Model,
    tensors: Mapping[str, Held],
    ties: Sequence[tuple[str, ...]],
    holds: Callable[[str], bool],
) -> Plan:
    """The weights of PyTorch under MindSpore's names and in its shapes.

    Args:
        model: what is known of the model.
        tensors: by PyTorch's names.
        ties: names of tensors that share their values.
        holds: whether the file to write can hold a dtype.

    Raises:
        WeightsError: two tensors would get one name.
    """
    plan = Plan()
    first = {name: names[0] for names in (*ties, *model.ties) for name in names[1:]}
    buffers = model.live.buffers if model.live is not None else set()
    slots = model.cells.slots if model.cells is not None else None
    taken = dict(tensors) | _from_model(model, tensors)
    for name, tensor in taken.items():
        going = move(model, name)
        if going is None:
            plan.refuse(name, tensor, reasons.UNKNOWN_LAYER)
        elif going.several:
            plan.refuse(name, tensor, reasons.several(going.layer, going.several))
        elif going.there is None:
            plan.dropped.append(Dropped(name, reasons.unused(going.layer, back=False)))
        elif model.live is not None and name not in model.live.tensors:
            plan.refuse(name, tensor, reasons.NOT_IN_MODEL, model.live.tensors)
        elif not holds(tensor.dtype):
            plan.refuse(name, tensor, reasons.no_dtype(tensor.dtype))
        else:
            _forward(plan, model, going, tensor, first, buffers, slots)
    if model.cells is not None:
        _fill(plan, model, taken)
        _unset(plan, model.cells)
    return plan


def _from_model(model: Model, tensors: Mapping[str, Held]) -> dict[str, Held]:
    """Buffers that a state dict leaves out, where MindSpore keeps them."""
    if model.live is None or model.cells is None:
        return {}
    live = model.live
    return {
        name: live.tensors[name]
        for name in live.buffers - live.saved
        if name not in tensors and model.moved(name) in model.cells.slots
    }


def _forward(
    plan: Plan,
    model: Model,
    going: Move,
    tensor: Held,
    first: Mapping[str, str],
    buffers: set[str],
    slots: Mapping[str, Slot] | None,
) -> None:
    """Put one tensor where it goes."""
    name, there = going.name, str(going.there)
    origin = first.get(name)
    if slots is None:
        if origin is not None and name not in buffers:
            plan.tied.append(Tied(name, origin))
            return
        if going.layer.startswith("torch.nn.") and _REPLACED.search(name):
            plan.refuse(name, tensor, reasons.REPLACED)
            return
        key = there
        untold = going.layer.startswith("torch.") and going.layer not in model.states.by
        note = reasons.no_record(going.layer) if untold and going.layer not in _HOLD else None
        made = changed(tensor, going.value, name)
    else:
        slot = slots.get(there)
        if slot is None:
            if origin is not None:
                plan.tied.append(Tied(name, origin))
            else:
                plan.refuse(name, tensor, reasons.no_slot(there), slots)
            return
        if origin is not None and plan.origin.get(slot.name) == origin:
            plan.tied.append(Tied(name, origin))
            return
        made, key = changed(tensor, going.value, name), slot.name
        if made.shape != slot.shape:
            plan.refuse(name, tensor, reasons.other_shape(there, made.shape, slot.shape))
            return
        note = reasons.note(slot, made, name, there)
    plan.put(name, key, made)
    value = "" if going.value == "value" else going.value
    plan.placed.append(Placed(name, key, going.layer, made.dtype, made.shape, value, note))


def _fill(plan: Plan, model: Model, tensors: Mapping[str, Held]) -> None:
    """What normalisation does without in PyTorch: a gamma of ones, a beta of zeros, statistics."""
    import numpy as np

    assert model.cells is not None
    for where, slot in model.cells.slots.items():
        if slot.name in plan.made:
            continue
        going = move_back(model, where)
        if going is None or going.there is None or not going.layer.endswith(_NORMS):
            continue
        inner = going.there.rpartition(".")[2]
        if inner not in _BEGIN or going.there in tensors or slot.dtype == "bfloat16":
            continue
        number, note = _BEGIN[inner]
        if inner.startswith("running_") and not _keeps_none(model, going.there):
            continue
        plan.put(going.there, slot.name, held(np.full(slot.shape, number, slot.dtype)))
        plan.placed.append(Placed("", slot.name, going.layer, slot.dtype, slot.shape, "", note))


def _keeps_none(model: Model, name: str) -> bool:
    """Whether the model of PyTorch's is there, and its layer keeps no statistics."""
    return model.live is not None and name not in model.live.tensors


# What stands for a weight that is computed of them, as weight_norm, spectral_norm and pruning do.
_REPLACED = re.compile(r"weight(?:_\w+)?_(?:g|v|orig|u|mask)$|(?:^|\.)parametrizations\.")
# What stands for what PyTorch's layer does without.
_BEGIN = {
    "weight": (1, reasons.FILLED_ONES), "bias": (0, reasons.FILLED_ZEROS),
    "running_mean": (0, reasons.NO_STATISTICS), "running_var": (1, reasons.NO_STATISTICS),
}  # fmt: skip
# Of what only holds others, nobody asks for a record.
_HOLD = {OWN, *(f"torch.nn.{name}" for name in ("Sequential", "ModuleList", "ModuleDict",
                                               "ParameterList", "ParameterDict"))}  # fmt: skip
_NORMS = tuple(
    f"torch.nn.{name}"
    for name in ("LayerNorm", "GroupNorm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d",
                 "SyncBatchNorm", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d")
)  # fmt: skip


def _unset(plan: Plan, cells: Cells) -> None:
    for name, slot in cells.names.items():
        if name not in plan.made:
            near = tuple(
                difflib.get_close_matches(name, [one.name for one in plan.unplaced], 3, 0.5)
            )
            plan.unset.append(Open(name, slot.dtype, slot.shape, reasons.NOTHING, near))


def backward(model: Model, tensors: Mapping[str, Held], holds: Callable[[str], bool]) -> Plan:
    """The weights of MindSpore under PyTorch's names and in its shapes; as ``forward``."""
    plan = Plan()
    wanted = model.live
    by_name = {s.name: s.path for s in model.cells.slots.values()} if model.cells else {}
    for name, tensor in tensors.items():
        going = move_back(model, by_name.get(name, name))
        if going is not None and going.several:
            plan.refuse(name, tensor, reasons.several(going.layer, going.several))
            continue
        if going is None or going.there is None:
            plan.refuse(name, tensor, reasons.UNKNOWN_LAYER)
            continue
        if not holds(tensor.dtype):
            plan.refuse(name, tensor, reasons.no_dtype(tensor.dtype))
            continue
        there = going.there
        if wanted is not None and there not in wanted.tensors:
            _surplus(plan, wanted, name, tensor, going)
            continue
        made = changed(tensor, going.value, name)
        if wanted is not None and made.shape != wanted.tensors[there].shape:
            shape = wanted.tensors[there].shape
            plan.refuse(name, tensor, reasons.other_shape(there, made.shape, shape))
            continue
        plan.put(name, there, made)
        value = "" if going.value == "value" else going.value
        plan.placed.append(Placed(there, name, going.layer, made.dtype, made.shape, value))
    for names in (*model.ties, *model.layers.ties):
        _tie(plan, names)
    if wanted is not None:
        _missing(plan, model, wanted)
    return plan


def _tie(plan: Plan, names: Sequence[str]) -> None:
    """PyTorch's state dict has a tied parameter, or those of a layer, under all of their names."""
    for first in names:
        inside = [n for n in plan.made if n == first or n.startswith(f"{first}.")]
        for origin, other in ((origin, other) for other in names for origin in inside):
            name = other + origin[len(first) :]
            if name not in plan.made:
                plan.made[name], plan.origin[name] = plan.made[origin], origin
                plan.tied.append(Tied(name, origin))


def _surplus(plan: Plan, wanted: Live, name: str, tensor: Held, going: Move) -> None:
    """What PyTorch's model hasn't got: nothing is lost of normalisation that does nothing."""
    import numpy as np

    there = str(going.there)
    ones, zeros = there.endswith("weight"), there.endswith("bias")
    if going.layer.endswith(_NORMS) and there.endswith(("running_mean", "running_var")):
        plan.dropped.append(Dropped(name, reasons.NO_STATISTICS_BACK))
        return
    if going.layer.endswith(_NORMS) and (ones or zeros):
        values = tensor.read()
        if tensor.dtype != "bfloat16" and np.array_equal(values, np.full_like(values, ones)):
            plan.dropped.append(Dropped(name, reasons.NEUTRAL))
            return
    plan.refuse(name, tensor, reasons.no_slot(there, back=True), wanted.tensors)


def _missing(plan: Plan, model: Model, wanted: Live) -> None:
    for name in wanted.tensors:
        if name in plan.made or name not in wanted.saved:
            continue
        going = move(model, name)
        if going is not None and going.there is None:
            plan.dropped.append(Dropped(name, reasons.unused(going.layer, back=True)))
        else:
            tensor = wanted.tensors[name]
            plan.unset.append(Open(name, tensor.dtype, tensor.shape, reasons.NOTHING))
