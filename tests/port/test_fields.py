"""Parts of results that are asked for by name: MindSpore's tuples have places alone."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = "import torch\ndef f(x: torch.Tensor, c):\n"


def last(code: str, facts: KnowledgeBase) -> str:
    """The last line of a function's port."""
    body = "".join(f"    {line}\n" for line in dedent(code).strip().splitlines())
    done = facts.port(HEAD + body)
    assert done.code is not None
    return done.code.splitlines()[-1].strip()


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        ("return x.topk(3).values", "return x.topk(3)[0]"),
        ("s = x.topk(3)\nreturn s.values, s.indices", "return s[0], s[1]"),
        ("s = torch.max(x, dim=1)\nreturn s.indices", "return s[1]"),
        ("s = x.max(1)\nif c:\n    s = x.min(1)\nreturn s.values", "return s[0]"),
        ("s = x.cummax(0)\nreturn s.indices", "return s[1]"),
        ("s = x.svd()\nreturn s.U, s.V", "return s[0], s[2]"),
        ("return [s.values for s in (x.sort(), x.median(0))]",
         "return [s[0] for s in (x.sort(), x.median(0))]"),
        ("s = torch.linalg.eigh(x)\nreturn s.eigenvalues, s.eigenvectors", "return s[0], s[1]"),
        ("s = torch.linalg.svd(x)\nreturn s.Vh", "return s[2]"),
        ("s = torch.linalg.slogdet(x)\nreturn s.logabsdet", "return s[1]"),
        # Of tuples these are Python's, and of what isn't known nothing is.
        ("s = x.topk(3)\nreturn s.index(c), s.count(c)", "return s.index(c), s.count(c)"),
        ("return c.values", "return c.values"),
        ("s = x.topk(3) if c else c\nreturn s.values", "return s.values"),
        ("return torch.linalg.svd(x).S",
         "return (lambda s, u, v: (u, s, mindspore.ops.swapaxes(v, -1, -2).conj()))"
         "(*mindspore.ops.svd(x, full_matrices=True))[1]"),
    ],
)  # fmt: skip
def test_a_part_has_its_place(code: str, becomes: str, facts: KnowledgeBase) -> None:
    assert last(code, facts) == becomes
