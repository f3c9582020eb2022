"""What follows from a record and the signatures: relations nobody typed, and the category."""

from __future__ import annotations

import pytest

from msmap.assemble import derive
from msmap.curated import schema
from msmap.signatures.parse import parse
from msmap.signatures.release import Side


def side(*signatures: str, kind: str = "function") -> Side:
    return Side(kind, tuple(parse(text) for text in signatures))


def relations(found: derive.Relations) -> list[tuple[str, str, str]]:
    """Each parameter as (PyTorch's name, MindSpore's, relation)."""
    return [(", ".join(p.torch), ", ".join(p.mindspore), p.relation) for p in found.parameters]


def left(found: derive.Relations) -> tuple[str, ...]:
    """What the record has still to say, in words."""
    return tuple(point.said for point in found.unaccounted)


SEVERAL = side("(input, /, dim=-1, *, out=None)", "(input, other, *rest, dim=0, **more)")


def test_a_side_knows_its_parameters_over_all_overloads() -> None:
    assert SEVERAL.names() == ["input", "dim", "out", "other", "rest"]
    assert SEVERAL.default("dim") == "-1"
    assert SEVERAL.defaults("dim") == {"-1", "0"}
    assert SEVERAL.default("nothing") is None
    assert [n for n in SEVERAL.names() if SEVERAL.required(n)] == ["input"]
    assert [n for n in SEVERAL.names() if SEVERAL.variadic(n)] == ["rest"]


@pytest.mark.parametrize(
    ("name", "position"), [("input", 0), ("dim", 1), ("other", 1), ("out", None), ("rest", None)]
)
def test_positions_count_positional_parameters_of_the_first_overload_that_has_them(
    name: str, position: int | None
) -> None:
    assert SEVERAL.position(name) == position


@pytest.mark.parametrize(
    ("source", "target", "expected", "unaccounted"),
    [
        (side("()"), side("()"), [], ()),
        (
            side("(input, dim=-1)"),
            side("(input, dim=-1)"),
            [("input", "input", "same"), ("dim", "dim", "same")],
            (),
        ),
        (side("(eps=1e-05)"), side("(eps=0.00001)"), [("eps", "eps", "same")], ()),
        (
            side("(p=0.5)"),
            side("(p=0.9)"),
            [("p", "p", "default_differs")],
            ("`p` defaults to 0.5 in PyTorch and 0.9 in MindSpore",),
        ),
        (
            side("(p=0.5)"),
            side("(p)"),
            [("p", "p", "default_differs")],
            ("`p` defaults to 0.5 in PyTorch and nothing in MindSpore",),
        ),
        (side("(p)"), side("(p=0.9)"), [("p", "p", "same")], ()),
        (
            side("(a, b)"),
            side("(b, a)"),
            [("a", "a", "reordered"), ("b", "b", "reordered")],
            (),
        ),
        (side("(*, a)"), side("(a)"), [("a", "a", "same")], ()),
        (side("(a)"), side("(*, a)"), [("a", "a", "reordered")], ()),
        (
            side("(input, *, out=None, device=None)"),
            side("(input)"),
            [
                ("input", "input", "same"),
                ("out", "", "universal_absent"),
                ("device", "", "universal_absent"),
            ],
            (),
        ),
        (
            side("(input, inplace=False)"),
            side("(input)"),
            [("input", "input", "same"), ("inplace", "", "source_only_unsupported")],
            ("PyTorch's `inplace` has no counterpart",),
        ),
        (
            side("(input)"),
            side("(input, seed=0)"),
            [("input", "input", "same"), ("", "seed", "target_only_keep_default")],
            ("MindSpore's `seed` is extra",),
        ),
        (
            side("(input)"),
            side("(input, name)"),
            [("input", "input", "same")],
            ("MindSpore's `name` must be set",),
        ),
        (side("(*args)"), side("(*args)"), [("args", "args", "same")], ()),
        (side("()"), side("(*args, **kwargs)"), [], ()),
        (
            side("(x, p=1)", "(x, p=2)"),
            side("(x, p=2)"),
            [("x", "x", "same"), ("p", "p", "same")],
            (),
        ),
        (
            side("(self_)", kind="method"),
            side("()", kind="method"),
            [("self", "self", "same"), ("self_", "", "source_only_unsupported")],
            ("PyTorch's `self_` has no counterpart",),
        ),
        (
            side("(dim=-1)", kind="method"),
            side("(dim=-1)", kind="method"),
            [("self", "self", "same"), ("dim", "dim", "same")],
            (),
        ),
        (
            side("(dim=-1)", kind="method"),
            side("(input, dim=-1)"),
            [("self", "input", "same"), ("dim", "dim", "reordered")],
            (),
        ),
        (
            side("(input, dim=-1)"),
            side("(dim=-1)", kind="method"),
            [("input", "self", "moved_to_method"), ("dim", "dim", "reordered")],
            (),
        ),
        (
            side(kind="property"),
            side(kind="property"),
            [("self", "self", "same")],
            (),
        ),
    ],
    ids=lambda value: " ".join(s.text for s in value.signatures) if isinstance(value, Side) else "",
)
def test_what_a_record_does_not_say_follows_from_the_signatures(
    source: Side, target: Side, expected: list[tuple[str, str, str]], unaccounted: tuple[str, ...]
) -> None:
    found = derive.parameters([], source, target)
    assert (relations(found), left(found)) == (expected, unaccounted)
    assert all(p.derived for p in found.parameters)


