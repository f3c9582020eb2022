"""Every kind of page, in both languages, on a desktop and on a phone.

It says nothing in the console, keeps to its own policy and asks no other host for anything. It
stays where it was drawn, nothing lies upon anything else, nothing is too small to read, and it
doesn't scroll sideways.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import PHONE, Opening
from tests.browser.geometry import bottom, lines, lost, overlaps, shift, small, unfold, widths
from tests.browser.kinds import each_kind, each_kind_once

from msmap.database import record

STOCK = {
    "tables": "/msmap",
    "table": "/msmap/record",
    "row": "/msmap/record/torch~2Enn~2EDropout",
    "queries": "/msmap/record?_facet=category&_sort=torch",
}
WORD = re.compile(r"[^\s\"\\]+")


def longest_words(path: Path, count: int) -> list[str]:
    """The records that have them, but for addresses; one of each length."""
    with sqlite3.connect(path) as database:
        names = database.execute("SELECT torch FROM record ORDER BY torch").fetchall()
        found = [(name, record(database, name) or "") for (name,) in names]
    database.close()
    sizes = {
        max((len(word) for word in WORD.findall(text) if "://" not in word), default=0): name
        for name, text in found
    }
    return [sizes[size] for size in sorted(sizes, reverse=True)[:count]]


@pytest.mark.moving(1, "kind")
@each_kind
def test_a_page_on_a_desktop(page: Page, path: str, language: str) -> None:
    """One visit answers for all; the fixture holds the page to be quiet."""
    page.goto(path)
    assert shift(page) < 0.01
    assert widths(page)[2] == []
    assert overlaps(page) == []
    assert small(page) == []
    assert page.locator("html").get_attribute("lang") == {"en": "en", "zh": "zh-CN"}[language]
    assert page.locator("h1").count() == 1
    assert lost(page) == []


@pytest.mark.moving(1, "kind")
@each_kind
def test_a_page_on_a_phone(phone: Page, path: str, language: str) -> None:
    phone.goto(path)
    assert shift(phone) < 0.01
    assert widths(phone) == (390, 390, [])
    assert overlaps(phone) == []
    assert small(phone) == []


# As slow that a page is drawn many times before it is there: bytes a second.
SLOW = 150_000
LONG = ("/browse", "/coverage", "/claims")


@pytest.mark.parametrize("path", [*LONG, *(f"/zh{path}" for path in LONG)])
def test_a_page_that_arrives_slowly_stays_where_it_was_drawn(page: Page, path: str) -> None:
    """What comes later moves nothing: no table is laid out anew with each of its rows."""
    network = page.context.new_cdp_session(page)
    limits = {"downloadThroughput": SLOW, "uploadThroughput": SLOW}
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", {"offline": False, "latency": 5, **limits})
    page.goto(path)
    assert shift(page) < 0.01


@pytest.mark.parametrize("path", STOCK.values(), ids=STOCK)
def test_a_page_of_datasettes_is_quiet(page: Page, path: str) -> None:
    page.goto(path)
    shift(page)
    assert page.locator("h1").count() == 1


@pytest.mark.moving(14)
@each_kind_once
def test_a_page_is_read_in_lines_that_fit(opened: Opening, path: str, language: str) -> None:
    """On a desktop none is longer than 40 em; at 320 pixels none has to be scrolled to."""
    page = opened().new_page()
    page.goto(path)
    assert lines(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert widths(page) == (320, 320, [])
    assert overlaps(page) == []


@pytest.mark.parametrize("path", ["/", "/coverage", "/claims", "/stats"])
def test_pictures_and_figures_are_seen_on_a_phone(phone: Page, path: str) -> None:
    """None has to be scrolled to sideways, none is a sliver."""
    phone.goto(path)
    boxes = phone.locator("table.counts svg:visible, table.counts td.number:visible").evaluate_all(
        "(found) => found.map((at) => [at.tagName, at.getBoundingClientRect()])"
    )
    assert boxes != []
    assert [box for _, box in boxes if box["right"] > 390] == []
    assert [box for name, box in boxes if name == "svg" and box["width"] < 40] == []


@pytest.mark.parametrize("language", ["", "/zh"])
def test_records_with_the_longest_words_fit_a_phone(
    phone: Page, shipped: Path, language: str
) -> None:
    """Expressions and names without a space are what is wider than a phone."""
    wide = {}
    for name in longest_words(shipped, 20):
        phone.goto(f"{language}/{name}")
        unfold(phone)
        if (found := widths(phone)) != (390, 390, []):
            wide[name] = found
    assert wide == {}


@pytest.mark.parametrize("path", ["/torch.nn.LayerNorm", "/zh/torch.nn.Dropout"])
def test_unfolded_checks_fit_a_phone(phone: Page, path: str) -> None:
    phone.goto(path)
    unfold(phone)
    assert widths(phone) == (390, 390, [])
    assert overlaps(phone) == []


@pytest.mark.parametrize("path", ["/", "/zh/torch.nn.LayerNorm"])
def test_suggestions_fit_a_phone(phone: Page, path: str) -> None:
    phone.goto(path)
    phone.locator("[data-search]").fill("dropout")
    expect(phone.get_by_role("option").first).to_be_visible()
    assert widths(phone) == (390, 390, [])
    left, right = phone.get_by_role("listbox").evaluate(
        "(list) => [list.getBoundingClientRect().left, list.getBoundingClientRect().right]"
    )
    assert left >= 0
    assert right <= 390


@pytest.mark.parametrize("name", ["torch.nn.LayerNorm", "torch.nn.Dropout"])
@pytest.mark.parametrize("language", ["", "/zh"])
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_the_first_screen_answers(opened: Opening, name: str, language: str, screen: str) -> None:
    """What it becomes, what is dangerous about it, and the code on both sides."""
    page = opened(**(PHONE if screen == "phone" else {})).new_page()
    page.goto(f"{language}/{name}")
    height = 844 if screen == "phone" else 800
    for part in ("h1", ".callout", ".code.torch", ".code.mindspore"):
        assert bottom(page, part) <= height, part
