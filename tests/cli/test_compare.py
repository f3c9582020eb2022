"""`msmap record` and `msmap compare`: what they say and the status they leave with."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from tests.builders.commands import Run

from msmap import contracts
from msmap.recording import files
from msmap.recording.model import Call, Layer, Recording, Step, Tensor


def recorded(folder: Path, framework: str, path: str, value: float, step: int = 0) -> None:
    """A recording of one layer that gives a value."""
    folder.mkdir()
    name = {"torch": "torch.abs", "mindspore": "mindspore.mint.abs"}[framework]
    made = Recording(framework, "1", "CPU", "tensors", "msmap", str(folder))
    made.layers = [Layer(path, name, name, False)]
    given, gave = np.ones(4, np.float32), np.full(4, value, np.float32)
    files.write_arrays(folder, f"step-{step}", {"0": given, "1": gave})
    call = Call(True, path, name, None, 0, True, [("0", 0)], [("0", 1)])
    tensors = [Tensor("float32", (4,), f"step-{step}/{at}") for at in "01"]
    made.steps = [Step(step, [call], tensors)]
    files.write(folder, made)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recorded(tmp_path / "torch.rec", "torch", "fc", 1.0)


def test_two_recordings_that_agree(tmp_path: Path, run: Run) -> None:
    recorded(tmp_path / "ms.rec", "mindspore", "fc", 1.0)
    done = run("compare", "torch.rec", "ms.rec")
    assert (done.status, done.out.splitlines()[0]) == (
        0, "agrees: tensors that agree: 2 of 2 (pairs of layers: 1, calls: 1, steps: 1)",
    )  # fmt: skip
    # In any order.
    assert run("compare", "ms.rec", "torch.rec") == done


def test_two_recordings_that_differ(tmp_path: Path, run: Run) -> None:
    recorded(tmp_path / "ms.rec", "mindspore", "fc", 1.5)
    done = run("compare", "torch.rec", "ms.rec", "-f", "json")
    answer = json.loads(done.out)
    jsonschema.validate(answer, contracts.schemas()["compare"])
    (finding,) = answer["findings"]
    told = done.status, answer["verdict"], finding["stage"], finding["torch"]
    assert told == (1, "differs", "forward", "fc")
    page = run("compare", "torch.rec", "ms.rec", "-f", "html", "-o", "page.html", "--lang", "zh")
    assert (page.status, page.err) == (1, "msmap: page.html\n")
    written = (tmp_path / "page.html").read_text("utf-8")
    assert written.startswith('<!DOCTYPE html>\n<html lang="zh-Hans"')
    assert written.count("<svg") == 1


def test_what_has_no_partner_is_no_pass(tmp_path: Path, run: Run) -> None:
    recorded(tmp_path / "ms.rec", "mindspore", "fc", 1.0)
    path = tmp_path / "torch.rec" / "recording.json"
    told = json.loads(path.read_text("utf-8"))
    told["layers"].append(
        told["layers"][0] | {"path": "more", "name": "torch.nn.Linear", "state": {"weight": [2]}}
    )
    path.write_text(json.dumps(told), "utf-8")
    done = run("compare", "torch.rec", "ms.rec")
    assert (done.status, "more of PyTorch's has no partner" in done.out) == (1, True)


def test_layers_are_written_for_msprobe(tmp_path: Path, run: Run) -> None:
    recorded(tmp_path / "ms.rec", "mindspore", "classifier", 1.0)
    assert run("compare", "torch.rec", "ms.rec", "--layer-mapping", "layers.yaml").status == 0
    assert (tmp_path / "layers.yaml").read_text("utf-8") == "TopLayer:\n  classifier: fc\n"


BAD = (
    (("compare", "torch.rec", "absent"), 1, "absent: no recording.json in it"),
    (("compare", "torch.rec", "torch.rec"), 1, "one of PyTorch and one of MindSpore are compared"),
    (("compare", "torch.rec", "other.rec"), 1, "none in common; record the same ones"),
    (("compare", "torch.rec", "net:make"), 2, "two recordings, or two factories"),
    (("compare", "torch.rec", "ms.rec", "--steps", "x"), 2, '--steps "x": numbers between commas'),
    (("record", "net", "-o", "out"), 1, "net: name a module and what makes the model"),
    (("record", "gone:make", "-o", "out"), 1, "gone:make: raised ModuleNotFoundError"),
    (("record", "gone.py:make", "-o", "out"), 1, "gone.py: no such file"),
    (("record", "net.py:other", "-o", "out"), 1, "has no function or class other; it has make"),
    (("record", "net.py:make", "-o", "out"), 1, "raised ValueError: no width"),
    (("record", "net.py:five", "-o", "out"), 1, "int is no model"),
    (("record", "net.py:make", "-o", "out", "--train", "t", "--inputs", "x.npz"), 2,
     "--inputs and --train"),
)  # fmt: skip


@pytest.mark.parametrize(("arguments", "status", "said"), BAD, ids=[" ".join(b[0]) for b in BAD])
def test_what_is_wrong_is_one_sentence(
    arguments: tuple[str, ...], status: int, said: str, tmp_path: Path, run: Run
) -> None:
    recorded(tmp_path / "other.rec", "mindspore", "fc", 1.0, step=7)
    code = "def make():\n    raise ValueError('no width')\n\n\ndef five():\n    return 5\n"
    (tmp_path / "net.py").write_text(code, "utf-8")
    done = run(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (status, "", 1)
    assert said in done.err


def test_a_layer_that_is_a_function_on_the_other_side_has_a_partner(
    tmp_path: Path, run: Run
) -> None:
    recorded(tmp_path / "ms.rec", "mindspore", "fc", 1.0)
    for name, call in (
        ("torch.rec", {"layer": True, "path": "relu", "name": "torch.nn.ReLU"}),
        ("ms.rec", {"layer": False, "path": "", "name": "mindspore.ops.relu"}),
    ):
        path = tmp_path / name / "recording.json"
        told = json.loads(path.read_text("utf-8"))
        if call["layer"]:
            more = {"path": "relu", "name": "torch.nn.ReLU", "base": "torch.nn.ReLU"}
            told["layers"].append(told["layers"][0] | more)
        step = told["steps"][0]
        step["calls"].append(step["calls"][0] | call | {"ended": 1})
        path.write_text(json.dumps(told), "utf-8")
    assert run("compare", "torch.rec", "ms.rec").out.startswith("agrees: ")
