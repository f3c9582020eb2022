"""Which argument of a PyTorch call goes to which parameter, and of which overload."""

from __future__ import annotations

import ast

import pytest

from msmap.code.refusal import Refused
from msmap.port import arguments as values
from msmap.port import bind
from msmap.port.arguments import Argument
from msmap.signatures.parse import parse


def bound(signatures: list[str], call: str, ranked: bool = False) -> tuple[int, dict[str, str]]:
    """The place of the overload that was chosen, and the text of each parameter's argument."""
    found = _bind(signatures, call, ranked)
    texts = [s.text for s in map(parse, signatures)]
    given = {name: argument.text for name, argument in found.given.items()}
    return texts.index(found.signature.text), given


def _bind(
    signatures: list[str], call: str, ranked: bool = False, name: str = "torch.f"
) -> bind.Bound:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    return bind.bind(
        name,
        [parse(text) for text in signatures],
        [Argument(ast.unparse(a), a, "position") for a in node.args],
        {str(k.arg): Argument(ast.unparse(k.value), k.value, "keyword") for k in node.keywords},
        ranked,
    )


@pytest.mark.parametrize(
    ("name", "call", "given"),
    [
        ("torch.nn.MaxPool2d", "f([2, 3])", {"kernel_size": "(2, 3)"}),
        ("torch.nn.MaxPool2d", "f([2])", {"kernel_size": "(2,)"}),
        ("torch.nn.MaxPool2d", "f(k, stride=[s, 1])", {"kernel_size": "k", "stride": "(s, 1)"}),
        ("torch.nn.MaxPool2d", "f([*k])", {"kernel_size": "[*k]"}),
        ("torch.nn.MaxPool1d", "f((2,), [1])", {"kernel_size": "2", "stride": "1"}),
        ("torch.nn.functional.max_pool2d", "f((2,))", {"kernel_size": "2"}),
        ("torch.nn.functional.unfold", "f((2,), [1])", {"kernel_size": "(2,)", "stride": "(1,)"}),
        ("torch.sum", "f(3, dim=[0])", {"kernel_size": "3", "dim": "[0]"}),
    ],
)
def test_a_list_that_says_a_windows_size_is_a_tuple(
    name: str, call: str, given: dict[str, str]
) -> None:
    found = _bind(["(kernel_size, stride=None, dim=None)"], call, name=name)
    assert {key: one.text for key, one in found.given.items()} == given


def refusal(signatures: list[str], call: str, ranked: bool = False) -> str:
    with pytest.raises(Refused) as caught:
        _bind(signatures, call, ranked)
    return caught.value.reason.en


@pytest.mark.parametrize(
    ("signature", "call", "given"),
    [
        ("()", "f()", {}),
        ("()", "f(memory_format=m)", {}),
        ("(a, memory_format=None)", "f(x, memory_format=m)", {"a": "x", "memory_format": "m"}),
        ("(a, b=1)", "f(x)", {"a": "x"}),
        ("(a, b=1)", "f(x, y)", {"a": "x", "b": "y"}),
        ("(a, b=1)", "f(b=y, a=x)", {"a": "x", "b": "y"}),
        ("(a, /, *, b)", "f(x, b=y)", {"a": "x", "b": "y"}),
        ("(a, **more)", "f(x, z=y)", {"a": "x", "z": "y"}),
        ("(*args)", "f()", {}),
        ("(*args)", "f(x, y)", {"args": "(x, y)"}),
        ("(*dims)", "f(1)", {"dims": "(1,)"}),
        ("(*dims)", "f(0, 2, 1)", {"dims": "(0, 2, 1)"}),
        ("(*dims)", "f((0, 2, 1))", {"dims": "(0, 2, 1)"}),
        ("(*dims)", "f([0, 2, 1])", {"dims": "[0, 2, 1]"}),
        ("(*dims)", "f(x)", {"dims": "x"}),
        ("(*dims)", "f(*x)", {"dims": "x"}),
        ("(*args)", "f(x, *y)", {"args": "(x, *y)"}),
        ("(*dims)", "f(dims=(1, 2))", {"dims": "(1, 2)"}),
        ("(self, *dims)", "f(x, 1, 2)", {"self": "x", "dims": "(1, 2)"}),
        ("(size: int | None = None)", "f((2, 3))", {"size": "(2, 3)"}),
        # As NumPy calls them, unless they are parameters themselves.
        (
            "(input, dim, keepdim=False)",
            "f(x, axis=0, keepdims=True)",
            {"input": "x", "dim": "0", "keepdim": "True"},
        ),
        ("(input, other)", "f(x1=a, x2=b)", {"input": "a", "other": "b"}),
        ("(x, axis, dim=0)", "f(x=a, axis=1)", {"x": "a", "axis": "1"}),
    ],
)
def test_arguments_bind_as_python_binds_them(
    signature: str, call: str, given: dict[str, str]
) -> None:
    assert bound([signature], call) == (0, given)


# A literal type takes that literal alone, as the stubs have it of a flag that decides the result.
FLAGS = ["(input, *, both: Literal[False] = False)", "(input, *, both: Literal[True])"]


@pytest.mark.parametrize(
    ("call", "overload"), [("f(x)", 0), ("f(x, both=False)", 0), ("f(x, both=True)", 1)]
)
def test_a_literal_type_takes_that_literal(call: str, overload: int) -> None:
    assert bound(FLAGS, call)[0] == overload


