"""A record whose every text is an attack shows it as text, in a browser too."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect
from tests.browser.conftest import PHONE, fresh, kept
from tests.browser.geometry import unfold, widths
from tests.browser.watching import Watch
from tests.builders import hostile
from tests.builders.serving import served

NAME = quote(hostile.PAYLOAD, safe="")
PATHS = {
    "home": "/",
    "record": "/torch.nn.Evil",
    "MindSpore name": "/mindspore.nn.Evil",
    "guide": "/guides/evil",
    "statements": "/claims",
    "names": "/browse",
    "releases": "/releases",
    "statistics": "/stats",
    "search": f"/search?q={NAME}",
    "search that finds": "/search?q=alert",
    "rewriter": f"/port?code=torch.nn.Evil('{NAME}')",
    "missing": f"/{NAME}",
    "card": "/embed/torch.nn.Evil",
    "card of a missing name": f"/embed/{NAME}",
    "Datasette's row": "/msmap/record/torch~2Enn~2EEvil",
    "Datasette's table": "/msmap/caveat",
}
# None of ours has one; what a page inserts by itself is not there when it is loaded.
INSERTED = "main img, main script, main style, main iframe, [onerror], [onmouseover]"


@pytest.fixture(scope="module")
def hostile_origin(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin of a site of nothing else."""
    with served(hostile.build(tmp_path_factory.mktemp("hostile"))) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def window(browser: Browser, hostile_origin: str) -> Iterator[BrowserContext]:
    """A phone's window on that site."""
    with kept(browser, hostile_origin, **PHONE) as context:
        yield context


@pytest.fixture
def watched(window: BrowserContext, hostile_origin: str) -> Iterator[Page]:
    """A page on a phone, on which nothing may act, complain or leave the site."""
    acted: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        acted.append(dialog.message)
        dialog.dismiss()

    with fresh(window) as page:
        watch = Watch(hostile_origin).on(page)
        page.on("dialog", dismiss)
        yield page
    assert (acted, watch.complaints, watch.foreign) == ([], [], [])


@pytest.mark.moving(1, "path")
@pytest.mark.parametrize("language", ["", "/zh"])
@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_nothing_acts(watched: Page, path: str, language: str) -> None:
    ours = not path.startswith(("/msmap/", "/embed/"))
    watched.goto(language + path if ours else path)
    unfold(watched)
    watched.wait_for_load_state("networkidle")
    if ours:
        assert watched.locator(INSERTED).count() == 0
        assert widths(watched) == (390, 390, [])


def test_nothing_acts_in_suggestions(watched: Page) -> None:
    watched.goto("/")
    for text in ("Evi", "alert", hostile.PAYLOAD):
        with watched.expect_response(lambda answer: "/suggest?" in answer.url) as answered:
            watched.locator("[data-search]").fill(text)
        answered.value.finished()
        watched.evaluate("new Promise(requestAnimationFrame)")
        assert watched.locator(INSERTED).count() == 0


def test_nothing_acts_in_the_rewriter(watched: Page) -> None:
    watched.goto("/torch.nn.Evil")
    said = watched.locator("[data-said] li")
    watched.locator("[data-rewriter] textarea").fill("torch.nn.Evil(size=3)")
    expect(said.first).to_contain_text("<script>alert(1)</script>")
    assert watched.locator(INSERTED).count() == 0
