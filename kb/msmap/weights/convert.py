"""A file of weights made of another one: ``msmap weights``, for who calls it from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msmap import atomic
from msmap.errors import WeightsError
from msmap.messages import Message
from msmap.model import Text
from msmap.weights import (
    carry,
    ckpt,
    contents,
    drafts,
    optimizers,
    reasons,
    safetensors,
    shards,
    torch_write,
    training,
)
from msmap.weights.carry import Model, Plan
from msmap.weights.contents import Contents, Format
from msmap.weights.layers import ByCells, Cells, First, Inside, Layers, Live, Table
from msmap.weights.report import Carried
from msmap.weights.states import States
from msmap.weights.tensors import Held

SUFFIXES: dict[str, Format] = {
    ".pt": "pt", ".pth": "pt", ".bin": "pt", ".safetensors": "safetensors", ".ckpt": "ckpt",
}  # fmt: skip


@dataclass(slots=True)
class Asked:
    """What is to be carried where, and what is known of the model.

    Args:
        source: the file to read.
        destination: the file to write; its suffix says how.
        key: which of several state dicts is meant.
        strip: what to take off the names.
        back: whether it goes from MindSpore to PyTorch; None: as the files say.
        live: the model of PyTorch's.
        cells: the network of MindSpore's.
        read_source: gives the layers that a source says, for the tensors that there are.
        mapping: a mapping file.
        optimizer: the file of the optimizer's state: that to write, or on the way back to read.
        optimizer_class: MindSpore's optimizer; None: that which has what the state keeps.
        shard: how many bytes a file may have where the destination is an index of several.
    """

    source: Path
    destination: Path | None = None
    key: str = ""
    strip: str = ""
    back: bool | None = None
    live: Live | None = None
    cells: Cells | None = None
    read_source: Callable[[Mapping[str, Held]], Layers] | None = None
    mapping: Path | None = None
    optimizer: Path | None = None
    optimizer_class: str | None = None
    shard: int = 5 * 10**9
    said: drafts.Said = field(default_factory=lambda: drafts.Said(Table({})))


@dataclass(frozen=True, slots=True)
class Done:
    """What was carried over: the report, and the tensors by their names on both sides."""

    report: Carried
    torch: dict[str, Held]
    mindspore: dict[str, Held]


def convert(asked: Asked, states: States) -> Done:
    """Carry the weights of a file over and write them; what became of each tensor.

    Nothing is written unless a tensor found its place.

    Raises:
        OSError: a file can't be read or written.
        WeightsError: a file is damaged, or nothing in it is of the model.
    """
    form = None if asked.destination is None else written_as(asked.destination)
    found = contents.read(asked.source, asked.key, asked.strip)
    back = goes_back(asked, found, form)
    model = known(asked, found, states)
    notes = _left_out(asked, model, found, back)
    plan = carried(model, found, form or ("pt" if back else "ckpt"), back)
    if not any(one.torch for one in plan.placed):
        said = _nothing(asked, plan)
        if prefix := _wrapped(asked, found, model, back):
            raise WeightsError("{}; with --strip {} it does", said, prefix)
        raise WeightsError(said)
    extra = _optimizer(asked, found, model, plan, back)
    report = told(asked, found, plan, back)
    report = replace(report, notes=(*notes, *report.notes), **extra.told)
    if asked.destination is not None and form is not None:
        if shards.is_index(asked.destination):
            _sharded(asked.destination, form, plan.made, back, asked.shard, extra)
        else:
            save(asked.destination, form, plan.made, back, extra.inside)
        if extra.apart is not None and asked.optimizer is not None:
            save(asked.optimizer, written_as(asked.optimizer), extra.apart, back, {})
    if back:
        return Done(report, plan.made, found.tensors)
    return Done(report, found.tensors, plan.made)


def _left_out(asked: Asked, model: Model, found: Contents, back: bool) -> tuple[Text, ...]:
    """Leave out what is no model's: what to say of that."""
    others = training.beside(model, found.tensors, back)
    found.tensors = {n: one for n, one in found.tensors.items() if n not in others.names}
    found.left = (*found.left, *others.numbers)
    if not others.heads or asked.optimizer is not None:
        return ()
    return (reasons.optimizer(list(others.heads), asked.source),)


