"""The other ways to write a call: what each form makes of it, and which calls have none."""

from __future__ import annotations

import pytest
from tests.builders.support import base, function, layer, method

from msmap.assemble.base import Base
from msmap.port.record_calls import read
from msmap.verify.plan import forms
from msmap.verify.plan.forms import Form

TORCH = [
    function(
        "torch.sum",
        "(input: Tensor, dim: int | None = None, keepdim: bool = False, *,"
        " dtype: dtype | None = None)",
    ),
    function("torch.clamp", "(input: Tensor, /, min=..., max=None)"),
    function("torch.flip", "(input: Tensor, dims: Sequence[int])"),
    method("torch.Tensor.sum", "(dim: int | None = None, keepdim: bool = False)"),
    method("torch.Tensor.permute", "(dims: Sequence[int])", "(*dims: int)"),
    layer("torch.nn.Linear", "(in_features, out_features, bias=True)", call="(input)"),
]
MISSING = "missing: {en: No., zh: 无。}"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """A record of each name above; what it becomes doesn't matter to forms."""
    folder = tmp_path_factory.mktemp("forms")
    return base(folder, TORCH, [], *((api.name, MISSING) for api in TORCH))


RANKS = {"x": 3, "flat": 1}
FORMS: dict[str, Form] = {
    "positional": forms.positional,
    "keyword": forms.keyword,
    "shuffled": forms.shuffled,
    "defaults": forms.defaults,
    "other end": forms.other_end(RANKS),
    "repeated": forms.repeated,
}

