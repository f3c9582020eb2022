"""What is written in lines of its own stands as far in as the block around it does then."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"

# What stands in a block without gradients, and what it becomes where the block was.
WRITTEN = {
    "an import with comments": (
        """
        from torch.nn.functional import (
            relu,  # one
            gelu,  # another
        )
        y = relu(gelu(x))
        """,
        """
        # one
        # another
        y = ops.relu(ops.gelu(x))
        """,
    ),
    "an import of two": (
        """
        import torch.nn.functional as G, os  # both
        y = G.relu(x)
        """,
        """
        import os  # both
        y = ops.relu(x)
        """,
    ),
    "the index of a dataset": (
        """
        class Rows(torch.utils.data.Dataset):
            def __getitem__(self, i):
                # the row
                return x[i]
        """,
        """
        class Rows:
            def __getitem__(self, i):
                # the row
                i = int(i)
                return x[i]
        """,
    ),
    "changes behind one another": (
        """
        if True:
            x.add_(1).mul_(2)
        """,
        """
        if True:
            x.copy_(x + 1)
            x.copy_(x.copy() * 2)
        """,
    ),
    "a call of several lines": (
        """
        y = torch.cat([
            F.relu(x),  # kept
            x,
        ], dim=1)
        """,
        """
        y = mint.cat([
            ops.relu(x),  # kept
            x,
        ], dim=1)
        """,
    ),
    "a text": (
        '''
        y = F.relu(x), """
            as it was"""
        ''',
        '''
        y = ops.relu(x), """
            as it was"""
        ''',
    ),
}  # fmt: skip


def body(text: str, depth: int) -> str:
    """A block at a depth; the lines of a text in it stay where they are."""
    lines = dedent(text).strip("\n").split("\n")
    kept = [line if line.endswith('as it was"""') else " " * depth + line for line in lines]
    return "\n".join(kept) + "\n"


def block(name: str, depth: int) -> str:
    text = body(WRITTEN[name][0], depth + 4)
    return f"{' ' * depth}with torch.no_grad():\n{text}"


def ported(code: str, facts: KnowledgeBase) -> str:
    done = facts.port(HEAD + code).code or ""
    return done.partition("def f")[2].partition("\n")[2]


@pytest.mark.parametrize("name", WRITTEN)
def test_lines_that_are_written_stand_where_their_block_does(
    name: str, facts: KnowledgeBase
) -> None:
    code = f"def f(x: torch.Tensor):\n{block(name, 4)}"
    assert ported(code, facts) == body(WRITTEN[name][1], 4)


@pytest.mark.parametrize("name", WRITTEN)
def test_so_they_do_where_two_blocks_go(name: str, facts: KnowledgeBase) -> None:
    inner = block(name, 8)
    code = f"def f(x: torch.Tensor):\n    with torch.inference_mode():\n{inner}"
    assert ported(code, facts) == body(WRITTEN[name][1], 4)


@pytest.mark.parametrize("name", ["changes behind one another", "a call of several lines"])
def test_so_they_do_in_a_block_that_goes_once_the_step_is_a_function(
    name: str, facts: KnowledgeBase
) -> None:
    code = (
        "def f(net: nn.Module, rows):\n"
        "    opt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "    for x in rows:\n"
        "        x = torch.relu(x)\n"
        f"{block(name, 8)}"
        "        loss = net(x).sum()\n"
        "        opt.zero_grad()\n"
        "        loss.backward()\n"
        "        opt.step()\n"
    )
    text = body(WRITTEN[name][1], 8)
    assert f"        x = ops.relu(x)\n{text}        loss, grads = " in ported(code, facts)
