"""What axe-core finds on a page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe()
# Rules of good practice come along: landmarks, headings in order, one h1.
OPTIONS = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
# What may be otherwise in the dark.
COLOURS = {
    "resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"],
}  # fmt: skip


def findings(page: Page, options: dict[str, Any] = OPTIONS) -> list[str]:
    """What axe-core finds, serious or critical: how often, where first and why."""
    return [
        f"{found['id']}, {len(found['nodes'])} times; {found['nodes'][0]['target'][-1]}: "
        + "; ".join(found["nodes"][0]["failureSummary"].split("\n  ")[1:])
        for found in AXE.run(page, options=options).response["violations"]
        if found["impact"] in ("serious", "critical")
    ]
