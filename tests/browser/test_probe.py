"""The page of a probe, looked at as those of records are: it fits, and everyone can read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.axe import COLOURS, findings
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.geometry import overlaps, small, widths
from tests.browser.watching import Watch
from tests.builders.serving import served

PATHS = ("/torch.relu", "/zh/torch.relu", "/torch.nn.functional.dropout", "/zh/torch.tanh")


@pytest.fixture(scope="module")
def probing_origin(browser_path: str, probed: Path) -> Iterator[str]:
    """The origin of a site with probes."""
    with served(probed) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def window(browser: Browser, probing_origin: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of that site; it must not have complained, nor asked another host for anything."""
    context = browser.new_context(**{**request.param, "base_url": probing_origin})
    page = context.new_page()
    watch = Watch(probing_origin).on(page)
    yield page
    context.close()
    assert (watch.complaints, watch.foreign) == ([], [])


@pytest.mark.parametrize("path", PATHS)
def test_a_probe_is_accessible_in_light_and_dark(window: Page, path: str) -> None:
    window.goto(path)
    assert findings(window) == []
    window.emulate_media(color_scheme="dark")
    assert findings(window, COLOURS) == []


@pytest.mark.parametrize("path", PATHS)
def test_a_probe_fits_the_window(window: Page, path: str) -> None:
    window.goto(path)
    width = window.viewport_size["width"] if window.viewport_size else 0
    assert widths(window) == (width, width, [])
    assert overlaps(window) == []
    if width < 500:
        assert small(window) == []


def test_the_rewriter_uses_what_was_tried_when_it_is_ticked(window: Page) -> None:
    window.goto("/port")
    window.locator("[data-rewriter] textarea").fill("torch.relu(x)")
    expect(window.locator("[data-said] li")).to_have_class("refused")
    window.get_by_label("use what was found by running").check()
    expect(window.locator("[data-result]")).to_have_text("mindspore.ops.relu(x)")
    expect(window.locator("[data-said] li")).to_contain_text("probed, not curated: 43 of 48")
    assert findings(window) == []


def test_what_was_tried_is_suggested(window: Page) -> None:
    window.goto("/torch.cat")
    window.locator("[data-search]").fill("relu")
    window.get_by_role("option").first.click()
    window.wait_for_url("**/torch.relu")
    assert window.locator("h1").inner_text() == "torch.relu → mindspore.ops.relu"
