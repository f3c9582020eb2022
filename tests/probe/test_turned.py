"""Examples of MindSpore's documentation turned round into calls of PyTorch's names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders.support import base, function, layer, method

from msmap.curated import schema
from msmap.probe import documented, turned
from msmap.probe.bench import Bench

TORCH = [
    function("torch.add", "(input, other, *, alpha=1, out=None)"),
    function("torch.cat", "(tensors, dim=0, *, out=None)"),
    function("torch.roll", "(input, shifts, dims=None)"),
    function("torch.zeros", "(*size, dtype=None)"),
    method("torch.Tensor.add", "(other, *, alpha=1)"),
    layer("torch.nn.Linear", "(in_features, out_features, bias=True)", call="(input)"),
]
MINDSPORE = [
    function("mindspore.mint.add", "(input, other, *, alpha=1)"),
    function("mindspore.ops.cat", "(tensors, axis=0)"),
    function("mindspore.ops.roll", "(x, shifts, axis=None)"),
    function("mindspore.ops.zeros", "(size, dtype=None)"),
    method("mindspore.Tensor.add", "(other, *, alpha=1)"),
    layer("mindspore.nn.Linear", "(in_features, out_features, has_bias=True)", call="(x)"),
]


def sources(text: str) -> tuple[str, ...]:
    return tuple(f"{line.strip()}\n" for line in text.strip().splitlines())


# MindSpore's name, its example; PyTorch's name -> the calls that come of it, with their inputs
X, Y = ([1.0, 2.0], "float32"), ([3, 4], "int32")
CASES = {
    "a function by position and by keyword": (
        "mindspore.mint.add",
        """
        import numpy as np
        import mindspore
        from mindspore import Tensor, mint
        x = Tensor(np.array([1, 2]), mindspore.float32)
        y = Tensor(np.array([3, 4]).astype(np.int32))
        print(mint.add(x, y, alpha=2))
        mint.add(input=x, other=3)
        """,
        "torch.add",
        [
            ("torch.add(input, other, alpha=2)", {"input": X, "other": Y}),
            ("torch.add(input, 3)", {"input": X}),
        ],
    ),
    "a function as a method": (
        "mindspore.mint.add",
        """
        x = ms.tensor([1, 2], ms.float32)
        ms.mint.add(x, ms.tensor([3, 4], ms.int32))
        """,
        "torch.Tensor.add",
        [("x.add(other)", {"x": X, "other": Y})],
    ),
    "a method as a function, also one that is called by its class": (
        "mindspore.Tensor.add",
        """
        from mindspore import Tensor
        x, y = Tensor([1.0, 2.0]), Tensor([3.0])
        x.add(5)
        Tensor.add(x, 6, alpha=7)
        """,
        "torch.add",
        [
            ("torch.add(input, 5)", {"input": X}),
            ("torch.add(input, 6, alpha=7)", {"input": X}),
        ],
    ),
    "parameters of other names, by what the target says": (
        "mindspore.ops.cat",
        """
        x = mindspore.tensor([1.0, 2.0])
        ops.cat((x, x), axis=-1)
        """,
        "torch.cat",
        [("torch.cat((tensors_0, tensors_1), -1)", {"tensors_0": X, "tensors_1": X})],
    ),
    "as many as there are": (
        "mindspore.ops.zeros",
        "mindspore.ops.zeros((2, 3), mindspore.int32)",
        "torch.zeros",
        [("torch.zeros(2, 3, dtype=torch.int32)", {})],
    ),
    "a layer that is made and called": (
        "mindspore.nn.Linear",
        """
        net = nn.Linear(2, 3, has_bias=False)
        net(mindspore.Tensor([1.0, 2.0]))
        """,
        "torch.nn.Linear",
        [("torch.nn.Linear(2, 3, False)(input)", {"input": X})],
    ),
    "what an example changes is as it was": (
        "mindspore.mint.add",
        """
        x = mindspore.Tensor([1.0, 2.0])
        mint.add(x, 1)
        x += 5
        """,
        "torch.add",
        [("torch.add(input, 1)", {"input": X})],
    ),
    "what isn't known of MindSpore gives nothing": (
        "mindspore.mint.add",
        """
        x = mindspore.ops.unheard(3)
        mint.add(x, 1)
        mint.add(nowhere, 1)
        import os
        mint.add(os.getpid(), 1)
        """,
        "torch.add",
        ["object"],
    ),
    "what PyTorch lacks gives nothing": (
        "mindspore.mint.add",
        "mint.add(mindspore.Tensor([1.0, 2.0]), 1, beta=2)",
        "torch.add",
        ["signature"],
    ),
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(base(tmp_path, TORCH, MINDSPORE))


def told(bench: Bench, api: str, example: str, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    found = {api: sources(example)}
    monkeypatch.setattr(documented, "read", lambda names, release: found)
    return turned.Turned(bench).told(name)


@pytest.mark.frameworks
@pytest.mark.parametrize("case", CASES)
def test_an_example_becomes_a_call(
    case: str, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from msmap.probe.samples import turned as here
    from msmap.probe.samples.call import Gap, Known
    from msmap.probe.samples.writing import write

    api, example, name, wanted = CASES[case]
    known = Known.of(bench.torch.apis[name])
    found: list[object] = []
    for call in here.calls(known, told(bench, api, example, name, monkeypatch)):
        if isinstance(call, Gap):
            found.append(call.reason)
            continue
        code, inputs = write(call, known)
        found.append((code, {n: (spec["values"], spec["dtype"]) for n, spec in inputs.items()}))
    assert found == wanted


def test_a_name_without_an_example_that_calls_it_has_none(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(bench, "mindspore.mint.add", "mint.sub(x, y)", "torch.add", monkeypatch) == ""
    assert turned.Turned(bench).digest(bench.prepare("torch.add")) == ""


def test_examples_are_told_with_what_reads_them(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = told(bench, "mindspore.ops.roll", "ops.roll(x, 1, 0)", "torch.roll", monkeypatch)
    assert json.loads(text) == [
        {
            "api": "mindspore.ops.roll",
            "kind": "function",
            "signatures": ["(x, shifts, axis=None)"],
            "call": [],
            "names": {"x": ["input"], "axis": ["dims"]},
            "sources": ["ops.roll(x, 1, 0)\n"],
        }
    ]
    assert len(turned.Turned(bench).digest(bench.prepare("torch.roll"))) == 8


def test_what_a_target_changes_on_the_way_is_not_read_backwards() -> None:
    target = schema.Target(
        api="mindspore.nn.Dropout",
        parameters=[
            schema.Parameter(torch="q", mindspore="p", relation="renamed"),
            schema.Parameter(
                torch="p", mindspore="keep_prob", relation="value_transformed",
                cases=[schema.Case(when="any", set={"keep_prob": "1 - {p}"})],
            ),
            schema.Parameter(torch="inplace", relation="source_only_droppable"),
        ],
    )  # fmt: skip
    assert turned.backwards(target) == {"p": ["q"], "keep_prob": []}


def test_examples_are_those_of_the_release_alone() -> None:
    assert documented.read(["mindspore.Tensor"], "0.1") == {}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "    >>> x = [1,\n    ...      2]\n    >>> f(x)\n    3\n",
            ["x = [1,\n     2]\n", "f(x)\n"],
        ),
        # One that doctest can't parse is read line by line.
        (">>> f(1)\n   >>> g(2)\n2\n >>>h\n", ["f(1)", "g(2)"]),
        ("No example.", []),
    ],
)
def test_statements_are_those_of_examples(text: str, wanted: list[str]) -> None:
    assert documented.sources(text) == wanted


@pytest.mark.frameworks
def test_the_installed_mindspore_is_read() -> None:
    names = ["mindspore.ops.roll", "mindspore.no_such_name"]
    release = documented.installed()
    found = documented.read(names, release)
    assert list(found) == ["mindspore.ops.roll"]
    assert documented.calls("mindspore.ops.roll", found["mindspore.ops.roll"])
