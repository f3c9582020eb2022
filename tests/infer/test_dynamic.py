"""Functions and methods that are asked for by a name that the source puts together."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("asked"))


ONES = "«torch.ones(1)|mindspore.ones(1)»"
PROVED = {
    "another beginning": f"""
        class A:
            def plain(self, x): return x.«sum|t_sum»()
            def run(self, n): getattr(self, f"step_{{n}}")(sock)
        A().plain({ONES})
    """,
    "another beginning that a variable holds": f"""
        class A:
            def plain(self, x): return x.«sum|t_sum»()
            def run(self, n):
                name = "step_" + n
                getattr(self, name)(sock)
        A().plain({ONES})
    """,
    "names that a loop has written out": f"""
        class A:
            def plain(self, x): return x.«sum|t_sum»()
            def run(self):
                for name in ("one", "two"):
                    getattr(self, name)(sock)
        A().plain({ONES})
    """,
    "anything, where objects are made with what is known": f"""
        class A:
            def __init__(self, x): self.x = x
            def run(self): return self.x.«sum|t_sum»()
            def call(self, name): getattr(self, name)(sock)
        A({ONES}).run()
    """,
    "of a module of PyTorch's": f"""
        from torch import nn
        class A:
            def plain(self, x): return x.«sum|t_sum»()
        A().plain({ONES})
        getattr(nn, load())(2)
    """,
    "a function, where an object is asked for anything": f"""
        def plain(x): return x.«sum|t_sum»()
        plain({ONES})
        getattr(made, load())(sock)
    """,
}
UNKNOWN = {
    "the same beginning": f"""
        class A:
            def step_one(self, x): return x.sum()
            def step_two(self, x): return x.sum()
            def run(self, n): getattr(self, "step_" + n)(sock)
        A().step_one({ONES}), A().step_two({ONES})
    """,
    "the same beginning that a variable holds": f"""
        class A:
            def step_one(self, x): return x.sum()
            def run(self, n):
                name = f"step_{{n}}"
                getattr(self, name)(sock)
        A().step_one({ONES})
    """,
    "the same ending": f"""
        class A:
            def one_step(self, x): return x.sum()
            def two_step(self, x): return x.sum()
            def run(self, n):
                getattr(self, "%s_step" % n)(sock)
                getattr(self, "two_{{}}".format(n))(sock)
        A().one_step({ONES}), A().two_step({ONES})
    """,
    "anything": f"""
        class A:
            def plain(self, x): return x.sum()
            def run(self): return [getattr(self, name)(sock) for name in load()]
        A().plain({ONES})
    """,
    "by what calls methods": f"""
        from operator import methodcaller
        class A:
            def plain(self, x): return x.sum()
        A().plain({ONES})
        methodcaller(load(), sock)(A())
    """,
    "a function of the file": f"""
        def make_one(x): return x.sum()
        make_one({ONES})
        globals()["make_" + load()](sock)
    """,
    "a function in what is evaluated": f"""
        def make_one(x): return x.sum()
        make_one({ONES})
        eval("make_" + load())(sock)
    """,
}


@pytest.mark.parametrize("name", PROVED)
def test_other_functions_are_not_meant(name: str, facts: Base) -> None:
    code = "import torch\n" + dedent(PROVED[name])
    assert marked.ported(code, facts) == marked.expected(code)


@pytest.mark.parametrize("name", UNKNOWN)
def test_functions_that_may_be_meant_are_called_with_anything(name: str, facts: Base) -> None:
    code = "import torch\n" + dedent(UNKNOWN[name])
    assert marked.ported(code, facts) == marked.expected(code)
