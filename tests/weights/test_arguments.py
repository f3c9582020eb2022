"""Files of weights fit what `msmap port` writes, whose classes depend on arguments."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from msmap.query.base.states import states
from msmap.query.knowledge_base import KnowledgeBase
from msmap.weights.arguments import Made, kept, may_be_layer

CIRCULAR = ("padding_mode", "'circular'")
# A layer, the ways in which it may be made, and the classes that it becomes.
CHOSEN: dict[str, tuple[str, list[Made], list[str]]] = {
    "as usual": ("torch.nn.Conv1d", [Made(("4", "4", "3"))], ["mindspore.nn.Conv1d"]),
    "one argument": (
        "torch.nn.Conv1d", [Made(("4", "4", "3"), (CIRCULAR,))], ["mindspore.mint.nn.Conv1d"],
    ),
    "what isn't known": (
        "torch.nn.Conv1d", [Made(("4", "4", "3"), (("padding_mode", "mode"),))],
        ["mindspore.mint.nn.Conv1d"],
    ),
    "what no constructor takes": (
        "torch.nn.Conv1d", [Made((), (("in_channels", "4"), ("out_channels", "4"),
                                     ("kernel_size", "3"), ("transposed", "False")))],
        ["mindspore.nn.Conv1d"],
    ),
    "two ways": (
        "torch.nn.Conv1d", [Made(("4", "4", "3")), Made(("4", "4", "3"), (CIRCULAR,))],
        ["mindspore.nn.Conv1d", "mindspore.mint.nn.Conv1d"],
    ),
    "two ways with one state": ("torch.nn.Linear", [Made(("4", "4")), Made(("4", "8"))], [""]),
    "not told": ("torch.nn.Embedding", [], [""]),
}  # fmt: skip


@pytest.mark.parametrize("name", CHOSEN)
def test_the_class_is_the_one_that_a_port_writes(name: str, shipped: Path) -> None:
    torch, made, expected = CHOSEN[name]
    with KnowledgeBase.open(shipped) as kb:
        assert states(kb).of_calls(torch, made) == expected


def test_a_layer_keeps_arguments() -> None:
    attributes = {"kernel_size": (3,), "stride": (1, 2), "padding_mode": "zeros", "fn": len,
                  "_parameters": {"bias": None}}  # fmt: skip
    assert kept(attributes) == Made(
        (),
        (("kernel_size", "3"), ("stride", "(1, 2)"), ("padding_mode", "'zeros'"),
         ("bias", "False")),
    )  # fmt: skip


NETS = """
import torch
from torch import nn


class Table(nn.Embedding):
    pass


class Norm(nn.LayerNorm):
    pass


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.norm, self.scale = Table(9, 4), Norm(4), Scale()
        self.conv = nn.Conv1d(4, 4, 3, padding=1, padding_mode="circular")
        self.usual = nn.Conv1d(4, 4, 3, padding=1, padding_mode="zeros")
        self.short = nn.Embedding(9, 4, max_norm=1.0)
        self.unbiased = nn.LayerNorm(4, bias=False)
        self.batch = nn.BatchNorm1d(4, momentum=None)
"""
SAVED = """
import sys
sys.path.insert(0, sys.argv[1])
import torch, nets
torch.save(nets.Net().state_dict(), sys.argv[1] + "/net.pt")
torch.save(nets.Net(), sys.argv[1] + "/whole.pt")
"""
SHAPES = """
import json, sys
sys.path.insert(0, sys.argv[1])
import ported
net = ported.Net()
named = [*net.parameters_dict().items(), *net.named_buffers()]
print(json.dumps({name: list(one.shape) for name, one in named}))
"""
CLI = "import sys; from msmap_cli.main import main; sys.exit(main())"
# How a file is carried over, and what of it has no place.
WAYS = {
    "with the model": (["net.pt", "--model", "nets.py:Net"], []),
    "with its source": (["net.pt", "--source", "nets.py:Net"], []),
    # Which layers own classes come from isn't in the file.
    "saved whole": (["whole.pt"], ["table", "norm"]),
    "saved whole, and its source": (["whole.pt", "--source", "nets.py:Net"], []),
}


def run(*command: str, folder: Path, codes: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode in codes, done.stderr[-2000:] + done.stdout[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model, its checkpoints, its port, and the shapes of what that holds."""
    made = tmp_path_factory.mktemp("made")
    (made / "nets.py").write_text(dedent(NETS), encoding="utf-8")
    (made / "ported.py").write_text(dedent(NETS), encoding="utf-8")
    run("-c", SAVED, str(made), folder=made)
    run("-c", CLI, "port", "ported.py", "--write", "--dirty", folder=made, codes=(0, 1))
    (made / "shapes.json").write_text(
        run("-c", SHAPES, str(made), folder=made).splitlines()[-1], encoding="utf-8"
    )
    return made


@pytest.mark.frameworks
@pytest.mark.parametrize("way", WAYS)
def test_weights_fit_what_the_port_of_the_model_holds(way: str, folder: Path) -> None:
    arguments, open_ = WAYS[way]
    made = run(
        "-c", CLI, "weights", *arguments, "--to", "net.ckpt", "--format", "json",
        folder=folder, codes=(1,) if open_ else (0,),
    )  # fmt: skip
    report = json.loads(made)
    expected = json.loads((folder / "shapes.json").read_text("utf-8"))
    assert {one["mindspore"]: one["shape"] for one in report["placed"]} == {
        name: shape for name, shape in expected.items() if name.split(".")[0] not in open_
    }
    assert sorted({one["name"].split(".")[0] for one in report["unplaced"]}) == sorted(open_)


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("num_embeddings embedding_dim padding_idx max_norm norm_type sparse weight", True),
        ("num_embeddings embedding", False),
        ("normalized_shape eps elementwise_affine", True),
        ("eps weight training", False),
    ],
)
def test_what_an_own_class_keeps_says_what_it_may_come_from(
    attributes: str, expected: bool
) -> None:
    assert may_be_layer(dict.fromkeys(attributes.split())) is expected
