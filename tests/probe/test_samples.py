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
NAMES = (
    "torch.mul", "torch.Tensor.mul_", "torch.absolute", "torch.Tensor.T", "torch.nn.SiLU",
    "torch.optim.Adam", "torch.nn.Flatten", "torch.distributions.Normal",
    "torch.empty", "torch.bool", "torch.no_grad", "torch.nn.Sequential",
    "torch.optim.lr_scheduler.StepLR", "torch.relu", "torch.optim.Muon", "torch.optim.LBFGS",
    "torch.nn.init.zeros_", "torch.nn.utils.clip_grad_norm_", "torch.poisson",
)  # fmt: skip


@pytest.fixture(scope="module")
def apis() -> dict[str, Api]:
    return files.load(DATA / "signatures" / "torch-2.13.0.jsonl")


def test_the_same_samples_come_in_any_process(
    apis: dict[str, Api], found: dict[str, Sampling], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSMAP_CACHE", "")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    names = ("torch.nn.Flatten", "torch.Tensor.T")
    assert samples.read(names, apis) == {name: found[name] for name in names}


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


# name -> the call of one of its samples, and its origin
CALLS = {
    "torch.mul": ("torch.mul(input=input, other=other)", "pattern"),
    # An alias is called by its own name.
    "torch.absolute": ("torch.absolute(input)", "op"),
    "torch.Tensor.T": ("x.T", "op"),
    # Only ``torch.nn.functional.relu`` has samples of its own.
    "torch.relu": ("torch.relu(input)", "op"),
    "torch.nn.SiLU": ("torch.nn.SiLU()(input)", "module"),
    "torch.optim.Adam": ("torch.optim.Adam(net.parameters(), lr=0.01)", "optimizer"),
    "torch.nn.Flatten": ("torch.nn.Flatten(start_dim=0)(input)", "made"),
    "torch.distributions.Normal": (
        "torch.distributions.Normal(loc, scale).log_prob(value)", "made"
    ),
    "torch.bool": ("torch.ones((2, 3), dtype=torch.bool)", "made"),
    "torch.no_grad": ("with torch.no_grad():\n    y = x * 2\ny", "made"),
    "torch.nn.Sequential": (
        "torch.nn.Sequential(torch.nn.Identity(), torch.nn.Flatten(0))(x)", "made"
    ),
    "torch.optim.Muon": ("torch.optim.Muon([net.weight], lr=0.01)", "optimizer"),
    "torch.optim.LBFGS": ("torch.optim.LBFGS(net.parameters(), lr=0.01)", "optimizer"),
    "torch.nn.init.zeros_": (
        "tensor = torch.nn.Parameter(tensor.clone())\ntorch.nn.init.zeros_(tensor)\ntensor", "made"
    ),
    "torch.nn.utils.clip_grad_norm_": (
        "grads = (x * 3, y[:, 0] * 2)\nnet.weight.grad, net.bias.grad = grads\n"
        "torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)\noptimizer.step()\nnet.weight",
        "made",
    ),
    "torch.optim.lr_scheduler.StepLR": ("torch.optim.lr_scheduler.StepLR(optimizer, 3)", "made"),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_written_as_a_user_would(name: str, found: dict[str, Sampling]) -> None:
    assert CALLS[name] in {(s.torch, s.origin) for s in found[name].samples}


def test_where_many_are_wanted_there_are_those_for_comparison_with_numpy(
    apis: dict[str, Api], found: dict[str, Sampling], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSMAP_CACHE", "")
    few, many = found["torch.mul"], samples.read(["torch.mul"], apis, 30)["torch.mul"]
    counts = [sum(s.dtype == "float64" for s in one.samples) for one in (few, many)]
    assert counts == [3, 29]


def test_what_pytorch_gives_by_chance_is_marked(found: dict[str, Sampling]) -> None:
    """Memory that nobody wrote to, but not that of nothing."""
    random = {s.torch: s.random for s in found["torch.empty"].samples}
    assert random["torch.empty((0,), dtype=torch.float32)"] is False
    assert random["torch.empty((1,), dtype=torch.float32)"] is True
    assert random["torch.empty((1,), dtype=torch.bool)"] is True
    assert {s.random for s in found["torch.mul"].samples} == {False}
    # One number may come twice.
    assert {s.random for s in found["torch.poisson"].samples if s.kinds == ("0-d",)} == {True}
    # The weights of the network are drawn, then replaced.
    assert {s.random for s in found["torch.optim.Adam"].samples} == {False}


def test_what_pytorch_is_to_refuse_is_marked(found: dict[str, Sampling]) -> None:
    raising = [s for s in found["torch.optim.Adam"].samples if s.raises]
    assert {s.origin for s in raising} == {"error"}


def test_what_pytorch_refuses_is_counted(found: dict[str, Sampling]) -> None:
    """In place, the result must have the shape of the first."""
    assert found["torch.Tensor.mul_"].gaps["refused"] > 0
    assert {s.torch for s in found["torch.Tensor.mul_"].samples} >= {"x.mul_(other)"}
