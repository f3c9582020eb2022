"""Writes through views: what is changed in PyTorch is changed in the port, or is told."""

from __future__ import annotations

import json
import subprocess
import sys
from textwrap import dedent, indent

import pytest

from msmap.port.rewrite import rewrite, rewriter
from msmap.query.knowledge_base import KnowledgeBase

HEAD = "import torch\n\n\ndef f(x: torch.Tensor, y: torch.Tensor, m: torch.Tensor, n: int):\n"


def within(code: str) -> str:
    """Lines in a function of two matrices, a mask and a number."""
    return f"{HEAD}{indent(dedent(code).strip(), '    ')}\n"


def ported(code: str, facts: KnowledgeBase) -> str:
    """What the lines become, without the function around them."""
    done = rewriter(within(code), facts).port()
    return dedent((done.code or "").partition("n: int):\n")[2]).strip()


def told(code: str, facts: KnowledgeBase) -> list[str]:
    """The silent caveats that code triggers and its port doesn't see to, in the code's order."""
    work = rewriter(within(code), facts)
    places = sorted(work.bites, key=work.source.span)
    return [
        f"{work.bites[node][0].torch.rpartition('.')[2]} {bite.caveat.id}"
        for node in places
        for bite in work.bites[node][1]
        if bite.caveat.impact == "silent" and not bite.mended
    ]


