"""Samples of names, made beside PyTorch: what they are, and that they are always the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from msmap.probe import samples
from msmap.probe.sample import Sampling
from msmap.signatures import files
from msmap.signatures.files import Api

pytestmark = pytest.mark.frameworks
DATA = Path(__file__).resolve().parents[2] / "data"
NAMES = ("torch.mul", "torch.Tensor.mul_", "torch.absolute", "torch.Tensor.T", "torch.dropout")


@pytest.fixture(scope="module")
def apis() -> dict[str, Api]:
    return files.load(DATA / "signatures" / "torch-2.13.0.jsonl")


@pytest.fixture(scope="module")
def found(apis: dict[str, Api], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sampling]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MSMAP_CACHE", str(tmp_path_factory.mktemp("cache")))
        first = samples.read(NAMES, apis)
        patch.setattr(subprocess, "Popen", pytest.fail)
        assert samples.read(NAMES, apis) == first
    return first


def test_a_function_is_called_as_its_tests_call_it(found: dict[str, Sampling]) -> None:
    first = found["torch.mul"].samples[0]
    assert (first.id, first.torch, first.kinds, first.gradient) == (
        "op-0-float32", "torch.mul(input, other)", ("0-d",), True
    )  # fmt: skip


def test_a_name_is_tried_in_every_dtype_that_pytorch_takes(found: dict[str, Sampling]) -> None:
    assert found["torch.mul"].dtypes == (
        "bfloat16", "bool", "complex128", "complex64", "float16", "float32", "float64", "int16",
        "int32", "int64", "int8", "uint8",
    )  # fmt: skip


def test_an_alias_is_tried_as_what_it_is_an_alias_of(found: dict[str, Sampling]) -> None:
    assert list(found) == ["torch.mul", "torch.Tensor.mul_", "torch.abs", "torch.Tensor.T",
                           "torch.dropout"]  # fmt: skip


def test_what_pytorch_refuses_is_counted(found: dict[str, Sampling]) -> None:
    """In place, the result must have the shape of the first."""
    assert found["torch.Tensor.mul_"].gaps["refused"] > 0
    assert {s.torch for s in found["torch.Tensor.mul_"].samples} >= {"x.mul_(other)"}
