"""Recordings as folders: ``recording.json``, and an uncompressed ``.npz`` beside it for each step.

Nothing that is read is ever run: arrays are read without pickles, and all else is JSON.
"""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from msmap.errors import BadRecording
from msmap.recording.model import (
    FORMAT,
    VERSION,
    Call,
    Layer,
    Recording,
    Step,
    Tensor,
)

HEAD = "recording.json"
_KEPT = 3


def write_arrays(folder: Path, name: str, arrays: dict[str, Any]) -> None:
    """Write arrays to ``NAME.npz``; they are called ``NAME/key`` in the recording."""
    # As np.savez does, which leaves its archive open where the disk is full.
    with zipfile.ZipFile(folder / f"{name}.npz", "w") as archive:
        for key, array in arrays.items():
            with archive.open(f"{key}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.asanyarray(array), allow_pickle=False)  # type: ignore[no-untyped-call]


def write(folder: Path, recording: Recording) -> None:
    """Write what isn't arrays; the arrays must stand there before."""
    text = json.dumps(_plain(recording), ensure_ascii=False, separators=(",", ":"))
    (folder / HEAD).write_text(text + "\n", encoding="utf-8", newline="\n")


def read(path: Path) -> Recording:
    """The recording in a folder; its arrays are read when they are asked for.

    Raises:
        BadRecording: it is none, or is damaged; the message names file and thing.
    """
    head = path / HEAD if path.is_dir() else path
    try:
        text = head.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadRecording(
            "{}: no {} in it; `msmap record` writes one when it is done", path, HEAD
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecording("{}: {}", head, error) from None
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecording("{}: no whole JSON ({}); record it again", head, error) from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise BadRecording("{}: no recording of msmap's: it has no format {!r}", head, FORMAT)
    if told.get("version") != VERSION:
        raise BadRecording(
            "{}: version {!r}; this msmap reads {}: record it again",
            head,
            told.get("version"),
            VERSION,
        )
    try:
        made = _recording(told, str(path))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise BadRecording("{}: not as a recording is ({}); record it again", head, what) from None
    made.arrays = Arrays(head.parent)
    return made


class Arrays:
    """The arrays of a folder by names such as ``step-0/3``; the last few files stay in memory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        file, _, key = name.partition("/")
        path = self._folder / f"{file}.npz"
        if path.parent != self._folder or file in ("", ".", ".."):
            raise BadRecording("{}: {!r} is no name of an array in this folder", self._folder, name)
        try:
            if file not in self._files:
                while len(self._files) >= _KEPT:
                    del self._files[next(iter(self._files))]
                # From memory: what is damaged would stay open.
                self._files[file] = np.load(BytesIO(path.read_bytes()), allow_pickle=False)
            found = self._files[file][key]
        except FileNotFoundError:
            raise BadRecording(
                "{}: not there, and {} says so; record it again", path, HEAD
            ) from None
        except KeyError:
            raise BadRecording("{}: no array {!r} in it; record it again", path, key) from None
        except (OSError, ValueError, EOFError, zipfile.BadZipFile, MemoryError) as error:
            said = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
            raise BadRecording(
                "{}: array {!r} can't be read ({}); record it again", path, key, said
            ) from None
        if not isinstance(found, np.ndarray):
            raise BadRecording("{}: array {!r} is no array; record it again", path, key)
        return found


def _plain(recording: Recording) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "framework": recording.framework,
        "release": recording.release,
        "device": recording.device,
        "values": recording.values,
        "made_by": recording.made_by,
        "options": recording.options,
        "layers": [_layer(one) for one in recording.layers],
        "tied": recording.tied,
        "optimizers": recording.optimizers,
        "initial": {name: _tensor(one) for name, one in recording.initial.items()},
        "steps": [_step(one) for one in recording.steps],
    }


def _layer(layer: Layer) -> dict[str, Any]:
    return {
        "path": layer.path,
        "name": layer.name,
        "base": layer.base,
        "own": layer.own,
        "arguments": layer.arguments,
        "state": {name: list(shape) for name, shape in layer.state.items()},
        "buffers": list(layer.buffers),
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "calls": [_call(one) for one in step.calls],
        "tensors": [_tensor(one) for one in step.tensors],
        "loss": None if step.loss is None else _tensor(step.loss),
        "gradients": {name: _tensor(one) for name, one in step.gradients.items()},
        "state": {name: _tensor(one) for name, one in step.state.items()},
    }


def _call(call: Call) -> dict[str, Any]:
    found: dict[str, Any] = {"layer": call.layer, "path": call.path, "name": call.name}
    found |= {"inside": call.inside, "ended": call.ended, "training": call.training}
    found |= {"inputs": call.inputs, "outputs": call.outputs}
    if call.arguments:
        found["arguments"] = call.arguments
    return found


def _tensor(tensor: Tensor) -> dict[str, Any]:
    found: dict[str, Any] = {"dtype": tensor.dtype, "shape": list(tensor.shape)}
    if tensor.data:
        found["data"] = tensor.data
    if tensor.statistics is not None:
        found["statistics"] = tensor.statistics
    if tensor.own is not None:
        found["own"] = _finite(tensor.own)
    if tensor.gradient is not None:
        found["gradient"] = _tensor(tensor.gradient)
    return found


def _finite(pair: tuple[float, float]) -> list[float]:
    return [value if np.isfinite(value) else 0.0 for value in pair]


def _recording(told: dict[str, Any], source: str) -> Recording:
    texts = {k: told[k] for k in ("framework", "release", "device", "values", "made_by")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("framework, release, device, values and made_by are texts")
    return Recording(
        **texts,
        source=source,
        options=dict(told["options"]),
        layers=[_read_layer(one) for one in told["layers"]],
        tied=[[str(name) for name in group] for group in told["tied"]],
        optimizers=[dict(one) for one in told["optimizers"]],
        initial={str(name): _read_tensor(one) for name, one in told["initial"].items()},
        steps=[_read_step(one) for one in told["steps"]],
    )


def _read_layer(told: dict[str, Any]) -> Layer:
    return Layer(
        path=str(told["path"]),
        name=str(told["name"]),
        base=str(told["base"]),
        own=bool(told["own"]),
        arguments=dict(told["arguments"]),
        state={str(name): _shape(shape) for name, shape in told["state"].items()},
        buffers=tuple(str(name) for name in told["buffers"]),
    )


def _read_step(told: dict[str, Any]) -> Step:
    tensors = [_read_tensor(one) for one in told["tensors"]]
    calls = [_read_call(one) for one in told["calls"]]
    for number, call in enumerate(calls):
        if call.inside is not None and not 0 <= call.inside < number:
            raise ValueError(f"call {number} is inside of {call.inside}")
        if any(not 0 <= at < len(tensors) for _, at in (*call.inputs, *call.outputs)):
            raise ValueError(f"call {number} has a tensor that isn't there")
    return Step(
        number=int(told["number"]),
        calls=calls,
        tensors=tensors,
        loss=None if told["loss"] is None else _read_tensor(told["loss"]),
        gradients={str(name): _read_tensor(one) for name, one in told["gradients"].items()},
        state={str(name): _read_tensor(one) for name, one in told["state"].items()},
    )


def _read_call(told: dict[str, Any]) -> Call:
    inside, training = told["inside"], told["training"]
    return Call(
        layer=bool(told["layer"]),
        path=str(told["path"]),
        name=str(told["name"]),
        inside=None if inside is None else int(inside),
        ended=int(told["ended"]),
        training=training if isinstance(training, bool) else None,
        inputs=[(str(where), int(at)) for where, at in told["inputs"]],
        outputs=[(str(where), int(at)) for where, at in told["outputs"]],
        arguments=dict(told.get("arguments", {})),
    )


def _read_tensor(told: dict[str, Any]) -> Tensor:
    gradient = told.get("gradient")
    statistics = told.get("statistics")
    if statistics is not None and not _numbers(statistics):
        raise ValueError("statistics are numbers")
    return Tensor(
        dtype=str(told["dtype"]),
        shape=_shape(told["shape"]),
        data=str(told.get("data", "")),
        statistics=statistics,
        own=_pair(told.get("own")),
        gradient=None if gradient is None else _read_tensor(gradient),
    )


def _numbers(told: Any) -> TypeGuard[dict[str, Any]]:
    plain = {k: v for k, v in dict(told).items() if k != "signed"}
    signed = told.get("signed", [])
    return all(isinstance(v, int | float) for v in (*plain.values(), *signed))


def _shape(told: Any) -> tuple[int, ...]:
    found = tuple(int(size) for size in told)
    if any(size < 0 for size in found):
        raise ValueError(f"shape {found}")
    return found


def _pair(told: Any) -> tuple[float, float] | None:
    return None if told is None else (float(told[0]), float(told[1]))
