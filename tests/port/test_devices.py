"""Devices: moves between them go, and what makes them where nothing sees them any more."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from tests.builders import support
from tests.builders.support import function, layer, method, named

from msmap.assemble.base import Base
from msmap.infer.modules import Modules
from msmap.port import project
from msmap.port.project import Done
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
            layer("torch.no_grad", "()"),
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
        ("torch.no_grad", "targets: [{remove: true, note: {en: Delete it., zh: 删除。}}]"),
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
    "a device that is set beside others, and passed to what is moved": (
        """
        import torch
        class Kept:
            def __init__(self, size, device):
                self.size, self.device = size, device
            def made(self):
                return torch.zeros(3, device=self.device)
        def moved(x: torch.Tensor, device):
            return x.to(device)
        device = torch.device("cuda")
        Kept(3, device)
        moved(torch.zeros(3), device).cuda()
        x = torch.zeros(3)
        x = moved(x, device=device).to(device)
        """,
        """
        import mindspore
        class Kept:
            def __init__(self, size, device):
                self.size, self.device = size, device
            def made(self):
                return mindspore.zeros(3)
        def moved(x: mindspore.Tensor, device):
            return x
        device = "GPU"
        Kept(3, device)
        moved(mindspore.zeros(3), device)
        x = mindspore.zeros(3)
        x = moved(x, device=device)
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
    "a device that a function takes below what goes": (
        """
        import torch
        @torch.no_grad()
        def test(x: torch.Tensor, device):
            return x.to(device)
        test(torch.zeros(3), torch.device("cpu"))
        """,
        """
        import mindspore
        def test(x: mindspore.Tensor, device):
            return x
        test(mindspore.zeros(3), "CPU")
        """,
    ),
    "a device on an object": (
        """
        import torch
        class Trainer:
            def __init__(self, x: torch.Tensor):
                self.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
                self.x = x.to(self.device)
            def step(self, y: torch.Tensor):
                return y.to(self.device), torch.zeros(3, device=self.device)
        class Other:
            def __init__(self, n, device):
                self.place = device
            def step(self, y: torch.Tensor):
                return y.to(device=self.place)
        Other(3, torch.device('cuda'))
        """,
        """
        import mindspore
        class Trainer:
            def __init__(self, x: mindspore.Tensor):
                self.device = 'GPU' if mindspore.gpu() else 'CPU'
                self.x = x
            def step(self, y: mindspore.Tensor):
                return y, mindspore.zeros(3)
        class Other:
            def __init__(self, n, device):
                self.place = device
            def step(self, y: mindspore.Tensor):
                return y
        Other(3, 'GPU')
        """,
    ),
    "settings": (
        """
        import torch
        from dataclasses import dataclass
        @dataclass
        class Config:
            device: torch.device = torch.device('cpu')
        args = parse()
        args.device = torch.device("cuda")
        def run(x: torch.Tensor, config: Config, device=torch.device("cuda")):
            return x.to(config.device) + x.to(args.device) + x.to(device)
        """,
        """
        import mindspore
        from dataclasses import dataclass
        @dataclass
        class Config:
            device: str = 'CPU'
        args = parse()
        args.device = "GPU"
        def run(x: mindspore.Tensor, config: Config, device="GPU"):
            return x + x + x
        """,
    ),
    "an item of settings": (
        """
        import torch
        def run(x: torch.Tensor, config):
            device: torch.device = config["device"]
            return x.to(device), x.to(config["dtype"])
        """,
        """
        import mindspore
        def run(x: mindspore.Tensor, config):
            device: str = config["device"]
            return x, x.to(config["dtype"])
        """,
    ),
    "a function or a property that gives it": (
        """
        import torch
        def choose():
            if torch.cuda.is_available():
                return torch.device("cuda")
            return torch.device("cpu")
        device = choose()
        torch.zeros(3, device=device)
        torch.zeros(3, device=choose())
        class A:
            @property
            def device(self):
                return torch.device("cpu")
            def f(self, x: torch.Tensor):
                return x.to(self.device)
        """,
        """
        import mindspore
        def choose():
            if mindspore.gpu():
                return "GPU"
            return "CPU"
        device = choose()
        mindspore.zeros(3)
        mindspore.zeros(3)
        class A:
            @property
            def device(self):
                return "CPU"
            def f(self, x: mindspore.Tensor):
                return x
        """,
    ),
    "what is made with a device stays, whoever reads it": (
        """
        import torch
        def make(n, device):
            return torch.zeros(n, device=device)
        x = make(3, torch.device("cuda"))
        y = [torch.zeros(3, device=torch.device("cpu")), "kept"]
        """,
        """
        import mindspore
        def make(n, device):
            return mindspore.zeros(n)
        x = make(3, "GPU")
        y = [mindspore.zeros(3), "kept"]
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
    "a, *b = 3, torch.device('cpu')\n",
    "a = b = 3, torch.device('cpu')\n",
    "c = torch.device('cpu')\na, b = 3, c\nprint(b)\n",
    "def f(x, d): print(d)\nf(1, torch.device('cpu')).to(3)\n",
    "def f(device): ...\nf(torch.device(n))\n",
    "def f(device): print(device)\nf(torch.device('cpu'))\nf(torch.device('cuda'))\n",
    "a.device = torch.device('cpu')\nprint(a.device)\n",
    "a = 1\na.device = torch.device('cpu')\nprint(b.device.type)\n",
    "a = 1\na.device = torch.device('cpu')\ngetattr(a, 'device')\n",
    "class A:\n    device = torch.device('cpu')\nprint(A.device)\n",
    "class A:\n    def __init__(self, d): print(d)\nA(torch.device('cpu'))\n",
    "class A:\n    def __new__(c, d): ...\n    def __init__(s, d): ...\nA(torch.device('cpu'))\n",
    "class A(metaclass=M):\n    def __init__(self, d): ...\nA(torch.device('cpu'))\n",
    "def f(device=torch.device('cpu')): print(device)\n",
    "def f(): return torch.device('cpu')\nprint(f())\n",
    "def f(): return torch.device('cpu')\nmap(f, x)\n",
    "@cache\ndef f(): return torch.device('cpu')\nf()\n",
    "class A:\n    def f(self): return torch.device('cpu')\n",
    "class A:\n    @property\n    def d(self): return torch.device('cpu')\nprint(A().d)\n",
    "x = {'device': torch.device('cpu')}\n",
    "x = [torch.device('cpu')]\n",
    "x = f(torch.device('cpu'))\n",
]
# Of a device that stays, what is to be seen to first.
SEEN = {
    "device = torch.device('cpu')\nprint(device)\n": "print(device)",
    "def f(x, device):\n    x.to(device)\nf(y, torch.device('cpu'))\n": "x.to(device)",
    "a = 1\na.device = torch.device('cpu')\nif a.device.type == 'cpu': ...\n": "a.device.type",
    "def f(): return torch.device('cpu')\nx = [f()]\n": "[f()]",
}


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


@pytest.mark.parametrize("code", SEEN)
def test_what_is_to_be_seen_to_first_is_told(code: str, facts: Base) -> None:
    done = rewrite(f"import torch\n{code}", facts)
    [reason] = [r.reason.en for r in done.refusals if r.source == "torch.device('cpu')"]
    assert reason == (
        "torch.device: delete this call; MindSpore needs nothing in its place, but"
        f" `{SEEN[code]}` may use it: see to that first"
    )


def test_what_other_files_may_read_stays(facts: Base, tmp_path: Path) -> None:
    code = "import torch\nclass A:\n    device = torch.device('cpu')\n"
    for name, text in {"a.py": code, "b.py": "from a import A\n", "c.py": "x.device\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def ported() -> str:
        modules = Modules(tmp_path.glob("*.py"), facts)
        done = project.port(tmp_path / "a.py", modules)
        assert isinstance(done, Done)
        return done.text

    assert ported() == "class A:\n    device = 'CPU'\n"
    (tmp_path / "b.py").write_text("from a import A\nprint(A.device)\n", encoding="utf-8")
    assert "    device = torch.device('cpu')\n" in ported()


def test_the_device_that_is_asked_for_is_written(
    facts: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Base, "device", "Ascend")
    code = "import torch\ndef f(device): ...\nf(torch.device(n))\n"
    assert rewrite(code, facts).code == 'def f(device): ...\nf("Ascend")\n'
