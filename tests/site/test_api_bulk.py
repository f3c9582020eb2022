"""Everything at once: ND-JSON by the line, and the database as it is."""

from __future__ import annotations

import json
import sqlite3
import zlib
from pathlib import Path

import pytest
from datasette.app import Datasette
from tests.builders.serving import ask, get

from datasette_msmap import server
from msmap import contracts
from msmap.database import record
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names.answers import Outcome


@pytest.fixture(scope="module")
def site(history: Path) -> Datasette:
    return server.site(history)


def test_all_records(site: Datasette, history: Path) -> None:
    answer = get(site, "/api/v1/records.ndjson")
    assert answer.headers["content-type"] == "application/x-ndjson; charset=utf-8"
    found = [json.loads(line) for line in answer.text.splitlines()]
    with KnowledgeBase(history) as kb:
        wanted = [contracts.json_value(kb.lookup(s.torch)) for s in kb.records()]
    assert found == wanted


def test_all_evidence(site: Datasette, history: Path) -> None:
    found = [json.loads(line) for line in get(site, "/api/v1/evidence.ndjson").text.splitlines()]
    told = {(line["owner"], line["check"], line["mindspore"]) for line in found}
    assert len(told) == len(found)
    wanted = []
    for release in ("2.9.0", "2.10.0"):
        with KnowledgeBase.open(history, release) as kb:
            owned = [(s.torch, kb.lookup(s.torch).checks) for s in kb.records()]
            owned += [(f"guide:{g.id}", s.checks) for g in kb.guides() for s in g.sections]
        wanted += [
            contracts.json_value(Outcome(owner, check.id, release, outcome))
            for owner, checks in owned
            for check in checks
            for outcome in check.evidence
            if f"mindspore-{release}_" in outcome.environment
        ]

    def place(line: dict[str, str]) -> tuple[str, str, str]:
        return line["owner"], line["check"], line["mindspore"]

    assert sorted(found, key=place) == sorted(wanted, key=place)


def test_numbers_that_are_none_are_null(database: Path, tmp_path: Path) -> None:
    """JSON has no NaN; Python writes it all the same."""
    path = tmp_path / "msmap.db"
    path.write_bytes(database.read_bytes())
    with sqlite3.connect(path) as connection:
        stored = record(connection, "torch.nn.Dropout")
        assert stored is not None
        text = stored.replace('"rtol":null', '"rtol":NaN').encode()
        connection.execute(
            "UPDATE record SET document = ? WHERE torch = 'torch.nn.Dropout'",
            (zlib.compress(text),),
        )
    connection.close()
    spoilt = server.site(path)
    line = get(spoilt, "/api/v1/records.ndjson").text.splitlines()[4]
    told = get(spoilt, "/api/v1/lookup/nn.Dropout").json()["answers"][0]["record"]
    assert told == json.loads(line, parse_constant=pytest.fail)
    assert {c["id"]: c["rtol"] for c in told["checks"]} == {"training": None, "position": None}


def test_the_database_as_a_download(site: Datasette, history: Path) -> None:
    plain = {"accept-encoding": "identity"}
    answer = get(site, "/msmap.db", headers=plain)
    assert answer.content == history.read_bytes()
    wanted = {
        "content-type": "application/vnd.sqlite3",
        "content-disposition": 'attachment; filename="msmap.db"',
        "content-length": str(history.stat().st_size),
        "accept-ranges": "bytes",
        "access-control-allow-origin": "*",
    }
    assert {name: answer.headers[name] for name in wanted} == wanted
    again = get(site, "/msmap.db", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = ask(site, "HEAD", "/msmap.db", headers=plain)
    assert (head.content, head.headers["content-length"]) == (b"", wanted["content-length"])


@pytest.mark.parametrize(
    ("wanted", "start", "stop"),
    [
        ("bytes=0-15", 0, 16),
        ("bytes=100-", 100, None),
        ("bytes=-100", -100, None),
        ("bytes=16-99999999999", 16, None),
    ],
)
def test_a_part_of_the_database(
    site: Datasette, history: Path, wanted: str, start: int, stop: int | None
) -> None:
    whole = history.read_bytes()
    answer = get(site, "/msmap.db", headers={"range": wanted})
    part = whole[start:stop]
    first = start % len(whole)
    assert (answer.status_code, answer.content) == (206, part)
    assert answer.headers["content-range"] == (
        f"bytes {first}-{first + len(part) - 1}/{len(whole)}"
    )
    assert answer.headers["content-length"] == str(len(part))


@pytest.mark.parametrize("wanted", ["bytes=99999999-", "bytes=-0", "bytes=5-2"])
def test_a_part_that_is_not_there(site: Datasette, history: Path, wanted: str) -> None:
    answer = get(site, "/msmap.db", headers={"range": wanted})
    size = history.stat().st_size
    assert (answer.status_code, answer.headers["content-range"]) == (416, f"bytes */{size}")
    assert answer.json()["message"] == f"the file has {size} bytes"


@pytest.mark.parametrize("wanted", ["bytes=0-1,4-5", "lines=0-1", "bytes=-", "bytes=x-y"])
def test_what_is_no_range_gets_all(site: Datasette, history: Path, wanted: str) -> None:
    answer = get(site, "/msmap.db", headers={"range": wanted})
    assert (answer.status_code, len(answer.content)) == (200, history.stat().st_size)


def test_the_rest_of_another_database_is_not_sent(site: Datasette) -> None:
    tag = get(site, "/msmap.db", headers={"accept-encoding": "identity"}).headers["etag"]
    for known, status in ((tag, 206), ('"another"', 200)):
        headers = {"range": "bytes=100-", "if-range": known}
        assert get(site, "/msmap.db", headers=headers).status_code == status
