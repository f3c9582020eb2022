"""The page of a record: what each release of MindSpore changed."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from tests.builders.serving import get

from datasette_msmap import server
from datasette_msmap.pages import record_sheet
from msmap.query import drift
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.record_drift import EFFECTS


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
