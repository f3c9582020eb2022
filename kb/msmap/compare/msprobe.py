"""What msProbe records at the level of modules (``dump.json``), read as a recording.

Its folder is ``step0/rank0`` or ``step0/proc123``, in one that may hold several steps. What is
there of each tensor is its statistics, and its values where files hold them: ``.npy``, and ``.pt``
of which no code is run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from msmap.errors import BadRecording, WeightsError
from msmap.recording.model import Call, Layer, Recording, Step, Tensor
from msmap.weights import contents
from msmap.weights.layers import INSIDE
from msmap.weights.tensors import to_float

HEAD = "dump.json"
_PARENTS = "construct.json"
_MODULE = re.compile(
    r"(?:Module|Cell)\.(.+)\.([^.]+)\.(forward|backward|parameters_grad)(?:\.(\d+))?"
)
_FUNCTION = re.compile(r"([A-Z]\w+)\.(.+)\.(\d+)\.(forward|backward)")
_SPACES = {
    ("torch", "Functional"): "torch.nn.functional", ("torch", "Torch"): "torch",
    ("torch", "Tensor"): "torch.Tensor",
    ("mindspore", "Functional"): "mindspore.ops", ("mindspore", "Mint"): "mindspore.mint",
    ("mindspore", "MintFunctional"): "mindspore.mint.nn.functional",
    ("mindspore", "Tensor"): "mindspore.Tensor", ("mindspore", "Primitive"): "mindspore.ops",
}  # fmt: skip
# Layers of the frameworks' own that hold others; all else that holds some is the user's.
_HOLDING = {
    *(name.removeprefix("torch.nn.") for name in INSIDE), "BatchNorm3d", "LSTM", "GRU", "RNN",
    "Sequential", "SequentialCell", "ModuleList", "CellList", "CrossEntropyLoss",
}  # fmt: skip
_STEP = re.compile(r"step(\d+)")
_DTYPE = re.compile(r"torch\.|mindspore\.")


def is_dump(path: Path) -> bool:
    """Whether a folder holds a dump of msProbe's."""
    return path.is_dir() and next(_heads(path), None) is not None


def _heads(path: Path) -> Iterator[Path]:
    for pattern in (HEAD, f"*/{HEAD}", f"step*/*/{HEAD}"):
        found = sorted(path.glob(pattern), key=_first)
        if found:
            yield from found
            return


def _first(head: Path) -> tuple[bool, tuple[int, str]]:
    """What has a rank comes before processes that have none, and only prepare data."""
    name = head.parent.name
    number = re.sub(r"\D", "", name)
    return name.startswith("proc"), (int(number or 0), str(head))


def read(path: Path) -> Recording:
    """The recording of a dump: of several processes the first.

    Raises:
        BadRecording: it is of another level or damaged; the message names file and thing.
    """
    by_step: dict[int, Path] = {}
    for head in _heads(path):
        told = next((_STEP.fullmatch(p) for p in reversed(head.parts) if _STEP.fullmatch(p)), None)
        by_step.setdefault(int(told[1]) if told else 0, head)
    made: Recording | None = None
    for number, head in sorted(by_step.items()):
        made = _step(head, number, made, path)
    if made is None:
        raise BadRecording("{}: no {} in it", path, HEAD)
    return made


def _step(head: Path, number: int, made: Recording | None, path: Path) -> Recording:
    try:
        told = json.loads(head.read_text(encoding="utf-8"))
        framework = {"pytorch": "torch", "mindspore": "mindspore"}[told["framework"]]
        data = dict(told["data"])
        parents = _parents(head.with_name(_PARENTS))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        said = f"{type(error).__name__}: {error}"
        raise BadRecording("{}: not as msProbe writes it ({})", head, said) from None
    if not any(_MODULE.fullmatch(key) for key in data):
        raise BadRecording(
            "{}: no modules in it (level {}); dump with level L0 or mix",
            head,
            told.get("level", "?"),
        )
    if made is None:
        made = Recording(framework, "", "", str(told.get("task", "statistics")), "msProbe",
                         str(path))  # fmt: skip
        made.arrays = _array
    try:
        made.steps.append(_Reader(made, head.parent, number).read(data, parents))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        said = f"{type(error).__name__}: {error}"
        raise BadRecording("{}: not as msProbe writes it ({})", head, said) from None
    return made


