"""``x += y`` where others refer to the tensor: they see it change in the port as in PyTorch."""

from __future__ import annotations

import pytest
from tests.builders.changing import noted, program, run, written

from msmap.port.rewrite import rewrite
from msmap.query.knowledge_base import KnowledgeBase

# Programs that set ``found``, and what becomes of their in-place changes.
SHARED = {
    "a loop over zip() of arguments": (
        """
        def sgd(params, grads, lr):
            with torch.no_grad():
                for p, g in zip(params, grads):
                    p -= lr * g
        found = [torch.ones(2), torch.zeros(2)]
        sgd(found, [torch.ones(2), torch.ones(2)], 0.5)
        """,
        ["p.copy_(p - (lr * g))"],
    ),
    "a loop over a list of an object": (
        """
        class S:
            def __init__(self):
                self.ws = [torch.ones(2)]
            def step(self, g):
                for i, (w, d) in enumerate(zip(self.ws, g)):
                    w -= d * i + d
        s = S()
        s.step([torch.ones(2)])
        found = s.ws
        """,
        ["w.copy_(w - (d * i + d))"],
    ),
    "the parameters that a function gets": (
        """
        def shrink(params, by):
            for p in params:
                p *= by
        net = nn.Linear(2, 1)
        with torch.no_grad():
            shrink(net.parameters(), 0.0)
        found = [net.weight.detach()]
        """,
        ["p.copy_(p.copy() * by)"],
    ),
    "an argument": (
        """
        def scale(t, by):
            t *= by
        x = torch.ones(2)
        scale(x, 3.0)
        found = [x]
        """,
        ["t.copy_(t.copy() * by)"],
    ),
    "an argument that is a row or a column": (
        """
        def more(t):
            t += 1
        def again(t):
            t.add_(1)
        x = torch.zeros(2, 2)
        more(x[1])
        again(x[:, 0])
        found = [x]
        """,
        ["t[...] = t + 1", "t[:] = t + 1"],
    ),
    "what a function gives that takes a row": (
        """
        def row(x):
            return x[1]
        x = torch.zeros(2, 2)
        r = row(x)
        r += 1
        found = [x]
        """,
        ["r[...] = r + 1"],
    ),
    "an attribute that was given": (
        """
        class A:
            def __init__(self, start):
                self.total = start
            def add(self, v):
                self.total += v
        s = torch.zeros(2)
        A(s).add(torch.ones(2))
        found = [s]
        """,
        ["self.total.copy_(self.total + v)"],
    ),
    "an attribute that another name keeps": (
        """
        class A:
            def __init__(self):
                self.total = torch.zeros(2)
            def add(self, v):
                self.total += v
        a = A()
        kept = a.total
        a.add(torch.ones(2))
        found = [kept]
        """,
        ["self.total.copy_(self.total + v)"],
    ),
    "a buffer": (
        """
        class A(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("total", torch.zeros(2))
            def add(self, v):
                self.total += v
        a = A()
        kept = a.total
        a.add(torch.ones(2))
        found = [kept, a.total]
        """,
        ["self.total.copy_(self.total + v)"],
    ),
    "an unpacked tuple": (
        "pair = (torch.ones(2), torch.ones(2))\na, b = pair\na += b\nfound = [*pair]",
        ["a.copy_(a + b)"],
    ),
    "values and items of a dict": (
        """
        d = {"a": torch.ones(2), "b": torch.zeros(2)}
        w = d["b"]
        for v in d.values():
            v += 1
        for k, v in d.items():
            v *= 2
        d["b"] -= 10
        found = [d["a"], w]
        """,
        ["v.copy_(v + 1)", "v.copy_(v.copy() * 2)", 'd["b"].copy_(d["b"] - 10)'],
    ),
    "another name, and one more": (
        "x = torch.ones(2)\ny = x\nz = y\nz **= 2\nz /= 4\nfound = [x]",
        ["z.copy_(z.copy() ** 2)", "z.copy_(z.copy() / 4)"],
    ),
    "one of two": (
        """
        def pick(c, x, y):
            t = x if c else y
            t += 5
        found = [torch.ones(2), torch.zeros(2)]
        pick(True, found[0], torch.ones(1))
        a = torch.ones(2)
        pick(False, torch.ones(1), a)
        found.append(a)
        """,
        ["t.copy_(t + 5)"],
    ),
    "an argument or a new one": (
        """
        def add(x, out=None):
            out = out if out is not None else torch.zeros(2)
            out += x
            return out
        o = torch.ones(2)
        add(torch.ones(2), o)
        found = [o, add(torch.ones(2))]
        """,
        ["out.copy_(out + x)"],
    ),
    "parts in lists, tuples and dicts": (
        """
        x = torch.zeros(4, 2)
        rows = list(x)
        rows[0] += 1
        rows[1].add_(2)
        parts = [x[i : i + 1] for i in (2, 3)]
        parts[0].add_(3)
        d = {"column": x[:, 1], "element": x[3, 0]}
        d["column"].add_(4)
        d["element"].add_(5)
        found = [x]
        """,
        [
            "rows[0][...] = rows[0] + 1",
            "rows[1][()] = rows[1] + 2",
            "parts[0][()] = parts[0] + 3",
            'd["column"][()] = d["column"] + 4',
            'd["element"][()] = d["element"] + 5',
        ],
    ),
    "what setattr(), vars() and __dict__ reach": (
        """
        class A:
            pass
        a, s = A(), torch.zeros(2)
        a.t = s
        for name, value in vars(a).items():
            value += 1
        a.__dict__["t"] += 1
        b = A()
        setattr(b, "u", s)
        b.u += 1
        found = [s]
        """,
        [
            "value.copy_(value + 1)",
            'a.__dict__["t"].copy_(a.__dict__["t"] + 1)',
            "b.u.copy_(b.u + 1)",
        ],
    ),
    "what a layer in place gives": (
        """
        act = nn.LeakyReLU(0.5, inplace=True)
        x = torch.tensor([-4.0, 2.0])
        y = act(x)
        y += 1
        found = [x, y]
        """,
        ["y.copy_(y + 1)"],
    ),
    "what a function in place by position gives": (
        """
        x = torch.tensor([-4.0, 2.0])
        y = nn.functional.leaky_relu(x, 0.5, True)
        y += 1
        found = [x, y]
        """,
        ["y.copy_(y + 1)"],
    ),
    "items of a state dict": (
        """
        net = nn.Linear(1, 1)
        nn.init.ones_(net.weight)
        state = net.state_dict()
        for name in state:
            state[name] *= 0.5
        for value in net.state_dict().values():
            value += 1
        found = [net.weight.detach()]
        """,
        ["state[name].copy_(state[name].copy() * 0.5)", "value.copy_(value + 1)"],
    ),
    "what an array shares": (
        "x = torch.zeros(2)\na = x.numpy()\nx += 1\nfound = [torch.tensor(a)]",
        ["x.copy_(x + 1)"],
    ),
    "a default argument": (
        """
        def add(v, to=torch.zeros(2)):
            to += v
            return to
        add(torch.ones(2))
        found = [add(torch.ones(2))]
        """,
        ["to.copy_(to + v)"],
    ),
    "a walrus": (
        "x = torch.ones(2)\nif (y := x) is not None:\n    y += 1\nfound = [x]",
        ["y.copy_(y + 1)"],
    ),
    "a global name": (
        """
        total = torch.zeros(2)
        seen = total
        def add(v):
            global total
            total += v
        add(torch.ones(2))
        found = [seen]
        """,
        ["total.copy_(total + v)"],
    ),
    "a generator": (
        """
        def gen(ts):
            for t in ts:
                yield t
        found = [torch.ones(1), torch.zeros(1)]
        for t in gen(found):
            t += 2
        """,
        ["t.copy_(t + 2)"],
    ),
    "a list that keeps each": (
        "found = []\nx = torch.zeros(2)\nfor i in range(3):\n    x += i\n    found.append(x)",
        ["x.copy_(x + i)"],
    ),
    "what a layer gives back that does nothing": (
        "x = torch.ones(2)\ny = nn.Dropout(0.5).eval()(x)\ny += 1\nfound = [x]",
        ["y.copy_(y + 1)"],
    ),
    "rows, elements, pieces and transposed": (
        """
        x = torch.zeros(2, 2)
        v = torch.zeros(3)
        for r in x:
            r += 1
        for i, e in enumerate(v):
            e += i
        t = x.t()
        t *= 2
        p, q = x.chunk(2)
        q -= 3
        found = [x, v]
        """,
        ["r[...] = r + 1", "e[...] = e + i", "t[:] = t.copy() * 2", "q[:] = q - 3"],
    ),
    "the data of parameters": (
        """
        net = nn.Linear(2, 1)
        nn.init.ones_(net.weight)
        w = net.weight
        w.data -= 0.5
        found = [net.weight.detach()]
        """,
        ["w.data.copy_(w.data - 0.5)"],
    ),
    "dtypes that would be promoted": (
        """
        h = torch.ones(2, dtype=torch.float16)
        h += torch.ones(2)
        x = torch.ones(2)
        x += torch.ones(2, dtype=torch.float64)
        found = [h.element_size() * h, x.element_size() * x]
        """,
        ["h.copy_(h + mint.ones((2,)))", "x.copy_(x + mint.ones((2,), dtype=mindspore.float64))"],
    ),
}


