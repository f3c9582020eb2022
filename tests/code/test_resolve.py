"""What the names and calls of a source mean, and where one record's API is used."""

from __future__ import annotations

import ast

import pytest
from tests.builders.support import base, function, method, named

from msmap.assemble.base import Base
from msmap.code.refusal import Refused
from msmap.code.resolve import Resolver
from msmap.code.source import Source

NAMES = [
    function("torch.sum", "(input)"),
    function("torch.cat", "(tensors)"),
    method("torch.Tensor.sum", "()"),
    method("torch.Tensor.half", "()"),
    method("torch.nn.Module.half", "()"),
    method("torch.optim.lr_scheduler.LRScheduler.step", "()"),
    named("torch.Tensor.T", "property"),
    named("torch.pi", "constant"),
]
MISSING = "missing: {en: No., zh: 无。}"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """A record of each name but torch.cat."""
    written = [(api.name, MISSING) for api in NAMES if api.name != "torch.cat"]
    return base(tmp_path_factory.mktemp("resolve"), NAMES, [], *written)


def unlike(*_: object) -> bool:
    return False


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.sum(x)", "torch.sum"),
        ("from torch import sum as total\ntotal(x)", "torch.sum"),
        ("x.sum()", "torch.Tensor.sum"),
        ("x.half()", "torch.Tensor.half"),
        ("model.half()", "torch.nn.Module.half"),
        ("u.half()", "torch.Tensor.half: u is taken for a tensor: .half() is torch.Tensor.half"),
        ("lr_scheduler.step()", "torch.optim.lr_scheduler.LRScheduler.step"),
        ("torch.pi.hex()", "nothing"),
        ("[1].sum()", "nothing"),
        ("np.sum(x)", "nothing"),
        ("super().half()", "nothing"),
        ("f(x)(y)", "nothing"),
        ("x.T()", "nothing"),
        ("torch.cat(x)", "refused: torch.cat is known, but has no record yet"),
        ("torch.dog(x)", "refused: torch.dog is no name of PyTorch that msmap knows"),
    ],
)
def test_what_a_call_means(code: str, expected: str, facts: Base) -> None:
    source = Source(code)
    last = source.tree.body[-1]
    assert isinstance(last, ast.Expr)
    assert isinstance(last.value, ast.Call)
    try:
        found = Resolver(source, facts).call(last.value, unlike)
    except Refused as refused:
        said = f"refused: {refused.reason.en}"
    else:
        note = "" if found is None or found.note is None else f": {found.note.en}"
        said = "nothing" if found is None else found.record.torch + note
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
