"""Columns that hold no plain values: JSON put together of its parts, and texts deflated."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest
from tests.builders import support
from tests.builders.checks import ran

from msmap import database, model
from msmap.store import documents


def test_a_record_is_the_json_of_all_its_fields() -> None:
    differs = model.Finding("differs", torch_gave="[1.0]", mindspore_gave='"和"')
    check = ran("same", "best", all_keyword="agrees")
    (found,) = check.evidence
    more = replace(found, variants={"graph": differs}, unexplained=("graph",))
    checks = (replace(check, evidence=(found, more)), replace(check, id="bare", evidence=()))
    record = replace(next(iter(support.world().records.values())), checks=checks)
    expected = json.dumps(asdict(record), ensure_ascii=False, separators=(",", ":"))
    assert documents.encoded(record) == expected


def test_of_variants_what_says_anything_is_kept() -> None:
    said = {"graph": model.Finding("differs", torch_gave="和"), "float16": model.Finding("agrees")}
    expected = (
        r'{"graph":{"outcome":"differs","torch_gave":"\u548c"},"float16":{"outcome":"agrees"}}'
    )
    assert [documents.said(said), documents.said({})] == [expected, "{}"]


@pytest.mark.parametrize("length", [0, 1, 249, 250, 7930, 7931, 32767, 40000, 100_000])
def test_a_deflated_text_comes_back_whatever_its_length(length: int) -> None:
    text = "".join(chr(97 + place * place % 23) for place in range(length))
    for like in (documents.dictionary("record"), text[:9000].encode() or b"x"):
        stored = documents.Deflating(like)(text)
        assert database.inflated(stored, like) == text


def test_what_is_like_another_text_is_nearly_nothing() -> None:
    """A name of a family beside the record whose answer it shares."""
    record = next(iter(support.world().records.values()))
    whole = documents.encoded(record)
    other = documents.encoded(replace(record, torch="torch.other", family=record.torch))
    alone = len(documents.deflating("record")(other))
    assert len(documents.Deflating(whole.encode())(other)) < 100 < alone < len(whole) / 3
