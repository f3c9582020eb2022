"""Where ways meet, or code runs later, a name is PyTorch's only if all agree."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("ways"))


WAYS = {
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
}


@pytest.mark.parametrize("code", WAYS.values(), ids=WAYS)
def test_what_one_way_alone_proves_stays(code: str, facts: Base) -> None:
    assert marked.ported(dedent(code), facts) == marked.expected(dedent(code))


@pytest.mark.parametrize("code", WAYS.values(), ids=WAYS)
def test_a_second_run_changes_nothing(code: str, facts: Base) -> None:
    first = marked.ported(dedent(code), facts)
    assert first is not None
    assert rewrite(first, facts, imports=False).code == first
