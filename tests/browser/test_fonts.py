"""The layout holds whichever fonts a machine has: without a Chinese one, and in wide ones."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright
from tests.browser.conftest import DESKTOP, FLAGS, Opening
from tests.browser.geometry import lines, overlaps, widths

# The machine's own settings, but for the fonts that have Chinese characters.
WITHOUT = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <selectfont><rejectfont>
    <pattern><patelt name="lang"><string>zh</string></patelt></pattern>
  </rejectfont></selectfont>
</fontconfig>
"""
PATHS = ("/zh", "/zh/torch.nn.LayerNorm", "/zh/claims", "/torch.nn.LayerNorm", "/claims")
# In each figures are of another width, by which `ch` would measure.
STYLES = ("font-family: monospace", "font-family: serif", "font-weight: bold")


@pytest.fixture(scope="module")
def without_chinese(
    playwright: Playwright, browser_path: str, origin: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    """A window of a Chromium that finds no Chinese font."""
    path = tmp_path_factory.mktemp("fonts") / "fonts.conf"
    path.write_text(WITHOUT, "utf-8")
    env: dict[str, str | float | bool] = {**os.environ, "FONTCONFIG_FILE": str(path)}
    launched: Browser = playwright.chromium.launch(
        executable_path=browser_path, args=list(FLAGS), env=env
    )
    context = launched.new_context(**{**DESKTOP, "base_url": origin})  # type: ignore[arg-type]
    yield context
    launched.close()


@pytest.mark.parametrize("path", PATHS[:3])
def test_chinese_fits_without_a_chinese_font(without_chinese: BrowserContext, path: str) -> None:
    page = without_chinese.new_page()
    page.goto(path)
    assert lines(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert widths(page) == (320, 320, [])
    assert overlaps(page) == []


@pytest.mark.parametrize("path", PATHS)
def test_lines_are_as_long_in_any_font(opened: Opening, path: str) -> None:
    page = opened(bypass_csp=True).new_page()
    page.goto(path)
    found = {}
    for style in STYLES:
        page.add_style_tag(content=f"* {{ {style} !important }}")
        page.set_viewport_size({"width": 1280, "height": 800})
        long = lines(page)
        page.set_viewport_size({"width": 320, "height": 640})
        if (narrow := widths(page)) != (320, 320, []) or long:
            found[style] = narrow, long
    assert found == {}
