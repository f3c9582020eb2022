"""Numbers beside float64: written as float64 tensors, or told where the counterpart takes none."""

from __future__ import annotations

import re

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = """\
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
    ],
)
def test_what_is_rounded_all_the_same_is_told(line: str, facts: KnowledgeBase) -> None:
    assert last(line, facts)[1] == ["differs"]
    assert last(re.sub(r"\bd\b", "f", line), facts)[1] == []
