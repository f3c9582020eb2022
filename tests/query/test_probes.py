"""What a machine has tried, asked of the database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import probing

from msmap import render
from msmap.candidates import Summary
from msmap.errors import NotFound
from msmap.model import Text
from msmap.probed import Tally
from msmap.query.base.records import answered
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names.suggest import suggest
from msmap.render.layout import Line

DEVICES = ("Ascend", "GPU", "CPU")


@pytest.fixture
def kb(probed: Path) -> Iterator[KnowledgeBase]:
    """The knowledge base with probes."""
    with KnowledgeBase.open(probed) as found:
        yield found


def test_a_probe_has_what_was_found_and_both_signatures(kb: KnowledgeBase) -> None:
    found = kb.probe("relu")
    assert (found.torch, found.kind, found.signatures, found.environment, found.basis) == (
        "torch.relu", "function", ("(input: Tensor) -> Tensor",), probing.ENVIRONMENT, "probed",
    )  # fmt: skip
    assert (found.samples, found.gaps) == (probing.RELU.samples, probing.RELU.gaps)
    same = ("found", "values", "gradients", "errors", "dtypes", "kinds", "differences")
    for candidate, written in zip(found.candidates, probing.RELU.candidates, strict=True):
        assert {key: getattr(candidate, key) for key in same} == {
            key: getattr(written, key) for key in same
        }


def test_the_first_candidates_are_put_together_as_targets_are(kb: KnowledgeBase) -> None:
    """Of the others there is the name, and what it is documented for."""
    found = kb.probe("relu").candidates
    assert [(c.mindspore, c.runs_on, c.target and c.target.key) for c in found] == [
        ("mindspore.ops.relu", DEVICES, "mindspore.ops.relu"),
        ("mindspore.nn.ReLU", DEVICES, "mindspore.nn.ReLU"),
        ("{input} * (mindspore.ops.tanh({input}) > 0)", (), "through-tanh"),
        ("mindspore.nn.GELU", DEVICES, None),
    ]
    softmax = kb.probe("nn.Softmax").candidates[0].target
    assert softmax is not None
    assert [(p.torch, p.mindspore, p.relation) for p in softmax.parameters] == [
        (("dim",), ("axis",), "renamed")
    ]


@pytest.mark.parametrize(
    ("name", "known", "message"),
    [
        ("torch.cat", "torch.cat", "torch.cat has a record, and so no probe"),
        ("torch.nn.ReLU", "torch.nn.ReLU", "torch.nn.ReLU is known, but was not probed"),
        ("torch.gone", None, "torch.gone is not known"),
    ],
)
def test_what_nobody_has_tried_is_not_found(
    name: str, known: str | None, message: str, kb: KnowledgeBase
) -> None:
    with pytest.raises(NotFound) as caught:
        kb.probe(name)
    assert caught.value.known == known
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("ops.relu", ("mindspore.ops.relu", ["torch.relu"])),
        ("mindspore.nn.GELU", ("mindspore.nn.GELU", [])),
        ("mindspore.gone", ("", [])),
    ],
)
def test_a_mindspore_name_was_what_it_agrees_best_with(
    name: str, found: tuple[str, list[str]], kb: KnowledgeBase
) -> None:
    known, summaries = kb.found_as(name)
    assert (known, [s.torch for s in summaries]) == found


def test_a_mindspore_name_that_no_record_maps_to_is_answered_by_probes(kb: KnowledgeBase) -> None:
    answer = answers.answer(kb, "mindspore.ops.relu")
    assert (answer.found, answer.basis, answer.known, [s.torch for s in answer.found_as]) == (
        True, "probed", "mindspore.ops.relu", ["torch.relu"],
    )  # fmt: skip
    lines = render.tell(answers.Lookup({}, (answer,)), "text", render.View())
    assert [one.text for one in lines if isinstance(one, Line)] == [
        "mindspore.ops.relu", "not curated: found by running", "was in PyTorch",
        "  torch.relu  43 of 48 samples agree",
    ]  # fmt: skip


def test_a_name_that_was_tried_has_no_record(kb: KnowledgeBase) -> None:
    with pytest.raises(NotFound):
        kb.lookup("torch.relu")
    assert {s.torch for s in kb.records()}.isdisjoint(s.torch for s in kb.probes())


def test_search_finds_what_was_tried_by_both_names(kb: KnowledgeBase) -> None:
    assert [(hit.kind, hit.name, hit.title, hit.snippet) for hit in kb.search("tanh")] == [
        ("probe", "torch.tanh", Text("found by running: 0/6 samples agree",
                                     "由运行得出：样例一致 0/6"), "mindspore.ops.tanh"),
    ]  # fmt: skip
    assert [hit.name for hit in kb.search("ops.relu")] == ["torch.relu"]
    (view,) = kb.search("view")
    assert view.title == Text(
        "known by name alone: nothing in MindSpore has such a name",
        "仅知其名：MindSpore 中没有名称相近的 API",
    )


def test_records_come_before_what_was_tried_but_for_its_very_name(kb: KnowledgeBase) -> None:
    found = [(hit.kind, hit.name) for hit in kb.search("dropout")]
    assert found == [
        ("record", "torch.nn.Dropout"), ("probe", "torch.nn.functional.dropout"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("torch.nn.So", [("torch.nn.Softmax", "probe", "found by running: 8/8 samples agree")]),
        ("drop", [
            ("torch.nn.Dropout", "record", "mindspore.nn.Dropout"),
            ("torch.nn.functional.dropout", "probe",
             "known by name alone: no inputs are known that it takes"),
            ("mindspore.nn.Dropout", "name", "torch.nn.Dropout"),
        ]),
    ],
)  # fmt: skip
def test_suggestions_have_what_was_tried(
    typed: str, found: list[tuple[str, str, str]], kb: KnowledgeBase
) -> None:
    assert [(s.name, s.kind, s.text.en) for s in suggest(kb, typed)] == found


def test_completions_and_pages_have_what_was_tried(kb: KnowledgeBase) -> None:
    """A page is worth being listed if anything was run."""
    assert kb.completions("torch.nn.f") == ["torch.nn.functional.dropout"]
    listed = answered(kb)
    assert {"torch.relu", "torch.tanh", "torch.nn.Softmax"} <= set(listed)
    assert "torch.nn.functional.dropout" not in listed
    assert "torch.Tensor.view" not in listed


SOFTMAX = Summary("torch.nn.Softmax", "mindspore.nn.Softmax", "", Tally(8, 8), Tally(8, 8), DEVICES)
DROPOUT = Summary(
    "torch.nn.functional.dropout", "mindspore.ops.dropout", "no_samples", Tally(), Tally(), DEVICES
)


@pytest.mark.parametrize(
    ("namespace", "found"),
    [
        ("torch.nn", [SOFTMAX, DROPOUT]),
        ("torch.nn.functional", [DROPOUT]),
        ("torch.n", []),
    ],
)
def test_probes_in_lines(namespace: str, found: list[Summary], kb: KnowledgeBase) -> None:
    assert kb.probes(namespace) == found


def test_probes_of_all_namespaces_come_by_name(kb: KnowledgeBase) -> None:
    assert [s.torch for s in kb.probes()] == [
        "torch.Tensor.view", "torch.nn.Softmax", "torch.nn.functional.dropout", "torch.relu",
        "torch.tanh",
    ]  # fmt: skip
