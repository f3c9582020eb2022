"""The routes of the JSON API, the card and the badge."""

from __future__ import annotations

from typing import Any

ROUTES: list[tuple[str, Any]] = []
