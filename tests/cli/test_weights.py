"""`msmap weights`: what it prints, writes and leaves with, where no framework is there."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.builders.commands import Run

from msmap.weights import contents, torch_write
from msmap.weights.tensors import held

NET = """
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 2, 5)
        self.norm = nn.BatchNorm1d(2)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(NET, encoding="utf-8")
    ones = {"conv.weight": (2, 3, 5), "norm.weight": (2,), "norm.running_mean": (2,)}
    tensors = {f"module.{name}": held(np.ones(s, np.float32)) for name, s in ones.items()}
    count = {"module.norm.num_batches_tracked": held(np.array(3))}
    torch_write.write(tmp_path / "net.pt", {"state_dict": {**tensors, **count}, "epoch": 3})
    torch_write.write(
        tmp_path / "lightning.pt", {"model.norm.weight": tensors["module.norm.weight"]}
    )
    return tmp_path


@pytest.fixture
def run(run: Run, shipped: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same on the database that has the records."""
    monkeypatch.setenv("MSMAP_DB", str(shipped))
    return run


ENGLISH = """\
net.pt → net.ckpt
  tensors placed: 3, without a place: 0
  taken from state_dict
  module. taken off all names
  left in the file: epoch
  what the other side's model would leave without a value isn't known: give it with --into

Placed
conv.weight\t→\tconv.weight\tfloat32 [2, 3, 1, 5]\tvalue[:, :, None, :]
norm.weight\t→\tnorm.gamma\tfloat32 [2]\t
norm.running_mean\t→\tnorm.moving_mean\tfloat32 [2]\t

Written once, or of no use
  norm.num_batches_tracked  MindSpore's counterpart of torch.nn.BatchNorm1d has none
"""
CHINESE = """\
net.pt → net.ckpt
  已放置的张量：3，未放置：0
  取自 state_dict
  所有名称去掉了前缀 module.
  文件中未使用：epoch
  不知道目标模型中还有哪些参数没有值：请用 --into 给出

已放置
conv.weight\t→\tconv.weight\tfloat32 [2, 3, 1, 5]\tvalue[:, :, None, :]
norm.weight\t→\tnorm.gamma\tfloat32 [2]\t
norm.running_mean\t→\tnorm.moving_mean\tfloat32 [2]\t

只写一次或无用处
  norm.num_batches_tracked  MindSpore 中与 torch.nn.BatchNorm1d 对应的层没有它
"""


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("language", "expected"), [("en", ENGLISH), ("zh", CHINESE)])
def test_it_tells_what_became_of_each_tensor(language: str, expected: str, run: Run) -> None:
    done = run("weights", "net.pt", "--to", "net.ckpt", "--source", "net.py:Net", "-l", language)
    assert done == (0, expected, "")
    assert sorted(contents.read(Path("net.ckpt")).tensors) == [
        "conv.weight", "norm.gamma", "norm.moving_mean",
    ]  # fmt: skip


def test_what_is_open_is_listed_first(folder: Path, run: Run) -> None:
    (folder / "net.yaml").write_text("layers: {norm: torch.nn.BatchNorm1d}", encoding="utf-8")
    done = run("weights", "net.pt", "--to", "net.ckpt", "--mapping", "net.yaml")
    assert done.status == 1
    assert done.out.splitlines()[1] == "  tensors placed: 2, without a place: 1"
    assert done.out.splitlines()[7:10] == [
        "Without a place",
        "  conv.weight float32 [2, 3, 5]",
        "    which layer it belongs to isn't known: give the model with --model, its source with "
        "--source, MindSpore's with --into, or write a line for it with --draft and --mapping",
    ]


@pytest.mark.usefixtures("folder")
def test_json_has_all_of_it(run: Run) -> None:
    done = run("weights", "net.pt", "--to", "net.ckpt", "--source", "net.py:Net", "-f", "json")
    found = json.loads(done.out)
    assert (found["prefix"], found["key"], found["left"]) == ("module.", "state_dict", ["epoch"])
    assert found["placed"][1] == {
        "torch": "norm.weight", "mindspore": "norm.gamma", "layer": "torch.nn.BatchNorm1d",
        "dtype": "float32", "shape": [2], "value": "", "note": None,
    }  # fmt: skip


@pytest.mark.usefixtures("folder")
def test_a_mapping_is_drafted_and_used(run: Run) -> None:
    done = run("weights", "net.pt", "--draft", "net.yaml")
    assert done == (0, "", "net.yaml: written; 2 lines to look at\n")
    done = run("weights", "net.pt", "--to", "net.ckpt", "--mapping", "net.yaml")
    assert (done.status, done.out.splitlines()[1]) == (0, "  tensors placed: 3, without a place: 0")


FAILS = {
    "net.pt": "--to FILE says what to write, or --draft FILE drafts a mapping",
    "none.pt --to net.ckpt": "none.pt: No such file or directory",
    "net.py --to net.ckpt": "net.py is no file of weights: neither of torch.save, nor safetensors, "
    "nor a checkpoint of MindSpore's",
    "net.pt --to net.txt": "net.txt: a suffix of .pt, .pth, .bin, .safetensors, .ckpt says how to "
    "write it",
    "net.pt --to net.ckpt --key ema": "net.pt has no weights under ema: has state_dict",
    "net.pt --to net.ckpt --strip head.": "net.pt: no name begins with module.head.",
    "lightning.pt --to net.ckpt --source net.py:Net": "lightning.pt: no tensor found its place; "
    "model.norm.weight [2]: which layer it belongs to isn't known: give the model with --model, "
    "its source with --source, MindSpore's with --into, or write a line for it with --draft and "
    "--mapping; with --strip model. it does",
    "net.pt --to net.ckpt --source net.py:Other": "net.py has no class Other: has Net",
    "net.pt --to net.ckpt --model nothing:Net": "nothing:Net: raised ModuleNotFoundError: No "
    "module named 'nothing'",
    "net.pt --to net.ckpt --model net.py": "net.py: name a module and what makes the model, such "
    "as nets:Net, nets.py:make or 'nets:Net(classes=10)'",
    "net.pt --to net.ckpt --model keyword:Net": "keyword:Net: keyword has no function or class "
    "Net; it has iskeyword, issoftkeyword",
    "net.pt --to net.ckpt --model json:JSONDecoder": "json:JSONDecoder makes an object of "
    "JSONDecoder, no torch.nn.Module",
    "net.pt --to net.ckpt --inputs float32[2]": "--inputs is for both models: give --model and "
    "--into",
    "net.pt --to net.ckpt --mapping none.yaml": "none.yaml: No such file or directory",
    "net.pt --to net.ckpt --source net.py:Net --optimizer o.ckpt": "net.pt has no state of an "
    "optimizer: leave --optimizer out",
    "net.pt --to net.ckpt": "net.pt: no tensor found its place; conv.weight [2, 3, 5]: which layer "
    "it belongs to isn't known: give the model with --model, its source with --source, MindSpore's "
    "with --into, or write a line for it with --draft and --mapping",
}  # fmt: skip


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("arguments", FAILS)
def test_what_fails_says_so_and_writes_nothing(arguments: str, run: Run) -> None:
    assert run("weights", *arguments.split()) == (2, "", f"msmap: {FAILS[arguments]}\n")
    assert not Path("net.ckpt").exists()
