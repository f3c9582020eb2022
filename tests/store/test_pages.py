"""Stored pages: what the full path would render, in both languages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from msmap import database as index
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import record as page
from msmap.render import short
from msmap.render.layout import Line, unmarked


def live(lines: Iterator[Line]) -> str:
    """A page as text."""
    return "".join(f"{line.text}\n" for line in lines)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_stored_page_of_every_name_is_the_one_rendered_live(
    language: str, kb: KnowledgeBase, database: Path
) -> None:
    reversed_names = (
        "mindspore.mint.cat", "mindspore.mint.nn.GELU", "mindspore.nn.Dropout",
        "mindspore.nn.GELU", "mindspore.ops.cat",
    )  # fmt: skip
    records = [kb.lookup(summary.torch) for summary in kb.records()]
    full = {record.torch: live(page.record(record, language)) for record in records}
    brief = {record.torch: live(short.record(record, language)) for record in records}
    reverse = {n: live(page.reverse(kb.reverse(n), language)) for n in reversed_names}
    with closing(sqlite3.connect(database)) as connection:
        stored = [name for (name,) in connection.execute("SELECT name FROM page")]
        asked = {
            full: {n: index.plain(index.page(connection, n, language, full) or "") for n in stored}
            for full in (True, False)
        }
    assert asked == {True: full | reverse, False: brief | reverse}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_stored_page_keeps_its_styles(language: str, kb: KnowledgeBase, database: Path) -> None:
    """A terminal shows the lines that rendering would give."""
    told = {True: page.record, False: short.record}
    lines = {
        (s.torch, full): list(told[full](kb.lookup(s.torch), language))
        for s in kb.records()
        for full in told
    }
    with closing(sqlite3.connect(database)) as connection:
        stored = {
            (name, full): index.page(connection, name, language, full) or "" for name, full in lines
        }
    found = {name: [*map(unmarked, text.split("\n")[:-1])] for name, text in stored.items()}
    assert found == lines


def test_a_page_says_what_the_readers_language_is(database: Path) -> None:
    """Any language but Chinese is English; a name without a record has no page."""
    with closing(sqlite3.connect(database)) as connection:
        pages = {
            tongue: index.page(connection, "cat", tongue) or "" for tongue in ("en", "fr", "zh")
        }
        assert pages["fr"] == pages["en"] != pages["zh"]
        assert index.page(connection, "torch.relu", "en") is None
        assert index.page(connection, "nothing", "en") is None
