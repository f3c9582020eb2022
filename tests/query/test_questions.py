"""A hundred questions as people ask them, each with the pages that answer it.

Thirty were put aside while search was made better, and count like the others.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap.query.knowledge_base import KnowledgeBase

FOLDER = Path(__file__).parents[1] / "fixtures" / "search"
WANTED = 95
# Forty more, written without a look at the synonyms: 34 of them led to a right page then. What was
# mended after that was no list of theirs but what all questions are read by.
TYPED, TYPED_WANTED = "typed.tsv", 37
# And forty later ones, of which 36 led to a right page when they were first asked.
ASKED, ASKED_WANTED = "asked.tsv", 38
# Sixty of people in trouble: 30 of the first forty led to a right page when first asked, then
# words were joined to groups and names within a question counted, and of the other twenty, 18 did.
TROUBLED, TROUBLED_WANTED = "troubled.tsv", 57
# 102 later ones: of the first 63, 49 led to a right page, and of the other 39, asked after what
# words are looked for and where had been mended by the first, 32.
LATER, LATER_WANTED = "later.tsv", 90
# 125 more, most of them errors and code as they are pasted: of the first 56, 46 led to a right page
# when first asked, of the next 39, 31, and of the last thirty, asked after what was behind the
# misses of the others had been mended, 26.
PRESSED, PRESSED_WANTED = "pressed.tsv", 116


def questions(table: str = "questions.tsv") -> list[dict[str, str]]:
    """The rows of a table; a guide among its pages is written as ``guide:ID``."""
    with (FOLDER / table).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def first_pages(kb: KnowledgeBase, question: str) -> list[str]:
    """The first three pages that a question leads to."""
    hits = kb.search(question, 3)
    return [f"guide:{hit.name}" if hit.kind == "guide" else hit.name for hit in hits]


@pytest.fixture(scope="module")
def kb(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


def test_every_page_that_is_wanted_is_there(kb: KnowledgeBase) -> None:
    tables = ("questions.tsv", TYPED, ASKED, TROUBLED, LATER, PRESSED)
    asked = [row for name in tables for row in questions(name)]
    known = {f"guide:{guide.id}" for guide in kb.guides()} | {s.torch for s in kb.records()}
    sizes = [len(questions(name)) for name in tables]
    assert sizes == [100, 40, 40, 60, 102, 125]
    assert len({row["question"] for row in asked}) == len(asked)
    assert {page for row in asked for page in row["pages"].split()} - known == set()


def test_what_no_documentation_has_stands_behind_what_it_has(kb: KnowledgeBase) -> None:
    assert first_pages(kb, "丢弃") == [
        "torch.nn.Dropout", "torch.nn.functional.dropout", "torch.dropout",
    ]  # fmt: skip


def test_the_right_page_is_among_the_first_three(kb: KnowledgeBase) -> None:
    for asked, wanted in (
        (questions(), WANTED), (questions(TYPED), TYPED_WANTED), (questions(ASKED), ASKED_WANTED),
        (questions(TROUBLED), TROUBLED_WANTED), (questions(LATER), LATER_WANTED),
        (questions(PRESSED), PRESSED_WANTED),
    ):  # fmt: skip
        missed = {
            row["question"]: found
            for row in asked
            if not set(row["pages"].split()) & {*(found := first_pages(kb, row["question"]))}
        }
        assert len(missed) <= len(asked) - wanted, missed


@pytest.mark.parametrize(
    ("asked", "guide"),
    [
        ("warm up", "warm-up-and-resuming"),
        ("断点续训", "warm-up-and-resuming"),
        ("EMA", "several-networks"),
        ("deepcopy", "several-networks"),
        ("export onnx", "export-and-onnx"),
        ("pack padded sequence", "sequences-and-samplers"),
        ("weighted sampler", "sequences-and-samplers"),
        ("beam search", "decoding"),
        ("束搜索", "decoding"),
        ("数据增强", "image-transforms"),
        ("why is my model slow", "why-is-it-slow"),
        ("为什么慢", "why-is-it-slow"),
    ],
)
def test_a_topic_leads_to_its_guide(kb: KnowledgeBase, asked: str, guide: str) -> None:
    assert f"guide:{guide}" in first_pages(kb, asked)


@pytest.mark.parametrize(
    ("typed", "meant"), [("gradiant", "gradient"), ("convolusion", "convolution")]
)
def test_a_misspelt_word_is_read_as_the_one_like_it(
    kb: KnowledgeBase, typed: str, meant: str
) -> None:
    assert first_pages(kb, f"{typed} checkpointing") == first_pages(kb, f"{meant} checkpointing")


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("soft max", "torch.nn.Softmax"), ("交叉熵损失", "torch.nn.CrossEntropyLoss"),
        ("seqential", "torch.nn.Sequential"),
        ("x[mask] = -1", "torch.Tensor.__setitem__"), ("a @ b", "torch.Tensor.__matmul__"),
        ("+=", "torch.Tensor.__iadd__"), ("one-hot", "torch.nn.functional.one_hot"),
        ("torch.nn.functional.log_sofmax", "torch.nn.functional.log_softmax"),
    ],
)  # fmt: skip
def test_a_name_is_found_however_it_is_put(kb: KnowledgeBase, asked: str, name: str) -> None:
    """In two words, in words that mean the same, misspelt, below a namespace, or as an operator."""
    hits = [hit.name for hit in kb.search(asked, 8)]
    assert name in hits


def test_a_word_like_no_other_stays(kb: KnowledgeBase) -> None:
    """It doesn't become something else."""
    assert first_pages(kb, "zzyzxqw kwyjibo") == []
