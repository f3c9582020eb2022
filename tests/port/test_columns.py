"""Loaders whose samples are no tuples: each says what to write."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

START = "import numpy as np\nimport torch\nfrom torch.utils.data import DataLoader, Dataset\n"
DATA = """
class Data(Dataset):
    def __init__(self):
        self.x = np.zeros((4, 3))
    def __len__(self):
        return 4
    def __getitem__(self, i):
        return {}
loader = DataLoader({})
"""
LEFT = {
    "a tensor": ("torch.tensor(self.x[i])", "Data()", "is one value, no tuple"),
    "an array": ("self.x[i]", "dataset=Data()", "is one value, no tuple"),
    "a number": ("3.0", "Data()", "is one value, no tuple"),
    "a dict": ("{'x': torch.tensor(self.x[i]), 'n': i}", "Data()", "are dicts"),
    "put together by others": (
        "3.0",
        "Data(), collate_fn=f",
        "Before it write data = Data(). In its place write [f([data[i] for i in"
        " range(len(data))[at:at + 2]]) for at in range(0, len(data), 2)], in each epoch anew",
    ),
    "whole batches alone, in another order": (
        "3.0",
        "loader, shuffle=True, drop_last=True, collate_fn=partial(f, 3)",
        "`collate_fn=partial(f, 3)`: MindSpore's batches are not put together by a function of"
        " samples. Before it write order = np.random.permutation(len(loader)).tolist(). In its"
        " place write [partial(f, 3)([loader[i] for i in order[at:at + 2]]) for at in"
        " range(0, len(loader) - 2 + 1, 2)], in each epoch anew",
    ),
    "what is given by place": (
        "3.0",
        "loader, 5, True, collate_fn=f",
        "Before it write order = np.random.permutation(len(loader)).tolist(). In its place write"
        " [f([loader[i] for i in order[at:at + 5]]) for at in range(0, len(loader), 5)]",
    ),
    "in the order of a sampler": (
        "3.0",
        "loader, sampler=mine, drop_last=True, collate_fn=f",
        "Before it write order = list(mine). In its place write [f([loader[i] for i in"
        " order[at:at + 2]]) for at in range(0, len(order) - 2 + 1, 2)]",
    ),
    "in batches of a sampler": (
        "3.0",
        "loader, batch_sampler=mine(loader), collate_fn=f",
        "In its place write [f([loader[i] for i in rows]) for rows in mine(loader)], in each",
    ),
}
PORTED = {
    "a tuple": ("torch.tensor(self.x[i]), i", "Data()"),
    "a list": ("[self.x[i]]", "Data()"),
    "a dict in a tuple": ("self.x[i], {'n': i}", "Data()"),
}
# What a getter of a class does, or what data is, whose items are dicts.
DICTS = {
    "filled bit by bit": "item = {}\n        item['x'] = self.x[i]\n        return item",
    "made by a function": "return dict(x=self.x[i], n=i)",
    "of a loop": "return {k: v[i] for k, v in self.x.items()}",
    "changed by another": "item = {'x': self.x[i]}\n        if self.t:\n"
    "            item = self.t(item)\n        return item",
    "updated": "item = {'x': {'y': self.x[i]}}\n        item.update(z=1)\n        return item",
    "kept in a list": "self.rows = [{'x': n} for n in range(4)]\n        return self.rows[i]",
    "of another method": "return self.item(i)\n    def item(self, i):\n        return {'x': i}",
    "annotated": "return read(i)",
    "nested in a tuple": "return self.x[i], {'a': {'b': i}}",
}
# What nothing proves.
OPEN = {"an unknown function": "return read(i)", "a transform": "return self.t(self.x[i])"}


def _two(given: str) -> str:
    """Batches of two, where nothing else says how many."""
    return given if "5" in given or "batch_" in given else f"{given}, batch_size=2"


@pytest.mark.parametrize("name", LEFT)
def test_what_to_write_is_told(facts: KnowledgeBase, name: str) -> None:
    gives, given, why = LEFT[name]
    done = facts.port(START + DATA.format(gives, _two(given)))
    assert [why in refusal.reason.en for refusal in done.refusals] == [True]
    assert f"DataLoader({given}" in (done.code or "")


def getter(name: str, body: str) -> str:
    told = " -> dict[str, int]" if name == "annotated" else ""
    return (
        f"{START}class Data(Dataset):\n    def __len__(self):\n        return 4\n"
        f"    def __getitem__(self, i){told}:\n        {body}\n"
    )


@pytest.mark.parametrize("name", DICTS)
def test_dicts_are_left_and_told(facts: KnowledgeBase, name: str) -> None:
    done = facts.port(f"{getter(name, DICTS[name])}loader = DataLoader(Data(), batch_size=2)\n")
    assert ["are dicts" in one.reason.en for one in done.refusals] == [True]
    assert "loader = DataLoader(Data(), batch_size=2)" in (done.code or "")


@pytest.mark.parametrize(
    "made",
    [
        "def make(data):\n    return DataLoader(data, batch_size=2)\nmake(Data())\n",
        "rows = [{'x': 1}, {'x': 2}]\nloader = DataLoader(rows, batch_size=2)\n",
    ],
)
def test_data_is_followed_to_where_it_is_made(facts: KnowledgeBase, made: str) -> None:
    done = facts.port(getter("", DICTS["made by a function"]) + made)
    assert ["are dicts" in one.reason.en for one in done.refusals] == [True]


@pytest.mark.parametrize("name", OPEN)
def test_what_may_be_a_tuple_is_ported_and_the_file_says_so(
    facts: KnowledgeBase, name: str
) -> None:
    done = facts.port(f"{getter(name, OPEN[name])}loader = DataLoader(Data(), batch_size=2)\n")
    assert [one.kind for one in done.refusals] == ["differs"]
    assert "nothing proves what a sample of this data is" in done.refusals[0].reason.en
    assert "无法证明该数据集的样本是什么" in done.refusals[0].reason.zh
    assert "GeneratorDataset(" in (done.code or "")


@pytest.mark.parametrize("name", PORTED)
def test_tuples_are_ported(facts: KnowledgeBase, name: str) -> None:
    done = facts.port(START + DATA.format(PORTED[name][0], _two(PORTED[name][1])))
    assert done.refusals == ()
    assert "GeneratorDataset(" in (done.code or "")


TENSORS = "data = torch.utils.data.TensorDataset(torch.zeros(4, 3), torch.zeros(4))\n"
ASKED = """
def run(loader):
    for x, y in loader:
        print(len(loader.dataset), loader.batch_size, x.size(0))
    return loader.dataset.transform
