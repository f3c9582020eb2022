"""Records joined with signatures: what a reader gets that nobody typed."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path

import pytest
from tests.builders import support

from msmap import model
from msmap.assemble import checks as assemble
from msmap.assemble.base import Base
from msmap.curated import paths, schema
from msmap.model import Check, State, Text


@pytest.fixture(scope="module")
def base(data: Path) -> Base:
    """The small data directory, joined."""
    return support.read(data).base


class Joined:
    """The small data directory with records added."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def base(self, name: str, body: str) -> Base:
        """The base with one more record, or with another one in its place."""
        path = self.directory / "records" / paths.path_of(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        head = f"torch: {name}\nsummary: {{en: Does it., zh: 完成运算。}}\n"
        path.write_text(head + body, encoding="utf-8")
        return support.read(self.directory).base

    def record(self, name: str, body: str) -> model.Record:
        """That record alone."""
        return self.base(name, body).records[name]


@pytest.fixture
def joined(checkout: Path) -> Joined:
    """Joins a record, written as YAML, with the signatures of the small data directory."""
    return Joined(checkout)


def test_each_record_is_as_different_as_its_best_target(base: Base) -> None:
    assert [(r.torch, r.kind, r.category, r.verification) for r in base.records.values()] == [
        ("torch.Tensor.size", "method", "composite", "verified"),
        ("torch.cat", "function", "identical", "verified"),
        ("torch.cuda.empty_cache", "function", "removable", "unverified"),
        ("torch.jit.script", "function", "missing", "unverified"),
        ("torch.nn.Dropout", "class", "source_more_params", "verified_forward_only"),
        ("torch.nn.GELU", "class", "input_usage_differs", "verified"),
    ]


def test_each_target_says_what_it_is_and_where_it_runs(base: Base) -> None:
    everywhere, here = ("Ascend", "GPU", "CPU"), ("CPU",)
    assert [
        (t.key, t.kind, t.category, t.verification, t.reason, t.runs_on, t.ran_on)
        for name in ("torch.nn.GELU", "torch.Tensor.size", "torch.cuda.empty_cache")
        for t in base.records[name].targets
    ] == [
        ("mindspore.nn.GELU", "class", "input_usage_differs", "verified", "", everywhere, here),
        (
            "mindspore.mint.nn.GELU",
            "class",
            "identical",
            "untestable",
            "no_kernel",
            ("Ascend",),
            (),
        ),
        ("whole", "expression", "composite", "verified", "", (), here),
        ("one", "expression", "composite", "verified", "", (), here),
        ("remove", "expression", "removable", "unverified", "", (), ()),
    ]


def test_an_alias_runs_where_the_name_it_stands_for_runs(base: Base) -> None:
    """`mindspore.ops.concat` is `mindspore.ops.cat`, whose docstring lists the platforms."""
    found = {t.key: t.runs_on for t in base.records["torch.cat"].targets}
    assert found["mindspore.ops.concat"] == ("Ascend", "GPU", "CPU")


@pytest.mark.parametrize(
    ("runs_on", "shown"), [("", ("Ascend",)), ("runs_on: [CPU]", ("CPU",)), ("runs_on: []", ())]
)
def test_a_record_corrects_where_a_target_runs(
    runs_on: str, shown: tuple[str, ...], joined: Joined
) -> None:
    target = f"  - api: mindspore.mint.nn.GELU\n    {runs_on}"
    record = joined.record("torch.nn.GELU", f"targets:\n{target}")
    assert record.targets[0].runs_on == shown


def test_a_record_has_the_signatures_of_both_sides(base: Base) -> None:
    record = base.records["torch.nn.Dropout"]
    assert (record.signatures, record.call) == (
        ("(p: float = 0.5, inplace: bool = False)",),
        ("(input: Tensor) -> Tensor",),
    )
    target = record.targets[0]
    assert (target.signatures, target.call) == (
        ("(keep_prob=0.5, p=None, dtype=mindspore.float32)",),
        ("(x)",),
    )


@pytest.mark.parametrize(
    ("name", "check", "target", "mindspore", "ported"),
    [
        ("torch.cat", "last", "mindspore.mint.cat", "mindspore.mint.cat((x, x), dim=-1)", True),
        ("torch.cat", "axis", "mindspore.ops.concat", "mindspore.ops.concat((x, x), 1)", True),
        ("torch.Tensor.size", "all", "whole", "tuple(x.shape)", True),
        ("torch.Tensor.size", "first", "one", "x.shape[0]", True),
        (
            "torch.nn.Dropout",
            "training",
            "mindspore.nn.Dropout",
            "mindspore.nn.Dropout(p=0.25).set_train()(x)",
            False,
        ),
    ],
)
def test_a_check_has_its_mindspore_side_written_out(
    name: str, check: str, target: str, mindspore: str, ported: bool, base: Base
) -> None:
    """It is the port of the PyTorch side; ``{{ }}`` in one typed by hand is ported too."""
    found = next(c for c in base.records[name].checks if c.id == check)
    assert (found.target, found.mindspore, found.ported) == (target, mindspore, ported)


@pytest.mark.parametrize(
    ("mindspore", "target"),
    [
        ("mindspore.mint.cat((x, x))", "mindspore.mint.cat"),
        ("mindspore.ops.concat((x, x))", "mindspore.ops.concat"),
        ("mindspore.ops.concatenate((x, x))", ""),
        ("x", ""),
    ],
)
def test_a_check_typed_by_hand_is_about_the_target_it_names(
    mindspore: str, target: str, joined: Joined
) -> None:
    """A name that only begins like one of the targets is another; advice is about none of them."""
    record = joined.record(
        "torch.cat",
        "targets: [{api: mindspore.mint.cat}, {api: mindspore.ops.concat}]\n"
        f"checks: [{{id: one, torch: x, mindspore: '{mindspore}'}}]",
    )
    assert [c.target for c in record.checks] == [target]


def test_a_check_typed_by_hand_may_be_about_a_composed_target(joined: Joined) -> None:
    """No name tells: then it is about the best."""
    record = joined.record(
        "torch.cat",
        "targets: [{api: mindspore.mint.cat}, {id: twice, expression: '{tensors}[0] * 2'}]\n"
        "checks: [{id: one, torch: x, mindspore: x}]",
    )
    assert [c.target for c in record.checks] == ["mindspore.mint.cat"]


@pytest.mark.parametrize(
    ("keys", "example"),
    [
        ("", ("torch.tanh(x)", "mindspore.ops.tanh(x)")),
        ("example: torch.tanh(y)", ("torch.tanh(y)", "mindspore.ops.tanh(y)")),
        (
            "example: torch.tanh(y)\nexample_mindspore: y.tanh()",
            ("torch.tanh(y)", "y.tanh()"),
        ),
    ],
    ids=["the first check that doesn't raise", "the one given", "both sides given"],
)
def test_the_example_is(keys: str, example: tuple[str, str], joined: Joined) -> None:
    record = joined.record(
        "torch.tanh",
        "targets: [{api: mindspore.ops.tanh}]\n"
        "checks:\n"
        "  - {id: bad, torch: torch.tanh('x'), expect: raises}\n"
        f"  - {{id: good, torch: torch.tanh(x)}}\n{keys}",
    )
    assert (record.example_torch, record.example_mindspore) == example


def test_the_most_dangerous_caveat_comes_first(joined: Joined) -> None:
    """Caveats of the same impact stay in the order in which they were written."""
    caveats = "\n".join(
        f"  - {{id: {name}, impact: {impact}, text: {{en: E., zh: 中。}}, shown_by: [c]}}"
        for name, impact in (
            ("a", "note"), ("b", "silent"), ("c", "speed"), ("d", "error"), ("e", "silent")
        )
    )  # fmt: skip
    record = joined.record("torch.tanh", f"missing: {{en: No., zh: 无。}}\ncaveats:\n{caveats}")
    assert [c.id for c in record.caveats] == ["b", "e", "d", "c", "a"]


def test_a_port_that_fails_leaves_the_check_without_a_side_and_is_kept(joined: Joined) -> None:
    base = joined.base(
        "torch.tanh",
        "targets: [{api: mindspore.ops.tanh}]\nchecks: [{id: one, torch: torch.relu(x)}]",
    )
    assert [c.mindspore for c in base.records["torch.tanh"].checks] == [""]
    failed = base.failed_ports["torch.tanh", "one"]
    assert [r.reason for r in failed.refusals] == [
        Text("torch.relu is known, but has no record yet", "torch.relu 已知，但尚无记录")
    ]


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ("float32[2, 3]", {"shape": [2, 3], "dtype": "float32"}),
        ("float32[2,3]", {"shape": [2, 3], "dtype": "float32"}),
        ("float16[]", {"shape": [], "dtype": "float16"}),
        ("int64[4] in 0..5", {"shape": [4], "dtype": "int64", "low": 0.0, "high": 5.0}),
        ("float32[4] in -1..1.5", {"shape": [4], "dtype": "float32", "low": -1.0, "high": 1.5}),
        ("bool[4]", {"shape": [4], "dtype": "bool"}),
        (
            schema.Input(values=[1, 2], dtype="int32"),
            {"values": [1, 2], "dtype": "int32"},
        ),
        (schema.Input(shape=[2]), {"shape": [2], "dtype": "float32"}),
    ],
    ids=str,
)
def test_an_input_is_spelled_out(
    written: str | schema.Input, full: dict[str, object], base: Base
) -> None:
    check = schema.Check(id="one", torch="x + 1", mindspore="x + 1", inputs={"x": written})
    assert assemble.ready([check], "torch.cat", {}, base)[0].inputs == {"x": full}


