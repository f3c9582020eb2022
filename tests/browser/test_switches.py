"""The switches: of language, which keeps the place, and of light and dark, which is remembered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Opening

BRIGHTNESS = """() => {
  const channels = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
  return channels.slice(0, 3).reduce((sum, channel) => sum + channel, 0) / 3;
}"""


def dark(page: Page) -> bool:
    """Whether the page's ground is."""
    return float(page.evaluate(BRIGHTNESS)) < 128


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("/?lang=en", "/zh"),
        ("/torch.nn.LayerNorm", "/zh/torch.nn.LayerNorm"),
        ("/torch.nn.LayerNorm#parameters", "/zh/torch.nn.LayerNorm#parameters"),
        ("/torch.nn.Dropout?mindspore=2.9.0", "/zh/torch.nn.Dropout?mindspore=2.9.0"),
        ("/browse?namespace=torch.nn&impact=silent", "/zh/browse?namespace=torch.nn&impact=silent"),
        ("/search?q=%E4%B8%A2%E5%BC%83", "/zh/search?q=%E4%B8%A2%E5%BC%83"),
        ("/guides/dropout", "/zh/guides/dropout"),
        ("/mindspore.nn.Dropout", "/zh/mindspore.nn.Dropout"),
        ("/torch.nn.Dropot", "/zh/torch.nn.Dropot"),
    ],
)
def test_the_other_language_is_the_same_place(
    page: Page, origin: str, english: str, chinese: str
) -> None:
    page.goto(english)
    page.get_by_role("link", name="中文").click()
    page.wait_for_url(origin + chinese)
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    page.get_by_role("link", name="English").click()
    page.wait_for_url(origin + english)
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_links_stay_in_the_language(page: Page) -> None:
    """But for the switch itself, no link of a Chinese page leads to an English one."""
    page.goto("/zh/torch.nn.LayerNorm")
    paths = page.evaluate(
        "[...document.querySelectorAll('a:not([data-language])')]"
        ".filter((a) => a.origin === location.origin).map((a) => a.pathname)"
    )
    assert {p for p in paths if not p.startswith(("/zh", "/msmap", "/api/", "/embed/"))} == set()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_as_the_system_is(opened: Opening, scheme: str) -> None:
    page = opened(color_scheme=scheme).new_page()
    page.goto("/torch.nn.LayerNorm")
    assert dark(page) is (scheme == "dark")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_choice_outlives_the_page_and_holds_everywhere(opened: Opening, scheme: str) -> None:
    """Against what the system says: light in the dark, dark in the light."""
    context = opened(color_scheme=scheme)
    page = context.new_page()
    page.goto("/")
    switch = page.locator("[data-theme-switch]")
    for _ in range(3):
        switch.click()
        if dark(page) is (scheme == "light"):
            break
    wanted = scheme == "light"
    assert dark(page) is wanted
    page.reload()
    assert dark(page) is wanted
    other = context.new_page()
    other.goto("/zh/torch.nn.LayerNorm")
    assert dark(other) is wanted


def test_the_switch_goes_through_all_and_says_where_it_is(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("/")
    switch = page.locator("[data-theme-switch]")
    said = []
    for _ in range(3):
        said.append((switch.inner_text(), dark(page)))
        switch.click()
    assert len({text for text, _ in said}) == 3
    assert [shown for _, shown in said] == [True, False, True]
    assert (switch.inner_text(), dark(page)) == said[0]


def test_the_choice_is_there_before_the_page_is_drawn(opened: Opening) -> None:
    """No flash: by the time the body exists, the root carries the choice."""
    context = opened(color_scheme="light")
    page = context.new_page()
    page.goto("/")
    page.evaluate("localStorage.setItem('theme', 'dark')")
    page.add_init_script(
        "new MutationObserver((_, observer) => { if (document.body) {"
        " window.first = document.documentElement.dataset.theme; observer.disconnect(); } })"
        ".observe(document, { childList: true, subtree: true });"
    )
    page.reload()
    assert page.evaluate("window.first") == "dark"
