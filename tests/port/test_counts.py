"""What MindSpore's layers and distributions take of Python's containers and of NumPy's numbers."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = "import numpy as np\nimport torch\nfrom torch import nn\n\nshape = (3, 4)\n"


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("nn.Linear(np.prod(shape), 64)", "mint.nn.Linear(int(np.prod(shape)), 64)"),
        (
            "nn.Linear(np.array(shape).prod(), 64)",
            "mint.nn.Linear(int(np.array(shape).prod()), 64)",
        ),
        (
            "nn.Linear(64, out_features=np.prod(shape))",
            "mint.nn.Linear(64, out_features=int(np.prod(shape)))",
        ),
        ("nn.Linear(np.prod(shape) * 2, 64)", "mint.nn.Linear(int(np.prod(shape) * 2), 64)"),
        ("nn.BatchNorm1d(np.prod(shape))", "nn.BatchNorm1d(int(np.prod(shape)))"),
        ("nn.LayerNorm(np.prod(shape))", "nn.LayerNorm((int(np.prod(shape)),), epsilon=1e-05)"),
        (
            "nn.LSTM(np.prod(shape), 5)(torch.ones(1, 1, 12))",
            "nn.LSTM(int(np.prod(shape)), 5)(mint.ones((1, 1, 12)))",
        ),
        ("nn.AvgPool2d(np.int64(2))", "nn.AvgPool2d(int(np.int64(2)), stride=int(np.int64(2)))"),
        ("nn.Linear(int(np.prod(shape)), 64)", "mint.nn.Linear(int(np.prod(shape)), 64)"),
        ("nn.Linear(shape[0], 64)", "mint.nn.Linear(shape[0], 64)"),
        ("nn.Dropout(np.float64(0.5))", "nn.Dropout(p=np.float64(0.5))"),
        ("nn.ModuleList((nn.ReLU(), nn.Tanh()))", "nn.CellList(list((nn.ReLU(), nn.Tanh())))"),
        ("nn.ModuleList([nn.ReLU(), nn.Tanh()])", "nn.CellList([nn.ReLU(), nn.Tanh()])"),
    ],
)
def test_a_layer_gets_what_it_takes(facts: KnowledgeBase, code: str, written: str) -> None:
    done = facts.port(f"{HEAD}m = {code}\n")
    assert (done.code or "").splitlines()[-1] == f"m = {written}"
    assert done.refusals == ()


@pytest.mark.parametrize(
    ("made", "code", "written"),
    [
        ("m = nn.LSTM(3, 5)", "m(x, [h, c])", "m(x, (h, c))"),
        ("m = nn.LSTM(3, 5)\ns = [h, c]", "m(x, s)", "m(x, tuple(s))"),
        ("m = nn.LSTM(3, 5)\ns = (h, c)", "m(x, s)", "m(x, s)"),
        ("m = nn.LSTMCell(3, 5)", "m(x, [h, c])", "m(x, (h, c))"),
        ("m = nn.ModuleList()", "m.extend((h, c))", "m.extend(list((h, c)))"),
        ("m = nn.ModuleList()", "m.extend([h, c])", "m.extend([h, c])"),
        (
            "m = torch.distributions.Normal(0.0, 1.0)",
            "m.sample([3])",
            "ops.stop_gradient(m.sample((3,)))",
        ),
        (
            "m = torch.distributions.Normal(0.0, 1.0)",
            "m.sample((3,))",
            "ops.stop_gradient(m.sample((3,)))",
        ),
        (
            "m = torch.distributions.Normal(0.0, 1.0)",
            "m.rsample([3, 2])",
            "m.sample(tuple([3, 2]))",
        ),
        (
            "m = torch.distributions.Normal(0.0, 1.0)",
            "m.sample(sample_shape=(3,))",
            "ops.stop_gradient(m.sample((3,)))",
        ),
        (
            "m = torch.distributions.Normal(0.0, 1.0)\ns = [3]",
            "m.sample(s)",
            "ops.stop_gradient(m.sample(tuple(s)))",
        ),
    ],
)
def test_a_call_gets_what_it_takes(
    facts: KnowledgeBase, made: str, code: str, written: str
) -> None:
    done = facts.port(
        f"{HEAD}def f(x, h, c):\n    " + made.replace("\n", "\n    ") + f"\n    {code}\n"
    )
    assert (done.code or "").splitlines()[-1].strip() == written


def test_a_list_of_layers_grows_by_a_tuple(facts: KnowledgeBase) -> None:
    done = facts.port(f"{HEAD}m = nn.ModuleList()\nm += (nn.ReLU(), nn.Tanh())\nm += [nn.ReLU()]\n")
    assert (done.code or "").splitlines()[-2:] == [
        "m += list((nn.ReLU(), nn.Tanh()))",
        "m += [nn.ReLU()]",
    ]
