"""axe-core finds nothing serious or critical, whatever the language and the light."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.axe import COLOURS, findings
from tests.browser.geometry import unfold
from tests.browser.kinds import each_kind_once


@pytest.mark.moving(14)
@each_kind_once
def test_a_page_is_accessible_in_light_and_dark(page: Page, path: str, language: str) -> None:
    page.goto(path)
    unfold(page)
    assert findings(page) == []
    page.emulate_media(color_scheme="dark")
    assert findings(page, COLOURS) == []


@pytest.mark.parametrize("path", ["/torch.nn.LayerNorm", "/zh/browse", "/stats"])
def test_a_page_is_accessible_on_a_phone(phone: Page, path: str) -> None:
    phone.goto(path)
    assert findings(phone) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_open_suggestions_are_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto("/torch.nn.LayerNorm")
    page.locator("[data-search]").fill("dropout")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_the_rewriter_says_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto("/port")
    page.locator("[data-rewriter] textarea").fill("torch.jit.script(f)\nnn.Linear(3, 4)")
    expect(page.locator("[data-said] li").first).to_be_visible()
    assert findings(page) == []


def test_axe_sees_what_is_wrong(page: Page) -> None:
    """It would say so: text nobody can read, an input nobody has named."""
    page.goto("/")
    page.evaluate(
        "document.querySelector('main').innerHTML ="
        " '<h1>h</h1><p class=faint>faint</p><input id=unnamed>';"
        "const faint = document.querySelector('.faint');"
        "faint.style.color = '#ccc'; faint.style.background = '#fff'"
    )
    assert {text.partition(",")[0] for text in findings(page)} == {"color-contrast", "label"}
