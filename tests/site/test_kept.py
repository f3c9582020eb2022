"""Made answers are kept: what decides on them is the address alone, as far as a view reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from tests.builders.serving import ask, get

from datasette_msmap import server
from datasette_msmap.web import served
from datasette_msmap.web.kept import Entry, Kept, weight
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers

PATHS = (
    "/api/v1/lookup/mindspore.nn.GELU",
    "/api/v1/lookup/nn.Dropot",
    "/embed/torch.nn.Dropout",
    "/torch.nn.Dropout",
)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names for which an answer was made."""
    names = []
    inner = answers.answer

    def answer(kb: KnowledgeBase, name: str) -> answers.Answer:
        names.append(name)
        return inner(kb, name)

    monkeypatch.setattr(answers, "answer", answer)
    return names


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "headers",
    [{}, {"cookie": "_ga=GA1.1.1"}, {"authorization": "Basic x"}, {"accept-language": "zh"}],
    ids=["nothing", "cookie", "authorization", "language"],
)
def test_an_answer_is_made_once_whoever_asks(
    database: Path, made: list[str], path: str, headers: dict[str, str]
) -> None:
    site = server.site(database)
    one, other = get(site, path), get(site, path, headers=headers)
    assert (one.status_code, one.content, one.headers) == (
        other.status_code, other.content, other.headers,
    )  # fmt: skip
    assert len(made) == 1
    assert "set-cookie" not in one.headers


def test_arguments_in_another_order_are_the_same_answer(database: Path, made: list[str]) -> None:
    site = server.site(database)
    paths = [f"/embed/torch.cat?{q}" for q in ("lang=zh&theme=dark", "theme=dark&lang=zh&lang=en")]
    one, other = (get(site, path) for path in paths)
    assert (one.content, one.headers["etag"]) == (other.content, other.headers["etag"])
    assert len(made) == 1


@pytest.mark.parametrize(
    "changes",
    [{"path": "/torch.cat"}, {"path": "/torch.nn.Dropout?device=cpu"},
     {"headers": {"host": "there"}}],
    ids=["path", "argument", "host"],
)  # fmt: skip
def test_another_address_is_another_answer(
    database: Path, made: list[str], changes: dict[str, Any]
) -> None:
    site = server.site(database)
    get(site, "/torch.nn.Dropout")
    get(site, **{"path": "/torch.nn.Dropout", **changes})
    assert len(made) == 2


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/stats?u=1", "/stats"),
        ("/zh/stats?utm_source=x&fbclid=y", "/zh/stats"),
        ("/torch.cat?utm_source=x&device=ascend", "/torch.cat?device=ascend"),
        ("/torch.cat?device=none", "/torch.cat"),
        ("/browse?category=identical&q=%26%3D&page=2", "/browse?category=identical&page=2"),
        ("/embed/torch.cat?u=1&theme=dark", "/embed/torch.cat?theme=dark"),
        ("//evil.example/?u=1", "/evil.example/"),
        ("/sitemap.xml?u=1", "/sitemap.xml"),
    ],
)
def test_arguments_that_nobody_reads_are_left_out(
    database: Path, made: list[str], path: str, place: str
) -> None:
    answer = get(server.site(database), path)
    assert (answer.status_code, answer.headers["location"], made) == (302, place, [])


@pytest.fixture(scope="module")
def site(database: Path) -> Datasette:
    return server.site(database)


@pytest.mark.parametrize("path", ["/torch.cat", "/api/v1/lookup/torch.cat", "/sitemap.xml"])
def test_answers_are_compressed_to_who_takes_them_so(site: Datasette, path: str) -> None:
    """Each form has a tag of its own, and either tag says that the answer is unchanged."""
    forms = {
        accept: get(site, path, headers={"accept-encoding": accept})
        for accept in ("identity", "gzip, br", "gzip;q=0, identity", "*")
    }
    told = {accept: answer.headers.get("content-encoding") for accept, answer in forms.items()}
    assert told == {"identity": None, "gzip, br": "gzip", "gzip;q=0, identity": None, "*": "gzip"}
    assert len({answer.content for answer in forms.values()}) == 1
    assert {answer.headers["vary"] for answer in forms.values()} == {"accept-encoding"}
    sizes = {accept: int(answer.headers["content-length"]) for accept, answer in forms.items()}
    assert sizes["gzip, br"] < sizes["identity"]
    tags = {answer.headers["etag"] for answer in forms.values()}
    assert len(tags) == 2
    for tag in tags:
        again = get(site, path, headers={"if-none-match": f'W/"x", {tag}'})
        assert (again.status_code, again.headers["etag"]) == (304, tag)


