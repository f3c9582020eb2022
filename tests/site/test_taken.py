"""What is taken along: Markdown, names for Sphinx, search of browsers, dated files, and parts."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from datasette.app import Datasette
from tests.builders.serving import ask, get

from datasette_msmap import pages, server
from msmap.query.base.record_drift import EFFECTS
from msmap.query.base.records import answered
from msmap.query.drift import drift
from msmap.query.knowledge_base import KnowledgeBase

SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"


@pytest.fixture(scope="module")
def site(history: Path) -> Datasette:
    return server.site(history)


def here(address: str) -> str:
    """An address of the site without its origin."""
    return address.removeprefix("http://localhost")


def inside(text: str) -> list[str]:
    """The addresses below the site that a text has links to, as Markdown has them."""
    return [urlsplit(found).path for found in re.findall(r"\]\(([^)\s]+)\)", text)]


@pytest.mark.parametrize(
    "path", [p.path for p in pages.PAGES if p.path not in ("/search", "/api")], ids=str
)
@pytest.mark.parametrize("language", ["", "/zh"])
def test_every_page_is_there_as_markdown(site: Datasette, path: str, language: str) -> None:
    """Its page leads to it, it speaks its language, and its links lead somewhere."""
    place = f"{language}{path if path != '/' else '/index'}.md"
    answer = get(site, place)
    assert (answer.status_code, answer.headers["content-type"]) == (
        200, "text/markdown; charset=utf-8",
    )  # fmt: skip
    assert answer.text.startswith("# ")
    assert bool(re.search("[\u4e00-\u9fff]", answer.text)) == bool(language) or path == "/claims"
    page = get(site, f"{language}{path}" if path != "/" else language or "/").text
    assert f'<link rel="alternate" type="text/markdown" href="{place}">' in page
    for link in inside(answer.text)[:60]:
        assert get(site, link).status_code == 200, link


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/torch.nn.Dropout.md", 200, "## `torch.nn.Dropout` → `mindspore.nn.Dropout`\n"),
        ("/zh/guides/training.md", 200, "# "),
        ("/mindspore.mint.cat.md", 200, "## `mindspore.mint.cat`"),
        ("/torch.nn.Dropout.md?mindspore=2.8&device=cpu", 200, "## `torch.nn.Dropout`"),
        ("/nn.Dropout.md", 301, ""),
        ("/torch.cat.md?no=such", 302, ""),
        ("/nn.Dropot.md", 404, "# nn.Dropot\n"),
        ("/guides/none.md", 404, '"none" is'),
        ("/torch.cat.md?mindspore=1.0", 404, 'MindSpore release "1.0"'),
    ],
)
def test_pages_of_names_as_markdown(site: Datasette, path: str, status: int, told: str) -> None:
    answer = get(site, path)
    assert (answer.status_code, answer.text[: len(told)]) == (status, told)


def test_a_language_model_is_told_what_there_is(site: Datasette, history: Path) -> None:
    text = get(site, "/llms.txt").text
    assert text.startswith("# msmap\n\n> ")
    with KnowledgeBase(history) as kb:
        assert {f"/{s.torch}.md" for s in kb.records()} <= set(inside(text))
    assert get(site, "/index.md").text == text


def test_browsers_learn_to_search(site: Datasette) -> None:
    for language in ("", "/zh"):
        found = ElementTree.fromstring(get(site, f"{language}/opensearch.xml").content)
        assert len(found.findtext(f"{SEARCH}ShortName") or "") <= 16
        places = [here(url.attrib["template"]) for url in found.findall(f"{SEARCH}Url")]
        assert [get(site, p.replace("{searchTerms}", "drop out")).status_code for p in places] == [
            200, 200,
        ]  # fmt: skip
        typed, names, texts, addresses = get(
            site, places[1].replace("{searchTerms}", "drop")
        ).json()
        assert (typed, names[0], len(texts)) == ("drop", "torch.nn.Dropout", len(addresses))
        assert get(site, here(addresses[0])).status_code == 200


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/torch.nn.Dropout", "APIReference"), ("/guides/training", "TechArticle"),
     ("/zh", "WebSite"), ("/data", "Dataset"), ("/stats", "WebPage")],
)  # fmt: skip
def test_a_page_describes_itself(site: Datasette, path: str, kind: str) -> None:
    """To search engines as JSON-LD, to previews of links by Open Graph, with a picture."""
    text = get(site, path).text
    (data,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text)
    told = json.loads(data)
    assert (told["@type"], told["url"]) == (kind, f"http://localhost{path}")
    graph = dict(re.findall(r'<meta property="og:(\S+)" content="([^"]*)">', text))
    assert (graph["title"], graph["url"]) == (told["name"], told["url"])
    of_a_name = path.startswith("/torch")
    assert graph["image"].endswith("/preview/torch.nn.Dropout.png") == of_a_name
    picture = get(site, here(graph["image"]))
    assert picture.headers["content-type"] == "image/png"
    size = struct.unpack(">II", picture.content[16:24])
    assert size == (int(graph["image:width"]), int(graph["image:height"]))


def test_a_badge_of_shields_io(site: Datasette) -> None:
    answer = get(site, "/badge/nn.Dropout.json?lang=zh")
    assert answer.json() == {
        "schemaVersion": 1, "label": "torch.nn.Dropout", "message": "torch 参数更多 · 已验证",
        "color": "9a5b00", "isError": False,
    }  # fmt: skip
    missed = get(site, "/badge/no.such.json")
    assert (missed.status_code, missed.json()["isError"]) == (404, True)


def test_dated_files_fit_their_digests(site: Datasette) -> None:
    listed = dict(reversed(line.split("  ")) for line in _lines(site, "/data/SHA256SUMS"))
    assert [re.sub(r"-[0-9a-f-]+\.", ".", name) for name in listed] == [
        "msmap.db.gz", "records.ndjson.gz", "evidence.ndjson.gz",
    ]  # fmt: skip
    for name, digest in listed.items():
        answer = get(site, f"/data/{name}")
        assert hashlib.sha256(answer.content).hexdigest() == digest
        assert "content-encoding" not in answer.headers
        plain = re.sub(r"-[0-9a-f-]+\.", ".", name)
        assert get(site, f"/data/{plain}").headers["location"] == f"/data/{name}"
        assert gzip.decompress(answer.content)
    assert get(site, "/data/other.gz").status_code == 404
    for language in ("", "/zh"):
        shown = get(site, f"{language}/data").text
        assert {f"/data/{name}" for name in ("msmap.db.gz", "SHA256SUMS", "msmap.db")} <= set(
            re.findall(r'href="([^"]+)"', shown)
        )


def _lines(site: Datasette, path: str) -> list[str]:
    lines: list[str] = get(site, path).text.splitlines()
    return lines


class Remote:
    """A database read by ranges of a file that a site serves, as clients in browsers do."""

    def __init__(self, fetch: Callable[[int, int], bytes]) -> None:
        self.fetch = fetch
        (self.size,) = struct.unpack(">H", fetch(16, 2))

    def tables(self) -> set[str]:
        """The names of the tables, from the leaves of the first tree."""
        found, pages = set(), [1]
        while pages:
            number = pages.pop()
            page = self.fetch((number - 1) * self.size, self.size)
            head = 100 if number == 1 else 0
            kind, _, cells = struct.unpack(">BHH", page[head : head + 5])
            start = head + (12 if kind == 5 else 8)
            places = struct.unpack(f">{cells}H", page[start : start + 2 * cells])
            if kind == 5:
                pages += [struct.unpack(">I", page[p : p + 4])[0] for p in places]
                pages.append(struct.unpack(">I", page[head + 8 : head + 12])[0])
            else:
                found |= {name.decode() for name in re.findall(rb"CREATE TABLE \"?(\w+)", page)}
        return found


def test_the_database_is_read_by_ranges(site: Datasette, history: Path) -> None:
    """Each part is as the file has it, of one version, and asked for from any other site."""
    asked = []

    def fetch(start: int, size: int) -> bytes:
        headers = {
            "range": f"bytes={start}-{start + size - 1}", "accept-encoding": "gzip, br",
            "origin": "https://elsewhere.example",
        }  # fmt: skip
        answer = get(site, "/data/msmap.db", headers=headers)
        assert (answer.status_code, len(answer.content)) == (206, size)
        assert "content-encoding" not in answer.headers
        assert answer.headers["access-control-allow-origin"] == "*"
        asked.append(answer.headers["etag"])
        content: bytes = answer.content
        return content

    assert {"record", "caveat", "guide"} <= Remote(fetch).tables()
    assert len(set(asked)) == 1
    head = ask(site, "HEAD", "/data/msmap.db", headers={"accept-encoding": "gzip"})
    told = {name: head.headers[name] for name in ("content-length", "accept-ranges", "etag")}
    assert told == {
        "content-length": str(history.stat().st_size), "accept-ranges": "bytes", "etag": asked[0],
    }  # fmt: skip
    past = get(site, "/data/msmap.db", headers={"range": "bytes=99999999-"})
    assert past.status_code == 416
    preflight = ask(site, "OPTIONS", "/data/msmap.db")
    assert "Range" in preflight.headers["access-control-allow-headers"]
    shown = head.headers["access-control-expose-headers"]
    assert {"Accept-Ranges", "Content-Range"} <= set(shown.split(", "))


@pytest.mark.parametrize(
    "path", ["/objects.inv", "/llms.txt", "/opensearch.xml", "/torch.cat.md", "/data/SHA256SUMS"]
)
def test_each_is_kept_and_known_by_its_tag(site: Datasette, path: str) -> None:
    answer = get(site, path)
    again = get(site, path, headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = ask(site, "HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    assert get(site, f"{path}?utm=1").status_code == 302


def inventory(content: bytes) -> dict[str, tuple[str, str, str]]:
    """The names of an inventory with their roles, addresses and titles."""
    import zlib

    *head, rest = content.split(b"\n", 4)
    assert head[0] == b"# Sphinx inventory version 2"
    lines = zlib.decompress(rest).decode().splitlines()
    found = (re.fullmatch(r"(\S+) (\S+) 1 (\S+) (.+)", line) for line in lines)
    told = [match.groups() for match in found if match is not None]
    assert len(told) == len(lines)
    return {name: (role, place.replace("$", name), title) for name, role, place, title in told}


def test_the_inventory_has_every_name_and_guide(site: Datasette, history: Path) -> None:
    """With addresses as seen from where it stands."""
    with KnowledgeBase(history) as kb:
        names = {*answered(kb), *(guide.id for guide in kb.guides())}
    for language in ("", "/zh"):
        found = inventory(get(site, f"{language}/objects.inv").content)
        assert set(found) == names
        assert found["torch.nn.Dropout"] == ("py:class", "torch.nn.Dropout", "-")
        assert found["torch.cat"][0] == "py:function"
        assert found["training"][:2] == ("std:doc", "guides/training")


def test_sphinx_links_to_the_site(site: Datasette, tmp_path: Path) -> None:
    """By ``intersphinx``, from a local file: nothing is fetched."""
    application = pytest.importorskip("sphinx.application")
    source, made = tmp_path / "source", tmp_path / "made"
    source.mkdir()
    (tmp_path / "objects.inv").write_bytes(get(site, "/objects.inv").content)
    (source / "conf.py").write_text(
        "extensions = ['sphinx.ext.intersphinx']\n"
        f"intersphinx_mapping = {{'msmap': ('https://msmap.example/',"
        f" {str(tmp_path / 'objects.inv')!r})}}\n",
        encoding="utf-8",
    )
    (source / "index.rst").write_text(
        "Test\n====\n\n:py:class:`torch.nn.Dropout` :py:func:`torch.cat`"
        " :py:meth:`torch.Tensor.size` :doc:`msmap:training`\n",
        encoding="utf-8",
    )
    told = _built(application, source, made)
    links = re.findall(r'<a class="reference external" href="([^"]+)"', told)
    assert links == [
        "https://msmap.example/torch.nn.Dropout", "https://msmap.example/torch.cat",
        "https://msmap.example/torch.Tensor.size", "https://msmap.example/guides/training",
    ]  # fmt: skip


def _built(application: Any, source: Path, made: Path) -> str:
    import warnings

    with warnings.catch_warnings():
        # What Sphinx and docutils say of each other is not what this is about.
        warnings.simplefilter("ignore")
        built = application.Sphinx(
            source, source, made, made / "doctrees", "html", status=None, warningiserror=True
        )
        built.build()
    return (made / "index.html").read_text(encoding="utf-8")


@pytest.fixture
def dated(history: Path, tmp_path: Path) -> Datasette:
    """The site of a database that git knows the history of."""
    path = tmp_path / "msmap.db"
    shutil.copyfile(history, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        for owner, days in (
            ("torch.cat", ["2026-03-01", "2026-01-05"]), ("torch.nn.GELU", ["2026-02-01"]),
            ("release:2.9.0", ["2026-01-01"]), ("release:2.10.0", ["2026-02-02"]),
        ):  # fmt: skip
            changed = json.dumps([[day, "a <change>"] for day in days])
            told = {"o": owner, "c": changed}
            connection.execute("UPDATE history SET changes = :c WHERE owner = :o", told)
            connection.execute("INSERT OR IGNORE INTO history VALUES (:o, '', '', :c)", told)
    return server.site(path)


ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.mark.parametrize(
    ("name", "title", "entries"),
    [
        ("records", "torch.nn.GELU → ",
         [("torch.nn.GELU", "2026-02-01"), ("torch.cat", "2026-01-05")]),
        ("releases", "MindSpore 2.9.0 → 2.10.0",
         [("releases?from=2.9.0&to=2.10.0", "2026-02-02"),
          ("releases?from=2.8.0&to=2.9.0", "2026-01-01")]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["", "/zh"])
def test_a_feed_is_as_atom_has_it(
    dated: Datasette,
    history: Path,
    name: str,
    title: str,
    entries: list[tuple[str, str]],
    language: str,
) -> None:
    """With a day of each entry, ids that stay where it is served elsewhere, and links that lead."""
    answer = get(dated, f"{language}/feeds/{name}.atom")
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(answer.content)
    found = feed.findall(f"{ATOM}entry")
    links = [_link(entry) for entry in found]
    assert links == [f"http://localhost{language}/{place}" for place, _ in entries]
    assert [e.findtext(f"{ATOM}updated") for e in found] == [f"{d}T00:00:00Z" for _, d in entries]
    assert feed.findtext(f"{ATOM}updated") == f"{entries[0][1]}T00:00:00Z"
    assert str(found[0].findtext(f"{ATOM}title")).startswith(title)
    if name == "releases":
        _told_of_records(history, [str(e.findtext(f"{ATOM}summary")) for e in found], language)
    assert all(get(dated, here(link)).status_code == 200 for link in [*links, _link(feed)])
    elsewhere = get(dated, f"{language}/feeds/{name}.atom", headers={"host": "other.example"})
    again = ElementTree.fromstring(elsewhere.content)
    ids = [e.text for e in feed.iter(f"{ATOM}id")]
    assert ids == [e.text for e in again.iter(f"{ATOM}id")]
    assert len(set(ids)) == len(ids) == len(entries) + 1
    head = get(dated, language or "/").text
    assert f'href="{language}/feeds/{name}.atom"' in head


def _told_of_records(history: Path, told: list[str], language: str) -> None:
    """Each entry counts what happens to records, the older ones too."""
    steps = [("2.9.0", "2.10.0"), ("2.8.0", "2.9.0")]
    for (before, after), text in zip(steps, told, strict=True):
        with KnowledgeBase.open(history, before) as one, KnowledgeBase.open(history, after) as two:
            effects = [record.effect for record in drift.between(one, two).records]
        for effect in effects:
            said = EFFECTS[effect][language == "/zh"]
            assert f"{said}: {effects.count(effect)}" in text.split("; ")


def _link(element: ElementTree.Element) -> str:
    (found,) = (e for e in element.findall(f"{ATOM}link") if e.attrib["rel"] == "alternate")
    return found.attrib["href"]


def test_without_git_there_is_no_feed(site: Datasette) -> None:
    """Nobody knows then when anything was written, and no day is made up."""
    answer = get(site, "/feeds/records.atom")
    assert (answer.status_code, answer.text[:8]) == (404, "no feed:")
    assert "/feeds/" not in get(site, "/").text


def test_dated_files_are_of_the_newest_day(dated: Datasette) -> None:
    assert _lines(dated, "/data/SHA256SUMS")[0].endswith("  msmap-2026-03-01.db.gz")


def test_the_database_is_small_to_take_along(shipped: Path) -> None:
    """It grows with what it tells: compressed, so many bytes a record with all that is around."""
    with closing(sqlite3.connect(shipped)) as opened:
        ((records,),) = opened.execute("SELECT count(*) FROM record WHERE family = ''")
    size = len(gzip.compress(shipped.read_bytes(), 6))
    assert size < records * 7_000
