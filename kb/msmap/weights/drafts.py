"""Mapping files: which class each layer is of, in a file that people finish; and others' own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msmap import atomic
from msmap.errors import WeightsError
from msmap.weights.carry import Model, Named, move
from msmap.weights.contents import Contents
from msmap.weights.layers import Inside, Layers, Table
from msmap.weights.states import OWN
from msmap.weights.tensors import Held

_UNKNOWN = "?"
# How TroubleShooter calls the one change of values that it knows.
_CONV1D = "troubleshooter.migrator.mapping_relation.weight_adapter.trans_conv1d_weight_value"
_HEAD = """\
# The layers of PyTorch's model by path, for `msmap weights --mapping`; * is any part of a path.
# What says `guessed` follows from names and shapes alone: look at it. {}
"""
_HAVE_TO = "Write a class for each ?."


@dataclass(slots=True)
class Said:
    """What a mapping file says."""

    layers: Layers
    tensors: dict[str, Named] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    ties: list[tuple[str, ...]] = field(default_factory=list)


def read(path: Path) -> Said:
    """A mapping file: YAML as ``draft`` writes it, or TroubleShooter's weight map in JSON.

    Raises:
        OSError: it can't be read.
        WeightsError: it is no mapping; the message says what is wrong with it.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        found = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except UnicodeDecodeError:
        raise WeightsError("{} is no text in UTF-8", path) from None
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise WeightsError(
            "{} is no {}: {}", path, path.suffix.lstrip(".") or "YAML", said
        ) from None
    if path.suffix == ".json":
        return _theirs(path, found)
    return _ours(path, found)


def _ours(path: Path, found: Any) -> Said:
    if not isinstance(found, dict):
        raise WeightsError(
            "{} has no mapping: `msmap weights FILE --draft {}` drafts one", path, path
        )
    known = ("layers", "paths", "tensors", "tied")
    if strange := next((key for key in found if key not in known), None):
        raise WeightsError("{}: {}: one of {}", path, strange, ", ".join(known))
    parts = {key: _texts(path, key, found.get(key)) for key in known}
    for name, kind in parts["layers"].items():
        if not isinstance(kind, str):
            raise WeightsError("{}: layers: {}: a class such as torch.nn.Conv2d", path, name)
    kinds = {name: kind for name, kind in parts["layers"].items() if kind != _UNKNOWN}
    ties: list[tuple[str, ...]] = [(str(first), name) for name, first in parts["tied"].items()]
    tensors = {name: _named(path, name, value) for name, value in parts["tensors"].items()}
    paths = {name: str(value or "") for name, value in parts["paths"].items()}
    return Said(Inside(Table(kinds)), tensors, paths, ties)


def _texts(path: Path, key: str, found: Any) -> dict[str, Any]:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise WeightsError("{}: {}: lines of `name: value`", path, key)
    return {str(name): value for name, value in found.items()}


def _named(path: Path, name: str, value: Any) -> Named:
    if value is None or isinstance(value, str):
        return Named(value)
    keys = ("mindspore", "value", "back")
    fits = isinstance(value, dict) and set(value) <= set(keys)
    if fits and all(isinstance(one, str | None) for one in value.values()):
        return Named(value.get("mindspore", name), value.get("value", "value"), value.get("back"))
    raise WeightsError(
        "{}: tensors: {}: a name in MindSpore, null, or {}", path, name, ", ".join(keys)
    )


def _theirs(path: Path, found: Any) -> Said:
    """TroubleShooter's weight map: names by names, and functions that change values by names."""
    maps = found if isinstance(found, list) and len(found) == 2 else [found, {}]
    if not all(isinstance(one, dict) for one in maps) or not all(
        isinstance(text, str) for one in maps for text in one.values()
    ):
        raise WeightsError("{} is no weight map: [{{name: name}}, {{name: function}}]", path)
    names, functions = maps
    tensors = {}
    for name, there in names.items():
        function = functions.get(name)
        if function is None:
            tensors[name] = Named(there)
        elif function == _CONV1D:
            tensors[name] = Named(there, "value[:, :, None, :]", "value[:, :, 0, :]")
        else:
            raise WeightsError("{}: {}: {} can't be run; write it as YAML", path, name, function)
    return Said(Table({}), tensors)


def write(path: Path, found: Contents, model: Model) -> int:
    """Write a mapping file of what is known, in the form of its suffix.

    Returns:
        How many layers are guessed or open.
    """
    if path.suffix == ".json":
        atomic.write(path, _json(path, found, model))
        return 0
    text, count = draft(found, model)
    atomic.write(path, text)
    return count


def _json(path: Path, found: Contents, model: Model) -> str:
    names: dict[str, str] = {}
    functions: dict[str, str] = {}
    for name, tensor in found.tensors.items():
        going = move(model, name)
        if going is None:
            raise WeightsError(
                "{}: the layer of tensor {} {} isn't known: give --model, --source or --mapping",
                path,
                name,
                list(tensor.shape),
            )
        names[name] = name if going.there is None else going.there
        if going.value != "value":
            functions[name] = _CONV1D
    return json.dumps([names, functions], indent=4, ensure_ascii=False) + "\n"


