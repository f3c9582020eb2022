"""Recordings as files: read as they were written, and what is wrong with them in one sentence."""

from __future__ import annotations

import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from msmap.compare import reading
from msmap.errors import BadRecording
from msmap.recording import files
from msmap.recording.model import Call, Layer, Recording, Step, Tensor


def made(folder: Path) -> Recording:
    """A recording of one call, written."""
    folder.mkdir()
    files.write_arrays(folder, "step-0", {"0": np.arange(3.0), "1": np.ones(2)})
    recording = Recording("torch", "2.13.0", "CPU", "tensors", "msmap", str(folder))
    recording.layers = [Layer("fc", "torch.nn.Linear", "torch.nn.Linear", False, {"bias": True},
                              {"weight": (2, 3)})]  # fmt: skip
    recording.initial = {"fc.weight": Tensor("float32", (2,), "step-0/1")}
    recording.steps = [
        Step(
            0,
            [Call(True, "fc", "torch.nn.Linear", None, 0, True, [("0", 0)], [("0", 1)])],
            [
                Tensor("float32", (3,), "step-0/0", own=(1e-7, 1e-8)),
                Tensor("float32", (2,), "step-0/1", gradient=Tensor("float32", (2,), "step-0/1")),
            ],
        )
    ]
    files.write(folder, recording)
    return recording


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = made(tmp_path / "rec")
    found = reading.read(tmp_path / "rec")
    assert found.value(found.steps[0].tensors[0]).tolist() == [0.0, 1.0, 2.0]
    found.arrays = written.arrays
    assert found == written


def head(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        path = folder / "recording.json"
        told = json.loads(path.read_text("utf-8"))
        change(told)
        path.write_text(json.dumps(told), "utf-8")

    return changed


def cut(name: str) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        path = folder / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    return changed


def hostile(folder: Path) -> None:
    """An array that is a pickle, which would write a file."""

    class Runs:
        def __reduce__(self) -> Any:
            return open, (str(folder / "ran"), "w")

    with zipfile.ZipFile(folder / "step-0.npz", "w") as file:
        file.writestr("0.npy", pickle.dumps(Runs()))
        file.writestr("1.npy", b"")


BAD: tuple[tuple[str, Callable[[Path], Any], str], ...] = (
    ("nothing there", lambda f: (f / "recording.json").unlink(), "rec: no recording.json in it"),
    ("cut", cut("recording.json"), "recording.json: no whole JSON"),
    ("not text", lambda f: (f / "recording.json").write_bytes(b"\xff\xfe"), "recording.json: "),
    ("another file", lambda f: (f / "recording.json").write_text("[1]"), "no recording of msmap's"),
    ("a newer one", head(lambda t: t.update(version=9)), "version 9; this msmap reads 1"),
    ("no steps", head(lambda t: t.pop("steps")), "not as a recording is (KeyError: 'steps')"),
    ("a tensor too many", head(lambda t: t["steps"][0]["calls"][0].update(inputs=[["0", 7]])),
     "call 0 has a tensor that isn't there"),
    ("inside itself", head(lambda t: t["steps"][0]["calls"][0].update(inside=0)),
     "call 0 is inside of 0"),
    ("texts", head(lambda t: t.update(steps="abc")), "not as a recording is"),
    ("arrays gone", lambda f: (f / "step-0.npz").unlink(), "step-0.npz: not there"),
    ("arrays cut", cut("step-0.npz"), "step-0.npz: array '0' can't be read"),
    ("a pickle", hostile, "step-0.npz: array '0' is no array"),
    ("another shape", head(lambda t: t["steps"][0]["tensors"][0].update(shape=[4])),
     "has the shape (3,), not the (4,)"),
    ("elsewhere", head(lambda t: t["steps"][0]["tensors"][0].update(data="../../x/0")),
     "no array '.' in it|is no name of an array"),
)  # fmt: skip


@pytest.mark.parametrize(("change", "said"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_what_is_wrong_is_said(change: Callable[[Path], Any], said: str, tmp_path: Path) -> None:
    folder = tmp_path / "rec"
    made(folder)
    change(folder)

    def read() -> None:
        found = reading.read(folder)
        found.value(found.steps[0].tensors[0])

    with pytest.raises(BadRecording) as error:
        read()
    text = str(error.value)
    assert "\n" not in text
    assert any(part in text for part in said.split("|")), text
    assert not (folder / "ran").exists()
