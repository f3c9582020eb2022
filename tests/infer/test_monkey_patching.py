"""Attributes and names that something else may have set: nothing is known of them."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("patched"))


ONES = "«torch.ones(1)|mindspore.ones(1)»"
HOLDER = f"""
        class A:
            def __init__(self, **k):
                self.x = {ONES}
                SET
            def g(self): return self.x.CALL()
"""
KNOWN, LEFT = "«sum|t_sum»", "sum"


def holder(set_: str = "pass", call: str = LEFT) -> str:
    """A class that keeps a tensor, and sets something else."""
    return HOLDER.replace("SET", set_).replace("CALL", call)


PROVED = {
    "others are set": holder("setattr(self, 'y', k)", KNOWN),
    "others of a beginning are set": holder("setattr(self, f'layer{k}', k)", KNOWN),
    "others by a variable": holder("n = 'y_' + k; setattr(self, n, k)", KNOWN),
    "others by a loop": holder("[setattr(self, n, k) for n in ('y', 'z')]", KNOWN),
    "others in its dict": holder("self.__dict__['y'] = vars(self)['z'] = k", KNOWN),
    "another object is configured": holder("setattr(config, *load())", KNOWN)
    + """
        for name, value in load():
            setattr(config, name, value)
    """,
    "a class that comes from it sets the same": f"""
        class A:
            def __init__(self): self.x = {ONES}
            def g(self): return self.x.«sum|t_sum»()
        class B(A):
            def f(self): self.x = {ONES}
    """,
    "what is bound after anything was": f"""
        exec(load())
        globals().update(load())
        x = {ONES}
        x.«sum|t_sum»()
    """,
}
UNKNOWN = {
    "from outside": holder() + "\n        a = A()\n        a.x = sock\n",
    "by a text": holder() + "\n        setattr(A(), 'x', sock)\n",
    "by a text of its own": holder("setattr(self, 'x', k)"),
    "by a text that is put together": holder("setattr(self, 'x' + k, k)"),
    "by a variable": holder("n = load(); setattr(self, n, k)"),
    "by a loop": holder("[setattr(self, n, k) for n in ('x', 'z')]"),
    "by anything": holder("[setattr(self, n, v) for n, v in k.items()]"),
    "past the class's own": holder("object.__setattr__(self, 'x', k)"),
    "past the class's own by anything": holder("super().__setattr__(load(), k)")
    + "\n        A().__setattr__('x', sock)\n",
    "in its dict": holder("self.__dict__['x'] = k"),
    "in its dict by anything": holder("self.__dict__[load()] = k"),
    "in its dict, many": holder("self.__dict__.update(k)"),
    "in its dict, many by keywords": holder("self.__dict__.update(**k)"),
    "in its dict, some": holder() + "\n        A().__dict__.update(x=sock)\n",
    "in its dict, as vars gives it": holder("vars(self).update({'x': k})"),
    "by a class that comes from it": f"""
        class A:
            def __init__(self): self.x = {ONES}
            def g(self): return self.x.sum()
        class B(A):
            def __init__(self):
                super().__init__()
                self.x = sock
    """,
    "by what makes objects": f"""
        from dataclasses import dataclass
        @dataclass
        class A:
            x: object = {ONES}
            def g(self): return self.x.sum()
    """,
}
METHOD = f"""
        class A:
            def f(self, x): return x
            def g(self): return self.f({ONES}).CALL()
"""
METHODS = {
    "another one is": (KNOWN, "A.h = lambda self, x: sock"),
    "by =": (LEFT, "A.f = lambda self, x: sock"),
    "by a text": (LEFT, "setattr(A, 'f', sock)"),
    "in a test": (LEFT, "mock.patch.object(A, 'f', sock)"),
    "in a test, by its path": (LEFT, "mock.patch('here.A.f', sock)"),
    "in a test that pytest runs": (LEFT, "monkeypatch.setattr('here.A.f', sock)"),
}
NAMES = {
    "by what is executed": "exec(load())",
    "by the dict of all names": "globals()[load()] = sock",
    "by the dict of all names, many": "globals().update(load())",
    "by a star": "from own import *",
}


@pytest.mark.parametrize("name", PROVED)
def test_what_is_set_elsewhere_is_another_thing(name: str, facts: Base) -> None:
    code = "import torch\n" + dedent(PROVED[name])
    assert marked.ported(code, facts) == marked.expected(code)


@pytest.mark.parametrize("name", UNKNOWN)
def test_attributes_that_are_set_elsewhere_are_unknown(name: str, facts: Base) -> None:
    code = "import torch\n" + dedent(UNKNOWN[name])
    assert marked.ported(code, facts) == marked.expected(code)


@pytest.mark.parametrize("name", METHODS)
def test_methods_may_be_replaced(name: str, facts: Base) -> None:
    call, how = METHODS[name]
    code = "import torch\n" + dedent(METHOD).replace("CALL", call) + how
    assert marked.ported(code, facts) == marked.expected(code)


@pytest.mark.parametrize("name", NAMES)
def test_names_may_be_bound_again(name: str, facts: Base) -> None:
    code = f"import torch\nx = {ONES}\n{NAMES[name]}\nx.sum()\n"
    assert marked.ported(code, facts) == marked.expected(code)


def test_a_function_of_pytorch_s_that_is_replaced_gives_anything(facts: Base) -> None:
    code = "import torch\ntorch.ones = own\ntorch.ones(1).sum()\n"
    assert ".sum()" in marked.ported(code, facts)
