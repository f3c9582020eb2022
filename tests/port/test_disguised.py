"""Code that looks like PyTorch's and isn't, or is and doesn't look like it."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("disguised"))


ONES = "«torch.ones(1)|mindspore.ones(1)»"
CODE = {
    "names of a class, which comprehensions in it don't see": f"""
        import torch
        x = [1, 2]
        class A:
            x = {ONES}
            y = [x.sum() for _ in range(3)]
            z = [i for i in x.«sum|t_sum»()]
            class B:
                y = x.sum()
    """,
    "names that globals() binds": f"""
        import torch
        t = {ONES}
        x = {ONES}
        globals()["t"] = other
        vars()["x"] = other
        t.sum(), x.sum()
        def f(): return t.sum() + x.sum()
        globals()["torch"] = other
        torch.ones(1)
    """,
    "a table of sums": """
        class Column:
            def sum(self): return 1
            def train(self): return self
        COLUMNS = {"a": Column, "b": Column}
        def make(name): return COLUMNS[name]().train().sum()
    """,
    "a dict whose values are of both kinds": """
        from torch import nn
        class Column:
            def train(self): return self
        MADE = {"a": «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)», "b": Column()}
        def make(name): return MADE[name].train()
    """,
    "a dict that a class body fills": """
        from torch import nn
        MADE = {"a": «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»}
        class Register:
            MADE["b"] = load()
        def make(name): return MADE[name].train()
    """,
    "a dict that a comprehension hides": """
        from torch import nn
        MADE = {"a": «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»}
        [fill(MADE) for MADE in others]
        def make(name): return MADE[name].train()
    """,
    "a dict of a parameter's name": """
        from torch import nn
        MADE = {"a": «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»}
        def make(MADE, name): return MADE[name].train()
    """,
    "a dict that is deleted from": """
        from torch import nn
        MADE = {"a": «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»}
        del MADE["a"]
        MADE.setdefault("a", other)
        def make(name): return MADE[name].train()
    """,
    "a walrus in a test": f"""
        def f():
            if (x := {ONES}) is not None and (n := 3):
                return x.«sum|t_sum»(), n.sum()
    """,
    "a walrus in a comprehension": f"""
        def f():
            found = [y := {ONES} for _ in range(3)]
            return y.«sum|t_sum»(), [z := 3 for _ in found], z.sum()
    """,
    "a match on types": """
        from torch import nn
        def f(x):
            match x:
                case «torch.Tensor|mindspore.Tensor»(): return x.«sum|t_sum»()
                case [first, *rest]: return first.sum(), rest.sum(), x.sum()
                case {"sum": sum}: return sum.sum()
                case «nn.BatchNorm2d|mindspore.nn.BatchNorm2d»() as y: return y.«weight|gamma»
                case «nn.Linear|mindspore.nn.Linear»() | str(): return x.train()
                case str() | int(): return x.sum()
            return x.sum()
    """,
    "a match on names and values": """
        def f(x, y):
            match x:
                case torch: return torch.zeros(3)
            match y:
                case 3 | None: y.sum()
                case y: y.sum()
    """,
    "a dataclass with methods like a tensor's": """
        from dataclasses import dataclass, field
        @dataclass
        class Total:
            sum: float = 0.0
            parts: list = field(default_factory=list)
            def add_(self, other): self.sum += other; return self
            def item(self): return self.sum
            def backward(self): return self.item()
        total = Total()
        total.add_(3).item(), total.backward(), total.sum
    """,
    "a dataclass that holds a tensor": """
        from dataclasses import dataclass
        @dataclass
        class Batch:
            x: «torch.Tensor|mindspore.Tensor»
            n: int
        def f(batch: Batch): return batch.x.«sum|t_sum»(), batch.n.sum()
    """,
    "a property that gives another thing": f"""
        class A:
            def __init__(self): self._x = {ONES}
            @property
            def x(self): return self._x.«numpy|t_numpy»()
            @property
            def y(self): return self._x
        a = A()
        a.x.sum(), a.y.«sum|t_sum»()
    """,
    "a decorator that changes what is given": f"""
        def listed(f):
            def inner(*a): return [f(*a)]
            return inner
        @listed
        def make(): return {ONES}
        make().sum(), make()[0].sum()
    """,
    "a function that is awaited": f"""
        async def fetch(): return {ONES}
        async def main():
            x = await fetch()
            x.sum(), fetch().sum()
            async for y in stream(): y.sum()
            async with open_stream() as z: z.sum()
    """,
    "nested functions that shadow": f"""
        def outer(x):
            def sum(x): return x
            def inner():
                x = {ONES}
                return x.«sum|t_sum»(), sum(x)
            return inner(), x.sum()
        outer(3)
    """,
    "lambdas by name": f"""
        make = lambda: {ONES}
        count = lambda x: x.sum()
        make().«sum|t_sum»(), count(3), (lambda torch: torch.zeros(3))(other)
    """,
    "an import on a condition": """
        import sys
        if sys.platform == "win32":
            import lights as torch
        else:
            import torch
        torch.zeros(3)
    """,
    "a star from one's own file": "import torch\nfrom .layers import *\nLinear(1, 2).train()\n",
    "an attribute of the class and of the object": f"""
        class A:
            x = 3
            def __init__(self, fill):
                if fill:
                    self.x = {ONES}
            def f(self): return self.x.sum()
        A(True).x.sum()
    """,
    "one or the other function": f"""
        def one(): return {ONES}
        def two(): return 2
        def three(): return {ONES}
        f = one if flag else two
        g = one if flag else three
        f().sum(), g().«sum|t_sum»()
    """,
    "a list that is unpacked into a call": f"""
        def f(x, y): x.sum(), y.sum()
        args = [{ONES}]
        args.append(3)
        f(*args)
    """,
    "two tuples that are unpacked into a call": f"""
        def f(x, y, z): x.«sum|t_sum»(), y.sum(), z.«sum|t_sum»()
        pair = ({ONES}, 2)
        f(*pair, {ONES})
    """,
    "an object that is callable": f"""
        class Meter:
            def __call__(self, x): return 3
            def sum(self): return self({ONES}).sum()
        meter = Meter()
        meter({ONES}).sum(), meter.sum()
    """,
    "an own train and eval": """
        def train(model): return model
        def eval(model): return model
        train(3), eval(4).train()
    """,
    "own collate functions that give lists": f"""
        class Data:
            def __getitem__(self, i): return {ONES}
        def whole(batch): return [len(batch), names]
        for n, x in torch.utils.data.DataLoader(Data(), collate_fn=whole): n.sum(), x.sum()
    """,
}


@pytest.mark.parametrize("code", CODE.values(), ids=CODE)
def test_only_what_is_proved_is_edited(code: str, facts: Base) -> None:
    code = dedent(code)
    code = code if "import torch\n" in code else f"import torch\n{code.lstrip()}"
    assert marked.ported(code, facts) == marked.expected(code)


@pytest.mark.parametrize("code", CODE.values(), ids=CODE)
def test_a_second_run_changes_nothing(code: str, facts: Base) -> None:
    first = marked.ported(f"import torch\n{dedent(code).lstrip()}", facts)
    assert first is not None
    assert rewrite(first, facts, imports=False).code == first