@pytest.mark.parametrize("name", SHARED)
def test_what_others_refer_to_is_changed_in_place(name: str, facts: KnowledgeBase) -> None:
    code, expected = SHARED[name]
    short = [line.replace("mindspore.mint.", "mint.") for line in written(code, facts)]
    assert short == expected


@pytest.mark.frameworks
def test_others_see_the_same_values_as_in_pytorch(facts: KnowledgeBase) -> None:
    codes = {name: program(code) for name, (code, _) in SHARED.items()}
    made = {name: rewrite(code, facts).code or "" for name, code in codes.items()}
    imports = "import mindspore\nmindspore.set_device('CPU')\nmindspore.runtime.launch_blocking()"
    assert run("import torch", codes) == run(imports, made)


@pytest.mark.parametrize(
    "code",
    [
        # A tensor that only this name refers to.
        "x = torch.ones(2)\nx += 1\nprint(x)",
        "x = torch.ones(2)\ny = x\ny = y * 2\ny += 1\nprint(x, y)",
        "def f(x: torch.Tensor):\n    y = x.clone().view(-1)\n    y /= 2\n    return y",
        "def f(x: torch.Tensor):\n    v, i = torch.max(x, 1)\n    v /= 2\n    return v, i",
        "for i in range(2):\n    h = torch.ones(2) * i\n    h += 1\n    print(h)",
        """
        class B(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv, self.lstm = nn.Conv2d(1, 1, 1), nn.LSTM(2, 2)
            def forward(self, x):
                identity = x
                out = torch.relu(self.conv(x))
                out += identity
                out, (h, c) = self.lstm(out)
                out += x
                h *= 2
                return out, h, c
        """,
        "def f(x: torch.Tensor, i):\n    x[0] += 1\n    x[i, 1:] *= 2\n    x[x > 0] -= 1",
        """
        class Meter:
            def __init__(self):
                self.total = torch.zeros(2)
            def add(self, v: torch.Tensor):
                self.total += v
            def mean(self):
                return self.total / 2
        """,
        # In PyTorch too, this gives a new tensor.
        "def f(x: torch.Tensor, y: torch.Tensor):\n    x @= y\n    return x",
        # What is no tensor.
        "total = 0\nfor x in [torch.ones(2)]:\n    total += x.sum().item()\n    total += 1",
        """
        def f(n, lr, s, out):
            n += 1
            lr *= 0.1
            s += 'x'
            out += [torch.ones(1)]
            return n, lr, s, out
        """,
        "loss_sum = 0.0\nfor i in range(3):\n    loss = torch.ones(1)\n    loss_sum += loss\n"
        "print(loss_sum)",
        "def f(m, x):\n    m.count += 1\n    m.seen['a'] += 1\n    return torch.abs(x)",
        # Counters, sizes and settings.
        "def f(c, x):\n    c[x] += 1\n    return torch.ones(len(c))",
        "def f(hyp, n, batch_size):\n    hyp['box'] *= 3 / n\n    hyp['cls'] *= batch_size / 64\n"
        "    return torch.ones(2)",
        "def f(boxes, w):\n    boxes[[0, 2]] *= w\n    return torch.ones(2)",
        "def f(text, k):\n    while k > 0:\n        k -= 1\n    text += str(k)\n    return text",
    ],
)
def test_what_nothing_else_refers_to_stays(code: str, facts: KnowledgeBase) -> None:
    assert (written(code, facts), noted(code, facts)) == ([], [])