def test_what_is_written_comes_first_with_defaults_and_positions_from_the_signatures() -> None:
    written = schema.Parameter(
        torch="bias",
        mindspore="has_bias",
        relation="default_differs",
        cases=[schema.Case(when="any", note=schema.Bilingual(en="See.", zh="见。"))],
        note=schema.Bilingual(en="Off.", zh="关闭。"),
    )
    found = derive.parameters([written], side("(n, bias=True)"), side("(n, x=0, has_bias=False)"))
    assert relations(found) == [
        ("bias", "has_bias", "default_differs"),
        ("n", "n", "same"),
        ("", "x", "target_only_keep_default"),
    ]
    assert found.parameters[0] == derive.model.Parameter(
        torch=("bias",),
        mindspore=("has_bias",),
        relation="default_differs",
        derived=False,
        torch_default="True",
        mindspore_default="False",
        torch_position=1,
        mindspore_position=2,
        value=None,
        cases=(derive.model.Case("any", {}, None, derive.model.Text("See.", "见。")),),
        allow=(),
        keyword=False,
        note=derive.model.Text("Off.", "关闭。"),
    )
    assert left(found) == ("MindSpore's `x` is extra",)


def test_a_dtype_of_none_stands_for_mindspores_float32() -> None:
    found = derive.parameters([], side("(dtype=None)"), side("(dtype=mindspore.float32)"))
    assert (relations(found), left(found)) == ([("dtype", "dtype", "same")], ())
    assert found.parameters[0].cases == (
        derive.model.Case("none", {}, None, None),
        derive.model.Case("any", {"dtype": "{dtype}"}, None, None),
    )


def test_an_expression_uses_what_it_names_and_lacks_the_rest() -> None:
    found = derive.parameters(
        [], side("(dim, keepdim=False, *, out=None)", kind="method"), side(), "{self}.f({dim})"
    )
    assert relations(found) == [
        ("self", "self", "same"),
        ("dim", "dim", "same"),
        ("keepdim", "", "source_only_unsupported"),
        ("out", "", "universal_absent"),
    ]
    assert left(found) == ("PyTorch's `keepdim` has no counterpart",)


def test_a_placeholder_may_be_computed_from_a_written_parameter() -> None:
    written = schema.Parameter(
        torch="dim", mindspore="axis", relation="value_transformed", value="{dim} + 1"
    )
    found = derive.parameters([written], side("(x, dim)"), side(), "f({x}, {axis})")
    assert relations(found) == [("dim", "axis", "value_transformed"), ("x", "x", "same")]
    assert left(found) == ()


@pytest.mark.parametrize(
    ("source", "target", "expected", "unaccounted"),
    [
        ("(input)", "(x)", [("input", "x", "renamed")], ()),
        (
            "(input, hx=None)",
            "(x, hx=None)",
            [("input", "x", "renamed"), ("hx", "hx", "same")],
            (),
        ),
        (
            "(query, key)",
            "(key, query)",
            [("query", "query", "reordered"), ("key", "key", "reordered")],
            (),
        ),
        (
            "(input, scale=1)",
            "(x, scale=2)",
            [("input", "x", "renamed"), ("scale", "scale", "default_differs")],
            ("`scale` defaults to 1 in PyTorch and 2 in MindSpore",),
        ),
    ],
)
def test_inputs_of_a_layer_pair_by_name_and_then_by_position(
    source: str, target: str, expected: list[tuple[str, str, str]], unaccounted: tuple[str, ...]
) -> None:
    found = derive.parameters([], side(source), side(target), by_position=True)
    assert (relations(found), left(found)) == (expected, unaccounted)


TEXT = schema.Bilingual(en="Does.", zh="做。")
API = schema.Target(api="mindspore.ops.f")


def caveat(impact: str, **more: str) -> schema.Caveat:
    return schema.Caveat.model_validate(
        {"id": "it", "impact": impact, "text": TEXT, "shown_by": ["check"], **more}
    )


@pytest.mark.parametrize(
    ("target", "relation", "caveats", "category"),
    [
        (API, None, [], "no_params"),
        (API, "same", [], "identical"),
        (API, "universal_absent", [], "identical"),
        (API, "renamed", [], "renamed_params"),
        (API, "target_only_keep_default", [], "target_more_params"),
        (API, "default_differs", [], "default_differs"),
        (API, "source_only_droppable", [], "source_more_params"),
        (API, "reordered", [], "input_usage_differs"),
        (API, "type_differs", [], "input_type_differs"),
        (API, "accepted_ignored", [], "behaviour_differs"),
        (API, "same", [caveat("silent")], "behaviour_differs"),
        (API, "same", [caveat("error")], "behaviour_differs"),
        (API, "same", [caveat("speed")], "identical"),
        (API, "same", [caveat("note")], "identical"),
        (API, "same", [caveat("silent", parameter="a")], "identical"),
        (API, "same", [caveat("silent", target="mindspore.ops.g")], "identical"),
        (API, "same", [caveat("silent", target="mindspore.ops.f")], "behaviour_differs"),
        (
            schema.Target(
                api="mindspore.ops.f", returns=schema.Returns(relation="type_differs", text=TEXT)
            ),
            "default_differs",
            [],
            "return_differs",
        ),
        (schema.Target(expression="{a}", id="e"), "reordered", [caveat("silent")], "composite"),
        (schema.Target(remove=True), None, [], "removable"),
    ],
)
def test_the_category_is_the_worst_that_anything_says(
    target: schema.Target, relation: str | None, caveats: list[schema.Caveat], category: str
) -> None:
    found = []
    if relation is not None:
        sides = derive.schema.vocabulary.RELATIONS[relation].sides
        written = schema.Parameter.model_validate(
            {"relation": relation}
            | ({"torch": "a"} if sides[0] else {})
            | ({"mindspore": "b"} if sides[1] else {})
        )
        found = list(derive.parameters([written], side("()"), side("()")).parameters)
    assert derive.category(target, found, caveats) == category
