"""What msProbe records at the level of modules (``dump.json``), read as a recording.

Its folder is ``step0/proc123`` or ``step0/rank0``, in one that may hold several steps. What is
there of each tensor is its statistics, and its values where ``.npy`` files hold them; those of
PyTorch's are ``.pt`` files, which are pickles and stay unread.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from msmap.recording.model import BadRecording, Call, Layer, Recording, Step, Tensor

HEAD = "dump.json"
_KEY = re.compile(r"(Module|Cell)\.(.+)\.([^.]+)\.(forward|backward|parameters_grad)(?:\.(\d+))?")
_STEP = re.compile(r"step(\d+)")
_DTYPE = re.compile(r"torch\.|mindspore\.")


def is_dump(path: Path) -> bool:
    """Whether a folder holds a dump of msProbe's."""
    return path.is_dir() and next(_heads(path), None) is not None


def _heads(path: Path) -> Iterator[Path]:
    for pattern in (HEAD, f"*/{HEAD}", f"step*/*/{HEAD}"):
        found = sorted(path.glob(pattern))
        if found:
            yield from found
            return


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
        raise BadRecording(f"{path}: no {HEAD} in it")
    return made


def _step(head: Path, number: int, made: Recording | None, path: Path) -> Recording:
    try:
        told = json.loads(head.read_text(encoding="utf-8"))
        framework = {"pytorch": "torch", "mindspore": "mindspore"}[told["framework"]]
        data = dict(told["data"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        said = f"{type(error).__name__}: {error}"
        raise BadRecording(f"{head}: not as msProbe writes it ({said})") from None
    if not any(_KEY.fullmatch(key) for key in data):
        raise BadRecording(
            f"{head}: no modules in it (level {told.get('level', '?')}); dump with level L0 or mix"
        )
    if made is None:
        made = Recording(framework, "", "", str(told.get("task", "statistics")), "msProbe",
                         str(path))  # fmt: skip
        made.arrays = _Arrays(head.parent)
    try:
        made.steps.append(_read(data, head.parent, made, number))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        said = f"{type(error).__name__}: {error}"
        raise BadRecording(f"{head}: not as msProbe writes it ({said})") from None
    return made


class _Arrays:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, name: str) -> Any:
        path = Path(name)
        try:
            return np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            said = str(error).splitlines()[0][:100]
            raise BadRecording(f"{path}: no array can be read from it ({said})") from None


def _read(data: dict[str, Any], folder: Path, made: Recording, number: int) -> Step:
    step = Step(number=number)
    known = {layer.path: layer for layer in made.layers}
    calls: dict[tuple[str, int], int] = {}
    for key, told in data.items():
        found = _KEY.fullmatch(key)
        if found is None:
            continue
        path, name, what, turn = found[2], found[3], found[4], int(found[5] or 0)
        # The whole model has no path of its own there.
        path = path.removeprefix("model.") if path.startswith("model.") else path
        if path not in known:
            layer = Layer(path, name, _public(made.framework, name), False)
            known[path] = layer
            made.layers.append(layer)
        if what == "forward":
            call = Call(True, path, known[path].base, ended=len(step.calls))
            call.inputs = _places(told.get("input_args", []), step, folder)
            call.inputs += _places(told.get("input_kwargs", {}), step, folder)
            call.outputs = _places(told.get("output", []), step, folder)
            calls[path, turn] = len(step.calls)
            step.calls.append(call)
            for parameter, tensor in dict(told.get("parameters", {})).items():
                known[path].state.setdefault(parameter, tuple(tensor["shape"]))
                made.initial.setdefault(f"{path}.{parameter}", _tensor(tensor, folder))
        elif what == "backward" and (path, turn) in calls:
            call = step.calls[calls[path, turn]]
            # Its input is what comes from behind: the gradient by the outputs.
            gradients = [_tensor(one, folder) for one in _flat(told.get("input", []))]
            for (_, at), gradient in zip(call.outputs, gradients, strict=False):
                step.tensors[at].gradient = gradient
        elif what == "parameters_grad":
            for parameter, tensors in dict(told).items():
                flat = _flat(tensors)
                if flat:
                    step.gradients[f"{path}.{parameter}"] = _tensor(flat[0], folder)
    return step


def _public(framework: str, name: str) -> str:
    return f"torch.nn.{name}" if framework == "torch" else f"mindspore.nn.{name}"


def _flat(told: Any) -> list[dict[str, Any]]:
    if isinstance(told, dict):
        if "shape" in told and "dtype" in told:
            return [told]
        return [one for value in told.values() for one in _flat(value)]
    if isinstance(told, list):
        return [one for value in told for one in _flat(value)]
    return []


def _places(told: Any, step: Step, folder: Path) -> list[tuple[str, int]]:
    found = []
    for number, one in enumerate(_flat(told)):
        found.append((str(number), len(step.tensors)))
        step.tensors.append(_tensor(one, folder))
    return found


def _tensor(told: dict[str, Any], folder: Path) -> Tensor:
    shape = tuple(int(size) for size in told["shape"])
    dtype = _DTYPE.sub("", str(told["dtype"])).lower()
    made = Tensor(dtype, shape)
    name = str(told.get("data_name", "") or "")
    file = folder / "dump_tensor_data" / name
    if name.endswith(".npy") and "/" not in name and file.is_file():
        made.data = str(file)
        return made
    values = {key: told.get(key.capitalize()) for key in ("max", "min", "mean", "norm")}
    if all(isinstance(value, int | float) for value in values.values()):
        plain = {key: float(value) for key, value in values.items() if value is not None}
        broken = int(not all(np.isfinite(value) for value in plain.values()))
        made.statistics = {k: v if np.isfinite(v) else 0.0 for k, v in plain.items()}
        made.statistics |= {"broken": broken, "signed": []}
    return made
