"""Every answer of a command has words in every form that the command line has."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import pytest

from msmap import contracts, vocabulary
from msmap.evidence import environments
from msmap.query.drift import drift
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import lookup as understood
from msmap.render import View, labels, tell
from msmap_cli import options, output

TOLD = [form for form in get_args(options.Format) if form not in output._DUMPED]
# What the API alone answers with, or writes line by line.
OTHERS = {"Error", "Outcome", "Record"}
# Reports that are read in a terminal or in a browser.
NO_DOCUMENTS = {"Checked", "Compared"}


@pytest.mark.parametrize("form", TOLD)
def test_a_form_knows_every_answer(form: str) -> None:
    known = set(import_module(f"msmap.render.{form}")._TELLERS)
    answered = {described.__name__ for described in contracts._OUTPUTS.values()}
    left_out = OTHERS | (NO_DOCUMENTS if form == "markdown" else set())
    assert known == answered - left_out | {answers.Guide.__name__}


@pytest.mark.parametrize("language", vocabulary.LANGUAGES)
@pytest.mark.parametrize("form", TOLD)
def test_an_answer_is_told_as_lines(form: str, language: str, kb: KnowledgeBase) -> None:
    """In whatever language: its first line names what is asked for."""
    same = environments.Comparison(("one", "other"), (), (), (), 0)
    told = {
        "torch.nn.GELU": understood.lookup(kb, ["nn.GELU"]),
        "torch.cat": answers.Search("cat", tuple(kb.search("torch.cat"))),
        "mint.cat(a)": answers.Ported(kb.port("torch.cat(a)")),
        "training": answers.Guides(tuple(kb.guides())),
        kb.guide("training").title.get(language): answers.Guide((kb.guide("training"),)),
        "one": same,
        kb.releases()["mindspore"]: drift.between(kb, kb),
    }
    for named, answer in told.items():
        pieces = list(tell(answer, form, View(language)))
        first = pieces[0] if isinstance(pieces[0], str) else pieces[0].text
        assert named in first


@pytest.mark.parametrize("table", ["RECORD", "DRIFT", "CLAIMS", "MISSING"])
def test_labels_are_in_both_languages(table: str) -> None:
    found = getattr(labels, table)
    assert tuple(found) == vocabulary.LANGUAGES
    assert set(found["en"]) == set(found["zh"])
