"""Every page of the site: what it answers, in both languages, and what makes it safe to read."""

from __future__ import annotations

import asyncio
import html
import json
import re
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from datasette.app import Datasette
from tests.builders.serving import get, text_of

from datasette_msmap import pages, server
from datasette_msmap.embed import card
from datasette_msmap.web import texts
from datasette_msmap.web.responses import Page as Page_
from datasette_msmap.web.tones import tone
from msmap import vocabulary

# Data, not a script.
LINKED_DATA = "application/ld+json"
# Elements that have no end.
VOID = {"meta", "link", "input", "br", "hr", "img", "wbr"}
PAGES = [
    *(page.path for page in pages.PAGES), "/torch.nn.Dropout", "/torch.cat", "/torch.nn.GELU",
    "/torch.Tensor.size", "/torch.cuda.empty_cache", "/torch.jit.script",
    "/torch.nn.Dropout?mindspore=2.9", "/mindspore.nn.Dropout",
    "/browse?namespace=torch&device=CPU&impact=silent",
    "/browse?category=nothing", "/guides/training", "/claims?topic=modes",
    "/claims?about=nn.Dropout&verdict=refuted", "/tables?table=nothing",
    "/coverage?namespace=torch.nn", "/releases?from=2.8.0&to=2.9", "/search?q=dropout",
    "/search?q=Dropot", "/port?code=nn.Dropout(0.1)", "/port?code=(",
]  # fmt: skip


class Page(HTMLParser):
    """A page read: its elements in order, and those that were not closed as they were opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.crossed: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.crossed.append(tag)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def site(history: Path) -> Datasette:
    return server.site(history)


def both(path: str) -> list[str]:
    return [path, "/zh" + (path if path != "/" else "")]


@pytest.mark.parametrize("path", [p for page in PAGES for p in both(page)])
def test_page_is_whole(site: Datasette, path: str) -> None:
    """It is there, well-formed and told apart, says its language, and has no script inside."""
    answer = get(site, path)
    assert answer.status_code == 200
    page = Page(answer.text)
    assert (page.crossed, page.open) == ([], [])
    assert [a["lang"] for a in page.all("html")] == ["zh-CN" if path.startswith("/zh") else "en"]
    assert len(page.all("h1")) == 1
    scripts = [script for script in page.all("script") if script.get("type") != LINKED_DATA]
    assert all(script.get("src") for script in scripts)
    assert not page.all("style")
    attributes = {name for _, found in page.elements for name in found}
    assert not {name for name in attributes if name == "style" or name.startswith("on")}
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", ["/torch.nn.Dropout", "/browse", "/guides/training", "/stats"])
def test_headings_go_down_by_one(site: Datasette, path: str) -> None:
    levels = [int(tag[1]) for tag, _ in Page(get(site, path).text).elements if tag in HEADINGS]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


HEADINGS = ("h1", "h2", "h3", "h4")


@pytest.mark.parametrize("path", ["/", "/torch.nn.Dropout", "/browse", "/claims?topic=modes"])
def test_links_inside_the_site_lead_somewhere(site: Datasette, path: str) -> None:
    """No link of a page is broken, and those to a part of a page find it."""
    for page in both(path):
        read = Page(get(site, page).text)
        for link in read.all("a"):
            place = link["href"] or ""
            if not place.startswith(("/", "#")):
                continue
            target, _, part = place.partition("#")
            answer = get(site, target or page)
            assert answer.status_code == 200, place
            if part:
                ids = [found.get("id") for _, found in Page(answer.text).elements]
                assert part.replace("%20", " ") in ids, place


def test_alternates_and_canonical(site: Datasette) -> None:
    """Both languages name each other and themselves, without what does not make another page."""
    for path, own in (("/torch.nn.Dropout", ""), ("/zh/torch.nn.Dropout", "/zh")):
        links = Page(get(site, path).text).all("link")
        assert [
            (link["rel"], link.get("hreflang"), link["href"])
            for link in links
            if link["rel"] == "canonical" or "hreflang" in link
        ] == [
            ("canonical", None, f"http://localhost{own}/torch.nn.Dropout"),
            ("alternate", "en", "http://localhost/torch.nn.Dropout"),
            ("alternate", "zh-CN", "http://localhost/zh/torch.nn.Dropout"),
            ("alternate", "x-default", "http://localhost/torch.nn.Dropout"),
        ]


@pytest.mark.parametrize(
    "path", ["/search?q=x", "/browse?category=identical", "/releases?from=1.0", "/port?code=x"]
)
def test_what_is_made_of_arguments_is_not_indexed(site: Datasette, path: str) -> None:
    page = Page(get(site, path).text)
    assert {"name": "robots", "content": "noindex"} in page.all("meta")


def test_the_switch_keeps_the_place(site: Datasette) -> None:
    """The language switch leads to the same page with the same filters."""
    page = Page(get(site, "/browse?namespace=torch&device=CPU").text)
    assert [a["href"] for a in page.all("a") if "data-language" in a] == [
        "/zh/browse?namespace=torch&device=cpu"
    ]


def test_a_configured_address_stands_in_links(history: Path) -> None:
    """Behind a proxy the site's own address is told, not what the request says."""
    made = server.site(history)
    made._metadata_local = {"plugins": {"msmap": {"url": "https://msmap.example/"}}}
    links = Page(get(made, "/torch.cat", headers={"Host": "evil.example"}).text).all("link")
    assert links[0]["href"] == "https://msmap.example/torch.cat"


