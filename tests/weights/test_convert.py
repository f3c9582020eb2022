"""Files made of other files: what is told of them, and what is never half written."""

from __future__ import annotations

import json
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from msmap.errors import WeightsError
from msmap.model import State
from msmap.weights import ckpt, contents, drafts, reasons, torch_write
from msmap.weights.carry import Named
from msmap.weights.convert import Asked, convert
from msmap.weights.drafts import Said
from msmap.weights.layers import Cells, Slot, Table
from msmap.weights.states import States
from msmap.weights.tensors import Held, held

CONV = (State("weight", "weight", "value[:, :, None, :]", None, "value[:, :, 0, :]"),)
NORM = (
    State("weight", "gamma", "value", None),
    State("bias", "beta", "value", None),
    State("num_batches_tracked", None, "value", None),
)
STATES = States(
    {
        "torch.nn.Conv1d": {"mindspore.nn.Conv1d": CONV},
        "torch.nn.LayerNorm": {"mindspore.nn.LayerNorm": NORM, "mindspore.mint.nn.LayerNorm": ()},
    }
)
LAYERS = {"conv": "torch.nn.Conv1d", "blocks.*.norm": "torch.nn.LayerNorm", "": "torch.nn.Module"}


def tensor(*shape: int) -> Held:
    return held(np.arange(float(np.prod(shape)), dtype=np.float32).reshape(shape))


TENSORS = {
    "conv.weight": tensor(2, 3, 5),
    "conv.bias": tensor(2),
    "blocks.0.norm.weight": tensor(4),
    "blocks.0.norm.bias": tensor(4),
    "blocks.0.norm.num_batches_tracked": tensor(),
    "scale": tensor(1),
}


@pytest.fixture
def net(tmp_path: Path) -> Path:
    torch_write.write(tmp_path / "net.pt", TENSORS)
    return tmp_path / "net.pt"


def asked(source: Path, to: str, **others: Any) -> Asked:
    return Asked(source, source.with_name(to), said=Said(Table(LAYERS)), **others)


@pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])
def test_names_and_shapes_follow_from_the_layers_and_come_back(suffix: str, net: Path) -> None:
    done = convert(asked(net, f"net.{suffix}"), STATES)
    assert {name: one.shape for name, one in done.mindspore.items()} == {
        "conv.weight": (2, 3, 1, 5), "conv.bias": (2,), "blocks.0.norm.gamma": (4,),
        "blocks.0.norm.beta": (4,), "scale": (1,),
    }  # fmt: skip
    assert [one.name for one in done.report.dropped] == ["blocks.0.norm.num_batches_tracked"]
    assert done.report.is_whole
    back = convert(asked(net.with_name(f"net.{suffix}"), "back.pt", back=True), STATES)
    assert back.report.is_whole
    found = contents.read(net.with_name("back.pt")).tensors
    assert {n: one.read().tolist() for n, one in found.items()} == {
        n: one.read().tolist() for n, one in TENSORS.items() if "tracked" not in n
    }


def cells(**slots: tuple[int, ...]) -> Cells:
    """A network with such parameters."""
    named = {name.replace("__", "."): shape for name, shape in slots.items()}
    return Cells(
        {"conv": "mindspore.nn.Conv1d", "blocks.0.norm": "mindspore.nn.LayerNorm"},
        {name: Slot(name, name, "float32", shape, False) for name, shape in named.items()},
    )


def test_what_has_no_place_and_what_has_no_value_is_listed(net: Path) -> None:
    there = cells(
        conv__weight=(2, 3, 1, 5), blocks__0__norm__gamma=(8,), blocks__0__norm__beta=(4,),
        scales=(1,), more=(2,),
    )  # fmt: skip
    report = convert(asked(net, "net.ckpt", cells=there), STATES).report
    assert [one.mindspore for one in report.placed] == ["conv.weight", "blocks.0.norm.beta"]
    assert {one.name: (one.reason.en, one.nearest) for one in report.unplaced} == {
        "conv.bias": (
            "MindSpore's model has no conv.bias: is an argument such as has_bias missing, or does "
            "the layer have another name?",
            ("conv.weight",),
        ),
        "blocks.0.norm.weight": (
            "blocks.0.norm.gamma has shape [8] there, and this one [4]",
            (),
        ),
        "scale": (
            "MindSpore's model has no scale: is an argument such as has_bias missing, or does the "
            "layer have another name?",
            ("scales",),
        ),
    }
    assert {one.name: one.nearest for one in report.unset} == {
        "blocks.0.norm.gamma": ("blocks.0.norm.weight",), "scales": ("scale",), "more": (),
    }  # fmt: skip
    assert not report.is_whole


