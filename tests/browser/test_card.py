"""The card may be shown in a frame of any site; no other page may."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.axe import COLOURS, findings
from tests.browser.conftest import Opening
from tests.browser.geometry import overlaps
from tests.browser.serving import framing

CARDS = {
    "record": "/embed/torch.nn.LayerNorm?theme={}",
    "record in Chinese": "/embed/torch.nn.Dropout?theme={}&lang=zh",
    "MindSpore name": "/embed/mindspore.nn.Dropout?theme={}",
    "missing": "/embed/torch.nn.Dropot?theme={}",
}
BRIGHTNESS = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)[0]"


@pytest.mark.parametrize("name", ["torch.nn.Dropout", "nn.Dropout"])
def test_a_card_is_shown_in_a_frame(opened: Opening, origin: str, name: str) -> None:
    """Of another spelling too, which leads to the card of the name."""
    page = opened().new_page()
    with framing(f"{origin}/embed/{name}") as elsewhere:
        page.goto(elsewhere)
        card = page.frame_locator("iframe")
        expect(card.locator("h1")).to_contain_text("torch.nn.Dropout")
        expect(card.locator("h1")).to_contain_text("mindspore.nn.Dropout")
        # Its style sheet came along.
        expect(card.locator("article")).to_have_css("border-top-style", "solid")


@pytest.mark.parametrize("path", ["/torch.nn.Dropout", "/zh", "/port", "/msmap/record"])
def test_no_other_page_is_shown_in_a_frame(opened: Opening, origin: str, path: str) -> None:
    page = opened().new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    with framing(origin + path) as elsewhere:
        page.goto(elsewhere)
        assert page.frames[1].url.startswith("chrome-error://")
    assert [text for text in said if "frame-ancestors" in text] != []


@pytest.mark.parametrize("path", CARDS.values(), ids=CARDS)
def test_a_card_is_as_light_or_dark_as_was_asked_for(page: Page, path: str) -> None:
    """`auto` is as the system is; what was asked for holds against it."""
    shown = {}
    for theme in ("auto", "light", "dark"):
        page.goto(path.format(theme))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            shown[theme, scheme] = "dark" if page.evaluate(BRIGHTNESS) < 128 else "light"
    assert shown == {
        (theme, scheme): scheme if theme == "auto" else theme for theme, scheme in shown
    }


@pytest.mark.parametrize("path", CARDS.values(), ids=CARDS)
def test_a_card_is_accessible_and_fits_a_narrow_frame(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 320, "height": 400})
    page.goto(path.format("light"))
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert overlaps(page) == []
    page.goto(path.format("dark"))
    assert findings(page, COLOURS) == []