@pytest.mark.parametrize("host", ['a"><script>', "a b", "a/b", "..%2f", "a:b", "[x]", "x" * 300])
def test_a_host_that_is_none_is_refused(site: Datasette, host: str) -> None:
    answer = get(site, "/torch.cat", headers={"Host": host})
    assert (answer.status_code, host in answer.text) == (400, False)


def test_without_a_host_addresses_are_relative(site: Datasette) -> None:
    page = get(site, "/torch.cat", headers={"Host": ""}).text
    assert Page(page).all("link")[0]["href"] == "/torch.cat"


def test_the_first_screen_of_a_record(site: Datasette) -> None:
    """Names, category, verification, devices, the worst caveat and the code come first."""
    page = get(site, "/torch.nn.Dropout").text
    first = page[: page.index('class="toc"')]
    assert text_of(first, r"<h1>(.*?)</h1>") == ["torch.nn.Dropout → mindspore.nn.Dropout"]
    assert text_of(first, r'<span class="chip[^>]*>(.*?)</span>') == [
        "PyTorch has more parameters", "Ascend", "GPU", "CPU", "CPU: verified",
    ]  # fmt: skip
    assert "Changes results without an error" in first
    assert text_of(first, r"<pre[^>]*>(.*?)</pre>") == [
        "torch.nn.Dropout(0.25)(x)", "mindspore.nn.Dropout(p=0.25)(x)",
    ]  # fmt: skip


def test_permalinks_of_a_record(site: Datasette) -> None:
    """Every caveat, parameter and check has an address of its own."""
    ids = [found.get("id") for _, found in Page(get(site, "/torch.nn.Dropout").text).elements]
    told = [i for i in ids if i and re.match(r"(caveat|parameter|check|target)-", i)]
    assert told == [
        "parameter-p", "parameter-inplace", "caveat-position-is-kept",
        "target-mindspore.nn.Dropout", "check-training", "check-position",
    ]  # fmt: skip


def test_a_record_as_of_an_earlier_release(site: Datasette) -> None:
    """It says so, is not indexed, and names the newest; an unknown release leads to the newest."""
    page = get(site, "/torch.nn.Dropout?mindspore=2.8").text
    assert "As of MindSpore 2.8.0. The newest described is 2.10.0." in page
    assert 'content="noindex"' in page
    answer = get(site, "/torch.nn.Dropout?mindspore=9")
    assert (answer.status_code, answer.headers["location"]) == (302, "/torch.nn.Dropout")


