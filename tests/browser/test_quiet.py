"""No page complains in the console, breaks its own policy, or asks another host for anything."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.browser.kinds import each_kind

RESTED = "new Promise((done) => requestIdleCallback(done))"
STOCK = {
    "tables": "/msmap",
    "table": "/msmap/record",
    "row": "/msmap/record/torch~2Enn~2EDropout",
    "queries": "/msmap/record?_facet=category&_sort=torch",
}


@each_kind
def test_a_page_is_quiet(page: Page, path: str, language: str) -> None:
    """The fixture holds the page to it."""
    page.goto(path)
    page.evaluate(RESTED)
    assert page.locator("html").get_attribute("lang") == {"en": "en", "zh": "zh-CN"}[language]
    assert page.locator("h1").count() == 1


@pytest.mark.parametrize("path", STOCK.values(), ids=STOCK)
def test_a_page_of_datasettes_is_quiet(page: Page, path: str) -> None:
    page.goto(path)
    page.evaluate(RESTED)
    assert page.locator("h1").count() == 1
