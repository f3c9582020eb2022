"""A hundred questions as people ask them, each with the pages that answer it.

Thirty were put aside while search was made better, and count like the others.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap.query.knowledge_base import KnowledgeBase

TABLE = Path(__file__).parents[1] / "fixtures" / "search" / "questions.tsv"
WANTED = 95


def questions() -> list[dict[str, str]]:
    """The rows of the table; a guide among its pages is written as ``guide:ID``."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def first_pages(kb: KnowledgeBase, question: str) -> list[str]:
    """The first three pages that a question leads to."""
    hits = kb.search(question, 3)
    return [f"guide:{hit.name}" if hit.kind == "guide" else hit.name for hit in hits]


@pytest.fixture(scope="module")
def kb(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


def test_there_are_a_hundred_and_every_page_is_there(kb: KnowledgeBase) -> None:
    asked = questions()
    known = {f"guide:{guide.id}" for guide in kb.guides()} | {s.torch for s in kb.records()}
    assert len({row["question"] for row in asked}) == 100
    assert {page for row in asked for page in row["pages"].split()} - known == set()


def test_the_right_page_is_among_the_first_three(kb: KnowledgeBase) -> None:
    missed = {
        row["question"]: found
        for row in questions()
        if not set(row["pages"].split()) & {*(found := first_pages(kb, row["question"]))}
    }
    assert len(missed) <= 100 - WANTED, missed
