"""Text cut into words, and queries that find them again."""

from __future__ import annotations

import sqlite3

import pytest

from msmap.query.search import tokens as words


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("softmax", "softmax"),
        ("Softmax", "softmax"),
        ("LayerNorm", "layernorm layer norm"),
        ("BatchNorm2d", "batchnorm2d batch norm 2 d"),
        ("HTTPServer", "httpserver http server"),
        ("layer_norm", "layer_norm layer norm"),
        ("torch.nn.GRU", "torch nn gru"),
        ("lr=1e-5", "lr 1e 1 e 5"),
        ("学习率", "学习 习率 率"),
        ("的", "的"),
        ("在MindSpore中，默认值", "在 mindspore mind spore 中 默认 认值 值"),
        ("  (,;)  ", ""),
        ("", ""),
    ],
)
def test_identifiers_are_cut_at_capitals_and_chinese_into_pairs(text: str, cut: str) -> None:
    assert words.cut(text) == cut


SYNONYMS = {"lr": ["lr", "学习率"], "学习率": ["lr", "学习率"], "multi gpu": ["multi gpu", "ddp"]}


@pytest.mark.parametrize(
    ("text", "looked_for"),
    [
        ("softmax", ['"softmax"*']),
        ("Layer Norm", ['"layer"', '"norm"*']),
        ("nn.Linear", ['"linear"*']),
        ("how do I freeze in MindSpore", ['"freeze"']),
        ("what is this", []),
        ("torch", ['"torch"*']),
        ("x.view(-1, 10)", ['"view"']),
        ("学习", ['"学习"']),
        ("衰减率", ['"衰减"', '"减率"']),
        ("冻结和梯度", ['"冻结"', '"梯度"']),
        ("怎么冻结", ['"冻结"']),
        ("lr", ['"lr" OR "学习 习率"']),
        ("学习率衰减 Adam", ['"学习 习率" OR "lr"', '"衰减"', '"adam"*']),
        ("Multi-GPU training", ['"multi gpu" OR "ddp"', '"training"*']),
        ("率", ['"率"*']),
        ('a "b" OR -c*', ['"b"', '"c"']),
        ("NEAR(aa, bb)", ['"near"', '"aa"', '"bb"*']),
        ("()", []),
        ("", []),
    ],
)
def test_a_text_is_terms_of_which_any_form_will_do(text: str, looked_for: list[str]) -> None:
    assert [term.query for term in words.terms(text, SYNONYMS)] == looked_for


class Counted(dict[str, list[str]]):
    """Synonyms that count how often they are asked for a phrase."""

    asked = 0

    def __contains__(self, phrase: object) -> bool:
        self.asked += 1
        return super().__contains__(phrase)


def test_a_run_of_chinese_twice_as_long_takes_twice_as_long() -> None:
    counted = [Counted(SYNONYMS), Counted(SYNONYMS)]
    for count, synonyms in zip((1000, 2000), counted, strict=True):
        assert len(words.terms("词" * count, synonyms)) == count - 1
    once, twice = (synonyms.asked for synonyms in counted)
    assert twice < 2.1 * once


def test_what_says_little_may_be_lacking() -> None:
    terms = words.terms("训练 dropout model", {})
    assert [(term.query, term.faint) for term in terms] == [
        ('"训练"', True), ('"dropout"', False), ('"model"*', True),
    ]  # fmt: skip


DOCUMENTS = {
    "layer": "torch.nn.LayerNorm normalises; epsilon differs. 层归一化，默认值不同",
    "rank": "torch.linalg.matrix_rank 求矩阵的秩",
    "rate": "torch.optim.Adam 学习率不同",
    "conv": "torch.nn.Conv2d 二维卷积核",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("layernorm", ["layer"]),
        ("norm", ["layer"]),
        ("LayerNorm epsilon", ["layer"]),
        ("normalised", ["layer"]),
        ("normalising", ["layer"]),
        ("eps", ["layer"]),
        ("epsilon adam", ["layer", "rate"]),
        ("matrix_rank", ["rank"]),
        ("rank", ["rank"]),
        ("matrix_r", ["rank"]),
        ("Conv2", ["conv"]),
        ("torch", ["layer", "rank", "rate", "conv"]),
        ("不同", ["layer", "rate"]),
        ("学习率", ["rate"]),
        ("学率", []),
        ("Adam 学习率", ["rate"]),
        ("学习率 矩阵", ["rank", "rate"]),
        ("矩阵", ["rank"]),
        ("秩", ["rank"]),
        ("核", ["conv"]),
        ("卷", ["conv"]),
    ],
)
def test_full_text_search_finds_what_was_cut(text: str, found: list[str]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE document"
        " USING fts5(name UNINDEXED, body, tokenize='porter unicode61')"
    )
    connection.executemany(
        "INSERT INTO document VALUES (?, ?)",
        [(name, words.cut(body)) for name, body in DOCUMENTS.items()],
    )
    rows = connection.execute(
        "SELECT name FROM document WHERE document MATCH ? ORDER BY rowid",
        (" OR ".join(term.query for term in words.terms(text, {})),),
    ).fetchall()
    connection.close()
    assert [name for (name,) in rows] == found
