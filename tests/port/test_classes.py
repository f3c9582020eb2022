"""Classes as values: written where all calls that are made through them are seen."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import support
from tests.builders.support import layer

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    norm = """
    targets:
      - api: mindspore.nn.Norm
        parameters:
          - {torch: n, mindspore: shape, relation: value_transformed, value: "({n},)"}
          - {torch: eps, mindspore: epsilon, relation: default_differs}
    """
    return support.base(
        tmp_path_factory.mktemp("classes"),
        [layer("torch.nn.Norm", "(n, eps=1)"), layer("torch.nn.Act", "(inplace=False)")],
        [layer("mindspore.nn.Norm", "(shape, epsilon=2)"), layer("mindspore.nn.Act", "()")],
        ("torch.nn.Norm", norm),
        (
            "torch.nn.Act",
            "targets: [{api: mindspore.nn.Act, parameters:"
            " [{torch: inplace, relation: source_only_droppable}]}]",
        ),
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            """
            def f(n, norm=torch.nn.Norm, *, act=torch.nn.Act):
                return norm(n), act() if act is not None else None
            """,
            """
            def f(n, norm=lambda n: mindspore.nn.Norm((n,), epsilon=1), *, act=mindspore.nn.Act):
                return norm(n), act() if act is not None else None
            """,
        ),
        (
            """
            class A:
                def __init__(self, n, norm):
                    self.norm = norm(n, eps=3)
            def g(norm=torch.nn.Norm):
                return A(2, norm=norm)
            A(1, torch.nn.Norm), g(torch.nn.Norm)
            """,
            """
            class A:
                def __init__(self, n, norm):
                    self.norm = norm(n, eps=3)
            def g(norm=lambda n, eps: mindspore.nn.Norm((n,), epsilon=eps)):
                return A(2, norm=norm)
            A(1, lambda n, eps: mindspore.nn.Norm((n,), epsilon=eps)), """
            "g(lambda n, eps: mindspore.nn.Norm((n,), epsilon=eps))\n",
        ),
    ],
)
def test_what_is_called_through_a_parameter_is_written(
    code: str, expected: str, facts: Base
) -> None:
    done = rewrite(f"import torch\n{dedent(code)}", facts, imports=False)
    assert (done.code, done.refusals) == (f"import torch\n{dedent(expected)}", ())


@pytest.mark.parametrize(
    "code",
    [
        "def f(norm=torch.nn.Norm):\n    self.norm = norm\n",
        "def f(norm=torch.nn.Norm):\n    return norm(1), norm(1, 2)\n",
        "def f(norm=torch.nn.Norm):\n    return norm(*a)\n",
        "def f(norm=torch.nn.Norm):\n    return norm(**a)\n",
        "def f(norm=torch.nn.Norm):\n    return norm(1), isinstance(x, norm)\n",
        "def f(norm=torch.nn.Norm):\n    norm = norm or other\n    return norm(1)\n",
        "def f(norm=torch.nn.Norm):\n    return norm(1), norm.__name__\n",
        "def f(norm=torch.nn.Norm): ...\n",
        "f(torch.nn.Norm)\n",
        "d = {'norm': torch.nn.Norm}\n",
    ],
)
def test_what_is_used_otherwise_too_stays(code: str, facts: Base) -> None:
    done = rewrite(f"import torch\n{code}", facts, imports=False)
    assert done.code == f"import torch\n{code}"
    assert [r.kind for r in done.refusals] == ["value"]
