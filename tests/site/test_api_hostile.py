"""A record full of script, quotes, turning marks and 100 kB texts does nothing anywhere."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from datasette.app import Datasette
from tests.builders import hostile
from tests.builders.serving import ask, get

from datasette_msmap import server

# Marks of direction, zero width and separators that pages and JSON must not pass on as they are.
TURNING = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]")
NAME = quote(hostile.PAYLOAD, safe="")
PAGES = [
    f"{language}{path}"
    for language in ("", "/zh")
    for path in (
        "/", "/torch.nn.Evil", "/torch.nn.Evil/checks", "/mindspore.nn.Evil", "/guides",
        "/guides/evil", "/claims", "/claims/evil", f"/{NAME}", f"/search?q={NAME}",
        "/search?q=alert", "/browse",
        f"/browse?category={NAME}", f"/browse/{NAME}", "/browse/torch.nn", "/coverage", "/stats",
        "/releases", f"/releases?from={NAME}", "/port", f"/port?code={NAME}",
        f"/port?code=torch.nn.Evil('{quote(hostile.PAYLOAD)}')", f"/guides/{NAME}",
    )
]  # fmt: skip
CARDS = [
    f"/embed/{name}{asked}"
    for name in ("torch.nn.Evil", "mindspore.nn.Evil", NAME)
    for asked in ("", "?lang=zh", f"?theme={NAME}", f"?x={NAME}")
]
DATA = [
    *(f"/api/v1/{kind}/{name}" for kind in ("lookup", "reverse", "evidence", "guides")
      for name in ("torch.nn.Evil", "mindspore.nn.Evil", "evil", NAME)),
    *(f"/api/v1/{path}" for path in (
        "list", "guides", "claims", "stats", "search?q=alert", f"search?q={NAME}", f"list?x={NAME}",
        f"list?category={NAME}", f"claims?topic={NAME}", f"claims?about={NAME}", "openapi.json",
        f"list?{NAME}=x", f"port?code={NAME}", "port?code=torch.nn.Evil(x)", "schemas/lookup.json",
        f"list?mindspore={NAME}", f"schemas/{NAME}.json", f"{NAME}",
    )),
    "/oembed?url=http://localhost/torch.nn.Evil", f"/oembed?url=http://localhost/{NAME}",
    f"/oembed?url={NAME}", f"/oembed?url=http://localhost/torch.nn.Evil&maxwidth={NAME}",
    f"/api/{NAME}",
    f"/suggest?q={NAME}", "/suggest?q=Evi",
]  # fmt: skip
STOCK = ["/msmap", "/msmap/record", "/msmap/record/torch~2Enn~2EEvil", "/msmap/caveat",
         "/msmap/evidence", "/msmap/guide", "/msmap/claim", "/msmap/silent_differences",
         "/msmap/record.json?_shape=array", "/msmap/record.csv", f"/msmap/record?torch={NAME}",
         f"/msmap/record?_facet={NAME}", f"/msmap/{NAME}"]  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Datasette:
    return server.site(hostile.build(tmp_path_factory.mktemp("hostile")))


class Found(HTMLParser):
    """What could act in a page: scripts and styles in it, handlers, foreign sources."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.acting: list[str] = []
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag if tag in ("script", "style") else ""
        # What no browser runs, if nothing in it ends it.
        if tag == "script" and ("type", "application/ld+json") in attrs:
            self._inside = "data"
        if tag in ("iframe", "object", "embed", "base", "frame", "math", "template"):
            self.acting.append(f"<{tag}>")
        for name, value in attrs:
            told = re.sub(r"[\x00-\x20]", "", value or "").lower()
            if name.startswith("on") or name in ("style", "srcdoc", "xlink:href"):
                self.acting.append(f"<{tag} {name}>")
            if name in ("src", "href", "action", "formaction") and (
                told.startswith(("javascript:", "data:", "vbscript:")) or told == "x"
            ):
                self.acting.append(f"<{tag} {name}={told}>")

    def handle_data(self, data: str) -> None:
        if self._inside == "data":
            json.loads(data)
        elif self._inside and data.strip():
            self.acting.append(f"<{self._inside}>{data[:40]}")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def test_the_finder_finds() -> None:
    """It sees what the payload would do if it were let through."""
    assert Found(hostile.PAYLOAD).acting == ["<script>alert(1)", "<img src=x>", "<img onerror>"]
    assert Found('<a href=" java\nscript:x">').acting == ["<a href=javascript:x>"]


@pytest.mark.parametrize("path", [*PAGES, *CARDS])
def test_nothing_acts_in_a_page(site: Datasette, path: str) -> None:
    answer = get(site, path)
    assert answer.status_code < 500
    if answer.headers["content-type"].startswith("text/html"):
        assert Found(answer.text).acting == []
        assert len(answer.content) < 20 * len(hostile.LONG)
    else:
        assert "<" not in answer.text
    assert TURNING.findall(answer.text) == []


@pytest.mark.parametrize("path", DATA)
def test_nothing_acts_in_json(site: Datasette, path: str) -> None:
    """Served as what it is, and harmless in a page all the same."""
    answer = get(site, path)
    assert answer.status_code < 500
    assert answer.headers["content-type"].partition(";")[0] in (
        "application/json", "application/schema+json",
    )  # fmt: skip
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert re.findall("[<>&]", answer.text) == TURNING.findall(answer.text) == []
    answer.json()


