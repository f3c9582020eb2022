"""What a check is run with besides: made from the record, for checks that are ports and agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders.support import base, function, layer, method

from msmap.verify.plan import choose, variants
from msmap.verify.plan.job import Job
from msmap.verify.plan.variants import Variant, plain

SUM = function("torch.sum", "(input: Tensor, dim: int | None = None, keepdim: bool = False)")
SUM_TARGET = """
targets:
  - api: mindspore.ops.sum
    parameters:
      - {torch: dim, mindspore: axis, relation: renamed}
"""
X = "inputs: {x: 'float32[2, 3]'}\n"


def made(folder: Path, body: str, *, inputs: str = X) -> dict[str, list[Variant]]:
    """The variants of a record of ``torch.sum``."""
    mindspore = function("mindspore.ops.sum", "(input, axis=None, keepdim=False)")
    facts = base(folder, [SUM], [mindspore], (SUM.name, SUM_TARGET + body + inputs))
    return variants.of(facts.records[SUM.name], facts)


def named(found: list[Variant]) -> list[str]:
    return [variant.name for variant in found]


INPUTS = [
    "float16", "bfloat16", "float64", "int32", "int64", "bool", "zero-d", "empty", "size-1",
    "non-contiguous", "zeros", "nonfinite", "overflow",
]  # fmt: skip


def test_a_check_is_called_in_every_form_that_is_another(tmp_path: Path) -> None:
    """And as it is by one who changes the import alone."""
    found = made(tmp_path, "checks: [{id: one, torch: 'torch.sum(x, dim=1, keepdim=True)'}]\n")
    forms = {v.name: (v.torch, v.mindspore) for v in found["one"] if v.torch is not None}
    assert forms == {
        "positional": ("torch.sum(x, 1, True)", "mindspore.ops.sum(x, 1, True)"),
        "keyword": (
            "torch.sum(input=x, dim=1, keepdim=True)",
            "mindspore.ops.sum(input=x, axis=1, keepdim=True)",
        ),
        "shuffled": (
            "torch.sum(keepdim=True, dim=1, input=x)",
            "mindspore.ops.sum(input=x, axis=1, keepdim=True)",
        ),
        "defaults": ("torch.sum(x)", "mindspore.ops.sum(x)"),
        "other-end-axis": ("torch.sum(x, -1, True)", "mindspore.ops.sum(x, -1, True)"),
        "import-only": ("torch.sum(x)", "mindspore.ops.sum(x)"),
    }
    assert named(found["one"]) == [*forms, "graph", *INPUTS]


@pytest.mark.parametrize(
    ("code", "dtype", "expected"),
    [
        # What differs is the order of keywords, which no callee sees, or nothing.
        ("torch.sum(x, dim=1, keepdim=True)", "float32",
         {"shuffled": "keyword", "import-only": "defaults"}),
        ("torch.sum(x)", "float32", {"import-only": ""}),
        ("torch.sum(input=x, dim=1)", "float32", {"shuffled": "", "import-only": "defaults"}),
        # An argument that is computed may draw random numbers: the order is another draw.
        ("torch.sum(input=f(x), dim=1)", "float32", {"import-only": "defaults"}),
        # A variant holds its layers in the dtype of its inputs, the check itself doesn't.
        ("torch.sum(x)", "float64", {}),
        ("torch.sum(x)", "int64", {"import-only": ""}),
    ],
)  # fmt: skip
def test_a_call_that_comes_to_the_same_as_another_says_so(
    code: str, dtype: str, expected: dict[str, str], tmp_path: Path
) -> None:
    body = f"checks: [{{id: one, torch: '{code}'}}]\n"
    found = made(tmp_path, body, inputs=f"inputs: {{x: '{dtype}[2, 3]'}}\n")["one"]
    assert {v.name: v.like for v in found if v.like is not None} == expected


def test_what_comes_to_the_same_is_no_part_of_what_is_run(tmp_path: Path) -> None:
    body = "checks: [{id: one, torch: 'torch.sum(x, dim=1)'}]\n"
    mindspore = function("mindspore.ops.sum", "(input, axis=None, keepdim=False)")
    facts = base(tmp_path, [SUM], [mindspore], (SUM.name, SUM_TARGET + body + X))
    (made,) = choose.jobs(facts.records.values(), [], facts)
    assert [v["name"] for v in made.variants] == [
        "positional", "keyword", "defaults", "other-end-axis", "graph", *INPUTS
    ]  # fmt: skip
    assert made.twins == {"shuffled": "keyword", "import-only": "defaults"}
    assert Job.loads(made.dumps()) == made


@pytest.mark.parametrize(
    "check",
    [
        "{id: one, torch: 'torch.sum(x)', mindspore: 'mindspore.ops.sum(x)'}",
        "{id: one, torch: 'torch.sum(x)', expect: differs}",
        "{id: one, torch: 'torch.sum(x)', expect: same-distribution}",
        "{id: one, torch: 'torch.sum(x)', expect: raises}",
        "{id: one, torch: 'torch.sum(x)', expect: torch-raises}",
        "{id: one, torch: 'torch.sum(x)', expect: crashes}",
        "{id: one, torch: 'torch.sum(x, out=x)'}",
    ],
)
def test_what_is_no_port_or_expects_no_agreement_has_no_variants(
    check: str, tmp_path: Path
) -> None:
    assert made(tmp_path, f"checks: [{check}]\n") == {}


def test_of_checks_with_the_same_arguments_the_first_alone_gets_other_inputs(
    tmp_path: Path,
) -> None:
    checks = """
