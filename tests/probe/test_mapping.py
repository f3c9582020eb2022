"""How a call is carried over to a candidate, as the signatures of both say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders.support import base, function, layer, method, named

from msmap.probe import mapping
from msmap.probe.bench import Bench, Ported
from msmap.probe.candidates import Catalogue
from msmap.probe.sample import Sample
from msmap.signatures.files import Api

# PyTorch's name, MindSpore's, a call, what it becomes (or why it can't be written)
PORTS: dict[str, tuple[Api, Api, str, str]] = {
    "the same names": (
        function("torch.mul", "(input, other, *, out=None)"),
        function("mindspore.ops.mul", "(input, other)"),
        "torch.mul(a, other=b)",
        "mindspore.ops.mul(a, other=b)",
    ),
    "names of one parameter": (
        function("torch.sum", "(input, dim=None, keepdim=False)"),
        function("mindspore.ops.sum", "(x, axis=None, keep_dims=False)"),
        "torch.sum(a, dim=1, keepdim=True)",
        "mindspore.ops.sum(a, axis=1, keep_dims=True)",
    ),
    "another default is written out": (
        function("torch.elu", "(input, slope=1.0)"),
        function("mindspore.ops.elu", "(input, slope=2.0)"),
        "torch.elu(a)",
        "mindspore.ops.elu(a, slope=1.0)",
    ),
    "nothing is left out, where MindSpore has None": (
        function("torch.roll", "(input, shifts, dims=())"),
        function("mindspore.ops.roll", "(input, shifts, dims=None)"),
        "torch.roll(a, 2)",
        "mindspore.ops.roll(a, 2)",
    ),
    "the same place, kind and default": (
        function("torch.roll", "(input, shift, turns=1)"),
        function("mindspore.ops.roll", "(input, by, times=1)"),
        "torch.roll(a, 2, turns=3)",
        "mindspore.ops.roll(a, 2, times=3)",
    ),
    "what is needed, where MindSpore has None": (
        function("torch.fill", "(input, number)"),
        function("mindspore.ops.fill", "(input, scalar=None)"),
        "torch.fill(a, 3)",
        "mindspore.ops.fill(a, 3)",
    ),
    "a rate to drop is none to keep": (
        function("torch.dropout", "(input, p=0.5)"),
        function("mindspore.ops.dropout", "(input, keep_prob=0.5)"),
        "torch.dropout(a, 0.1)",
        "torch.dropout: `p=0.1`: `p` has no counterpart in MindSpore",
    ),
    "what MindSpore lacks may be the default": (
        function("torch.sort", "(input, stable=False)"),
        function("mindspore.ops.sort", "(input)"),
        "torch.sort(a, stable=False)",
        "mindspore.ops.sort(a)",
    ),
    "what changes nothing is dropped": (
        function("torch.relu", "(input, inplace=False)"),
        function("mindspore.ops.relu", "(input)"),
        "torch.relu(a, inplace=True)",
        "mindspore.ops.relu(a)",
    ),
    "a function becomes a method": (
        function("torch.neg", "(input)"),
        method("mindspore.Tensor.neg", "()"),
        "torch.neg(a)",
        "a.neg()",
    ),
    "a method becomes a function": (
        method("torch.Tensor.add_", "(other, *, alpha=1)"),
        function("mindspore.ops.add_", "(x, y, alpha=1)"),
        "a.add_(b, alpha=2)",
        "mindspore.ops.add_(a, b, alpha=2)",
    ),
    "a property becomes a function": (
        named("torch.Tensor.real", "property"),
        function("mindspore.mint.real", "(input)"),
        "a.real",
        "mindspore.mint.real(a)",
    ),
    "a function becomes a layer": (
        function("torch.nn.functional.elu", "(input, alpha=1.0)"),
        layer("mindspore.nn.ELU", "(alpha=1.0)", call="(x)"),
        "torch.nn.functional.elu(a, alpha=2.0)",
        "mindspore.nn.ELU(alpha=2.0)(a)",
    ),
    "a layer with other names": (
        layer("torch.nn.Norm", "(size, eps=1e-05, device=None)", call="(input)"),
        layer("mindspore.nn.Norm", "(shape, epsilon=1e-05)", call="(x)"),
        "torch.nn.Norm(3, eps=0.1)(a)",
        "mindspore.nn.Norm(3, epsilon=0.1)(a)",
    ),
    "another name of the same place": (
        function("torch.scatter", "(input, index, src)", "(input, index, value)"),
        function("mindspore.ops.scatter", "(input, index, src)"),
        "torch.scatter(a, i, value=2)",
        "mindspore.ops.scatter(a, i, src=2)",
    ),
    "the place of which the other name is": (
        function("torch.scatter", "(input, index, src)", "(input, index, value)"),
        function("mindspore.ops.scatter", "(input, index, src)"),
        "torch.scatter(a, i, src)",
        "mindspore.ops.scatter(a, i, src)",
    ),
    "a layer that is a function there": (
        layer("torch.nn.Softplus", "(beta=1.0, threshold=20.0)", call="(input)"),
        function("mindspore.ops.softplus", "(input, beta=1, threshold=20)"),
        "torch.nn.Softplus(2)(a)",
        "(lambda input: mindspore.ops.softplus(input, beta=2, threshold=20.0))(a)",
    ),
    "of several readings the first": (
        function("torch.max", "(input)", "(input, dim, keepdim=False)", "(input, other)"),
        function("mindspore.ops.max", "(input, axis, keepdims=False)"),
        "torch.max(a, d)",
        "mindspore.ops.max(a, d)",
    ),
}


def ported(folder: Path, torch: Api, mindspore: Api, code: str, *written: tuple[str, str]) -> str:
    """The port of a call to the only candidate there is."""
    bench = Bench(base(folder, [torch], [mindspore], *written))
    prepared = bench.prepare(torch.name)
    (key,) = prepared.targets
    sample = Sample(torch.name, "made-0", "made", code, {}, "", ())
    done: Ported = bench.port(prepared, sample, key)
    return done.reason if done.code is None else done.code


@pytest.mark.parametrize(("torch", "mindspore", "code", "wanted"), PORTS.values(), ids=PORTS.keys())
def test_a_call_is_carried_over(
    torch: Api, mindspore: Api, code: str, wanted: str, tmp_path: Path
) -> None:
    assert ported(tmp_path, torch, mindspore, code) == wanted


def test_a_candidate_that_needs_more_is_none(tmp_path: Path) -> None:
    bench = Bench(
        base(
            tmp_path,
            [function("torch.scale", "(input)")],
            [function("mindspore.ops.scale", "(input, factor)")],
        )
    )
    assert bench.prepare("torch.scale").targets == {}


def test_a_siblings_mapping_is_taken_over_with_its_first_parameter(tmp_path: Path) -> None:
    torch = [
        function("torch.sub", "(input, other, *, alpha=1)"),
        method("torch.Tensor.sub", "(other, *, alpha=1)"),
    ]
    body = """\
    targets:
      - id: by-hand
        expression: "{input} - {alpha} * {other}"
      - api: mindspore.ops.sub
        parameters:
          - {torch: other, mindspore: y, relation: value_transformed, value: "{other} * {alpha}"}
    """
    made = base(tmp_path, torch, [function("mindspore.ops.sub", "(x, y)")], ("torch.sub", body))
    catalogue = Catalogue(made.torch, made.mindspore, made.written)
    targets: list[dict[str, Any]] = []
    for idea in catalogue.of("torch.Tensor.sub"):
        found = mapping.target(idea, "torch.Tensor.sub", made.torch, made.mindspore)
        assert found is not None
        targets.append(found.model_dump(exclude_defaults=True))
    assert targets == [
        {"id": "by-hand", "expression": "{self} - {alpha} * {other}"},
        {
            "api": "mindspore.ops.sub",
            "parameters": [
                {
                    "torch": "other", "mindspore": "y", "relation": "value_transformed",
                    "value": "{other} * {alpha}",
                },
                {"torch": "alpha", "relation": "source_only_unsupported", "allow": ["1"]},
            ],
        },
    ]  # fmt: skip


def test_a_siblings_placeholders_are_called_as_here_in_rows_of_parameters_too(
    tmp_path: Path,
) -> None:
    torch = [function("torch.sub_", "(input, other)"), method("torch.Tensor.sub_", "(other)")]
    body = """\
    targets:
      - id: copied
        expression: "{self}.copy_({self} - {other})"
        parameters:
          - torch: self
            mindspore: self
            relation: same
            cases:
              - {when: call, refuse: {en: Change it., zh: 请直接修改。}}
              - {when: any, set: {self: "{self}"}}
      - api: mindspore.ops.sub
        parameters:
          - {torch: self, mindspore: self, relation: same}
    """
    apis = [function("mindspore.ops.sub", "(self, other)")]
    bench = Bench(base(tmp_path, torch, apis, ("torch.Tensor.sub_", body)))
    targets = bench.prepare("torch.sub_").targets
    (row,) = targets["copied"].model_dump(exclude_defaults=True)["parameters"]
    assert (row["torch"], row["mindspore"]) == ("input", "input")
    assert row["cases"][1] == {"when": "any", "set": {"input": "{input}"}}
    # What MindSpore calls its own parameter stays.
    (row,) = targets["mindspore.ops.sub"].parameters
    assert (row.torch, row.mindspore) == ("input", "self")


def test_of_a_layers_mapping_its_input_is_no_parameter_that_makes_it(tmp_path: Path) -> None:
    torch = [
        layer("torch.nn.Pool", "(size)", call="(input)"),
        function("torch.nn.functional.pool", "(input, size)"),
    ]
    body = """\
    targets:
      - api: mindspore.nn.Pool
        parameters:
          - torch: size
            mindspore: length
            relation: value_transformed
            cases:
              - {when: tuple1, set: {length: "{size[0]}"}}
              - {when: any, set: {length: "{size}"}}
    """
    made = base(
        tmp_path, torch, [layer("mindspore.nn.Pool", "(length)", call="(input)")],
        ("torch.nn.Pool", body),
    )  # fmt: skip
    bench = Bench(made)
    prepared = bench.prepare("torch.nn.functional.pool")
    code = "torch.nn.functional.pool(x, (3,))"
    sample = Sample("torch.nn.functional.pool", "made-0", "made", code, {}, "", ())
    assert {key: bench.port(prepared, sample, key).code for key in prepared.targets} == {
        "mindspore.nn.Pool": "mindspore.nn.Pool(3)(x)"
    }


# a method without a signature, what has one, and what is taken for it
SIGNATURES: dict[str, tuple[list[Api], tuple[str, ...]]] = {
    "its own": ([method("torch.Tensor.mul_", "(other)")], ("(other)",)),
    "of the method that changes nothing": (
        [method("torch.Tensor.mul_"), method("torch.Tensor.mul", "(other)")],
        ("(other)",),
    ),
    "of the function": (
        [method("torch.Tensor.mul_"), function("torch.mul", "(input: Tensor, other, *, out=None)")],
        ("(other, *, out=None)",),
    ),
    "of nothing": ([method("torch.Tensor.mul_")], ()),
}


@pytest.mark.parametrize(("apis", "wanted"), SIGNATURES.values(), ids=SIGNATURES.keys())
def test_a_methods_signature_may_be_told_by_another(
    apis: list[Api], wanted: tuple[str, ...], tmp_path: Path
) -> None:
    made = base(tmp_path, apis, [])
    assert mapping.overloads("torch.Tensor.mul_", made.torch) == wanted
