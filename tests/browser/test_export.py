"""The site as files, read from a plain server below a path and from a disk, with and without JS."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from datasette_msmap import export as exporting

GIVEN_UP = "net::ERR_ABORTED"
"""What the browser says of a request that it needs no more."""


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(probed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("export")
    exporting.export(found / "below/a path", probed, data=False, jobs=1)
    return found


@pytest.fixture(scope="module", params=["http", "file"])
def root(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    if request.param == "file":
        yield (folder / "below/a path").as_uri()
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/below/a%20path"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def faults(page: Page) -> list[str]:
    """What goes wrong on the page from now on: errors of its code, files that it doesn't get.

    Who goes on to another page while the last one's icon still loads has missed nothing.
    """
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on(
        "requestfailed",
        lambda request: found.append(request.url) if request.failure != GIVEN_UP else None,
    )
    page.on(
        "response",
        lambda answer: found.append(answer.url) if answer.status >= 400 else None,
    )
    return found


@pytest.mark.parametrize(
    ("language", "typed", "first"),
    [
        ("", "nn.Dropout", "torch.nn.Dropout"),
        ("", "zeroes elements at random", "torch.nn.Dropout"),
        ("zh/", "随机置零", "torch.nn.Dropout"),
        ("", "mint.cat", "mindspore.mint.cat"),
        ("", "torch.relu(x)", "torch.relu"),
        ("", "Dropot", "torch.nn.Dropout"),
    ],
)
def test_search_leads_to_pages(
    page: Page, root: str, language: str, typed: str, first: str
) -> None:
    wrong = faults(page)
    page.goto(f"{root}/{language}torch.cat.html")
    page.fill("header input[type=search]", typed)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=*")
    hit = page.locator("#found .hit a").first
    expect(hit).to_have_text(first)
    hit.click()
    expect(page.locator("h1")).to_contain_text(first)
    assert wrong == []


def test_the_other_language_is_of_the_same_page(page: Page, root: str) -> None:
    page.goto(f"{root}/guides/training.html")
    page.click("[data-language]")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    assert page.url.endswith("/zh/guides/training.html")
    page.click(".brand")
    assert page.url.endswith("/zh/index.html")


def test_it_is_read_without_javascript(browser: Browser, root: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{root}/index.html")
    page.click("nav >> text=Browse")
    page.click("text=torch.nn.Dropout")
    expect(page.locator("h1")).to_contain_text("torch.nn.Dropout")
    page.fill("header input[type=search]", "cat")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=*")
    assert "needs JavaScript" in page.content()
    context.close()


def test_what_means_the_same_is_met_by_all_its_words(page: Page, root: str) -> None:
    """`random order` isn't met where things are random in another way, `drop out` by `zeroing`."""
    found = {}
    for typed in ("乱序", "失活"):
        page.goto(f"{root}/search.html?q={typed}")
        found[typed] = page.locator("#found .hit a").all_inner_texts()
    assert found == {"乱序": [], "失活": ["torch.nn.Dropout"]}
