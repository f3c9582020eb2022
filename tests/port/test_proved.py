"""What is edited in users' code: what is proved to be PyTorch's, and nothing else."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("proved"))


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
    "dictionary": """
        import torch
        d = {'a': «torch.zeros(3)|mindspore.zeros(3)»}
        d['a'].sum()
        d.get('a').sum()
    """,
    "closure over a changing name": """
        import numpy as np, torch
        def f():
            x = «torch.zeros(3)|mindspore.zeros(3)»
            def g():
                return x.sum()
            x = np.zeros(3)
            return g
    """,
    "lambda over a changing name": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        f = lambda: x.sum()
        x = np.zeros(3)
    """,
    "nonlocal": """
        import torch
        def f():
            x = «torch.zeros(3)|mindspore.zeros(3)»
            def g():
                nonlocal x
                x = 3
            g()
            return x.sum()
    """,
    "in a branch": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        if big:
            x = np.zeros(3)
        x.sum()
    """,
    "in an else": """
        import numpy as np, torch
        if big:
            x = «torch.zeros(3)|mindspore.zeros(3)»
        else:
            x = np.zeros(3)
        x.sum()
    """,
    "in a loop": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        for i in range(3):
            x.sum()
            x = np.zeros(3)
    """,
    "in an outer loop": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        for i in range(3):
            for j in range(3):
                x.sum()
            x = np.zeros(3)
    """,
    "in a while": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        while x.sum() > 0:
            x = np.zeros(3)
    """,
    "after a continue": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        for i in range(3):
            x.sum()
            if i:
                x = np.zeros(3)
                continue
            x = «torch.zeros(3)|mindspore.zeros(3)»
    """,
    "after a break": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        while True:
            if done():
                x = np.zeros(3)
                break
        x.sum()
    """,
    "in a handler": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        try:
            x = np.zeros(3)
            risky()
        except ValueError:
            x.sum()
    """,
    "changed while trying": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        try:
            x = np.zeros(3)
            x = «torch.zeros(4)|mindspore.zeros(4)»
        except ValueError:
            x.sum()
    """,
    "where a manager swallows": """
        import contextlib, numpy as np, torch
        x = np.zeros(3)
        with contextlib.suppress(ValueError):
            risky()
            x = «torch.zeros(3)|mindspore.zeros(3)»
        x.sum()
    """,
    "in a case": """
        import numpy as np, torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        match n:
            case 1:
                x = np.zeros(3)
            case y:
                y.sum()
        x.sum()
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
    "isinstance of another": """
        import numpy as np, torch
        def f(x):
            if isinstance(x, np.ndarray):
                return x.sum()
            if isinstance(x, (int, list)):
                return x.sum()
    """,
    "outside of isinstance": """
        import torch
        def f(x):
            if isinstance(x, «torch.Tensor|mindspore.Tensor»):
                pass
            return x.sum()
    """,
    "else of isinstance": """
        import torch
        def f(x):
            if isinstance(x, «torch.Tensor|mindspore.Tensor»):
                pass
            else:
                x.sum()
    """,
    "isinstance or": """
        import torch
        def f(x, y):
            if isinstance(x, «torch.Tensor|mindspore.Tensor») or y:
                x.sum()
    """,
    "own isinstance": """
        import torch
        def isinstance(x, t): ...
        def f(x):
            if isinstance(x, «torch.Tensor|mindspore.Tensor»):
                x.sum()
    """,
    "loader's batch": """
        import torch
        for x, y in «torch.utils.data.DataLoader(d)|mindspore.DataLoader(d)»:
            x.sum()
    """,
    "method of a class object": "import torch\nclass A:\n    def sum(self): ...\nA.sum(a)\n",
    "text's index": "import torch\ndef f(s):\n    return s.split(',')\n",
    "docstring and comment": 'import torch\n"""torch.zeros(3)"""\n# torch.zeros(3)\n',
}


@pytest.mark.parametrize("code", OTHERS.values(), ids=OTHERS)
def test_what_is_not_proved_to_be_pytorchs_stays(code: str, facts: Base) -> None:
    assert marked.ported(dedent(code), facts) == marked.expected(dedent(code))


PROVED = {
    "imports of every kind": """
        import torch as t, torch.nn as nn, torch.nn.functional
        from torch import nn as layers, zeros, sum as total
        from torch.nn import functional as F, Linear as Dense
        «t.zeros(3)|mindspore.zeros(3)»
        «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»
        «torch.nn.functional.relu(x)|mindspore.relu(x)»
        «layers.Linear(1, 2)|mindspore.nn.Linear(1, 2)»
        «zeros(3)|mindspore.zeros(3)»
        «total(x)|mindspore.sum(x)»
        «F.relu(x)|mindspore.relu(x)»
        «Dense(1, 2)|mindspore.nn.Linear(1, 2)»
    """,
    "import in a function": """
        def f():
            import torch as t
            return «t.zeros(3)|mindspore.zeros(3)»
        t.zeros(3)
    """,
    "import in a class": """
        class A:
            import torch as t
            x = «t.zeros(3)|mindspore.zeros(3)»
    """,
    "conditional import": """
        if old:
            import torch.nn.functional as F
        else:
            from torch.nn import functional as F
        «F.relu(x)|mindspore.relu(x)»
    """,
    "import that may fail": """
        try:
            import torch
        except ImportError:
            torch = None
        «torch.zeros(3)|mindspore.zeros(3)»
    """,
    "import for types only": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from torch import Tensor
        def f(x: "Tensor"):
            return x.«sum|t_sum»()
    """,
    "star import": """
        from torch import *
        from torch.nn import *
        «zeros(3)|mindspore.zeros(3)»
        «sum(x)|mindspore.sum(x)»
        «Linear(1, 2)|mindspore.nn.Linear(1, 2)»
        len(x)
    """,
    "star import over another's": """
        from numpy import *
        from torch import *
        «zeros(3)|mindspore.zeros(3)»
    """,
    "another name for a module": """
        import torch
        F = torch.nn.functional
        «F.relu(x)|mindspore.relu(x)»
    """,
    "results and arithmetic": """
        import torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        x.«sum|t_sum»()
        (x + 1).«sum|t_sum»(), (2 * x).«sum|t_sum»(), (-x).«sum|t_sum»(), (x == y).«sum|t_sum»()
        x[0].«sum|t_sum»(), x[:, 1:].«sum|t_sum»(), (x @ y).«sum|t_sum»(), (y ** x).«sum|t_sum»()
        (x if a else x + 1).«sum|t_sum»()
        (x or x).«sum|t_sum»()
    """,
    "chains": """
        import torch
        «torch.zeros(3)|mindspore.zeros(3)».«clone|t_clone»().«view|t_view»(1).«sum|t_sum»().«item|t_item»().hex()
    """,
    "unpacked results": """
        import torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        a, b = x.«chunk|t_chunk»(2)
        a.«sum|t_sum»()
        first, *rest = x.«unbind|t_unbind»()
        first.«sum|t_sum»(), rest[0].«sum|t_sum»()
        values, indices = «torch.max(x, 1)|mindspore.max(x, 1)»
        indices.«sum|t_sum»()
        «torch.max(x)|mindspore.max(x)».«sum|t_sum»()
        n, m = x.«size|t_size»()
        n.sum()
    """,
    "tuples": """
        import torch
        x, n = «torch.zeros(3)|mindspore.zeros(3)», 3
        x.«sum|t_sum»(), n.sum()
        (a, (b, c)) = (x, (n, x))
        c.«sum|t_sum»(), b.sum()
        x, y = y, x
        y.«sum|t_sum»(), x.sum()
    """,
    "loops over tensors": """
        import torch
        xs = [«torch.zeros(3)|mindspore.zeros(3)», «torch.ones(3)|mindspore.ones(3)»]
        for x in xs:
            x.«sum|t_sum»()
        for i, (x, y) in enumerate(zip(xs, xs)):
            x.«sum|t_sum»(), i.sum()
        for row in xs[0]:
            row.«sum|t_sum»()
        [x.«sum|t_sum»() for x in xs if x.«max|t_max»() > 0]
        {x.«sum|t_sum»() for x in reversed(xs)}
        {k: x.«sum|t_sum»() for k, x in enumerate(xs)}
        list(x.«sum|t_sum»() for x in xs)
        next(iter(xs)).«sum|t_sum»()
        xs.append(«torch.ones(3)|mindspore.ones(3)»)
        xs[-1].«sum|t_sum»()
    """,
    "a list that is filled": """
        import torch
        out = []
        for i in range(3):
            out.append(«torch.zeros(i)|mindspore.zeros(i)»)
        out[0].«sum|t_sum»()
        «torch.cat(out)|mindspore.cat(out)».«sum|t_sum»()
    """,
    "walrus": """
        import torch
        if («(x := torch.zeros(3))|(x := mindspore.zeros(3))»).«sum|t_sum»() > 0:
            x.«sum|t_sum»()
    """.replace("(«(", "«(").replace(")»)", ")»"),
    "augmented": """
        import torch
        x = 1
        x += «torch.zeros(3)|mindspore.zeros(3)»
        x.«sum|t_sum»()
        x[0] *= y.sum()
        x.«sum|t_sum»()
    """,
    "empty tuples": """
        import torch
        def f(x: tuple[()] | None, y: «torch.Tensor|mindspore.Tensor»):
            x.sum(), y.«sum|t_sum»()
    """,
    "annotated names": """
        import torch
        from torch import Tensor
        x: «torch.Tensor|mindspore.Tensor» = load()
        x.«sum|t_sum»()
        y: «Tensor|mindspore.Tensor»
        y.sum()
        z: int = load()
        z.sum()
    """,
    "annotated parameters": """
        import torch
        from torch import Tensor, nn
        from typing import List, Optional, Tuple, Union
        def f(
            a: «Tensor|mindspore.Tensor», b: Optional[«Tensor|mindspore.Tensor»], c: "Tensor",
            d: «Tensor|mindspore.Tensor» | None, e: List[«Tensor|mindspore.Tensor»],
            g: Tuple[int, «Tensor|mindspore.Tensor»], *h: «Tensor|mindspore.Tensor»,
            m: «nn.Module|mindspore.nn.Cell», u: Union[int, «Tensor|mindspore.Tensor»], **k
        ):
            a.«sum|t_sum»(), b.«sum|t_sum»(), c.«sum|t_sum»(), d.«sum|t_sum»()
            e[0].«sum|t_sum»(), g[1].«sum|t_sum»(), g[0].sum(), h[0].«sum|t_sum»()
            m.«train|m_train»(), u.sum(), k["x"].sum()
    """,
    "forward's parameters": """
        import torch
        class Net(«torch.nn.Module|mindspore.nn.Cell»):
            def «forward|construct»(self, x, mask=None, *, y):
                h, c = x
                return x.«sum|t_sum»() + mask.«sum|t_sum»() + y.«sum|t_sum»() + h.«sum|t_sum»()
            def other(self, x):
                return x.sum()
    """,
    "indirect module": """
        import torch
        class A(«torch.nn.Module|mindspore.nn.Cell»):
            pass
        class B(A):
            def «forward|construct»(self, x):
                return x.«sum|t_sum»()
        class C(B):
            def «forward|construct»(self, x):
                return super().«forward|construct»(x.«clone|t_clone»())
        C().«train|m_train»()
    """,
    "self's layers": """
        import torch
        from torch import nn
        class Net(«nn.Module|mindspore.nn.Cell»):
            def __init__(self):
                super().__init__()
                self.fc = «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»
                self.bn = «nn.BatchNorm2d(3)|mindspore.nn.BatchNorm2d(3)»
                self.rnn = «nn.LSTM(1, 2)|mindspore.nn.LSTM(1, 2)»
                self.scale = «nn.Parameter(torch.zeros(3))|mindspore.Parameter(mindspore.zeros(3))»
                self.bn.«weight|gamma».«data|t_data»
            def «forward|construct»(self, x):
                x = self.fc(x).«view|t_view»(1)
                out, state = self.rnn(x)
                out.«sum|t_sum»(), self.scale.«sum|t_sum»(), state.sum()
                return self.bn.«weight|gamma»
            def on(self):
                self.«cuda|m_cuda»().«train|m_train»()
                self.fc.«double|m_double»()
    """,
    "set after it is used": """
        import torch
        class A:
            def use(self):
                return self.x.«sum|t_sum»()
            def __init__(self):
                self.x = None
                self.fill()
            def fill(self):
                self.x = «torch.zeros(3)|mindspore.zeros(3)»
    """,
    "set in a base class": """
        import torch
        class A:
            def __init__(self):
                self.x = «torch.zeros(3)|mindspore.zeros(3)»
        class B(A):
            def use(self):
                return self.x.«sum|t_sum»()
    """,
    "class attribute": """
        import torch
        class A:
            x = «torch.zeros(3)|mindspore.zeros(3)»
            def use(self):
                return self.x.«sum|t_sum»() + A.x.«sum|t_sum»()
    """,
    "property": """
        import torch
        class A:
            @property
            def x(self):
                return «torch.zeros(3)|mindspore.zeros(3)»
            def use(self):
                return self.x.«sum|t_sum»()
    """,
    "own functions": """
        import torch
        def make(n):
            return «torch.zeros(n)|mindspore.zeros(n)»
        def twice(n):
            return make(n) + make(n)
        def told(n) -> «torch.Tensor|mindspore.Tensor»:
            return load(n)
        make(1).«sum|t_sum»()
        twice(1).«sum|t_sum»()
        told(1).«sum|t_sum»()
        f = lambda n: «torch.zeros(n)|mindspore.zeros(n)»
        f(1).«sum|t_sum»()
    """,
    "own methods": """
        import torch
        class A:
            def make(self):
                return «torch.zeros(3)|mindspore.zeros(3)»
            def use(self):
                return self.make().«sum|t_sum»()
        A().make().«sum|t_sum»()
    """,
    "own modules called": """
        import torch
        class Net(«torch.nn.Module|mindspore.nn.Cell»):
            def «forward|construct»(self, x):
                return x.«sum|t_sum»()
        net = Net()
        net(y).«item|t_item»()
        net.«forward|construct»(y)
        net.«double|m_double»()
    """,
    "closure": """
        import torch
        def f():
            x = «torch.zeros(3)|mindspore.zeros(3)»
            def g():
                return x.«sum|t_sum»()
            return g
        y = «torch.zeros(3)|mindspore.zeros(3)»
        def h():
            return y.«sum|t_sum»()
        k = lambda: y.«sum|t_sum»()
    """,
    "branches that agree": """
        import torch
        if big:
            x = «torch.zeros(3)|mindspore.zeros(3)»
        elif small:
            x = «torch.ones(3)|mindspore.ones(3)»
        else:
            raise ValueError
        x.«sum|t_sum»()
        x = None
        if big:
            x = «torch.ones(3)|mindspore.ones(3)»
        x.«sum|t_sum»()
        relu = «torch.nn.ReLU()|mindspore.nn.ReLU()»
        m = «torch.nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)» if big else relu
        m.«train|m_train»()
    """,
    "a branch that leaves": """
        import numpy as np, torch
        def f(big):
            x = «torch.zeros(3)|mindspore.zeros(3)»
            if big:
                x = np.zeros(3)
                return x.sum()
            return x.«sum|t_sum»()
    """,
    "isinstance": """
        import torch
        def f(x, m, y):
            if isinstance(x, «torch.Tensor|mindspore.Tensor»):
                x.«sum|t_sum»()
            if «torch.is_tensor(y)|mindspore.is_tensor(y)» and y.«sum|t_sum»() > 0:
                y.«sum|t_sum»()
            if isinstance(m, (torch.nn.Linear, torch.nn.ReLU)):
                m.«train|m_train»()
            if not isinstance(y, «torch.Tensor|mindspore.Tensor»):
                return
            y.«sum|t_sum»()
            z = load()
            assert isinstance(z, «torch.Tensor|mindspore.Tensor»)
            z.«sum|t_sum»()
            z = load()
            return z.«sum|t_sum»() if isinstance(z, «torch.Tensor|mindspore.Tensor») else z.sum()
    """.replace(
        "(torch.nn.Linear, torch.nn.ReLU)",
        "(«torch.nn.Linear|mindspore.nn.Linear», «torch.nn.ReLU|mindspore.nn.ReLU»)",
    ),
    "isinstance in a loop": """
        import torch
        from torch import nn
        def init(net: «nn.Module|mindspore.nn.Cell»):
            for m in modules(net):
                if not isinstance(m, «nn.BatchNorm2d|mindspore.nn.BatchNorm2d»):
                    continue
                «nn.init.zeros_(m.weight)|mindspore.zeros_(m.gamma)»
                m.«weight|gamma».«data|t_data».«add_|t_add_»(1)
                m.bias
    """,
    "ties of weights": """
        from torch import nn
        emb = «nn.Embedding(3, 4)|mindspore.nn.Embedding(3, 4)»
        head = «nn.Linear(3, 4)|mindspore.nn.Linear(3, 4)»
        emb.«weight|embedding_table» = head.weight
        head.weight = emb.«weight|embedding_table»
    """,
    "optimizers and schedulers": """
        import torch
        from torch.optim import lr_scheduler
        opt = «torch.optim.SGD(p)|mindspore.SGD(p)»
        sched = «lr_scheduler.StepLR(opt)|mindspore.StepLR(opt)»
        opt.«step|o_step»()
        sched.«step|s_step»()
    """,
    "modules of modules": """
        from torch import nn
        fc = «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»
        net = «nn.Sequential(fc, nn.ReLU())|mindspore.nn.Sequential(fc, mindspore.nn.ReLU())»
        net(x).«sum|t_sum»()
        net[0].«train|m_train»()
        for m in net:
            m.«train|m_train»()
        net.«train|m_train»().«cuda|m_cuda»()(x).«sum|t_sum»()
    """,
    "properties": """
        import torch
        x = «torch.zeros(3)|mindspore.zeros(3)»
        x.«T|t_T».«sum|t_sum»(), x.«shape|t_shape»[0].sum(), x.«grad|t_grad».«sum|t_sum»()
        load().T, load().shape
    """,
    "by the class's name": """
        import torch
        «torch.Tensor.sum(x)|x.t_sum()»
    """,
    "one of several layers": """
        from torch import nn
        class Net(«nn.Module|mindspore.nn.Cell»):
            def __init__(self, n):
                fc = «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»
                self.last = fc if n else «nn.ReLU()|mindspore.nn.ReLU()»
            def «forward|construct»(self, x):
                return self.last(x).«sum|t_sum»()
    """,
    "buffers and parameters": """
        from torch import nn, zeros
        class Net(«nn.Module|mindspore.nn.Cell»):
            def __init__(self):
                self.register_buffer("a", «zeros(3)|mindspore.zeros(3)»)
                self.register_parameter("b", None)
                self.register_parameter("b", make())
            def use(self):
                return self.a.«sum|t_sum»() + self.b.«sum|t_sum»()
    """,
    "with and try": """
        import torch
        with lock:
            x = «torch.zeros(3)|mindspore.zeros(3)»
        x.«sum|t_sum»()
        try:
            y = «torch.zeros(3)|mindspore.zeros(3)»
        finally:
            close()
        y.«sum|t_sum»()
    """,
    "async": """
        import torch
        async def f(x: «torch.Tensor|mindspore.Tensor»):
            async for y in x:
                y.sum()
            async with a as b:
                b.sum()
            return (await g()).sum(), x.«sum|t_sum»()
    """,
    "nested scopes": """
        import torch
        def outer(x: «torch.Tensor|mindspore.Tensor»):
            def inner(x):
                return x.sum()
            [x for x in load()]
            return x.«sum|t_sum»(), [x.sum() for x in load()], (lambda x: x.sum())
    """,
    "class scope is no closure": """
        import torch
        x = load()
        class A:
            x = «torch.zeros(3)|mindspore.zeros(3)»
            y = x.«sum|t_sum»()
            def f(self):
                return x.sum()
    """,
    "default arguments": """
        import torch
        from torch import zeros
        def f(x=«zeros(3)|mindspore.zeros(3)», *, y=«zeros(3)|mindspore.zeros(3)».«sum|t_sum»()):
            return x.sum()
    """,
    "one line": "«F.relu(x)|mindspore.relu(x)».«sum|t_sum»(); «nn.ReLU()|mindspore.nn.ReLU()»",
    "usual names in one line": "x.«sum|t_sum»() + q.sum(), model.«train|m_train»(), sock.clone()",
    "usual names of optimizers": "optimizer.«step|o_step»()",
}


@pytest.mark.parametrize("code", PROVED.values(), ids=PROVED)
def test_what_is_proved_to_be_pytorchs_is_edited(code: str, facts: Base) -> None:
    assert marked.ported(dedent(code), facts) == marked.expected(dedent(code))


@pytest.mark.parametrize(
    "code", [*OTHERS.values(), *PROVED.values()], ids=[*OTHERS, *(f"{n}!" for n in PROVED)]
)
def test_a_second_run_changes_nothing(code: str, facts: Base) -> None:
    first = marked.ported(dedent(code), facts)
    assert first is not None
    assert rewrite(first, facts).code == first


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import torch\nx.sum()\n", ["possible 2: .sum() may be torch.Tensor.sum: nothing proves"
                                     " what x is"]),
        ("x.sum()\ny.clone()\n", []),
        ("import torch\ndef f(x):\n    x.get(1), x.append(2), x.items()\n", []),
    ],
)  # fmt: skip
def test_what_may_be_pytorchs_is_reported_where_pytorch_is_used(
    code: str, expected: list[str], facts: Base
) -> None:
    done = rewrite(code, facts)
    assert [f"{r.kind} {r.line}: {r.reason.en}" for r in done.refusals] == expected