"""


def test_what_a_loader_was_made_with_has_its_place(facts: KnowledgeBase) -> None:
    done = facts.port(f"{START}{ASKED}{TENSORS}run(DataLoader(data, batch_size=2))\n")
    assert done.refusals == ()
    assert (
        "print(len(loader.children[0].source), loader.get_batch_size(), x.shape[0])\n"
        "    return loader.children[0].source.transform\n"
    ) in (done.code or "")


def test_a_loader_that_stays_keeps_what_it_was_made_with(facts: KnowledgeBase) -> None:
    done = facts.port(f"{START}{ASKED}{TENSORS}run(DataLoader(data, collate_fn=f))\n")
    assert "len(loader.dataset), loader.batch_size" in (done.code or "")
    assert "return loader.dataset.transform" in (done.code or "")


@pytest.mark.parametrize(
    ("made", "shuffled"),
    [
        ("kw = {'batch_size': 2}\nif many:\n    kw['shuffle'] = True\n", "get"),
        ("kw = {'batch_size': 2, 'shuffle': True}\nkw.update(num_workers=n)\n", '["shuffle"]'),
    ],
)
def test_batches_of_what_a_dict_gives_are_known(
    facts: KnowledgeBase, made: str, shuffled: str
) -> None:
    code = f"{START}{TENSORS}{made}for x, y in DataLoader(data, **kw):\n    print(x.size(0))\n"
    done = facts.port(code)
    assert done.refusals == ()
    assert shuffled in (done.code or "")
    assert "print(x.shape[0])" in (done.code or "")


def test_batches_of_what_may_put_them_together_are_unknown(facts: KnowledgeBase) -> None:
    made = "kw = {'batch_size': 2}\nif many:\n    kw['collate_fn'] = f\n"
    code = f"{START}{TENSORS}{made}for x, y in DataLoader(data, **kw):\n    print(x.size(0))\n"
    done = facts.port(code)
    assert [one.kind for one in done.refusals] == ["argument", "possible"]
