"""Records on other sites: the card, the badge, and oEmbed that leads to the card."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from datasette.app import Datasette
from PIL import Image
from tests.builders.serving import get

from datasette_msmap import server
from datasette_msmap.embed import picture
from datasette_msmap.web.responses import Ask
from datasette_msmap.web.served import Served

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def site(database: Path) -> Datasette:
    return server.site(database)


class Words(HTMLParser):
    """The words of a page, tag by tag, and its links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links.append(str(dict(attrs)["href"]))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.words.append(data.strip())


def test_a_card_says_the_record_in_a_few_lines(site: Datasette) -> None:
    found = Words(get(site, "/embed/torch.nn.Dropout").text)
    assert found.words == [
        "torch.nn.Dropout · msmap",
        "torch.nn.Dropout", "→", "mindspore.nn.Dropout",
        "Zeroes elements at random while training.",
        "PyTorch has more parameters", "·", "verified, forward only", "·",
        "documented for Ascend GPU CPU", "·", "ran on CPU",
        "mindspore.nn.Dropout(p=0.25)(x)",
        "silent", "The first position is keep_prob. Write Dropout(p=0.1).",
        "Evidence and details", "msmap",
    ]  # fmt: skip
    assert found.links == ["http://localhost/torch.nn.Dropout"]


def test_a_card_speaks_chinese(site: Datasette) -> None:
    answer = get(site, "/embed/torch.nn.Dropout?lang=zh&theme=dark")
    assert '<html lang="zh-CN" data-theme="dark">' in answer.text
    found = Words(answer.text)
    assert "训练时将元素随机置零。" in found.words
    assert found.links == ["http://localhost/zh/torch.nn.Dropout"]


def test_a_card_of_a_mindspore_name(site: Datasette) -> None:
    found = Words(get(site, "/embed/mindspore.nn.GELU").text)
    assert found.words[1:3] == ["mindspore.nn.GELU", "was in PyTorch"]
    assert "torch.nn.GELU" in found.words


def test_a_card_that_nobody_knows(site: Datasette) -> None:
    answer = get(site, "/embed/torch.nn.Dropot")
    assert answer.status_code == 404
    assert '"torch.nn.Dropot" is not a name of PyTorch or MindSpore' in Words(answer.text).words
    assert "torch.nn.Dropout" in answer.text
    known = get(site, "/embed/torch.nn.Softmax")
    assert known.status_code == 404
    assert "torch.nn.Softmax is known, but not curated yet" in Words(known.text).words


def test_another_spelling_leads_to_the_card(site: Datasette) -> None:
    answer = get(site, "/embed/nn.Dropout?lang=zh&theme=light")
    place = "/embed/torch.nn.Dropout?theme=light&lang=zh"
    assert (answer.status_code, answer.headers["location"]) == (301, place)


@pytest.mark.parametrize("asked", ["theme=blue", "lang=de"])
def test_a_card_has_three_themes_and_two_languages(site: Datasette, asked: str) -> None:
    assert get(site, f"/embed/torch.nn.Dropout?{asked}").status_code == 400


def test_cards_alone_may_be_framed(site: Datasette) -> None:
    for path in ("/embed/torch.nn.Dropout", "/embed/torch.nothing", "/embed/nn.Dropout"):
        headers = get(site, path).headers
        assert headers["content-security-policy"].endswith("frame-ancestors *"), path
        assert "x-frame-options" not in headers
    for path in ("/torch.nn.Dropout", "/msmap", "/api/v1/stats", "/badge/torch.cat.svg", "/oembed",
                 "/embed/x?theme=y", "/embed/", "/embed"):  # fmt: skip
        headers = get(site, path).headers
        assert headers["content-security-policy"].endswith("frame-ancestors 'none'"), path
        assert headers["x-frame-options"] == "DENY"


def test_a_card_that_is_unchanged_may_be_framed_still(site: Datasette) -> None:
    """A browser puts the headers of a 304 over those that it has: none of them is about frames."""
    path = "/embed/torch.nn.Dropout"
    tag = get(site, path).headers["etag"]
    answer = get(site, path, headers={"if-none-match": tag})
    assert answer.status_code == 304
    assert {"x-frame-options", "content-security-policy"} & set(answer.headers) == set()


def test_the_style_of_a_card_is_its_own_file(site: Datasette) -> None:
    assert "<style" not in get(site, "/embed/torch.nn.Dropout").text
    answer = get(site, "/embed/card.css")
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert answer.text.count("{") == answer.text.count("}") > 10


