"""Rows of published tables: what is so is decided by runs and signatures, not by who says it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import support

from msmap import tabled
from msmap.assemble.base import Base
from msmap.assemble.tables import Judge, published
from msmap.curated.tables import Table
from msmap.probed import Candidate, Difference, Probe, Tally

TORCH = [
    support.function("torch.mul", "(input, other=1)"),
    support.function("torch.div", "(input, other, inplace=False)"),
    support.function("torch.sort", "(input, dim=-1)"),
    support.function("torch.distributed.ends", "()"),
]
MINDSPORE = [
    support.function("mindspore.ops.mul", "(input, other=1)"),
    support.function("mindspore.ops.times", "(x, other=2)"),
    support.function("mindspore.ops.div", "(other, input)"),
    support.function("mindspore.mint.distributed.ends", "()"),
    support.function("mindspore.dataset.Flip", "()"),
]
SILENT = Difference("differs", 2, "values", torch="torch.mul(x)", mindspore="ops.mul(x)")
RAISES = Difference("raises", 3, "TypeError", torch="torch.mul(y)", mindspore="ops.mul(y)")
NO_KERNEL = Difference("no_kernel", 9, "unregistered", torch="torch.mul(z)")
REFUSED = Difference("refused", 9, "no overload", torch="torch.mul(w)")
GRADIENT = Difference("gradient_differs", 1, torch="torch.mul(g)")


def judge(name: str, api: str, agreed: int, *differences: Difference, **more: Any) -> Judge:
    """What judges by one probe of four samples."""
    candidate = Candidate(
        {"api": api}, "same_name", Tally(agreed, 4), differences=differences, **more
    )
    base = Base(support.signatures("torch", TORCH), support.signatures("mindspore", MINDSPORE), 0)
    return Judge(base, {name: Probe(name, "0", candidates=(candidate,))})


def row(judge: Judge, says: str, *pair: str) -> tabled.Row:
    """The row that a table of one has."""
    title = {"en": "A table", "zh": "一张表"}
    written = {"id": "one", "title": title, "mindspore": "2.4", "rows": {says: [list(pair)]}}
    (found,) = judge.rows(Table.model_validate(written))
    return found


MUL = ("torch.mul", "mindspore.ops.mul")
TIMES = ("torch.mul", "mindspore.ops.times")
DIV = ("torch.div", "mindspore.ops.div")


@pytest.mark.parametrize(
    ("says", "agreed", "differences", "verdict", "finding", "shown"),
    [
        ("same", 4, (), "holds", "agrees", None),
        ("same", 3, (RAISES,), "partly", "raises", "torch.mul(y)"),
        ("same", 2, (RAISES, SILENT), "refuted", "differs", "torch.mul(x)"),
        ("same", 4, (GRADIENT,), "refuted", "differs", "torch.mul(g)"),
        ("same", 0, (NO_KERNEL,), "not_testable", "no_kernel", "torch.mul(z)"),
        ("same", 0, (REFUSED,), "not_testable", "unwritten", "torch.mul(w)"),
        ("same", 0, (RAISES,), "partly", "raises", "torch.mul(y)"),
        ("pair", 2, (SILENT,), "refuted", "differs", "torch.mul(x)"),
        ("page", 2, (SILENT,), "holds", "differs", "torch.mul(x)"),
        ("page", 3, (RAISES,), "holds", "raises", "torch.mul(y)"),
        ("page", 4, (), "held_until", "agrees", None),
    ],
)
def test_what_samples_say_of_a_pair(
    says: str,
    agreed: int,
    differences: tuple[Difference, ...],
    verdict: str,
    finding: str,
    shown: str | None,
) -> None:
    found = row(judge(MUL[0], MUL[1], agreed, *differences), says, *MUL)
    sample = found.sample and found.sample.torch
    assert (found.verdict, found.finding, sample) == (verdict, finding, shown)
    assert found.values == Tally(agreed, 4)


def test_gradients_count_as_values_do() -> None:
    found = row(judge(*MUL, 4, RAISES, gradients=Tally(1, 2)), "same", *MUL)
    assert (found.verdict, found.finding, found.gradients) == ("partly", "raises", Tally(1, 2))


@pytest.mark.parametrize(
    ("says", "pair", "verdict"),
    [
        ("names", TIMES, "holds"),
        ("names", MUL, "held_until"),
        ("defaults", TIMES, "holds"),
        ("defaults", (*TIMES, "other"), "holds"),
        ("defaults", MUL, "held_until"),
        ("lacks", DIV, "holds"),
        ("lacks", (*DIV, "inplace"), "holds"),
        ("lacks", (*DIV, "other"), "held_until"),
        ("lacks", MUL, "held_until"),
        ("adds", TIMES, "holds"),
        ("adds", MUL, "held_until"),
        ("order", DIV, "holds"),
        ("order", MUL, "held_until"),
        ("page", TIMES, "holds"),
    ],
)
def test_a_stated_difference_is_one_as_long_as_the_signatures_have_it(
    says: str, pair: tuple[str, ...], verdict: str
) -> None:
    assert row(judge(pair[0], pair[1], 4), says, *pair).verdict == verdict


@pytest.mark.parametrize(
    ("says", "pair", "verdict", "finding"),
    [
        ("same", ("torch.mul", "mindspore.nn.Gone"), "held_until", "gone"),
        ("page", ("torch.mul", "mindspore.nn.Gone"), "held_until", "gone"),
        ("same", ("torch.Mul", "mindspore.ops.mul"), "not_testable", "unknown_name"),
        ("same", ("torchvision.Flip", "mindspore.dataset.Flip"), "not_testable", "other_library"),
        ("same", ("torch.sort", "mindspore.ops.mul"), "not_testable", "untried"),
        ("only", ("", "mindspore.mint.distributed.ends"), "refuted", "known_name"),
        ("only", ("", "mindspore.dataset.Flip"), "not_testable", "unknown_name"),
    ],
)
def test_what_nothing_was_run_of(
    says: str, pair: tuple[str, str], verdict: str, finding: str
) -> None:
    found = row(judge(*MUL, 4), says, *pair)
    assert (found.verdict, found.finding, found.values) == (verdict, finding, Tally())


def test_what_tables_pair_is_known_by_canonical_names() -> None:
    rows = {"same": [list(MUL), ["torchvision.Flip", "mindspore.dataset.Flip"]], "pair": [[*TIMES]]}
    title = {"en": "A table", "zh": "一张表"}
    table = Table.model_validate({"id": "one", "title": title, "mindspore": "2.4", "rows": rows})
    assert published(judge(*MUL, 4).base, [table]) == {
        "torch.mul": {"mindspore.ops.mul", "mindspore.ops.times"}
    }
