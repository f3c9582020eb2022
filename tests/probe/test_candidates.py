"""What may be the counterpart of a name, before anything is run: the likeliest first."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders.support import base, function, layer, method, named

from msmap.probe.candidates import MOST, Catalogue

TORCH = [
    function("torch.mul", "(input, other)"),
    function("torch.sub", "(input, other)"),
    function("torch.sigmoid", "(input)"),
    method("torch.Tensor.mul", "(other)"),
    method("torch.Tensor.mul_", "(other)"),
    named("torch.Tensor.real", "property"),
    function("torch.nn.functional.leaky_relu", "(input, negative_slope=0.01)"),
    function("torch.nn.functional.one_hot", "(tensor, num_classes=-1)"),
    layer("torch.nn.LeakyReLU", "(negative_slope=0.01)", call="(input)"),
    layer("torch.nn.Bilinear", "(a)", call="(input1, input2)"),
    function("torch.scatter", "(input, dim, index, src)"),
    function("torch.scatter_reduce", "(input, dim, index, src, reduce)"),
    method("torch.Tensor.index_copy_", "(dim, index, source)"),
    function("torch.nowhere", "(input)"),
    named("torch.bool", "dtype"),
    named("torch.pi", "constant"),
]
MINDSPORE = [
    function("mindspore.mint.mul", "(input, other)"),
    function("mindspore.ops.mul", "(x, y)"),
    method("mindspore.Tensor.mul", "(other)"),
    method("mindspore.Tensor.mul_", "(other)"),
    method("mindspore.Tensor.real", "()"),
    function("mindspore.ops.sigmoid", "(input)"),
    function("mindspore.ops.leaky_relu", "(input, alpha=0.2)"),
    function("mindspore.mint.nn.functional.leaky_relu", "(input, negative_slope=0.01)"),
    layer("mindspore.nn.LeakyReLU", "(alpha=0.2)", call="(x)"),
    layer("mindspore.nn.BiDense", "(a)", call="(input1, input2)"),
    layer("mindspore.nn.OneHot", "(axis=-1, depth=1)", call="(indices)"),
    layer("mindspore.nn.Mul", "()"),
    named("mindspore.bool_", "dtype"),
    named("mindspore.numpy.pi", "constant"),
    function("mindspore.ops.scatter_ext", "(input, axis, index, src)"),
    method("mindspore.Tensor.index_copy_", "(dim, index, source)"),
    *(function(f"mindspore.ops.many_{n}", "(x)") for n in range(MOST + 3)),
]
SUB = "targets:\n  - {api: mindspore.ops.subtract}\n"
SIGMOID = """targets:
  - {api: mindspore.ops.sigmoid}
  - {id: by-exp, expression: '{input}'}
  - {id: otherwise, api: mindspore.ops.sigmoid, given: [out]}
"""

# a name -> its candidates with how each was found
CANDIDATES: dict[str, list[str]] = {
    "torch.mul": [
        "mindspore.mint.mul same_name", "mindspore.ops.mul same_name",
        "mindspore.Tensor.mul same_name", "mindspore.Tensor.mul_ form",
    ],
    "torch.Tensor.mul_": [
        "mindspore.Tensor.mul_ same_name", "mindspore.Tensor.mul form", "mindspore.mint.mul form",
        "mindspore.ops.mul form",
    ],
    "torch.Tensor.real": ["mindspore.Tensor.real same_name"],
    "torch.nn.functional.leaky_relu": [
        "mindspore.mint.nn.functional.leaky_relu same_name", "mindspore.ops.leaky_relu same_name",
        "mindspore.nn.LeakyReLU form",
    ],
    "torch.nn.LeakyReLU": ["mindspore.nn.LeakyReLU same_name"],
    "torch.nn.functional.one_hot": ["mindspore.nn.OneHot form"],
    "torch.nn.Bilinear": ["mindspore.nn.BiDense published"],
    "torch.sigmoid": [
        "mindspore.ops.sigmoid record", "by-exp record", "otherwise record",
    ],
    "torch.scatter": ["mindspore.ops.scatter_ext likeness"],
    "torch.scatter_reduce": [],
    "torch.Tensor.index_copy_": ["mindspore.Tensor.index_copy_ same_name"],
    "torch.nowhere": [],
    "torch.bool": ["mindspore.bool_ same_name"],
    "torch.pi": ["mindspore.numpy.pi same_name"],
}  # fmt: skip


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    made = base(tmp_path, TORCH, MINDSPORE, ("torch.sigmoid", SIGMOID))
    return Catalogue(made.torch, made.mindspore, made.written)


@pytest.mark.parametrize(("name", "wanted"), CANDIDATES.items(), ids=CANDIDATES.keys())
def test_candidates_come_likeliest_first(
    name: str, wanted: list[str], catalogue: Catalogue
) -> None:
    found = [f"{i.like.key if i.like else i.api} {i.found}" for i in catalogue.of(name)]
    assert found == wanted


def test_what_a_siblings_record_maps_to_comes_first(tmp_path: Path) -> None:
    written = ("torch.mul", "targets:\n  - {api: mindspore.ops.mul}\n")
    made = base(tmp_path, TORCH, MINDSPORE, written)
    found = Catalogue(made.torch, made.mindspore, made.written).of("torch.Tensor.mul")
    assert [(i.api, i.found, i.owner) for i in found[:2]] == [
        ("mindspore.ops.mul", "sibling", "torch.mul"),
        ("mindspore.Tensor.mul", "same_name", ""),
    ]


def test_what_a_record_says_for_another_number_of_axes_is_taken(tmp_path: Path) -> None:
    torch = [layer(f"torch.nn.Conv{n}d", "(size)", call="(input)") for n in (1, 2, 3)]
    mindspore = [
        layer(f"mindspore.nn.Conv{n}d", "(size, pad='same')", call="(x)") for n in (1, 2, 3)
    ]
    body = """\
    targets:
      - api: mindspore.nn.Conv2d
        parameters: [{mindspore: pad, relation: target_only_must_set, value: "'pad'"}]
    """
    made = base(tmp_path, torch, mindspore, ("torch.nn.Conv2d", body))
    (first, *_) = Catalogue(made.torch, made.mindspore, made.written).of("torch.nn.Conv3d")
    assert (first.api, first.found, first.owner) == (
        "mindspore.nn.Conv3d", "sibling", "torch.nn.Conv2d"
    )  # fmt: skip
    assert first.like is not None
    assert (first.like.api, first.like.parameters[0].value) == ("mindspore.nn.Conv3d", "'pad'")


def test_there_are_no_more_than_can_be_tried(tmp_path: Path) -> None:
    made = base(tmp_path, [function("torch.many", "(x)")], MINDSPORE)
    assert len(Catalogue(made.torch, made.mindspore, {}).of("torch.many")) == MOST
