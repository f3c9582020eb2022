"""Devices: moves between them go, and what makes them where nothing sees them any more."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import support
from tests.builders.support import function, layer, method, named

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite

TO = """
overloads: ["(dtype: dtype)", "(device: str | device)"]
targets:
  - id: dropped
    given: [device]
    expression: "{self}"
    parameters:
      - {torch: device, relation: source_only_droppable}
      - {torch: dtype, relation: source_only_droppable}
  - api: mindspore.Tensor.to
    parameters:
      - {torch: device, relation: source_only_droppable}
"""
CUDA = """
targets: [{expression: "{self}", id: stays}]
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return support.base(
        tmp_path_factory.mktemp("devices"),
        [
            layer("torch.device", "(device)"),
            layer("torch.Tensor", "(data)"),
            named("torch.cuda", "module"),
            function("torch.cuda.is_available", "() -> bool"),
            function("torch.zeros", "(size, *, device=None) -> Tensor"),
            method(
                "torch.Tensor.to", "(dtype: dtype) -> Tensor", "(device: str | device) -> Tensor"
            ),
            method("torch.Tensor.cuda", "() -> Tensor"),
        ],
        [
            function("mindspore.zeros", "(size)"),
            function("mindspore.gpu", "()"),
            layer("mindspore.Tensor", "(data)"),
            method("mindspore.Tensor.to", "(dtype)"),
        ],
        ("torch.device", "targets: [{remove: true, note: {en: Delete it., zh: 删除。}}]"),
        ("torch.Tensor", "targets: [{api: mindspore.Tensor}]"),
        ("torch.cuda.is_available", "targets: [{api: mindspore.gpu}]"),
        ("torch.zeros", "targets: [{api: mindspore.zeros}]"),
        ("torch.Tensor.to", TO),
        ("torch.Tensor.cuda", CUDA),
    )


CASES = {
    "a device that nothing sees any more": (
        """
        import torch
        device = torch.device("cpu")  # which one
        x = torch.zeros(3, device=device)
        y = x.to(device) + x.cuda()
        """,
        """
        import mindspore
        # which one
        x = mindspore.zeros(3)
        y = x + x
        """,
    ),
    "statements that say nothing any more": (
        """
        import torch
        def f(x: torch.Tensor, y: torch.Tensor):
            x = x.to("cuda")
            x, y = x.cuda(), y.cuda()
            z = x.cuda()
            y.cuda()
            if z:
                y = y.cuda()
            x, y = y.cuda(), x.cuda()
        """,
        """
        import mindspore
        def f(x: mindspore.Tensor, y: mindspore.Tensor):
            z = x
            if z:
                pass
            x, y = y, x
        """,
    ),
    "a device that is passed on": (
        """
        import torch
        def train(x: torch.Tensor, device: torch.device):
            return x.to(device)
        def both(x: torch.Tensor, d):
            return train(x.to(d), device=d)
        device = torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')
        train(torch.zeros(3), device)
        both(torch.zeros(3), torch.device("npu"))
        """,
        """
        import mindspore
        def train(x: mindspore.Tensor, device: str):
            return x
        def both(x: mindspore.Tensor, d):
            return train(x, device=d)
        device = 'GPU' if mindspore.gpu() else 'CPU'
        train(mindspore.zeros(3), device)
        both(mindspore.zeros(3), "Ascend")
        """,
    ),
    "two ways to a device": (
        """
        import torch
        if torch.cuda.is_available():
            device = torch.device("cuda")
        else:
            device = torch.device("cpu")
        torch.zeros(3, device=device)
        """,
        """
        import mindspore
        if mindspore.gpu():
            pass
        else:
            pass
        mindspore.zeros(3)
        """,
    ),
}
# What somebody still sees stays.
STAYS = [
    "device = torch.device('cpu')\nprint(device)\n",
    "device = torch.device('cpu')\ndevice = 3\n",
    "def f(x, device):\n    return x.to(device)\nf(load(), torch.device('cpu'))\n",
    "def f(device):\n    device = device or 3\nf(torch.device('cpu'))\n",
    "def f(*device): ...\nf(torch.device('cpu'))\n",
    "@other\ndef f(device): ...\nf(torch.device('cpu'))\n",
    "self.device = torch.device('cpu')\n",
    "def f(device): ...\nf(torch.device(n))\n",
]


@pytest.mark.parametrize("name", CASES)
def test_what_nothing_sees_any_more_goes(name: str, facts: Base) -> None:
    source, expected = (dedent(text).lstrip("\n") for text in CASES[name])
    done = rewrite(source, facts)
    assert (done.code, done.refusals) == (expected, ())
    assert rewrite(expected, facts).code == expected


@pytest.mark.parametrize("code", STAYS)
def test_what_somebody_sees_stays(code: str, facts: Base) -> None:
    done = rewrite(f"import torch\n{code}", facts)
    assert done.code == f"import torch\n{code}"
    assert "torch.device: delete this call" in [
        r.reason.en.partition(";")[0] for r in done.refusals
    ]


def test_the_device_that_is_asked_for_is_written(
    facts: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Base, "device", "Ascend")
    code = "import torch\ndef f(device): ...\nf(torch.device(n))\n"
    assert rewrite(code, facts).code == 'def f(device): ...\nf("Ascend")\n'
