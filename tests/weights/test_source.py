"""The layers of a model as its source says, which is read and not run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from msmap.errors import WeightsError
from msmap.query.knowledge_base import KnowledgeBase
from msmap.weights import source
from msmap.weights.arguments import Made
from msmap.weights.tensors import Held, held

HEAD = """
from collections import OrderedDict
from functools import partial
import copy
import torch
from torch import nn
import torch.nn as tnn

raise SystemExit("this is not run")
"""


@pytest.fixture(scope="module")
def facts(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


def tensor(*shape: int) -> Held:
    return held(np.zeros(shape, np.float32))


def kinds(code: str, paths: str, folder: Path, facts: KnowledgeBase, **tensors: Held) -> list[str]:
    """The class of each layer, without `torch.nn.`; ? where none is known, `.` is the model."""
    (folder / "net.py").write_text(HEAD + dedent(code), encoding="utf-8")
    named = {name.replace("__", "."): one for name, one in tensors.items()}
    found = source.read(f"{folder / 'net.py'}:Net", facts, named)
    asked = [found.kind(path.strip(".")) for path in paths.split()]
    return [(kind or "?").removeprefix("torch.nn.") for kind in asked]


def net(body: str, arguments: str = "", base: str = "nn.Module", before: str = "") -> str:
    """A class with that in its constructor."""
    lines = "\n".join(f"        {line}" for line in dedent(body).strip().splitlines())
    made = f"class Net({base}):\n    def __init__(self{arguments}):\n        super().__init__()\n"
    return f"{dedent(before)}\n{made}{lines}\n"


BLOCK = """
class Block(nn.Module):
    def __init__(self, width, norm=nn.LayerNorm, down=None):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.norm = norm(width)
        self.down = down

def conv(a, b):
    return nn.Conv2d(a, b, 3)
