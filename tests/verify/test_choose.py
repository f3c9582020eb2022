"""What can't run is told before anything does, whoever owns the check."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.builders.checks import check

from msmap.errors import MsmapError
from msmap.model import Check, Guide, Section, Text
from msmap.query.knowledge_base import KnowledgeBase
from msmap.verify.plan.choose import Chosen

PORT = "check `case` can't be ported"
CODE = "the code of check `case` isn't Python that ends in an expression"


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ({"mindspore": ""}, PORT),
        ({"torch": "torch.abs(x"}, CODE),
        ({"mindspore": "mindspore.ops.abs(x"}, CODE),
        ({"mindspore": "mindspore.ops.abs(x)\0"}, CODE),
        ({"mindspore": "y = mindspore.ops.abs(x)"}, CODE),
        ({"mindspore": "# nothing"}, CODE),
    ],
    ids=str,
)
def test_a_check_that_cannot_run_is_named(
    written: dict[str, str], wrong: str, kb: KnowledgeBase
) -> None:
    record = replace(kb.lookup("nn.GELU"), checks=(check(), check(**written)))
    guide = guided(check(**written))
    for records, guides, owner in (([record], [], "torch.nn.GELU"), ([], [guide], "topic")):
        with pytest.raises(MsmapError) as raised:
            Chosen(kb, records, guides)
        assert str(raised.value) == f"{owner}: {wrong}; see `msmap lint`"


def test_checks_that_can_run_are_taken(kb: KnowledgeBase) -> None:
    record = replace(kb.lookup("nn.GELU"), checks=(check(),))
    assert Chosen(kb, [record], [guided(check())]).records == [record]


def guided(*checks: Check) -> Guide:
    """A guide of one section with these checks."""
    text = Text("", "")
    return Guide("topic", text, text, (Section("one", text, text, None, None, checks),), (), ())
