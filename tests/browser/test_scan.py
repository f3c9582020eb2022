"""The page of a scan: read from a file, in light and dark, with nothing of the files run."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.browser import axe
from tests.render.test_scan import HOSTILE, told


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_of_a_scan(browser: Browser, tmp_path: Path, scheme: str, width: int) -> None:
    path = tmp_path / "scan.html"
    path.write_text(told("html"), encoding="utf-8")
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.goto(path.as_uri())
    places = page.locator("#places > li")
    listed = places.count()
    page.fill("#search", "torch.g")
    assert (listed, places.count(), said) == (4, 1, [])
    assert page.locator("#places pre").first.inner_text() == HOSTILE
    page.click("#language")
    assert (page.locator("html").get_attribute("lang"), page.title()) == ("zh-Hans", "msmap scan")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert axe.findings(page) == []
    context.close()
