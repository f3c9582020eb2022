"""Numbers beside float64: written as float64 tensors, or told where the counterpart takes none."""

from __future__ import annotations

import re

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = """\
import numpy as np
import torch
d = torch.tensor([0.1, 0.5], dtype=torch.float64)
f = torch.tensor([0.1, 0.5])
n = 0.1
"""
NUMBER = "mindspore.Tensor(0.1, mindspore.float64)"


def last(line: str, facts: KnowledgeBase) -> tuple[str, list[str]]:
    """The last line of a port, and the kinds of what the file says."""
    done = facts.port(f"{HEAD}{line}\n")
    assert done.code is not None
    return done.code.splitlines()[-1], [refusal.kind for refusal in done.refusals]


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("r = 0.1 in d", f"r = {NUMBER} in d"),
        ("r = 0.1 not in d", f"r = {NUMBER} not in d"),
        ("r = torch.isin(d, 0.1)", f"r = mindspore.numpy.isin(d, {NUMBER})"),
        ("r = torch.isin(0.1, d)", f"r = mindspore.numpy.isin({NUMBER}, d)"),
        ("r = d == 0.1", f"r = d == {NUMBER}"),
        ("r = 0.1 <= d", f"r = {NUMBER} <= d"),
        ("r = d * -0.1", "r = d * mindspore.Tensor(-0.1, mindspore.float64)"),
        ("d += 0.1", f"d += {NUMBER}"),
        ("r = d.eq(0.1)", f"r = d.eq({NUMBER})"),
        ("r = d.eq(n)", "r = d.eq(mindspore.Tensor(n, mindspore.float64))"),
        ("r = (d + 1).sum() ** n", "r = (d + 1).sum() ** mindspore.Tensor(n, mindspore.float64)"),
        ("r = d * (1 / n)", "r = d * (mindspore.Tensor(1 / n, mindspore.float64))"),
        ("r = d[0] / 0.1", f"r = d[0] / {NUMBER}"),
        ("r = d.clamp(min=0.1)", f"r = d.clamp(min={NUMBER})"),
        ("r = f.double() - 0.1", f"r = f.double() - {NUMBER}"),
        ("d[0] = 0.1", f"d[0] = {NUMBER}"),
        ("d[d > 0] = n", "d[d > 0] = mindspore.Tensor(n, mindspore.float64)"),
        ("r = d.__add__(0.1)", f"r = d + {NUMBER}"),
        ("r = -d * 0.1", f"r = -d * {NUMBER}"),
        ("r = d.T * 0.1", f"r = d.T * {NUMBER}"),
        ("r = [row * 0.1 for row in d]", f"r = [row * {NUMBER} for row in d]"),
        ("r = torch.add(input=d, other=0.1)", f"r = mindspore.mint.add(input=d, other={NUMBER})"),
        ("r = torch.nn.ReLU()(d) * 0.1", f"r = mindspore.nn.ReLU()(d) * {NUMBER}"),
        (
            "r = torch.ones(2, dtype=float) * 0.1",
            f"r = mindspore.mint.ones((2,), dtype=mindspore.float64) * {NUMBER}",
        ),
        (
            "r = torch.from_numpy(np.linspace(0, 1, 3)) * 0.1",
            f"r = mindspore.from_numpy(np.linspace(0, 1, 3)) * {NUMBER}",
        ),
        (
            "r = torch.tensor(np.array([0.5, 2])) * 0.1",
            f"r = mindspore.tensor(np.array([0.5, 2])) * {NUMBER}",
        ),
        ("r = d * torch.pi", "r = d * mindspore.Tensor(3.141592653589793, mindspore.float64)"),
    ],
)
def test_a_number_becomes_a_tensor(line: str, becomes: str, facts: KnowledgeBase) -> None:
    assert last(line, facts) == (becomes, [])


@pytest.mark.parametrize(
    "line",
    [
        "r = f * 0.1",
        "r = d * 0.5",
        "r = d * 2",
        "r = 0.5 in d",
        "r = d / len(d)",
        "r = d * d.shape[0]",
        "r = d.float() * 0.1",
        "r = d * f",
        "r = (d > 0.5) * 1.5",
        "d[0] = 0.5",
        "f[0] = 0.1",
        "r = f * n * d.dim()",
    ],
)
def test_what_nothing_rounds_stays(line: str, facts: KnowledgeBase) -> None:
    assert last(line, facts) == (line, [])


@pytest.mark.parametrize(
    "line",
    [
        "r = torch.add(d, d, alpha=0.1)",
        "r = torch.trapz(d, dx=0.1)",
        "r = torch.trapezoid(d)",
        "r = torch.cumulative_trapezoid(d, dx=0.1)",
        "r = torch.nn.functional.leaky_relu(d, 0.1)",
        "r = torch.std(d)",
        "r = torch.nn.LeakyReLU(0.1)(d)",
        "r = torch.nn.Sequential(torch.nn.Hardtanh(-0.1, 0.1))(d)",
        "r = torch.nn.Softplus()(d)",
        "r = torch.nn.functional.hardtanh(d, -0.1, 0.1)",
        "r = torch.nn.functional.group_norm(d[None], 1)",
        "r = torch.nn.functional.hinge_embedding_loss(d, d, 0.1)",
        "r = torch.nn.functional.margin_ranking_loss(d, d, d, 0.1)",
        "r = torch.nn.functional.leaky_relu(d)",
        "r = d.deg2rad()",
        "r = d.log_softmax(0)",
        "r = torch.relu(torch.log_softmax(d, 0)).sum()",
        "r = d.scatter(0, torch.tensor([1]), 0.1)",
        "r = d.index_add(0, torch.tensor([1]), d[:1], alpha=0.1)",
        "r = torch.distributions.Normal(d, d + 1).log_prob(d)",
    ],
)
def test_what_is_rounded_all_the_same_is_told(line: str, facts: KnowledgeBase) -> None:
    assert last(line, facts)[1] == ["differs"]
    assert last(re.sub(r"\bd\b", "f", line), facts)[1] == []


@pytest.mark.parametrize("line", ["r = d // 0.1", "r = d % 0.1", "r = n % d", "r = d % d"])
def test_a_quotient_that_is_rounded_is_told(line: str, facts: KnowledgeBase) -> None:
    assert last(line, facts)[1] == ["differs"]


@pytest.mark.parametrize("line", ["r = d // 2", "r = d % 1", "r = f % 0.1", "r = f // n"])
def test_a_quotient_that_is_not_is_left(line: str, facts: KnowledgeBase) -> None:
    assert last(line, facts) == (line, [])


# What NumPy makes of float32, or of whatever it is given, is no float64.
@pytest.mark.parametrize(
    "array",
    [
        "np.zeros(3, dtype=np.float32)",
        "np.zeros(3, np.float32)",
        "np.linspace(0, 1, 3).astype(np.float32)",
        "np.array([1, 2])",
        "np.load(n)",
        "np.arange(3)",
    ],
)
def test_other_arrays_are_not_of_float64(array: str, facts: KnowledgeBase) -> None:
    line = f"r = torch.from_numpy({array}) * 0.1"
    assert last(line, facts) == (line.replace("torch", "mindspore"), [])


def test_what_is_made_of_itself_ends(facts: KnowledgeBase) -> None:
    code = "def act(state):\n    state = torch.from_numpy(state).float()\n    return state"
    assert last(code, facts) == ("    return state", [])
