"""What may be meant by what has been typed so far."""

from __future__ import annotations

import pytest

from msmap.model import Text
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import suggest
from msmap.query.names.suggest import Suggestion


def _of(kind: str, name: str, text: str) -> Suggestion:
    return Suggestion(name, kind, Text(text, text))


DROPOUT = _of("record", "torch.nn.Dropout", "mindspore.nn.Dropout")
TARGET = _of("name", "mindspore.nn.Dropout", "torch.nn.Dropout")
CAT = _of("record", "torch.cat", "mindspore.mint.cat")
TRAINING = Suggestion("training", "guide", Text("Training and evaluation", "训练与推理"))


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("drop", [DROPOUT, TARGET]),
        ("Dropout", [DROPOUT, TARGET]),
        ("mindspore.nn.dropo", [TARGET, DROPOUT]),
        ("nn.dropo", [DROPOUT]),
        ("mint.ca", [CAT]),
        ("train", [TRAINING, DROPOUT]),
        ("训练", [TRAINING, DROPOUT]),
        ("torch.cat ", [CAT]),
        ("Droput", [DROPOUT, TARGET]),
        ("", []),
    ],
)
def test_suggestions(typed: str, found: list[Suggestion], kb: KnowledgeBase) -> None:
    assert suggest.suggest(kb, typed) == found
    assert suggest.suggest(kb, typed, 1) == found[:1]


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("nn.Dropout", "torch.nn.Dropout"),
        ("ops.cat", "mindspore.ops.cat"),
        ("torch.tanh", None),
        ("Dropout rate", None),
        ("not in", None),
        ("", None),
    ],
)
def test_a_spelling_means_a_name_with_an_answer(
    spelling: str, name: str | None, kb: KnowledgeBase
) -> None:
    assert suggest.answerable(kb, spelling) == name


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("dropout2", []), ("ca", ["torch.cat"]), ("c%", []), ("c_t", []), ("c\\", [])],
)
def test_what_is_typed_is_no_pattern(wanted: str, found: list[str], kb: KnowledgeBase) -> None:
    assert suggest.starting(kb, wanted, 1) == found
