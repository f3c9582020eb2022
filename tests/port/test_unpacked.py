"""What ** fills in: told where a dict of literals is in sight and nobody can change it."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import support
from tests.builders.support import function

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite

BODY = """
targets:
  - api: mindspore.f
    parameters:
      - {torch: b, mindspore: c, relation: renamed}
      - torch: dtype
        mindspore: dtype
        relation: same
        cases: [{when: none, set: {}}, {when: any, set: {dtype: "{dtype}"}}]
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return support.base(
        tmp_path_factory.mktemp("unpacked"),
        [function("torch.f", "(a, b=1, *, device=None, dtype=None)")],
        [function("mindspore.f", "(a, c=1, *, dtype=mindspore.float32)")],
        ("torch.f", BODY),
    )


@pytest.mark.parametrize(
    ("code", "call"),
    [
        (
            """
            def g(a, device=None, dtype=None):
                kw = {"device": device, "dtype": dtype}
                return torch.f(a, **kw), torch.f(a, 2, **kw)
            """,
            "mindspore.f(a, dtype=(mindspore.float32 if dtype is None else dtype)), "
            "mindspore.f(a, 2, dtype=(mindspore.float32 if dtype is None else dtype))",
        ),
        ("kw = dict(b=3)\ndef g():\n    return torch.f(1, **kw)\n", "mindspore.f(1, c=3)"),
        ("def g():\n    return torch.f(1, **{'b': n}, **dict())\n", "mindspore.f(1, c=n)"),
        (
            "def g(n):\n    kw = {'b': n.size}\n    return [torch.f(a, **kw) for a in n]\n",
            "[mindspore.f(a, c=n.size) for a in n]",
        ),
    ],
)
def test_what_is_unpacked_of_literals_is_written_out(code: str, call: str, facts: Base) -> None:
    done = rewrite("import torch\n" + dedent(code), facts)
    assert (done.code or "").rstrip("\n").endswith(f"return {call}")
    assert done.refusals == ()


@pytest.mark.parametrize(
    "code",
    [
        "def g(kw):\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    kw['b'] = 2\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    kw.update(b=2)\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    change(kw)\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    kw = other\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1, **more}\n    return torch.f(1, **kw)\n",
        "def g(k):\n    kw = {k: 1}\n    return torch.f(1, **kw)\n",
        "def g(n):\n    kw = {'b': n}\n    n = 3\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': pop()}\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    return torch.f(1, b=2, **kw)\n",
        "n = 1\nkw = {'b': n}\ndef g(n):\n    return torch.f(1, **kw)\n",
    ],
)
def test_what_may_be_another_stays(code: str, facts: Base) -> None:
    done = rewrite(f"import torch\n{code}", facts)
    assert [r.kind for r in done.refusals] == ["unpacked"]
    assert done.code == f"import torch\n{code}"
