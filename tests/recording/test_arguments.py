"""What a layer of PyTorch's was made with, as a recording tells it."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (
            "Upsample(scale_factor=2, mode='bilinear', align_corners=True)",
            {"size": None, "scale_factor": 2.0, "mode": "bilinear", "align_corners": True,
             "recompute_scale_factor": None},
        ),
        ("Linear(3, 4, bias=False)", {"in_features": 3, "out_features": 4, "bias": False}),
        (
            "GRU(3, 4)",
            {"input_size": 3, "hidden_size": 4, "num_layers": 1, "bias": True, "batch_first": False,
             "dropout": 0.0, "bidirectional": False, "proj_size": 0},
        ),
    ],
)  # fmt: skip
def test_arguments_of_a_layer_are_told_by_name(made: str, told: dict[str, Any]) -> None:
    from torch import nn

    from msmap.record.torch_side import arguments

    assert arguments(eval(made, vars(nn))) == told
