"""A Module starts in training mode, a Cell doesn't: set_train() stands where a model is made."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from msmap.infer.modules import Modules
from msmap.port import project
from msmap.query.knowledge_base import KnowledgeBase

HEAD = """
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(x)


class Flat(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return F.relu(self.fc(x))


x = torch.ones(4, 3)
"""


def ported(facts: KnowledgeBase, folder: Path, code: str, **others: str) -> str:
    """What becomes of the lines behind the imports and classes, in a tree with other files."""
    files = {"a": HEAD + dedent(code), **{name: dedent(text) for name, text in others.items()}}
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    done = project.port(folder / "a.py", Modules(folder.glob("*.py"), facts))
    assert isinstance(done, project.Done)
    return done.text.partition("x = mint.ones((4, 3))\n")[2].strip()


SET = {
    "used at once": "show(Net()(x))",
    "never set": "m = Net()\ny = m(x)",
    "only for evaluation": "m = Net()\ny = m(x)\nm.eval()\nz = m(x)",
    "a layer": "drop = nn.Dropout(0.5)\ny = drop(x)",
    "many layers": "m = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))\ny = m(x)",
    "recurrent": "m = nn.LSTM(3, 3, num_layers=2, dropout=0.5)\ny = m(x)",
    "one of two": "m, n = Net(), Net()\ny = m(x)\nn.train()\nz = n(x)",
    "a function": "def make():\n    return Net()\ny = make()(x)",
    "by a dict": "made = {'net': Net}['net']()\ny = made(x)",
    "copied": "m = Net()\nn = copy.deepcopy(m)\nm.train()\ny = n(x)",
    "set on a condition": "m = Net()\nif y:\n    m.train()\nz = m(x)",
    "set too late": "m = Net()\nfor _ in y:\n    z = m(x)\n    m.train()",
    "a part is set": "m = Net()\nm.bn.eval()\ny = m(x)",
    "asked": "m = Net()\nwas = m.training",
    "on an object": """
        class Trainer:
            def __init__(self):
                self.net = Net()

            def step(self, x):
                return self.net(x)
    """,
    "by a function that applies it": "def run(m):\n    return m(x)\nm = Net()\ny = run(m)",
    "an own class that asks": """
        class Asks(nn.Module):
            def forward(self, x):
                return F.dropout(x, 0.5, self.training)
        m = Asks()
        y = m(x)
    """,
    "what it is made of may be anything": """
        class Holds(nn.Module):
            def __init__(self, inner):
                super().__init__()
                self.inner = inner

            def forward(self, x):
                return self.inner(x)
        m = Holds(y)
        z = m(x)
    """,
    "in a constructor that applies it": """
        class Probes(nn.Module):
            def __init__(self):
                super().__init__()
                self.bn = nn.BatchNorm1d(3)
                self.size = self.bn(x).shape[1]

            def forward(self, x):
                return self.bn(x)
    """,
    "when it is needed": """
        class Late(nn.Module):
            def forward(self, x):
                self.bn = nn.BatchNorm1d(3)
                return self.bn(x)
    """,
}
UNSET = {
    "no layer depends on it": "m = Flat()\ny = m(x)",
    "a rate of 0": "m = nn.Dropout(0)\ny = m(x)",
    "no dropout": "m = nn.LSTM(3, 3)\ny = m(x)",
    "set first": "m = Net()\nm.train()\ny = m(x)",
    "set in each way": "m = Net()\nif y:\n    m.train()\nelse:\n    m.eval()\nz = m(x)",
    "set where it is made": "m = Net().eval()\ny = m(x)",
    "set when it moves": "m = Net()\nm = m.to('cpu').eval()\ny = m(x)",
    "set in a loop": "m = Net()\nfor _ in y:\n    m.train()\n    z = m(x)\n    m.eval()",
    "by a function that sets it": "def f(m):\n    m.train()\n    return m(x)\nm = Net()\ny = f(m)",
    "on an object whose methods set it": """
        class Trainer:
            def __init__(self):
                self.net = Net()

            def step(self, x):
                self.net.train()
                return self.net(x)
    """,
    "a part of a model": """
        class Outer(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = Net()
                self.rest = self._rest()

            def _rest(self):
                return nn.Sequential(nn.BatchNorm1d(3), block())

            def forward(self, x):
                return self.rest(self.net(x))
        def block():
            return nn.Sequential(nn.BatchNorm1d(3))
    """,
    "collected": """
        layers = [nn.BatchNorm1d(3)]
        layers.append(nn.BatchNorm1d(3))
        m = nn.Sequential(*layers)
        m.train()
        y = m(x)
    """,
}


@pytest.mark.parametrize("code", SET.values(), ids=SET)
def test_a_model_that_may_be_used_before_its_mode_is_set_is_put_in_training_mode(
    facts: KnowledgeBase, tmp_path: Path, code: str
) -> None:
    done = ported(facts, tmp_path, code)
    assert (
        done.count(".set_train()") - done.count("m.set_train()") - done.count("n.set_train()") == 1
    )


@pytest.mark.parametrize("code", UNSET.values(), ids=UNSET)
def test_a_model_whose_mode_is_set_or_does_not_matter_stays(
    facts: KnowledgeBase, tmp_path: Path, code: str
) -> None:
    assert ").set_train()" not in ported(facts, tmp_path, code)


WHERE = [
    ("m = Net()\ny = m(x)", "m = Net().set_train()\ny = m(x)"),
    ("m = Net().to('cpu')\ny = m(x)", "m = Net().set_train()\ny = m(x)"),
    ("y = nn.Dropout(0.5)(x)", "y = nn.Dropout(p=0.5).set_train()(x)"),
    (
        "m = Net() if y else Flat()\nz = m(x)",
        "m = Net().set_train() if y else Flat()\nz = m(x)",
    ),
    (
        "m = nn.Sequential(Net(),\n    nn.Dropout(0.5))\ny = m(x)",
        "m = nn.SequentialCell(Net(),\n    nn.Dropout(p=0.5)).set_train()\ny = m(x)",
    ),
    (
        "def make():\n    net = Net()\n    return net\ny = make()(x)",
        "def make():\n    net = Net().set_train()\n    return net\ny = make()(x)",
    ),
]


@pytest.mark.parametrize(("code", "expected"), WHERE)
def test_it_stands_behind_what_makes_the_model(
    facts: KnowledgeBase, tmp_path: Path, code: str, expected: str
) -> None:
    assert ported(facts, tmp_path, code) == expected


ELSEWHERE = {
    "sets it": ("def fit(m):\n    m.train()\n    return m(1)\n", "m = Net()\ny = fit(m)"),
    "applies it": ("def fit(m):\n    return m(1)\n", "m = Net().set_train()\ny = fit(m)"),
    "sets it and applies another": (
        "def fit(m, n):\n    m.train()\n    return n(m(1))\n",
        "m = Net()\ny = fit(m, Net().set_train())",
    ),
}


@pytest.mark.parametrize(("other", "expected"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_function_of_another_file_is_followed(
    facts: KnowledgeBase, tmp_path: Path, other: str, expected: str
) -> None:
    code = "from other import fit\n" + expected.replace(".set_train()", "")
    done = ported(facts, tmp_path, code, other=other)
    assert done.removeprefix("from other import fit\n") == expected


def test_a_class_of_another_file_is_followed(facts: KnowledgeBase, tmp_path: Path) -> None:
    other = """
    from torch import nn
    class Dropping(nn.Module):
        def __init__(self):
            super().__init__()
            self.drop = nn.Dropout(0.5)
        def forward(self, x):
            return self.drop(x)
    class Plain(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(3, 3)
        def forward(self, x):
            return self.fc(x)
    """
    code = "import other\nm, n = other.Dropping(), other.Plain()\ny = n(m(x))"
    done = ported(facts, tmp_path, code, other=other)
    assert done == "import other\nm, n = other.Dropping().set_train(), other.Plain()\ny = n(m(x))"


SAID = {
    "a constructor sets the mode of a part": """
        class Frozen(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = Net()
                self.net.eval()
                self.bn = nn.BatchNorm1d(3)

            def forward(self, x):
                return self.bn(self.net(x))
        m = Frozen()
        y = m(x)
    """,
    "a model of another library": """
        import unknown
        m = unknown.create_model("net")
        optimizer = torch.optim.SGD(m.parameters(), lr=0.1)
        y = m(x)
    """,
}


@pytest.mark.parametrize("code", SAID.values(), ids=SAID)
def test_what_can_not_be_written_is_said_in_the_file(
    facts: KnowledgeBase, tmp_path: Path, code: str
) -> None:
    done = ported(facts, tmp_path, code)
    line = next(one for one in done.splitlines() if one.startswith("m = "))
    above = done.partition(line)[0].splitlines()[-1]
    assert above.startswith("# msmap: ")
    assert "a new Module is in training mode" in above
    assert ".set_train()" not in line


@pytest.mark.parametrize("code", SET.values(), ids=SET)
def test_a_second_run_changes_nothing(facts: KnowledgeBase, tmp_path: Path, code: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(HEAD + dedent(code), encoding="utf-8")
    first = project.port(path, Modules([path], facts))
    assert isinstance(first, project.Done)
    path.write_text(first.text, encoding="utf-8")
    again = project.port(path, Modules([path], facts))
    assert isinstance(again, project.Done)
    assert again.text == first.text