def _parents(path: Path) -> dict[str, str]:
    """By each call that around it, as far as it was written."""
    if not path.is_file():
        return {}
    told = json.loads(path.read_text(encoding="utf-8"))
    # Some releases write a list that begins with it.
    first = {key: one[0] if isinstance(one, list) and one else one for key, one in told.items()}
    return {key: one for key, one in first.items() if isinstance(one, str)}


def _array(name: str) -> Any:
    """The values in a file."""
    path = Path(name)
    try:
        if path.suffix == ".pt":
            return to_float(contents.single(path))
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError, WeightsError) as error:
        said = str(error).splitlines()[0][:100]
        raise BadRecording("{}: no array can be read from it ({})", path, said) from None


class _Reader:
    """A step being read."""

    def __init__(self, made: Recording, folder: Path, number: int) -> None:
        self.made, self.folder = made, folder
        self.step = Step(number=number)
        self.layers = {layer.path: layer for layer in made.layers}
        self.numbers: dict[str, int] = {}

    def read(self, data: dict[str, Any], parents: dict[str, str]) -> Step:
        holding = {parents[key] for key in data if key in parents and _MODULE.fullmatch(key)}
        for key, told in data.items():
            module, function = _MODULE.fullmatch(key), _FUNCTION.fullmatch(key)
            if module is not None:
                path, name, what = module[1], module[2], module[3]
                layer = self._layer(path, name, key in holding)
                if what == "forward":
                    self._forward(key, Call(True, path, layer.base), told)
                    self._parameters(layer, dict(told.get("parameters", {})))
                elif what == "backward":
                    self._backward(key.replace(".backward", ".forward"), told)
                else:
                    self._gradients(path, dict(told))
            elif function is not None:
                space = _SPACES.get((self.made.framework, function[1]), function[1])
                called = f"{space}.{function[2].rpartition('.')[2]}"
                if function[4] == "forward":
                    # What the frameworks' own layers call is their business.
                    if _holds(parents.get(key, ""), holding):
                        self._forward(key, Call(False, "", called), told)
                else:
                    self._backward(key.removesuffix("backward") + "forward", told)
        self._nested(parents)
        return self.step

    def _layer(self, path: str, name: str, holds: bool) -> Layer:
        if path not in self.layers:
            space = "torch.nn" if self.made.framework == "torch" else "mindspore.nn"
            own = holds and name not in _HOLDING
            public = f"{space}.{name}"
            self.layers[path] = Layer(path, name if own else public, public, own)
            self.made.layers.append(self.layers[path])
        return self.layers[path]

    def _forward(self, key: str, call: Call, told: dict[str, Any]) -> None:
        for at, one in enumerate(told.get("input_args") or []):
            self._given(call, str(at), one)
        for name, one in dict(told.get("input_kwargs") or {}).items():
            self._given(call, str(name), one)
        call.outputs = self._places(told.get("output", []))
        self.numbers[key] = len(self.step.calls)
        self.step.calls.append(call)

    def _given(self, call: Call, name: str, told: Any) -> None:
        """An argument of a call: tensors, or a plain value."""
        tensors = list(_flat(told))
        for number, one in enumerate(tensors):
            where = name if len(tensors) == 1 else f"{name}.{number}"
            call.inputs.append((where, self._put(one)))
        plain = told.get("value") if isinstance(told, dict) else None
        if not tensors and isinstance(plain, bool | int | float | str) and not call.layer:
            call.arguments[name] = plain

    def _parameters(self, layer: Layer, told: dict[str, Any]) -> None:
        for name, tensor in told.items():
            layer.state.setdefault(name, tuple(tensor["shape"]))
            self.made.initial.setdefault(f"{layer.path}.{name}", _tensor(tensor, self.folder))

    def _backward(self, forward: str, told: dict[str, Any]) -> None:
        """The gradients by a call's outputs come from behind, and are its input there."""
        if forward not in self.numbers:
            return
        call = self.step.calls[self.numbers[forward]]
        for places, word in ((call.outputs, "input"), (call.inputs, "output")):
            for (_, at), one in zip(places, _flat(told.get(word, [])), strict=False):
                if self.step.tensors[at].gradient is None:
                    self.step.tensors[at].gradient = _tensor(one, self.folder)

    def _gradients(self, path: str, told: dict[str, Any]) -> None:
        for parameter, tensors in told.items():
            for one in list(_flat(tensors))[:1]:
                self.step.gradients[f"{path}.{parameter}"] = _tensor(one, self.folder)

    def _nested(self, parents: dict[str, str]) -> None:
        """Say which call stands in which: what is around others ends after them."""
        calls = self.step.calls
        for key, number in self.numbers.items():
            above = self.numbers.get(parents.get(key, ""))
            if above is not None and above != number:
                calls[number].inside = above

        # The last call that stands in a call, itself if none does, and in how many it stands.
        last, depth = list(range(len(calls))), [0] * len(calls)
        for number in range(len(calls)):
            for above in self._around(number):
                last[above] = max(last[above], number)
                depth[number] += 1
        order = sorted(range(len(calls)), key=lambda n: (last[n], -depth[n], n))
        for ended, number in enumerate(order):
            calls[number].ended = ended

    def _around(self, number: int) -> Iterator[int]:
        seen = {number}
        at = self.step.calls[number].inside
        while at is not None and at not in seen:
            yield at
            seen.add(at)
            at = self.step.calls[at].inside

    def _places(self, told: Any) -> list[tuple[str, int]]:
        return [(str(number), self._put(one)) for number, one in enumerate(_flat(told))]

    def _put(self, told: dict[str, Any]) -> int:
        self.step.tensors.append(_tensor(told, self.folder))
        return len(self.step.tensors) - 1


