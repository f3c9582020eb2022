"""What is edited in users' code: PyTorch's names, however they are imported."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("proved"))


IMPORTED = {
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
    "a name in a comment, in a docstring, in a text": """
        import torch
        def first(x):
            # what first and last make of it
            return x.«sum|t_sum»()
        def second(x):
            '''What last does,
            before last.'''
            return x.«sum|t_sum»()
        def third(x):
            print("from last")
            return x.«sum|t_sum»()
        def fourth(x):
            return x.«sum|t_sum»()
        def last(x):
            first(x), second(x), third(x), fourth(x)
        last(«torch.ones(3)|mindspore.ones(3)»)
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
}


@pytest.mark.parametrize("code", IMPORTED.values(), ids=IMPORTED)
def test_what_is_imported_from_pytorch_is_edited(code: str, facts: Base) -> None:
    assert marked.ported(dedent(code), facts) == marked.expected(dedent(code))


@pytest.mark.parametrize("code", IMPORTED.values(), ids=IMPORTED)
def test_a_second_run_changes_nothing(code: str, facts: Base) -> None:
    first = marked.ported(dedent(code), facts)
    assert first is not None
    assert rewrite(first, facts, imports=False).code == first
