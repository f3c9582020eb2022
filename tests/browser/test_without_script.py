"""Every page works with JavaScript off."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.browser.conftest import fresh, kept
from tests.browser.kinds import each_kind


@pytest.fixture(scope="module")
def window(browser: Browser, origin: str) -> Iterator[BrowserContext]:
    """A window with JavaScript off."""
    with kept(browser, origin, java_script_enabled=False) as context:
        yield context


@pytest.fixture
def plain(window: BrowserContext) -> Iterator[Page]:
    """A page with JavaScript off."""
    with fresh(window) as page:
        yield page


@pytest.mark.moving(1, "kind")
@each_kind
def test_a_page_is_readable(plain: Page, path: str, language: str) -> None:
    plain.goto(path)
    expect(plain.locator("h1")).to_be_visible()
    # Nothing is offered that can't work.
    for button in plain.locator("button:visible").all():
        assert button.get_attribute("type") == "submit"


@pytest.mark.parametrize("path", ["/torch.nn.LayerNorm", "/zh/torch.nn.LayerNorm"])
def test_a_record_says_all_it_knows(plain: Page, path: str) -> None:
    plain.goto(path)
    for part in (".callout", ".code.torch", ".code.mindspore", "#caveats", "#parameters"):
        expect(plain.locator(part).first).to_be_visible()
    check = plain.locator("details.check").first
    check.locator("summary").click()
    check.get_by_role("link").first.click()
    plain.wait_for_url("**/checks#check-*")
    expect(plain.locator("details.check pre").first).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/torch.abs"])
def test_search_is_a_form(plain: Page, path: str) -> None:
    plain.goto(path)
    plain.get_by_role("searchbox").first.fill("layernrom")
    plain.keyboard.press("Enter")
    plain.wait_for_url("**/search?q=layernrom")
    plain.get_by_role("link", name="torch.nn.LayerNorm", exact=True).first.click()
    plain.wait_for_url("**/torch.nn.LayerNorm")


def test_filters_are_a_form(plain: Page) -> None:
    plain.goto("/zh/browse")
    plain.locator("select[name=impact]").select_option("silent")
    plain.locator("[data-filters] button[type=submit]").click()
    plain.wait_for_url("**/zh/browse?*impact=silent*")
    expect(plain.locator("table.records tbody tr").first).to_be_visible()
    expect(plain.locator("select[name=impact]")).to_have_value("silent")


@pytest.mark.parametrize("path", ["/port", "/torch.nn.Dropout"])
def test_the_rewriter_is_a_form(plain: Page, path: str) -> None:
    plain.goto(path)
    plain.locator("[data-rewriter] textarea").fill("nn.Dropout(0.3)")
    plain.locator("[data-rewriter] button[type=submit]").click()
    plain.wait_for_url("**/port?code=*")
    expect(plain.locator("[data-result]")).to_have_text("mindspore.nn.Dropout(p=0.3)")
