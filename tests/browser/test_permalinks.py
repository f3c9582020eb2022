"""Every caveat, check and section has an address that leads there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.geometry import lost


def test_links_within_a_page_lead_somewhere(page: Page) -> None:
    """Of a property, which has no signature; test_layout.py asks it of every kind of page."""
    page.goto("/torch.Tensor.shape")
    assert lost(page) == []


def test_a_link_that_leads_nowhere_is_found(page: Page) -> None:
    page.goto("/torch.Tensor.shape")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<a href=#nothing>x</a>')")
    assert lost(page) == ["nothing"]


def test_every_caveat_and_check_has_a_link_to_itself(page: Page) -> None:
    page.goto("/torch.nn.LayerNorm")
    places = page.locator("[id^='caveat-'], [id^='check-']").all()
    assert len(places) > 20
    for place in places:
        assert place.locator(f"a.anchor[href='#{place.get_attribute('id')}']").count() == 1


@pytest.mark.parametrize("language", ["", "/zh"])
def test_an_address_of_a_check_unfolds_it(page: Page, language: str) -> None:
    page.goto(f"{language}/torch.nn.LayerNorm#check-half")
    expect(page.locator("#check-half")).to_have_attribute("open", re.compile(".*"))
    expect(page.locator("#check-half pre").first).to_be_in_viewport()


@pytest.mark.parametrize("language", ["", "/zh"])
def test_an_address_of_a_caveat_unfolds_what_was_seen_elsewhere(page: Page, language: str) -> None:
    page.goto(f"{language}/torch.optim.SGD?device=ascend")
    expect(page.locator("[aria-labelledby=caveats] .folded")).not_to_have_attribute(
        "open", re.compile(".*")
    )
    page.evaluate("location.hash = 'caveat-nesterov-is-ignored'")
    expect(page.locator("[aria-labelledby=caveats] .folded")).to_have_attribute(
        "open", re.compile(".*")
    )
    expect(page.locator("#caveat-nesterov-is-ignored")).to_be_in_viewport()


def test_a_caveat_leads_to_the_check_that_shows_it(page: Page) -> None:
    page.goto("/torch.nn.LayerNorm")
    link = page.locator("[id^='caveat-'] a[href^='#check-']").first
    target = link.get_attribute("href")
    link.click()
    expect(page.locator(f"{target} pre").first).to_be_in_viewport()
