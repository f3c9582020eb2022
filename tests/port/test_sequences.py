"""A Sequential calls all layers that are put into it by name: MindSpore's list is made again."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = "import torch\nfrom torch import nn\n\n"
MADE = "net.cell_list = list(net)"


def ported(facts: KnowledgeBase, code: str) -> tuple[str, list[str]]:
    """The code behind the imports, and the kinds of what is said above it."""
    done = facts.port(HEAD + dedent(code).strip() + "\n")
    lines = (done.code or "").split("\n\n", 1)
    return lines[-1].strip(), [one.kind for one in done.refusals]


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ('net.add_module("act", nn.Tanh())', 'setattr(net, "act", nn.Tanh())'),
        ('net.register_module("act", nn.Tanh())', 'setattr(net, "act", nn.Tanh())'),
        ("net.act = nn.Tanh()", "net.act = nn.Tanh()"),
        ('setattr(net, "0", nn.Tanh())', 'setattr(net, "0", nn.Tanh())'),
        ("del net.act", "del net.act"),
        ('delattr(net, "act")', 'delattr(net, "act")'),
    ],
)
def test_the_list_is_made_again(facts: KnowledgeBase, line: str, written: str) -> None:
    code, said = ported(facts, f"net = nn.Sequential(nn.ReLU())\n{line}\n")
    assert code.splitlines()[1:] == [written, MADE]
    assert said == []


@pytest.mark.parametrize(
    "line", ["net[0] = nn.Tanh()", "net.append(nn.Tanh())", "del net[0]", "net.kind = 'a'"]
)
def test_what_mindspore_sees_itself_is_left_alone(facts: KnowledgeBase, line: str) -> None:
    code, said = ported(facts, f"net = nn.Sequential(nn.ReLU())\n{line}\n")
    assert code.splitlines()[1:] == [line]
    assert said == []


def test_once_behind_the_last_of_several(facts: KnowledgeBase) -> None:
    code, said = ported(
        facts,
        """
        class Block(nn.Sequential):
            def __init__(self, size, count):
                super().__init__()
                self.add_module("norm", nn.ReLU()),
                self.last = nn.Tanh()
                for n in range(count):
                    self.add_module("layer%d" % n, nn.ReLU())
                self.size = size * 2
        """,
    )
    assert code.splitlines()[3:] == [
        '        setattr(self, "norm", nn.ReLU()),',
        "        self.last = nn.Tanh()",
        "        for n in range(count):",
        '            setattr(self, "layer%d" % n, nn.ReLU())',
        "        self.cell_list = list(self)",
        "        self.size = size * 2",
    ]
    assert said == []


def test_before_it_is_called_or_given_away(facts: KnowledgeBase) -> None:
    code, _ = ported(
        facts,
        """
        def build(count):
            found = nn.ModuleList()
            for n in range(count):
                net = nn.Sequential()
                net.add_module("one", nn.ReLU())
                found.append(net)
                net.add_module("two", nn.Tanh())
            return found
        """,
    )
    assert code.splitlines()[3:-1] == [
        "        net = nn.SequentialCell()",
        '        setattr(net, "one", nn.ReLU())',
        f"        {MADE}",
        "        found.append(net)",
        '        setattr(net, "two", nn.Tanh())',
        f"        {MADE}",
    ]


def test_parameters_of_an_attribute_get_their_names(facts: KnowledgeBase) -> None:
    code, _ = ported(
        facts,
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Sequential()
                self.body.add_module("one", nn.ReLU())
                self.add_module("two", nn.ReLU())
        """,
    )
    assert code.splitlines()[4:] == [
        '        setattr(self.body, "one", nn.ReLU())',
        "        self.body.cell_list = list(self.body)",
        "        self.body = self.body  # names its parameters",
        '        setattr(self, "two", nn.ReLU())',
    ]


def test_what_may_be_one_is_asked(facts: KnowledgeBase) -> None:
    code, said = ported(
        facts, "def swap(net: nn.Module, name):\n    setattr(net, name, nn.ReLU())\n"
    )
    assert code.splitlines()[1:] == [
        "    setattr(net, name, nn.ReLU())",
        "    if isinstance(net, nn.SequentialCell):",
        f"        {MADE}",
    ]
    assert said == []


@pytest.mark.parametrize(
    "code",
    [
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.one = nn.ReLU()\n        self.add_module('two', nn.ReLU())\n",
        "from models import Net\nmodel = Net()\nmodel.fc = nn.ReLU()\n",
        "def f(args, k, v):\n    setattr(args, k, v)\n",
    ],
)
def test_no_other_module_gets_a_list(facts: KnowledgeBase, code: str) -> None:
    assert "cell_list" not in ported(facts, code)[0]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("net = nn.Sequential()\nf = lambda: net.add_module('a', nn.ReLU())\n", "differs"),
        ("net = nn.Sequential()\nnet.a = nn.ReLU()\ndel net[0]\n", "value"),
        ("net = nn.Sequential()\nnet._modules['a'] = nn.ReLU()\n", "value"),
        ("net = nn.Sequential()\nnet._modules.pop('a')\n", "value"),
        ("def f(net):\n    return net._modules\n", "possible"),
        ("net = nn.Sequential(nn.ReLU()) + nn.Sequential(nn.ReLU())\n", "value"),
        ("net = nn.Sequential(nn.ReLU())\nnet *= 2\n", "value"),
        ("net = nn.Sequential(nn.ReLU()).append(nn.ReLU())\n", "value"),
        ("net = nn.ModuleList()\nprint(net.append(nn.ReLU()))\n", "value"),
    ],
)
def test_what_cant_be_written_is_said(facts: KnowledgeBase, code: str, said: str) -> None:
    assert ported(facts, code)[1] == [said]


def test_the_layers_of_a_module_by_its_private_name(facts: KnowledgeBase) -> None:
    code, said = ported(facts, "net = nn.Sequential(nn.ReLU())\nn = len(net._modules)\n")
    assert code.splitlines()[1:] == ["n = len(net._cells)"]
    assert said == []


def test_a_second_run_changes_nothing(facts: KnowledgeBase) -> None:
    code = f"{HEAD}net = nn.Sequential()\nnet.a = nn.ReLU()\nx = torch.compile(net)\n"
    once = facts.port(code).code
    assert once is not None
    assert MADE in once
    assert facts.port(once).code in (once, None)


def test_before_a_function_may_call_what_all_of_the_file_see(facts: KnowledgeBase) -> None:
    code, _ = ported(
        facts,
        """
        net = nn.Sequential()
        def run(x):
            return net(x)
        net.a = nn.ReLU()
        run(1)
        net.b = nn.ReLU()
        net.c = nn.ReLU()
        """,
    )
    assert code.splitlines()[3:] == [
        "net.a = nn.ReLU()",
        MADE,
        "run(1)",
        "net.b = nn.ReLU()",
        "net.c = nn.ReLU()",
        MADE,
    ]


def test_before_what_holds_it_is_called(facts: KnowledgeBase) -> None:
    code, _ = ported(
        facts,
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Sequential(nn.ReLU())
            def forward(self, x):
                return self.body(x)
        net = Net()
        net.body.a = nn.ReLU()
        print(net(1))
        net.body.b = nn.ReLU()
        """,
    )
    assert code.splitlines()[7:] == [
        "net.body.a = nn.ReLU()",
        "net.body.cell_list = list(net.body)",
        "print(net(1))",
        "net.body.b = nn.ReLU()",
        "net.body.cell_list = list(net.body)",
    ]
