"""What may be PyTorch's is reported, and stays."""

from __future__ import annotations

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("possible"))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import torch\nx.sum()\n", ["possible 2: .sum() may be torch.Tensor.sum: nothing proves"
                                     " what x is"]),
        ("x.sum()\ny.clone()\n", []),
        ("import torch\ndef f(x):\n    x.get(1), x.append(2), x.items()\n", []),
        ("import torch\ndef f(x):\n    x.split(), x.split(','), x.split(b' ', 1)\n", []),
        ("import torch\ndef f(x):\n    x.split(2)\n",
         ["possible 3: .split() may be torch.Tensor.split: nothing proves what x is"]),
        ("import torch\ndef f(x):\n    x.detach()\n",
         ["possible 3: .detach() may be torch.Tensor.detach: nothing proves what x is"]),
    ],
)  # fmt: skip
def test_what_may_be_pytorchs_is_reported_where_pytorch_is_used(
    code: str, expected: list[str], facts: Base
) -> None:
    done = rewrite(code, facts, imports=False)
    assert [f"{r.kind} {r.line}: {r.reason.en}" for r in done.refusals] == expected


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        (
            "class M:\n def forward(self): ...\nclass N(M, nn.Module): ...\n",
            ["value 4: N is a torch.nn.Module, but gets or calls forward through a class that is"
             " none: rename both by hand"],
        ),
        (
            "import own\nclass N(own.Base):\n def forward(self): ...\n",
            ["possible 3: N may be a torch.nn.Module, whose forward MindSpore calls otherwise:"
             " nothing proves what own.Base is"],
        ),
        ("import own\nclass N(own.Base):\n def backward(self): ...\n", []),
        ("class N:\n def forward(self): ...\n", []),
    ],
)  # fmt: skip
def test_what_may_be_a_module_in_part_is_reported(
    classes: str, expected: list[str], facts: Base
) -> None:
    code = f"from torch import nn\n{classes}"
    done = rewrite(code, facts, imports=False)
    assert [f"{r.kind} {r.line}: {r.reason.en}" for r in done.refusals] == expected
    assert done.code == code