# the record, a call, and what each form makes of it; a form that isn't named makes nothing
CALLS: dict[str, tuple[str, str, dict[str, str]]] = {
    "one argument": (
        "torch.sum",
        "torch.sum(x)",
        {
            "positional": "torch.sum(x)",
            "keyword": "torch.sum(input=x)",
            "shuffled": "torch.sum(input=x)",
            "defaults": "torch.sum(x)",
        },
    ),
    "keywords": (
        "torch.sum",
        "torch.sum(x, dim=1, keepdim=True)",
        {
            "positional": "torch.sum(x, 1, True)",
            "keyword": "torch.sum(input=x, dim=1, keepdim=True)",
            "shuffled": "torch.sum(keepdim=True, dim=1, input=x)",
            "defaults": "torch.sum(x)",
            "other end": "torch.sum(x, -2, True)",
        },
    ),
    "a gap, which the default fills": (
        "torch.sum",
        "torch.sum(x, keepdim=True)",
        {
            "positional": "torch.sum(x, None, True)",
            "keyword": "torch.sum(input=x, keepdim=True)",
            "shuffled": "torch.sum(keepdim=True, input=x)",
            "defaults": "torch.sum(x)",
        },
    ),
    "a gap whose default is unknown": (
        "torch.clamp",
        "torch.clamp(x, max=1)",
        {
            "keyword": "torch.clamp(x, max=1)",
            "shuffled": "torch.clamp(x, max=1)",
            "defaults": "torch.clamp(x)",
        },
    ),
    "an argument that goes by position only": (
        "torch.clamp",
        "torch.clamp(x, 0, 1)",
        {
            "positional": "torch.clamp(x, 0, 1)",
            "keyword": "torch.clamp(x, min=0, max=1)",
            "shuffled": "torch.clamp(x, max=1, min=0)",
            "defaults": "torch.clamp(x)",
        },
    ),
    "an argument that goes by keyword only": (
        "torch.sum",
        "torch.sum(x, dtype=torch.float64)",
        {
            "positional": "torch.sum(x, dtype=torch.float64)",
            "keyword": "torch.sum(input=x, dtype=torch.float64)",
            "shuffled": "torch.sum(dtype=torch.float64, input=x)",
            "defaults": "torch.sum(x)",
        },
    ),
    "several axes": (
        "torch.flip",
        "torch.flip(x, (0, -1, 1))",
        {
            "positional": "torch.flip(x, (0, -1, 1))",
            "keyword": "torch.flip(input=x, dims=(0, -1, 1))",
            "shuffled": "torch.flip(dims=(0, -1, 1), input=x)",
            "defaults": "torch.flip(x, (0, -1, 1))",
            "other end": "torch.flip(x, (-3, 2, -2))",
            "repeated": "torch.flip(x, (0, 0, -1))",
        },
    ),
    "axes of an input whose rank nobody knows": (
        "torch.flip",
        "torch.flip(x + 1, (0, 1))",
        {
            "positional": "torch.flip(x + 1, (0, 1))",
            "keyword": "torch.flip(input=x + 1, dims=(0, 1))",
            "shuffled": "torch.flip(dims=(0, 1), input=x + 1)",
            "defaults": "torch.flip(x + 1, (0, 1))",
            "repeated": "torch.flip(x + 1, (0, 0))",
        },
    ),
    "an axis that is no literal": (
        "torch.sum",
        "torch.sum(x, axis)",
        {
            "positional": "torch.sum(x, axis)",
            "keyword": "torch.sum(input=x, dim=axis)",
            "shuffled": "torch.sum(dim=axis, input=x)",
            "defaults": "torch.sum(x)",
        },
    ),
    "a bool is no axis": (
        "torch.sum",
        "torch.sum(x, True)",
        {
            "positional": "torch.sum(x, True)",
            "keyword": "torch.sum(input=x, dim=True)",
            "shuffled": "torch.sum(dim=True, input=x)",
            "defaults": "torch.sum(x)",
        },
    ),
    "a method keeps its receiver before the dot": (
        "torch.Tensor.sum",
        "x.sum(1, keepdim=True)",
        {
            "positional": "x.sum(1, True)",
            "keyword": "x.sum(dim=1, keepdim=True)",
            "shuffled": "x.sum(keepdim=True, dim=1)",
            "defaults": "x.sum()",
            "other end": "x.sum(-2, True)",
        },
    ),
    "one argument after another": (
        "torch.Tensor.permute",
        "x.permute(0, 2, 1)",
        {
            "positional": "x.permute(0, 2, 1)",
            "defaults": "x.permute(0, 2, 1)",
            "other end": "x.permute(-3, -1, -2)",
            "repeated": "x.permute(0, 0, 2)",
        },
    ),
    "a sequence for the same": (
        "torch.Tensor.permute",
        "x.permute((0, 2, 1))",
        {
            "positional": "x.permute((0, 2, 1))",
            "keyword": "x.permute(dims=(0, 2, 1))",
            "shuffled": "x.permute(dims=(0, 2, 1))",
            "defaults": "x.permute((0, 2, 1))",
            "other end": "x.permute((-3, -1, -2))",
            "repeated": "x.permute((0, 0, 2))",
        },
    ),
    "a layer, in whose making alone forms differ": (
        "torch.nn.Linear",
        "nn.Linear(3, bias=False, out_features=4)(input=x)",
        {
            "positional": "nn.Linear(3, 4, False)(input=x)",
            "keyword": "nn.Linear(in_features=3, bias=False, out_features=4)(input=x)",
            "shuffled": "nn.Linear(out_features=4, bias=False, in_features=3)(input=x)",
            "defaults": "nn.Linear(3, 4)(input=x)",
        },
    ),
    "several calls and what is around them": (
        "torch.sum",
        "y = torch.sum(x, dim=1) + 1\ntorch.sum(y), y.shape  # both\n",
        {
            "positional": "y = torch.sum(x, 1) + 1\ntorch.sum(y), y.shape  # both\n",
            "keyword": "y = torch.sum(input=x, dim=1) + 1\ntorch.sum(input=y), y.shape  # both\n",
            "shuffled": "y = torch.sum(dim=1, input=x) + 1\ntorch.sum(input=y), y.shape  # both\n",
            "defaults": "y = torch.sum(x) + 1\ntorch.sum(y), y.shape  # both\n",
        },
    ),
    "a call in a call": ("torch.sum", "torch.sum(torch.sum(x, 1), dim=0)", {}),
    "arguments that are unpacked": ("torch.sum", "torch.sum(x, **options)", {}),
    "arguments that fit no overload": ("torch.sum", "torch.sum(x, colour=1)", {}),
    "a required argument left out": ("torch.flip", "torch.flip(x)", {}),
    "a method called by its name": ("torch.Tensor.sum", "torch.Tensor.sum(x, 1)", {}),
    "a method of something that is no tensor": (
        "torch.Tensor.sum",
        "xs = {1: 2}\nxs.sum(dim=1), x.sum(dim=1)",
        {
            "positional": "xs = {1: 2}\nxs.sum(dim=1), x.sum(1)",
            "keyword": "xs = {1: 2}\nxs.sum(dim=1), x.sum(dim=1)",
            "shuffled": "xs = {1: 2}\nxs.sum(dim=1), x.sum(dim=1)",
            "defaults": "xs = {1: 2}\nxs.sum(dim=1), x.sum()",
            "other end": "xs = {1: 2}\nxs.sum(dim=1), x.sum(-2)",
        },
    ),
    "no call of the name": ("torch.sum", "torch.sin(x)", {}),
}


