"""Files of mixed code, as people write them: nothing is edited that isn't PyTorch's."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HERE = Path(__file__).parent
# Other libraries, own classes with the methods of tensors and layers, names that are shadowed.
OTHERS = sorted((HERE / "others").glob("*.py"))
# The same beside PyTorch.
MIXED = sorted((HERE / "mixed").glob("*.py"))
_IMPORT = re.compile(r"^ *(import torch( as \w+)?|from torch import Tensor)\n", re.MULTILINE)


def ported(facts: KnowledgeBase, code: str) -> str:
    made = facts.port(code).code
    assert made is not None
    return made


def comments(code: str) -> Counter[str]:
    """The comments of a source, each as often as it stands there."""
    words = tokenize.generate_tokens(io.StringIO(code).readline)
    return Counter(word.string for word in words if word.type == tokenize.COMMENT)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_others_code_stays(facts: KnowledgeBase, path: Path) -> None:
    code = path.read_text("utf-8")
    made = ported(facts, code)
    # Only an import of PyTorch that nothing uses goes.
    plain = _IMPORT.sub("", code).replace("threading, torch\n", "threading\n")
    assert made.replace("if TYPE_CHECKING:\n    pass\n", "if TYPE_CHECKING:\n") == plain


@pytest.mark.parametrize("path", MIXED, ids=lambda path: path.stem)
def test_mixed_code_is_whole_after_a_port(facts: KnowledgeBase, path: Path) -> None:
    code = path.read_text("utf-8")
    made = ported(facts, code)
    ast.parse(made)
    assert comments(made) == comments(code)
    assert ported(facts, made) == made


# Lines of files that stay as they are: what they do isn't PyTorch's, or is told.
KEPT = {
    "walrus_shadow": ["        return torch.zeros(3)  # their zeros"],
    "match_capture": [
        "            return torch.abs(1)",
        "            return nn.Linear(2, 3), rest",
    ],
    "comprehension_scope": [
        "fs = [torch.sum() for torch in [make()]]",
        "ys = [y for torch in things for y in torch.split(1)]",
    ],
    "class_scope": ["    a = torch.zeros(3)"],
    "nonlocal_shadow": ["        return torch.zeros(2)", "    return torch.zeros(2)"],
    "del_then": ["    y = torch.ones(2)", "z = torch.ones(2)"],
    "decorator_shadow": ["zeros(3)", "class A(nn.Module):"],
    "async_code": ["        await queue.put(torch.zeros(3))", "            nn.Linear(2, 3)"],
    "lambda_defaults": [
        "f = lambda x, torch=torch: torch.zeros(x)",
        "g = lambda torch: torch.zeros(3)",
        "    return torch.zeros(2), x",
    ],
    "except_name": ["    print(torch.args)", "y = torch.ones(3)", "    nn.split(ValueError)"],
    "globals_exec": ["y = torch.ones(3)", 'eval("torch.zeros(3)")'],
    "patched": [
        "    torch.abs(-1)",
        "        torch.ones(2)",
        "        torch.nn.functional.relu(3)",
        "    torch.zeros(3), mindspore.ops.eye(2)",
    ],
    "import_inside": ["        return mint.ones((3,)), t.ones(3)"],
    "same_names": ["t.view(1), t.size(0), t.backward()", "Net().train().forward(t)"],
    "conditional_rebind": ["x = torch.zeros((2, 3))", "y = torch.zeros((2, 3))"],
    "replaced": [
        "print(torch.zeros(3))",
        "print(F.relu(torch.ones(2)))",
        "print(torch.ones(3).sum())",
        "l = torch.nn.Linear(2, 2)",
        "print(l(torch.ones(2)))",
    ],
    "own_and_torch": [
        'agent.train(3); agent.eval(); agent.to("cpu"); agent.state_dict(); agent.step()',
        "    a.eval(); a.train(2); return a.parameters()",
        "    def step(self): return self.buffer.size()",
    ],
    "shadow_later": [
        "x.index(1); x.sort(); x.copy()",
        '    return y.split("a"), y.index("a")',
        '    z = y.split("s")',
        '[y.upper() for y in "ab"]',
    ],
    "star": ["x = zeros(3)", "y = sqrt(4)", "z = floor(2.5), exp(1), tensor([1.0])"],
    "dicts": ['    v.split(",")'],
    "set_methods": ["print(o.sum(dim=2), o.view(1), torch.answer())", "print(o.forward(3))"],
    "doctest": ["        >>> x = torch.zeros(3)", "        x (torch.Tensor): what"],
    "jaxmix": ["arr = np.array(t.tolist()); arr.view(); arr.flatten().max()"],
    "try_import": ["    HAS_TORCH = False", "        Module = object"],
    "lazy_local": ["        return F.relu(t)"],
    "train_override": ["    def train(self, mode: bool = True):"],
    "wrappers": ['    def sum(self): return "mine"', "    def train(self, mode=True):"],
}


@pytest.mark.parametrize("name", KEPT)
def test_lines_stay(facts: KnowledgeBase, name: str) -> None:
    made = ported(facts, (HERE / "mixed" / f"{name}.py").read_text("utf-8")).splitlines()
    assert [line for line in KEPT[name] if line not in made] == []


# Code, and what it becomes.
BECOMES = {
    "an own train is what eval calls": (
        """
        from torch import nn
        class Frozen(nn.Module):
            def train(self, mode=True):
                super().train(mode)
                self.norm.eval()
                return self
            def go(self):
                self.eval(); self.train()
        class Sub(Frozen): ...
        m = Sub()
        m.train(); m.eval()
        """,
        """
        from mindspore import nn
        class Frozen(nn.Cell):
            def train(self, mode=True):
                super().set_train(mode)
                self.norm.eval()
                return self
            def go(self):
                self.train(False); self.train()
        class Sub(Frozen): ...
        m = Sub()
        m.train(); m.train(False)
        """,
        ["train", "self.norm.eval()"],
    ),
    "a base that may be another's": (
        """
        from torch import nn
        class A(nn.Module, Other):
            def f(self):
                return super().state_dict()
        """,
        """
        from mindspore import nn
        class A(nn.Cell, Other):
            def f(self):
                return super().state_dict()
        """,
        ["super().state_dict()"],
    ),
    "a name that is set by setattr": (
        """
        import torch
        def test(monkeypatch):
            monkeypatch.setattr(torch, "ones", list)
            monkeypatch.setattr(other, "zeros", list)
            torch.ones(2)
            torch.zeros(2)
        """,
        """
        import mindspore
        import torch
        def test(monkeypatch):
            monkeypatch.setattr(torch, "ones", list)
            monkeypatch.setattr(other, "zeros", list)
            torch.ones(2)
            mindspore.mint.zeros((2,))
        """,
        ["torch", "torch.ones(2)"],
    ),
    "another attribute of Module": (
        """
        from torch import nn
        nn.Module.shout = print
        class A(nn.Module): ...
        """,
        """
        import mindspore
        from torch import nn
        nn.Module.shout = print
        class A(mindspore.nn.Cell): ...
        """,
        ["nn.Module.shout"],
    ),
    "names that code makes when it runs": (
        "\nexec(text)\ntorch.zeros(3)\n",
        "\nexec(text)\ntorch.zeros(3)\n",
        [],
    ),
}


@pytest.mark.parametrize("name", BECOMES)
def test_what_the_code_says_is_kept(facts: KnowledgeBase, name: str) -> None:
    code, expected, left = BECOMES[name]
    done = facts.port(dedent(code))
    assert done.code == dedent(expected)
    assert [refusal.source for refusal in done.refusals] == left


def test_two_thousand_lines_of_another_stay(facts: KnowledgeBase) -> None:
    lines = "".join(f"a.add({number})  # step {number}\n" for number in range(2000))
    code = "import torch.nn\nclass Acc:\n    def add(self, x): ...\na = Acc()\n" + lines
    assert ported(facts, code) == code.removeprefix("import torch.nn\n")


# What stands around the code, and how its lines end.
SHAPES = (
    "import torch\r\nx = torch.zeros(3)\r\nwith torch.no_grad():\r\n    y = x.size(0)  # c\r\n",
    "\ufeff# coding: utf-8\n\x0c\nimport torch\n\x0c\nx = torch.zeros(3)  # 中文\n"
    "y = 'é'; z = x.size(0)\n",
    "import torch\nif True:\n\tx = torch.zeros(3); y = x.size(0)\n\tif y:\n"
    "\t\tz = x.view(-1)\n\n\n",
)


@pytest.mark.parametrize("code", SHAPES)
def test_line_ends_marks_and_tabs_stay(facts: KnowledgeBase, code: str) -> None:
    made = ported(facts, code)
    assert "torch" not in made
    for mark in ("\r", "\ufeff", "\x0c", "\t", "中文"):
        assert (mark in made) == (mark in code)
    assert made.count("\n") == made.count("\r\n") or "\r" not in code
    assert ported(facts, made) == made
