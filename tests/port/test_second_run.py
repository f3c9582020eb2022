"""A second run changes nothing, and what the first one writes can be parsed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from tests.builders.rerun import runs

from msmap.query.knowledge_base import KnowledgeBase
from msmap.vocabulary import Language

# What stays makes a tensor that is still proved to be one of PyTorch's in a second run.
HEAD = """import torch
from torch.distributions import Independent, Normal


def f(x: "torch.Tensor", y: torch.Tensor, flag):
    kept = torch.add(x, y, out=y)
    torch.relu_(kept)
"""


@pytest.mark.parametrize(
    "code",
    [
        "return kept.transpose(0, 1)",
        "return kept.expand(2, 3)",
        "return kept.expand(2, 3).transpose(0, 1)",
        "d = Independent(Normal(x, y), 1)\n    return d.mean",
        "d = Normal(kept, y)\n    return d.mean, d.stddev, d.rsample()",
        "b = kept.t()\n    b.zero_()\n    b[flag] = 0",
        "kept[0].add_(1)",
        "return kept.to(torch.float16)",
        "kept.forward = flag",
        "return kept.real, kept.real.dtype",
        "n = torch.nn.LSTM(3, 4, proj_size=3)\n    return [*n.buffers()], dict(n.named_buffers())",
    ],
)
def test_a_second_run_changes_nothing(code: str, facts: KnowledgeBase) -> None:
    once = facts.port(f"{HEAD}    {code}\n").code or ""
    assert (facts.port(once).code or "") == once


def test_an_index_becomes_a_number_once(facts: KnowledgeBase) -> None:
    """Also where the class still has a base of PyTorch's."""
    once = facts.port(
        "import torch.utils.data as data\n\n\nclass Base(data.Dataset[int]):\n"
        "    pass\n\n\nclass Own(Base):\n    def __getitem__(self, i):\n"
        "        return self.x[i]\n"
    ).code
    assert once is not None
    assert once.count("i = int(i)") == 1
    assert facts.port(once).code == once


@pytest.mark.parametrize(
    "code",
    [
        "x[0].add_(\n        y[0]\n    )",
        "torch.narrow(x, 0, 0, 1).add_(\n        y\n    )",
        "b = x.t()\n    b.copy_(  # why\n        y\n    )",
        "x[0].zero_(); x[1].fill_(\n        2\n    )",
        "print(torch._C._profiler.ProfilerActivity.__repr__)",
    ],
)
def test_it_can_be_parsed(code: str, facts: KnowledgeBase) -> None:
    once = facts.port(f"{HEAD}    {code}\n").code or ""
    ast.parse(once)
    assert (facts.port(once).code or "") == once


def again(facts: KnowledgeBase, code: str) -> str:
    """What a second run makes of what the first one wrote."""
    return facts.port(facts.port(code).code or "").code or ""


@pytest.mark.parametrize(
    "code",
    [
        # What is registered as a parameter is one: an initialiser fills it.
        "class A(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.a = torch.nn.Parameter(torch.zeros(3))\n"
        "        self.register_parameter('a', self.a)\n"
        "        for one in [self.a]:\n            torch.nn.init.ones_(one)",
        # Variable(x) is x, and a tensor.
        "from torch.autograd import Variable\n\n\ndef f(x):\n    y = Variable(x)\n"
        "    return y.data.cpu().numpy(), y.cpu()",
    ],
)
def test_what_is_known_of_a_value_stays_known(code: str, facts: KnowledgeBase) -> None:
    code = f"import torch\n\n\n{code}\n"
    once = facts.port(code).code
    assert again(facts, code) == once
    assert not re.search(r"torch|\.cpu\(", once or "")


