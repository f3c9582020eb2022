"""Code to take along: copy buttons, and the rewriter that answers while one types."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Opening


def result(page: Page) -> Locator:
    """Where the ported call comes back."""
    return page.locator("[data-result]")


def paste(page: Page, code: str) -> None:
    """Put code into the rewriter in place of what is there."""
    page.locator("[data-rewriter] textarea").fill(code)


@pytest.mark.parametrize("path", ["/torch.nn.LayerNorm", "/zh/torch.nn.LayerNorm"])
def test_a_copy_button_copies_its_code(opened: Opening, origin: str, path: str) -> None:
    context = opened()
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    page = context.new_page()
    page.goto(path)
    for side in ("torch", "mindspore"):
        block = page.locator(f".code.{side}").first
        button = block.get_by_role("button")
        before = button.inner_text()
        button.click()
        expect(button).not_to_have_text(before)
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == block.locator("code").inner_text()
        expect(button).to_have_text(before)


def test_a_copy_button_works_where_the_clipboard_is_out_of_reach(opened: Opening) -> None:
    """As it is over http on another host than this one."""
    page = opened().new_page()
    page.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });"
    )
    page.goto("/torch.nn.LayerNorm")
    block = page.locator(".code.mindspore").first
    block.get_by_role("button").click()
    page.keyboard.press("/")
    page.keyboard.press("Control+V")
    expect(page.locator("[data-search]")).to_have_value(block.locator("code").inner_text())


def test_a_record_offers_to_rewrite_its_own_call(page: Page) -> None:
    page.goto("/torch.nn.Dropout")
    expect(page.locator("[data-rewriter] textarea")).to_have_value("torch.nn.Dropout(0.1)")
    expect(result(page)).to_have_text("mindspore.nn.Dropout(p=0.1)")


@pytest.mark.parametrize("path", ["/port", "/torch.nn.Dropout", "/zh/torch.nn.Dropout"])
def test_what_is_pasted_comes_back_ported(page: Page, path: str) -> None:
    page.goto(path)
    paste(page, "nn.Conv2d(3, 64, 3, padding=1)")
    expect(result(page)).to_have_text(
        "mindspore.nn.Conv2d(3, 64, 3, pad_mode='pad', padding=1, has_bias=True)"
    )
    paste(page, "nn.Dropout(0.3)")
    expect(result(page)).to_have_text("mindspore.nn.Dropout(p=0.3)")


@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("/port", "torch.jit.script(f)", "torch.jit.script"),
        ("/port", "nn.Dropout(0.1", "never closed"),
        ("/zh/port", "nn.Dropout(0.1", "不是合法的 Python"),
    ],
)
def test_a_refusal_gives_its_reason(opened: Opening, path: str, code: str, said: str) -> None:
    page = opened().new_page()
    page.goto(path)
    paste(page, code)
    expect(page.locator("[data-said]")).to_contain_text(said)
    paste(page, "nn.Dropout(0.3)")
    expect(result(page)).to_have_text("mindspore.nn.Dropout(p=0.3)")
    expect(page.locator("[data-said] .refused")).to_have_count(0)


def test_code_that_is_hostile_stays_text(page: Page) -> None:
    page.goto("/port")
    paste(page, "nn.Dropout(0.3)  # <img src=x onerror=alert(1)>")
    expect(result(page)).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("main img").count() == 0


def test_a_ported_call_can_be_copied(opened: Opening, origin: str) -> None:
    context = opened()
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    page = context.new_page()
    page.goto("/port")
    paste(page, "nn.Dropout(0.3)")
    expect(result(page)).to_have_text("mindspore.nn.Dropout(p=0.3)")
    page.locator("[data-rewriter] [data-copy-code]").click()
    assert page.evaluate("navigator.clipboard.readText()") == "mindspore.nn.Dropout(p=0.3)"


def test_two_answers_in_the_wrong_order_leave_the_last_question(page: Page) -> None:
    """The first is never answered: it is given up as soon as the second is asked."""
    first = re.compile(r".*/port\?code=nn\.Dropout.*0\.1.*")
    page.goto("/port")
    page.route(first, lambda route: None)
    with page.expect_request(first):
        paste(page, "nn.Dropout(0.1)")
    with page.expect_event("requestfailed", lambda asked: bool(first.match(asked.url))):
        paste(page, "nn.Dropout(0.2)")
    expect(result(page)).to_have_text("mindspore.nn.Dropout(p=0.2)")
    expect(page.locator("[data-rewriter]")).not_to_have_attribute("aria-busy", "true")
