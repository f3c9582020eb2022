"""What is known of the parameters of own functions by what all their calls pass."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("passed"))


# A parameter of a layer that is of one of two classes.
EITHER = 'getattr(b, next(name for name in ("gamma", "embedding_table") if hasattr(b, name)))'
ONES = "«torch.ones(1)|mindspore.ones(1)»"
PROVED = {
    "several results": f"""
        def split(x, at): return x[:at], x[at:]
        def run(x):
            a, b = split(x, 3)
            a.«sum|t_sum»(), b.«sum|t_sum»()
        run({ONES})
    """,
    "more of a module than its annotation": """
        from torch import nn
        def f(
            a: «nn.Module|mindspore.nn.Cell»,
            b: "«nn.Module|mindspore.nn.Cell»",
            c: Optional[«nn.Module|mindspore.nn.Cell»] = None,
        ):
            a(x).«sum|t_sum»(), b.«weight|gamma», c.«train|m_train»()
        f(«nn.ReLU()|mindspore.nn.ReLU()», «nn.BatchNorm2d(3)|mindspore.nn.BatchNorm2d(3)»)
    """,
    "a call": f"""
        def f(x, n, *, y): x.«sum|t_sum»(), n.sum(), y.«sum|t_sum»()
        f({ONES}, 3, y={ONES})
    """,
    "all calls alike": f"""
        def f(x): x.«sum|t_sum»()
        f({ONES})
        def g(): f(x={ONES})
        class A:
            def h(self): f({ONES})
    """,
    "through others": f"""
        def inner(x): return x.«sum|t_sum»()
        def middle(x): return inner(x)
        def outer(): return middle({ONES}).«sum|t_sum»()
        outer().«sum|t_sum»()
    """,
    "what is left out": f"""
        def f(x, y=None, n=2):
            n.sum()
            if y is not None:
                y.«sum|t_sum»()
            return x.«sum|t_sum»()
        f({ONES})
        f({ONES}, {ONES})
    """,
    "a training loop": """
        from torch import nn, optim
        class Net(«nn.Module|mindspore.nn.Cell»):
            def «forward|construct»(self, x): return x.«sum|t_sum»()
        def train(model, optimizer, criterion, data):
            model.«train|m_train»()
            for x, y in data:
                loss = criterion(model(x), y)
                loss.«backward|t_backward»()
                optimizer.«step|o_step»()
                x.«sum|t_sum»()
            return loss.«item|t_item»()
        def batches():
            for n in range(3):
                yield «torch.ones(n)|mindspore.ones(n)», «torch.zeros(n)|mindspore.zeros(n)»
        def main():
            net = Net()
            sgd = «optim.SGD(net.parameters())|mindspore.SGD(net.m_parameters())»
            train(net, sgd, «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)», batches())
        main()
    """,
    "a class that trains": f"""
        from torch import nn
        class Trainer:
            def fit(self, x):
                self.model.«train|m_train»()
                return self.step(x)
            def step(self, x):
                return self.model(x.«sum|t_sum»()).«sum|t_sum»()
            def __init__(self, model, n=1):
                self.model = model
                self.n = n
        def main():
            trainer = Trainer(«nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»)
            trainer.fit({ONES}), trainer.n.sum()
    """,
    "a derived class": f"""
        class A:
            def __init__(self, x): self.x = x
            def f(self, y): return y.«sum|t_sum»()
        class B(A):
            def __init__(self, x, z):
                super().__init__(x)
                z.sum()
            def g(self): return self.x.«sum|t_sum»()
            def f(self, y): return super().f(y), y.«sum|t_sum»()
        B({ONES}, 3).g()
        a = A({ONES})
        a.f({ONES}), B({ONES}, 3).f({ONES})
    """,
    "a class that is named where it isn't called": f"""
        class A:
            def __init__(self, x):
                super(A, self).__init__()
                self.x = x
            def f(self) -> "A": return self.x.«sum|t_sum»()
        def g(a: A):
            if isinstance(a, A):
                a.f()
        A({ONES})
    """,
    "static and class methods": f"""
        class A:
            @staticmethod
            def f(x): return x.«sum|t_sum»()
            @classmethod
            def g(cls, x): return x.«sum|t_sum»()
        A.f({ONES}), A().f({ONES}), A().g({ONES})
    """,
    "functions in functions": f"""
        def outer():
            def f(x): return x.«sum|t_sum»()
            def g(x): return f(x)
            return g({ONES})
    """,
    "a function that calls itself": f"""
        def f(x, n):
            return f(x.«sum|t_sum»(), n - 1) if n else x
        f({ONES}, 2)
    """,
    "what is given depends on the call": f"""
        def same(x): return x
        same({ONES}).«sum|t_sum»(), same(2).sum(), same(y).sum()
    """,
    "lists that are given back": f"""
        def many():
            found = []
            for n in range(3):
                found.append(({ONES}, n))
            return found
        for x, n in many():
            x.«sum|t_sum»(), n.sum()
        for n, (x, _) in enumerate(many()):
            x.«sum|t_sum»()
    """,
    "its name is a parameter's, an argument's and a method's too": f"""
        def batches(f=True):
            return 1 if f else 2
        def g(x):
            batches(f=False), x.f(2), y.f
        def f(x):
            g(x)
            return x.«sum|t_sum»()
        f({ONES})
    """,
    "its name is a text among others": f"""
        def f(x): return x.«sum|t_sum»()
        for phase in ("f", "g"):
            if phase == "f":
                f({ONES})
    """,
    "methods that are called as what finds names by texts": f"""
        def train(x): return x.«sum|t_sum»()
        def run(x, net):
            net.eval(), net.vars, net.train()
            return train(x)
        run({ONES}, getattr(torch.nn, "Linear")(1, 2))
        log_vars = executor = "train"
    """,
    "a tuple that is unpacked": f"""
        def f(x, n): x.«sum|t_sum»(), n.sum()
        def pair(): return {ONES}, 2
        both = pair()
        f(*both)
        f({ONES}, *(3,))
    """,
    "generators": f"""
        def ones():
            yield {ONES}
            yield from [{ONES}]
        for x in ones():
            x.«sum|t_sum»()
        next(ones()).«sum|t_sum»()
    """,
}
UNKNOWN = {
    "less of a module than its annotation": """
        from torch import nn
        def f(a: «nn.Module|mindspore.nn.Cell», b: «nn.Module|mindspore.nn.Cell»):
            a(x).sum(), «b.weight|""" + EITHER + """», a.«train|m_train»()
        f(load(), «nn.BatchNorm2d(3)|mindspore.nn.BatchNorm2d(3)»)
        f(«nn.ReLU()|mindspore.nn.ReLU()», «nn.Embedding(3, 4)|mindspore.nn.Embedding(3, 4)»)
    """,
    "never called": "def f(x): x.sum()",
    "called with something else": f"def f(x): x.sum()\nf({ONES})\nf(2)",
    "called with what is unknown": f"def f(x): x.sum()\nf({ONES})\nf(y)",
    "unpacked": f"def f(x, y=1): x.sum(), y.sum()\nf({ONES})\nf(*a)\nf(**b)",
    "too much": f"def f(x): x.sum()\nf({ONES})\nf({ONES}, 2)",
    "used as a value": f"def f(x): x.sum()\nf({ONES})\nmap(f, a)",
    "kept in a container": f"def f(x): x.sum()\nf({ONES})\ntable = [f]",
    "decorated": f"@other\ndef f(x): x.sum()\nf({ONES})",
    "called by its name's text": f"def f(x): x.sum()\nf({ONES})\nglobals()['f'](3)",
    "called by a name that is a text elsewhere": f"""
        def f(x): x.sum()
        f({ONES})
        for name in ("f", "g"):
            getattr(module, name)(3)
    """,
    "called by its name's text in what is evaluated": f"""
        def f(x): x.sum()
        f({ONES})
        eval("f")(3)
    """,
    "called by its name's text of a module that is the file": f"""
        import sys
        def f(x): x.sum()
        f({ONES})
        here = sys.modules[__name__]
        here.f(3)
    """,
    "a list that is unpacked may have changed": f"""
        def f(x): x.sum()
        both = [{ONES}]
        change(both)
        f(*both)
    """,
    "calls itself with something else": f"""
        def f(x, n):
            x.sum()
            return f(x.numpy(), n - 1)
        f({ONES}, 2)
    """,
    "functions that call each other": f"""
        def f(x): return x.sum(), g(x)
        def g(x): return f(x.numpy())
        f({ONES})
    """,
    "a default that is no literal": f"def f(x, y=z): y.sum()\nf({ONES})\nf({ONES}, {ONES})",
    "a method of what is unknown": f"""
        class A:
            def f(self, x): x.sum()
        A().f({ONES})
        other.f(2)
    """,
    "a method that a derived class has too": f"""
        class A:
            def f(self, x): x.sum()
        class B(A):
            def f(self, x): x.sum()
        def g(a: A, b: B):
            a.f(2), b.f({ONES})
        A().f({ONES})
    """,
    "a method as a value": f"""
        class A:
            def f(self, x): x.sum()
            def g(self): return self.f
        A().f({ONES})
    """,
    "a method of the class": f"""
        class A:
            def f(self, x): x.sum()
        A().f({ONES})
        A.f(A(), 2)
    """,
    "a method that another package may call": f"""
        from somewhere import Base
        class A(Base):
            def f(self, x): x.sum()
        A().f({ONES})
    """,
    "a class that is decorated": f"""
        @registered
        class A:
            def __init__(self, x): x.sum()
        A({ONES})
    """,
    "a class as a value": f"""
        class A:
            def __init__(self, x): x.sum()
        A({ONES})
        table = {{"a": A}}
    """,
    "a special method": f"""
        class A:
            def __call__(self, x): x.sum()
            def __add__(self, x): x.sum()
        A()({ONES}), A() + {ONES}
    """,
    "a field that others set": f"""
        class A:
            def __init__(self, x): self.x = x
            def f(self): self.x.sum()
        a = A({ONES})
        a.x = 3
    """,
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_calls_prove_what_parameters_are(name: str, facts: Base) -> None:
    code = "import torch\n" + dedent(PROVED[name])
    assert marked.ported(code, facts) == marked.expected(code)


@pytest.mark.parametrize("name", UNKNOWN)
def test_calls_prove_nothing_where_others_may_differ(name: str, facts: Base) -> None:
    code = "import torch\n" + dedent(UNKNOWN[name])
    assert marked.ported(code, facts) == marked.expected(code)