def written_as(path: Path) -> Format:
    """The format that a file's suffix means.

    Raises:
        WeightsError: it means none.
    """
    name = path.name.removesuffix(".index.json")
    form = SUFFIXES.get(Path(name).suffix.lower())
    if form is None:
        raise WeightsError("{}: a suffix of {} says how to write it", path, ", ".join(SUFFIXES))
    if name != path.name and form == "ckpt":
        raise WeightsError("{}: MindSpore reads no checkpoint in shards: write .safetensors", path)
    if path.is_dir():
        raise WeightsError("{} is a folder: name the file to write", path)
    return form


def goes_back(asked: Asked, found: Contents, form: Format | None) -> bool:
    """Whether weights go from MindSpore to PyTorch: as is said, as the files say, else not."""
    if asked.back is not None:
        return asked.back
    return found.format == "ckpt" or (found.format == "safetensors" and form == "pt")


def known(asked: Asked, found: Contents, states: States) -> Model:
    """What is known of the model, the surest first."""
    said = drafts.read(asked.mapping) if asked.mapping is not None else asked.said
    several: list[Layers] = [said.layers]
    if asked.live is not None:
        several.append(asked.live)
    if asked.read_source is not None:
        several.append(asked.read_source(found.tensors))
    if found.kinds:
        several.append(Inside(Table(found.kinds, found.made)))
    if asked.cells is not None:
        several.append(ByCells(asked.cells, states))
    # The mapping speaks for its layers alone: what holds them, others may know.
    return Model(
        First(tuple(several)), states, asked.live, asked.cells, said.tensors, said.paths, said.ties
    )


def carried(model: Model, found: Contents, form: Format, back: bool) -> Plan:
    """The tensors of a file as another format can hold them."""

    def holds(dtype: str) -> bool:
        return dtype in {"ckpt": ckpt.NAMES, "safetensors": safetensors.NAMES}.get(form, (dtype,))

    if back:
        return carry.backward(model, found.tensors, holds)
    plan = carry.forward(model, found.tensors, found.ties, holds)
    for name, kind in found.odd.items():
        plan.unplaced.append(reasons.odd(name, kind))
    return plan


def _nothing(asked: Asked, plan: Plan) -> Message:
    """What to say where no tensor of a file found its place."""
    if not plan.unplaced:
        return Message("{}: no tensor in it is of use on the other side", asked.source)
    first = plan.unplaced[0]
    return Message(
        "{}: no tensor found its place; {} {}: {}",
        asked.source,
        first.name,
        list(first.shape),
        first.reason.en,
    )


def _wrapped(asked: Asked, found: Contents, model: Model, back: bool) -> str:
    """What all names have before them that the model's haven't: without it they fit; "" if none."""
    prefix = next(iter(found.tensors), "").partition(".")[0] + "."
    if back or not all(name.startswith(prefix) for name in found.tensors):
        return ""
    found.tensors = {name[len(prefix) :]: one for name, one in found.tensors.items()}
    try:
        plan = carried(model, found, "pt", back)
    except WeightsError:
        return ""
    return prefix if any(one.torch for one in plan.placed) else ""


def told(asked: Asked, found: Contents, plan: Plan, back: bool) -> Carried:
    """What became of each tensor."""
    checked = (asked.live if back else asked.cells) is not None
    notes: list[Text] = list(plan.notes)
    if not checked:
        notes.append(reasons.UNCHECKED_BACK if back else reasons.UNCHECKED)
    return Carried(
        str(asked.source), str(asked.destination or ""), back, found.key, found.prefix, checked,
        tuple(plan.placed), tuple(plan.tied), tuple(plan.dropped), tuple(plan.unplaced),
        tuple(plan.unset), found.left, notes=tuple(notes),
    )  # fmt: skip


@dataclass(slots=True)
class _Extra:
    """An optimizer's state: to write beside the weights, or in a file of its own."""

    told: dict[str, Any] = field(default_factory=dict)
    inside: dict[str, Any] = field(default_factory=dict)
    apart: dict[str, Held] | None = None


