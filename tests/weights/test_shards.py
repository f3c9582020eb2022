"""Weights in several files, and the groups of an optimizer: what no file says in one place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from msmap.errors import WeightsError
from msmap.weights import contents, safetensors, shards, torch_write
from msmap.weights.convert import Asked, convert
from msmap.weights.drafts import Said
from msmap.weights.layers import Table
from msmap.weights.spread import spread
from msmap.weights.states import States
from msmap.weights.tensors import Held, held


def tensor(value: float, *shape: int) -> Held:
    return held(np.full(shape, value, np.float32))


def saved(folder: Path, index: str = "model.safetensors.index.json") -> Path:
    """Two shards with their index."""
    writes = safetensors.write if "safetensors" in index else torch_write.write
    more = ({},) if "safetensors" in index else ()
    stem, _, suffix = index.removesuffix(".index.json").rpartition(".")
    names = [f"{stem}-0000{n}-of-00002.{suffix}" for n in (1, 2)]
    writes(folder / names[0], {"a.weight": tensor(1, 2, 3), "a.bias": tensor(2, 2)}, *more)
    writes(folder / names[1], {"b.weight": tensor(3, 4)}, *more)
    told = {"a.weight": names[0], "a.bias": names[0], "b.weight": names[1]}
    (folder / index).write_text(json.dumps({"metadata": {}, "weight_map": told}), "utf-8")
    return folder / index


@pytest.mark.parametrize(
    "index", ["model.safetensors.index.json", "pytorch_model.bin.index.json", "own.pt.index.json"]
)
@pytest.mark.parametrize("named", ["index", "folder"])
def test_shards_are_read_as_one(index: str, named: str, tmp_path: Path) -> None:
    path = saved(tmp_path, index)
    found = contents.read(path if named == "index" else tmp_path)
    values = {name: one.read().tolist() for name, one in found.tensors.items()}
    assert values == {
        "a.weight": [[1.0] * 3] * 2, "a.bias": [2.0] * 2, "b.weight": [3.0] * 4,
    }  # fmt: skip
    # Equal places in two files are no ties.
    assert found.ties == []


def written(folder: Path, to: str, most: int) -> list[str]:
    source = saved(folder)
    asked = Asked(source, folder / "out" / to, back=False, shard=most)
    asked.said = Said(Table({"a": "torch.nn.Linear", "b": "torch.nn.Linear"}))
    convert(asked, States())
    return sorted(path.name for path in (folder / "out").iterdir())


def test_shards_are_written_no_larger_than_asked(tmp_path: Path) -> None:
    assert written(tmp_path, "net.safetensors.index.json", 32) == [
        "net-00001-of-00002.safetensors", "net-00002-of-00002.safetensors",
        "net.safetensors.index.json",
    ]  # fmt: skip
    told = json.loads((tmp_path / "out" / "net.safetensors.index.json").read_text("utf-8"))
    assert told == {
        "metadata": {"total_size": 48},
        "weight_map": {
            "a.weight": "net-00001-of-00002.safetensors",
            "a.bias": "net-00001-of-00002.safetensors",
            "b.weight": "net-00002-of-00002.safetensors",
        },
    }
    again = contents.read(tmp_path / "out")
    assert {n: t.shape for n, t in again.tensors.items()} == {
        "a.weight": (2, 3), "a.bias": (2,), "b.weight": (4,),
    }  # fmt: skip


def test_shards_become_one_file(tmp_path: Path) -> None:
    assert written(tmp_path, "net.ckpt", 32) == ["net.ckpt"]


def test_nothing_is_written_if_one_shard_fails(tmp_path: Path) -> None:
    (tmp_path / "out" / "net-00002-of-00002.safetensors").mkdir(parents=True)
    with pytest.raises(OSError, match="net-00002-of-00002"):
        written(tmp_path, "net.safetensors.index.json", 32)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [
        "net-00002-of-00002.safetensors"
    ]


def changed(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    def made(folder: Path) -> None:
        path = folder / "model.safetensors.index.json"
        told = json.loads(path.read_text("utf-8"))
        change(told["weight_map"])
        path.write_text(json.dumps(told), "utf-8")

    return made


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "no JSON": (
        lambda f: (f / "model.safetensors.index.json").write_text("{", "utf-8"),
        "no index of shards: no weight_map in it",
    ),
    "of numbers": (changed(lambda m: m.update(x=3)), "weight_map isn't of names and files"),
    "elsewhere": (changed(lambda m: m.update(x="../x")), "../x is no name of a file beside it"),
    "gone": (changed(lambda m: m.update(x="x.safetensors")), "x.safetensors isn't there"),
    "no such tensor": (
        changed(lambda m: m.update(x=m["a.bias"])), "model-00001-of-00002.safetensors has no tensor"
    ),
    "no index": (
        lambda f: (f / "model.safetensors.index.json").unlink(), "is a folder with no index of"
    ),
    "several": (
        lambda f: [
            (f / "model.safetensors.index.json").rename(f / "a.pt.index.json"),
            (f / "b.pt.index.json").touch(),
        ],
        "has several indices",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_damaged_index_is_told(name: str, tmp_path: Path) -> None:
    saved(tmp_path)
    change, said = BAD[name]
    change(tmp_path)
    with pytest.raises(WeightsError) as error:
        contents.read(tmp_path)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "expected"), [("500MB", 500_000_000), ("1.5 gb", 1_500_000_000), ("32B", 32)]
)
def test_a_size_is_read(text: str, expected: int) -> None:
    assert shards.size(text) == expected


@pytest.mark.parametrize("text", ["", "5", "0MB", "x GB", "-1GB"])
def test_what_is_no_size_is_told(text: str) -> None:
    with pytest.raises(WeightsError, match="a size such as 500MB or 5GB"):
        shards.size(text)


NET = [("conv", (4, 3)), ("gain", (4,)), ("shift", (4,)), ("head", (2, 4)), ("bias", (2,))]
SPREADS: dict[str, tuple[list[list[tuple[int, tuple[int, ...] | None]]], dict[int, str] | None]] = {
    "matrices, and the rest": (
        [[(0, (4, 3)), (1, (2, 4))], [(2, (4,)), (3, (4,)), (4, (2,))]],
        {0: "conv", 1: "head", 2: "gain", 3: "shift", 4: "bias"},
    ),
    "a body and a head": (
        [[(0, (4, 3)), (1, (4,)), (2, (4,))], [(3, (2, 4)), (4, (2,))]],
        {0: "conv", 1: "gain", 2: "shift", 3: "head", 4: "bias"},
    ),
    "the frozen are left out": ([[(0, (2, 4)), (1, (2,))]], {0: "head", 1: "bias"}),
    "one of two alike": ([[(0, (4, 3)), (1, (4,))]], None),
    "two groups of one shape": ([[(0, (4,))], [(1, (4,))]], None),
    "nothing kept tells nothing": ([[(0, None)]], None),
    "of another model": ([[(0, (9, 9))]], None),
}


@pytest.mark.parametrize("name", SPREADS)
def test_shapes_tell_the_groups_where_there_is_one_way(name: str) -> None:
    groups, expected = SPREADS[name]
    assert spread(groups, NET) == expected
