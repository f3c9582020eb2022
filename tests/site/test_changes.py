"""The page of a record: what each release of MindSpore changed, and on which of them it ran."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from tests.builders.serving import get

from datasette_msmap import server
from datasette_msmap.pages import record_sheet
from msmap import vocabulary
from msmap.query.base import records
from msmap.query.base.record_drift import EFFECTS
from msmap.query.drift import drift
from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize("language", ["", "/zh"])
def test_a_record_tells_what_releases_changed(history: Path, language: str) -> None:
    """Folded, by what each release did, with a way to all of it; nothing where nothing did."""
    site = server.site(history)
    shown = 0
    with KnowledgeBase.open(history) as kb:
        for summary in kb.records():
            text = get(site, f"{language}/{summary.torch}").text
            part = text.partition('<h2 id="happened">')[2].partition("</section>")[0]
            wanted = record_sheet.worth_telling(drift.history(kb, summary.torch))
            links = re.findall(r'href="([^"#]*/releases[^"#]*)"', part)
            assert [unescape(link) for link in links] == [
                f"{language}/releases?from={step.before}&to={step.after}" for step in wanted
            ]
            said = [EFFECTS[step.record.effect][language == "/zh"] for step in wanted]
            assert re.findall(r'<h3>.*?<span class="dim">(.*?)</span></h3>', part) == said
            shown += len(wanted)
    assert shown


@pytest.fixture(scope="module")
def ran(history: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That database, where a record ran in all releases, one in the newest alone, others in two."""
    path = tmp_path_factory.mktemp("ran") / "msmap.db"
    shutil.copy(history, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        newest = connection.execute("SELECT max(id) FROM release").fetchone()[0]
        one, other = connection.execute(
            'SELECT DISTINCT c.owner FROM "check" c JOIN record r ON r.torch = c.owner'
            ' JOIN run ON run."check" = c.id ORDER BY 1 DESC LIMIT 2'
        ).fetchall()
        mine = '"check" IN (SELECT id FROM "check" WHERE owner = ?)'
        connection.execute(f"DELETE FROM run WHERE last < {newest} AND {mine}", one)
        connection.execute(f"UPDATE run SET first = {newest} WHERE {mine}", one)
        connection.execute(f"DELETE FROM run WHERE last < {newest} AND {mine}", other)
        connection.execute(f"UPDATE run SET first = 0 WHERE {mine}", other)
        connection.execute(
            "INSERT INTO environment (name, torch, mindspore, device, machine, family, release)"
            " SELECT r.name, e.torch, r.name, e.device, e.machine, e.family, r.id"
            " FROM release r, environment e WHERE r.framework = 'mindspore' AND r.id NOT IN"
            " (SELECT release FROM environment) GROUP BY r.id"
        )
    return path


@pytest.mark.parametrize("language", ["", "/zh"])
def test_a_check_is_said_to_hold_where_it_ran_alone(ran: Path, language: str) -> None:
    """All releases where it ran in all of them, else those by name; so the page of its record."""
    site = server.site(ran)
    chinese = language == "/zh"
    comma = "、" if chinese else ", "
    every = "各版本均为：{0}" if chinese else "{0} in all releases"
    some = "{0}，仅在 {1} 上运行过" if chinese else "{0}, run on {1} alone"
    rest = "未运行" if chinese else "not run"
    hollow = "{0} 上未运行任何检查。" if chinese else "No check ran on {0}."
    seen = set()
    with KnowledgeBase.open(ran) as kb:
        known = list(kb.known_releases())
        alone = f"仅 MindSpore {known[-1]}" if chinese else f"MindSpore {known[-1]} alone"
        for summary in kb.records():
            found = records.outcomes(kb, summary.torch)
            tested = {release for outcomes in found.values() for release in outcomes}
            text = get(site, f"{language}/{summary.torch}").text
            labels = re.findall(
                r'id="check-([^"]*)">.*?class="dots"[^>]*aria-label="(.*?)">(.*?)</span>', text
            )
            for check, label, squares in labels:
                outcomes = found[check]
                words = {r: vocabulary.VERIFICATIONS[o][chinese] for r, o in outcomes.items()}
                if len(set(words.values())) > 1:
                    said = comma.join(f"{release} {words.get(release, rest)}" for release in known)
                else:
                    one = next(iter(words.values()))
                    said = (every if len(outcomes) == len(known) else some).format(
                        one, comma.join(outcomes)
                    )
                assert unescape(label) == said
                drawn = [mark != "unrun" for mark in re.findall('class="([^"]*)"', squares)]
                assert drawn == [release in outcomes for release in known]
                seen.add((len(outcomes), len(set(words.values()))))
            unrun = [release for release in known if release not in tested]
            assert (hollow.format(comma.join(unrun)) in text) == bool(tested and unrun)
            assert (alone in text) == (tested == {known[-1]})
    assert seen == {(1, 1), (2, 1), (2, 2), (3, 1)}