checks:
  - {id: first, torch: "torch.sum(x, 1)"}
  - {id: again, torch: "torch.sum(x, dim=0)"}
  - {id: other, torch: "torch.sum(x)"}
"""
    found = made(tmp_path, checks)
    assert {name: named(v)[-14:] for name, v in found.items()} == {
        "first": ["graph", *INPUTS],
        "again": ["positional", "keyword", "shuffled", "defaults", "other-end-axis", "import-only"],
        "other": ["graph", *INPUTS],
    }


def test_a_form_that_cannot_be_ported_is_left_out(tmp_path: Path) -> None:
    """By keyword there is none here: the rewriter refuses ``keepdim``."""
    torch = function("torch.any", "(input: Tensor, keepdim: bool = False)")
    body = """
targets:
  - api: mindspore.ops.any
    parameters:
      - torch: keepdim
        relation: source_only_unsupported
        allow: ["False"]
checks: [{id: one, torch: "torch.any(x)"}]
inputs: {x: "bool[2]"}
"""
    facts = base(tmp_path, [torch], [function("mindspore.ops.any", "(input)")], (torch.name, body))
    found = variants.of(facts.records[torch.name], facts)["one"]
    assert {v.name: v.mindspore for v in found} == {
        "keyword": "mindspore.ops.any(input=x)",
        "import-only": "mindspore.ops.any(x)",
        "graph": None,
    }


def spec(found: dict[str, list[Variant]], name: str) -> Any:
    """The inputs of a variant of the only check."""
    (mine,) = found.values()
    return next((v.inputs for v in mine if v.name == name), None)


def test_a_dtype_replaces_that_of_every_float32_input(tmp_path: Path) -> None:
    found = made(
        tmp_path,
        "checks: [{id: one, torch: 'torch.sum(x * y + z + i, 1)'}]\n",
        inputs="inputs: {x: 'float32[2, 3]', y: {shape: [3], dtype: float32, low: 1, high: 2},"
        " z: 'float64[3]', i: 'int64[3]'}\n",
    )
    rest = {
        "z": {"shape": [3], "dtype": "float64"},
        "i": {"shape": [3], "dtype": "int64"},
    }
    assert spec(found, "float16") == {
        "x": {"shape": [2, 3], "dtype": "float16"},
        "y": {"shape": [3], "dtype": "float16", "low": 1, "high": 2},
        **rest,
    }
    assert spec(found, "int32") == {
        "x": {"shape": [2, 3], "dtype": "int32", "low": -5, "high": 6},
        "y": {"shape": [3], "dtype": "int32", "low": -5, "high": 6},
        **rest,
    }


def test_an_edge_changes_the_inputs_that_it_is_about(tmp_path: Path) -> None:
    """Targets keep step with the batch when it is empty; size 1 meets what stays as it is."""
    found = made(
        tmp_path,
        "checks: [{id: one, torch: 'torch.sum(x + y + t + s + z, 1)'}]\n",
        inputs="inputs: {x: 'float32[4, 3]', y: 'float32[4, 3]', t: 'int64[4]', s: 'float64[]',"
        " z: 'float64[3]'}\n",
    )
    changed = {
        edge: {n: s["edge"] for n, s in spec(found, edge).items() if "edge" in s}
        for edge in ("zero-d", "empty", "size-1", "non-contiguous", "zeros", "nonfinite")
    }
    main = ("x", "y")
    assert changed == {
        "zero-d": dict.fromkeys(main, "zero-d"),
        "empty": dict.fromkeys((*main, "t"), "empty"),
        "size-1": {"x": "size-1"},
        "non-contiguous": dict.fromkeys(main, "non-contiguous"),
        "zeros": dict.fromkeys(main, "zeros"),
        "nonfinite": dict.fromkeys(main, "nonfinite"),
    }
    assert spec(found, "overflow")["x"] == {
        "shape": [4, 3], "dtype": "int32", "edge": "overflow",
    }  # fmt: skip


def test_gradients_are_left_out_where_they_mean_nothing(tmp_path: Path) -> None:
    found = made(tmp_path, "checks: [{id: one, torch: 'torch.sum(x)'}]\n")
    assert [v.name for v in found["one"] if not v.gradient] == ["nonfinite", "overflow"]


@pytest.mark.parametrize(
    ("inputs", "left_out"),
    [
        ("inputs: {x: {values: [1.0, .nan]}}\n", {"int32", "int64", "bool"}),
        ("inputs: {x: {values: [1.0, -.inf]}}\n", {"int32", "int64", "bool"}),
        ("inputs: {x: {values: [1.0, 2.0]}}\n", set()),
        ("inputs: {x: 'int64[2]'}\n", set(INPUTS)),
        ("inputs: {x: 'float64[2]'}\n", set(INPUTS)),
    ],
)
def test_inputs_that_cannot_be_made_otherwise(
    inputs: str, left_out: set[str], tmp_path: Path
) -> None:
    """What isn't finite is no integer; dtypes that a check chose itself stay."""
    found = made(tmp_path, "checks: [{id: one, torch: 'torch.sum(x)'}]\n", inputs=inputs)
    assert set(INPUTS) - set(named(found["one"])) == left_out


