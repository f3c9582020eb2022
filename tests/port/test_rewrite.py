"""A call of PyTorch, and where each relation of its record puts the arguments."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import support
from tests.builders.support import function, layer, method, named, outcome, ported

from msmap.model import Text
from msmap.port import rewrite


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
        ("x[0].f(1)", "mindspore.f(x[0], 1)"),
        ("torch.Tensor.f(x, 1)", "mindspore.f(x, 1)"),
        ("x.f()", "torch.Tensor.f: needs `dim`"),
    ],
)
def test_what_a_method_is_called_on_becomes_the_first_argument(
    tmp_path: Path, code: str, expected: str
) -> None:
    torch = method("torch.Tensor.f", "(dim) -> Tensor")
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
    torch = method("torch.Tensor.f", "(dim) -> Tensor")
    mindspore = method("mindspore.Tensor.g", "(dim)")
    body = "targets: [{api: mindspore.Tensor.g}]"
    assert outcome(ported(tmp_path, torch, mindspore, body, code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("y = x.f", "y = x.g()"),
        ("y = (a + b).f", "y = (a + b).g()"),
        ("x.f = 1", "torch.Tensor.f is set here: MindSpore has another way"),
    ],
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
