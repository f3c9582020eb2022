"""Text cut into words, and queries that find them again."""

from __future__ import annotations

import sqlite3

import pytest

from msmap.query import words


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


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("softmax", '"softmax"*'),
        ("Layer Norm", '"layer" "norm"*'),
        ("nn.Linear", '"nn" "linear"*'),
        ("学习率", '"学习 习率"'),
        ("学习率 Adam", '"学习 习率" "adam"*'),
        ("率", '"率"*'),
        ('a "b" OR -c*', '"a" "b" "or" "c"*'),
        ("NEAR(a, b)", '"near" "a" "b"*'),
        ("()", ""),
        ("", ""),
    ],
)
def test_a_query_wants_every_word_and_has_no_syntax(text: str, query: str) -> None:
    assert words.query(text) == query


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
        ("eps", ["layer"]),
        ("epsilon adam", []),
        ("matrix_rank", ["rank"]),
        ("rank", ["rank"]),
        ("matrix_r", ["rank"]),
        ("Conv2", ["conv"]),
        ("torch", ["layer", "rank", "rate", "conv"]),
        ("不同", ["layer", "rate"]),
        ("学习率", ["rate"]),
        ("学率", []),
        ("Adam 学习率", ["rate"]),
        ("矩阵", ["rank"]),
        ("秩", ["rank"]),
        ("核", ["conv"]),
        ("卷", ["conv"]),
    ],
)
def test_full_text_search_finds_what_was_cut(text: str, found: list[str]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE document USING fts5(name UNINDEXED, body)")
    connection.executemany(
        "INSERT INTO document VALUES (?, ?)",
        [(name, words.cut(body)) for name, body in DOCUMENTS.items()],
    )
    rows = connection.execute(
        "SELECT name FROM document WHERE document MATCH ? ORDER BY rowid",
        (words.query(text),),
    ).fetchall()
    connection.close()
    assert [name for (name,) in rows] == found
