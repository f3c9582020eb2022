"""The site as it is served: names lead to pages, answers carry their headers, errors are clear."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette

from datasette_msmap import plugin, server
from datasette_msmap.web import served
from msmap.database import SCHEMA_VERSION
from msmap.errors import DatabaseError
from msmap.query.base import records
from msmap.query.names import answers
from msmap.query.names import lookup as understood


@pytest.fixture(scope="module")
def site(database: Path) -> Datasette:
    return server.site(database)


def get(site: Datasette, path: str, **options: Any) -> Any:
    return asyncio.run(site.client.get(path, **options))


def test_a_record_has_a_page(site: Datasette) -> None:
    answer = get(site, "/torch.nn.Dropout")
    assert answer.status_code == 200
    assert "<h1><code>torch.nn.Dropout</code>" in answer.text


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/nn.Dropout", "/torch.nn.Dropout"),
        ("/zh/nn.Dropout", "/zh/torch.nn.Dropout"),
        ("/torch.nn.modules.dropout.Dropout", "/torch.nn.Dropout"),
        ("/ms.nn.Dropout", "/mindspore.nn.Dropout"),
    ],
)
def test_another_spelling_leads_to_the_page(site: Datasette, path: str, place: str) -> None:
    answer = get(site, path)
    assert (answer.status_code, answer.headers["location"]) == (301, place)


@pytest.mark.parametrize(
    "path", ["/x-y", "/static/x.js", "/zh/a/b.md", "/x[y]", "/a @ b", "/2 + 3"]
)
def test_an_address_is_no_place_for_code(
    site: Datasette, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Where every operator has a record, each of these would lead to the page of one."""
    monkeypatch.setattr(
        understood, "answer", lambda kb, text: [answers.answer(kb, "torch.nn.Dropout")]
    )
    answer = get(site, path)
    assert answer.status_code == 404
    assert "torch.nn.Dropout" in answer.text


def test_a_miss_offers_the_nearest_names(site: Datasette) -> None:
    answer = get(site, "/torch.nn.Dropot")
    assert answer.status_code == 404
    assert '<a href="/torch.nn.Dropout"><code>torch.nn.Dropout</code></a>' in answer.text


def test_headers_of_a_page(site: Datasette) -> None:
    headers = get(site, "/zh/torch.nn.Dropout").headers
    wanted = {
        "content-type": "text/html; charset=utf-8",
        "content-language": "zh-CN",
        "cache-control": "public, max-age=300",
        "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
        " img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none';"
        " frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "strict-origin-when-cross-origin",
        "cross-origin-opener-policy": "same-origin",
    }
    assert {name: headers[name] for name in wanted} == wanted


def test_an_unchanged_page_is_not_sent_again(site: Datasette) -> None:
    tag = get(site, "/torch.nn.Dropout").headers["etag"]
    again = get(site, "/torch.nn.Dropout", headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert get(site, "/zh/torch.nn.Dropout").headers["etag"] != tag


def test_datasettes_own_pages_stay_and_are_secured(site: Datasette) -> None:
    for path in ("/msmap", "/msmap/record", "/msmap/record.json"):
        answer = get(site, path)
        assert answer.status_code == 200, path
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    ["versions", "plugins.json", "databases.json", "settings", "threads.json", "metadata", "actor",
     "permissions", "allow-debug", "logout"],
)  # fmt: skip
def test_what_datasette_tells_of_the_server_is_closed(site: Datasette, path: str) -> None:
    assert get(site, f"/-/{path}").status_code == 404


def test_whether_the_server_is_well(site: Datasette) -> None:
    """It is asked each time, and tells nothing of where things are."""
    answer = get(site, "/-/health")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert answer.json() == {
        "status": "ok",
        "version": served.serving(site).version,
        "releases": {"torch": "2.13.0", "mindspore": "2.10.0"},
    }


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/torch.nn.Dropout", "Something went wrong here; it has been written down"),
        ("/zh/torch.nn.Dropout", "服务器出错，错误已记录"),
    ],
)
def test_a_page_that_goes_wrong_tells_nothing_of_the_server(
    database: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any, path: str, said: str
) -> None:
    """The log has it, the reader a page in the language of the address, and nobody keeps it."""

    def fail(*_: object) -> None:
        raise sqlite3.DatabaseError(f"{database} is malformed")

    monkeypatch.setattr(records, "Relatives", fail)
    site = server.site(database)
    answer = get(site, path)
    assert (answer.status_code, answer.headers["cache-control"]) == (500, "no-store")
    assert f"<h1>{said}</h1>" in answer.text
    assert str(database) not in answer.text
    assert str(database) in caplog.text
    monkeypatch.undo()
    assert get(site, path).status_code == 200


