"""PyTorch code in, MindSpore code out: what each relation makes of a call, and what is kept."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from tests import support
from tests.support import function, layer, method, named, outcome, ported

from msmap.assemble import Base
from msmap.model import Port, Refusal, Text
from msmap.port import rewrite

# What one record makes of calls.


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x)", "mindspore.f(x)"),
        ("torch.f(x, 1)", "mindspore.f(x, 1)"),
        ("torch.f(x, dim=1)", "mindspore.f(x, dim=1)"),
        ("torch.f(dim=1, input=x)", "mindspore.f(input=x, dim=1)"),
    ],
)
def test_what_is_the_same_is_passed_as_it_was(tmp_path: Path, code: str, expected: str) -> None:
    torch = function("torch.f", "(input, dim=-1)")
    mindspore = function("mindspore.f", "(input, dim=-1)")
    assert outcome(ported(tmp_path, torch, mindspore, "targets: [{api: mindspore.f}]", code)) == (
        expected
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x, 1)", "mindspore.f(x, 1)"),
        ("torch.f(x, dim=1)", "mindspore.f(x, axis=1)"),
        ("torch.f(x, dim=n)", "mindspore.f(x, axis=n)"),
        ("torch.f(x, dim=-1)", "mindspore.f(x, axis=-1)"),
        ("torch.f(x)", "mindspore.f(x)"),
    ],
)
def test_a_renamed_parameter_is_renamed_where_it_is_named(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch = function("torch.f", "(input, dim=-1)")
    mindspore = function("mindspore.f", "(input, axis=-1)")
    body = """
    targets:
      - api: mindspore.f
        parameters: [{torch: dim, mindspore: axis, relation: renamed}]
    """
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x)", "mindspore.f(x, epsilon=1e-05, flag=True)"),
        ("torch.f(x, 1e-3)", "mindspore.f(x, 1e-3, flag=True)"),
        ("torch.f(x, eps=e)", "mindspore.f(x, epsilon=e, flag=True)"),
        ("torch.f(x, eps=1e-12)", "mindspore.f(x, epsilon=1e-12, flag=True)"),
        ("torch.f(x, flag=False)", "mindspore.f(x, epsilon=1e-05, flag=False)"),
        ("torch.f(x, 1, False)", "mindspore.f(x, 1, False)"),
    ],
)
def test_a_default_that_differs_is_written_out(tmp_path: Path, code: str, expected: str) -> None:
    torch = function("torch.f", "(input, eps=1e-05, flag=True, same=2)")
    mindspore = function("mindspore.f", "(input, epsilon=1e-12, flag=False, same=2.0)")
    body = """
    targets:
      - api: mindspore.f
        parameters:
          - {torch: eps, mindspore: epsilon, relation: default_differs}
          - {torch: flag, mindspore: flag, relation: default_differs}
    """
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


BATCH_NORM = """
targets:
  - api: mindspore.nn.BatchNorm
    parameters:
      - torch: momentum
        mindspore: momentum
        relation: value_transformed
        value: "1 - {momentum}"
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.nn.BatchNorm(3)", "mindspore.nn.BatchNorm(3)"),
        ("torch.nn.BatchNorm(3, 0.2)", "mindspore.nn.BatchNorm(3, 1 - 0.2)"),
        ("torch.nn.BatchNorm(3, momentum=m)", "mindspore.nn.BatchNorm(3, momentum=1 - m)"),
        ("torch.nn.BatchNorm(3, a + b)", "mindspore.nn.BatchNorm(3, 1 - (a + b))"),
        ("torch.nn.BatchNorm(3, (a + b))", "mindspore.nn.BatchNorm(3, 1 - (a + b))"),
        ("torch.nn.BatchNorm(3, a if b else c)", "mindspore.nn.BatchNorm(3, 1 - (a if b else c))"),
        ("torch.nn.BatchNorm(3, f(a))", "mindspore.nn.BatchNorm(3, 1 - f(a))"),
        ("torch.nn.BatchNorm(3, -m)", "mindspore.nn.BatchNorm(3, 1 - (-m))"),
    ],
)
def test_a_computed_value_keeps_its_meaning_with_parentheses(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch = layer("torch.nn.BatchNorm", "(num_features, momentum=0.1)")
    mindspore = layer("mindspore.nn.BatchNorm", "(num_features, momentum=0.9)")
    assert outcome(ported(tmp_path, torch, mindspore, BATCH_NORM, code)) == expected


CONV = """
targets:
  - api: mindspore.nn.Conv
    parameters:
      - torch: padding
        mindspore: [pad_mode, padding]
        relation: split
        cases:
          - {when: "'same'", set: {pad_mode: "'same'"}}
          - {when: "'valid'", set: {pad_mode: "'valid'"}}
          - {when: str, refuse: {en: no such padding, zh: 没有这种填充}}
          - {when: tuple2, set: {pad_mode: "'pad'", padding: "({padding[0]}, {padding[1]})"}}
          - when: any
            set: {pad_mode: "'pad'", padding: "{padding}"}
            note: {en: Pads alike., zh: 填充一致。}
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.nn.Conv(3)", "mindspore.nn.Conv(3, pad_mode='pad')"),
        ("torch.nn.Conv(3, 1)", "mindspore.nn.Conv(3, 'pad', 1)"),
        ("torch.nn.Conv(3, padding=n + 1)", "mindspore.nn.Conv(3, pad_mode='pad', padding=n + 1)"),
        ("torch.nn.Conv(3, padding='same')", "mindspore.nn.Conv(3, pad_mode='same')"),
        ("torch.nn.Conv(3, padding='valid')", "mindspore.nn.Conv(3, pad_mode='valid')"),
        (
            "torch.nn.Conv(3, padding=(1, n - 1))",
            "mindspore.nn.Conv(3, pad_mode='pad', padding=(1, n - 1))",
        ),
        (
            "torch.nn.Conv(3, padding=(1, 2, 3))",
            "mindspore.nn.Conv(3, pad_mode='pad', padding=(1, 2, 3))",
        ),
        ("torch.nn.Conv(3, padding='full')", "torch.nn.Conv: no such padding"),
    ],
)
def test_the_first_case_that_fits_splits_a_parameter(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch = layer("torch.nn.Conv", "(kernel, padding=0)")
    mindspore = layer("mindspore.nn.Conv", "(kernel, pad_mode='same', padding=0)")
    assert outcome(ported(tmp_path, torch, mindspore, CONV, code)) == expected


def test_the_note_of_a_case_is_given_where_an_argument_chose_it(tmp_path: Path) -> None:
    torch = layer("torch.nn.Conv", "(kernel, padding=0)")
    mindspore = layer("mindspore.nn.Conv", "(kernel, pad_mode='same', padding=0)")
    notes = [
        ported(tmp_path, torch, mindspore, CONV, code).notes
        for code in ("torch.nn.Conv(3)", "torch.nn.Conv(3, 1)", "torch.nn.Conv(3, 'same')")
    ]
    assert notes == [(), (Text("Pads alike.", "填充一致。"),), ()]


def test_a_computed_value_keeps_its_meaning_around_what_was_ported(tmp_path: Path) -> None:
    base = support.base(
        tmp_path,
        [function("torch.f", "(x)"), function("torch.g", "(p)"), function("torch.h", "(p)")],
        [function("mindspore.g", "(p)")],
        ("torch.f", "targets: [{expression: '{x} + 1', id: more}]"),
        (
            "torch.g",
            """
            targets:
              - api: mindspore.g
                parameters:
                  - {torch: p, mindspore: p, relation: value_transformed, value: "1 - {p}"}
            """,
        ),
        ("torch.h", "targets: [{expression: '-{p}', id: minus}]"),
    )
    codes = ["torch.g(torch.f(a))", "torch.h(torch.f(a))", "torch.g(torch.h(torch.f(a)))"]
    assert [outcome(rewrite.rewrite(code, base)) for code in codes] == [
        "mindspore.g(1 - (a + 1))",
        "-(a + 1)",
        "mindspore.g(1 - (-(a + 1)))",
    ]


def test_items_of_a_sequence_that_were_ported_fill_the_cases(tmp_path: Path) -> None:
    body = """
    targets:
      - api: mindspore.f
        parameters:
          - torch: p
            mindspore: p
            relation: value_transformed
            cases:
              - {when: tuple2, set: {p: "({p[1]}, {p[0]})"}}
              - {when: any, set: {p: "{p}"}}
    """
    torch, mindspore = function("torch.f", "(p)"), function("mindspore.f", "(p)")
    code = "torch.f((1, torch.f(  [a,  2])))"
    found = outcome(ported(tmp_path, torch, mindspore, body, code))
    assert found == "mindspore.f((mindspore.f((2, a)), 1))"


def test_an_argument_that_fits_no_case_is_refused(tmp_path: Path) -> None:
    body = """
    targets:
      - api: mindspore.f
        parameters:
          - torch: p
            mindspore: p
            relation: value_transformed
            cases: [{when: int, set: {p: "{p} + 1"}}]
    """
    torch, mindspore = function("torch.f", "(p)"), function("mindspore.f", "(p)")
    assert outcome(ported(tmp_path, torch, mindspore, body, "torch.f(1)")) == "mindspore.f(1 + 1)"
    assert outcome(ported(tmp_path, torch, mindspore, body, "torch.f(n)")) == (
        "torch.f: no case of `p` fits this argument"
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x)", "mindspore.f(x, bounds=(0, 1))"),
        ("torch.f(x, 2)", "mindspore.f(x, (2, 1))"),
        ("torch.f(x, 2, n + 1)", "mindspore.f(x, (2, n + 1))"),
        ("torch.f(x, high=5)", "mindspore.f(x, bounds=(0, 5))"),
    ],
)
def test_several_parameters_merge_into_one(tmp_path: Path, code: str, expected: str) -> None:
    body = """
    targets:
      - api: mindspore.f
        parameters:
          - torch: [low, high]
            mindspore: bounds
            relation: merged
            value: "({low}, {high})"
    """
    torch = function("torch.f", "(input, low=0, high=1)")
    mindspore = function("mindspore.f", "(input, bounds)")
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x, y)", "mindspore.f(y, x)"),
        ("torch.f(x, y, 3)", "mindspore.f(y, x, 3)"),
        ("torch.f(x, b=y)", "mindspore.f(b=y, a=x)"),
        ("torch.f(b=y, a=x)", "mindspore.f(b=y, a=x)"),
        ("torch.f((n := x), b=y)", "mindspore.f(b=y, a=(n := x))"),
    ],
)
def test_arguments_go_where_mindspore_has_their_parameters(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch, mindspore = function("torch.f", "(a, b, c=0)"), function("mindspore.f", "(b, a, c=0)")
    found = outcome(ported(tmp_path, torch, mindspore, "targets: [{api: mindspore.f}]", code))
    assert found == expected


def test_a_parameter_may_be_passed_by_keyword_only(tmp_path: Path) -> None:
    body = """
    targets:
      - api: mindspore.f
        parameters: [{torch: b, mindspore: b, relation: same, keyword: true}]
    """
    torch, mindspore = function("torch.f", "(a, b, c)"), function("mindspore.f", "(a, b, c)")
    assert outcome(ported(tmp_path, torch, mindspore, body, "torch.f(1, 2, 3)")) == (
        "mindspore.f(1, b=2, c=3)"
    )


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("(x, /, y)", "mindspore.f(1, 2)"),
        ("(x, *, y)", "mindspore.f(1, y=2)"),
        ("(z=0, x=0, y=0)", "mindspore.f(x=1, y=2)"),
        ("(x, z=0, y=0)", "mindspore.f(1, y=2)"),
    ],
)
def test_what_follows_a_parameter_that_is_left_out_goes_by_keyword(
    tmp_path: Path, signature: str, expected: str
) -> None:
    torch, mindspore = function("torch.f", "(x, y)"), function("mindspore.f", signature)
    code = "torch.f(1, 2)"
    assert (
        outcome(ported(tmp_path, torch, mindspore, "targets: [{api: mindspore.f}]", code))
        == expected
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x)", "mindspore.nn.F()(x)"),
        ("torch.f(x, 0.3)", "mindspore.nn.F(0.3)(x)"),
        ("torch.f(input=x, p=0.3)", "mindspore.nn.F(p=0.3)(x=x)"),
        ("torch.f(torch.f(x), p)", "mindspore.nn.F(p)(mindspore.nn.F()(x))"),
    ],
)
def test_arguments_of_a_function_move_to_the_constructor_of_a_class(
    tmp_path: Path, code: str, expected: str
) -> None:
    body = """
    targets:
      - api: mindspore.nn.F
        parameters:
          - {torch: input, mindspore: x, relation: renamed}
          - {torch: p, mindspore: p, relation: moved_to_constructor}
    """
    torch = function("torch.f", "(input, p=0.5)")
    mindspore = layer("mindspore.nn.F", "(p=0.5)", call="(x)")
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x, 1)", "x.f(1)"),
        ("torch.f(input=x, dim=1)", "x.f(axis=1)"),
        ("torch.f(a + b, 1)", "(a + b).f(1)"),
        ("torch.f(-a, 1)", "(-a).f(1)"),
        ("torch.f(f(a)[0].b, 1)", "f(a)[0].b.f(1)"),
        ("torch.f(torch.f(x, 1), 2)", "x.f(1).f(2)"),
        ("torch.f(2, 1)", "(2).f(1)"),
    ],
)
def test_the_first_argument_of_a_function_becomes_what_the_method_is_called_on(
    tmp_path: Path, code: str, expected: str
) -> None:
    body = """
    targets:
      - api: mindspore.Tensor.f
        parameters: [{torch: dim, mindspore: axis, relation: renamed}]
    """
    torch = function("torch.f", "(input, dim)")
    mindspore = method("mindspore.Tensor.f", "(axis)")
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x.f(1)", "mindspore.f(x, 1)"),
        ("(a + b).f(dim=1)", "mindspore.f(a + b, dim=1)"),
        ("x.f(1).f(2)", "mindspore.f(mindspore.f(x, 1), 2)"),
        ("x[0].y().f(1)", "mindspore.f(x[0].y(), 1)"),
        ("torch.Tensor.f(x, 1)", "mindspore.f(x, 1)"),
        ("x.f()", "torch.Tensor.f: needs `dim`"),
    ],
)
def test_what_a_method_is_called_on_becomes_the_first_argument(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch = method("torch.Tensor.f", "(dim)")
    mindspore = function("mindspore.f", "(input, dim)")
    found = outcome(ported(tmp_path, torch, mindspore, "targets: [{api: mindspore.f}]", code))
    assert found == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x.f(1)", "x.g(1)"),
        ("(a + b).f(1)", "(a + b).g(1)"),
        ("(a @ b).f(1).f(2)", "(a @ b).g(1).g(2)"),
        ("torch.Tensor.f(x, 1)", "x.g(1)"),
    ],
)
def test_a_method_stays_a_method(tmp_path: Path, code: str, expected: str) -> None:
    torch = method("torch.Tensor.f", "(dim)")
    mindspore = method("mindspore.Tensor.g", "(dim)")
    body = "targets: [{api: mindspore.Tensor.g}]"
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [("y = x.f", "y = x.g()"), ("y = (a + b).f", "y = (a + b).g()"), ("x.f = 1", "x.f = 1")],
)
def test_a_property_that_is_read_may_become_a_call(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch = named("torch.Tensor.f", "property")
    mindspore = method("mindspore.Tensor.g", "()")
    body = "targets: [{api: mindspore.Tensor.g}]"
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(x)", "mindspore.f(x, name='w', n=2 + 1)"),
        ("torch.f(x, k)", "mindspore.f(x, k, name='w', n=k + 1)"),
    ],
)
def test_what_mindspore_needs_is_set_and_what_it_has_more_keeps_its_default(
    tmp_path: Path, code: str, expected: str
) -> None:
    body = """
    targets:
      - api: mindspore.f
        parameters:
          - {mindspore: name, relation: target_only_must_set, value: "'w'"}
          - {mindspore: n, relation: target_only_must_set, value: "{k} + 1"}
          - {mindspore: seed, relation: target_only_keep_default}
    """
    torch = function("torch.f", "(input, k=2)")
    mindspore = function("mindspore.f", "(input, k=2, *, seed=0, name, n)")
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


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
        ("f(a, b).f()", "f(a, b) + 1"),
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
    torch = method("torch.Tensor.f", "(dim=None, scale=1, keep=False)")
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


# What becomes of everything around calls: the records are those under fixtures/records.


@pytest.fixture(scope="module")
def world() -> Base:
    return support.world()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.softmax(torch.abs(x), 1)", "mindspore.ops.softmax(mindspore.ops.abs(x), 1)"),
        ("torch.max(x)", "mindspore.ops.amax(x)"),
        ("torch.max(x, other=y)", "mindspore.ops.maximum(x, other=y)"),
        ("torch.max(x, 1, True)", "mindspore.ops.max(x, 1, True)"),
        ("torch.max(x, dim=1).values", "mindspore.ops.max(x, axis=1)[0]"),
        ("torch.max(x, dim=1)[0]", "mindspore.ops.max(x, axis=1)[0]"),
        ("x.permute(0, 2, 1)", "mindspore.ops.permute(x, (0, 2, 1))"),
        ("x.permute((0, 2, 1))", "mindspore.ops.permute(x, (0, 2, 1))"),
        ("x.permute([0, 2, 1])", "mindspore.ops.permute(x, [0, 2, 1])"),
        ("x.permute(*dims)", "mindspore.ops.permute(x, dims)"),
        ("x.permute(dims=d)", "mindspore.ops.permute(x, axis=d)"),
        ("x.size()", "x.shape"),
        ("x.size(0)", "x.shape[0]"),
        ("x.size(dim=-1)", "x.shape[-1]"),
        (
            "nn.Linear(3, out_features=4, device='cuda')",
            "mindspore.nn.Dense(3, out_channels=4)",
        ),
        ("nn.Linear(3, 4, False)", "mindspore.nn.Dense(3, 4, has_bias=False)"),
        ("nn.Linear(3, 4)(input=x)", "mindspore.nn.Dense(3, 4)(x=x)"),
        (
            "nn.Sequential(nn.Linear(3, 4), block)",
            "mindspore.nn.SequentialCell(mindspore.nn.Dense(3, 4), block)",
        ),
        ("nn.Sequential(*layers)", "mindspore.nn.SequentialCell(*layers)"),
        (
            "nn.Sequential(*[nn.Linear(n, n) for n in sizes])",
            "mindspore.nn.SequentialCell(*[mindspore.nn.Dense(n, n) for n in sizes])",
        ),
        ("x.to(torch.float32)", "x.to(mindspore.float32)"),
        ("torch.softmax(x, 1, dtype=torch.float32)",
         "mindspore.ops.softmax(x, 1, dtype=mindspore.float32)"),
        ("map(torch.abs, xs)", "map(mindspore.ops.abs, xs)"),
        ("f = torch.abs", "f = mindspore.ops.abs"),
        ("lambda x, f=torch.abs: f(torch.abs(x))",
         "lambda x, f=mindspore.ops.abs: f(mindspore.ops.abs(x))"),
        ("{torch.abs(k): torch.abs(v) for k, v in d}",
         "{mindspore.ops.abs(k): mindspore.ops.abs(v) for k, v in d}"),
        ("{**a, 'k': torch.abs(x)}", "{**a, 'k': mindspore.ops.abs(x)}"),
        ("x[torch.abs(i):, ::torch.abs(j)]", "x[mindspore.ops.abs(i):, ::mindspore.ops.abs(j)]"),
        ("f'{x} {y:>{width}}' + str(torch.abs(x))",
         "f'{x} {y:>{width}}' + str(mindspore.ops.abs(x))"),
        ("model(torch.abs(x))(torch.abs(y))", "model(mindspore.ops.abs(x))(mindspore.ops.abs(y))"),
        ("model(x)", "model(x)"),
        ("", ""),
    ],
)  # fmt: skip
def test_calls_and_names_are_ported_wherever_they_stand(
    world: Base, code: str, expected: str
) -> None:
    assert outcome(rewrite.rewrite(code, world)) == expected


@pytest.mark.parametrize(
    "code",
    [
        "x = [1,2 ,3]  # torch.abs(x) in a comment",
        "text = 'torch.abs(x)'",
        "if a :\n\tb( c,\n\t   d )\n\n\nelse: pass",
        "é = 学习率 ** 2",
        "torchvision.ops.nms(x)",
        "F = 3",
        "self.relu(x)",
        "import math\nmath.sqrt(2)",
        "import numpy as np\nnp.sqrt(x)",
        "import numpy\nnumpy.max(x)",
        "from os import path\npath.relu(1)",
        "x = y.shape",
        "super().__init__()",
        "def f(x, /, y: int = 1, *z, w=2, **k) -> int: ...",
        "@cached\n@wraps( f )\ndef g(): ...",
        "async def f():\n    async with a as b, c: await d",
        "x = 1;  y = 2",
        "a \\\n  = b",
        "print(f'{x!r:>{n}}' '}' \"{\")",
    ],
)
def test_code_without_pytorch_stays_byte_for_byte(world: Base, code: str) -> None:
    assert rewrite.rewrite(code, world) == Port(code, code, (), (), ())


@pytest.mark.parametrize(
    "path", sorted(Path(rewrite.__file__).parent.glob("*.py")), ids=lambda p: p.name
)
def test_a_base_that_knows_nothing_changes_nothing(tmp_path: Path, path: Path) -> None:
    source = path.read_text(encoding="utf-8").strip()
    assert rewrite.rewrite(source, support.base(tmp_path, [], [])).code == source


MODULE = """\
# 残差块 ✓
import torch
from torch import nn


class Block(nn.Module):
    '''用 torch.abs'''

    @property
    def width(self): return self._width   # kept

    def __init__(self, 宽度 = 3 ):
        super().__init__()
        self.层 = nn.Sequential(nn.Linear(宽度, 4),   # first
            nn.Linear(4,4))

    def forward(self, x):
        "返回"; y = torch.softmax( x ,  dim = 1 ) ; z = torch.abs(y)
        return self.层(z) if x.size(0) > 1 else torch.abs(x)  # 完
"""
CELL = """\
# 残差块 ✓
import torch
from torch import nn


class Block(mindspore.nn.Cell):
    '''用 torch.abs'''

    @property
    def width(self): return self._width   # kept

    def __init__(self, 宽度 = 3 ):
        super().__init__()
        self.层 = mindspore.nn.SequentialCell(mindspore.nn.Dense(宽度, 4), mindspore.nn.Dense(4, 4))

    def construct(self, x):
        "返回"; y = mindspore.ops.softmax(x, axis=1) ; z = mindspore.ops.abs(y)
        return self.层(z) if x.shape[0] > 1 else mindspore.ops.abs(x)  # 完
"""


def test_a_module_is_ported_call_by_call_and_everything_else_is_kept(world: Base) -> None:
    port = rewrite.rewrite(MODULE, world)
    assert outcome(port) == CELL.strip()
    assert (port.source, port.notes, port.refusals) == (MODULE.strip(), (), ())
    assert sorted(port.records) == [
        "torch.Tensor.size",
        "torch.abs",
        "torch.nn.Linear",
        "torch.nn.Module",
        "torch.nn.Sequential",
        "torch.softmax",
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "@register\nclass Net( nn.Module , Base, key = 1 ): pass",
            "@register\nclass Net( mindspore.nn.Cell , Base, key = 1 ): pass",
        ),
        ("class Net(Base): pass", "class Net(Base): pass"),
        (
            "class Net(nn.Module):\n    def helper(self): return torch.abs(self)",
            "class Net(mindspore.nn.Cell):\n    def helper(self): return mindspore.ops.abs(self)",
        ),
        (
            "class Net(nn.Module):\n    @cached\n    def forward(self, forward): return forward",
            "class Net(mindspore.nn.Cell):\n    @cached\n    def construct(self, forward):"
            " return forward",
        ),
        (
            "class Net:\n    def forward(self): return torch.abs(self)",
            "class Net:\n    def forward(self): return mindspore.ops.abs(self)",
        ),
        (
            "class Net(torch.no_grad): pass",
            "torch.no_grad without a call: its arguments differ in MindSpore",
        ),
    ],
)
def test_bases_of_classes_are_renamed_and_with_them_the_methods_they_call(
    world: Base, code: str, expected: str
) -> None:
    assert outcome(rewrite.rewrite(code, world)) == expected


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("torch.nothing(x)", "torch.nothing is no name of PyTorch that msmap knows"),
        ("y = torch.nothing", "torch.nothing is no name of PyTorch that msmap knows"),
        ("torch.cat([x, y])", "torch.cat is known, but has no record yet"),
        ("torch.concat([x, y])", "torch.cat is known, but has no record yet"),
        ("x.relu()", "torch.Tensor.relu is known, but has no record yet"),
        ("x.to(torch.float64)", "torch.float64 is known, but has no record yet"),
        (
            "torch.no_grad()",
            "torch.no_grad has no counterpart: take gradients with mindspore.grad only.",
        ),
        (
            "x.cuda()",
            "torch.Tensor.cuda: delete this call; MindSpore needs nothing in its place",
        ),
        (
            "map(torch.softmax, xs)",
            "torch.softmax without a call: its arguments differ in MindSpore",
        ),
        (
            "torch.max(x, y)",
            "torch.max: an argument may be `other` or `dim`; write it as a keyword",
        ),
        (
            "torch.softmax(x, **options)",
            "torch.softmax: which parameters ** fills can't be told from the code",
        ),
        (
            "nn.Linear(*sizes)",
            "torch.nn.Linear: which parameters *sizes fills can't be told from the code",
        ),
        ("nn.Linear(3)", "torch.nn.Linear: needs `out_features`"),
        ("torch.abs(x, 1)", "torch.abs: takes at most 1 positional arguments"),
        (
            "f'{torch.abs(x)}'",
            "torch.abs inside an f-string: move it out of the string",
        ),
        ("torch.cat([x])(y)", "torch.cat is known, but has no record yet"),
        ("f'{x.size(0)} rows'", "x.size inside an f-string: move it out of the string"),
    ],
)
def test_what_cannot_be_ported_is_refused_with_its_reason(
    world: Base, code: str, reason: str
) -> None:
    port = rewrite.rewrite(code, world)
    assert (port.code, [r.reason.en for r in port.refusals]) == (None, [reason])


@pytest.mark.parametrize(
    "code",
    [
        "from torch import abs\ny = abs(x)",
        "from torch.nn import Linear as Dense\nlayer = Dense(3, 4)",
        "import torch as t\ny = t.abs(x)",
        "from torch import nn\ny = nn.Unknown(x)",
        "import torch.nn.functional as fn\ny = fn.relu(x)",
    ],
)
def test_what_was_imported_from_pytorch_under_any_name_is_ported_or_refused(
    world: Base, code: str
) -> None:
    last = code.splitlines()[-1]
    assert last not in (rewrite.rewrite(code, world).code or "")


def test_refusals_come_in_the_order_of_their_places(world: Base) -> None:
    code = """\
class Net(nn.Module):
    def __init__(self): self.a = torch.cat([])
    def forward(self, x): return torch.cat(x)
    def other(self, x): return torch.cat(x)
"""
    assert [r.line for r in rewrite.rewrite(code, world).refusals] == [2, 3, 4]


def test_every_refusal_has_its_place_source_and_reason_in_both_languages(world: Base) -> None:
    code = "值 = torch.cat([x])\nif 值: 值2 = f(torch.abs(y)) + x.cuda()\n"
    assert rewrite.rewrite(code, world) == Port(
        code.strip(),
        None,
        (Text("MindSpore moves it.", "由 MindSpore 移动。"),),
        (
            Refusal(
                1,
                6,
                "torch.cat([x])",
                Text("torch.cat is known, but has no record yet", "torch.cat 已知，但尚无记录"),
            ),
            Refusal(
                2,
                33,
                "x.cuda()",
                Text(
                    "torch.Tensor.cuda: delete this call; MindSpore needs nothing in its place",
                    "torch.Tensor.cuda：删除此调用即可，MindSpore 无需任何替代",
                ),
            ),
        ),
        ("torch.abs", "torch.Tensor.cuda"),
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.max(x, 1)\nrun(y).values", "mindspore.ops.max(x, 1)\nrun(y).values"),
        ("torch.max(x, 1)\na.run(y).values", "mindspore.ops.max(x, 1)\na.run(y).values"),
        ("a.run(torch.max(x, 1)).values", "a.run(mindspore.ops.max(x, 1)).values"),
    ],
)
def test_fields_are_replaced_only_on_results_of_the_record(
    world: Base, code: str, expected: str
) -> None:
    assert outcome(rewrite.rewrite(code, world)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "x = torch.abs(a)\r\ny = torch.abs(b)",
            "x = mindspore.ops.abs(a)\r\ny = mindspore.ops.abs(b)",
        ),
        ("'''\f'''\nx = torch.abs(a)", "'''\f'''\nx = mindspore.ops.abs(a)"),
        ("'\u2028'\nx = torch.abs(a)", "'\u2028'\nx = mindspore.ops.abs(a)"),
        ("变量 = '😀'; y = torch.abs(变量)", "变量 = '😀'; y = mindspore.ops.abs(变量)"),
        ("torch.abs(f(a,  # why\n  b))", "mindspore.ops.abs(f(a,  # why\n  b))"),
        ("torch.abs(a\n  + b)", "mindspore.ops.abs(a\n  + b)"),
    ],
)
def test_lines_and_characters_of_all_kinds_keep_their_places(
    world: Base, code: str, expected: str
) -> None:
    assert outcome(rewrite.rewrite(code, world)) == expected


def test_what_is_not_python_is_a_syntax_error(world: Base) -> None:
    with pytest.raises(SyntaxError):
        rewrite.rewrite("torch.abs(", world)
