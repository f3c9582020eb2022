"""What the command line says, in Chinese, by what it says in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {}