"""
# What a constructor does, the layers asked for, and their classes.
CASES: dict[str, tuple[str, str, list[str]]] = {
    "layers": (
        net("self.a = nn.Linear(3, 2)\nself.b = tnn.Conv1d(3, 2, 1)\nself.c = torch.nn.PReLU()"),
        "a b c d", ["Linear", "Conv1d", "PReLU", "?"],
    ),
    "several at once": (
        net("self.a, self.b = nn.Linear(3, 2), nn.PReLU()"), "a b", ["Linear", "PReLU"],
    ),
    "the model itself": (net("pass", base="nn.LayerNorm"), ". x", ["LayerNorm", "?"]),
    "own classes": (
        net("self.block = Block(8)", before=BLOCK), "block block.fc block.norm",
        ["Module", "Linear", "LayerNorm"],
    ),
    "arguments": (
        net("self.a = Block(8, nn.BatchNorm1d)\nself.b = Block(8, norm=partial(nn.GroupNorm, 2))",
            before=BLOCK),
        "a.norm b.norm", ["BatchNorm1d", "GroupNorm"],
    ),
    "layers as arguments": (
        net("down = nn.Sequential(conv(3, 4), nn.BatchNorm2d(4))\nself.a = Block(8, down=down)",
            before=BLOCK),
        "a.down.0 a.down.1", ["Conv2d", "BatchNorm2d"],
    ),
    "functions": (net("self.a = conv(3, 4)", before=BLOCK), "a", ["Conv2d"]),
    "sequences": (
        net("self.a = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), Block(2))", before=BLOCK),
        "a.0 a.1 a.2.fc a.3", ["Linear", "ReLU", "Linear", "?"],
    ),
    "named sequences": (
        net('self.a = nn.Sequential(OrderedDict([("x", nn.Linear(3, 2)), ("y", nn.PReLU())]))'),
        "a.x a.y", ["Linear", "PReLU"],
    ),
    "lists": (
        net("self.a = nn.ModuleList([Block(8) for _ in range(3)])", before=BLOCK),
        "a.0.norm a.17.fc", ["LayerNorm", "Linear"],
    ),
    "lists that grow": (
        net("""
            self.a = nn.ModuleList()
            for _ in range(3):
                self.a.append(nn.Linear(3, 2))
            rest = []
            rest += [nn.Conv1d(3, 2, 1)]
            self.b = nn.Sequential(*rest)
        """),
        "a.2 b.0", ["Linear", "Conv1d"],
    ),
    "dictionaries": (
        net('self.a = nn.ModuleDict({"x": nn.Linear(3, 2)})\n'
            "self.b = nn.ModuleDict({str(n): nn.PReLU() for n in range(2)})"),
        "a.x b.1", ["Linear", "PReLU"],
    ),
    "names that are made": (
        net('for n in range(2):\n    setattr(self, f"layer{n}", nn.Linear(3, 2))\n'
            'self.add_module("last", nn.PReLU())'),
        "layer1 last", ["Linear", "PReLU"],
    ),
    "a sequence of its own": (
        net("super().__init__(nn.Linear(3, 2), nn.PReLU())", base="nn.Sequential"),
        "0 1", ["Linear", "PReLU"],
    ),
    "copies": (
        net("self.a = nn.Linear(3, 2)\nb = Block(8)\nself.b = copy.deepcopy(b)", before=BLOCK),
        "a b.fc", ["Linear", "Linear"],
    ),
    "a default for None": (
        net("norm = norm or nn.LayerNorm\nself.a = norm(8)", ", norm=None"), "a", ["LayerNorm"],
    ),
    "PyTorch's own layers": (
        net("layer = nn.TransformerEncoderLayer(8, 2)\nself.a = nn.TransformerEncoder(layer, 2)"),
        "a.layers.1 a.layers.1.linear1 a.layers.0.self_attn.out_proj",
        ["TransformerEncoderLayer", "Linear", "Linear"],
    ),
    "what nobody knows": (
        net("self.a = norm(8)\nself.b = make(8)\nself.c = nn.Sequential(*given)",
            ", norm, given", before="from elsewhere import make"),
        "a b c.0", ["?", "?", "?"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_constructor_says_what_a_model_holds(
    name: str, tmp_path: Path, facts: KnowledgeBase
) -> None:
    code, paths, expected = CASES[name]
    assert kinds(code, paths, tmp_path, facts) == expected


def test_tensors_decide_where_the_source_leaves_several(
    tmp_path: Path, facts: KnowledgeBase
) -> None:
    code = net("""
        layers = []
        for width in (3, 4):
            layers += [nn.Linear(width, 4), nn.BatchNorm1d(4), nn.ReLU()]
        self.a = nn.Sequential(*layers)
        self.up = nn.Upsample() if width else nn.ConvTranspose2d(3, 2, 1)
    """)
    found = kinds(
        code, "a.0 a.1 a.2 up", tmp_path, facts, a__0__weight=tensor(4, 3),
        a__1__weight=tensor(4), a__1__running_mean=tensor(4), up__weight=tensor(3, 2, 1, 1),
    )  # fmt: skip
    assert found == ["Linear", "BatchNorm1d", "?", "ConvTranspose2d"]


MADE = net("""
self.a = nn.Conv1d(4, 4, 3, padding_mode=mode)
self.b = nn.Conv1d(4, 4, 3) if flag else nn.Conv1d(4, 4, 3, padding_mode="circular")
self.c = nn.Linear(3, 3)
self.d = nn.Embedding(5, 3, **more)
self.register_buffer("steps", torch.tensor(0))
self.scale = nn.Parameter(torch.ones(1))
self.e = nn.Linear(3, 5)
self.e.weight = self.d.weight
""", ", mode, flag")  # fmt: skip


def test_a_source_says_with_what_layers_are_made(tmp_path: Path, facts: KnowledgeBase) -> None:
    (tmp_path / "net.py").write_text(HEAD + MADE, encoding="utf-8")
    found = source.read(f"{tmp_path / 'net.py'}:Net", facts, {"d.weight": tensor(5, 3)})
    said = {path: found.made(path) for path in ("a", "b", "d")}
    circular = ("padding_mode", "'circular'")
    assert said == {
        "a": (Made(("4", "4", "3"), (("padding_mode", "mode"),)),),
        "b": (Made(("4", "4", "3")), Made(("4", "4", "3"), (circular,))),
        "d": (Made(),),
    }
    assert found.kind("b") == "torch.nn.Conv1d"
    assert {name: found.holds(name) for name in ("steps", "scale", "epoch")} == {
        "steps": True, "scale": True, "epoch": False,
    }  # fmt: skip
    assert list(found.ties) == [("d.weight", "e.weight")]


def test_classes_of_other_files_are_read_too(tmp_path: Path, facts: KnowledgeBase) -> None:
    (tmp_path / "blocks.py").write_text(HEAD + BLOCK, encoding="utf-8")
    code = net("self.block = blocks.Block(8)", before="import blocks")
    assert kinds(code, "block.norm", tmp_path, facts) == ["LayerNorm"]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("net.py", "net.py: a file and a class, such as net.py:Net"),
        ("net.py:Other", "FOLDER/net.py has no class Other: has Net"),
        ("none.py:Net", "FOLDER/none.py: there is no such file or folder"),
        ("broken.py:Net", "FOLDER/broken.py: not Python: invalid syntax"),
    ],
)
def test_what_is_no_class_is_told(
    place: str, expected: str, tmp_path: Path, facts: KnowledgeBase
) -> None:
    (tmp_path / "net.py").write_text(HEAD + net("pass"), encoding="utf-8")
    (tmp_path / "broken.py").write_text("class Net(:", encoding="utf-8")
    asked = place if ":" not in place else f"{tmp_path}/{place}"
    with pytest.raises(WeightsError) as caught:
        source.read(asked, facts, {})
    assert str(caught.value).replace(str(tmp_path), "FOLDER") == expected