@pytest.mark.parametrize(
    ("path", "status", "said", "colour"),
    [
        ("torch.nn.Dropout.svg", 200,
         ["torch.nn.Dropout", "PyTorch has more parameters · verified, forward only"], "#9a5b00"),
        ("nn.Dropout.svg?lang=zh", 200,
         ["torch.nn.Dropout", "torch 参数更多 · 仅验证前向"], "#9a5b00"),
        ("torch.jit.script.svg", 200, ["torch.jit.script", "no counterpart · unverified"],
         "#b42318"),
        ("mindspore.nn.GELU.svg", 200,
         ["mindspore.nn.GELU", "arguments are used differently · verified"], "#9a5b00"),
        ("torch.cat.svg", 200, ["torch.cat", "identical · verified"], "#1a7f37"),
        ("nn.Softmax.svg", 404, ["torch.nn.Softmax", "no record"], "#57606a"),
        ("nn.Softmax.svg?lang=zh", 404, ["torch.nn.Softmax", "暂无记录"], "#57606a"),
        ("nope.svg", 404, ["nope", "not known"], "#57606a"),
        ("nope.svg?lang=zh", 404, ["nope", "没有该名称"], "#57606a"),
    ],
)  # fmt: skip
def test_a_badge(site: Datasette, path: str, status: int, said: list[str], colour: str) -> None:
    answer = get(site, f"/badge/{path}")
    assert (answer.status_code, answer.headers["content-type"]) == (
        status,
        "image/svg+xml; charset=utf-8",
    )
    picture = ElementTree.fromstring(answer.content)
    assert [text.text for text in picture.iter(f"{SVG}text")] == said
    assert picture.findtext(f"{SVG}title") == picture.get("aria-label") == ": ".join(said)
    assert [rect.get("fill") for rect in picture.iter(f"{SVG}rect")][-1] == colour
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


def test_oembed_leads_to_the_card(site: Datasette) -> None:
    address = "http://localhost/torch.nn.Dropout"
    answer = get(site, "/oembed", params={"url": address, "maxwidth": 400, "maxheight": 9000})
    assert answer.json() == {
        "type": "rich",
        "version": "1.0",
        "title": "torch.nn.Dropout: PyTorch has more parameters · verified, forward only",
        "provider_name": "msmap",
        "provider_url": "http://localhost/",
        "cache_age": 86_400,
        "html": '<iframe src="http://localhost/embed/torch.nn.Dropout" width="400" height="320"'
        ' title="torch.nn.Dropout: PyTorch has more parameters · verified, forward only"'
        ' loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"'
        ' style="border:0"></iframe>',
        "width": 400,
        "height": 320,
    }
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    ("url", "source"),
    [
        ("https://localhost/zh/nn.Dropout", "embed/torch.nn.Dropout?lang=zh"),
        ("http://localhost/F.relu#x", None),
        ("http://localhost/embed/torch.cat?theme=dark", "embed/torch.cat?theme=dark"),
        ("http://localhost/embed/torch.cat?theme=dark&lang=zh",
         "embed/torch.cat?theme=dark&amp;lang=zh"),
        ("http://localhost/mindspore.nn.GELU", "embed/mindspore.nn.GELU"),
    ],
)  # fmt: skip
def test_oembed_takes_pages_and_cards(site: Datasette, url: str, source: str | None) -> None:
    answer = get(site, "/oembed", params={"url": url})
    if source is None:
        assert answer.status_code == 404
    else:
        assert f'src="http://localhost/{source}"' in answer.json()["html"]


@pytest.mark.parametrize(
    ("asked", "status", "message"),
    [
        ({}, 400, "url is missing: the address of a page of this site"),
        ({"url": "http://other.example/torch.cat"}, 404, "url is of another site"),
        ({"url": "http://localhost.evil/torch.cat"}, 404, "url is of another site"),
        ({"url": "http://localhost@evil/torch.cat"}, 404, "url is of another site"),
        ({"url": "javascript://localhost/torch.cat"}, 404, "url is of another site"),
        ({"url": "http://[::1/"}, 400, "url is no address"),
        ({"url": "http://localhost/"}, 404, "only pages and cards of names can be shown elsewhere"),
        ({"url": "http://localhost/guides/training"}, 404,
         "only pages and cards of names can be shown elsewhere"),
        ({"url": "http://localhost/torch.nothing"}, 404, "there is no such page"),
        ({"url": "http://localhost/torch.cat", "format": "xml"}, 501, "only format=json"),
        ({"url": "http://localhost/torch.cat", "maxwidth": "x"}, 400,
         "maxwidth: a number of pixels"),
        ({"url": "http://localhost/embed/torch.cat?theme=<b>"}, 400,
         'theme "<b>": one of auto, light, dark'),
    ],
)  # fmt: skip
def test_oembed_refuses(site: Datasette, asked: dict[str, Any], status: int, message: str) -> None:
    answer = get(site, "/oembed", params=asked)
    assert (answer.status_code, answer.json()["message"]) == (status, message)


