"""What distributions have in common: written where MindSpore has the distribution."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = """import torch
from torch import nn
from torch.distributions import Laplace, Normal


class Policy(nn.Module):
    def forward(self, x):
        return Normal(x, torch.ones_like(x))


policy = Policy()


def f(x: torch.Tensor):
"""


def last(code: str, facts: KnowledgeBase) -> tuple[str, list[str]]:
    done = facts.port(f"{HEAD}    {code}\n")
    kinds = [refusal.kind for refusal in done.refusals]
    return (done.code or "").splitlines()[-1].strip(), kinds


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        ("d = Normal(x, x); d.rsample()", "d.sample()"),
        ("d = Normal(x, x); d.rsample((3,))", "d.sample((3,))"),
        ("d = Normal(x, x); d.rsample(sample_shape=(3,))", "d.sample((3,))"),
        ("d = policy(x); d.rsample()", "d.sample()"),
        # PyTorch's samples are constants for the gradient; MindSpore's aren't.
        ("d = policy(x); d.sample()", "ops.stop_gradient(d.sample())"),
        ("d = Normal(x, x); d.sample((3,))", "ops.stop_gradient(d.sample((3,)))"),
        ("d = Normal(x, x); d.sample([3])", "ops.stop_gradient(d.sample((3,)))"),
        ("a = [Normal(x, x)]; a[0].sample()", "ops.stop_gradient(a[0].sample())"),
        ("d = policy(x); d.mean", "d.mean()"),
        ("d = policy(x); d.stddev", "d.sd()"),
        ("d = policy(x); d.variance", "d.var()"),
        ("d = policy(x); d.log_prob(x).size(-1)", "d.log_prob(x).shape[-1]"),
        ("d = policy(x); d.mean.size(0)", "d.mean().shape[0]"),
    ],
)
def test_they_are_written(code: str, becomes: str, facts: KnowledgeBase) -> None:
    line, refused = last(code, facts)
    assert (line.partition("; ")[2], refused) == (becomes, [])


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("d = Laplace(x, x); d.rsample()", ["missing", "missing"]),
        ("d = Laplace(x, x); d.mean", ["missing", "missing"]),
        ("d = Normal(x, x); d.icdf(x)", ["missing"]),
    ],
)
def test_what_mindspore_lacks_stays(code: str, kinds: list[str], facts: KnowledgeBase) -> None:
    line, refused = last(code, facts)
    assert (line.partition("; ")[2], refused) == (code.partition("; ")[2], kinds)
