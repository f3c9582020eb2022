"""Lists over all records."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from msmap.model import Text
from msmap.query.base import bulk, records
from msmap.query.base.records import Danger, Entry
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers


def test_a_record_in_a_list(kb: KnowledgeBase) -> None:
    found = records.entries(kb)
    assert [entry.torch for entry in found] == [s.torch for s in kb.records()]
    assert found[0] == Entry(
        torch="torch.Tensor.size",
        namespace="torch.Tensor",
        mindspore="{self}.shape",
        api="",
        category="composite",
        verification="verified",
        summary=Text(
            "The shape of a tensor, or one dimension of it.", "张量的形状，或其中一维的大小。"
        ),
        runs_on=(),
        ran_on=("CPU",),
        impacts={},
    )
    assert {e.torch: e.impacts for e in found if e.impacts} == {
        "torch.cat": {"note": 1},
        "torch.nn.Dropout": {"silent": 1},
    }
    assert {e.torch: e.mindspore for e in found if not e.api} == {
        "torch.Tensor.size": "{self}.shape",
        "torch.cuda.empty_cache": "",
        "torch.jit.script": "",
    }


def test_categories_by_name(kb: KnowledgeBase) -> None:
    assert records.categories(kb) == {s.torch: kb.lookup(s.torch).category for s in kb.records()}


def test_related_records_share_a_target_or_the_end_of_their_name(kb: KnowledgeBase) -> None:
    assert records.Relatives(kb).of("torch.cat") == {}
    assert records.Relatives(kb).of("torch.Tensor.cat") == {"torch.cat": "identical"}
    assert records.Relatives(kb).of("torch.nn.functional.GELU", 1) == {
        "torch.nn.GELU": "input_usage_differs"
    }


@pytest.mark.parametrize(
    ("owner", "found"),
    [
        ("torch.cat", {"axis": {"2.10.0": "verified"}, "last": {"2.10.0": "verified"}}),
        ("guide:training", {"start": {"2.10.0": "diverges_documented"}}),
        ("torch.nothing", {}),
    ],
)
def test_what_came_out_of_the_checks_of_an_owner(
    owner: str, found: dict[str, dict[str, str]], kb: KnowledgeBase
) -> None:
    assert records.outcomes(kb, owner) == found


def test_silent_differences(kb: KnowledgeBase) -> None:
    text = Text(
        "The first position is keep_prob. Write Dropout(p=0.1).",
        "第一个位置参数是 keep_prob，应写成 Dropout(p=0.1)。",
    )
    assert records.dangers(kb) == [
        Danger("torch.nn.Dropout", "position-is-kept", text, "mindspore.nn.Dropout")
    ]
    assert records.dangers(kb, 0) == []


def test_every_name_with_an_answer(kb: KnowledgeBase) -> None:
    assert records.answered(kb) == [
        *(s.torch for s in kb.records()),
        "mindspore.mint.cat",
        "mindspore.mint.nn.GELU",
        "mindspore.nn.Dropout",
        "mindspore.nn.GELU",
        "mindspore.ops.cat",
    ]


@pytest.mark.parametrize("size", [1, 4, 100])
def test_stored_records_come_in_pieces(size: int, kb: KnowledgeBase) -> None:
    pieces = list(bulk.documents(kb, size))
    assert {len(piece) for piece in pieces[:-1]} <= {size}
    stored = [bulk.document(kb, s.torch) for s in kb.records()]
    assert [one for piece in pieces for one in piece] == stored
    assert bulk.document(kb, "torch.nothing") is None


@pytest.mark.parametrize("size", [1, 4, 100])
def test_outcomes_come_in_pieces(size: int, kb: KnowledgeBase) -> None:
    pieces = list(bulk.outcomes(kb, size))
    assert {len(piece) for piece in pieces[:-1]} <= {size}
    found = {(one["owner"], one["check"]) for piece in pieces for one in piece}
    checks = {(s.torch, c.id) for s in kb.records() for c in kb.lookup(s.torch).checks}
    checks |= {(f"guide:{g.id}", c.id) for g in kb.guides() for s in g.sections for c in s.checks}
    assert found == checks


def test_an_answer_as_plain_values_is_what_dataclasses_tell(kb: KnowledgeBase) -> None:
    """With values of its own: who changes them changes no answer."""
    told: list[Any] = [
        answers.List(tuple(kb.records())),
        *(answers.answer(kb, name) for name in ("torch.cat", "mindspore.nn.GELU", "nothing")),
        answers.search(kb, "dropout", 10),
        answers.coverage(kb, None),
        answers.proof(kb.lookup("torch.cat")),
        kb.lookup("torch.nn.Dropout"),
        kb.guides()[0],
        kb.claims()[0],
    ]
    for answer in told:
        plain = answers.plain(answer)
        assert repr(plain) == repr(asdict(answer))
        _spoil(plain)
        assert "spoiled" not in repr(answer)


def _spoil(value: Any) -> None:
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list | tuple):
            _spoil(inner)
    if isinstance(value, dict):
        value["spoiled"] = True
    elif isinstance(value, list):
        value.append("spoiled")
