"""Layers and models of both frameworks: all is placed, they compare alike, and all comes back."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders.carrying import CASES, OPTIMIZERS

pytestmark = pytest.mark.frameworks

COUNTER = "num_batches_tracked"
NOT_RUN: dict[str, Any] = {"verdict": None}
# How many tensors are placed, and what is otherwise than in the simplest case. What PyTorch's layer
# hasn't can't come back to MindSpore's: it is listed, and written as ones and zeros again.
EXPECTED: dict[str, tuple[int, dict[str, Any]]] = {
    "linear": (2, {}),
    "mint linear": (2, {}),
    "batch norm": (4, {"dropped": [COUNTER], "not back": [COUNTER]}),
    # Its kernel is none of the CPU's.
    "batch norm of mint": (5, NOT_RUN),
    "batch norm of one dimension": (4, {"dropped": [COUNTER], "not back": [COUNTER]}),
    "batch norm of three": (4, {"dropped": [COUNTER], "not back": [COUNTER]}),
    # A gamma of ones and a beta of zeros are written with the statistics.
    "batch norm without affine": (
        4, {"dropped": [COUNTER], "not back": [COUNTER], "around": ["beta", "gamma"]}
    ),
    "batch norm without bias": (
        4, {"dropped": [COUNTER], "not back": [COUNTER], "around": ["beta"]}
    ),
    # And statistics as they begin.
    "batch norm without statistics": (4, {"around": ["mean", "variance"]}),
    "batch norm with nothing": (
        6, {"around": ["1.beta", "1.gamma", "1.moving_mean", "1.moving_variance"]}
    ),
    "batch norm without statistics, of mint": (2, NOT_RUN),
    "batch norm without affine, of mint": (3, NOT_RUN),
    "batch norm of an average over all steps": (5, NOT_RUN),
    "sync batch norm": (4, {"dropped": [COUNTER], "not back": [COUNTER]}),
    "sync batch norm in one process": (4, {"dropped": [COUNTER], "not back": [COUNTER]}),
    "sync batch norm of mint": (5, {}),
    "instance norm with statistics": (
        4, {"dropped": [COUNTER], "not back": [COUNTER], **NOT_RUN}
    ),
    "conv": (2, {}),
    "conv of one dimension": (2, {}),
    "conv of three": (2, {}),
    "transposed conv": (2, {}),
    "transposed conv of one dimension": (2, {}),
    "group norm": (2, {}),
    "instance norm": (2, {}),
    "layer norm": (2, {}),
    "layer norm without bias": (2, {"around": ["beta"]}),
    "prelu": (1, {}),
    "embedding": (1, {}),
    "lstm of two layers both ways": (16, {}),
    "gru": (8, {}),
    "rnn": (4, {}),
    "attention": (4, {}),
    "transformer encoder": (26, {}),
    "transformer decoder layer": (18, {}),
    "tied embedding": (1, {"tied": ["head.weight"]}),
    "tied here, apart there": (
        2,
        {"verdict": "differs",
         "findings": ["embedding.weight = head.weight are one parameter in PyTorch, and several in "
                      "MindSpore: embedding.embedding_table, head.weight"]},
    ),
    # One of them is not in the file, and in the model.
    "buffers only": (3, {}),
    "an average beside": (
        12,
        {"dropped": [f"net.1.{COUNTER}", f"average.1.{COUNTER}"],
         "not back": [f"average.1.{COUNTER}", f"net.1.{COUNTER}"]},
    ),
    "a name of its own": (2, {}),
    "wrapped for several devices": (2, {"left": ["epoch"], "prefix": "module."}),
    "averaged and wrapped": (2, {"left": ["model", "n_averaged"], "prefix": "module."}),
    "a whole module": (6, {"dropped": [f"1.{COUNTER}"], "not back": [f"1.{COUNTER}"]}),
    "bfloat16": (2, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_a_model_is_carried_over_and_back(name: str, carried: dict[str, Any]) -> None:
    placed, otherwise = EXPECTED[name]
    found = dict(carried[name])
    assert "raised" not in found, found
    # What follows from the first thing that differs is rounded otherwise elsewhere.
    found["findings"] = found["findings"][:1]
    assert found == {
        "placed": placed, "tied": [], "dropped": [], "unplaced": [], "unset": [], "left": [],
        "prefix": "", "verdict": "agrees", "findings": [], "back": True, "not back": [],
        "unset back": [], "around": [],
    } | otherwise  # fmt: skip


def test_every_case_is_expected(carried: dict[str, Any]) -> None:
    assert [case.name for case in CASES] == list(EXPECTED)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_goes_on_with_the_same_losses_and_back_again(
    name: str, carried: dict[str, Any]
) -> None:
    expected, found = carried["resumed"][name]["losses"]
    assert found == pytest.approx(expected, rel=2e-4)
    assert carried["resumed"][name]["open"] == []


@pytest.mark.parametrize(
    "way",
    ["of torch", "of torch before 1.6", "of safetensors", "of mindspore", "to torch",
     "to torch, mapped", "to safetensors", "to mindspore", "a whole module before 1.6"],
)  # fmt: skip
def test_others_read_and_write_the_same_bytes(way: str, carried: dict[str, Any]) -> None:
    assert carried["exchanged"][way] is True


def test_weights_beside_hostile_objects_are_read_and_nothing_runs(carried: dict[str, Any]) -> None:
    assert carried["exchanged"]["hostile"] == ["w", "settings", "False"]