# What changes a view as a statement, and what it becomes: the numbers are PyTorch's.
WRITTEN = {
    "transposed": ("b = x.t()\nb.zero_()", "b = x.t()\nb[:] = mindspore.ops.zeros_like(b)"),
    "a row": ("b = x[1]\nb.add_(2)", "b = x[1]\nb[:] = b + 2"),
    "a row by a number that is passed": (
        "b = x[n]\nb.mul_(y[n])",
        "b = x[n]\nb[:] = b.copy() * y[n]",
    ),
    "a part of a view": (
        "b = x.view(-1)\nc = b[2:]\nc.fill_(9)",
        "b = x.view(-1)\nc = b[2:]\nc[:] = mindspore.ops.full_like(c, 9)",
    ),
    "under another name": ("b = x.t()\nc = b\nc.add_(1)", "b = x.t()\nc = b\nc[:] = c + 1"),
    "pieces": (
        "b, c = x.chunk(2)\nc.sub_(b)",
        "b, c = mindspore.mint.chunk(x, 2)\nc[:] = c.sub(other=b, alpha=1)",
    ),
    "a piece of a list": (
        "parts = x.split(1)\nparts[1].fill_(n)",
        "parts = x.split(1)\nparts[1][:] = mindspore.ops.full_like(parts[1], n)",
    ),
    "rows, one after the other": (
        "for row in x:\n    row.add_(1)",
        "for row in x:\n    row[:] = row + 1",
    ),
    "rows that are counted": (
        "for k, row in enumerate(x):\n    row.mul_(k)",
        "for k, row in enumerate(x):\n    row[:] = row.copy() * k",
    ),
    "rows of two": (
        "for a, b in zip(x, y.unbind(0)):\n    a.copy_(b)",
        "for a, b in zip(x, y.unbind(0)):\n    a[:] = b",
    ),
    "an item": ("x[1].zero_()", "x[1] = mindspore.ops.zeros_like(x[1])"),
    "a column": ("x[:, 0].copy_(y[:, 1])", "x[:, 0] = y[:, 1].copy()"),
    "a last axis": ("x[..., n].add_(1)", "x[..., n] = x[..., n] + 1"),
    "what is transposed at once": (
        "x.t().zero_()",
        "(lambda x: x.__setitem__(slice(None), mindspore.ops.zeros_like(x)))(x.t())",
    ),
    "all of it as it lies there": ("x.data.add_(1)", "x.data.copy_(x.data + 1)"),
    "a tensor of its own": (
        "b = x.clone()\nb.zero_()\nx.add_(b + 1)",
        "b = x.copy()\nb.copy_(mindspore.ops.zeros_like(b))\nx[()] = x + (b + 1)",
    ),
    "a tensor of a list": (
        "held = [x, y]\nheld[0].add_(1)",
        "held = [x, y]\nheld[0][()] = held[0] + 1",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_changes_a_view_is_written_so_that_it_does(name: str, facts: KnowledgeBase) -> None:
    code, becomes = WRITTEN[name]
    assert ported(code, facts) == becomes


_SCRIPT = """
import json, sys
{imports}
given = json.load(sys.stdin)
found = {{}}
for name, code in given.items():
    space = {{}}
    exec(code, space)
    x = {make}([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    y = {make}([[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]])
    space["f"](x, y, x > 2, 1)
    found[name] = x.tolist()
print(json.dumps(found))
"""


def run(imports: str, make: str, codes: dict[str, str]) -> dict[str, list[list[float]]]:
    """What a matrix is after each code, in a process of its own."""
    script = _SCRIPT.format(imports=imports, make=make)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        input=json.dumps(codes), capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, list[list[float]]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.frameworks
def test_the_tensor_behind_it_changes_as_in_pytorch(facts: KnowledgeBase) -> None:
    codes = {name: within(code) for name, (code, _) in WRITTEN.items()}
    made = {name: rewrite(code, facts).code or "" for name, code in codes.items()}
    imports = "import mindspore\nmindspore.set_device('CPU')\nmindspore.runtime.launch_blocking()"
    expected = run("import torch", "torch.tensor", codes)
    found = run(imports, "mindspore.Tensor", made)
    assert {n: [pytest.approx(row, rel=1e-6) for row in v] for n, v in expected.items()} == found


LOST = "writes-do-not-reach-base"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # Inside of mindspore.grad: what made the view says so, whatever it is called afterwards.
        ("b = x.transpose(0, 1)\nb.zero_()", [f"transpose {LOST}"]),
        ("b = x.permute(1, 0)\nb[0] = 1", [f"permute {LOST}"]),
        ("b = x.t()\nc = b[0]\nc.add_(1)", ["t writes-do-not-reach-base"]),
        ("b = x.squeeze()\nc = b\nb = b[0]\nb.add_(1)", [f"squeeze {LOST}"]),
        ("for row in x.unbind(0):\n    row.add_(1)", [f"unbind {LOST}"]),
        # What reaches it in some ways alone.
        ("b = x.t()\nb[m] = 0", [f"t {LOST}", "__setitem__ masks-and-indices-of-a-view"]),
        ("b = x.t()\nb[...] = 0", [f"t {LOST}", "__setitem__ masks-and-indices-of-a-view"]),
        # What PyTorch copies.
        ("x[m][0] = 1", ["__getitem__ writing-into-a-selection-writes-into-the-source"]),
        ("b = x[m]\nb[0] = 1", ["__getitem__ writing-into-a-selection-writes-into-the-source"]),
        # Nothing is changed, or only what is nobody else's.
        ("b = x.transpose(0, 1)\nreturn b + 1", []),
        ("b = x[1]\nb.zero_()", []),
        ("x.data.add_(1)\nx.data.zero_()", []),
        ("b = x[m]\nb.zero_()", []),
        ("b = x[1]\nb[m[1]] = 0", []),
        ("b = x.t().clone()\nb[m] = 0\nb.zero_()", []),
    ],
)
def test_what_is_silent_of_views_is_told(
    code: str, expected: list[str], facts: KnowledgeBase
) -> None:
    assert told(code, facts) == expected


@pytest.mark.parametrize(
    "code",
    [
        "return [row.zero_() for row in x]",
        "b = x[1].zero_()",
        "b = x.t()\nreturn b.add_(1) * 2",
        "x[m].zero_()",
        "x[[0, 1]].zero_()",
    ],
)
def test_what_can_t_be_written_through_a_view_stays(code: str, facts: KnowledgeBase) -> None:
    done = rewriter(within(code), facts).port()
    assert [refusal.kind for refusal in done.refusals] in (["value"], ["argument"])
    changing = code.splitlines()[-1].strip()
    assert changing in (done.code or "")


def test_views_that_an_object_holds(facts: KnowledgeBase) -> None:
    done = rewriter(
        "import torch\nfrom torch import nn\n\n\nclass A(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n"
        "        self.table = torch.zeros(3, 4)\n        self.flat = self.table.view(-1)\n\n"
        "    def reset(self):\n        self.flat.fill_(1)\n",
        facts,
    ).port()
    assert "self.flat[:] = mindspore.ops.full_like(self.flat, 1)" in (done.code or "")
