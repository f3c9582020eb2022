"""Imports in functions, classes and conditions: they come and go where they stand."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("imports"))


# What a file is, and what becomes of it.
FILES = {
    "in functions": (
        """
        def f():
            import torch
            return torch.zeros(3)
        def g():
            from torch import nn
            return nn.Linear(1, 2)
        """,
        """
        def f():
            import mindspore
            return mindspore.zeros(3)
        def g():
            from mindspore import nn
            return nn.Linear(1, 2)
        """,
    ),
    "several in one block, which need one import": (
        """
        try:
            import torch
            import torch.nn as nn
        except ImportError:
            pass
        def f():
            return torch.zeros(3), nn.Linear(1, 2)
        """,
        """
        try:
            import mindspore
            from mindspore import nn
        except ImportError:
            pass
        def f():
            return mindspore.zeros(3), nn.Linear(1, 2)
        """,
    ),
    "in a function, for all others": (
        """
        def f():
            return torch.zeros(3)
        def late():
            global torch
            import torch
        """,
        """
        import mindspore
        def f():
            return mindspore.zeros(3)
        def late():
            global torch
            import torch
        """,
    ),
    "in functions and outside": (
        """
        import torch
        def f():
            from torch import nn
            return nn.Linear(1, 2)
        def g():
            import torch.optim
        """,
        """
        from mindspore import nn
        def f():
            return nn.Linear(1, 2)
        def g():
            pass
        """,
    ),
    "one of two ways": (
        """
        if old:
            import torch.nn.functional as F
        else:
            from torch.nn import functional as F
        F.relu(x)
        """,
        """
        if old:
            import mindspore
        else:
            import mindspore
        mindspore.relu(x)
        """,
    ),
    "it may be missing": (
        """
        try:
            import torch
        except ImportError:
            torch = None
        torch.zeros(3)
        """,
        """
        try:
            import mindspore
            import torch
        except ImportError:
            torch = None
        mindspore.zeros(3)
        """,
    ),
    "in a class": (
        """
        class A:
            import torch
            def f(self):
                return self.torch.zeros(3)
            x = torch.zeros(3)
        """,
        """
        import mindspore
        class A:
            import torch
            def f(self):
                return mindspore.zeros(3)
            x = mindspore.zeros(3)
        """,
    ),
    "given on": (
        """
        from torch import nn, Tensor
        __all__ = ["Tensor", "f"]
        def f():
            return nn.Linear(1, 2)
        """,
        """
        from mindspore import nn
        from torch import Tensor
        __all__ = ["Tensor", "f"]
        def f():
            return nn.Linear(1, 2)
        """,
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_imports_stay_where_they_are_needed(name: str, facts: Base) -> None:
    source, expected = (dedent(text).lstrip("\n") for text in FILES[name])
    assert rewrite(source, facts).code == expected
    ast.parse(expected)
    assert rewrite(expected, facts).code == expected