STEP = """import torch
import torch.nn as nn

net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, n in batches:
    optimizer.zero_grad()
    out = net(x)
    # why
    data = torch.FloatTensor(n)
    if n:
        data = torch.Tensor(n)
    out = out + data
    (out.mean() + torch.FloatTensor(n).sum()).backward()
    optimizer.step()
"""
PROVED = """import torch
import torch.nn as nn


class Kernel(nn.Module):
    def forward(self, n):
        return torch.linspace(n - 1, n, 3), torch.randint(0, n, (3,))


def numbers(k: torch.Tensor):
    return k.sum(), k.max()


def said(k):
    a, b = numbers(k)
    return f"{a.item():.2f} of {b.item()}"
"""
INNER = """import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.mul(torch.tanh(F.softplus(x)))

    def forward(self, x):
        return self.F.apply(x)
"""
TWICE = """import torch


def f(n, m):
    x, y = torch.FloatTensor(n), torch.FloatTensor(m)
    z = torch.ones(3)
    return f"{torch.sparse_bsr} {z.layout} {torch.sparse_bsr}", x, y
"""
QUOTED = """import torch
import torch.nn.functional as F


def f(x, foo):
    a = torch.FloatTensor(foo(torch.cat(x)))
    b = getattr(torch, foo(torch.float32))
    return a, b, F.l1_loss(a, x, reduce=foo(F.relu(x)))
"""
STARS = {
    "models.py": "import torch\nimport torch.nn as nn\n\n\nclass Net(nn.Module):\n"
    "    def forward(self, x):\n        return torch.relu(x)\n",
    "main.py": "import torch\nfrom models import *\n\n\ndef joined(x):\n"
    "    return torch.cat([x, x])\n",
    "other.py": "from models import *\nimport torch\nfrom main import *\n\n\ndef f(x):\n"
    "    with torch.no_grad():\n        return torch.stack([x, x])\n",
}
# What a star brings stands for PyTorch's yet.
BROUGHT = {
    "models.py": "import torch.nn as nn\n\n\ndef last(n):\n    return nn.Unfold(n, bias=n)\n",
    "main.py": "import torch\nfrom torch import autograd\nfrom models import *\n"
    "import torch.nn as nn\n\nloss = nn.L1Loss()\nx = torch.stft(loss)\n",
}
# Another file says of what it is given what this one says of a device.
DEVICES = {
    "envs.py": "import torch\n\n\nclass Env:\n    def __init__(self, device):\n"
    "        self.device = device\n\n    def reset(self):\n"
    "        return torch.zeros(3, device=self.device)\n\n\n"
    "env = Env(torch.device('cuda'))\n",
    "main.py": "import torch\nfrom envs import env\n\nx = torch.ones(3, device=env.device)\n",
}


FOLDERS = {
    "moved": {"a.py": STEP},
    "proved": {"a.py": PROVED},
    "named": {"a.py": INNER},
    "twice": {"a.py": TWICE},
    "quoted": {"a.py": QUOTED},
    "stars": STARS,
    "brought": BROUGHT,
    "devices": DEVICES,
}


