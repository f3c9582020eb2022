"""What scripts of common styles brought up: each was ported to code that fails, or is another."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

# The code, what has to stand in its port, and what mustn't.
SCRIPTS = {
    "the modules of a module, by name": (
        """
        import torch
        from torch import nn
        class Net(nn.Module):
            pass
        net = Net()
        for name, module in net.named_modules():
            for key, child in module.named_children():
                print(key)
        """,
        "for key, child in module.name_cells().items():",
        "named_",
    ),
    "gradients of another function": (
        """
        import torch
        from torch import nn, autograd
        net = nn.Linear(2, 1)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        def penalty(out, x):
            grads = autograd.grad(out, x)[0]
            return grads
        def train(x):
            for _ in range(2):
                loss = net(x).sum()
                loss.backward()
                opt.step()
        """,
        "opt.step()",
        "opt(grads)",
    ),
    "the optimizer made after zero_grad of another": (
        """
        import torch
        import torch.nn.functional as F
        from torch import nn
        def run(x, y):
            net = nn.Linear(2, 2)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            loss = F.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return net
        """,
        "def forward_fn():\n        loss =",
        "has_aux",
    ),
    "a variable of old code is no gradient": (
        """
        import torch
        from torch import nn
        from torch.autograd import Variable
        net = nn.Linear(2, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        criterion = nn.MSELoss()
        for x, y in loader:
            x = Variable(x)
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
        """,
        "mindspore.value_and_grad(",
        "Variable",
    ),
    "a function in a container of cells": (
        """
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(2, 2), nn.ELU(0.3))
        """,
        "nn.ELU(0.3)",
        "lambda",
    ),
    "a function in a list for one": (
        "from torch import nn\nlayers = [nn.Linear(2, 2)]\nlayers += [nn.ELU(0.3)]\n",
        "nn.ELU(0.3)",
        "lambda",
    ),
    "a function by a name": (
        "from torch import nn\nclass A(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.act = nn.ELU(0.3)\n",
        "self.act = (lambda",
        "nn.ELU",
    ),
    "types of what may be made of a size": (
        "import torch\nfrom torch import Tensor\n"
        "def f(x: torch.Tensor, y: Tensor) -> torch.Tensor:\n    return x + y\n",
        "from mindspore import Tensor\ndef f(x: Tensor, y: Tensor) -> Tensor:",
        "import torch",
    ),
    "a type of Python's own as dtype": (
        "import torch\nx = torch.ones(3, dtype=bool)\n",
        "x = mindspore.mint.ones((3,), dtype=mindspore.bool",
        "dtype=bool",
    ),
    "a name that isn't Python's own any more": (
        "import torch\nbool = torch.uint8\nx = torch.ones(3, dtype=bool)\n",
        "bool = mindspore.uint8\nx = mindspore.mint.ones((3,), dtype=bool)",
        "dtype=mindspore",
    ),
    "an initialiser of what a parameter holds": (
        "from torch import nn\ndef f(m):\n    nn.init.zeros_(m.weight.data)\n"
        "    nn.init.constant_(val=1, tensor=m.bias.data)\n",
        "(lambda tensor: tensor.set_data(mindspore.common.initializer.initializer('zeros', "
        'tensor.shape, tensor.dtype)))(getattr(m, next(name for name in ("weight", "gamma", '
        '"embedding_table") if hasattr(m, name))))',
        ".data",
    ),
    "an initialiser of a part": (
        "from torch import nn\ndef f(m):\n    nn.init.zeros_(m.weight[0])\n",
        "nn.init.zeros_(m.weight[0])",
        "set_data",
    ),
    "an initialiser of what is no parameter": (
        "import torch\nfrom torch import nn\nw = torch.empty(3, 4)\nnn.init.zeros_(w)\n"
        "v = nn.init.ones_(torch.empty(3))\n",
        "nn.init.zeros_(w)",
        "set_data",
    ),
    "an initialiser of what an annotation calls a tensor": (
        "from torch import Tensor, nn\ndef f(w: Tensor):\n    nn.init.zeros_(w)\n",
        "w.set_data(",
        "zeros_",
    ),
    "annotations without a class of MindSpore's": (
        """
        import torch
        from typing import Optional
        from torch.utils.data import DataLoader, Dataset
        def f(a: Dataset, b: Optional[Dataset], c: DataLoader, d: torch.device) -> torch.dtype:
            e: torch.Size = g()
            h: "list[torch.LongTensor]" = []
        """,
        "def f(a: object, b: Optional[object], c: mindspore.dataset.Dataset, d: str)"
        " -> mindspore.Type:\n    e: tuple = g()\n"
        '    h: "list[mindspore.Tensor]" = []\n',
        "torch",
    ),
    "inference without gradients": (
        "import torch\n@torch.inference_mode()\ndef f(x):\n    with torch.inference_mode(True):\n"
        "        y = x + 1\n    with torch.set_grad_enabled(False):\n        y = y + 1\n"
        "    return y\n",
        "def f(x):\n    y = x + 1\n    y = y + 1\n    return y\n",
        "torch",
    ),
    "a block without gradients behind a training step": (
        """
        import torch
        from torch import nn
        def train(loader):
            net = nn.Linear(2, 2)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for x, y in loader:
                loss = nn.functional.mse_loss(net(x), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                with torch.no_grad():
                    z = net(x)
        """,
        "        optimizer(grads)\n        z = net(x)\n",
        "no_grad",
    ),
    "data moved on a condition, and a teacher without gradients": (
        """
        import torch
        from torch import nn
        def train(loader, args):
            net, teacher = nn.Linear(2, 2), nn.Linear(2, 2)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for x, y in loader:
                if args.cuda:
                    x, y = x.cuda(), y.cuda()
                optimizer.zero_grad()
                with torch.no_grad():
                    t = teacher(x)
                loss = nn.functional.mse_loss(net(x), t)
                loss.backward()
                optimizer.step()
        """,
        "            x, y = x.cuda(), y.cuda()\n        t = teacher(x)\n"
        "        loss, grads = grad_fn(x, t)\n        optimizer(grads)\n",
        "no_grad",
    ),
    "gradients that are needed on a condition": (
        """
        import torch
        from torch import nn
        def train(loader, flag):
            net = nn.Linear(2, 2)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for x, y in loader:
                if flag:
                    x = net(x)
                optimizer.zero_grad()
                loss = nn.functional.mse_loss(net(x), y)
                loss.backward()
                optimizer.step()
        """,
        "    def forward_fn(x, y):\n        if flag:\n            x = net(x)\n        loss = ",
        "backward",
    ),
    "a teacher that sees what the network gives": (
        """
        import torch
        from torch import nn
        def train(loader):
            net, teacher = nn.Linear(2, 2), nn.Linear(2, 2)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for x, y in loader:
                optimizer.zero_grad()
                out = net(x)
                with torch.no_grad():
                    t = teacher(out)
                loss = nn.functional.mse_loss(out, t)
                loss.backward()
                optimizer.step()
        """,
        "t = ops.stop_gradient(teacher(out))",
        "torch",
    ),
    "gradients in spite of all": (
        "import torch\ndef f(x):\n    with torch.inference_mode(False):\n        y = x + 1\n"
        "    with torch.set_grad_enabled(flag):\n        y = y + 1\n    return y\n",
        "    with torch.inference_mode(False):\n        y = x + 1\n"
        "    with torch.set_grad_enabled(flag):\n",
        "import mindspore",
    ),
    "a buffer that is set": (
        """
        import torch
        from torch import nn
        class A(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.zeros(3))
                self.register_buffer("lost", None, persistent=False)
                self.other = torch.zeros(3)
            def forward(self, x):
                self.kept = self.kept * 0.9 + x.size(0)
                self.kept -= (
                    x.sum()  # a comment
                )
                self.lost = x; self.kept = None
                self.other = x
        a = A()
        a.kept = torch.ones(3)
        """,
        """
        self.register_buffer("kept", self.kept * 0.9 + x.shape[0])
        self.kept.copy_(self.kept -
            x.sum()  # a comment
        )
        self.register_buffer("lost", x, persistent=False); self.kept = None
        self.other = x
a = A()
a.register_buffer("kept", mint.ones((3,)))
""",
        "torch",
    ),
    "a buffer that is set beside others": (
        """
        import torch
        from torch import nn
        class A(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.zeros(3))
            def forward(self, x):
                self.kept, y = x, x
        """,
        "self.kept, y = x, x",
        'register_buffer("kept", x',
    ),
    "states of recurrent layers": (
        "from torch import nn\ngru, lstm = nn.GRU(2, 3), nn.LSTM(2, 3)\n"
        "y, h = gru(x)\nz, (a, b) = lstm(x)\nh.size(0), a.size(0), b.size(0)\n",
        "h.shape[0], a.shape[0], b.shape[0]",
        "size",
    ),
    "one number for a list of them": (
        "import torch\nx = torch.ones(3, 4)\ny = x.flip(0)\n",
        "mindspore.mint.flip(x, (0,))",
        "x.flip(0)",
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_port_runs(facts: KnowledgeBase, name: str) -> None:
    code, expected, never = SCRIPTS[name]
    made = facts.port(dedent(code).lstrip("\n")).code
    assert made is not None
    assert expected in made
    assert never not in made


# What a first run gives stays as it is in a second one.
PORTED = (
    "y = mindspore.mint.zeros((3, 4)).bool().any(1, False).float()\n",
    "x = torch.zeros(3)\nx.bool().any()\nx.bool().any(1, False)\nx.bool().any(dim=1)\n",
)


def test_what_is_no_parameter_stays_so_in_a_second_run(facts: KnowledgeBase) -> None:
    code = (
        "import torch\nfrom torch import nn\ndef f():\n    w = torch.empty(3)\n"
        "    nn.init.ones_(w)\n"
    )
    made = facts.port(code).code or ""
    assert "nn.init.ones_(w)" in made
    assert facts.port(made).code == made


@pytest.mark.parametrize("code", PORTED)
def test_a_second_run_changes_nothing(facts: KnowledgeBase, code: str) -> None:
    made = facts.port(f"import mindspore\nimport torch\n{code}").code
    assert made is not None
    assert facts.port(made).code == made
    assert ".bool().any(1, False)" in made


def test_a_module_as_a_whole_is_told(facts: KnowledgeBase) -> None:
    done = facts.port(
        "import torch\nfrom torch import nn\ngetattr(nn, a)(2)\ngetattr(torch, b)()\n"
    )
    assert [(r.source, r.reason.en.partition(":")[0]) for r in done.refusals] == [
        ("nn", "torch.nn as a whole"),
        ("torch", "torch as a whole"),
    ]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("getattr(nn, a)(2)", "torch.nn as a whole: the code doesn't show which of its names are"
         ' taken; write a dict of those that may be, as {"Name": nn.Name}[a], and port again'),
        ("getattr(torch.optim, args.opt, None)", "torch.optim as a whole: the code doesn't show"
         ' which of its names are taken; write a dict of those that may be, as {"Name":'
         " torch.optim.Name}[args.opt], and port again"),
        ('getattr(nn, "MSELoss")()', "torch.nn as a whole: write nn.MSELoss, and port again"),
        ("nn.__dict__[a](2)", "torch.nn as a whole: the code doesn't show which of its names are"
         ' taken; write a dict of those that may be, as {"Name": nn.Name}[name], and port again'),
    ],
)  # fmt: skip
def test_what_to_write_where_a_module_is_asked_by_a_text(
    facts: KnowledgeBase, asked: str, told: str
) -> None:
    done = facts.port(f"import torch\nfrom torch import nn\nx = {asked}\n")
    assert [one.reason.en for one in done.refusals] == [told]


def test_what_a_text_asks_of_a_dict_is_ported(facts: KnowledgeBase) -> None:
    code = "from torch import nn\nx = {'ReLU': nn.ReLU, 'GELU': nn.GELU}[a]()\n"
    done = facts.port(code)
    assert done.refusals == ()
    assert "{'ReLU': nn.ReLU, 'GELU': lambda: nn.GELU(approximate=False)}[a]()" in (done.code or "")


HEAD = "import torch\nx = torch.ones(3)\nloss = x.sum()\n"
# Tensors of MindSpore's have no formats: what formats them, and what it becomes.
FORMATTED = (
    ('f"{loss:.4f} {n:3d} {x}"', 'f"{loss.item():.4f} {n:3d} {x}"'),
    ('f"{-loss:.2f} {x.mean():5.2f} {loss!r:>10}"',
     'f"{(-loss).item():.2f} {x.mean().item():5.2f} {loss!r:>10}"'),
    ('f"{loss.item():.4f} {loss:}"', 'f"{loss.item():.4f} {loss:}"'),
    ('"{:.3f} {} {a:.2f} {a}".format(loss, x, a=loss)',
     '"{:.3f} {} {a:.2f} {a}".format(loss.item(), x, a=loss.item())'),
    ('"{1:.2f} {0}".format(x, loss * 2)', '"{1:.2f} {0}".format(x, (loss * 2).item())'),
    ('"{:.2f}".format(\n    loss  # why\n)', '"{:.2f}".format(\n    loss.item()  # why\n)'),
    ('"{:d} {0.x:d} {".format(loss)', '"{:d} {0.x:d} {".format(loss)'),
    ('"{:.2f}".format(*a), "{:.2f}".format(n), "%.2f" % loss',
     '"{:.2f}".format(*a), "{:.2f}".format(n), "%.2f" % loss'),
)  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), FORMATTED)
def test_a_tensor_is_formatted_by_its_number(
    facts: KnowledgeBase, code: str, expected: str
) -> None:
    made = facts.port(f"{HEAD}{code}\n").code or ""
    assert made.endswith(f"\n{expected}\n")
    assert facts.port(made).code == made


def test_an_f_string_that_shows_its_own_text_is_told(facts: KnowledgeBase) -> None:
    done = facts.port(f'{HEAD}f"{{loss=:.4f}}"\n')
    assert (done.code or "").endswith('f"{loss=:.4f}"\n')
    assert [refusal.reason.en for refusal in done.refusals] == [
        "loss is formatted inside an f-string: MindSpore's tensors have no formats; write"
        " loss.item()"
    ]


def test_what_distributions_lack_is_told(facts: KnowledgeBase) -> None:
    code = (
        "import torch\nfrom torch.distributions import Normal\nq = Normal(torch.ones(3), 1.0)\n"
        "z = q.rsample(), q.sample((2,)), q.log_prob(x), q.mean + q.stddev, q.icdf(x)\n"
    )
    done = facts.port(code)
    assert [refusal.source for refusal in done.refusals] == ["q.icdf(x)"]
    line = next(line for line in str(done.code).splitlines() if line.startswith("z = "))
    sample = "ops.stop_gradient(q.sample((2,)))"
    assert line == f"z = q.sample(), {sample}, q.log_prob(x), q.mean() + q.sd(), q.icdf(x)"
    assert all("sd() and var() are called" in refusal.reason.en for refusal in done.refusals)


LOSSES = "import torch\nfrom torch import nn\n"
WANTED = "Class indices must be int32"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("losses = {'a': nn.CrossEntropyLoss()}\nfit(losses)\n", True),
        ("fit(nn.CrossEntropyLoss())\n", True),
        ("losses = [nn.MSELoss()]\nfit(losses)\n", False),
        ("loss = nn.CrossEntropyLoss()\nloss(x, y)\n", False),
        ("def f(loss, x, y):\n    return loss(x, y)\nf(nn.CrossEntropyLoss(), x, y)\n", False),
    ],
)
def test_what_a_loss_wants_is_told_where_nobody_is_seen_to_call_it(
    facts: KnowledgeBase, code: str, told: bool
) -> None:
    said = [(one.kind, one.reason.en) for one in facts.port(LOSSES + code).refusals]
    warned = [reason for kind, reason in said if kind == "differs"]
    assert any(reason.startswith(WANTED) for reason in warned) == told
