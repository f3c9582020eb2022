"""What Python calls for operators and other constructs."""

from __future__ import annotations

import pytest

from msmap import names, syntax

CASES = [
    ("+", ["__add__"]),
    ("~", ["__invert__"]),
    ("//", ["__floordiv__"]),
    ("@", ["__matmul__"]),
    ("==", ["__eq__"]),
    ("[]", ["__getitem__"]),
    ("[...] =", ["__setitem__"]),
    ("in", ["__contains__"]),
    ("for", ["__iter__"]),
    ("+=", ["__iadd__", "__add__"]),
    (" >>= ", ["__irshift__", "__rshift__"]),
    ("@=", ["__imatmul__", "__matmul__"]),
    ("x + y", ["__add__"]),
    ("a * b + c", ["__add__"]),
    ("2 - x", ["__rsub__", "__sub__"]),
    ("-1.0 / x", ["__rtruediv__", "__truediv__"]),
    ("x < 2", ["__lt__"]),
    ("2 < x", ["__gt__"]),
    ("0 == x", ["__eq__"]),
    ("v in x", ["__contains__"]),
    ("v not in x", ["__contains__"]),
    ("x is None", [""]),
    ("-x", ["__neg__"]),
    ("~mask", ["__invert__"]),
    ("not x", ["__bool__"]),
    ("x and y", ["__bool__"]),
    ("x[mask]", ["__getitem__"]),
    ("x[mask] = v", ["__setitem__"]),
    ("x[i] += 1", ["__iadd__", "__add__"]),
    ("del x[0]", ["__delitem__"]),
    ("b = a; b += 2", ["__iadd__", "__add__"]),
    ("a, b = x", ["__iter__"]),
    ("first, *rest = x[1:]", ["__iter__", "__getitem__"]),
    ("for row in x", ["__iter__"]),
    ("for row in x:", ["__iter__"]),
    ("if (x > 0):", ["__gt__", "__bool__"]),
    ("[*x]", ["__iter__"]),
    ("[f(r) for r in x]", ["__iter__"]),
    ("len(x)", ["__len__"]),
    ("float(loss)", ["__float__"]),
    ("np.asarray(x)", ["__array__"]),
    ("copy.deepcopy(x)", ["__deepcopy__"]),
    ("range(n)", ["__index__"]),
    ("f'{x:.2f}'", ["__format__"]),
    ("print(x)", ["__repr__"]),
    ("x.view(-1)", []),
    ("Dropout", []),
    ("one-hot", []),
    ("train/val", []),
    ("a-b", ["__sub__"]),
    ("how to pad", []),
    ("", []),
    ("x[", []),
    ("\0", []),
    ("(" * 500, []),
]


@pytest.mark.parametrize(("code", "methods"), CASES)
def test_code_stands_for_the_methods_that_it_calls(code: str, methods: list[str]) -> None:
    assert syntax.methods(code) == [name for name in methods if name]


def test_every_method_that_code_may_stand_for_is_read_from_the_frameworks() -> None:
    called = {name for _, methods in CASES for name in methods if name}
    assert called - syntax.METHODS == set()


@pytest.mark.parametrize(
    ("spelling", "first"),
    [
        ("~", "torch.Tensor.__invert__"),
        ("x += 2", "torch.Tensor.__iadd__"),
        ("len", "torch.Tensor.__len__"),
        ("in", "torch.Tensor.__contains__"),
        ("Tensor.__iadd__", "torch.Tensor.__iadd__"),
        ("len(x)", "torch.Tensor.__len__"),
    ],
)
def test_an_operator_is_a_spelling_of_the_method_of_a_tensor(spelling: str, first: str) -> None:
    assert names.torch_spellings(spelling)[0] == first


@pytest.mark.parametrize(
    ("text", "methods"),
    [
        ("x[mask] = v", ["__setitem__"]), ("a @ b", ["__matmul__"]), ("+", ["__add__"]),
        ("loss < 0", ["__lt__"]),
        ("y = x[..., None] * 0.5", ["__mul__"]), ("x[..., None]", ["__getitem__"]),
        ("nan in loss", []), ("gradient and loss", []),
        ("pre-trained or fine-tuned", []), ("学习率 - 衰减", []), ("groups[0]['lr'] = 1", []),
        ("lr=0.1", []), ("x.shape[0]", []), ("torch.cat(x) + 1", []),
    ],
)  # fmt: skip
def test_code_among_what_people_type(text: str, methods: list[str]) -> None:
    assert syntax.written(text) == methods
