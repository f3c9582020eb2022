"""``x += y`` of what may be a tensor of others: the file says so where nothing proves it."""

from __future__ import annotations

import pytest
from tests.builders.changing import noted, program, written

from msmap.port.rewrite import rewrite
from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(params, grads):\n    for p, g in zip(params, grads):\n        p -= g", ["p -= g"]),
        ("def f(net):\n    for p in net.parameters():\n        p *= 0.5", ["p *= 0.5"]),
        ("def f(t, by):\n    t *= by", ["t *= by"]),
        ("def f(t, by):\n    n = t.shape[0]\n    t += by\n    return t / n", ["t += by"]),
        ("def f(d):\n    for k, v in d.items():\n        v /= 2", ["v /= 2"]),
        ("def f(p, lr):\n    p.data -= lr * p.grad", ["p.data -= lr * p.grad"]),
        (
            "def f(m, x: torch.Tensor):\n    m.total += x\n    return m.total",
            ["m.total += x"],
        ),
        ("def f(*ts):\n    for t in ts:\n        t *= 2\nf(torch.ones(2))", ["t *= 2"]),
        # Items of what may be a container of tensors.
        (
            "def up(state, grads):\n    for k in state:\n        state[k] += grads[k]",
            ["state[k] += grads[k]"],
        ),
        ("def f(d, s):\n    for k in d:\n        d[k] *= s", ["d[k] *= s"]),
        (
            """
            class S:
                def __init__(self, x):
                    self.x = x
                def step(self, name, v):
                    self.x[name] -= v
            """,
            ["self.x[name] -= v"],
        ),
        (
            """
            def total(outs):
                found = {}
                for out in outs:
                    for k, v in out.items():
                        if k in found:
                            found[k] += v
                        else:
                            found[k] = v
                return found
            """,
            ["found[k] += v"],
        ),
        ("def f(*args):\n    args[0] += 1", ["args[0] += 1"]),
        ("def f(**kwargs):\n    kwargs['x'] *= 2", ["kwargs['x'] *= 2"]),
        ("def f(**kwargs):\n    kwargs['x'] *= 2\nf(x=torch.ones(2))", ["kwargs['x'] *= 2"]),
        # What an unknown call gives may be what it takes, or what it keeps.
        ("def f(x: torch.Tensor, g):\n    y = g(x)\n    y *= 2\n    return y", ["y *= 2"]),
        ("import lib\ny = lib.get()\ny *= 3", ["y *= 3"]),
        (
            """
            def f(o, n, v: torch.Tensor):
                x = getattr(o, n)
                x += v
                setattr(o, n, x)
            """,
            ["x += v"],
        ),
        (
            "kept = []\ntotal = 0\nfor i in range(3):\n    total += torch.ones(2)\n"
            "    kept.append(total)",
            ["total += torch.ones(2)"],
        ),
    ],
)
def test_what_may_be_a_tensor_of_others_is_noted(
    code: str, expected: list[str], facts: KnowledgeBase
) -> None:
    assert (written(code, facts), noted(code, facts)) == ([], expected)


@pytest.mark.parametrize(
    ("change", "written"),
    [
        ("t += 2", "t[()] = t + 2"),
        ("t *= 2", "t[()] = t.copy() * 2"),
        ("t.mul_(2)", "t[()] = t.copy() * 2"),
        ("t.add_(1)", "t[()] = t + 1"),
    ],
)
def test_what_unknown_callers_pass_may_be_a_view(
    change: str, written: str, facts: KnowledgeBase
) -> None:
    done = rewrite(program(f"def scale(t: torch.Tensor):\n    {change}"), facts)
    assert [line.strip() for line in (done.code or "").splitlines()][-1] == written
    assert done.refusals == ()
