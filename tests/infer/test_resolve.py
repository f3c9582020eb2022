"""What the names and calls of a source mean, and where one record's API is used."""

from __future__ import annotations

import pytest
from tests.builders.support import base, function, layer, method, named

from msmap.assemble.base import Base
from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.infer.resolve import Resolver

NAMES = [
    function("torch.sum", "(input) -> Tensor"),
    function("torch.cat", "(tensors) -> Tensor"),
    method("torch.Tensor.sum", "() -> Tensor"),
    method("torch.Tensor.half", "() -> Tensor"),
    method("torch.nn.Module.half", "()"),
    method("torch.optim.lr_scheduler.LRScheduler.step", "()"),
    layer("torch.nn.Module", "()"),
    named("torch.Tensor.T", "property"),
    named("torch.pi", "constant"),
]
MISSING = "missing: {en: No., zh: 无。}"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """A record of each name but torch.cat."""
    written = [(api.name, MISSING) for api in NAMES if api.name != "torch.cat"]
    return base(tmp_path_factory.mktemp("resolve"), NAMES, [], *written)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.sum(x)", ["torch.sum"]),
        ("from torch import sum as total\ntotal(x)", ["torch.sum"]),
        ("x.sum()", ["torch.Tensor.sum"]),
        ("x.half()", ["torch.Tensor.half: x is taken for a tensor: .half() is torch.Tensor.half"]),
        ("model.half()", ["torch.nn.Module.half"]),
        ("u.half()", ["possible: .half() may be torch.Tensor.half or torch.nn.Module.half: nothing"
                      " proves what u is"]),
        ("lr_scheduler.step()", ["torch.optim.lr_scheduler.LRScheduler.step"]),
        ("torch.pi.hex()", ["torch.pi"]),
        ("[1].sum()", []),
        ("np.sum(x)", []),
        ("f(x)(y)", []),
        ("x.T()", ["torch.Tensor.T"]),
        ("torch.cat(x)", ["no_record: torch.cat is known, but has no record yet"]),
        ("torch.dog(x)", ["unknown_name: torch.dog is no name of PyTorch that msmap knows"]),
    ],
)  # fmt: skip
def test_what_is_used(code: str, expected: list[str], facts: Base) -> None:
    resolver = Resolver(Source(code), facts)
    said = []
    for use in resolver.reading.uses.values():
        try:
            found = resolver.meaning(use)
        except Refused as refused:
            said.append(f"{refused.kind}: {refused.reason.en}")
        else:
            said.append(found.record.torch + (f": {found.note.en}" if found.note else ""))
    assert said == expected


@pytest.mark.parametrize(
    ("own", "code", "expected"),
    [
        ("torch.sum", "torch.sum(f(torch.sum(x))), x.sum()",
         ["torch.sum(x)", "torch.sum(f(torch.sum(x)))"]),
        ("torch.Tensor.sum", "x.sum(), torch.Tensor.sum(x)", ["x.sum()", "torch.Tensor.sum(x)"]),
        ("torch.Tensor.sum", "xs = [1]\nxs.sum() + y.sum()", ["y.sum()"]),
        ("torch.nn.Module.half", "u.half()", ["u.half()"]),
        ("torch.Tensor.T", "x.T + np.T + y.T()", ["x.T", "y.T"]),
        ("torch.sum", "torch.dog(x)", []),
    ],
)  # fmt: skip
def test_where_a_record_is_used(own: str, code: str, expected: list[str], facts: Base) -> None:
    source = Source(code)
    assert [source.text(node) for node in Resolver(source, facts, own).owned()] == expected
