"""What stays in users' code: all that isn't proved to be PyTorch's."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("others"))


OTHERS = {
    "own trainer": """
        import torch
        class Trainer:
            def train(self, n): ...
        trainer = Trainer()
        trainer.train(3)
    """,
    "relative import": "import torch\nfrom . import functional as F\nF.pad(x, 1)\n",
    "relative module": "import torch\nfrom .nn import functional as F\nF.relu(x)\n",
    "parameter named F": "import torch\ndef pad(F, x):\n    return F.pad(x)\n",
    "parameter named nn": "import torch\ndef make(nn):\n    return nn.Linear(1, 2)\n",
    "parameter named torch": "import torch\ndef f(torch):\n    return torch.zeros(3)\n",
    "class named nn": "import torch\nclass nn:\n    Linear = dict\nnn.Linear(1)\n",
    "function named torch": "def torch(): ...\ntorch.zeros(3)\n",
    "loop variable named torch": "for torch in lights:\n    torch.zeros(3)\n",
    "with target named torch": "with open(p) as torch:\n    torch.zeros(3)\n",
    "except name torch": "try: ...\nexcept E as torch:\n    torch.zeros(3)\n",
    "walrus named torch": "if (torch := light()):\n    torch.zeros(3)\n",
    "comprehension variable torch": "[torch.zeros(3) for torch in lights]\n",
    "lambda parameter torch": "import torch\nf = lambda torch: torch.zeros(3)\n",
    "match capture torch": """
        match light:
            case {"torch": torch}:
                torch.zeros(3)
    """,
    "star target torch": "first, *torch = lights\ntorch.zeros(3)\n",
    "global torch": """
        import torch
        def change():
            global torch
            torch = None
        def use():
            return torch.zeros(3)
    """,
    "assigned over import": "import torch\ntorch = fake\ntorch.zeros(3)\n",
    "imported over import": "import torch\nimport fake as torch\ntorch.zeros(3)\n",
    "deleted": "import torch\ndel torch\ntorch.zeros(3)\n",
    "either library": """
        try:
            import torch.nn.functional as F
        except ImportError:
            import fake.functional as F
        F.relu(x)
    """,
    "one of two": """
        import torch
        import torch.nn.functional as F
        if old:
            import fake as F
        F.relu(x)
    """,
    "rebound in a loop": """
        import torch.nn.functional as F
        for i in range(3):
            F.relu(x)
            F = other
    """,
    "short form without import": "x = load()\ny = F.relu(x)\nz = nn.Linear(1, 2)\n",
    "usual names in a file": "import torch\nx = load()\nx.clone()\nmodel.train()\n",
    "socket": "import torch, socket\nsock = socket.socket()\nsock.detach()\n",
    "node": "import torch\ndef copy(node):\n    return node.clone()\n",
    "queue": "import torch\nfrom queue import Queue\nq = Queue()\nq.size()\n",
    "accumulator": "import torch\nclass Acc:\n    def add_(self, n): ...\nAcc().add_(3)\n",
    "expression": "import torch, sympy\nexpr = sympy.symbols('x') + 1\nexpr.expand()\n",
    "arguments": """
        import argparse, torch
        args = argparse.ArgumentParser().parse_args()
        args.cuda
        args.cuda()
    """,
    "turtle": "import torch\nfrom turtle import *\nforward(9)\n",
    "turtle's": "import torch, turtle\nturtle.forward(9)\nt = turtle.Turtle()\nt.forward(9)\n",
    "numpy": """
        import numpy as np, torch
        a = np.zeros(3)
        a.std(), a.max(), a.repeat(2), a.transpose(0, 1), (a + 1).sum(), a[0].sum(), a.T.sum()
    """,
    "numpy by name": "from numpy import zeros\nimport torch\nzeros(3).sum()\n",
    "numpy result": "import numpy as np, torch\nnp.load(p)['x'].sum()\n",
    "of a tensor's numpy": "import torch\na = torch_load()\nb = a.numpy()\nb.std()\n",
    "pandas": "import pandas as pd, torch\nd = pd.read_csv(p)\nd.std()\nd['a'].max()\n",
    "text": "import torch\n'a b'.split()\ns = f'{n}'\ns.index('a')\n(s + 'b').split()\n",
    "number": "import torch\nn = 3\nn.item()\n(n + 1).sum()\n",
    "list": "import torch\nxs = [1, 2]\nxs.index(1)\nxs[0].sum()\n",
    "file": "import torch\nwith open(p) as f:\n    f.detach()\n",
    "array then tensor by way": """
        import numpy as np, torch
        x = np.zeros(3) if small else torch_like()
        x.sum()
    """,
    "unknown": "import torch\nx = load()\nx.view(1)\nload().view(1)\nx[0].sum()\nx.y.sum()\n",
    "parameter without annotation": "import torch\ndef f(x):\n    return x.sum()\n",
    "parameter with a default": "import torch\ndef f(x=None, n=1):\n    return x.sum() + n.sum()\n",
    "int parameter": "import torch\ndef f(n: int, v: 'list[int]'):\n    n.sum()\n    v[0].sum()\n",
    "own class parameter": """
        import torch
        class Grid:
            def size(self): ...
        def f(g: Grid):
            return g.size()
    """,
    "forward of no module": """
        import torch
        class Car:
            def forward(self, x):
                return x.sum()
            def train(self): ...
            def go(self):
                self.forward(1)
                self.train()
    """,
    "forward of a foreign class": """
        import torch
        from models import Base
        class Net(Base):
            def forward(self, x):
                return x.sum()
    """,
    "forward's number": """
        import torch
        def f(x): ...
        class Net(«torch.nn.Module|mindspore.nn.Cell»):
            def «forward|construct»(self, scale=1.0, flag=True, name="a"):
                return scale.sum(), flag.sum(), name.split()
    """,
    "own method hides the module's": """
        import torch
        class Net(«torch.nn.Module|mindspore.nn.Cell»):
            def train(self, epochs): ...
            def fit(self):
                self.train(3)
        net = Net()
        net.train(3)
    """,
    "own container": """
        import torch
        class Bag(dict):
            pass
        Bag().index(3)
        Bag().sum()
    """,
    "field set twice": """
        import numpy as np, torch
        class A:
            def __init__(self):
                self.x = «torch.zeros(3)|mindspore.zeros(3)»
            def load(self):
                self.x = np.zeros(3)
            def use(self):
                return self.x.sum()
    """,
    "field set from outside": """
        import torch
        class A:
            def __init__(self):
                self.x = «torch.zeros(3)|mindspore.zeros(3)»
            def use(self):
                return self.x.sum()
        a = A()
        a.x = [1]
    """,
    "field set in a base": """
        import torch
        class A:
            def __init__(self):
                self.x = []
        class B(A):
            def fill(self):
                self.x = «torch.zeros(3)|mindspore.zeros(3)»
            def use(self):
                return self.x.sum()
    """,
    "class attribute": """
        import torch
        class A:
            x = 3
            def use(self):
                return self.x.sum()
    """,
    "static method": """
        import torch
        class A:
            @staticmethod
            def make(x):
                return x.sum()
    """,
    "mixed list": """
        import numpy as np, torch
        xs = [«torch.zeros(3)|mindspore.zeros(3)», np.zeros(3)]
        for x in xs:
            x.sum()
        xs[i].sum()
    """,
    "list that grows": """
        import numpy as np, torch
        xs = [«torch.zeros(3)|mindspore.zeros(3)»]
        xs.append(np.zeros(3))
        for x in xs:
            x.sum()
    """,
    "list that others see": """
        import torch
        xs = [«torch.zeros(3)|mindspore.zeros(3)»]
        fill(xs)
        xs[0].sum()
    """,
    "list by another name": """
        import numpy as np, torch
        xs = [«torch.zeros(3)|mindspore.zeros(3)»]
        ys = xs
        ys.append(np.zeros(3))
        xs[0].sum()
    """,
    "list of a closure": """
        import torch
        def f():
            xs = [«torch.zeros(3)|mindspore.zeros(3)»]
            def fill():
                xs[0] = 1
            fill()
            return xs[0].sum()
    """,
    "deleted tensor": "import torch\nx = «torch.zeros(3)|mindspore.zeros(3)»\ndel x\nx.sum()\n",
    "decorated function": """
        import torch
        @cached
        def make():
            return «torch.zeros(3)|mindspore.zeros(3)»
        make().sum()
    """,
    "function that gives either": """
        import numpy as np, torch
        def make(n):
            if n:
                return «torch.zeros(3)|mindspore.zeros(3)»
            return np.zeros(3)
        make(1).sum()
    """,
    "recursive function": "import torch\ndef f(n):\n    return f(n - 1)\nf(3).sum()\n",
    "generator": """
        import torch
        def f():
            yield «torch.zeros(3)|mindspore.zeros(3)»
        f().sum()
    """,
    "star import from elsewhere": "import torch\nfrom fake import *\nsum(x)\nzeros(3)\n",
    "star import over PyTorch's": "from torch import *\nfrom numpy import *\nzeros(3)\nsum(x)\n",
    "star import over PyTorch's names": """
        from torch import zeros, nn, sum as total
        from numpy import *
        zeros(3), nn.Linear(1, 2), total(x)
        def f(x):
            return zeros(3), total(x)
    """,
    "star import over some names": """
        import torch
        from torch import zeros
        from numpy import *
        from torch import nn
        zeros(3), «torch.zeros(3)|mindspore.zeros(3)», «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»
    """,
    "forward of a class that is no module": """
        from torch import nn
        class M:
            def forward(self, x):
                return x
        class N(M, nn.Module): ...
        class K(N):
            def forward(self, x):
                return super().forward(x)
        N().forward(x), N().train(), K().forward(x)
    """,
    "forward called by a class that is no module": """
        from torch import nn
        class M:
            def run(self, x):
                return self.forward(x)
        class N(M, nn.Module):
            def forward(self, x):
                return x
        N().run(x)
    """,
    "class attribute set from outside": """
        import torch
        class A:
            x = «torch.zeros(3)|mindspore.zeros(3)»
            def use(self):
                return self.x.sum()
        A.x = 3
        A.x.sum()
    """,
    "import of a namesake": "import torchvision as torch\ntorch.zeros(3)\n",
    "array times tensor": """
        import numpy as np, torch
        (np.zeros(3) * «torch.zeros(3)|mindspore.zeros(3)»).sum()
    """,
    "loader's batch": """
        import torch
        for x, y in «torch.utils.data.DataLoader(d)|mindspore.DataLoader(d)»:
            x.sum()
    """,
    "method of a class object": "import torch\nclass A:\n    def sum(self): ...\nA.sum(a)\n",
    "text's index": "import torch\ndef f(s):\n    return s.split(',')\n",
    "class that takes types": """
        from torch.utils.data import DataLoader
        class A(DataLoader[int]): ...
        def f(x: DataLoader[int]): ...
    """,
    "docstring and comment": 'import torch\n"""torch.zeros(3)"""\n# torch.zeros(3)\n',
}


@pytest.mark.parametrize("code", OTHERS.values(), ids=OTHERS)
def test_what_is_not_proved_to_be_pytorchs_stays(code: str, facts: Base) -> None:
    assert marked.ported(dedent(code), facts) == marked.expected(dedent(code))


@pytest.mark.parametrize("code", OTHERS.values(), ids=OTHERS)
def test_a_second_run_changes_nothing(code: str, facts: Base) -> None:
    first = marked.ported(dedent(code), facts)
    assert first is not None
    assert rewrite(first, facts, imports=False).code == first