def draft(found: Contents, model: Model) -> tuple[str, int]:
    """A mapping file, and how many of its layers are guessed or open."""
    lines: list[str] = []
    kinds: dict[str, tuple[str, str]] = {}
    grouped = _grouped(found.tensors)
    for path, its in _around(grouped).items():
        kind = model.layers.kind(path)
        if its or _tells_inside(model, path, kind):
            kinds[path] = (kind, "") if kind is not None else _guessed(path, its, grouped)
        elif kind is None and (guess := _transformer(path, grouped)):
            kinds[path] = (guess, "guessed")
    count = 0
    for path, (kind, said) in _folded(kinds).items():
        count += bool(said)
        lines.append(f"  {_quoted(path)}: {_quoted(kind)}" + (f"  # {said}" if said else ""))
    text = _HEAD.format(_HAVE_TO if any(k == _UNKNOWN for k, _ in kinds.values()) else "")
    text += "layers:\n" + "\n".join(lines) + "\n"
    if found.ties:
        text += "# Of these the values stand there once.\ntied:\n"
        pairs = [(name, names[0]) for names in found.ties for name in names[1:]]
        text += "".join(f"  {_quoted(name)}: {_quoted(first)}\n" for name, first in pairs)
    text += (
        "# Layers that have another path in MindSpore, and tensors of which all this isn't so:\n"
    )
    text += "# paths: {classifier: head}\n"
    text += '# tensors: {scale: gain, qkv: {mindspore: q, value: "value[:64]"}, unused: null}\n'
    return text, count


def _grouped(tensors: Mapping[str, Held]) -> dict[str, dict[str, Held]]:
    """The tensors of each layer, by its path and by what they are called in it."""
    found: dict[str, dict[str, Held]] = {}
    for name, tensor in tensors.items():
        path, _, inner = name.rpartition(".")
        found.setdefault(path, {})[inner] = tensor
    return found


def _around(grouped: Mapping[str, dict[str, Held]]) -> dict[str, dict[str, Held]]:
    """Layers with tensors, and before them those that they stand in."""
    found: dict[str, dict[str, Held]] = {}
    for path in grouped:
        parts = path.split(".")
        for at in range(1, len(parts)):
            above = ".".join(parts[:at])
            found.setdefault(above, grouped.get(above, {}))
        found[path] = grouped[path]
    return found


def _tells_inside(model: Model, path: str, kind: str | None) -> bool:
    """Whether the record of a layer tells of layers that it holds."""
    if kind is None or kind == OWN:
        return False
    return any("." in rule.torch for rule in model.rules(path, kind))


def _guessed(
    path: str, its: Mapping[str, Held], grouped: Mapping[str, dict[str, Held]]
) -> tuple[str, str]:
    said = ", ".join(f"{name} {list(one.shape)}" for name, one in its.items())
    guess = _guess(path, its)
    return guess or _UNKNOWN, f"{said}; guessed" if guess else said


def _transformer(path: str, grouped: Mapping[str, dict[str, Held]]) -> str:
    """The class of a layer that holds what those of a transformer do; "" if it doesn't."""
    inside = {p[len(path) + 1 :] for p in grouped if p.startswith(f"{path}.")}
    if not {"self_attn", "linear1", "linear2", "norm1", "norm2"} <= inside:
        return ""
    return f"torch.nn.Transformer{'Decoder' if 'multihead_attn' in inside else 'Encoder'}Layer"


def _folded(kinds: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Layers whose paths differ in numbers alone, in one line where they are of one class."""
    by: dict[str, list[str]] = {}
    for path in kinds:
        by.setdefault(re.sub(r"(?<![^.])\d+(?![^.])", "*", path), []).append(path)
    found: dict[str, tuple[str, str]] = {}
    for pattern, paths in by.items():
        if len(paths) > 1 and len({kinds[path][0] for path in paths}) == 1:
            found[pattern] = kinds[paths[0]]
        else:
            found |= {path: kinds[path] for path in paths}
    return found


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z_][\w.]*", text) else json.dumps(text, ensure_ascii=False)


_GATES = {4: "torch.nn.LSTM", 3: "torch.nn.GRU", 1: "torch.nn.RNN"}


def _guess(path: str, its: Mapping[str, Held]) -> str:
    """The class that a layer's tensors look like; "" where several do."""
    if set(its) - _NAMES:
        inner = next((n for n in its if n.startswith("weight_hh")), "")
        if inner:
            rows, columns = its[inner].shape
            cell = "" if inner.endswith("l0") else "Cell"
            return f"{_GATES.get(rows // max(columns, 1), _GATES[1])}{cell}"
        return "torch.nn.MultiheadAttention" if "in_proj_weight" in its else OWN
    if "weight" not in its:
        return OWN if "running_mean" not in its else "torch.nn.BatchNorm2d"
    if "running_mean" in its:
        return "torch.nn.BatchNorm2d"
    rank = len(its["weight"].shape)
    name = path.rpartition(".")[2].lower()
    if rank == 2 and "bias" not in its and re.search("emb|wte|wpe|token", name):
        return "torch.nn.Embedding"
    if rank == 2:
        return "torch.nn.Linear" if "bias" in its else ""
    return {1: "torch.nn.LayerNorm" if "bias" in its else "", 3: "torch.nn.Conv1d",
            4: "torch.nn.Conv2d", 5: "torch.nn.Conv3d"}.get(rank, OWN)  # fmt: skip


_NAMES = {"weight", "bias", "running_mean", "running_var", "num_batches_tracked"}