def test_suggestions(site: Datasette) -> None:
    """Names that start so, guides by their words in both languages, typing errors forgiven."""
    found = {
        text: [s["url"] for s in json.loads(get(site, text).text)["suggestions"]]
        for text in ("/suggest?q=drop", "/suggest?q=dropuot", "/zh/suggest?q=推理", "/suggest?q=")
    }
    assert found == {
        "/suggest?q=drop": ["/torch.nn.Dropout", "/mindspore.nn.Dropout"],
        "/suggest?q=dropuot": ["/torch.nn.Dropout", "/mindspore.nn.Dropout"],
        "/zh/suggest?q=推理": ["/zh/guides/training"],
        "/suggest?q=": [],
    }


def test_results_of_a_search(shipped: Path) -> None:
    """What was meant, perhaps, stands behind what was found; more are told than are shown."""
    site = server.site(shipped)
    page = get(site, "/search?q=beam+search").text
    assert "<h1>1 result</h1>" in page
    assert 0 < page.index('<ul class="hits">') < page.index("Did you mean")
    assert "<h1>The first 50 results</h1>" in get(site, "/search?q=tensor").text
    assert "<h1>前 50 条结果</h1>" in get(site, "/zh/search?q=tensor").text


def test_too_long_a_query_is_refused(site: Datasette) -> None:
    assert get(site, "/search?q=" + "a" * 20_001).status_code == 414


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_pages_are_only_read(site: Datasette, method: str) -> None:
    answer = asyncio.run(getattr(site.client, method.lower())("/torch.cat"))
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_sitemap(site: Datasette) -> None:
    """All pages in both languages, each of them there."""
    root = ElementTree.fromstring(get(site, "/sitemap.xml").content)
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    found = [place.text or "" for place in root.iter(f"{space}loc")]
    assert "http://localhost/zh/torch.nn.Dropout" in found
    assert len(found) == len(set(found))
    for place in found:
        assert get(site, place.removeprefix("http://localhost")).status_code == 200, place


def test_robots(site: Datasette) -> None:
    lines = get(site, "/robots.txt").text.splitlines()
    assert lines[0] == "User-agent: *"
    assert "Disallow: /search" in lines
    assert lines[-1] == "Sitemap: http://localhost/sitemap.xml"


def test_static_files_may_be_kept(site: Datasette) -> None:
    """Under the address in the pages a file never changes; under another it may."""
    page = Page(get(site, "/torch.cat").text)
    sheet = next(link["href"] for link in page.all("link") if link["rel"] == "stylesheet")
    assert sheet is not None
    answer = get(site, sheet)
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000"
    assert get(site, "/-/msmap/site.css").headers["cache-control"] == "public, max-age=300"
    assert get(site, "/-/msmap/..%2fserved.py").status_code == 404


@pytest.mark.parametrize("path", ["/-/msmap/no", "/a/b/c", "//evil.example/", "/%00", "/zh/zh"])
def test_what_is_not_there(site: Datasette, path: str) -> None:
    answer = get(site, path)
    assert answer.status_code == 404
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x>', "\u202etxt.exe"])
def test_a_name_is_only_text(site: Datasette, name: str) -> None:
    """What was asked for is repeated without acting, and without marks that turn text around."""
    for answer in (get(site, f"/{name}"), get(site, "/search", params={"q": name})):
        page = Page(answer.text)
        scripts = [script for script in page.all("script") if script.get("type") != LINKED_DATA]
        assert all(script.get("src") for script in scripts)
        assert not page.all("img")
        assert "\u202e" not in answer.text


def test_texts_are_in_both_languages() -> None:
    """Both have the same places to fill in, and no text is in the wrong language."""
    for key, (english, chinese) in texts.TEXTS.items():
        assert re.findall(r"{\d}", english).sort() == re.findall(r"{\d}", chinese).sort(), key
        assert not re.search("[\u4e00-\u9fff]", english) or key == "language.other", key


