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
    ("code", "call"),
    [
        ("kw = {'b': 1}\nkw['b'] = 2\n", 'mindspore.f(1, c=kw["b"])'),
        ("kw = {'b': 1}\nkw.update(b=2)\n", 'mindspore.f(1, c=kw["b"])'),
        ("kw = {'b': pop()}\n", 'mindspore.f(1, c=kw["b"])'),
        ("n = 1\nkw = {'b': n}\nn = 3\n", 'mindspore.f(1, c=kw["b"])'),
        ("kw = {}\nkw['b'] = 2\n", 'mindspore.f(1, c=kw["b"])'),
        # What may be missing is PyTorch's default.
        ("kw = {}\nif more:\n    kw['b'] = 2\n", 'mindspore.f(1, c=kw.get("b", 1))'),
        ("kw = {'b': 1} if more else {}\n", 'mindspore.f(1, c=kw.get("b", 1))'),
        ("kw = {'b': 1}\nif more:\n    del kw['b']\n", 'mindspore.f(1, c=kw.get("b", 1))'),
        ("kw = dict(b=1)\nkw.pop('b', None)\n", 'mindspore.f(1, c=kw.get("b", 1))'),
        ("if more:\n    kw = {'b': 1}\nelse:\n    kw = {}\n", 'mindspore.f(1, c=kw.get("b", 1))'),
        ("if more:\n    kw = {'b': 1}\nelse:\n    kw = {'b': 2}\n", 'mindspore.f(1, c=kw["b"])'),
        ("d = {'b': 2}\nkw = {}\nif more:\n    kw.update(d)\n", 'mindspore.f(1, c=kw.get("b", 1))'),
        ("d = {'b': 2}\nkw = {}\nkw |= d\n", 'mindspore.f(1, c=kw["b"])'),
        ("d = {'b': 2}\nkw = {**d, 'device': 0}\n", 'mindspore.f(1, c=kw["b"])'),
        ("d = {'b': 2}\nkw = dict(d, device=0)\n", 'mindspore.f(1, c=kw["b"])'),
        ("d = {'b': 2}\nkw = d.copy()\nkw['device'] = 0\n", 'mindspore.f(1, c=kw["b"])'),
        ("d = {'b': 2}\nkw = d | {'device': 0}\nprint(kw, len(d))\n", 'mindspore.f(1, c=kw["b"])'),
        (
            "kw = {'b': 1}\nif more:\n    kw['dtype'] = other\n",
            'mindspore.f(1, c=kw["b"], dtype=(mindspore.float32 if kw.get("dtype") is None'
            ' else kw.get("dtype")))',
        ),
    ],
)
def test_what_a_dict_has_is_asked_of_it(code: str, call: str, facts: Base) -> None:
    done = rewrite(f"import torch\n{code}y = torch.f(1, **kw)\n", facts)
    assert done.code == f"import mindspore\n{code}y = {call}\n"
    assert done.refusals == ()


@pytest.mark.parametrize(
    "code",
    [
        "c = {'f': {'b': 1}, 'g': read()}\ny = torch.f(1, **c['f'])\n",
        "c = dict(f=dict(b=1))\nc['g'] = 3\nc['f']['b'] = 5\ny = torch.f(1, **c['f'])\n",
        "c = {'f': {'b': 1}}\ndef g():\n    return torch.f(1, **c['f'])\n",
        "c = {'f': {'b': 1}}\ndef g(net):\n    net.eval()\n    print(vars(net))\n"
        "    return torch.f(1, **c['f'])\n",
    ],
)
def test_a_dict_within_another_is_asked(code: str, facts: Base) -> None:
    done = rewrite(f"import torch\n{code}", facts)
    assert "mindspore.f(1, c=c['f'][\"b\"])" in (done.code or "")
    assert done.refusals == ()


@pytest.mark.parametrize(
    "code",
    [
        "def g(kw):\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    change(kw)\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    kw = other\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1, **more}\n    return torch.f(1, **kw)\n",
        "def g(k):\n    kw = {k: 1}\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    return torch.f(1, b=2, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    kw[key()] = 2\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    kw.update(other)\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    kw.update(read())\n    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    also = kw\n    also['device'] = 2\n"
        "    return torch.f(1, **kw)\n",
        "def g():\n    kw = {'b': 1}\n    yield torch.f(1, **kw)\n    return kw\n",
        "def g(**kw):\n    kw.setdefault('b', 1)\n    return torch.f(1, **kw)\n",
        "def g(kw={'b': 1}):\n    return torch.f(1, **kw)\n",
        "kw = {'b': 1}\ndef h():\n    global kw\n    kw = {}\ntorch.f(1, **kw)\n",
        "kw = {'b': 1}\nexec(open('it.py').read())\ny = torch.f(1, **kw)\n",
        "kw = {'b': 1}\nglobals()['kw'] = 2\ny = torch.f(1, **kw)\n",
        "for kw in ({'b': 1}, {}):\n    torch.f(1, **kw)\n",
        "from it import kw\ntorch.f(1, **kw)\n",
        "kw = {'b': 1}\nfrom it import kw\ntorch.f(1, **kw)\n",
        "kw = {'b': 1}\ndef kw(): pass\ntorch.f(1, **kw)\n",
        "c = {'f': {'b': 1}}\nchange(c)\ntorch.f(1, **c['f'])\n",
        "c = {'f': {'b': 1}}\nc['f'] = read()\ntorch.f(1, **c['f'])\n",
        "c = {'f': {'b': 1}}\nc.update(read())\ntorch.f(1, **c['f'])\n",
        "c = {'f': {'b': 1}}\nfor one in c.values():\n    one['d'] = 1\ntorch.f(1, **c['f'])\n",
        "c = {'f': {'b': 1}}\nc[k]['d'] = 2\ntorch.f(1, **c['f'])\n",
        "c = {'f': d}\ntorch.f(1, **c['f'])\n",
        "c = {'f': {'b': 1}, **d}\nc = {'f': d}\ntorch.f(1, **c['f'])\n",
        # There is no such parameter, so nothing tells what it is by default.
        "kw = {'b': 1}\nif more:\n    kw['z'] = 2\ntorch.f(1, **kw)\n",
    ],
)
def test_what_may_be_another_stays(code: str, facts: Base) -> None:
    done = rewrite(f"import torch\n{code}", facts)
    assert [r.kind for r in done.refusals] == ["unpacked"]
    assert done.code == f"import torch\n{code}"