def test_a_check_takes_the_shared_inputs_that_it_uses_unless_it_has_its_own(base: Base) -> None:
    check = schema.Check(id="one", torch="x + y", mindspore="x", inputs={"y": "float16[2]"})
    shared: dict[str, str | schema.Input] = {
        "x": "float32[1]", "y": "float32[1]", "xy": "float32[1]",
    }  # fmt: skip
    assert assemble.ready([check], "torch.cat", shared, base)[0].inputs == {
        "x": {"shape": [1], "dtype": "float32"},
        "y": {"shape": [2], "dtype": "float16"},
    }


@pytest.fixture(scope="module")
def check(base: Base) -> Check:
    """A check with the hash of what itself says."""
    made = base.records["torch.cat"].checks[0]
    return replace(made, hash=assemble.fingerprint(made, ()))


@pytest.mark.parametrize(
    "change",
    [
        {"id": "other"},
        {"target": "mindspore.ops.concat"},
        {"ported": False},
        {"why": Text("Because.", "因为。")},
        {"hash": ""},
        {"evidence": ()},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_hash_ignores_what_does_not_decide_what_runs(
    change: dict[str, object], check: Check
) -> None:
    assert assemble.fingerprint(replace(check, **change), ()) == check.hash  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"torch": "torch.cat((x, x))"},
        {"mindspore": "mindspore.mint.cat((x, x))"},
        {"inputs": {}},
        {"expect": "differs"},
        {"gives": {"torch": "1"}},
        {"gradient": False},
        {"modes": ("eval",)},
        {"rtol": 0.1},
        {"atol": 0.1},
        {"raises": "no"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_hash_changes_with_everything_that_decides_what_runs(
    change: dict[str, object], check: Check
) -> None:
    assert assemble.fingerprint(replace(check, **change), ()) != check.hash  # type: ignore[arg-type]


def test_the_hash_of_a_check_with_variants_covers_how_they_are_ported(
    check: Check,
) -> None:
    """By the mapping of the targets, and by what this release of msmap makes of it."""
    plain, mapped = (assemble.fingerprint(check, (), m, 1) for m in ([], ["renamed"]))
    assert len({plain, mapped, assemble.fingerprint(check, (), ["same"], 1)}) == 3
    assert assemble.fingerprint(check, (), ["renamed"], 2) != mapped
    assert assemble.fingerprint(check, (), [], 2) == plain


def test_a_new_key_of_a_check_changes_no_hash_where_it_is_not_used(check: Check) -> None:
    """A key that is optional can be added, and evidence of what doesn't use it stays."""

    @dataclass(frozen=True)
    class Newer(Check):
        repeat: int = 1

    usual = Newer(**{f.name: getattr(assemble._CHECK, f.name) for f in fields(Check)})
    newer = Newer(**{f.name: getattr(check, f.name) for f in fields(Check)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assemble, "_CHECK", usual)
        assert assemble.fingerprint(newer) == check.hash
        assert assemble.fingerprint(replace(newer, repeat=2)) != check.hash


def test_the_hash_covers_how_state_is_copied_but_not_what_is_said_of_it(check: Check) -> None:
    state = State("weight", "gamma", "value", None)
    hashes = [
        assemble.fingerprint(check, states)
        for states in (
            [],
            [state],
            [replace(state, note=Text("Note.", "注。"))],
            [replace(state, mindspore="weight")],
            [replace(state, value="value.T")],
        )
    ]
    assert hashes[1] == hashes[2]
    assert len(set(hashes)) == 4


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("torch.cat", "torch.cat"),
        ("torch.concat", "torch.cat"),
        ("nn.Dropout", "torch.nn.Dropout"),
        ("torch.nn.modules.dropout.Dropout", "torch.nn.Dropout"),
        ("torch.nothing", None),
        ("mindspore.nn.Dropout", None),
    ],
)
def test_a_spelling_means_a_canonical_name(spelling: str, name: str | None, base: Base) -> None:
    assert base.torch_name(spelling) == name


def test_an_alias_with_a_record_of_its_own_stands_for_itself(joined: Joined) -> None:
    base = joined.base("torch.concat", "targets: [{api: mindspore.ops.concat}]")
    assert (base.torch_name("torch.concat"), base.torch_name("torch.cat")) == (
        "torch.concat",
        "torch.cat",
    )


def test_a_mindspore_name_gathers_what_maps_to_it_and_to_its_aliases(joined: Joined) -> None:
    base = joined.base("torch.concat", "targets: [{api: mindspore.ops.cat}]")
    assert {
        name: [(rank, s.torch) for rank, s in found.sources]
        for name, found in base.reverses().items()
    } == {
        "mindspore.mint.cat": [(1, "torch.cat")],
        "mindspore.mint.nn.GELU": [(2, "torch.nn.GELU")],
        "mindspore.nn.Dropout": [(1, "torch.nn.Dropout")],
        "mindspore.nn.GELU": [(1, "torch.nn.GELU")],
        "mindspore.ops.cat": [(1, "torch.concat"), (2, "torch.cat")],
    }


@pytest.mark.parametrize(
    ("attribute", "names"),
    [("size", ("torch.Tensor.size",)), ("view", ("torch.Tensor.view",)), ("cat", ())],
)
def test_a_bare_method_name_has_these_owners(
    attribute: str, names: tuple[str, ...], base: Base
) -> None:
    assert base.methods(attribute) == names


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("torch.float32", "mindspore.float32"), ("torch.cat", None), ("torch.nothing", None)],
)
def test_a_dtype_has_the_same_name(name: str, dtype: str | None, base: Base) -> None:
    assert base.mindspore_dtype(name) == dtype


def test_a_guide_has_its_checks_ported_as_records_have(checkout: Path) -> None:
    guide = checkout / "guides" / "training.yaml"
    text = guide.read_text(encoding="utf-8").replace(
        "mindspore: mindspore.nn.Dropout(p=0.5).training",
        "mindspore: '{{ torch.nn.Dropout(0.5) }}.training'",
    )
    guide.write_text(text, encoding="utf-8")
    found = support.read(checkout).base.guides["training"]
    assert [(s.id, [c.mindspore for c in s.checks]) for s in found.sections] == [
        ("mode", ["mindspore.nn.Dropout(p=0.5).training"]),
        ("learning-rate", []),
    ]
    # What runs is the same, so its evidence still holds.
    assert [c.evidence[0].outcome for c in found.sections[0].checks] == ["diverges_documented"]
