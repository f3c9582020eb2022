"""Classes and functions that are taken by name from a dict that nobody changes."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("registries"))


CLASSES = """
from torch import nn
class A(«nn.Module|mindspore.nn.Cell»):
    def «forward|construct»(self, x): return x.«sum|t_sum»()
class B(«nn.Module|mindspore.nn.Cell»):
    def «forward|construct»(self, x): return x.«sum|t_sum»()
"""
PROVED = {
    "own modules": """
        MODELS = {"a": A, "b": B}
        def build(name, **more):
            if name not in MODELS:
                raise KeyError(sorted(MODELS))
            return MODELS[name](**more)
        net = build("a")
        net.«train|m_train»(), net(x).sum()
    """,
    "with get, and a default": """
        MODELS: dict = {"a": A}
        MODELS.get(name)(3).«train|m_train»(), MODELS.get(name, B)(3).«eval|m_eval»()
    """,
    "one of a class": """
        MODELS = {"a": A, "b": B}
        def build(name): return MODELS["a"]()
        build(1).«train|m_train»(), build(1)(x).«sum|t_sum»()
    """,
    "in a function": """
        def build(name):
            models = {"a": A, "b": B}
            return models[name](3)
        build("a").«train|m_train»()
    """,
    "objects": """
        LOSSES = {"a": «nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)», "b": A()}
        def loss(name): return LOSSES[name]
        loss("a").«train|m_train»()
    """,
    "functions": """
        def one(x): return «torch.ones(x)|mindspore.ones(x)»
        def two(x): return x + one(x)
        MAKERS = {"one": one, "two": two}
        def make(name): return MAKERS[name](3).«sum|t_sum»()
    """,
    "all of them": """
        MODELS = {"a": A, "b": B}
        def every():
            for make in MODELS.values():
                make().«train|m_train»()
            for name, make in MODELS.items():
                make().«train|m_train»()
    """,
    "one or the other": """
        def build(kind, other):
            net = A if kind else B
            return net(3).«train|m_train»()
    """,
}
UNKNOWN = {
    "one that is added": """
        MODELS = {"a": A}
        MODELS["b"] = other
        def build(name): MODELS[name]().train()
    """,
    "one that another function adds": """
        MODELS = {"a": A}
        def register(made): MODELS[made.name] = made
        def build(name): MODELS[name]().train()
    """,
    "a dict that others see": """
        MODELS = {"a": A}
        fill(MODELS)
        def build(name): MODELS[name]().train()
    """,
    "a dict that is changed": """
        MODELS = {"a": A}
        MODELS.update(more)
        def build(name): MODELS[name]().train()
    """,
    "a dict that is another later": """
        MODELS = {"a": A}
        MODELS |= more
        def build(name): MODELS[name]().train()
    """,
    "a dict by another name": """
        MODELS = {"a": A}
        models = MODELS
        def build(name): MODELS[name]().train()
    """,
    "a dict that a function sets": """
        MODELS = {"a": A}
        def choose(more):
            global MODELS
            MODELS = more
        def build(name): MODELS[name]().train()
    """,
    "a dict by its text": """
        MODELS = {"a": A}
        globals()["MODELS"]["b"] = other
        def build(name): MODELS[name]().train()
    """,
    "one that is no module": """
        class C:
            def train(self): return 1
        MODELS = {"a": A, "c": C}
        def build(name): MODELS[name]().train()
    """,
    "one whose train is its own": """
        class C(A):
            def train(self, mode=True): return 1
        MODELS = {"a": A, "c": C}
        def build(name): MODELS[name]().train()
    """,
    "another package's": """
        from somewhere import C
        MODELS = {"a": A, "c": C}
        def build(name): MODELS[name]().train()
    """,
    "what they give differs": """
        def one(x): return «torch.ones(x)|mindspore.ones(x)»
        MAKERS = {"one": one, "two": str}
        def make(name): return MAKERS[name](3).sum()
    """,
    "a base that is one of several": """
        class C(A if flag else B):
            def forward(self, x): return x.sum()
        C().train()
    """,
}


@pytest.mark.parametrize("name", PROVED)
def test_what_is_taken_is_known(name: str, facts: Base) -> None:
    code = "import torch" + CLASSES + dedent(PROVED[name])
    assert marked.ported(code, facts) == marked.expected(code)


@pytest.mark.parametrize("name", UNKNOWN)
def test_nothing_is_known_of_what_may_be_another(name: str, facts: Base) -> None:
    code = "import torch" + CLASSES + dedent(UNKNOWN[name])
    assert marked.ported(code, facts) == marked.expected(code)