# Of a model that isn't there, its layers, its own tensors; the file besides; what stays there, and
# what is said of the optimizer's state.
TRAINED: dict[str, tuple[str, list[str], str]] = {
    "Adam": (
        "global_step learning_rate beta1_power moment1.conv.weight moment2.conv.weight",
        [], "global_step, learning_rate, beta1_power, moment1.*, moment2.*",
    ),
    "SGD": ("accum.scale stat.scale momentum", [], "accum.*, stat.*, momentum"),
    "ASGD": ("ax_.scale mu_scale", [], "ax_.*, mu_*"),
    "scaled losses": ("scale_sense loss_scale", [], "scale_sense, loss_scale"),
    "numbers": ("epoch lr best_acc epoch_num", ["epoch", "lr", "best_acc", "epoch_num"], ""),
}  # fmt: skip


@pytest.mark.parametrize("name", TRAINED)
def test_an_optimizers_state_and_numbers_are_left_out_on_the_way_back(
    name: str, tmp_path: Path
) -> None:
    more, left, said = TRAINED[name]
    model = {"conv.weight": tensor(2, 3, 1, 5), "scale": tensor(1), "logit_scale": tensor()}
    file = tmp_path / "train.ckpt"
    ckpt.write(file, model | {one: tensor() for one in more.split()})
    report = convert(asked(file, "net.pt"), STATES).report
    assert sorted(contents.read(tmp_path / "net.pt").tensors) == sorted(model)
    assert (list(report.left), report.is_whole) == (left, True)
    notes = [one.en for one in report.notes if "optimizer" in one.en]
    expected = f"left out, as an optimizer's state: {said}; `--optimizer {file}` carries it over"
    assert notes == ([expected] if said else [])


def test_what_the_mapping_names_is_the_models(tmp_path: Path) -> None:
    ckpt.write(tmp_path / "train.ckpt", {"scale": tensor(1), "lr": tensor()})
    said = Said(Table(LAYERS), {"lr": Named("lr")})
    convert(Asked(tmp_path / "train.ckpt", tmp_path / "net.pt", said=said), STATES)
    assert list(contents.read(tmp_path / "net.pt").tensors) == ["scale", "lr"]


def test_a_weight_that_is_computed_has_no_place(tmp_path: Path) -> None:
    torch_write.write(tmp_path / "net.pt", {"conv.weight_g": tensor(2), "conv.bias": tensor(2)})
    report = convert(asked(tmp_path / "net.pt", "net.ckpt"), STATES).report
    assert [(one.name, one.reason) for one in report.unplaced] == [
        ("conv.weight_g", reasons.REPLACED)
    ]


def test_a_layer_that_nobody_knows_is_listed(net: Path) -> None:
    known = Asked(net, net.with_name("net.ckpt"), said=Said(Table({"conv": "torch.nn.Conv1d"})))
    report = convert(known, STATES).report
    assert [one.name for one in report.unplaced] == [
        "blocks.0.norm.weight", "blocks.0.norm.bias", "blocks.0.norm.num_batches_tracked",
    ]  # fmt: skip


MAPPING = """
layers:
  conv: torch.nn.Conv1d
  "blocks.*.norm": torch.nn.LayerNorm
  "": torch.nn.Module
paths: {blocks.0: encoder.first}
tensors:
  conv.bias: {mindspore: shift, value: "value[:1]"}
  scale: null
"""


def test_a_mapping_file_says_what_else_is_so(net: Path) -> None:
    path = net.with_name("net.yaml")
    path.write_text(MAPPING, encoding="utf-8")
    done = convert(Asked(net, net.with_name("net.ckpt"), mapping=path), STATES)
    assert {name: one.shape for name, one in done.mindspore.items()} == {
        "conv.weight": (2, 3, 1, 5), "shift": (1,), "encoder.first.norm.gamma": (4,),
        "encoder.first.norm.beta": (4,),
    }  # fmt: skip


def test_a_draft_says_what_is_guessed_and_is_read_again(net: Path) -> None:
    torch_write.write(
        net,
        {**TENSORS, "blocks.1.norm.weight": tensor(4), "head.weight": TENSORS["scale"],
         "tail.weight": TENSORS["scale"]},
    )  # fmt: skip
    found = contents.read(net)
    text, count = drafts.draft(found, drafts_model())
    net.with_name("net.yaml").write_text(text, encoding="utf-8")
    again = drafts.read(net.with_name("net.yaml"))
    assert {path: again.layers.kind(path) for path in ("conv", "", "head", "tail")} == {
        "conv": "torch.nn.Conv1d", "": "torch.nn.Module", "head": None, "tail": None,
    }  # fmt: skip
    marked = [line for line in text.splitlines() if line.startswith("  ") and "#" in line]
    assert count == len(marked)


def drafts_model() -> Any:
    from msmap.weights.carry import Model

    return Model(Table({}), STATES)


