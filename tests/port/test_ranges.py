"""Tensors that are made of ranges: MindSpore takes lists and tuples."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.LongTensor(range(4))", "mindspore.tensor(list(range(4)), dtype=mindspore.int64)"),
        ("torch.tensor(range(2, 9, 3))", "mindspore.tensor(list(range(2, 9, 3)))"),
        ("torch.tensor(data=range(n))", "mindspore.tensor(input_data=list(range(n)))"),
        ("torch.Tensor(range(3))", "mindspore.Tensor(list(range(3)), dtype=mindspore.float32)"),
        ("torch.tensor(list(range(3)))", "mindspore.tensor(list(range(3)))"),
        ("torch.tensor([range(3)])", "mindspore.tensor([range(3)])"),
        ("torch.tensor((1, 2))", "mindspore.tensor((1, 2))"),
        ("torch.tensor(other(3))", "mindspore.tensor(other(3))"),
    ],
)
def test_a_list_is_made_of_them(code: str, expected: str, anywhere: KnowledgeBase) -> None:
    assert anywhere.port(code).code == expected


def test_so_it_is_under_a_name(anywhere: KnowledgeBase) -> None:
    code = (
        "import torch\nids, held = range(140), [1, 2]\ntorch.LongTensor(ids), torch.tensor(held)\n"
    )
    assert anywhere.port(code).code == (
        "import mindspore\nids, held = range(140), [1, 2]\n"
        "mindspore.tensor(list(ids), dtype=mindspore.int64), mindspore.tensor(held)\n"
    )
