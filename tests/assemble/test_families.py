"""Names that share an answer: each is looked up, ported and listed as if it had a record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import support
from tests.builders.support import write_releases

from msmap import KnowledgeBase, model
from msmap.assemble.base import Base
from msmap.port.attempt import attempt
from msmap.store import build as store

COVERS = "covers: [torch.nn.functional.*, torch.jit.*, torch.concat, torch.tanh]\n"
SHARED = ("torch.nn.functional.dropout", "torch.tanh")
ADVICE = model.Text(
    "Decorate the function with mindspore.jit instead.", "请改用 mindspore.jit 装饰函数。"
)


def cover(directory: Path, name: str = "torch/jit/script.yaml") -> None:
    path = directory / "records" / name
    path.write_text(path.read_text(encoding="utf-8") + COVERS, encoding="utf-8")


@pytest.fixture
def base(checkout: Path) -> Base:
    """The small data directory, with a record that covers others."""
    cover(checkout)
    return support.read(checkout).base


@pytest.fixture
def covering(checkout: Path) -> KnowledgeBase:
    """The same in three releases, as a knowledge base."""
    write_releases(checkout)
    cover(checkout)
    store.build(checkout, Path("built.db"))
    return KnowledgeBase.open("built.db")


def test_all_names_that_a_pattern_means_are_covered_but_those_with_a_record(base: Base) -> None:
    """torch.jit.script has one; torch.concat is another name of torch.cat, which has one."""
    assert base.records["torch.jit.script"].covers == SHARED
    assert base.families == dict.fromkeys(SHARED, "torch.jit.script")
    assert [base.answers(name) for name in (*SHARED, "torch.relu")] == [True, True, False]


def test_a_covered_name_has_the_answer_and_a_signature_of_its_own(base: Base) -> None:
    head = base.records["torch.jit.script"]
    assert base.find("torch.tanh") == replace(
        head, torch="torch.tanh", covers=(), family="torch.jit.script",
        signatures=("(input: Tensor, *, out: Tensor | None = None) -> Tensor",),
    )  # fmt: skip
    assert base.records["torch.jit.script"].owner == "torch.jit.script"
    assert base.find("torch.tanh").owner == "torch.jit.script"  # type: ignore[union-attr]


def test_a_call_of_it_is_refused_with_the_advice(base: Base) -> None:
    found = attempt("torch.tanh(x)", base)
    assert [(r.kind, r.reason.en) for r in found.refusals] == [
        ("missing", f"torch.tanh has no counterpart: {ADVICE.en}")
    ]


@pytest.mark.usefixtures("covering")
def test_readers_find_it_in_every_release() -> None:
    for release in ("2.10.0", "2.9.0", "2.8.0"):
        with KnowledgeBase.open("built.db", release) as then:
            found = then.lookup("F.dropout")
        assert (found.torch, found.family, found.missing) == (
            "torch.nn.functional.dropout", "torch.jit.script", ADVICE,
        )  # fmt: skip


def test_it_counts_as_a_name_with_an_answer_and_not_as_a_record(covering: KnowledgeBase) -> None:
    counts = covering.stats()
    assert (counts["records"], counts["basis"]["curated"]) == (7, 9)
    listed = [s.torch for s in covering.records(category="missing")]
    assert listed == ["torch.jit.script", *SHARED]
    assert [hit.name for hit in covering.search("dropout")][-1] == "torch.jit.script"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("torch.tanh", "one answer for several names: the record of torch.jit.script"),
        ("torch.jit.script", "Also for: torch.nn.functional.dropout, torch.tanh"),
    ],
)
def test_its_page_says_whose_answer_it_is(covering: KnowledgeBase, name: str, said: str) -> None:
    from contextlib import closing

    from msmap import database

    with closing(database.connect("built.db")) as connection:
        page = database.page(connection, name, "en")
    assert page is not None
    assert said in database.plain(page).splitlines()
