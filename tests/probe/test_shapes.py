"""Calls in the shapes of public code: how much by position, which keywords together."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.probe.samples import shapes
from msmap.probe.samples.call import Call, Known
from msmap.signatures import files
from msmap.signatures.files import Api
from msmap.signatures.parse import parse

DATA = Path(__file__).resolve().parents[2] / "data"
SIGNATURE = "(input, k, dim=-1, *, largest=True, limit=None)"
KNOWN = Known.of(Api("torch.topk", "function", (SIGNATURE,)))
CALLS = [
    Call("torch.topk", "function", ("x", 3), {}, label="op-0", dtype="float32"),
    Call("torch.topk", "function", ("y", 2, 1), {"largest": False}, label="op-1", dtype="float32"),
    Call("torch.topk", "function", ("z",), {"k": 9}, label="op-2", dtype="float64"),
]

# a shape as the file has it -> positional and keyword arguments; None if there is no such call
MADE: dict[str, tuple[tuple[object, ...], dict[str, object]] | None] = {
    "2": (("x", 3), {}),
    "1:k": (("x",), {"k": 3}),
    "2:dim": (("x", 3), {"dim": 1}),
    "1:dim,k": (("x",), {"dim": 1, "k": 3}),
    "2:largest": (("x", 3), {"largest": False}),
    "3": (("x", 3, 1), {}),
    # No call gives it: its default.
    "2:limit": (("x", 3), {"limit": None}),
    "2:other": None,
    "4": None,
}


@pytest.mark.parametrize("shape", MADE)
def test_a_shape_is_filled_with_values_of_calls(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shapes, "by_name", lambda: {"torch.topk": (shapes.read(shape),)})
    made = [(call.args, dict(call.kwargs)) for call in shapes.calls(KNOWN, CALLS)]
    assert made == [found for found in [MADE[shape]] if found is not None]


def test_made_calls_say_where_they_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "by_name", lambda: {"torch.topk": (shapes.read("1:k"),)})
    (call,) = shapes.calls(KNOWN, CALLS)
    assert (call.origin, call.label, call.dtype) == ("pattern", "op-0-shape-0", "float32")


def test_the_shapes_are_of_names_that_pytorch_has_and_sorted() -> None:
    apis = files.load(DATA / "signatures" / "torch-2.13.0.jsonl")
    found = shapes.by_name()
    assert list(found) == sorted(found)
    assert found.keys() <= apis.keys()
    strange = {
        f"{name} {keyword}"
        for name, of_it in found.items()
        for _, keywords in of_it
        for keyword in keywords
        if not any(keyword in parse(text).names for text in apis[name].signatures)
    }
    assert strange == set()
