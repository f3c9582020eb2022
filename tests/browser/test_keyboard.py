"""Search by keyboard alone: `/` goes there, arrows choose, Enter goes."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, Route, expect


def box(page: Page) -> Locator:
    """The search box in the header, or the home page's own."""
    return page.locator("[data-search]")


def typed(page: Page, text: str) -> None:
    """Go to the search box with `/`, type, and wait for the suggestions for all of it."""
    page.keyboard.press("/")
    expect(box(page)).to_be_focused()
    with page.expect_response(
        lambda answer: answer.url.endswith(f"/suggest?q={quote(text)}")
    ) as it:
        page.keyboard.type(text)
    it.value.finished()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    expect(page.get_by_role("option").first).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/torch.nn.LayerNorm", "/guides/dropout", "/browse"])
def test_slash_goes_to_search(page: Page, path: str) -> None:
    page.goto(path)
    typed(page, "nn.LayerNorm")
    expect(box(page)).to_have_value("nn.LayerNorm")


@pytest.mark.parametrize(
    ("path", "text", "goes_to"),
    [
        ("/", "nn.LayerN", "/torch.nn.LayerNorm"),
        ("/", "layernrom", "/torch.nn.LayerNorm"),
        ("/", "F.dropout", "/torch.nn.functional.dropout"),
        ("/zh", "nn.LayerN", "/zh/torch.nn.LayerNorm"),
        ("/torch.abs", "mindspore.nn.Dropout", "/mindspore.nn.Dropout"),
    ],
)
def test_the_first_suggestion_is_one_arrow_and_enter_away(
    page: Page, path: str, text: str, goes_to: str
) -> None:
    page.goto(path)
    typed(page, text)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{goes_to}")


@pytest.mark.parametrize("word", ["dropout", "丢弃", "随机失活"])
def test_words_of_both_languages_are_suggested_for(page: Page, word: str) -> None:
    page.goto("/zh")
    typed(page, word)
    expect(page.get_by_role("option").filter(has_text="ropout").first).to_be_visible()


def test_arrows_go_round(page: Page) -> None:
    page.goto("/")
    typed(page, "dropout")
    options = page.get_by_role("option")
    count = options.count()
    chosen = []
    for key in ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowDown"]:
        page.keyboard.press(key)
        states = [option.get_attribute("aria-selected") for option in options.all()]
        assert states.count("true") == 1
        chosen.append(states.index("true"))
        # What a screen reader announces is what is marked.
        active = box(page).get_attribute("aria-activedescendant")
        assert options.nth(chosen[-1]).get_attribute("id") == active
    assert chosen == [0, 1, 0, count - 1, 0]


def test_suggestions_for_less_than_was_typed_are_not_gone_to(page: Page) -> None:
    """The answer for the whole name is late; those for its first letter are still shown."""
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.goto("/")
    typed(page, "F")
    page.route("**/suggest?q=F.dropout", hold)
    page.keyboard.type(".dropout")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/torch.nn.functional.dropout")


def test_escape_closes_suggestions_and_keeps_the_text(page: Page) -> None:
    page.goto("/")
    typed(page, "dropout")
    page.keyboard.press("Escape")
    expect(page.get_by_role("option").first).to_be_hidden()
    expect(box(page)).to_have_attribute("aria-expanded", "false")
    expect(box(page)).to_have_value("dropout")


def test_enter_without_a_choice_searches(page: Page) -> None:
    page.goto("/zh")
    typed(page, "dropout")
    page.keyboard.press("Enter")
    page.wait_for_url("**/zh/search?q=dropout")
    expect(page.locator(".hit").first).to_be_visible()


def test_a_slash_is_typed_where_one_types(page: Page) -> None:
    page.goto("/port")
    page.get_by_role("textbox").first.focus()
    page.keyboard.type("a / b")
    expect(page.get_by_role("textbox").first).to_have_value("a / b")


def test_what_is_typed_is_shown_as_text(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type("<img src=x onerror=alert(1)>")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=*")
    expect(page.get_by_role("combobox")).to_have_value("<img src=x onerror=alert(1)>")
    assert page.locator("main img").count() == 0


def test_tab_reaches_the_content_past_the_header(page: Page) -> None:
    page.goto("/torch.nn.LayerNorm")
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_what_has_the_focus_is_seen(page: Page) -> None:
    """Every stop of the tabulator on a record has an outline, and lies on the screen."""
    page.goto("/torch.nn.LayerNorm")
    unseen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
              const at = document.activeElement;
              if (!at || at === document.body) return null;
              const style = getComputedStyle(at), box = at.getBoundingClientRect();
              const seen = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0)
                || style.boxShadow !== "none";
              const inside = box.right > 0 && box.bottom > 0 && box.left < innerWidth
                && box.top < innerHeight;
              return seen && inside ? null : at.outerHTML.slice(0, 120);
            }"""
        )
        unseen.add(found)
    assert unseen == {None}