THEIRS = [
    {"conv.weight": "conv.weight", "conv.bias": "conv.bias", "blocks.0.norm.weight": "gamma",
     "blocks.0.norm.bias": "beta", "blocks.0.norm.num_batches_tracked": "count", "scale": "scale"},
    {"conv.weight": "troubleshooter.migrator.mapping_relation.weight_adapter."
     "trans_conv1d_weight_value"},
]  # fmt: skip


def test_a_weight_map_of_troubleshooter_is_read_and_written(net: Path) -> None:
    path = net.with_name("map.json")
    path.write_text(json.dumps(THEIRS), encoding="utf-8")
    done = convert(Asked(net, net.with_name("net.ckpt"), mapping=path), STATES)
    assert {name: one.shape for name, one in done.mindspore.items()} == {
        "conv.weight": (2, 3, 1, 5), "conv.bias": (2,), "gamma": (4,), "beta": (4,), "count": (),
        "scale": (1,),
    }  # fmt: skip
    from msmap.weights.carry import Model

    drafts.write(path, contents.read(net), Model(Table(LAYERS), STATES))
    names, functions = json.loads(path.read_text("utf-8"))
    assert (names["blocks.0.norm.weight"], functions) == ("blocks.0.norm.gamma", THEIRS[1])


BAD_MAPPINGS = {
    "net.yaml": {
        "layers: [": "is no yaml: while parsing",
        "- a": "has no mapping: `msmap weights FILE --draft",
        "layer: {}": "layer: one of layers, paths, tensors, tied",
        "layers: [a]": "layers: lines of `name: value`",
        "layers: {a: 3}": "layers: a: a class such as torch.nn.Conv2d",
        "tensors: {a: 3}": "tensors: a: a name in MindSpore, null, or mindspore, value, back",
        "tensors: {conv.bias: {value: '__import__(\"os\").getcwd()'}}": "of `value` only slices",
        "tensors: {conv.bias: {value: 'value.reshape(7)'}}": "tensor conv.bias [2]: value.reshape",
    },
    "net.json": {
        "{": "is no json",
        "[1]": "is no weight map",
        '[{"scale": "s"}, {"scale": "os.system"}]': "scale: os.system can't be run",
    },
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in BAD_MAPPINGS.items() for text in texts]
)
def test_what_is_no_mapping_is_told(name: str, text: str, net: Path) -> None:
    path = net.with_name(name)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WeightsError) as caught:
        convert(Asked(net, net.with_name("net.ckpt"), mapping=path, said=Said(Table({}))), STATES)
    assert BAD_MAPPINGS[name][text] in str(caught.value)
    assert not net.with_name("net.ckpt").exists()


def test_names_that_collide_are_told(net: Path) -> None:
    path = net.with_name("net.yaml")
    path.write_text("tensors: {scale: one, conv.bias: one}", encoding="utf-8")
    with pytest.raises(WeightsError, match=r"tensors conv\.bias and scale would both be one: say"):
        convert(Asked(net, net.with_name("net.ckpt"), mapping=path), STATES)


def test_a_checkpoint_of_another_model_is_told(net: Path) -> None:
    there = cells(other=(1,))
    with pytest.raises(WeightsError, match=r"no tensor found its place; conv\.weight \[2, 3"):
        convert(asked(net, "net.ckpt", cells=there), STATES)
    assert not net.with_name("net.ckpt").exists()


@pytest.mark.parametrize(
    ("to", "said"), [("net.h5", "a suffix of .pt"), ("folder.pt", "is a folder: name the file")]
)
def test_where_nothing_can_be_written_is_told(to: str, said: str, net: Path) -> None:
    net.with_name("folder.pt").mkdir()
    with pytest.raises(WeightsError, match=said):
        convert(asked(net, to), STATES)


@contextmanager
def small() -> Iterator[None]:
    """No file may have more than 256 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (256, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("to", ["net.ckpt", "net.safetensors", "net.pth"])
def test_a_full_disk_leaves_the_file_as_it_was(to: str, net: Path) -> None:
    path = net.with_name(to)
    path.write_bytes(b"before")
    with pytest.raises(OSError, match="too large") as caught, small():
        convert(asked(net, to), STATES)
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"before"
    assert sorted(one.name for one in net.parent.iterdir()) == sorted(["net.pt", to])


def test_a_file_may_take_its_own_place(net: Path) -> None:
    torch_write.write(net, TENSORS)
    convert(asked(net, "net.pt", back=False), STATES)
    assert "blocks.0.norm.gamma" in contents.read(net).tensors


def test_a_bit_that_turned_is_told_and_nothing_is_written(net: Path, tmp_path: Path) -> None:
    content = bytearray(net.read_bytes())
    content[bytes(content).index(TENSORS["conv.weight"].read().tobytes()) + 7] ^= 4
    net.write_bytes(content)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(WeightsError, match=r"net\.pt: the values of tensor conv\.weight aren't"):
        convert(asked(net, "net.ckpt"), STATES)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
