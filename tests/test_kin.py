"""Forms of one operation, and which caveats of one are expected of another."""

from __future__ import annotations

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
    assert kin.forms(name, RECORDS) == forms


@pytest.fixture
def records(lint_cases: Path, data: Path, tmp_path: Path) -> dict[str, model.Record]:
    """A function without caveats, and its layer with some."""
    for source, name in ((lint_cases / "siblings-agree", "records"), (data, "signatures")):
        (tmp_path / name).symlink_to(source / name)
    return dict(content.read(tmp_path, generation=GENERATION).base.records)


def test_a_caveat_is_expected_of_other_forms_but_for_parameters_and_what_is_own(
    records: dict[str, model.Record],
) -> None:
    """A parameter's counts where it is the same API."""
    found = kin.expected("torch.relu", records)
    assert [(other.torch, caveat.id, keys) for other, caveat, keys in found] == [
        ("torch.nn.ReLU", "nan-becomes-zero", ("mindspore.ops.relu",)),
        ("torch.nn.ReLU", "shown-to-agree", ("mindspore.ops.relu",)),
        ("torch.nn.ReLU", "cleared-by-a-difference", ("mindspore.ops.relu",)),
    ]
    assert kin.expected("torch.nn.ReLU", records) == []
