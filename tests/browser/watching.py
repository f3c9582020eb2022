"""What a page did that a reader doesn't see: complaints, and requests that leave the site."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page, Request


@dataclass
class Watch:
    """Complaints and foreign requests of a page since it was watched."""

    origin: str
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def on(self, page: Page) -> Watch:
        """Start to watch a page."""
        page.on("console", self._say)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("request", self._follow)
        # The console has violations too, but not those of a policy that only reports.
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error("
            "`policy: ${event.effectiveDirective} refused ${event.blockedURI || 'inline'}`));"
        )
        return self

    def _say(self, message: ConsoleMessage) -> None:
        # A page that isn't there is a page; only what it loads may not be missing.
        missed = message.text.startswith("Failed to load resource") and "404" in message.text
        document = urlsplit(message.location.get("url", ""))._replace(fragment="").geturl()
        if missed and message.page is not None and document == message.page.url.partition("#")[0]:
            return
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _follow(self, request: Request) -> None:
        if not request.url.startswith((f"{self.origin}/", "data:", "blob:", "about:")):
            self.foreign.append(request.url)
