"""What documents and published tables state, asked of the database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from tests.builders import probing

from msmap import contracts, render
from msmap.errors import NotFound
from msmap.model import Text
from msmap.probed import Tally
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names.statements import statements
from msmap.render.layout import Line
from msmap.tabled import Row, Table

RELU = ("torch.relu", "refuted", "differs")
SOFTMAX = ("torch.nn.Softmax", "holds", "agrees")
TANH = ("torch.tanh", "held_until", "gone")
STATES = ["starts-in-training", "starts-in-evaluation", "keep-prob", "many-cards"]


@pytest.fixture
def kb(probed: Path) -> Iterator[KnowledgeBase]:
    """The knowledge base with probes and a table."""
    with KnowledgeBase.open(probed) as found:
        yield found


@pytest.mark.parametrize(
    ("filters", "claims", "rows"),
    [
        ({}, STATES, []),
        ({"source": "pairs-of-others"}, [], [RELU, SOFTMAX, TANH, SOFTMAX]),
        ({"source": "pairs-of-others", "verdict": "refuted"}, [], [RELU]),
        ({"source": "pairs-of-others", "about": "nn.Softmax"}, [], [SOFTMAX, SOFTMAX]),
        ({"source": "pairs-of-others", "topic": "modes"}, [], []),
        ({"source": "manual", "about": "relu"}, [], []),
        ({"about": "relu"}, [], [RELU]),
        ({"about": "mindspore.ops.relu"}, [], [RELU]),
        ({"about": "mindspore.ops.Gone"}, [], [TANH]),
        ({"about": "torch.nothing"}, [], []),
        ({"verdict": "partly"}, [], []),
        ({"verdict": "refuted"}, ["starts-in-training"], []),
    ],
)
def test_filters_hold_for_statements_and_rows(
    filters: dict[str, str],
    claims: list[str],
    rows: list[tuple[str, str, str]],
    kb: KnowledgeBase,
) -> None:
    """Rows are told of one table, or about one name: all of them are too many."""
    found = statements(kb, **filters)
    assert [claim.id for claim in found.claims] == claims
    assert [(row.torch, row.verdict, row.finding) for row in found.rows] == rows


def test_a_row_has_what_was_found_and_the_call_that_differs(kb: KnowledgeBase) -> None:
    found = statements(kb, source="pairs-of-others", verdict="refuted")
    assert found.rows == (
        Row(
            table="pairs-of-others",
            torch="torch.relu",
            mindspore="mindspore.ops.relu",
            says="same",
            parameters=(),
            verdict="refuted",
            finding="differs",
            values=Tally(43, 48),
            gradients=Tally(12, 12),
            sample=probing.DIFFERS,
        ),
    )
    verdicts = {"held_until": 1, "holds": 2, "refuted": 1}
    assert found.tables == (Table("pairs-of-others", Text("Pairs", "对照表"), "2.4", "", verdicts),)


@pytest.mark.parametrize("source", ["pairs", "manuel"])
def test_what_is_no_document_names_those_that_there_are(source: str, kb: KnowledgeBase) -> None:
    with pytest.raises(NotFound) as caught:
        statements(kb, source=source)
    assert caught.value.nearest == ("manual", "pairs-of-others")


ENGLISH = """\
Pairs
  torch.relu -> mindspore.ops.relu  consistent: refuted
      some samples give another result, 43 of 48 samples agree, 12 of 12 gradients agree
      [results differ] torch.relu(input)
        1 of 3 values differ
        PyTorch [0, 0, 1]  MindSpore [-128, 0, 1]
        input: int8 [-128, 0, 1]; other: float32[2, 3] low -1.0 high 1.0
1 refuted
"""
CHINESE = """\
对照表
  torch.nn.Softmax -> mindspore.nn.Softmax  功能一致：成立
      所有样例一致，样例一致 8/8，梯度一致 8/8
  torch.nn.Softmax -> mindspore.nn.Softmax  功能一致，参数名不同 (dim)：成立
      所有样例一致，样例一致 8/8，梯度一致 8/8
2 成立
"""


@pytest.mark.parametrize(
    ("language", "verdict", "text"), [("en", "refuted", ENGLISH), ("zh", "holds", CHINESE)]
)
def test_rows_as_text(language: str, verdict: str, text: str, kb: KnowledgeBase) -> None:
    found = statements(kb, source="pairs-of-others", verdict=verdict)
    told = [cast("Line", each) for each in render.tell(found, "text", render.View(language))]
    assert "".join(f"{line.text}\n" for line in told) == text


def test_json_has_all_of_it(kb: KnowledgeBase) -> None:
    found = contracts.json_value(statements(kb, about="relu"))
    (row,) = found["rows"]
    assert row["values"] == {"agreed": 43, "tried": 48}
    assert row["sample"]["torch"] == "torch.relu(input)"
    assert json.loads(json.dumps(found)) == found


def test_a_name_that_no_record_writes_was_what_tables_pair_it_with(kb: KnowledgeBase) -> None:
    """As far as samples agree."""
    known, found = kb.found_as("ops.relu")
    assert (known, [(s.torch, s.values) for s in found]) == (
        "mindspore.ops.relu", [("torch.relu", Tally(43, 48))],
    )  # fmt: skip