@pytest.mark.parametrize("path", ["/torch.cat", "/api/v1/lookup/torch.cat"])
def test_what_is_sent_again_just_as_it_was_asked_is_the_same(site: Datasette, path: str) -> None:
    """Without a look at the routes; the method, what is known already and the host still count."""
    first, second, third = (get(site, path) for _ in range(3))
    told = (first.status_code, first.content, first.headers)
    assert (second.status_code, second.content, second.headers) == told
    assert (third.status_code, third.content, third.headers) == told
    head = ask(site, "HEAD", path)
    assert (head.status_code, head.content, head.headers) == (200, b"", first.headers)
    plain = get(site, path, headers={"accept-encoding": "identity"})
    assert (plain.content, "content-encoding" in plain.headers) == (first.content, False)
    known = get(site, path, headers={"if-none-match": first.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    assert ask(site, "DELETE", path).status_code == 405
    assert get(site, path, headers={"host": "no host"}).status_code == 400
    other = get(site, path, headers={"host": "other.example"})
    assert (other.status_code, other.headers["etag"] == first.headers["etag"]) == (200, False)


def test_the_first_page_is_not_sent_again_to_who_reads_chinese(site: Datasette) -> None:
    for _ in range(3):
        assert get(site, "/").status_code == 200
    answer = get(site, "/", headers={"accept-language": "zh-CN"})
    assert (answer.status_code, answer.headers["location"]) == (302, "/zh")


def entry(size: int) -> Entry:
    return Entry(200, [(b"etag", b'"tag"')], b"x" * size, False, False, "tag")


def test_the_least_recently_used_are_forgotten() -> None:
    kept = Kept(10 * weight(("", "/0", ()), entry(1000)))
    for number in range(10):
        kept.put(("", f"/{number}", ()), entry(1000))
    kept.get(("", "/0", ()))
    kept.put(("", "/x", ()), entry(1000))
    there = [path for path in ("/0", "/1", "/2", "/x") if kept.get(("", path, ()))]
    assert there == ["/0", "/2", "/x"]


def test_what_is_large_is_not_kept() -> None:
    kept = Kept(10_000_000)
    kept.put(("", "/", ()), entry(500_000))
    assert (len(kept), kept.size) == (0, 0)


@pytest.mark.parametrize("part", ["origin", "path", "argument"])
def test_all_of_an_address_has_weight(part: str) -> None:
    """A long Host is as heavy as a long path."""
    long = "x" * 8000
    key = {
        "origin": (f"http://{long}", "/", ()),
        "path": ("http://here", long, ()),
        "argument": ("http://here", "/", (("q", long),)),
    }[part]
    kept = Kept(200_000)
    for number in range(40):
        kept.put((key[0], key[1], (*key[2], ("n", str(number)))), entry(10))
    assert kept.size <= 200_000
    assert len(kept) <= 200_000 // 32_000


def test_misses_push_nothing_out(database: Path) -> None:
    """Whoever asks for a thousand names that there aren't makes nobody's page anew."""
    site = server.site(database, {"limits": {"kept_misses": 20_000}})
    first = get(site, "/torch.nn.Dropout")
    for number in range(20):
        assert get(site, f"/nothing.{number}").status_code == 404
    again = get(site, "/torch.nn.Dropout")
    assert first.content == again.content


DEVICES = (None, "Ascend", "GPU", "CPU")


@pytest.mark.parametrize("quick", [True, False], ids=["events", "aside"])
def test_what_a_process_remembers_of_records_has_a_bound(
    history: Path, monkeypatch: pytest.MonkeyPatch, quick: bool
) -> None:
    """Whatever is asked as of which release and for which device: of all together."""
    monkeypatch.setattr(served, "REMEMBERED", 4)
    monkeypatch.setattr(served, "REMEMBERED_QUICK", 4)
    base = served.Served("msmap", str(history))
    base.quick = quick
    known = list(base.kb.known_releases())
    names = [summary.torch for summary in base.kb.records()]
    asked = known[-1:] if quick else known
    bases, most = set(), 0
    for _ in range(2):
        for name in names:
            for release in asked:
                for device in DEVICES:
                    found = base.as_of(release, device)
                    found.find(name)
                    bases.add(found)
                    together = {id(b.rows): b.remembered for b in bases}
                    most = max(most, sum(together.values()))
    # One that was read since it was last looked at.
    assert most == 5 < len(names) * len(asked)
    assert len({id(found.rows) for found in bases}) == len(asked)


def test_a_list_of_all_records_keeps_none(history: Path) -> None:
    base = served.Served("msmap", str(history))
    for release in base.kb.known_releases():
        for device in DEVICES:
            found = base.as_of(release, device)
            lines = found.records()
            assert lines
            assert found.remembered == 0
            # A second time nothing is read.
            assert all(one is other for one, other in zip(lines, found.records(), strict=True))
