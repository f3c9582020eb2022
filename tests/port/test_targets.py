"""A call of PyTorch: what is dropped or refused, which target takes it, and what comes back."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from tests.builders import support
from tests.builders.support import function, layer, method, outcome, ported

from msmap.model import Text
from msmap.port import rewrite


def test_what_can_be_dropped_is_dropped_with_a_note(tmp_path: Path) -> None:
    body = """
    targets:
      - api: mindspore.f
        parameters:
          - torch: inplace
            relation: source_only_droppable
            allow: ["False"]
            note: {en: Use the result., zh: 使用返回值。}
          - {torch: fast, relation: source_only_droppable}
    """
    torch = function("torch.f", "(input, inplace=False, fast=True)")
    mindspore = function("mindspore.f", "(input)")
    found = [
        (port.code, port.notes)
        for port in (
            ported(tmp_path, torch, mindspore, body, code)
            for code in ("torch.f(x)", "torch.f(x, False)", "torch.f(x, True, fast=n)")
        )
    ]
    assert found == [
        ("mindspore.f(x)", ()),
        ("mindspore.f(x)", ()),
        (
            "mindspore.f(x)",
            (Text("Use the result.", "使用返回值。"), Text("`fast` is dropped", "`fast` 已删除")),
        ),
    ]


@pytest.mark.parametrize("relation", ["source_only_unsupported", "source_only_rewrite"])
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x)", "mindspore.f(x)"),
        ("torch.f(x, 'zeros')", "mindspore.f(x)"),
        ('torch.f(x, mode="zeros")', "mindspore.f(x)"),
        ("torch.f(x, mode=0)", "mindspore.f(x)"),
        ("torch.f(x, mode=1 - 1)", "mindspore.f(x)"),
        ("torch.f(x, mode=False)", "torch.f: `mode=False`: only zeros"),
        ("torch.f(x, 'reflect')", "torch.f: `mode='reflect'`: only zeros"),
        ("torch.f(x, mode=m)", "torch.f: `mode=m`: only zeros"),
    ],
)
def test_what_mindspore_cannot_do_is_refused_but_for_values_that_may_be_dropped(
    tmp_path: Path, relation: str, code: str, expected: str
) -> None:
    body = f"""
    targets:
      - api: mindspore.f
        parameters:
          - torch: mode
            relation: {relation}
            allow: ["'zeros'", "0"]
            note: {{en: only zeros, zh: 仅支持零}}
    """
    torch = function("torch.f", "(input, mode='zeros')")
    mindspore = function("mindspore.f", "(input)")
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


@pytest.mark.parametrize(
    ("code", "expected", "dropped"),
    [
        ("torch.f(x, device=None)", "mindspore.f(x)", []),
        ("torch.f(x, device='cuda')", "mindspore.f(x)", ["device"]),
        ("torch.f(x, device=d, pin_memory=True)", "mindspore.f(x)", ["device", "pin_memory"]),
        ("torch.f(x, out=None)", "mindspore.f(x)", []),
        ("torch.f(x, requires_grad=False)", "mindspore.f(x)", []),
        (
            "torch.f(x, out=y)",
            "torch.f: `out=y`: `out` has no counterpart in MindSpore",
            [],
        ),
        (
            "torch.f(x, requires_grad=True)",
            "torch.f: `requires_grad=True`: `requires_grad` has no counterpart in MindSpore",
            [],
        ),
        (
            "torch.f(x, requires_grad=r)",
            "torch.f: `requires_grad=r`: `requires_grad` has no counterpart in MindSpore",
            [],
        ),
    ],
)
def test_what_all_of_mindspore_lacks_is_dropped_if_harmless(
    tmp_path: Path, code: str, expected: str, dropped: list[str]
) -> None:
    torch = function(
        "torch.f", "(x, *, out=None, device=None, pin_memory=False, requires_grad=False)"
    )
    mindspore = function("mindspore.f", "(x)")
    port = ported(tmp_path, torch, mindspore, "targets: [{api: mindspore.f}]", code)
    assert outcome(port) == expected
    assert [note.en for note in port.notes] == [
        f"`{name}` is dropped: MindSpore's operators have no such parameter" for name in dropped
    ]


@pytest.mark.parametrize("relation", ["accepted_ignored", "type_differs"])
def test_a_parameter_that_only_means_something_else_is_passed(
    tmp_path: Path, relation: str
) -> None:
    body = f"""
    targets:
      - api: mindspore.f
        parameters: [{{torch: p, mindspore: q, relation: {relation}}}]
    """
    torch, mindspore = function("torch.f", "(x, p=1)"), function("mindspore.f", "(x, q=1)")
    assert outcome(ported(tmp_path, torch, mindspore, body, "torch.f(x, p=n)")) == (
        "mindspore.f(x, q=n)"
    )


def test_a_parameter_that_the_record_does_not_mention_is_refused(tmp_path: Path) -> None:
    torch, mindspore = function("torch.f", "(x, **more)"), function("mindspore.f", "(x)")
    body = "targets: [{api: mindspore.f}]"
    assert outcome(ported(tmp_path, torch, mindspore, body, "torch.f(x, lucky=7)")) == (
        "torch.f: the record says nothing about `lucky`"
    )


def test_a_keyword_that_neither_side_names_is_passed_on(tmp_path: Path) -> None:
    torch, mindspore = function("torch.f", "(x, **more)"), function("mindspore.f", "(x, **more)")
    body = "targets: [{api: mindspore.f}]"
    assert outcome(ported(tmp_path, torch, mindspore, body, "torch.f(x, lucky=7)")) == (
        "mindspore.f(x, lucky=7)"
    )


EXPRESSIONS = """
targets:
  - expression: "{self}.sum({dim}) / {n}"
    id: scaled
    given: [dim]
    parameters:
      - {torch: scale, mindspore: n, relation: value_transformed, value: "{scale} * 2"}
      - {torch: keep, relation: source_only_unsupported, allow: ["False"]}
  - expression: "{self} + 1"
    id: plain
    absent: [dim, keep]
    parameters: [{torch: scale, relation: source_only_unsupported}]
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x.f(0)", "x.sum(0) / (1 * 2)"),
        ("x.f(dim=n + 1, scale=s)", "x.sum(n + 1) / (s * 2)"),
        ("(a - b).f(0, 2, keep=False)", "(a - b).sum(0) / (2 * 2)"),
        ("x.f()", "x + 1"),
        ("a[f(b)].f()", "a[f(b)] + 1"),
        ("x.f().f(0)", "(x + 1).sum(0) / (1 * 2)"),
        ("y * x.f()", "y * (x + 1)"),
        ("x.f().shape", "(x + 1).shape"),
        ("-x.f()", "-(x + 1)"),
        ("x.f()[0]", "(x + 1)[0]"),
        ("g(x.f(), key=x.f())", "g(x + 1, key=x + 1)"),
        ("y = x.f()", "y = x + 1"),
        (
            "x.f(0, keep=True)",
            "torch.Tensor.f: `keep=True`: `keep` has no counterpart in MindSpore",
        ),
        ("x.f(keep=False)", "torch.Tensor.f: no target covers a call with these arguments"),
    ],
)
def test_an_expression_stands_in_for_a_call_and_keeps_its_meaning(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch = method("torch.Tensor.f", "(dim=None, scale=1, keep=False) -> Tensor")
    mindspore = function("mindspore.g", "()")
    assert outcome(ported(tmp_path, torch, mindspore, EXPRESSIONS, code)) == expected


def test_an_argument_on_several_lines_may_stand_alone(tmp_path: Path) -> None:
    torch, mindspore = function("torch.f", "(x)"), function("mindspore.g", "()")
    body = "targets: [{expression: '{x}', id: same}]"
    found = outcome(ported(tmp_path, torch, mindspore, body, "y = torch.f(a\n  + b)"))
    assert found == "y = (a\n  + b)"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x, (1, n))", "mindspore.g(x, n, 1)"),
        ("torch.f(x, [1, n + 1])", "mindspore.g(x, n + 1, 1)"),
        ("torch.f(x, (1, torch.f(y, (2, 3))))", "mindspore.g(x, mindspore.g(y, 3, 2), 1)"),
        ("torch.f(x, size)", "torch.f: {size[1]} has no value here"),
        ("torch.f(x, (1,))", "torch.f: {size[1]} has no value here"),
    ],
)
def test_items_of_a_sequence_are_ported_and_placed(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch = function("torch.f", "(x, size)")
    body = """
    targets: [{expression: "mindspore.g({x}, {size[1]}, {size[0]})", id: it}]
    """
    found = outcome(ported(tmp_path, torch, function("mindspore.g", "()"), body, code))
    assert found == expected


def test_the_first_target_that_takes_the_call_is_used_and_the_first_refusal_given(
    tmp_path: Path,
) -> None:
    body = """
    targets:
      - api: mindspore.f
        parameters: [{torch: p, relation: source_only_unsupported, note: {en: First., zh: 一。}}]
      - expression: "{x} * {p}"
        id: times
        parameters: [{torch: q, relation: source_only_unsupported, note: {en: Then., zh: 二。}}]
    """
    torch, mindspore = function("torch.f", "(x, p=1, q=1)"), function("mindspore.f", "(x, q=1)")
    found = [
        outcome(ported(tmp_path, torch, mindspore, body, code))
        for code in ("torch.f(a)", "torch.f(a, 2)", "torch.f(a, q=2)", "torch.f(a, 2, 3)")
    ]
    assert found == ["mindspore.f(a)", "a * 2", "mindspore.f(a, q=2)", "torch.f: `p=2`: First."]


def test_a_target_that_is_asked_for_by_its_key_is_used_for_the_outermost_call(
    tmp_path: Path,
) -> None:
    body = "targets: [{api: mindspore.f}, {expression: '-{x}', id: minus}]"
    base = support.base(
        tmp_path,
        [function("torch.f", "(x)")],
        [function("mindspore.f", "(x)")],
        ("torch.f", body),
    )
    code = "torch.f(torch.f(a))"
    found = [rewrite.rewrite(code, base, key).code for key in (None, "mindspore.f", "minus")]
    assert found == [
        "mindspore.f(mindspore.f(a))",
        "mindspore.f(mindspore.f(a))",
        "-mindspore.f(a)",
    ]


def test_what_comes_back_is_brought_into_pytorchs_form(tmp_path: Path) -> None:
    body = """
    targets:
      - api: mindspore.f
        returns:
          relation: order_differs
          value: "{result}[1]"
          fields: {values: "[0]", indices: ".T"}
          text: {en: In a pair., zh: 成对返回。}
    """
    torch, mindspore = function("torch.f", "(x)"), function("mindspore.f", "(x)")
    found = [
        outcome(ported(tmp_path, torch, mindspore, body, code))
        for code in (
            "torch.f(a)",
            "torch.f(a).values",
            "torch.f(a).indices.g()",
            "torch.f(a).dtype",
        )
    ]
    assert found == [
        "mindspore.f(a)[1]",
        "mindspore.f(a)[1][0]",
        "mindspore.f(a)[1].T.g()",
        "mindspore.f(a)[1].dtype",
    ]


def test_where_a_call_fits_several_overloads_the_record_may_rank_them(tmp_path: Path) -> None:
    overloads = ("(x, other: Tensor)", "(x, dim: int)")
    body = """
    targets:
      - {api: mindspore.g, given: [dim]}
      - {api: mindspore.f, given: [other]}
    """
    torch = function("torch.f", *overloads)
    mindspore = [function("mindspore.f", "(x, other)"), function("mindspore.g", "(x, dim)")]
    codes = ["torch.f(a, 1)", "torch.f(a, dim)", "torch.f(a, other=b)", "torch.f(a, b)"]
    found = []
    for ranks in ("", 'overloads: ["(x, dim: int)", "(x, other: Tensor)"]'):
        base = support.base(tmp_path, [torch], mindspore, ("torch.f", dedent(body) + ranks))
        found.append([outcome(rewrite.rewrite(code, base)) for code in codes])
    assert found == [
        [
            "mindspore.g(a, 1)",
            "mindspore.g(a, dim)",
            "mindspore.f(a, other=b)",
            "torch.f: an argument may be `other` or `dim`; write it as a keyword",
        ],
        [
            "mindspore.g(a, 1)",
            "mindspore.g(a, dim)",
            "mindspore.f(a, other=b)",
            "mindspore.g(a, b)",
        ],
    ]


@pytest.mark.parametrize(
    ("signature", "code", "expected"),
    [
        ("(*dims)", "torch.f(1, 2)", "mindspore.f(1, 2)"),
        ("(*dims)", "torch.f(*shape)", "mindspore.f(*shape)"),
        ("(*dims)", "torch.f(1, *shape)", "mindspore.f(1, *shape)"),
        ("(*dims)", "torch.f((1, 2))", "mindspore.f((1, 2))"),
        ("(*dims)", "torch.f()", "mindspore.f()"),
        ("(dims)", "torch.f(1, 2)", "mindspore.f((1, 2))"),
        ("(dims)", "torch.f((1, 2))", "mindspore.f((1, 2))"),
        ("(dims)", "torch.f(*shape)", "mindspore.f(shape)"),
        ("(dims)", "torch.f(1, *shape)", "mindspore.f((1, *shape))"),
    ],
)
def test_variadic_arguments_are_passed_one_by_one_or_as_one_sequence(
    tmp_path: Path, signature: str, code: str, expected: str
) -> None:
    torch, mindspore = function("torch.f", "(*dims)"), function("mindspore.f", signature)
    found = outcome(ported(tmp_path, torch, mindspore, "targets: [{api: mindspore.f}]", code))
    assert found == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.nn.F()(x)", "mindspore.nn.F()(x)"),
        ("torch.nn.F()(input=x)", "mindspore.nn.F()(x=x)"),
        ("torch.nn.F()(x, mask=m)", "mindspore.nn.F()(x, mask=m)"),
        ("torch.nn.F()(torch.nn.F()(x))", "mindspore.nn.F()(mindspore.nn.F()(x))"),
        ("torch.nn.F()(x, weight=w)", "torch.nn.F.forward: has no parameter `weight`"),
    ],
)
def test_a_layer_called_where_it_is_made_gets_its_inputs_by_their_new_names(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch = layer("torch.nn.F", "()", call="(input, mask=None)")
    mindspore = layer("mindspore.nn.F", "()", call="(x, mask=None)")
    found = outcome(ported(tmp_path, torch, mindspore, "targets: [{api: mindspore.nn.F}]", code))
    assert found == expected
