"""Where things are on a page, as the browser laid them out."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

# Texts as they are seen, each cut by what scrolls or hides around it; and what can be pressed.
# A line's box is higher than its letters, so only the middle half of a text's height counts.
_OVERLAPS = """() => {
  const cut = (box, element) => {
    let {left, top, right, bottom} = box;
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const around = at.getBoundingClientRect();
      left = Math.max(left, around.left); right = Math.min(right, around.right);
      top = Math.max(top, around.top); bottom = Math.min(bottom, around.bottom);
    }
    return right - left > 2 && bottom - top > 2 && right > 0 ? {left, top, right, bottom} : null;
  };
  const things = [];
  const add = (box, element, text, inset) => {
    const height = box.bottom - box.top;
    const seen = cut({left: box.left + 1, right: box.right - 1, top: box.top + height * inset,
                      bottom: box.bottom - height * inset}, element);
    if (seen) things.push({...seen, element, text: text.trim().slice(0, 50)});
  };
  // A hint that lies in its field on purpose.
  const hidden = "option, script, kbd";
  const visible = (element) => !element.closest(hidden)
    && element.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || !visible(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) add(box, element, node.data, 0.25);
  }
  for (const element of document.querySelectorAll("button, input, select, textarea, .chip"))
    if (visible(element))
      add(element.getBoundingClientRect(), element, element.outerHTML.slice(0, 50), 0.05);
  things.sort((one, other) => one.top - other.top);
  const found = new Set();
  for (let i = 0; i < things.length; i++)
    for (let j = i + 1; j < things.length && things[j].top < things[i].bottom; j++) {
      const one = things[i], other = things[j];
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
          && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1)
        found.add(`${one.text} | ${other.text}`);
    }
  return [...found];
}"""
_WIDTH = """() => {
  const root = document.documentElement;
  const scrolled = (element) => {
    for (let at = element.parentElement; at && at !== root; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== "visible") return true;
    return false;
  };
  const outside = [...document.body.querySelectorAll("*")].filter((element) =>
    element.getBoundingClientRect().right > root.clientWidth + 1 && !scrolled(element));
  return [root.scrollWidth, innerWidth,
          outside.map((element) => element.outerHTML.slice(0, 100)).slice(0, 5)];
}"""

# How wide the longest line of each text is, in the size of its letters (em): one Chinese character,
# or two Latin letters of a usual font. How many letters a line has depends on the machine's fonts,
# and without a Chinese one, boxes that are narrower than characters stand for them.
_LINES = """() => {
  const found = [];
  const inside = "p, ul, ol, dl, table, pre";
  for (const text of document.querySelectorAll("main p, main li, main dd")) {
    if (text.closest("table, form, nav, .legend, .names, .chips")) continue;
    if (text.querySelector(inside)) continue;
    const lines = new Map();
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode, range = document.createRange();
      if (node.parentElement.closest(".chip, .dots")) continue;
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const line = Math.round((box.top + box.bottom) / 2 / 14);
        const [left, right] = lines.get(line) || [box.left, box.right];
        lines.set(line, [Math.min(left, box.left), Math.max(right, box.right)]);
      }
    }
    const size = parseFloat(getComputedStyle(text).fontSize);
    const most = Math.max(0, ...[...lines.values()].map(([left, right]) => (right - left) / size));
    if (most > 40) found.push(`${most.toFixed(1)} em: ${text.textContent.trim().slice(0, 60)}`);
  }
  return found;
}"""


def lines(page: Page) -> list[str]:
    """Texts with lines of more than 40 em: 40 Chinese characters, or 80 letters."""
    found: list[str] = page.evaluate(_LINES)
    return found


def unfold(page: Page) -> None:
    """Open all that is folded: what isn't shown is nowhere."""
    page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")


def overlaps(page: Page) -> list[str]:
    """Pairs of texts or controls of which one lies upon the other."""
    found: list[str] = page.evaluate(_OVERLAPS)
    return found


def widths(page: Page) -> tuple[int, int, list[str]]:
    """How wide the content and the window are, and what juts out."""
    content, window, outside = page.evaluate(_WIDTH)
    return content, window, outside


# In the pixels of the page: a drawing may be scaled.
_SMALL = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility()) continue;
    const drawn = element instanceof SVGGraphicsElement ? Math.abs(element.getScreenCTM().d) : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * drawn;
    if (size < 9) found.add(`${size.toFixed(1)} px: ${text.slice(0, 40)}`);
  }
  return [...found];
}"""


def small(page: Page) -> list[str]:
    """Texts that are too small to read."""
    found: list[str] = page.evaluate(_SMALL)
    return found


def bottom(page: Page, selector: str) -> float:
    """Where the first that fits a selector ends, from the top of the page."""
    script = "(found) => found.getBoundingClientRect().bottom + scrollY"
    return float(page.locator(selector).first.evaluate(script))


# Both sums are complete: the observer is told of what came before it.
_SHIFT = """() => new Promise((done) => {
  let sum = 0;
  const add = (list) => { for (const shift of list.getEntries()) sum += shift.value; };
  const observer = new PerformanceObserver(add);
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
    add({ getEntries: () => observer.takeRecords() });
    done(sum);
  }, 100)));
})"""


def shift(page: Page) -> float:
    """How much of the page has moved since it was first drawn, as browsers measure it."""
    found: Any = page.evaluate(_SHIFT)
    return float(found)


def lost(page: Page) -> list[str]:
    """The places within a page that a link of its own names, and that aren't there."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll("a[href*='#']")]
        .filter((link) => link.href.split("#")[0] === location.href.split("#")[0])
        .map((link) => decodeURIComponent(link.hash.slice(1)))
        .filter((id) => !document.getElementById(id))"""
    )
    return found