@pytest.mark.parametrize("case", CALLS)
def test_a_call_in_every_form(case: str, facts: Base) -> None:
    name, code, expected = CALLS[case]
    calls = read(code, facts.records[name], facts)
    made = {form: forms.rewritten(calls, make) for form, make in FORMS.items()}
    assert {form: text for form, text in made.items() if text is not None} == expected


@pytest.mark.parametrize(
    ("form", "code", "expected"),
    [
        (
            forms.with_argument("keepdim", "True"),
            "torch.sum(x, 1)",
            "torch.sum(x, 1, keepdim=True)",
        ),
        (
            forms.with_argument("keepdim", "True"),
            "torch.sum(x, dim=1, keepdim=False)",
            "torch.sum(x, 1, keepdim=True)",
        ),
        (forms.with_argument("weight_decay", "0.1"), "torch.sum(x)", None),
        (forms.with_first("[x, x]"), "torch.sum(x, 1)", "torch.sum([x, x], dim=1)"),
    ],
)
def test_a_call_with_another_argument(
    form: Form, code: str, expected: str | None, facts: Base
) -> None:
    calls = read(code, facts.records["torch.sum"], facts)
    assert forms.rewritten(calls, form) == expected


@pytest.mark.parametrize(
    ("name", "code", "expected"),
    [
        ("torch.sum", "torch.sum(x, 1)", "mindspore.x(x, 1)"),
        (
            "torch.sum",
            "a = torch.sum(x)\ntorch.sum(a) + 1",
            "a = mindspore.x(x)\nmindspore.x(a) + 1",
        ),
        ("torch.nn.Linear", "nn.Linear(3, 4)(x)", "mindspore.x(3, 4)(x)"),
        ("torch.sum", "torch.flip(x, (0,))", None),
    ],
)
def test_a_call_under_another_name(name: str, code: str, expected: str | None, facts: Base) -> None:
    """Arguments stay as they are."""
    assert forms.renamed(read(code, facts.records[name], facts), "mindspore.x") == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("torch.sum(x, 1)", "torch.sum(dim=0, input=y)", True),
        ("torch.sum(x)", "torch.sum(x, 1)", False),
        ("torch.sum(x), torch.sum(x, 1)", "torch.sum(x), torch.sum(x, 2)", True),
        ("torch.sum(x), torch.sum(x, 1)", "torch.sum(x)", False),
    ],
)
def test_calls_are_alike_that_give_the_same_arguments(
    one: str, other: str, same: bool, facts: Base
) -> None:
    record = facts.records["torch.sum"]
    left, right = (read(code, record, facts) for code in (one, other))
    assert (forms.shape(left) == forms.shape(right)) is same


def test_calls_of_different_overloads_are_not_alike(facts: Base) -> None:
    record = facts.records["torch.Tensor.permute"]
    left, right = (read(code, record, facts) for code in ("x.permute(0, 1)", "x.permute((0, 1))"))
    assert forms.shape(left) != forms.shape(right)
