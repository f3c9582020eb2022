"""Siblings: forms of one operation, and names with one target; what one tells is asked of all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from msmap import kin, model
from msmap.assemble import content
from msmap.verify.plan.variants import GENERATION

RECORDS = [
    *("torch.Tensor", "torch.tensor", "torch.Tensor.add", "torch.Tensor.add_", "torch.add"),
    *("torch.bmm", "torch.matmul", "torch.nn.init.ones_", "torch.ones", "torch.nn.MSELoss"),
    *("torch.nn.functional.mse_loss", "torch.Tensor.T", "torch.Tensor.t", "torch.Tensor.float"),
    "torch.nn.Module.float",
]


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("torch.add", ["torch.Tensor.add", "torch.Tensor.add_"]),
        ("torch.Tensor.add_", ["torch.Tensor.add", "torch.add"]),
        ("torch.nn.MSELoss", ["torch.nn.functional.mse_loss"]),
        ("torch.bmm", ["torch.matmul"]),
        ("torch.Tensor", []),
        ("torch.Tensor.T", []),
        ("torch.ones", []),
        ("torch.Tensor.float", []),
    ],
)
def test_forms_of_an_operation(name: str, forms: list[str]) -> None:
    assert kin.Kin(dict.fromkeys(RECORDS, "")).forms(name) == forms


def test_siblings_are_forms_and_what_has_the_very_same_best_target() -> None:
    best = dict.fromkeys(RECORDS, "") | {
        "torch.add": "mindspore.mint.add",
        "torch.ones": "mindspore.mint.ones",
        "torch.bmm": "mindspore.mint.ones",
    }
    found = kin.Kin(best)
    assert {name: found.siblings(name) for name in ("torch.add", "torch.ones")} == {
        "torch.add": ["torch.Tensor.add", "torch.Tensor.add_"],
        "torch.ones": ["torch.bmm"],
    }


@pytest.fixture
def records(lint_cases: Path, data: Path, tmp_path: Path) -> dict[str, model.Record]:
    """A function without caveats, and its layer with some."""
    for source, name in ((lint_cases / "siblings-agree", "records"), (data, "signatures")):
        (tmp_path / name).symlink_to(source / name)
    return dict(content.read(tmp_path, generation=GENERATION).base.records)


def test_a_caveat_is_expected_of_other_forms_but_for_parameters_and_what_is_own(
    records: dict[str, model.Record],
) -> None:
    """A parameter's is where another form has the very same API."""
    found = expected("torch.relu", records)
    assert found == [
        ("torch.nn.ReLU", "nan-becomes-zero", ("mindspore.ops.relu",)),
        ("torch.nn.ReLU", "shown-to-agree", ("mindspore.ops.relu",)),
        ("torch.nn.ReLU", "cleared-by-a-difference", ("mindspore.ops.relu",)),
    ]
    assert expected("torch.nn.ReLU", records) == []
    layer = records["torch.nn.ReLU"].targets
    records["torch.relu"] = replace(records["torch.relu"], targets=layer)
    assert [name for _, name, _ in expected("torch.relu", records)] == [
        "nan-becomes-zero", "shown-to-agree", "of-a-parameter", "cleared-by-a-difference",
    ]  # fmt: skip


def test_of_what_is_no_form_only_the_best_target_counts_and_no_parameter(
    records: dict[str, model.Record],
) -> None:
    layer, function = records["torch.nn.ReLU"].targets, records["torch.relu"].targets
    del records["torch.relu"]
    for name, targets in (("torch.tanh", layer), ("torch.abs", (*function, *layer))):
        records[name] = replace(
            records["torch.nn.ReLU"], torch=name, targets=targets, caveats=(), checks=()
        )
    assert expected("torch.tanh", records) == [
        ("torch.nn.ReLU", "nan-becomes-zero", ("mindspore.nn.ReLU",)),
        ("torch.nn.ReLU", "shown-to-agree", ("mindspore.nn.ReLU",)),
        ("torch.nn.ReLU", "cleared-by-a-difference", ("mindspore.nn.ReLU",)),
    ]
    assert expected("torch.abs", records) == []


def expected(name: str, records: dict[str, model.Record]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Whose caveats are expected of a record, and of which of its targets."""
    best = {torch: kin.best_api(record.targets) for torch, record in records.items()}
    found = kin.expected(name, records, kin.Kin(best))
    return [(other.torch, caveat.id, keys) for other, caveat, keys in found]
