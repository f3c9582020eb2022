"""The site as files: every page that is served, every link of which leads somewhere."""

from __future__ import annotations

import hashlib
import json
import re
import struct
from pathlib import Path

import jsonschema
import pytest
from tests.builders import links as checked
from tests.builders.commands import Run
from tests.site.test_taken import inventory

from datasette_msmap import export as exporting
from datasette_msmap.export import crawl, links, names
from datasette_msmap.export.crawl import Address, Asked
from datasette_msmap.pages import PAGES
from datasette_msmap.web.served import Served
from msmap.errors import MsmapError
from msmap.query.base.records import answered
from msmap.query.knowledge_base import KnowledgeBase

# What all of what ships may take, in bytes: of each name that has an answer, in both languages, and
# of all together.
BUDGET_OF_NAME = {"pages": 34_000, "answers": 8_000, "markdown": 3_500}
BUDGET = {"data": 60_000_000, "other": 5_000_000, "pictures": 0}


@pytest.fixture(scope="module")
def exported(probed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "site"
    exporting.export(folder, probed, jobs=1)
    return folder


def contents(folder: Path) -> dict[str, str]:
    """The files below a folder, each with a digest of what is in it."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_page_is_there_in_both_languages(exported: Path, probed: Path) -> None:
    with KnowledgeBase(probed) as kb:
        wanted = [f"{name}.html" for name in answered(kb)]
        wanted += [f"guides/{guide.id}.html" for guide in kb.guides()]
    wanted += [f"{page.path[1:] or 'index'}.html" for page in PAGES]
    found = contents(exported)
    for language in ("", "zh/"):
        assert {f"{language}{page}" for page in wanted} <= found.keys()
        as_markdown = {
            f"{language}{page.removesuffix('.html')}.md"
            for page in wanted
            if page not in ("search.html", "api.html")
        }
        assert as_markdown <= found.keys()
    assert {"objects.inv", "zh/objects.inv", "llms.txt", "data/SHA256SUMS"} <= found.keys()


def test_no_link_is_broken(exported: Path) -> None:
    assert checked.broken(exported) == []


def test_nothing_is_asked_of_a_server(exported: Path) -> None:
    """No form but that of search, no address from the root, and what is missing is said."""
    for path in exported.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        forms = re.findall(r"<form [^>]*action=\"([^\"]*)\"", text)
        assert all(form.endswith("search.html") for form in forms), path
        assert not re.search(r'="/[^"]', text), path
        assert "data-server" not in text
    port = (exported / "port.html").read_text(encoding="utf-8")
    assert '<p class="notice">Rewriting needs a server: run msmap serve' in port
    assert "转写需要服务器" in (exported / "zh/port.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_search_has_every_page(exported: Path, language: str) -> None:
    text = (exported / f"search-{language}.js").read_text(encoding="utf-8")
    told = json.loads(text.removeprefix("window.msmapIndex=").removesuffix(";\n"))
    folder = exported / "zh" if language == "zh" else exported
    files = {page[0]: folder / (page[4] or f"{page[0]}.html") for page in told["pages"]}
    assert {"torch.nn.Dropout", "torch.relu", "mindspore.nn.Dropout", "training"} <= set(files)
    assert [str(path) for path in files.values() if not path.is_file()] == []
    page = (folder / "search.html").read_text(encoding="utf-8")
    assert re.findall(r'<script src="(\S+)" defer>', page)[-2:] == [
        f"{'../' * (language == 'zh')}search-{language}.js",
        f"{'../' * (language == 'zh')}static/still.js",
    ]


def test_sphinx_finds_the_files(exported: Path) -> None:
    for language in ("", "zh/"):
        found = inventory((exported / language / "objects.inv").read_bytes())
        places = [exported / language / place for _, place, _ in found.values()]
        assert [str(place) for place in places if not place.is_file()] == []
        assert found["torch.nn.Dropout"][1] == "torch.nn.Dropout.html"


def test_checks_stand_in_the_page_of_their_record(exported: Path) -> None:
    """Nothing is fetched from files: the code is there, and no page of checks beside it."""
    for language in ("", "zh/"):
        text = (exported / language / "torch.nn.Dropout.html").read_text(encoding="utf-8")
        checks = re.findall(r'<details class="check" id="check-[^"]+">.*?</details>', text, re.S)
        assert checks
        assert all('<pre class="torch"' in check for check in checks)
        assert "data-checks" not in text
    assert not list(exported.rglob("checks.html"))


def test_answers_of_the_api_are_files(exported: Path, probed: Path) -> None:
    """Each names its schema by where that is from its own place; a page leads to its own."""
    api = exported / "api/v1"
    with KnowledgeBase(probed) as kb:
        assert {path.stem for path in (api / "lookup").iterdir()} == set(answered(kb))
    told = json.loads((api / "lookup/torch.nn.Dropout.json").read_text(encoding="utf-8"))
    assert (told["$schema"], told["answers"][0]["record"]["torch"]) == (
        "../schemas/lookup.json", "torch.nn.Dropout",
    )  # fmt: skip
    schema = json.loads((api / "schemas/lookup.json").read_text(encoding="utf-8"))
    jsonschema.validate(told, schema)
    for name in ("claims", "coverage", "guides", "list", "names", "stats"):
        answer = json.loads((api / f"{name}.json").read_text(encoding="utf-8"))
        assert (api / answer["$schema"]).is_file()
    page = (exported / "zh/torch.nn.Dropout.html").read_text(encoding="utf-8")
    assert '<a href="../api/v1/lookup/torch.nn.Dropout.json">JSON</a>' in page


def test_what_is_not_there_has_a_page(exported: Path, probed: Path, tmp_path: Path) -> None:
    """A web server shows it below any address, so that with a url its links are whole."""
    for language, said in (("", "There is no such page"), ("zh/", "没有这个页面")):
        text = (exported / f"{language}404.html").read_text(encoding="utf-8")
        assert f"<h1>{said}</h1>" in text
        assert '<meta name="robots" content="noindex">' in text
    url = "https://msmap.example/docs"
    exporting.export(tmp_path / "site", probed, url=url, data=False, jobs=1)
    text = (tmp_path / "site/404.html").read_text(encoding="utf-8")
    found = [link for link in checked.Read(text).links if not link.startswith("#")]
    assert [link for link in found if not link.startswith(f"{url}/")] == []
    assert "404.html" not in (tmp_path / "site/sitemap.xml").read_text(encoding="utf-8")


def test_several_processes_make_the_same(exported: Path, probed: Path, tmp_path: Path) -> None:
    exporting.export(tmp_path / "site", probed, jobs=2)
    assert contents(tmp_path / "site") == contents(exported)


def test_where_it_is_going_to_be_is_told(probed: Path, tmp_path: Path) -> None:
    url = "https://msmap.example/docs"
    exporting.export(tmp_path / "site", probed, url=url, device="cpu", data=False, jobs=1)
    assert checked.broken(tmp_path / "site") == []
    page = (tmp_path / "site/zh/torch.cat.html").read_text(encoding="utf-8")
    assert f'<link rel="canonical" href="{url}/zh/torch.cat.html">' in page
    assert f'<meta property="og:image" content="{url}/preview/torch.cat.png">' in page
    probe = (tmp_path / "site/torch.relu.html").read_text(encoding="utf-8")
    assert f'<meta property="og:image" content="{url}/static/preview.png">' in probe
    cat = (tmp_path / "site/preview/torch.cat.png").read_bytes()
    assert struct.unpack(">II", cat[16:24]) == (1200, 630)
    (told,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    assert json.loads(told)["url"] == f"{url}/zh/torch.cat.html"
    assert "device=" not in page
    places = re.findall("<loc>(.*)</loc>", (tmp_path / "site/sitemap.xml").read_text())
    missing = [p for p in places if not (tmp_path / "site" / p.removeprefix(f"{url}/")).is_file()]
    assert (missing, len(places) > 50) == ([], True)
    assert not (tmp_path / "site/data").exists()


def test_an_export_is_replaced_whole(probed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    exporting.export(folder, probed, data=False, jobs=1)
    before = contents(folder)
    (folder / "old.html").write_text("of before", encoding="utf-8")
    exporting.export(folder, probed, data=False, jobs=1)
    assert contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_what_is_no_export_stays(probed: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    before = contents(tmp_path)
    for name in ("mine", "file"):
        with pytest.raises(MsmapError, match=r"not empty, and no export|a file; a folder is meant"):
            exporting.export(tmp_path / name, probed, jobs=1)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("url", ["msmap.example", "ftp://msmap.example", 'https://a"b', "/docs"])
def test_an_address_that_is_none_is_refused(probed: Path, tmp_path: Path, url: str) -> None:
    with pytest.raises(MsmapError, match=r"^url: .* an address such as https://msmap\.example$"):
        exporting.export(tmp_path / "site", probed, url=url, jobs=1)
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_no_page_is_made(
    probed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(exporting.crawl, "crawl", pytest.fail)
    with pytest.raises(MsmapError, match=r"Not a directory|File exists"):
        exporting.export(tmp_path / "file/site", probed, jobs=1)


def test_what_fails_leaves_the_former_one(
    probed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    exporting.export(folder, probed, data=False, jobs=1)
    before = contents(folder)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "search-en.js")

    monkeypatch.setattr(exporting.finding, "index", full)
    with pytest.raises(MsmapError, match=r"search-en.js: No space left on device"):
        exporting.export(folder, probed, data=False, jobs=1)
    assert contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_the_command_says_what_it_wrote(run: Run, tmp_path: Path) -> None:
    done = run("export", str(tmp_path / "site"), "--no-data", "-j", "1")
    assert (done.status, re.sub(r"\d[\d.]*", "N", done.out.partition(": ")[2])) == (
        0, "N files, N MB (markdown N, other N, pages N, pictures N)\n",
    )  # fmt: skip
    again = run("export", str(tmp_path), "-j", "1")
    assert (again.status, "no export of msmap" in again.err) == (1, True)


@pytest.mark.parametrize(
    ("addresses", "wanted"),
    [
        (["/", "/zh", "/zh/stats"], ["index.html", "zh/index.html", "zh/stats.html"]),
        (["/torch.tensor", "/torch.Tensor"], ["torch.tensor.html", "torch.Tensor_upper.html"]),
        (["/torch.tensor.md", "/torch.Tensor.md"], ["torch.tensor.md", "torch.Tensor_upper.md"]),
        (["/torch.nn.Module.T_destination"], ["torch.nn.Module.T_destination.html"]),
        (["/a%20b", "/a_b"], ["a_b.html", "a_b_upper.html"]),
    ],
)
def test_files_differ_by_more_than_case(addresses: list[str], wanted: list[str]) -> None:
    given = [Address(address) for address in addresses]
    found = names.files(given)
    assert [found[address] for address in given] == wanted


def test_a_page_of_a_list_has_a_file() -> None:
    address = Address("/browse", (("namespace", "torch.nn"), ("page", "2")))
    assert names.files([address]) == {address: "browse-namespace-torch.nn-page-2.html"}


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ('<p>a</p><nav data-server class="x"><nav>b</nav></nav><p>c</p>', "<p>a</p><p>c</p>"),
        ('<form id="x" data-server="k"><div></div></form>', "[k]"),
        ("<p>data-server</p>", "<p>data-server</p>"),
    ],
)
def test_what_only_a_server_can_do_is_left_out(page: str, wanted: str) -> None:
    assert links.unserved(page, lambda said: f"[{said}]") == wanted


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ('<a class="x" href="/a#b">', '<a class="x" href="A#b">'),
        ('<a href="/gone#b">t</a>', "<a>t</a>"),
        ('<link rel="x" href="/gone">', ""),
        ('<a href="https://elsewhere.example/">', '<a href="https://elsewhere.example/">'),
        ('<a href="/a?b=1&amp;c=2">', '<a href="A&amp;">'),
        ('<body data-suggest="/gone" data-copy="/ is a slash">', "<body>"),
        ('<meta name="description" content="a / b">', '<meta name="description" content="a / b">'),
    ],
)
def test_links_lead_from_file_to_file(page: str, wanted: str) -> None:
    known = {"/a": "A", "/a?b=1&c=2": "A&"}
    assert links.page(page, known.get, "https://site.example") == wanted


def test_a_feed_leads_to_files() -> None:
    known = {"https://a.example/b?c=1&d=2": "https://a.example/b-c-1.html"}
    text = '<link href="https://a.example/b?c=1&amp;d=2"/><link href="https://other.example/"/>'
    assert links.feed(text, known.get) == (
        '<link href="https://a.example/b-c-1.html"/><link href="https://other.example/"/>'
    )


@pytest.mark.parametrize(
    ("link", "followed"),
    [
        ("/torch.cat", True), ("/zh/browse?namespace=torch&page=2", True),
        ("/torch.cat?device=cpu", False), ("/torch.cat?mindspore=2.8", False),
        ("/browse?category=missing", False), ("/search?q=x", False), ("/api/v1/stats", False),
        ("/-/msmap/site.css?v=1", False), ("/data/record", False), ("/releases?from=1&to=2", True),
        ("/?lang=en", True),
    ],
)  # fmt: skip
def test_which_links_are_followed(probed: Path, link: str, followed: bool) -> None:
    asked = Asked(Served("msmap", str(probed)), "")
    address = asked.address(link)
    assert address is not None
    assert asked.follows(address) == followed


@pytest.mark.parametrize("link", ["https://elsewhere.example/", "//elsewhere", "#part", "mailto:x"])
def test_links_that_lead_elsewhere(link: str) -> None:
    assert crawl.Asked.address(crawl.Asked(None, ""), link) is None  # type: ignore[arg-type]


def test_all_that_ships(shipped: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Minutes of one processor: with ``--whole`` alone."""
    if not request.config.getoption("--whole"):
        pytest.skip("takes minutes; pytest --whole runs it")
    made = exporting.export(tmp_path / "site", shipped, jobs=2)
    assert checked.broken(tmp_path / "site") == []
    names = len(list((tmp_path / "site" / "api" / "v1" / "lookup").iterdir()))
    most = BUDGET | {kind: size * names for kind, size in BUDGET_OF_NAME.items()}
    over = {kind: size for kind, size in made.sizes.items() if size > most[kind]}
    assert over == {}
