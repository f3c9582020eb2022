"""MindSpore names that no record maps to, and the way from them back to PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap import render
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers, related
from msmap.query.names import lookup as understood
from msmap.render.layout import Line


@pytest.fixture(scope="module")
def kb(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


@pytest.mark.parametrize(
    ("name", "torch"),
    [
        ("mindspore.ops.Conv2D", ["torch.nn.functional.conv2d", "torch.nn.Conv2d"]),
        ("ops.ReduceSum", ["torch.sum", "torch.Tensor.sum"]),
        ("mindspore.ops.ReduceAll", ["torch.all", "torch.Tensor.all"]),
        ("mindspore.ops.ReduceScatter", ["torch.distributed.reduce_scatter"]),
        ("mindspore.ops.TensorAdd", ["torch.add", "torch.Tensor.add"]),
        ("mindspore.ops.GatherV2", ["torch.index_select", "torch.nn.functional.embedding"]),
        ("mindspore.ops.ExpandDims", ["torch.unsqueeze"]),
        ("mindspore.ops.OneHot", ["torch.nn.functional.one_hot"]),
        ("mindspore.ops.AllReduce", ["torch.distributed.all_reduce"]),
        ("mindspore.numpy.ones", ["torch.ones"]),
        ("mindspore.nn.LSTMCell", ["torch.nn.LSTMCell"]),
        ("mindspore.train.Accuracy", []),
    ],
)
def test_an_operator_without_a_record_leads_to_what_pytorch_calls_it(
    name: str, torch: list[str], kb: KnowledgeBase
) -> None:
    known = kb.mindspore_name(name)
    assert known is not None
    found = related.reverse(kb, known)
    sources = found.sources if found else ()
    assert [s.torch for _, s in sources][: len(torch) or None] == torch
    assert {rank for rank, _ in sources} <= {0}


def test_what_records_map_to_is_told_by_them_alone(kb: KnowledgeBase) -> None:
    found = kb.reverse("mindspore.nn.Dense")
    assert [(rank, s.torch) for rank, s in found.sources] == [(2, "torch.nn.Linear")]


def test_other_names_of_an_operation_are_those_of_operators_that_have_a_record(
    kb: KnowledgeBase,
) -> None:
    """A table that nobody could look anything up by would be noticed by none."""
    operators = {
        name.rpartition(".")[2].lower()
        for name in kb.apis()
        if name.rpartition(".")[0] == "mindspore.ops" and name.rpartition(".")[2][0].isupper()
    }
    bare = {operator[:-2] if operator[-2:-1] == "v" else operator for operator in operators}
    assert set(related._OTHERWISE) - operators - bare == set()
    torch = {name for names in related._OTHERWISE.values() for name in names}
    assert sorted(name for name in torch if kb.find(name) is None) == []


@pytest.mark.parametrize(
    ("name", "guides", "told"),
    [
        ("mindspore.set_context", "devices-and-context", "torch.set_default_device"),
        ("mindspore.context", "devices-and-context", "torch.set_default_device"),
        ("mindspore.Model.train", "custom-training-steps", ""),
        ("mindspore.nn.Cell.bprop", "custom-backward", ""),
        ("mindspore.ParallelMode", "distributed-set-up", ""),
        ("mindspore.nn.learning_rate_schedule.LearningRateSchedule", "learning-rates", ""),
        ("mindspore.export", "export-and-onnx", "torch.onnx.export"),
        ("mindspore.nn.cosine_decay_lr", "", "torch.optim.lr_scheduler.CosineAnnealingLR"),
    ],
)
def test_a_name_that_none_maps_to_leads_to_what_tells_of_it(
    name: str, guides: str, told: str, kb: KnowledgeBase
) -> None:
    (answer,) = understood.answer(kb, name)
    assert (answer.found, answer.basis, answer.nearest) == (True, "curated", ())
    assert answer.reverse is None
    assert not guides or guides in answer.guides
    assert not told or told in answer.told


@pytest.mark.parametrize("name", ["mindspore.nothing.at_all", "mindspore.train.ModelCheckpoint"])
def test_what_nothing_tells_of_isn_t_found(name: str, kb: KnowledgeBase) -> None:
    answer = answers.answer(kb, name)
    assert (answer.found, answer.told, answer.guides) == (False, (), ())
    assert answer.nearest


def test_a_name_of_pytorch_that_guides_tell_of_still_needs_a_record(kb: KnowledgeBase) -> None:
    assert answers.answer(kb, "torch.optim.Optimizer.no_such").found is False


def _lines(name: str, kb: KnowledgeBase, form: str, language: str) -> list[str]:
    found = answers.Lookup({}, (answers.answer(kb, name),))
    told = render.tell(found, form, render.View(language))
    return [one.text if isinstance(one, Line) else str(one).rstrip("\n") for one in told]


def test_the_page_says_that_no_record_maps_to_it(kb: KnowledgeBase) -> None:
    english = _lines("mindspore.ops.Conv2D", kb, "text", "en")
    assert english[2] == "no record maps to it; PyTorch has the operation as"
    assert english[3].split() == ["torch.nn.functional.conv2d", "->", "mindspore.ops.conv2d"]
    chinese = _lines("mindspore.ops.Conv2D", kb, "text", "zh")
    assert chinese[2] == "没有记录对应到它；该运算在 PyTorch 中为"
    marked = _lines("mindspore.ops.Conv2D", kb, "markdown", "en")
    assert marked[0] == "## `mindspore.ops.Conv2D`"
    assert marked[2].startswith("- `torch.nn.functional.conv2d`: ")


def test_what_tells_of_a_name_is_listed(kb: KnowledgeBase) -> None:
    english = _lines("mindspore.nn.cosine_decay_lr", kb, "text", "en")
    assert english == [
        "mindspore.nn.cosine_decay_lr is known, but no record maps to it",
        "named in the records of torch.optim.lr_scheduler.CosineAnnealingLR",
    ]
    assert _lines("mindspore.nn.cosine_decay_lr", kb, "text", "zh") == [
        "mindspore.nn.cosine_decay_lr 已知，但没有记录对应到它",
        "以下记录提到它：torch.optim.lr_scheduler.CosineAnnealingLR",
    ]
    marked = _lines("mindspore.nn.cosine_decay_lr", kb, "markdown", "en")
    assert [line.lstrip("- ") for line in marked if line] == english
