"""Arguments as source text: their kinds, the cases they fit, and templates filled with them."""

from __future__ import annotations

import pytest

from msmap.port import arguments as values
from msmap.port.arguments import UNKNOWN, Argument


def written(text: str) -> Argument:
    return values.argument(text, "position")


def packed(*texts: str) -> Argument:
    """What a variadic parameter gathered."""
    items = tuple(written(text) for text in texts)
    return Argument(f"({', '.join(texts)},)", None, "position", items)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("None", "none"),
        ("True", "bool"),
        ("3", "int"),
        ("-1", "int"),
        ("+1", "int"),
        ("1e-5", "float"),
        ("-0.5", "float"),
        ("'same'", "str"),
        ("(1, 2)", "tuple"),
        ("()", "tuple"),
        ("[1, 2]", "list"),
        ("[n for n in x]", "list"),
        ("x", "unknown"),
        ("-x", "unknown"),
        ("-True", "unknown"),
        ("1 + 1", "unknown"),
        ("f(x)", "unknown"),
        ("b'x'", "unknown"),
        ("1j", "unknown"),
        ("{1: 2}", "unknown"),
        ("...", "unknown"),
    ],
)
def test_a_literal_shows_its_kind_and_nothing_else_does(text: str, kind: str) -> None:
    assert values.kind(written(text).node) == kind


def test_what_is_no_expression_is_of_unknown_kind() -> None:
    assert values.argument("x =") == Argument("x =", None, "default")
    assert values.kind(None) == "unknown"


@pytest.mark.parametrize(
    ("text", "fitting"),
    [
        ("None", {"any", "given", "none", "None"}),
        ("True", {"any", "given", "bool", "True"}),
        ("1", {"any", "given", "int", "number", "1"}),
        ("2 - 1", {"any", "given", "expression", "1"}),
        ("1.0", {"any", "given", "float", "number"}),
        ("'same'", {"any", "given", "str", "'same'"}),
        ('"same"', {"any", "given", "str", "'same'"}),
        ("(1, 2)", {"any", "given", "tuple", "tuple2", "(1, 2)"}),
        ("[1, 2]", {"any", "given", "tuple", "tuple2"}),
        ("(1, *x)", {"any", "given", "tuple"}),
        ("(1, 2, 3, 4)", {"any", "given", "tuple", "tuple4"}),
        ("x", {"any", "given", "expression"}),
        ("f(1)", {"any", "given", "expression", "call"}),
        ("x[:, 1]", {"any", "given", "expression", "subscript"}),
        ("'net.pth'", {"any", "given", "str", "'*.pth'"}),
        ("'net.pth.tar'", {"any", "given", "str"}),
    ],
)
def test_an_argument_fits_the_cases_its_literal_shows(text: str, fitting: set[str]) -> None:
    cases = [
        *("any", "given", "none", "bool", "int", "float", "number", "str", "expression"),
        *("subscript", "call"),
        *("tuple", "tuple2", "tuple4", "None", "True", "1", "'same'", "(1, 2)", "'*.pth'"),
    ]
    assert {case for case in cases if values.fits(written(text), case)} == fitting


def test_a_default_was_not_given() -> None:
    assert values.fits(values.argument("1"), "given") is False
    assert values.fits(values.argument("1"), "int") is True


def test_variadic_arguments_are_a_tuple_of_what_was_gathered() -> None:
    found = packed("2", "n")
    fitting = [
        w for w in ("any", "tuple", "tuple1", "tuple2", "expression") if values.fits(found, w)
    ]
    assert fitting == ["any", "tuple", "tuple2"]


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("(a, 1 + b)", ["a", "1 + b"]),
        ("[a]", ["a"]),
        ("()", []),
        ("(a, *b)", None),
        ("a", None),
        ("f(a, b)", None),
        ("'ab'", None),
    ],
)
def test_only_displays_without_stars_have_elements(text: str, elements: list[str] | None) -> None:
    found = written(text).elements
    assert (None if found is None else [e.text for e in found]) == elements