DOCUMENT = Path(__file__).resolve().parents[2] / "docs/site.md"


def test_a_page_is_declared_by_its_module_alone(site: Datasette) -> None:
    """Each is led to, where it says so, and stands in the sitemap, where it says so."""
    links = [a["href"] for a in Page(get(site, "/stats").text).all("a")]
    places = get(site, "/sitemap.xml").text
    for page in pages.PAGES:
        assert (page.path in links[2:9]) == bool(page.nav), page.path
        assert (f"<loc>http://localhost{page.path}</loc>" in places) == page.sitemap, page.path
        if page.nav:
            assert f"nav.{page.name}" in texts.TEXTS
        assert f"`{page.path}`" in DOCUMENT.read_text(encoding="utf-8"), page.path
    assert [page.path for page in pages.PAGES if page.nav] == [
        "/browse", "/guides", "/claims", "/coverage", "/releases", "/stats", "/port",
    ]  # fmt: skip


@pytest.mark.parametrize("page", pages.PAGES, ids=[page.name for page in pages.PAGES])
def test_a_page_declares_the_arguments_that_it_reads(page: Page_) -> None:
    """Any other is left out of its address before it is made."""
    source = Path(str(sys.modules[page.make.__module__].__file__)).read_text(encoding="utf-8")
    read = re.findall(r'ask\.args(?:\.get\(|\[)"(\w+)"', source)
    assert sorted(set(read) - {*page.args, "device"}) == []


def test_tables_are_looked_at_without_sql(site: Datasette) -> None:
    """Every table that is listed has a page, in both languages, and what isn't listed has none."""
    links = [a["href"] or "" for a in Page(get(site, "/data").text).all("a")]
    listed = [link for link in links if re.fullmatch("/data/[a-z_]+", link)]
    assert "/data/record" in listed
    for link in listed:
        for place in (link, f"/zh{link}?page=99"):
            answer = get(site, place)
            assert answer.status_code == 200, place
            assert f"<h1><code>{link.removeprefix('/data/')}</code></h1>" in answer.text
    assert '<a href="/torch.cat"><code>torch.cat</code></a>' in get(site, "/data/record").text
    for none in ("/data/spelling", "/data/sqlite_master", "/data/page"):
        assert get(site, none).status_code == 404


def test_no_page_leads_to_datasette(site: Datasette) -> None:
    for path in ("/", "/torch.nn.Dropout", "/data", "/stats"):
        links = [a["href"] or "" for a in Page(get(site, path).text).all("a")]
        assert [link for link in links if link.startswith(("/msmap/", "/-/"))] == []
        assert "/msmap" not in links


WORDS = ("CATEGORIES", "VERIFICATIONS", "VARIANT_OUTCOMES", "IMPACTS", "VERDICTS", "RELATION_WORDS")
SHEETS = (
    Path(server.__file__).parent / "static/site.css",
    Path(card.__file__).with_name("card.css"),
)


def test_style_sheets_know_tones_and_no_word_of_a_vocabulary() -> None:
    """Each word has a tone, so a new one needs no style of its own."""
    words = {word for table in WORDS for word in getattr(vocabulary, table)}
    assert {word for word in words if tone(word) not in TONES} == set()
    for sheet in SHEETS:
        classes = set(re.findall(r"\.([a-z_-]+)", sheet.read_text(encoding="utf-8")))
        # A remark and the refusals of the rewriter are things of a page, not words.
        assert classes & (words - {"note", "refused"}) == set(), sheet.name
        assert {"good", "bad", "warn"} <= classes


TONES = ("good", "fair", "warn", "bad", "other", "dim")