def _holds(key: str, holding: set[str]) -> bool:
    """Whether a call is the user's own, or no layer's."""
    found = _MODULE.fullmatch(key)
    return found is None or (key in holding and found[2] not in _HOLDING)


def _flat(told: Any) -> Iterator[dict[str, Any]]:
    """The tensors in what was written of an argument."""
    if isinstance(told, dict):
        if "shape" in told and "dtype" in told:
            yield told
        else:
            for value in told.values():
                yield from _flat(value)
    elif isinstance(told, list):
        for value in told:
            yield from _flat(value)


def _tensor(told: dict[str, Any], folder: Path) -> Tensor:
    shape = tuple(int(size) for size in told["shape"])
    if any(size < 0 for size in shape):
        raise ValueError(f"shape {shape}")
    dtype = _DTYPE.sub("", str(told["dtype"])).lower()
    made = Tensor(dtype, shape)
    name = str(told.get("data_name", "") or "")
    file = folder / "dump_tensor_data" / name
    if name.endswith((".npy", ".pt")) and "/" not in name and file.is_file():
        made.data = str(file)
        return made
    values = {key: told.get(key.capitalize()) for key in ("max", "min", "mean", "norm")}
    if all(isinstance(value, int | float) for value in values.values()):
        plain = {key: float(value) for key, value in values.items() if value is not None}
        broken = int(not all(np.isfinite(value) for value in plain.values()))
        made.statistics = {k: v if np.isfinite(v) else 0.0 for k, v in plain.items()}
        made.statistics |= {"broken": broken, "signed": []}
    return made