def test_json_says_what_the_record_says(site: Datasette) -> None:
    """Escaped, not changed."""
    record = get(site, "/api/v1/lookup/torch.nn.Evil").json()["answers"][0]["record"]
    assert record["targets"][0]["note"]["en"] == f"{hostile.PAYLOAD} target"
    line = get(site, "/api/v1/records.ndjson").text
    assert TURNING.findall(line) == []
    assert json.loads(line) == record
    (_, evidence) = get(site, "/api/v1/evidence.ndjson").text.strip().split("\n")
    assert TURNING.findall(evidence) == []
    assert json.loads(evidence)["evidence"]["message"].startswith(hostile.PAYLOAD)


@pytest.mark.parametrize("asked", ["", "?lang=zh"])
@pytest.mark.parametrize("name", ["torch.nn.Evil", "mindspore.nn.Evil", NAME, "%00%01%ff%ef%bf%be"])
def test_a_badge_is_xml(site: Datasette, name: str, asked: str) -> None:
    answer = get(site, f"/badge/{name}.svg{asked}")
    picture = ElementTree.fromstring(answer.content)
    tags = {element.tag.rpartition("}")[2] for element in picture.iter()}
    assert tags == {"svg", "title", "clipPath", "rect", "g", "text"}
    assert TURNING.findall(answer.text) == []
    assert len(answer.content) < 2000


def test_a_card_stays_small(site: Datasette) -> None:
    for path in ("/embed/torch.nn.Evil", "/embed/mindspore.nn.Evil", f"/embed/{'x' * 9000}"):
        assert len(get(site, path).content) < 10_000


@pytest.mark.parametrize("path", STOCK)
def test_nothing_of_a_record_acts_in_datasettes_own_pages(site: Datasette, path: str) -> None:
    answer = get(site, path)
    assert answer.status_code < 500
    if answer.headers["content-type"].startswith("text/html"):
        acting = Found(answer.text).acting
        assert [a for a in acting if "alert" in a or "src=x" in a or "onerror" in a] == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/lookup/" + "a" * 60_000),
        ("GET", "/api/v1/search?q=" + "%22" * 400),
        ("GET", "/api/v1/search?q=" + "%22%20OR%20" * 50),
        ("GET", "/api/v1/search?q=NEAR(" + "a%20" * 100),
        ("GET", "/api/v1/search?q=" + "*" * 300),
        ("GET", "/api/v1/lookup/%00"),
        ("GET", "/api/v1/lookup/%ed%a0%80"),
        ("GET", "/api/v1/lookup/..%2f..%2fetc%2fpasswd"),
        ("GET", "/api/v1/schemas/..%2f..%2fmsmap.json"),
        ("GET", "/api/v1/schemas/%2e%2e.json"),
        ("GET", "/api/v1/list?" + "&".join(f"a{n}=1" for n in range(2000))),
        ("GET", "/api/v1/list?namespace='%20OR%201=1%20--"),
        ("GET", "/api/v1/claims?about=" + "." * 200),
        ("GET", "/" + "a" * 60_000),
        ("GET", "/embed/" + "." * 30_000),
        ("GET", "/badge/" + "%e2%80%ae" * 5_000 + ".svg"),
        ("GET", "/oembed?url=http://localhost/" + "%2525" * 3000),
        ("POST", "/api/v1/port"),
        ("POST", "/torch.nn.Evil"),
        ("POST", "/msmap"),
        ("TRACE", "/api/v1/stats"),
    ],
)
def test_giants_and_tricks_get_an_answer(site: Datasette, method: str, path: str) -> None:
    answer = ask(site, method, path)
    assert answer.status_code < 500
    assert "Traceback" not in answer.text
    assert "/site-packages/" not in answer.text


@pytest.mark.parametrize(
    "sql",
    [
        "select zeroblob(1000000000)",
        "select hex(randomblob(900000000))",
        "with recursive c(x) as (select 1 union all select x + 1 from c) select max(x) from c",
        "attach database '/etc/passwd' as p",
        "pragma database_list",
        "select load_extension('x')",
    ],
)
def test_nobody_runs_sql_in_any_form(site: Datasette, sql: str) -> None:
    """Not on the database's page, as JSON or CSV, nor inside a table's filters."""
    asked: Any = {"sql": sql}
    for path in ("/msmap", "/msmap.json", "/msmap.csv"):
        assert get(site, path, params=asked).status_code == (
            403 if sql.startswith(("select", "with")) else 400
        ), path
    assert get(site, "/msmap/record.json", params={"_where": sql}).status_code in (400, 403)


def test_a_value_that_is_too_big_is_refused_everywhere(site: Datasette) -> None:
    """Should someone allow SQL: one value can't take the server's memory."""
    connection = site.get_database("msmap").connect()
    site._prepare_connection(connection, "msmap")
    with pytest.raises(Exception, match="string or blob too big"):
        connection.execute("select zeroblob(50000000)")
    connection.close()
