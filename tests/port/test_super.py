"""What ``super()`` gives is no object: where a method of it goes, the object itself stays."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

METHODS = {
    "def cuda(self): return super().cuda()": "def cuda(self): return self",
    "def cuda(this, d): return super(N, this).cuda(d)": "def cuda(this, d): return this",
    "def half(self): return super().half()": (
        "def half(self): return super().to(mindspore.float16)"
    ),
    "def cuda(self): x = super().cuda(); return x": "def cuda(self): x = self; return x",
    "def forward(self, x): return super().forward(x)": (
        "def construct(self, x): return super().construct(x)"
    ),
}


@pytest.mark.parametrize("method", METHODS)
def test_the_object_stands_for_what_super_gives(facts: KnowledgeBase, method: str) -> None:
    code = f"import torch\nclass N(torch.nn.Module):\n    {method}\n"
    done = facts.port(code).code
    assert done is not None
    assert done.splitlines()[-1].strip() == METHODS[method]


def test_a_call_that_does_nothing_goes(facts: KnowledgeBase) -> None:
    code = (
        "import torch\nclass N(torch.nn.Module):\n    def cuda(self):\n        super().cuda()\n"
        "        return self\n"
    )
    done = facts.port(code).code
    assert done is not None
    assert done.endswith("    def cuda(self):\n        return self\n")


@pytest.mark.parametrize(
    ("base", "called", "becomes"),
    [
        (
            "MultiheadAttention",
            "super().forward(x, x, x)[0]",
            "(super().construct(x, x, x, None, True, None, True) + (None,))[:2][0]",
        ),
        ("Embedding", "super(N, self).forward(x)", "super(N, self).construct(x)"),
        ("Sequential", "super().forward(x)", "super().construct(x)"),
    ],
)
def test_what_the_base_computes_is_not_the_object_called(
    facts: KnowledgeBase, base: str, called: str, becomes: str
) -> None:
    """That would call the same method again, for ever."""
    code = f"from torch import nn\nclass N(nn.{base}):\n    def forward(self, x): return {called}\n"
    done = facts.port(code).code
    assert done is not None
    assert done.splitlines()[-1].strip() == f"def construct(self, x): return {becomes}"


@pytest.mark.parametrize(
    ("base", "called", "becomes"),
    [
        ("nn.Module", "nn.Module.__init__(self)", "nn.Cell.__init__(self)"),
        ("nn.Sequential", "nn.Sequential.__init__(self)", "nn.SequentialCell.__init__(self)"),
        ("Dataset", "Dataset.__init__(self)", "pass"),
        ("Own", "Own.__init__(self)", "Own.__init__(self)"),
        ("Own", "Own.Module.__init__(self)", "Own.Module.__init__(self)"),
    ],
)
def test_a_constructor_by_the_name_of_its_class(
    facts: KnowledgeBase, base: str, called: str, becomes: str
) -> None:
    head = "from torch import nn\nfrom torch.utils.data import Dataset\nfrom own import Own\n"
    done = facts.port(f"{head}class N({base}):\n    def __init__(self):\n        {called}\n")
    assert done.code is not None
    assert done.code.splitlines()[-1].strip() == becomes
    assert done.refusals == ()