def test_nobody_runs_sql(site: Datasette) -> None:
    assert get(site, "/msmap.json?sql=select+1").status_code == 403


def truncated(path: Path, database: Path) -> None:
    path.write_bytes(database.read_bytes()[:20_000])


def foreign(path: Path, database: Path) -> None:
    sqlite3.connect(path).execute("CREATE TABLE meta (key, value)").connection.close()


def empty(path: Path, database: Path) -> None:
    path.touch()


def text(path: Path, database: Path) -> None:
    path.write_text("nothing of the kind\n" * 20)


def spoilt_inside(path: Path, database: Path) -> None:
    """All of a page but its first bytes is gone, for every page but the first ones."""
    found = bytearray(database.read_bytes())
    for start in range(5 * 8192, len(found), 8192):
        found[start + 100 : start + 8000] = b"x" * 7900
    path.write_bytes(bytes(found))


def without_tables(path: Path, database: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("CREATE TABLE meta (key, value)")
    connection.close()


def another_schema(path: Path, database: Path) -> None:
    path.write_bytes(database.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 2")
    connection.close()


def missing(path: Path, database: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (truncated, "can't be read as an msmap database ("),
        (foreign, "has schema version 0"),
        (empty, "has schema version 0"),
        (spoilt_inside, "can't be read as an msmap database ("),
        (without_tables, "can't be read as an msmap database (it has no table record)"),
        (text, "can't be read as an msmap database (it is no SQLite file)"),
        (another_schema, f"has schema version 2, this msmap reads {SCHEMA_VERSION}"),
        (missing, "no database at"),
    ],
)
def test_what_cannot_be_served_is_said_at_start(
    spoil: Any, said: str, database: Path, tmp_path: Path
) -> None:
    path = tmp_path / "msmap.db"
    spoil(path, database)
    with pytest.raises(DatabaseError) as raised:
        server.site(path)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (truncated, "can't be read as an msmap database (it should have"),
        (foreign, "is no msmap database; build one"),
        (text, "can't be read as an msmap database (it is no SQLite file)"),
        (another_schema, f"has schema version 2, this msmap reads {SCHEMA_VERSION}"),
    ],
)
def test_datasette_says_it_too(spoil: Any, said: str, database: Path, tmp_path: Path) -> None:
    """`datasette FILE` with the plugin installed, without `msmap serve`."""
    path = tmp_path / "msmap.db"
    spoil(path, database)
    with pytest.raises(plugin.BadDatabase) as raised:
        asyncio.run(Datasette([str(path)]).invoke_startup())
    assert said in raised.value.message


def test_the_version_covers_all_code_that_answers(site: Datasette) -> None:
    """Every loaded module of the site and of the library, and what the site renders and sends."""
    for path in ("/torch.nn.Dropout", "/api/v1/lookup/torch.nn.Dropout", "/port?code=torch.cat(x)"):
        assert get(site, path).status_code == 200
    loaded = {
        Path(str(module.__file__))
        for name, module in sys.modules.items()
        if name.partition(".")[0] in ("msmap", "datasette_msmap")
    }
    covered = set(served.sources())
    assert sorted(loaded - covered) == []
    assert {path.suffix for path in covered} == {
        ".py", ".html", ".css", ".js", ".svg", ".json", ".png",
    }  # fmt: skip


def test_changed_code_is_another_version(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = served.Served("msmap", str(database)).version
    extra = tmp_path / "extra.py"
    extra.touch()
    monkeypatch.setattr(served, "sources", lambda: [extra])
    empty = served.Served("msmap", str(database)).version
    extra.write_text("answer = 42")
    assert len({before, empty, served.Served("msmap", str(database)).version}) == 3
