"""Counts over the whole knowledge base."""

from __future__ import annotations

from pathlib import Path

from msmap.query.base import statistics
from msmap.query.base.statistics import Namespace
from msmap.query.knowledge_base import KnowledgeBase


def test_outcomes_by_release_stand_oldest_first(history: Path) -> None:
    with KnowledgeBase.open(history) as kb:
        found = statistics.outcomes_by_release(kb)
        assert list(found) == ["2.9.0", "2.10.0"]
        assert found["2.10.0"] == kb.stats()["outcome"]
        assert found["2.9.0"]["refuted"] == 1


def test_counts_of_caveats_and_arguments(kb: KnowledgeBase) -> None:
    assert statistics.impacts(kb) == {"note": 1, "silent": 1}
    assert statistics.relations(kb) == {
        "default_differs": 1,
        "same": 3,
        "source_only_droppable": 2,
        "target_only_keep_default": 2,
        "universal_absent": 1,
        "value_transformed": 1,
    }


def test_namespaces_stand_by_their_records(kb: KnowledgeBase) -> None:
    assert statistics.namespaces(kb) == [
        Namespace("torch.nn", 5, 2, 2, 0),
        Namespace("torch", 4, 1, 1, 0),
        Namespace("torch.Tensor", 2, 1, 1, 0),
        Namespace("torch.cuda", 1, 1, 0, 0),
        Namespace("torch.jit", 1, 1, 0, 0),
        Namespace("torch.nn.functional", 1, 0, 0, 0),
    ]
    assert statistics.mindspore_covered(kb) == (5, 14)
    assert statistics.without_record(kb, "torch.nn") == {
        "torch.nn.Dropout2d": "known",
        "torch.nn.ReLU": "known",
        "torch.nn.Softmax": "known",
    }
    assert statistics.without_record(kb, "torch.cuda") == {}


def test_names_are_counted_by_what_an_answer_rests_on(probed: Path) -> None:
    """A reason why nothing was run leaves a name known."""
    with KnowledgeBase.open(probed) as kb:
        assert kb.stats()["basis"] == {"curated": 6, "probed": 3, "known": 5}
        assert kb.stats()["names"]["torch"] == 15
        assert {n.name: n.probed for n in statistics.namespaces(kb) if n.probed} == {
            "torch": 2,
            "torch.nn": 1,
        }
        assert statistics.without_record(kb, "torch.nn") == {
            "torch.nn.Dropout2d": "known", "torch.nn.ReLU": "known", "torch.nn.Softmax": "probed",
        }  # fmt: skip


def test_what_answers_rest_on_adds_up(shipped: Path) -> None:
    """A record or a probe may be of an alias, which is no name of its own otherwise."""
    with KnowledgeBase.open(shipped) as kb:
        namespaces = statistics.namespaces(kb)
        whole = statistics.total(namespaces)
        assert [n.name for n in namespaces if n.known < 0] == []
        assert kb.stats()["basis"] == {
            "curated": whole.records, "probed": whole.probed, "known": whole.known,
        }  # fmt: skip
