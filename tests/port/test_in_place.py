"""``inplace=True``: what others see is written as PyTorch computes it, and nothing else is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

from msmap.model import Unread
from msmap.port.rewrite import rewrite, rewriter
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import port as projects
from msmap.vocabulary import DIFFERS

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n\n"


def net(made: str, forward: str, before: str = "") -> str:
    """A module whose ``c0`` comes first; ``made`` are further layers."""
    made, forward = indent(dedent(made), " " * 8), indent(dedent(forward).strip(), " " * 8)
    return (
        f"{HEAD}{dedent(before)}class Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.c0 = nn.Conv2d(4, 4, 3, padding=1)\n"
        f"{made}\n    def forward(self, x):\n        x = self.c0(x)\n{forward}\n"
    )


BLOCK = """
class Pre(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.CELU(inplace=True)
        self.conv = nn.Conv2d(4, 4, 1)

    def forward(self, x):
        return self.conv(self.act(x))


"""
UNET = """
class Block(nn.Module):
    def __init__(self, inner=None, outer=False):
        super().__init__()
        down = nn.Conv2d(4, 4, 3, padding=1)
        relu = nn.LeakyReLU(0.2, True)
        if outer:
            model = [down] + [inner]
        elif inner is None:
            model = [relu, down]
        else:
            model = [relu, down] + [inner, nn.Conv2d(8, 4, 1)]
        self.outer = outer
        self.model = nn.Sequential(*model)

    def forward(self, x):
        if self.outer:
            return self.model(x)
        return torch.cat([x, self.model(x)], 1)


"""
# Layers and functions that change what is read later: the numbers are PyTorch's.
SEEN = {
    "a name that is read later": net(
        "self.act = nn.LeakyReLU(0.5, inplace=True)\n", "out = self.act(x)\nreturn out + x"
    ),
    "for what it does alone": net(
        "self.act = nn.SiLU(inplace=True)\n", "self.act(x)\nF.relu6(x, inplace=True)\nreturn x"
    ),
    "another name": net(
        "self.act = nn.ELU(inplace=True)\n", "kept = x\nx = self.act(x)\nreturn x * 2 + kept"
    ),
    "a function": net("", "y = F.leaky_relu(x, 0.5, inplace=True)\nreturn y * 2 + x"),
    "a part": net("", "y = F.relu(x[:, 1:3], inplace=True)\nreturn x + y.sum()"),
    "in the same expression": net("self.act = nn.ReLU(True)\n", "return x + self.act(x)"),
    "within another call": net("", "return self.c0(F.elu(x, inplace=True)) + x"),
    "in a list": net("", "o = [x]\nw = F.selu(x, inplace=True)\nreturn w + o[0]"),
    "in a dict": net(
        "", "o = {}\no['a'] = x\nx = F.hardtanh(x, inplace=True)\nreturn x * 3 + o['a']"
    ),
    "by some ways alone": net(
        "self.act = nn.Hardswish(inplace=True)\nself.pre = True\n",
        "kept = x\nif self.pre:\n    x = self.act(x)\nreturn self.c0(x) + kept",
    ),
    "an attribute": net(
        "self.act = nn.ReLU6(inplace=True)\n",
        "self.last = x\ny = self.act(self.last)\nreturn y + self.last",
    ),
    "first of a branch": net(
        "self.rep = nn.Sequential(nn.ReLU(inplace=True), nn.Conv2d(4, 4, 1))\n"
        "self.skip = nn.Conv2d(4, 4, 1)\n",
        "y = self.rep(x)\ny += self.skip(x)\nreturn y",
    ),
    "two of them, one behind the other": net(
        "self.s = nn.Sequential(nn.SiLU(True), nn.Hardswish(True))\n",
        "return self.s(x) + x",
    ),
    "two of them in two lists": net(
        "self.s = nn.Sequential(nn.Sequential(nn.SiLU(True)),"
        " nn.Sequential(nn.ReLU(True)))\n",
        "return self.s(x) * 2 + x",
    ),
    "a result that is kept and changed again": net(
        "self.a = nn.SiLU(True)\nself.b = nn.ReLU(True)\n",
        "y = self.a(x)\nz = self.b(y)\nreturn x + 2 * y + 3 * z",
    ),
    "and then an assignment": net(
        "self.a = nn.SiLU(True)\n", "y = self.a(x)\ny += 1\nreturn x * y"
    ),
    "first of a list": net(
        "rep = []\nfor _ in range(2):\n    rep.append(nn.ReLU(inplace=True))\n"
        "    rep.append(nn.Conv2d(4, 4, 1))\nself.rep = nn.Sequential(*rep)\n",
        "return self.rep(x) + x",
    ),
    "of one of several layers": net(
        "self.f = nn.Sequential(nn.Conv2d(4, 4, 1), nn.Conv2d(4, 4, 1), nn.ReLU(True))\n",
        "o = []\nfor one in self.f:\n    x = one(x)\n    o.append(x)\nreturn o[0] + o[1] + o[2]",
    ),
    "first in another module": net(
        "self.l = nn.ModuleList([Pre() for _ in range(2)])\n",
        "for one in self.l:\n    x = x + one(x)\nreturn x",
        BLOCK,
    ),
    "first in itself": net("self.b = Block(Block(Block()), True)\n", "return self.b(x)", UNET),
    "in what is called": net(
        "", "y = act(x)\nreturn y * 2 + x",
        "def act(t):\n    return F.elu(t, inplace=True)\n\n\n",
    ),
    "by the name of its input": net(
        "self.act = nn.Threshold(0.1, 0.5, True)\n", "y = self.act(input=x)\nreturn x + y * x.sum()"
    ),
}  # fmt: skip
# Nobody reads what was changed: the port is as plain as without `inplace`.
UNSEEN = {
    "a chain": net(
        "self.bn = nn.BatchNorm2d(4)\nself.act = nn.ReLU(inplace=True)\n",
        "kept = x\nx = self.act(self.bn(x))\nx = self.c0(x)\nx += kept\nreturn self.act(x)",
    ),
    "behind another layer": net(
        "self.s = nn.Sequential(nn.Conv2d(4, 4, 1), nn.ReLU(True))\n", "return self.s(x) + x"
    ),
    "the first is taken away": net(
        "rep = [nn.ReLU(True), nn.Conv2d(4, 4, 1), nn.ReLU(True)]\nrep = rep[1:]\n"
        "self.rep = nn.Sequential(*rep)\n",
        "return self.rep(x) + x",
    ),
    "another comes first": net(
        "rep = [nn.ReLU(True), nn.Conv2d(4, 4, 1)]\nrep[0] = nn.ReLU(inplace=False)\n"
        "self.rep = nn.Sequential(*rep)\n",
        "return self.rep(x) + x",
    ),
    "bound anew": net(
        "self.act = nn.ReLU(inplace=True)\n", "x = self.act(x)\nkept = x\nreturn self.c0(x) + kept"
    ),
    "read before": net(
        "self.act = nn.ReLU(inplace=True)\n", "y = x * 2\nx = self.act(x)\nreturn x + y"
    ),
    "not asked for": net("self.act = nn.ReLU()\n", "out = self.act(x)\nreturn out + x"),
}


@pytest.mark.parametrize("name", UNSEEN)
def test_what_nobody_sees_is_as_plain_as_ever(name: str, facts: KnowledgeBase) -> None:
    plain = UNSEEN[name].replace("inplace=True", "inplace=False").replace("(True)", "(False)")
    done = [rewriter(code, facts).port() for code in (UNSEEN[name], plain)]
    assert done[0].code == done[1].code
    assert [one.refusals for one in done] == [(), ()]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a name that is read later", "out = x = self.act(x)"),
        ("another name", "x = kept = self.act(x)"),
        ("a function", "y = x = mindspore.ops.leaky_relu(x, 0.5)"),
        ("a part", "y = x[:, 1:3] = mindspore.ops.relu(x[:, 1:3])"),
        ("in a list", "w = x.copy_("),
        ("first of a branch", "class InplaceReLU(mindspore.nn.ReLU):"),
        ("first of a branch", "InplaceReLU(), mindspore.nn.Conv2d("),
    ],
)
def test_what_is_read_later_gets_the_result(name: str, written: str, facts: KnowledgeBase) -> None:
    assert written in (rewrite(SEEN[name], facts, imports=False).code or "")


@pytest.mark.parametrize("name", SEEN)
def test_what_is_written_is_no_warning(name: str, facts: KnowledgeBase) -> None:
    assert rewriter(SEEN[name], facts).port().refusals == ()


@pytest.mark.parametrize(
    ("forward", "word"),
    [
        ("v = x.view(2, -1)\nv = F.relu(v, inplace=True)\nreturn x * v.sum()", "view"),
        ("v = x.t()\nF.relu_(v)\nreturn x", "relu_: it changes v"),
        ("m = x > 0\nF.relu(x[m], inplace=True)\nreturn x", "changes x[m]"),
        ("make = nn.ReLU6\nact = make(inplace=True)\nreturn act(x) + x", "make: inplace=True"),
        ("return self.act(x.transpose(2, 3)) + x", "LeakyReLU: inplace=True changes"),
    ],
)
def test_a_view_that_is_changed_is_said_at_the_call(
    forward: str, word: str, facts: KnowledgeBase
) -> None:
    code = net("self.act = nn.LeakyReLU(0.1, True)\n", forward)
    told = [one for one in rewriter(code, facts).port().refusals if one.kind == DIFFERS]
    assert [word in one.reason.en for one in told] == [True]


def test_a_block_of_another_file_is_said_where_its_input_is_read(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    (tmp_path / "blocks.py").write_text(f"{HEAD}{BLOCK}")
    code = net("self.p = Pre()\nself.q = Pre()\n", "x = self.q(x)\nreturn self.p(x) + x")
    code = code.replace("\n\n\nclass", "\nfrom blocks import Pre\n\n\nclass", 1)
    (tmp_path / "net.py").write_text(code)
    told = {
        Path(done.told.path).name: [one.source for one in done.told.refusals]
        for done in projects.port(facts, [str(tmp_path)])
        if not isinstance(done, Unread)
    }
    assert told == {"blocks.py": [], "net.py": ["self.p(x)"]}


_SCRIPT = """
import json, sys
import numpy as np
{imports}
given = json.load(sys.stdin)
found = {{}}
for name, code in given.items():
    space = {{"__name__": name}}
    exec(code, space)
    net = space["Net"]()
    x = {tensor}(np.random.RandomState(0).randn(2, 4, 5, 5).astype("float32"))
    parameters = list(net.{parameters}())
    for n, p in enumerate(parameters):
        value = np.random.RandomState(n).randn(*p.shape).astype("float32") * 0.3
        {put}
    {run}
    found[name] = [values.tolist() for values in (y, *grads)]
print(json.dumps(found))
"""
_TORCH = {
    "imports": "import torch",
    "tensor": "torch.tensor",
    "parameters": "parameters",
    "put": "p.data = torch.tensor(value)",
    "run": "y = net(x); (y * y).sum().backward()\n"
    "    y, grads = y.detach().numpy().ravel(), [p.grad.numpy().ravel() for p in parameters]",
}
_MINDSPORE = {
    "imports": "import mindspore\nmindspore.set_device('CPU')\nmindspore.runtime.launch_blocking()",
    "tensor": "mindspore.Tensor",
    "parameters": "trainable_params",
    "put": "p.set_data(mindspore.Tensor(value))",
    "run": "g = mindspore.value_and_grad(lambda x: (lambda y: ((y * y).sum(), y))(net(x)), None,"
    " parameters, has_aux=True)\n"
    "    (_, y), grads = g(x)\n"
    "    y, grads = y.asnumpy().ravel(), [g.asnumpy().ravel() for g in grads]",
}


def run(codes: dict[str, str], by: dict[str, str]) -> dict[str, list[list[float]]]:
    """What each module gives and the gradients of its parameters, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _SCRIPT.format(**by)],
        input=json.dumps(codes), capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, list[list[float]]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.frameworks
def test_values_and_gradients_are_pytorch_s(facts: KnowledgeBase) -> None:
    made = {name: rewrite(code, facts).code or "" for name, code in SEEN.items()}
    expected, found = run(SEEN, _TORCH), run(made, _MINDSPORE)
    assert {
        name: [pytest.approx(one, rel=1e-3, abs=1e-3) for one in every]
        for name, every in expected.items()
    } == found
