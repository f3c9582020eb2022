"""Indices that NumPy makes, of which MindSpore's tensors take none."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase


def dataset(init: str, getter: str) -> str:
    return dedent("""
        import numpy as np
        import torch
        from torch.utils.data import Dataset
        class Rows(Dataset):
            def __init__(self, rows):
                {init}
            {getter}
        """).format(init=init, getter=getter)


@pytest.mark.parametrize(
    ("init", "getter", "becomes"),
    [
        (
            "self.rows = torch.tensor(rows)",
            "def __getitem__(self, idx):\n        return self.rows[idx]\n",
            "(self, idx):\n        idx = int(idx)\n        return self.rows[idx]\n",
        ),
        (
            "self.rows = rows",
            'def __getitem__(self, i):\n        """One."""\n        return self.rows[i:i + 3]\n',
            '        """One."""\n        i = int(i)\n        return self.rows[i:i + 3]\n',
        ),
        (
            "self.rows = torch.tensor(rows)",
            "def __getitem__(self, i): return self.rows[i]\n",
            "    def __getitem__(self, i): i = int(i); return self.rows[i]\n",
        ),
        (
            "self.rows = np.array(rows)",
            "def __getitem__(self, i):\n        return self.load(i), self.rows[i]\n",
            "        i = int(i)\n        return self.load(i), self.rows[i]\n",
        ),
        (
            "self.rows = np.array(rows)\n        self.names = ['a']",
            "def __getitem__(self, i):\n        return self.rows[i], self.names[i]\n",
            "    def __getitem__(self, i):\n        return self.rows[i], self.names[i]\n",
        ),
    ],
)
def test_a_dataset_makes_its_index_pythons(
    init: str, getter: str, becomes: str, facts: KnowledgeBase
) -> None:
    once = facts.port(dataset(init, getter)).code or ""
    assert becomes in once
    assert facts.port(once).code == once


def test_a_dataset_that_makes_lists_of_tensors_makes_numbers_too(facts: KnowledgeBase) -> None:
    getter = (
        "def __getitem__(self, i):\n        if torch.is_tensor(i):\n            i = i.tolist()\n"
        "        return self.rows[i]\n"
    )
    done = facts.port(dataset("self.rows = torch.tensor(rows)", getter))
    assert 'if hasattr(i, "tolist"):\n            i = i.tolist()\n' in (done.code or "")
    assert done.refusals == ()


def test_a_dataset_that_takes_other_indices_is_told(facts: KnowledgeBase) -> None:
    getter = (
        "def __getitem__(self, i):\n        if torch.is_tensor(i):\n            i = i.sum()\n"
        "        return self.rows[i]\n"
    )
    done = facts.port(dataset("self.rows = torch.tensor(rows)", getter))
    assert "int(" not in str(done.code)
    assert [(r.source, r.reason.en.partition(":")[0]) for r in done.refusals] == [
        ("torch.is_tensor(i)", "i")
    ]


def test_an_item_that_numpy_may_have_chosen_is_told(facts: KnowledgeBase) -> None:
    getter = """def __getitem__(self, i):
        near = i + 1
        if self.by_class:
            near = np.random.choice(9)
        far = self.by_class[i][0]
        return self.rows[near], self.rows[far], self.rows[int(far)], self.rows[i:far]
"""
    done = facts.port(dataset("self.rows, self.by_class = torch.tensor(rows), {}", getter))
    assert "self.rows[mindspore.tensor(near)], self.rows[far], self.rows[int(far)]" in done.code
    assert [(r.source, r.reason.en.partition(":")[0]) for r in done.refusals] == [("far", "far")]


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        ("x[order]", "x[mindspore.tensor(order)]"),
        ("x[order[:5]]", "x[mindspore.tensor(order[:5])]"),
        ("x[:, order]", "x[:, mindspore.tensor(order)]"),
        ("x[order > 3, 0]", "x[mindspore.tensor(order > 3), 0]"),
        ("x[np.argmax(order)]", "x[mindspore.tensor(np.argmax(order))]"),
        ("x[order] = 0", "x[mindspore.tensor(order)] = 0"),
        ("x[order] += 1", "x[mindspore.tensor(order)] += 1"),
        ("x[order.tolist()]", "x[order.tolist()]"),
        ("x[0, 1:]", "x[0, 1:]"),
        ("order[order]", "order[order]"),
        ("rows[order[0]]", "rows[order[0]]"),
    ],
)
def test_an_index_of_numpys_becomes_a_tensor(code: str, becomes: str, facts: KnowledgeBase) -> None:
    head = "import numpy as np\nimport torch\n"
    body = f"def f(x: torch.Tensor, rows):\n    order = np.random.permutation(9)\n    {code}\n"
    once = facts.port(head + body).code or ""
    assert once.splitlines()[-1].strip() == becomes
    assert facts.port(once).code == once