@pytest.mark.parametrize(
    ("code", "compiles"),
    [
        ("torch.sum(x)", True),
        ("y = x + 1\\ny *= 2\\ntorch.sum(y)", True),
        ("def f(v): return v\\nf(torch.sum(x)) + 0", False),
        ("import math\\ntorch.sum(x) * math.pi", False),
        ("for _ in range(2): x = x + 1\\ntorch.sum(x)", False),
    ],
)
def test_what_can_be_put_into_a_function_to_compile(
    code: str, compiles: bool, tmp_path: Path
) -> None:
    found = made(tmp_path, f'checks: [{{id: one, torch: "{code}"}}]\n')
    assert ("graph" in named(found["one"])) is compiles


def test_an_optimizer_is_made_as_training_scripts_make_it(tmp_path: Path) -> None:
    """With what PyTorch's has, and with parameters in groups."""
    torch = layer("torch.optim.SGD", "(params, lr=0.1, momentum=0, weight_decay=0)")
    mindspore = layer(
        "mindspore.experimental.optim.SGD", "(params, lr, momentum=0, weight_decay=0)"
    )
    body = """
targets:
  - api: mindspore.experimental.optim.SGD
    parameters:
      - {torch: lr, mindspore: lr, relation: default_differs}
checks: [{id: one, torch: "torch.optim.SGD(net.parameters(), lr=0.1)"}]
"""
    parameters = method("torch.nn.Module.parameters", "()")
    facts = base(
        tmp_path,
        [torch, parameters],
        [mindspore, method("mindspore.nn.Cell.trainable_params", "()")],
        (torch.name, body),
        (parameters.name, "targets: [{api: mindspore.nn.Cell.trainable_params}]"),
    )
    found = variants.of(facts.records[torch.name], facts)["one"]
    assert {v.name: v.torch for v in found if v.name not in ("import-only", "graph")} == {
        "positional": "torch.optim.SGD(net.parameters(), 0.1)",
        "keyword": "torch.optim.SGD(params=net.parameters(), lr=0.1)",
        "shuffled": "torch.optim.SGD(lr=0.1, params=net.parameters())",
        "defaults": "torch.optim.SGD(net.parameters())",
        "weight-decay": "torch.optim.SGD(net.parameters(), 0.1, weight_decay=0.1)",
        "momentum": "torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)",
        "groups": 'torch.optim.SGD([{"params": [net.weight], "lr": 0.05},'
        ' {"params": [net.bias]}], lr=0.1)',
    }


def test_a_job_carries_what_a_variant_changes() -> None:
    assert plain(Variant("graph", graph=True)) == {"name": "graph", "graph": True, "gradient": True}
    assert plain(Variant("keyword", "torch.sum(input=x)", "mindspore.ops.sum(x)")) == {
        "name": "keyword", "torch": "torch.sum(input=x)", "mindspore": "mindspore.ops.sum(x)",
        "graph": False, "gradient": True,
    }  # fmt: skip
