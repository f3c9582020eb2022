"""The fixed problem of optimizers and schedulers: alike on both sides, and what is read of it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("numpy")

from msmap.verify.trial import training


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("torch.optim.SGD(net.parameters())", True),
        ("torch.optim.lr_scheduler.StepLR(optimizer, 3)", True),
        ("print(net)", True),
        ("net = torch.nn.Linear(3, 2)\ntorch.optim.SGD(net.parameters())", False),
        ("x + 1", False),
        ("model.net.optimizer", False),
    ],
)
def test_code_asks_for_the_problem_by_its_names(code: str, wanted: bool) -> None:
    """Unless it makes what it names itself."""
    assert training.names(ast.parse(code)) is wanted


OPTIM = "mindspore.experimental.optim"
# name -> what each side steps through, with its own `net` and `optimizer`
CASES: dict[str, tuple[str, str]] = {
    "net": ("net", "net"),
    "plain": (
        "torch.optim.SGD(net.parameters(), lr=0.1)",
        f"{OPTIM}.SGD(net.trainable_params(), lr=0.1)",
    ),
    "momentum": (
        "torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)",
        f"{OPTIM}.SGD(net.trainable_params(), lr=0.1, momentum=0.9)",
    ),
    "nesterov": (
        "torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)",
        f"{OPTIM}.SGD(net.trainable_params(), lr=0.1, momentum=0.9, nesterov=True)",
    ),
    "decay": (
        "torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.1)",
        f"{OPTIM}.SGD(net.trainable_params(), lr=0.1, weight_decay=0.1)",
    ),
    "groups": (
        "torch.optim.SGD([{'params': [net.weight], 'lr': 0.05}, {'params': [net.bias]}], lr=0.1)",
        f"{OPTIM}.SGD([{{'params': [net.weight], 'lr': 0.05}}, {{'params': [net.bias]}}], lr=0.1)",
    ),
    "nn": (
        "torch.optim.SGD(net.parameters(), lr=0.1)",
        "mindspore.nn.SGD(net.trainable_params(), learning_rate=0.1)",
    ),
    "Adam": (
        "torch.optim.Adam(net.parameters(), lr=0.1)",
        f"{OPTIM}.Adam(net.trainable_params(), lr=0.1)",
    ),
    "scheduler": (
        "torch.optim.lr_scheduler.StepLR(optimizer, 5, 0.5)",
        f"{OPTIM}.lr_scheduler.StepLR(optimizer, 5, 0.5)",
    ),
    "a matrix alone": (
        "torch.optim.SGD([net.weight], lr=0.1)",
        f"{OPTIM}.SGD([net.weight], lr=0.1)",
    ),
    "sparse gradients": (
        "torch.optim.SparseAdam(net.parameters(), lr=0.1)",
        f"{OPTIM}.Adam(net.trainable_params(), lr=0.1)",
    ),
    "neither": ("'as it is'", "'as it is'"),
}

# What each side gives, as JSON, from a process of its own.
DRIVER = """
import json, sys
import mindspore, torch
from msmap.verify.trial import training

def plain(value):
    if isinstance(value, (torch.nn.Linear, mindspore.nn.Dense)):
        value = [value.weight, value.bias]
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, torch.Tensor):
        value = value.detach().numpy()
    if hasattr(value, "asnumpy"):
        value = value.asnumpy()
    return value if isinstance(value, str) else value.astype("float64").round(5).tolist()

def both(torch_code, mindspore_code):
    names = {"torch": torch, "mindspore": mindspore}
    one = eval(torch_code, names | training.torch_problem())
    other = eval(mindspore_code, names | training.mindspore_problem())
    return plain(training.torch_steps(one)), plain(training.mindspore_steps(other))

json.dump({name: both(*case) for name, case in json.load(sys.stdin).items()}, sys.stdout)
"""


@pytest.fixture(scope="module")
def given() -> dict[str, tuple[Any, Any]]:
    """What both sides give for each case."""
    done = subprocess.run(
        [sys.executable, "-c", DRIVER], input=json.dumps(CASES), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return {name: (one, other) for name, (one, other) in json.loads(done.stdout).items()}


def flat(value: Any) -> list[float]:
    return [n for item in value for n in flat(item)] if isinstance(value, list) else [value]


@pytest.mark.frameworks
@pytest.mark.parametrize("name", CASES)
def test_both_sides_step_alike(name: str, given: dict[str, tuple[Any, Any]]) -> None:
    one, other = given[name]
    assert flat(other) == pytest.approx(flat(one), abs=2e-5)


@pytest.mark.frameworks
def test_an_optimizer_is_both_parameters_after_each_of_five_steps(
    given: dict[str, tuple[Any, Any]],
) -> None:
    for one, _ in (given[name] for name in ("plain", "momentum", "groups", "Adam")):
        assert [[len(weight), len(weight[0]), len(bias)] for weight, bias in one] == [[2, 3, 2]] * 5
        # Each moves from where the one before it was, the first from the network's own.
        moves = [given["net"][0], *one]
        assert all(before != after for before, after in pairwise(moves))


@pytest.mark.frameworks
def test_an_optimizer_that_calls_a_closure_gets_the_loss() -> None:
    """Five steps of many iterations each: the loss is the least that there is."""
    torch = pytest.importorskip("torch")
    made = torch.optim.LBFGS(training.torch_problem()["net"].parameters())
    before, after = training.torch_steps(made)[-2:]
    assert all(torch.allclose(one, other, atol=1e-3)
               for one, other in zip(before, after, strict=True))  # fmt: skip


@pytest.mark.frameworks
def test_steps_tell_options_apart(given: dict[str, tuple[Any, Any]]) -> None:
    names = ("plain", "momentum", "nesterov", "decay", "groups", "Adam")
    assert len({json.dumps(given[name][0][-1]) for name in names}) == len(names)
    assert given["plain"][0] == given["nn"][0]


@pytest.mark.frameworks
def test_a_scheduler_is_twelve_rates(given: dict[str, tuple[Any, Any]]) -> None:
    """The first before any step."""
    rates = [[0.1]] * 5 + [[0.05]] * 5 + [[0.025]] * 2
    assert given["scheduler"] == (rates, rates)


@pytest.mark.frameworks
def test_anything_else_stays_as_it_is(given: dict[str, tuple[Any, Any]]) -> None:
    assert given["neither"] == ("as it is", "as it is")