def _optimizer(asked: Asked, found: Contents, model: Model, plan: Plan, back: bool) -> _Extra:
    if asked.optimizer is None:
        return _Extra()
    order = _order(asked, found, plan, back)
    groups = asked.live.groups if asked.live is not None else []
    if back:
        read = contents.read(asked.optimizer)
        kind = asked.optimizer_class or _kept(asked.optimizer, read)
        going = {one.torch: (one.mindspore, _put(one.torch, model)) for one in plan.placed}
        state, its = optimizers.back(read.tensors, kind, groups or [order], going)
        inside = {"optimizer": state}
        made = None
    else:
        if found.optimizer is None:
            raise WeightsError(
                "{} has no state of an optimizer: leave --optimizer out", asked.source
            )
        kind = asked.optimizer_class or optimizers.usual(found.optimizer)
        going = {one.torch: (one.mindspore, one.value or "value") for one in plan.placed}
        form = written_as(asked.optimizer)
        names = {"ckpt": ckpt.NAMES, "safetensors": safetensors.NAMES}.get(form)
        its = optimizers.carry(
            found.optimizer,
            kind,
            groups or {name: found.tensors[name].shape for name in order if name in found.tensors},
            going,
            lambda dtype: names is None or dtype in names,
        )
        # An optimizer has the parameters too, and MindSpore gives one without a value that of the
        # nearest name: `accum.weight` for `weight`.
        weights = {going[name][0] for name in order if name in going}
        inside, made = {}, its.made | {name: plan.made[name] for name in weights}
    told_ = {
        "optimizer": kind,
        "optimizer_placed": tuple(its.placed),
        "unplaced": (*plan.unplaced, *its.unplaced),
    }
    return _Extra(told_, inside, made)


def _put(name: str, model: Model) -> str:
    """How a tensor is put back."""
    going = carry.move(model, name)
    if going is None or going.there is None:
        return "value"
    back = carry.move_back(model, going.there)
    return "value" if back is None else back.value


def _kept(path: Path, read: Contents) -> str:
    """The optimizer of MindSpore's whose state a file has."""
    heads = {name.split(".")[0] for name in read.tensors}
    for kind, rule in optimizers.RULES.items():
        besides = {rule.ones, *rule.powers, *([rule.step[0]] if rule.step else ())} - {""}
        if heads & set(rule.each.values()) and besides <= heads:
            return kind
    raise WeightsError("{} has no state of an optimizer that is known: name it with --class", path)


def _order(asked: Asked, found: Contents, plan: Plan, back: bool) -> Sequence[str]:
    """The parameters of PyTorch's model in its order."""
    if asked.live is not None:
        return asked.live.order
    if back:
        return [one.torch for one in plan.placed if not _is_statistic(one.torch)]
    again = {name for names in found.ties for name in names[1:]}
    return [name for name in found.tensors if name not in again and not _is_statistic(name)]


def _is_statistic(name: str) -> bool:
    return name.endswith((".running_mean", ".running_var", ".num_batches_tracked"))


def _sharded(
    path: Path, form: Format, tensors: Mapping[str, Held], back: bool, size: int, extra: _Extra
) -> None:
    if extra.inside:
        raise WeightsError(
            "{}: an optimizer's state stands beside the weights in one file: write a .pt", path
        )
    shards.write(path, tensors, size, lambda made, part: _save(made, form, part, back, {}))


def save(
    path: Path, form: Format, tensors: Mapping[str, Held], back: bool, beside: Mapping[str, Any]
) -> None:
    """Write a file, whole or not at all; ``beside`` stands next to the weights of a .pt file.

    Raises:
        OSError: it can't be written.
    """
    with atomic.replacing(path) as made:
        _save(made, form, tensors, back, beside)


def _save(
    path: Path, form: Format, tensors: Mapping[str, Held], back: bool, beside: Mapping[str, Any]
) -> None:
    if form == "ckpt":
        ckpt.write(path, tensors)
    elif form == "safetensors":
        safetensors.write(path, tensors, {"format": "pt" if back else "ms"})
    elif beside:
        torch_write.write(path, {"model": tensors, **beside})
    else:
        torch_write.write(path, tensors)