@pytest.mark.parametrize(
    ("call", "items"),
    [
        ("f(x, 0, 2)", ["0", "2"]),
        ("f(x, n, m)", ["n", "m"]),
        ("f(x, 1)", ["1"]),
        ("f(x, n)", None),
        ("f(x, (0, 2))", None),
    ],
)
def test_variadic_arguments_keep_their_items(call: str, items: list[str] | None) -> None:
    found = _bind(["(self, *dims: int)"], call).given["dims"].items
    assert (None if found is None else [item.text for item in found]) == items


@pytest.mark.parametrize(
    ("signature", "call", "reason"),
    [
        ("(a)", "f()", "needs `a`"),
        ("(a, *, b)", "f(x)", "needs `b`"),
        ("(a)", "f(x, y)", "takes at most 1 positional arguments"),
        ("(a, *, b=1)", "f(x, y)", "takes at most 1 positional arguments"),
        ("(a)", "f(x, c=1)", "has no parameter `c`"),
        ("(a)", "f(x, a=y)", "gets `a` twice"),
        ("(a, /)", "f(a=x)", "takes `a` by position only"),
        ("(a, b)", "f(*x)", "which parameters *x fills can't be told from the code"),
        ("(a, b)", "f(x, *y)", "which parameters *y fills can't be told from the code"),
        ("(a, *rest)", "f(*x)", "which parameters *x fills can't be told from the code"),
        ("(*dims)", "f(1, dims=2)", "gets `dims` twice"),
    ],
)
def test_a_call_that_python_would_not_bind_is_refused(
    signature: str, call: str, reason: str
) -> None:
    assert refusal([signature], call) == f"torch.f: {reason}"


SUM = [
    "(input: Tensor, *, dtype: dtype | None = None) -> Tensor",
    "(input: Tensor, dim: int | Sequence[int] | None, keepdim: bool = False) -> Tensor",
]
MAX = [
    "(input: Tensor) -> Tensor",
    "(input: Tensor, other: Tensor) -> Tensor",
    "(input: Tensor, dim: int, keepdim: bool = False) -> return_types.max",
]
VIEW = [
    "(self, dtype: dtype) -> Tensor",
    "(self, size: Sequence[int]) -> Tensor",
    "(self, *size: int) -> Tensor",
]
POW = [
    "(input: Tensor, exponent: Tensor) -> Tensor",
    "(self: Number, exponent: Tensor) -> Tensor",
    "(input: Tensor, exponent: Number) -> Tensor",
]
POOL = ["(x: Tensor, size: _size_2_t, mode: str = 'max')", "(x: Tensor, scale: str)"]


@pytest.mark.parametrize(
    ("signatures", "call", "overload"),
    [
        (SUM, "f(x)", 0),
        (SUM, "f(x, 1)", 1),
        (SUM, "f(x, (0, 1))", 1),
        (SUM, "f(x, d)", 1),
        (SUM, "f(x, dtype=t)", 0),
        (MAX, "f(x)", 0),
        (MAX, "f(x, 1)", 2),
        (MAX, "f(x, -1, True)", 2),
        (MAX, "f(x, y, True)", 2),
        (MAX, "f(x, other=y)", 1),
        (MAX, "f(x, dim=d)", 2),
        (MAX, "f(x, dim)", 2),
        (MAX, "f(x, other)", 1),
        (VIEW, "f(x, 2, 3)", 2),
        (VIEW, "f(x, (2, 3))", 1),
        (VIEW, "f(x, dtype=t)", 0),
        (VIEW, "f(x, dtype)", 0),
        (POW, "f(x, 2)", 2),
        (POW, "f(2, x)", 1),
        (POW, "f(2.5, exponent=x)", 1),
        (POOL, "f(x, 2)", 0),
        (POOL, "f(x, (2, 3))", 0),
        (POOL, "f(x, 'same')", 1),
    ],
)
def test_literals_keywords_and_names_choose_the_overload(
    signatures: list[str], call: str, overload: int
) -> None:
    assert bound(signatures, call)[0] == overload


@pytest.mark.parametrize(
    ("signatures", "call", "reason"),
    [
        (MAX, "f(x, y)", "an argument may be `other` or `dim`; write it as a keyword"),
        (MAX, "f(x, -y)", "an argument may be `other` or `dim`; write it as a keyword"),
        (POW, "f(x, 'a')", "no overload takes arguments of these kinds"),
        (MAX, "f(x, y, z, 1)", "takes at most 1 positional arguments"),
    ],
)
def test_a_call_that_fits_no_overload_or_several_is_refused(
    signatures: list[str], call: str, reason: str
) -> None:
    assert refusal(signatures, call).removeprefix("torch.f: ") == reason


def test_where_overloads_are_ranked_the_first_that_fits_best_is_taken() -> None:
    assert bound(MAX, "f(x, y)", ranked=True) == (1, {"input": "x", "other": "y"})
    assert bound([MAX[2], MAX[1]], "f(x, y)", ranked=True) == (0, {"input": "x", "dim": "y"})
    assert bound(MAX, "f(x, 1)", ranked=True) == (2, {"input": "x", "dim": "1"})


def test_overloads_that_read_the_call_alike_need_no_choice() -> None:
    signatures = ["(x: Tensor, n: Tensor)", "(x: Tensor, n: Number)"]
    assert bound(signatures, "f(a, b)") == (0, {"x": "a", "n": "b"})


def test_what_is_left_out_is_not_bound() -> None:
    found = _bind(["(a, b=1)"], "f(x)")
    assert (list(found.given), values.argument("1") in found.given.values()) == (["a"], False)
