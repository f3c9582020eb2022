"""Signatures taken apart, and defaults compared across frameworks."""

from __future__ import annotations

import pytest

from msmap.signatures import parse
from msmap.signatures.parse import Parameter, Signature

EVERY_KIND = "(a, /, b: Sequence[int] = (1,2), *rest: int, c, d: float = 1e-5, **more) -> Tensor"


def test_every_kind_of_parameter_keeps_its_order_default_and_annotation() -> None:
    assert parse.parse(EVERY_KIND) == Signature(
        EVERY_KIND,
        (
            Parameter("a", "positional_only"),
            Parameter("b", "positional_or_keyword", "(1, 2)", "Sequence[int]"),
            Parameter("rest", "var_positional", None, "int"),
            Parameter("c", "keyword_only"),
            Parameter("d", "keyword_only", "1e-05", "float"),
            Parameter("more", "var_keyword"),
        ),
    )


def test_a_signature_without_parameters_has_none() -> None:
    assert parse.parse("()") == Signature("()", ())


@pytest.mark.parametrize(
    ("text", "defaults"),
    [
        ("(a, b)", (None, None)),
        ("(a, b=None)", (None, "None")),
        ("(a=0, b='x')", ("0", "'x'")),
        ("(a=0, /, b=0.5)", ("0", "0.5")),
        ("(a, *, b=torch.strided, c)", (None, "torch.strided", None)),
        ("(a: int | None = ...)", ("...",)),
    ],
)
def test_defaults_belong_to_the_last_positional_parameters(
    text: str, defaults: tuple[str | None, ...]
) -> None:
    assert tuple(p.default for p in parse.parse(text).parameters) == defaults


def test_required_is_what_has_no_default_and_is_not_variadic() -> None:
    required = [p.name for p in parse.parse(EVERY_KIND).parameters if p.required]
    assert required == ["a", "c"]


def test_positional_is_what_takes_one_argument_by_its_place() -> None:
    positional = [p.name for p in parse.parse(EVERY_KIND).parameters if p.positional]
    assert positional == ["a", "b"]


def test_parameters_are_found_by_name() -> None:
    signature = parse.parse(EVERY_KIND)
    assert signature.names == ("a", "b", "rest", "c", "d", "more")
    assert signature.get("c") == Parameter("c", "keyword_only")
    assert signature.get("e") is None


@pytest.mark.parametrize(
    ("text", "variadic", "open_keywords"),
    [
        ("(a, b=1)", None, False),
        ("(*args)", Parameter("args", "var_positional"), False),
        ("(**kwargs)", None, True),
        ("(*size: int, **kwargs)", Parameter("size", "var_positional", None, "int"), True),
    ],
)
def test_a_signature_knows_what_it_leaves_open(
    text: str, variadic: Parameter | None, open_keywords: bool
) -> None:
    signature = parse.parse(text)
    assert (signature.variadic, signature.open_keywords) == (variadic, open_keywords)


@pytest.mark.parametrize("text", ["", "a, b", "(a, b", "(a=1, b)", "(a, a=)", "(int a)", "(a) ->"])
def test_what_is_no_parameter_list_is_an_error_that_quotes_it(text: str) -> None:
    with pytest.raises(ValueError, match="is not a signature") as caught:
        parse.parse(text)
    assert str(caught.value).startswith(repr(text))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1e-05", "0.00001", True),
        ("1", "1.0", True),
        ("-1", "-1", True),
        ("0.1", "0.9", False),
        ("1", "True", False),
        ("0", "False", False),
        ("0", "None", False),
        ("None", "None", True),
        ("'mean'", '"mean"', True),
        ("'mean'", "'sum'", False),
        ("'mean'", "'Mean'", False),
        ("(1, 1)", "(1,1)", True),
        ("(1,)", "[1]", False),
        ("float('inf')", "float('inf')", True),
        ("torch.float32", "mindspore.float32", True),
        ("torch.float32", "mindspore.float16", False),
        ("'float32'", "mindspore.float32", False),
        ("...", "...", False),
        ("...", "1", False),
        (None, None, True),
        (None, "None", False),
        (None, "...", False),
    ],
    ids=repr,
)
def test_defaults_are_the_same_if_they_stand_for_the_same_value(
    one: str | None, other: str | None, same: bool
) -> None:
    assert parse.same_default(one, other) is same
    assert parse.same_default(other, one) is same