@pytest.mark.parametrize(
    ("path", "accepted", "place"),
    [
        ("/", "zh-CN,zh;q=0.9,en;q=0.8", "/zh"),
        ("/", "en,zh;q=0.5", None),
        ("/", "", None),
        ("/?lang=en", "zh", None),
        ("/zh", "en", None),
        ("/torch.nn.Dropout", "zh", None),
    ],
)
def test_the_first_page_is_in_the_language_asked_for(
    site: Datasette, path: str, accepted: str, place: str | None
) -> None:
    """Nothing else looks at it, so that all other answers depend on their address alone."""
    answer = get(site, path, headers={"accept-language": accepted})
    assert answer.headers.get("location") == place
    assert answer.status_code == (302 if place else 200)
    if path == "/":
        assert "accept-language" in answer.headers["vary"]
        assert place is None or answer.headers["cache-control"] == "no-store"
    else:
        assert "accept-language" not in answer.headers.get("vary", "") or path == "/?lang=en"


def test_the_first_page_is_led_back_to_by_its_language(site: Datasette) -> None:
    """Who has chosen is not led away again."""
    assert '<a class="brand" href="/?lang=en">' in get(site, "/torch.nn.Dropout").text
    assert '<a class="brand" href="/zh">' in get(site, "/zh/torch.nn.Dropout").text
    assert 'href="/?lang=en" data-language' in get(site, "/zh").text
    assert 'rel="canonical" href="http://localhost/"' in get(site, "/?lang=en").text


def test_checks_have_a_page_of_their_own(site: Datasette) -> None:
    """The page of the record has a line for each, with the way there."""
    record = get(site, "/torch.nn.Dropout").text
    assert 'href="/torch.nn.Dropout/checks#check-training"' in record
    assert "torch.nn.Dropout(0.25)(x)" not in record[record.index('id="evidence"') :]
    checks = get(site, "/torch.nn.Dropout/checks").text
    assert 'id="check-training" open' in checks
    assert "torch.nn.Dropout(0.25)(x)" in text_of(checks, r"<pre[^>]*>(.*?)</pre>")


@pytest.mark.parametrize(
    ("path", "status", "place"),
    [
        ("/nn.Dropout/checks", 301, "/torch.nn.Dropout/checks"),
        ("/torch.nn.Dropout/checks?mindspore=9", 302, "/torch.nn.Dropout/checks"),
        ("/mindspore.nn.Dropout/checks", 200, None),
        ("/torch.nothing/checks", 404, None),
    ],
)
def test_checks_of_other_names(site: Datasette, path: str, status: int, place: str | None) -> None:
    answer = get(site, path)
    assert (answer.status_code, answer.headers.get("location")) == (status, place)


def test_one_filter_leaves_what_has_no_kernel_on_the_cpu(shipped: Path) -> None:
    """As many as it says, and no more than a query of the tables tells."""
    site = server.site(shipped)
    choice = get(site, "/browse").text.partition('<select name="without">')[2]
    (offered,) = re.findall(r'<option value="CPU">CPU \((\d+)\)', choice.partition("</s")[0])
    path, rows = "/browse?without=CPU", 0
    while path:
        left = get(site, path).text
        rows += left.partition("<tbody>")[2].count("<tr>")
        following = re.search(r'rel="next" href="([^"]+)"', left)
        path = html.unescape(following[1]) if following else ""
    assert rows == int(offered)
    assert int(offered) > 50


def test_the_file_of_a_record_and_a_place_for_mistakes_are_linked_where_told(
    database: Path,
) -> None:
    """Nobody has said where they are of a site as it comes."""
    places = {
        "source": "https://host.example/data/{path}",
        "report": "mailto:us@host.example?subject={name}",
    }
    told = text_of(get(server.site(database), "/torch.nn.Dropout").text, r'id="changes">(.*?)</s')
    assert "Its file" not in "".join(told)
    page = get(server.site(database, places), "/torch.nn.Dropout").text
    assert 'href="https://host.example/data/records/torch/nn/Dropout.yaml"' in page
    assert 'href="mailto:us@host.example?subject=torch.nn.Dropout"' in page
