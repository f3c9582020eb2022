"""Private names of PyTorch are answered by a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap import private
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import missing


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torch._assert", True), ("torch._C._nn.gelu", True), ("F._pad_circular", True),
        ("Tensor._values", True), ("nn.modules.conv._ConvNd", True),
        ("torch.Tensor.__add__", False), ("torch.__version__", False), ("torch.add_", False),
        ("mindspore._c_expression", False), ("_private", False), ("os._exit", False),
    ],
)  # fmt: skip
def test_a_part_with_an_underscore_is_private(name: str, expected: bool) -> None:
    assert private.is_private(name) is expected


SAID = {
    "torch._assert": (
        "torch._assert is private to PyTorch: any release may change it, and no record promises"
        " anything of it; call the public name that stands for it",
        "torch._assert 是 PyTorch 的私有名称：任何版本都可能改变它，没有记录对它作出保证；"
        "请改用对应的公开名称",
    ),
    "torch._foreach_mul": (
        "torch._foreach_mul is private to PyTorch: it runs mul on each tensor of a list. Write it"
        " for each, [torch.mul(x, ...) for x in tensors], and port that",
        "torch._foreach_mul 是 PyTorch 的私有名称：对列表中的每个张量执行 mul。请逐个书写"
        " [torch.mul(x, ...) for x in tensors]，再转写",
    ),
    "torch._foreach_add_": (
        "torch._foreach_add_ is private to PyTorch: it runs add_ on each tensor of a list. Write"
        " it for each, for x in tensors: x.add_(...), and port that",
        "torch._foreach_add_ 是 PyTorch 的私有名称：对列表中的每个张量执行 add_。请逐个书写"
        " for x in tensors: x.add_(...)，再转写",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_every_reader_is_told_the_same(kb: KnowledgeBase, name: str) -> None:
    assert tuple(missing.words(name, language) for language in ("en", "zh")) == SAID[name]
    [refusal] = kb.port(f"import torch\n{name}(a)\n").refusals
    assert (refusal.reason.en, refusal.reason.zh) == SAID[name]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("torch._foreach_add_", "torch.Tensor.add_"),
        ("torch._foreach_mul", "torch.mul"),
    ],
)
def test_the_public_names_come_first(shipped: Path, name: str, first: str) -> None:
    with KnowledgeBase.open(shipped) as kb:
        assert kb.nearest(name)[0] == first
