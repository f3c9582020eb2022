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


_NORM = "lambda n: mindspore.nn.Norm((n,), epsilon=1)"
_WITH = "lambda n, eps: mindspore.nn.Norm((n,), epsilon=eps)"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "def f():\n    norm(1)\nnorm = torch.nn.Norm\nnorm = a\n",
            f"def f():\n    norm(1)\nnorm = {_NORM}\nnorm = a\n",
        ),
        (
            "def f(norm=None):\n    if norm is None:\n        norm = torch.nn.Norm\n    norm(1)\n",
            f"def f(norm=None):\n    if norm is None:\n        norm = {_NORM}\n    norm(1)\n",
        ),
        (
            "def f(norm=torch.nn.Norm):\n    norm = norm or other\n    return norm(1)\n",
            f"def f(norm={_NORM}):\n    norm = norm or other\n    return norm(1)\n",
        ),
        (
            "norm = torch.nn.Norm if a else other\nnorm(1)\n",
            f"norm = ({_NORM}) if a else other\nnorm(1)\n",
        ),
        (
            "d = {'norm': torch.nn.Norm, 'no': None}\nif k in d and d[k]: d[k](1)\nd.get(k)(2)\n",
            f"d = {{'norm': {_NORM}, 'no': None}}\nif k in d and d[k]: d[k](1)\nd.get(k)(2)\n",
        ),
        (
            "def f(k):\n    return {'act': torch.nn.Act, 'norm': other}[k]()\n",
            "def f(k):\n    return {'act': mindspore.nn.Act, 'norm': other}[k]()\n",
        ),
        (
            "from functools import partial\nnorm = partial(torch.nn.Norm, eps=3)\nnorm(1)\n",
            f"from functools import partial\nnorm = partial({_WITH}, eps=3)\nnorm(1)\n",
        ),
        (
            "import functools\ndef f(norm=None):\n"
            "    norm = norm or functools.partial(torch.nn.Norm, eps=3)\n    return norm(1)\n",
            "import functools\ndef f(norm=None):\n"
            f"    norm = norm or functools.partial({_WITH}, eps=3)\n    return norm(1)\n",
        ),
        (
            "class A:\n  def __init__(self, norm=torch.nn.Norm): self.norm = norm\n"
            "  def f(self): self.norm(1)\n",
            f"class A:\n  def __init__(self, norm={_NORM}): self.norm = norm\n"
            "  def f(self): self.norm(1)\n",
        ),
    ],
)
def test_what_is_kept_under_a_name_is_written_where_all_calls_are_seen(
    code: str, expected: str, facts: Base
) -> None:
    done = rewrite(f"import torch\n{code}", facts, imports=False)
    assert done.code == f"import torch\n{expected}"


@pytest.mark.parametrize(
    "code",
    [
        "def f(norm=torch.nn.Norm):\n    self.norm = norm\n",
        "def f(norm=torch.nn.Norm):\n    return norm(1), norm(1, 2)\n",
        "def f(norm=torch.nn.Norm):\n    return norm(*a)\n",
        "def f(norm=torch.nn.Norm):\n    return norm(**a)\n",
        "def f(norm=torch.nn.Norm):\n    return norm(1), isinstance(x, norm)\n",
        "def f(norm=torch.nn.Norm):\n    return norm(1), norm.__name__\n",
        "def f(norm=torch.nn.Norm): ...\n",
        "f(torch.nn.Norm)\n",
        "d = {'norm': torch.nn.Norm}\n",
        "d = {'norm': torch.nn.Norm}\nd[k](1)\nfor n in d.values(): pass\n",
        "d = {'norm': torch.nn.Norm}\nd[k](1)\ng(d)\n",
        "d = {'norm': torch.nn.Norm}\nd[k](1)\nd[k](1, 2)\n",
        "d = {**other, 'norm': torch.nn.Norm}\nd[k](1)\n",
        "a = b = torch.nn.Norm or c\na(1)\n",
        "norm = torch.nn.Norm or a\nnorm(1)\ndef f():\n    global norm\n",
        "import functools\nfunctools.partial(torch.nn.Norm, *a)(1)\n",
        "from other import partial\npartial(torch.nn.Norm, eps=3)(1)\n",
        "class A:\n  def __init__(self): self.norm = torch.nn.Norm\n  def f(self): self.norm(1)\n"
        "def g(a): a.norm(2)\n",
        "class A:\n  def __init__(self): self.norm = torch.nn.Norm\n  def f(self): self.norm(1)\n"
        "def g(a): getattr(a, 'norm')(1)\n",
    ],
)
def test_what_is_used_otherwise_too_stays(code: str, facts: Base) -> None:
    done = rewrite(f"import torch\n{code}", facts, imports=False)
    assert done.code == f"import torch\n{code}"
    assert [r.kind for r in done.refusals] == ["value"]


def test_what_is_refused_further_down_stays_so(facts: Base) -> None:
    code = "import torch\nd = {'norm': torch.nn.Norm}\nd[k](1)\nx = torch.nn.Norm\n"
    done = rewrite(code, facts, imports=False)
    assert [(r.kind, r.line) for r in done.refusals] == [("value", 4)]


def test_what_is_set_and_unknown_is_refused_where_it_stands_for_itself(facts: Base) -> None:
    code = "import torch\n\ntorch.nn.nothing = make\nkeep(torch.nn.nothing)\nkeep(torch.nn.Act)\n"
    found = [(r.line, r.kind, r.source) for r in rewrite(code, facts).refusals]
    assert found == [
        (3, "unknown_name", "torch.nn.nothing"),
        (4, "value", "torch.nn.nothing"),
        (5, "value", "torch.nn.Act"),
    ]