@pytest.mark.parametrize("contents", FOLDERS.values(), ids=FOLDERS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_second_run_of_a_folder_changes_nothing(
    contents: dict[str, str], language: Language, facts: KnowledgeBase, tmp_path: Path
) -> None:
    for name, text in contents.items():
        (tmp_path / name).write_text(text, "utf-8")
    once = runs(tmp_path, facts, language)
    assert once != contents
    assert runs(tmp_path, facts, language) == once


PLACES = """import torch

Tensor = torch.cuda.FloatTensor


def f(n, i, mask):
    x = Tensor(n)
    x = x.scatter_(1, i, 1.0)
    x.masked_fill_(mask, 3.0)
    return x.sub_(i)
"""


@pytest.mark.parametrize("device", ["ascend", "gpu", "cpu"])
def test_what_a_method_in_place_becomes_stays_on_each_device(
    device: str, facts: KnowledgeBase, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(PLACES, "utf-8")
    once = runs(tmp_path, facts.on(device))
    assert "x = x.copy_(x.scatter(1, i, 1.0))" in once["a.py"]
    assert runs(tmp_path, facts.on(device)) == once


def test_what_is_said_of_a_moved_statement_stands_above_it(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(STEP, "utf-8")
    lines = runs(tmp_path, facts)["a.py"].splitlines()
    comments = [n for n, line in enumerate(lines) if "# msmap: torch." in line]
    assert [lines[n + 1].strip() for n in comments] == [
        "data = torch.FloatTensor(n)",
        "data = torch.Tensor(n)",
        "return out.mean() + torch.FloatTensor(n).sum()",
    ]
    assert all(
        len(lines[n]) - len(lines[n].lstrip()) == len(lines[n + 1]) - len(lines[n + 1].lstrip())
        for n in comments
    )


def test_a_star_from_the_tree_brings_the_name_that_is_there_already(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    for name, text in STARS.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert [name for name, text in runs(tmp_path, facts).items() if "torch" in text] == []


def test_no_short_name_is_used_that_a_star_brings(facts: KnowledgeBase, tmp_path: Path) -> None:
    for name, text in BROUGHT.items():
        (tmp_path / name).write_text(text, "utf-8")
    texts = runs(tmp_path, facts)
    assert "import torch.nn as nn" in texts["models.py"]
    assert "loss = mindspore.nn.L1Loss()" in texts["main.py"]


def test_what_was_left_is_ported_once_its_arguments_are_known(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(PROVED, "utf-8")
    once = runs(tmp_path, facts)["a.py"]
    assert "torch.randint(0, n, (3,))" in once
    (tmp_path / "a.py").write_text(once.replace("(0, n, (3,))", "(0, 5, (3,))"), "utf-8")
    assert " mindspore.ops.randint(0, 5, (3,))" in runs(tmp_path, facts)["a.py"]


def test_what_was_left_is_ported_once_what_its_comment_quotes_is_changed(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    code = (
        "import torch\n\n\ndef f(x, y):\n    return torch.nn.functional.l1_loss(x, y, reduce=x)\n"
    )
    (tmp_path / "a.py").write_text(code, "utf-8")
    once = runs(tmp_path, facts)["a.py"]
    assert "`reduce=x`" in once
    assert runs(tmp_path, facts)["a.py"] == once
    (tmp_path / "a.py").write_text(once.replace(", reduce=x)", ")"), "utf-8")
    assert "l1_loss(x, y)" in runs(tmp_path, facts)["a.py"]
    assert "torch.nn.functional.l1_loss(" not in (tmp_path / "a.py").read_text("utf-8")


def test_another_language_changes_comments_only(facts: KnowledgeBase, tmp_path: Path) -> None:
    for name, text in {"a.py": STEP, "b.py": PROVED, "c.py": INNER}.items():
        (tmp_path / name).write_text(text, "utf-8")

    def code(texts: dict[str, str]) -> list[str]:
        return [
            "# msmap" if line.lstrip().startswith("# msmap: ") else line
            for text in texts.values()
            for line in text.splitlines()
        ]

    assert code(runs(tmp_path, facts, "zh")) == code(runs(tmp_path, facts, "en"))


def test_a_model_in_training_mode_is_known_again(facts: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(
        "from torch import nn\n\n\nclass Base(nn.Module):\n    def forward(self, x):\n"
        "        return self.drop(x)\n\n\nclass Net(Base):\n    def __init__(self):\n"
        "        super().__init__()\n        self.drop = nn.Dropout(0.5)\n",
        "utf-8",
    )
    (tmp_path / "make.py").write_text(
        "import torch\n\n\ndef create(path):\n    from net import Net\n\n    model = Net()\n"
        "    if path:\n        saved = torch.hub.load(path)\n"
        "        model.load_state_dict(saved, strict=False)\n    return model\n",
        "utf-8",
    )
    once = runs(tmp_path, facts)
    assert "model = Net().set_train()" in once["make.py"]
    assert runs(tmp_path, facts) == once
