"""Copies that share memory in one framework only: written as in PyTorch, or said in the file."""

from __future__ import annotations

import json
import subprocess
import sys
from textwrap import dedent

import pytest

from msmap.port.rewrite import rewrite
from msmap.query.knowledge_base import KnowledgeBase
from msmap.vocabulary import DIFFERS

HEAD = "import copy\nimport numpy as np\nimport torch\nfrom torch import nn\n\n\n"


def program(code: str) -> str:
    return HEAD + dedent(code).lstrip("\n")


def noted(code: str, facts: KnowledgeBase) -> list[str]:
    """The calls of which the port says that they may give other values."""
    done = rewrite(program(code), facts)
    return [one.source for one in done.refusals if one.kind == DIFFERS]


# Programs that set ``found``, and what becomes of the line that copies.
WRITTEN = {
    "deepcopy of a tensor, which is changed": (
        "x = torch.zeros(2)\ny = copy.deepcopy(x)\nx.add_(1)\nfound = [x, y]",
        "y = x.copy()",
    ),
    "deepcopy, whose result is changed": (
        "x = torch.zeros(2)\ny = copy.deepcopy(x + 1)\ny[0] = 5\nfound = [x, y]",
        "y = (x + 1).copy()",
    ),
    "deepcopy by its own name": (
        "from copy import deepcopy\nx = torch.zeros(2)\ny = deepcopy(x)\ny += 1\nfound = [x, y]",
        "y = x.copy()",
    ),
    "a history of deepcopies": (
        """
        w, history = torch.zeros(2), []
        for i in range(3):
            w += 1
            history.append(copy.deepcopy(w))
        found = history
        """,
        "history.append(w.copy())",
    ),
    "torch.tensor() of a tensor": (
        "x = torch.zeros(2)\ny = torch.tensor(x)\ny[0] = 1\nfound = [x, y]",
        "y = mindspore.tensor(x.copy())",
    ),
    "torch.tensor() of what is changed": (
        "x = torch.zeros(2)\ny = torch.tensor(data=x, dtype=torch.float32)\nx.add_(1)\n"
        "found = [x, y]",
        "y = mindspore.tensor(input_data=x.copy(), dtype=mindspore.float32)",
    ),
    "new_tensor()": (
        "x = torch.zeros(2)\ny = x.new_tensor(x)\ny.add_(1)\nfound = [x, y]",
        "y = mindspore.tensor(x.copy(), dtype=x.dtype)",
    ),
    "an array that follows its tensor": (
        "x = torch.zeros(2)\na = x.detach().numpy()\nx += 1\nfound = [torch.tensor(a)]",
        "x.copy_(x + 1)",
    ),
    "a tensor that an array follows": (
        "a = np.zeros(2)\nx = torch.from_numpy(a)\nx -= 1\nfound = [torch.tensor(a)]",
        "x.copy_(x - 1)",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_pytorch_computes_is_written(name: str, facts: KnowledgeBase) -> None:
    code, line = WRITTEN[name]
    done = rewrite(program(code), facts)
    assert line in [one.strip() for one in (done.code or "").splitlines()]
    assert done.refusals == ()


_SCRIPT = """
import json, sys
{imports}
found = {{}}
for name, code in json.load(sys.stdin).items():
    space = {{}}
    exec(code, space)
    found[name] = [one.tolist() for one in space["found"]]
print(json.dumps(found))
"""


def run(imports: str, codes: dict[str, str]) -> dict[str, object]:
    """What the programs find, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _SCRIPT.format(imports=imports)],
        input=json.dumps(codes), capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.frameworks
def test_copies_hold_the_same_values_as_in_pytorch(facts: KnowledgeBase) -> None:
    codes = {name: program(code) for name, (code, _) in WRITTEN.items()}
    made = {name: rewrite(code, facts).code or "" for name, code in codes.items()}
    imports = "import mindspore\nmindspore.set_device('CPU')\nmindspore.runtime.launch_blocking()"
    assert run("import torch", codes) == run(imports, made)


@pytest.mark.parametrize(
    ("code", "call"),
    [
        # MindSpore's deepcopy() shares the memory of the tensors in a container or an object.
        ("x = [torch.zeros(2)]\ny = copy.deepcopy(x)\ny[0][1] = 1\nprint(x)", "copy.deepcopy(x)"),
        (
            "ps = [torch.zeros(2)]\nold = copy.deepcopy(ps)\nfor p in ps:\n    p -= 1\nprint(old)",
            "copy.deepcopy(ps)",
        ),
        (
            "d = {'a': {'b': torch.zeros(2)}}\nold = copy.deepcopy(d)\nd['a']['b'] += 1\n"
            "print(old)",
            "copy.deepcopy(d)",
        ),
        (
            """
            class A:
                def __init__(self):
                    self.x = torch.zeros(2)
            a = A()
            b = copy.deepcopy(a)
            b.x.add_(1)
            """,
            "copy.deepcopy(a)",
        ),
        (
            """
            class Queue(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.register_buffer("rows", torch.zeros(2, 2))
                def put(self, x: torch.Tensor):
                    self.rows[0] = x
            a = Queue()
            b = copy.deepcopy(a)
            """,
            "copy.deepcopy(a)",
        ),
        (
            """
            class A:
                def __init__(self, xs):
                    self.xs = xs
                    self.old = copy.deepcopy(xs)
                def up(self):
                    self.xs[0].add_(5)
            A([torch.zeros(2)]).up()
            """,
            "copy.deepcopy(xs)",
        ),
        # PyTorch's copy() shares it, and MindSpore's doesn't.
        ("x = torch.zeros(2)\ny = copy.copy(x)\ny[0] = 1\nprint(x)", "copy.copy(x)"),
        ("x = torch.zeros(2)\np = nn.Parameter(x)\nx.add_(1)\nprint(p)", "nn.Parameter(x)"),
        (
            "def f(x: torch.Tensor):\n    p = nn.Parameter(x[0])\n    p.data.mul_(2)\n    return p",
            "nn.Parameter(x[0])",
        ),
        (
            "a = np.zeros(2, 'float32')\nx = torch.as_tensor(a)\na += 1\nprint(x)",
            "torch.as_tensor(a)",
        ),
        (
            "a = np.zeros(2, 'float32')\nx = torch.FloatTensor(a)\nx[0] = 1\nprint(a)",
            "torch.FloatTensor(a)",
        ),
        (
            "a = np.zeros((2, 2))\nx = torch.from_numpy(a.T)\na[0] = 1\nprint(x)",
            "torch.from_numpy(a.T)",
        ),
        (
            "x = torch.zeros(2, 2)\nrows = []\nfor i in range(2):\n    x += 1\n"
            "    rows.append(x[0].numpy())",
            "x[0].numpy()",
        ),
        ("x = torch.zeros(2, 2)\na = x.t().numpy()\na.fill(1)\nprint(x)", "x.t().numpy()"),
    ],
)
def test_what_others_would_see_is_noted(code: str, call: str, facts: KnowledgeBase) -> None:
    assert noted(code, facts) == [call]


@pytest.mark.parametrize(
    "code",
    [
        # Nothing is changed in place, or nobody reads the other one.
        "x = [torch.zeros(2)]\ny = copy.deepcopy(x)\nprint(x, y)",
        "cfg = {'lr': 0.1}\nmine = copy.deepcopy(cfg)\nmine['lr'] = 0.2\nmine['n'] = 1",
        "net = nn.Linear(1, 1)\nold = copy.deepcopy(net)\nnn.init.zeros_(net.weight)",
        "p = nn.Parameter(torch.zeros(2))\np.data.add_(1)\nprint(p)",
        "a = np.zeros(2)\nx = torch.tensor(a)\na += 1\nprint(x)",
        "a = np.zeros(2)\nx = torch.FloatTensor(a)\na = a + 1\nprint(x)",
        "a = np.zeros((4, 2))\nx = torch.as_tensor(a[[0, 1]])\na[0] = 1\nprint(x)",
        "x = torch.zeros(2, 2)\na = x[0].numpy().copy()\nx += 1\nprint(a)",
        """
        def f(values: torch.Tensor, n):
            for i in range(n):
                rows = values.reshape(-1)
                found = rows.numpy()
                print(found.mean())
                values[i] = 1
        """,
    ],
)
def test_what_nobody_sees_is_not_noted(code: str, facts: KnowledgeBase) -> None:
    assert noted(code, facts) == []


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ("z.real[0] = 5", "z.real"),
        ("z.imag.fill_(2)", "z.imag"),
        ("part = z.real\npart += 1", "z.real"),
        ("part = z.imag\npart.mul_(4)", "z.imag"),
    ],
)
def test_parts_of_complex_numbers_are_copies(change: str, part: str, facts: KnowledgeBase) -> None:
    code = f"z = torch.ones(2, dtype=torch.complex64)\n{change}\nprint(z)"
    done = rewrite(program(code), facts)
    assert [one.source for one in done.refusals] == [part]