@pytest.mark.parametrize("page", ["/zh/torch.nn.Dropout", "/mindspore.nn.GELU"])
def test_a_page_leads_to_oembed(site: Datasette, page: str) -> None:
    found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"',
                      get(site, page).text)  # fmt: skip
    assert found is not None
    answer = get(site, found[1].removeprefix("http://localhost")).json()
    name = page.rpartition("/")[2]
    assert (
        f'src="http://localhost/embed/{name}{"?lang=zh" if "zh" in page else ""}"'
        in (answer["html"])
    )


def test_below_a_prefix(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that is not at the root of its server: every address tells so.

    Datasette's client puts the prefix before what it asks for.
    """
    monkeypatch.setitem(server.SETTINGS, "base_url", "/pre/")
    site = server.site(database)
    assert get(site, "/embed/nn.GELU").headers["location"] == "/pre/embed/torch.nn.GELU"
    card = get(site, "/embed/torch.nn.GELU")
    assert 'href="/pre/embed/card.css?v=' in card.text
    assert Words(card.text).links == ["http://localhost/pre/torch.nn.GELU"]
    url = "http://localhost/pre/zh/torch.nn.GELU"
    found = get(site, "/oembed", params={"url": url}).json()
    assert 'src="http://localhost/pre/embed/torch.nn.GELU?lang=zh"' in found["html"]
    outside = {"url": "http://localhost/torch.nn.GELU"}
    assert get(site, "/oembed", params=outside).status_code == 404
    answer = get(site, "/api/v1/lookup/nn.GELU").json()
    assert answer["$schema"] == "http://localhost/pre/api/v1/schemas/lookup.json"
    document = get(site, "/api/v1/openapi.json").json()
    assert document["servers"] == [{"url": "http://localhost/pre"}]


def test_a_picture_says_names_and_code(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In no language, whichever spelling it is asked for by."""
    drawn: list[tuple[str, ...]] = []

    def draw(*words: str) -> bytes:
        drawn.append(words)
        return b"drawn"

    monkeypatch.setattr(picture, "drawn", draw)
    served = Served("msmap", str(database))
    answer = picture.picture(Ask(served, "en", "", {"name": "nn.Dropout"}, {}, {}, "", ""))
    assert (answer.body, answer.content_type) == (b"drawn", "image/png")
    assert drawn == [(
        "torch.nn.Dropout", "-> mindspore.nn.Dropout",
        "torch.nn.Dropout(0.25)(x)", "mindspore.nn.Dropout(p=0.25)(x)",
    )]  # fmt: skip


@pytest.mark.parametrize(
    ("example", "name", "line"),
    [
        ("x.add_(1)", "torch.Tensor.add_", "x.add_(1)"),
        ("optimizer = SGD(w, lr=1)\nStepLR(optimizer, 2)", "torch.optim.StepLR",
         "StepLR(optimizer, 2)"),
        ("x.sort()\ny = x[0]", "torch.unlike", "x.sort()"),
        ("", "torch.cat", ""),
    ],
)  # fmt: skip
def test_a_picture_shows_the_line_that_calls_the_name(example: str, name: str, line: str) -> None:
    assert picture.calling(example, name) == line


def test_a_picture_breaks_code_behind_a_comma() -> None:
    """Where there is room for no more, which the font knows; what can't be broken stays."""
    long = f"f({'number, ' * 12}last)"
    first, second = picture.rows(long, 952)
    assert first.endswith(",")
    assert second.startswith("    number")
    assert f"{first} {second.strip()}" == long
    assert picture.rows("f(x)", 952) == ["f(x)"]
    assert picture.rows("name" * 99, 952) == ["name" * 99]


@pytest.mark.parametrize(
    "words",
    [("torch.cat", "", "", ""), ("torch.cat", "same", "torch.cat(xs)", ""),
     ("a.name_that_no_picture_has_room_for" * 9, "said" * 99, "code()" * 99, "code()" * 99)],
)  # fmt: skip
def test_a_picture_has_the_size_of_previews(words: tuple[str, str, str, str]) -> None:
    """And the same bytes for the same words; its edge stays free, however long they are."""
    made = picture.drawn(*words)
    assert made == picture.drawn(*words)
    image = Image.open(BytesIO(made))
    assert (image.format, image.size) == ("PNG", (picture.WIDTH, picture.HEIGHT))
    edge = [image.crop((x, 0, x + 80, image.height)) for x in (0, image.width - 80)]
    assert [side.getextrema() for side in edge] == [(0, 0), (0, 0)]
    assert image.getextrema() != (0, 0)


def test_a_name_that_nobody_knows_has_no_picture(site: Datasette) -> None:
    answer = get(site, "/preview/torch.nn.Dropot.png")
    assert (answer.status_code, answer.json()["nearest"][:1]) == (404, ["torch.nn.Dropout"])
    drawn = get(site, "/preview/torch.nn.Dropout.png")
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/png")
