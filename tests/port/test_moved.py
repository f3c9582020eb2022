"""What ``to`` is given: a dtype, a device, or what nothing proves."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase


def last(code: str, facts: KnowledgeBase) -> tuple[str, list[str]]:
    """The last line of a port, and the kinds of what it refuses."""
    done = facts.port(f"import torch\nfrom torch import nn\n{dedent(code).strip()}\n")
    assert done.code is not None
    return done.code.splitlines()[-1].strip(), [refusal.kind for refusal in done.refusals]


HEAD = "def f(x: torch.Tensor, net: nn.Module, d, "


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        (f"{HEAD}e):\n    return x.to(torch.float16)", "return x.to(mindspore.float16)"),
        (f"{HEAD}e):\n    return x.to(mindspore.float16)", "return x.to(mindspore.float16)"),
        (f"{HEAD}e=torch.float16):\n    return x.to(e)", "return x.to(e)"),
        (f"{HEAD}e: torch.dtype):\n    return x.to(e)", "return x.to(e)"),
        (f"{HEAD}e):\n    e = torch.int64\n    return x.to(e)", "return x.to(e)"),
        (f"{HEAD}param_dtype):\n    return x.to(param_dtype)", "return x.to(param_dtype)"),
        (f"{HEAD}e):\n    return x.to(d.dtype)", "return x.to(d.dtype)"),
        (f"{HEAD}e):\n    return net.to(e.device)", "return net"),
        (f"{HEAD}train_device):\n    return x.to(train_device)", "return x"),
        (f"{HEAD}e='cuda'):\n    return x.to(e)", "return x"),
        (f"{HEAD}e):\n    e = 'cuda'\n    return net.to(e)", "return net"),
        (f"{HEAD}e):\n    e = 'cuda' if d else 'cpu'\n    return x.to(e)", "return x"),
        (f"{HEAD}e):\n    return x.to(f'cuda:{{e}}')", "return x"),
        (f"{HEAD}e):\n    return x.to(d['device'])", "return x"),
    ],
)
def test_what_the_code_shows_is_taken(code: str, becomes: str, facts: KnowledgeBase) -> None:
    assert last(code, facts) == (becomes, [])


@pytest.mark.parametrize(
    "code",
    [
        f"{HEAD}e):\n    return x.to(e)",
        f"{HEAD}e=None):\n    return x.to(e)",
        f"{HEAD}e):\n    return net.to(e)",
        f"{HEAD}e):\n    return x.to(e, non_blocking=True)",
        f"{HEAD}e):\n    e = torch.int64 if d else 'cpu'\n    return x.to(e)",
        f"{HEAD}e):\n    for e in d:\n        return x.to(e)",
        f"{HEAD}e):\n    return x.to(d['kind'])",
        f"{HEAD}e):\n    return x.to(pick())",
    ],
)
def test_what_nothing_proves_stays_and_is_told(code: str, facts: KnowledgeBase) -> None:
    assert last(code, facts) == (code.splitlines()[-1].strip(), ["ambiguous"])
