"""Dumps of msProbe's, as its documentation describes them, are recordings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from msmap.compare import judge, layer_mapping, reading
from msmap.errors import BadRecording
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import compare as comparing
from msmap.query.projects.compare import RecordFacts
from msmap.weights import torch_write
from msmap.weights.tensors import held

NAMES = {
    "pytorch": ("Module", "Linear", "fc", "torch.Tensor", "torch.float32", "Functional"),
    "mindspore": ("Cell", "Dense", "dense", "mindspore.Tensor", "Float32", "Mint"),
}


@pytest.fixture(scope="module")
def facts(shipped: Path) -> Iterator[RecordFacts]:
    with KnowledgeBase.open(shipped) as kb:
        yield comparing.facts(kb)


class Dump:
    """A dump being written: a block with a linear layer, and a function between."""

    def __init__(self, folder: Path, framework: str, task: str) -> None:
        self.folder, self.framework, self.task = folder, framework, task
        self.prefix, self.layer, self.name, self.type, self.dtype, self.space = NAMES[framework]
        (folder / "dump_tensor_data").mkdir(parents=True)

    def tensor(self, name: str, array: Any) -> dict[str, Any]:
        array = np.asarray(array, np.float32)
        told = {
            "type": self.type, "dtype": self.dtype, "shape": list(array.shape),
            "Max": float(array.max()), "Min": float(array.min()), "Mean": float(array.mean()),
            "Norm": float(np.linalg.norm(array)),
        }  # fmt: skip
        if self.task == "tensor":
            told["data_name"] = f"{name}.{'pt' if self.framework == 'pytorch' else 'npy'}"
            path = self.folder / "dump_tensor_data" / str(told["data_name"])
            if self.framework == "pytorch":
                torch_write.write(path, held(array))
            else:
                np.save(path, array)
        return told

    def write(self, factor: float = 1.0, level: str = "mix") -> None:
        block = f"{self.prefix}.block.Block"
        layer = f"{self.prefix}.block.{self.name}.{self.layer}"
        function = f"{self.space}.relu.0"
        x, y, z = np.ones((2, 3)), np.full((2, 4), -2.0 * factor), np.full((2, 4), factor)
        weight = np.arange(12).reshape(4, 3)

        def given(key: str, one: Any, other: Any) -> dict[str, Any]:
            return {
                "input_args": [self.tensor(f"{key}.input.0", one), {"type": "int", "value": 3}],
                "input_kwargs": {},
                "output": [self.tensor(f"{key}.output.0", other)],
            }

        data = {
            f"{block}.forward.0": given(f"{block}.forward.0", x, z),
            f"{layer}.forward.0": given(f"{layer}.forward.0", x, y)
            | {"parameters": {"weight": self.tensor(f"{layer}.parameters.weight", weight)}},
            f"{function}.forward": given(f"{function}.forward", y, z),
            f"{layer}.parameters_grad.0": {
                "weight": [self.tensor(f"{layer}.parameters_grad.0.weight", weight * factor)]
            },
            f"{layer}.backward.0": {
                "input": [self.tensor(f"{layer}.backward.0.input.0", y)],
                "output": [self.tensor(f"{layer}.backward.0.output.0", x)],
            },
        }
        parents = {
            f"{block}.forward.0": None, f"{layer}.forward.0": f"{block}.forward.0",
            f"{function}.forward": f"{block}.forward.0", f"{layer}.backward.0": None,
        }  # fmt: skip
        if level == "L1":
            data = {key: one for key, one in data.items() if key.startswith(self.space)}
        told = {
            "task": self.task, "level": level, "framework": self.framework,
            "dump_data_dir": str(self.folder / "dump_tensor_data"), "data": data,
        }  # fmt: skip
        (self.folder / "dump.json").write_text(json.dumps(told), "utf-8")
        (self.folder / "construct.json").write_text(json.dumps(parents), "utf-8")


def dumped(folder: Path, framework: str, task: str, factor: float = 1.0) -> Path:
    Dump(folder / framework / "step0" / "rank0", framework, task).write(factor)
    # What only prepares data has no rank.
    other = folder / framework / "step0" / "proc7"
    other.mkdir()
    (other / "dump.json").write_text("{}", "utf-8")
    return folder / framework


def test_a_dump_is_a_recording(tmp_path: Path) -> None:
    found = reading.read(dumped(tmp_path, "pytorch", "tensor"))
    (step,) = found.steps
    assert [(c.layer, c.path or c.name, c.inside, c.ended, c.arguments) for c in step.calls] == [
        (True, "block", None, 2, {}),
        (True, "block.fc", 0, 0, {}),
        (False, "torch.nn.functional.relu", 0, 1, {"1": 3}),
    ]
    assert [(one.path, one.own, one.state) for one in found.layers] == [
        ("block", True, {}), ("block.fc", False, {"weight": (4, 3)}),
    ]  # fmt: skip
    given, gave = (step.tensors[at] for _, at in (*step.calls[1].inputs, *step.calls[1].outputs))
    gradients = gave.gradient, given.gradient, step.gradients["block.fc.weight"]
    values = [found.value(one).ravel()[-1] for one in (given, gave, *filter(None, gradients))]
    assert values == [1.0, -2.0, -2.0, 1.0, 11.0]


@pytest.mark.parametrize("task", ["tensor", "statistics"])
def test_dumps_of_both_sides_are_compared(task: str, tmp_path: Path, facts: RecordFacts) -> None:
    one = reading.read(dumped(tmp_path, "pytorch", task))
    same = judge.compare(one, reading.read(dumped(tmp_path / "a", "mindspore", task)), facts)
    assert ([f.en for f in same.findings], same.verdict) == ([], "agrees")
    other = reading.read(dumped(tmp_path / "b", "mindspore", task, factor=1.5))
    found = judge.compare(one, other, facts)
    assert (found.verdict, found.findings[0].stage) == ("differs", "forward")
    assert (found.findings[0].torch, found.findings[0].mindspore) == ("block.fc", "block.dense")


def test_the_layers_are_mapped_for_msprobe(tmp_path: Path, facts: RecordFacts) -> None:
    one, other = (reading.read(dumped(tmp_path, side, "statistics")) for side in NAMES)
    assert layer_mapping.text(one, other, facts) == "Block:\n  dense: fc\n"


def test_what_is_no_whole_dump_is_told(tmp_path: Path) -> None:
    folder = dumped(tmp_path, "pytorch", "tensor")
    head = folder / "step0" / "rank0" / "dump.json"
    values = head.parent / "dump_tensor_data" / "Module.block.fc.Linear.forward.0.output.0.pt"
    values.write_bytes(values.read_bytes()[:100])
    found = reading.read(folder)
    with pytest.raises(BadRecording, match=r"output\.0\.pt: no array can be read from it"):
        found.value(found.steps[0].tensors[found.steps[0].calls[1].outputs[0][1]])
    (head.parent / "construct.json").write_text("[1]", "utf-8")
    with pytest.raises(BadRecording, match="not as msProbe writes it"):
        reading.read(folder)
    head.write_text(head.read_text("utf-8")[:300], "utf-8")
    with pytest.raises(BadRecording, match="not as msProbe writes it"):
        reading.read(folder)
    Dump(tmp_path / "api", "pytorch", "statistics").write(level="L1")
    with pytest.raises(BadRecording, match=r"no modules in it \(level L1\)"):
        reading.read(tmp_path / "api")
