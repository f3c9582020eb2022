"""The site served from the checkout's data, and a browser to read it with."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)
from tests.browser.watching import Watch
from tests.builders.serving import served

# How long, in milliseconds, a state is waited for: a busy machine takes as long as it does.
_PATIENCE = 20_000
expect.set_options(timeout=_PATIENCE)

# Nothing but the site can be reached, and nothing is looked up for the browser itself.
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Without motion, what is scrolled to is there at once.
DESKTOP = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
Opening = Callable[..., BrowserContext]


@pytest.fixture(scope="session")
def browser_path() -> str:
    """Where a Chromium is installed."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no {', '.join(BROWSERS)} on PATH; on Debian: apt-get install chromium")
    return found


@pytest.fixture(scope="session")
def origin(browser_path: str, shipped: Path) -> Iterator[str]:
    """The origin of the site of what ships: real records are what can be too long or too wide."""
    with served(shipped) as port:
        yield f"http://127.0.0.1:{port}"


# No longer than this folder's tests: as long as Playwright runs, so does an event loop, and
# `asyncio.run` in other tests would refuse to start another.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """What drives browsers."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(browser_path: str, playwright: Playwright) -> Iterator[Browser]:
    """A headless Chromium with an empty profile."""
    launched = playwright.chromium.launch(executable_path=browser_path, args=list(FLAGS))
    yield launched
    launched.close()


@pytest.fixture
def opened(browser: Browser, origin: str) -> Iterator[Opening]:
    """Opens windows that share nothing, with options of Playwright's ``new_context``."""
    contexts: list[BrowserContext] = []

    def open_context(**options: Any) -> BrowserContext:
        contexts.append(browser.new_context(**{**DESKTOP, "base_url": origin, **options}))
        contexts[-1].set_default_timeout(_PATIENCE)
        return contexts[-1]

    yield open_context
    for context in contexts:
        context.close()


@contextmanager
def kept(browser: Browser, origin: str, **options: Any) -> Iterator[BrowserContext]:
    """A window for many pages: one after another in its process, they take half the time.

    The first page is for the process to stay; it has nothing that others load.
    """
    context = browser.new_context(**{**DESKTOP, "base_url": origin, **options})
    context.set_default_timeout(_PATIENCE)
    context.new_page().goto(f"{origin}/api/v1/stats")
    yield context
    context.close()


@contextmanager
def fresh(context: BrowserContext) -> Iterator[Page]:
    """A page that finds nothing of those before it: no cache, no cookie, no choice of theirs."""
    first, page = context.pages[0], context.new_page()
    network = context.new_cdp_session(page)
    for disabled in (True, False):  # which empties the process's own cache
        network.send("Network.setCacheDisabled", {"cacheDisabled": disabled})
    network.send("Network.clearBrowserCache")
    yield page
    for found in context.pages[1:]:
        found.close()
    context.clear_cookies()
    first.evaluate("localStorage.clear()")


@pytest.fixture(scope="package")
def desktop(browser: Browser, origin: str) -> Iterator[BrowserContext]:
    """A window on a desktop."""
    with kept(browser, origin) as context:
        yield context


@pytest.fixture(scope="package")
def handheld(browser: Browser, origin: str) -> Iterator[BrowserContext]:
    """A phone's."""
    with kept(browser, origin, **PHONE) as context:
        yield context


@pytest.fixture
def page(desktop: BrowserContext, origin: str) -> Iterator[Page]:
    """A page on a desktop; it must not have complained, nor asked another host for anything."""
    with fresh(desktop) as found:
        watch = Watch(origin).on(found)
        yield found
    assert (watch.complaints, watch.foreign) == ([], [])


@pytest.fixture
def phone(handheld: BrowserContext, origin: str) -> Iterator[Page]:
    """A page on a phone, held to the same."""
    with fresh(handheld) as found:
        watch = Watch(origin).on(found)
        yield found
    assert (watch.complaints, watch.foreign) == ([], [])
