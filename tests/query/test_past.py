"""The knowledge base as of an earlier MindSpore release."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import support

from msmap.errors import NotFound, UnknownRelease
from msmap.model import Api, Text
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers

EVERYWHERE = ("Ascend", "GPU", "CPU")
GONE = Api(
    "mindspore.ops.gone", "mindspore", "2.8.0", "function", ("(x)",), (), (), "", "", "2.8.0"
)
RELU = Api(
    "mindspore.ops.relu", "mindspore", "2.10.0", "function", ("(input, inplace=False)",), (),
    EVERYWHERE, "", "2.9.0",
)  # fmt: skip


@pytest.fixture(params=["2.8.0", "2.9.0", "2.10.0"])
def each(request: pytest.FixtureRequest, history: Path) -> Iterator[KnowledgeBase]:
    """The knowledge base of three releases, as of each."""
    with KnowledgeBase.open(history, mindspore=request.param) as found:
        assert found.releases() == {"torch": "2.13.0", "mindspore": request.param}
        yield found


@pytest.fixture
def oldest(history: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(history, mindspore="2.8") as found:
        yield found


@pytest.fixture
def newest(history: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(history) as found:
        yield found


def test_every_record_guide_and_name_comes_out_as_its_release_has_it(
    each: KnowledgeBase, releases: Path
) -> None:
    found = support.read_all(releases)
    release = each.releases()["mindspore"]
    base = next(b for b in (*found.earlier, found.base) if b.mindspore.release == release)
    assert {s.torch: each.lookup(s.torch) for s in each.records()} == base.records
    assert {g.id: g for g in each.guides()} == base.guides
    assert each.apis() == {name: base.mindspore.api(name) for name in base.mindspore.apis}
    assert {n: each.api(n) for n in base.torch.apis} == {
        n: base.torch.api(n) for n in base.torch.apis
    }


def test_what_a_name_was_in_pytorch_follows_the_release(
    each: KnowledgeBase, releases: Path
) -> None:
    found = support.read_all(releases)
    release = each.releases()["mindspore"]
    base = next(b for b in (*found.earlier, found.base) if b.mindspore.release == release)
    assert {name: each.reverse(name) for name in base.reverses()} == base.reverses()


def test_a_record_is_stored_again_only_where_more_than_its_evidence_differs(
    newest: KnowledgeBase,
) -> None:
    rows = newest.rows(
        "SELECT torch, a.name, b.name FROM edition v JOIN release a ON a.id = v.first"
        " JOIN release b ON b.id = v.last ORDER BY torch, a.id"
    )
    assert rows == [
        ("torch.cat", "2.8.0", "2.9.0"),
        ("torch.nn.Dropout", "2.8.0", "2.8.0"),
        ("torch.relu", "2.8.0", "2.8.0"),
        ("torch.relu", "2.9.0", "2.9.0"),
    ]


def test_code_is_ported_to_the_release(each: KnowledgeBase) -> None:
    ports = {
        "2.8.0": "mindspore.ops.concat((x, x))",
        "2.9.0": "mindspore.ops.concat((x, x))",
        "2.10.0": "mindspore.mint.cat((x, x))",
    }
    assert each.port("torch.cat((x, x))").code == ports[each.releases()["mindspore"]]


def test_code_without_a_counterpart_in_the_release_is_refused(oldest: KnowledgeBase) -> None:
    assert [refusal.reason for refusal in oldest.port("torch.relu(x)").refusals] == [
        Text(
            "torch.relu has no counterpart: MindSpore 2.8.0 doesn't have mindspore.ops.relu; "
            "other releases do.",
            "torch.relu 没有对应的 API：MindSpore 2.8.0 中没有 mindspore.ops.relu；其他版本中有。",
        )
    ]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"category": "missing"}, ["torch.jit.script", "torch.relu"]),
        ({"category": "missing", "namespace": "torch.jit"}, ["torch.jit.script"]),
        ({"device": "Ascend"}, ["torch.cat", "torch.nn.Dropout", "torch.nn.GELU"]),
        ({"verification": "verified"}, []),
    ],
)
def test_records_are_filtered_by_what_the_release_makes_of_them(
    filters: dict[str, str], found: list[str], oldest: KnowledgeBase
) -> None:
    assert [summary.torch for summary in oldest.records(**filters)] == found


@pytest.mark.parametrize("spelling", ["mindspore.ops.gone", "ops.gone", "gone"])
def test_a_name_that_is_gone_is_told_from_one_that_never_was(
    spelling: str, newest: KnowledgeBase
) -> None:
    answer = answers.answer(newest, spelling)
    assert (answer.found, answer.known, answer.elsewhere) == (False, None, GONE)


def test_a_name_that_came_later_is_told_too(oldest: KnowledgeBase) -> None:
    with pytest.raises(NotFound) as caught:
        oldest.reverse("mindspore.ops.relu")
    assert (caught.value.known, caught.value.elsewhere) == (None, RELU)
    assert str(caught.value).startswith(
        "mindspore.ops.relu is not in this release of MindSpore, but in others; nearest: "
    )


def test_a_name_that_is_gone_is_there_in_its_time(oldest: KnowledgeBase) -> None:
    answer = answers.answer(oldest, "ops.gone")
    assert (answer.known, answer.elsewhere) == ("mindspore.ops.gone", None)


def test_the_newest_release_may_be_named(history: Path, newest: KnowledgeBase) -> None:
    with KnowledgeBase.open(history, mindspore="2.10") as named:
        assert type(named) is type(newest)


def test_a_release_that_nobody_knows_is_refused(history: Path) -> None:
    with pytest.raises(UnknownRelease) as caught:
        KnowledgeBase.open(history, mindspore="2.7")
    assert str(caught.value) == 'MindSpore release "2.7": one of 2.8.0, 2.9.0, 2.10.0'


def test_counts_are_of_the_newest_release(newest: KnowledgeBase) -> None:
    """`zero` is a check of earlier releases, and `torch.cat` is ported otherwise there."""
    stats = newest.stats()
    assert (stats["checks"], stats["evidence"]) == (10, 10)
    assert stats["outcome"] == {"verified": 10}
