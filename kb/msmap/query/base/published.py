"""Rows of published tables, each with what running its pair showed, as the store keeps them."""

from __future__ import annotations

import json

from msmap import model, tabled
from msmap.candidates import Summary
from msmap.query.base import decode
from msmap.query.base.rows import Rows


def tables(rows: Rows) -> list[tabled.Table]:
    """The tables, by id."""
    counted: dict[str, dict[str, int]] = {}
    for table, verdict, count in rows("SELECT table_id, verdict, count(*) FROM pair GROUP BY 1, 2"):
        counted.setdefault(table, {})[verdict] = count
    found = rows("SELECT id, title_en, title_zh, mindspore, url FROM pair_table ORDER BY id")
    return [
        tabled.Table(id_, model.Text(en, zh), mindspore, url, counted.get(id_, {}))
        for id_, en, zh, mindspore, url in found
    ]


def paired(rows: Rows, mindspore: str) -> list[Summary]:
    """The PyTorch names that tables pair a canonical MindSpore name with, as far as samples agree.

    None that the runs found gone, unknown or nothing of.
    """
    found = [row for row in find(rows, about=frozenset({mindspore})) if row.values.agreed]
    return [Summary(r.torch, mindspore, "", r.values, r.gradients, ()) for r in found]


def find(
    rows: Rows,
    table: str | None = None,
    verdict: str | None = None,
    about: frozenset[str] | None = None,
) -> list[tabled.Row]:
    """The rows that fit all filters, table by table.

    Args:
        rows: the database.
        table: the id of a table.
        verdict: one of ``tabled.ROW_VERDICTS``.
        about: names of either framework, as written or canonical.
    """
    sql, values = "SELECT document FROM pair WHERE 1", list[str]()
    for column, value in (("table_id", table), ("verdict", verdict)):
        if value is not None:
            sql, values = f"{sql} AND {column} = ?", [*values, value]
    if about is not None:
        marks = ", ".join("?" * len(about))
        columns = ("torch_name", "mindspore_name")
        sql += f" AND ({' OR '.join(f'{column} IN ({marks})' for column in columns)})"
        values += sorted(about) * len(columns)
    found = rows(f"{sql} ORDER BY id", values)
    return [decode.row(json.loads(rows.inflated("pair", data))) for (data,) in found]