@pytest.mark.parametrize(
    ("template", "argument", "filled"),
    [
        ("{p}", "a + b", "a + b"),
        ("1 - {p}", "0.1", "1 - 0.1"),
        ("1 - {p}", "p", "1 - p"),
        ("1 - {p}", "a - b", "1 - (a - b)"),
        ("1 - {p}", "-a", "1 - (-a)"),
        ("1 - {p}", "f(a - b)", "1 - f(a - b)"),
        ("1 - {p}", "a.b[c - d]", "1 - a.b[c - d]"),
        ("1 - {p}", "a if b else c", "1 - (a if b else c)"),
        ("-{p}", "a + b", "-(a + b)"),
        ("{p}.shape", "a + b", "(a + b).shape"),
        ("{p}.shape", "a", "a.shape"),
        ("{p}.shape", "a(b)", "a(b).shape"),
        ("{p}[0]", "a + b", "(a + b)[0]"),
        ("{p} ** 2", "-a", "(-a) ** 2"),
        ("f({p})", "a + b", "f(a + b)"),
        ("f({p}, 1)", "a + b", "f(a + b, 1)"),
        ("f(x, {p})", "lambda: 1", "f(x, lambda: 1)"),
        ("f(key={p})", "a + b", "f(key=a + b)"),
        ("x[{p}]", "a + b", "x[a + b]"),
        ("({p}, {p})", "a or b", "(a or b, a or b)"),
        ("f(not {p})", "a or b", "f(not (a or b))"),
        ("x if {p} else y", "a or b", "x if (a or b) else y"),
        ("f(2 * {p}, 1)", "a + b", "f(2 * (a + b), 1)"),
        ("(x == {p})", "a or b", "(x == (a or b))"),
        ("(x <= {p})", "a if b else c", "(x <= (a if b else c))"),
        ("{p}.item()", "1", "(1).item()"),
        ("{p[0]} + {p[1]}", "(a, b * c)", "a + (b * c)"),
        ("({p[1]}, {p[0]})", "[a, b]", "(b, a)"),
        ("f(x, {p})", "*a", "f(x, *a)"),
    ],
)
def test_a_template_keeps_the_meaning_of_what_fills_it(
    template: str, argument: str, filled: str
) -> None:
    assert values.fill(template, {"p": written(argument)}) == filled


def test_items_of_variadic_arguments_fill_templates() -> None:
    found = {"dims": packed("2", "0", "n + 1")}
    assert values.fill("f({dims})", found) == "f((2, 0, n + 1,))"
    assert values.fill("{dims[2]} - {dims[0]}", found) == "(n + 1) - 2"


@pytest.mark.parametrize(
    ("template", "argument", "missing"),
    [
        ("{q}", "1", "q"),
        ("{p[2]}", "(1, 2)", "{p[2]}"),
        ("{p[0]}", "x", "{p[0]}"),
        ("{p[0]}", "(*x, 1)", "{p[0]}"),
    ],
)
def test_a_placeholder_without_a_value_is_named(template: str, argument: str, missing: str) -> None:
    with pytest.raises(KeyError) as caught:
        values.fill(template, {"p": written(argument)})
    assert caught.value.args == (missing,)


@pytest.mark.parametrize(
    ("template", "names"),
    [
        ("{self}.shape[{dim}]", {"self", "dim"}),
        ("({p[0]}, {p[1]})", {"p"}),
        ("{}", set()),
        ("{0}", set()),
        ("{'a': 1}", set()),
        ("plain", set()),
    ],
)
def test_placeholders_are_names_in_braces(template: str, names: set[str]) -> None:
    assert values.placeholders(template) == names


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-1", -1),
        ("'a'", "a"),
        ("None", None),
        ("(1, 2)", (1, 2)),
        ("1 - 0.25", 0.75),
        ("2 * (3 + 4)", 14),
        ("7 // 2", 3),
        ("1 / 2", 0.5),
        ("not True", False),
        ("not 0", True),
    ],
)
def test_literals_and_arithmetic_on_them_have_a_value(text: str, value: object) -> None:
    found = values.fold(text)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "1 - x",
        "x - 1",
        "not x",
        "f(1)",
        "1 / 0",
        "2 ** 3",
        "'a' + 'b'",
        "-'a'",
        "(1, x)",
        "1 +",
    ],
)
def test_nothing_else_has_a_value(text: str) -> None:
    assert values.fold(text) is UNKNOWN
