"""What is edited in users' code: all that is proved to be PyTorch's."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("proved"))


PROVED = {
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
    "annotated dicts": """
        from typing import Callable, Dict, Mapping, Optional, Type
        from torch import nn, Tensor
        kept: Dict[str, «Tensor|mindspore.Tensor»] = {}
        def f(
            batch: Dict[str, «Tensor|mindspore.Tensor»],
            many: Mapping[int, Dict[str, «nn.Module|mindspore.nn.Cell»]],
        ):
            batch["x"].«sum|t_sum»(), batch.get("y", batch["x"]).«sum|t_sum»()
            for name, x in batch.items():
                name.sum(), x.«sum|t_sum»()
                batch[name] = x + 1
            for x in batch.values():
                x.«sum|t_sum»()
            for name in batch:
                name.sum()
            batch["z"].«sum|t_sum»(), batch.copy()["x"].«sum|t_sum»(), kept["x"].«sum|t_sum»()
            batch["z"] = g()
            batch["z"].sum()
            many[0]["net"].«train|m_train»()
    """,
    "annotated classes and functions": """
        from typing import Callable, Dict, Mapping, Optional, Type
        from torch import nn, Tensor
        classes: Dict[str, Type[«nn.Module|mindspore.nn.Cell»]] = {}
        def f(
            one: Type[«nn.Module|mindspore.nn.Cell»],
            run: Callable[[«Tensor|mindspore.Tensor», int], «Tensor|mindspore.Tensor»],
            maker: Optional[Callable[..., «nn.Module|mindspore.nn.Cell»]] = None,
            anything: Callable = None,
        ):
            one(3).«train|m_train»(), run(x, 3).«sum|t_sum»()
            classes[name]().«train|m_train»()
            anything(x).sum(), anything.sum(), one.sum()
            if maker is None:
                maker = «nn.ReLU|mindspore.nn.ReLU»
            maker(3).«train|m_train»()
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
    "annotations in quotes": """
        import torch
        from torch import nn
        from typing import Optional
        def f(
            x: "«torch.Tensor|mindspore.Tensor»", o: Optional['«nn.Module|mindspore.nn.Cell»'] = 0
        ) -> "Net":
            y: "«torch.Tensor|mindspore.Tensor»" = x.«sum|t_sum»()
            z: "torch.Tensor, not a type" = 1
            return o.«train|m_train»()
    """,
    "one line": "«F.relu(x)|mindspore.relu(x)».«sum|t_sum»(); «nn.ReLU()|mindspore.nn.ReLU()»",
    "usual names in one line": "x.«sum|t_sum»() + q.sum(), model.«train|m_train»(), sock.clone()",
    "usual names of optimizers": "optimizer.«step|o_step»()",
}


@pytest.mark.parametrize("code", PROVED.values(), ids=PROVED)
def test_what_is_proved_to_be_pytorchs_is_edited(code: str, facts: Base) -> None:
    assert marked.ported(dedent(code), facts) == marked.expected(dedent(code))


@pytest.mark.parametrize("code", PROVED.values(), ids=PROVED)
def test_a_second_run_changes_nothing(code: str, facts: Base) -> None:
    first = marked.ported(dedent(code), facts)
    assert first is not None
    assert rewrite(first, facts, imports=False).code == first
