"""Why something can't be carried over."""

from __future__ import annotations

from msmap.model import Text
from msmap.vocabulary import RefusalKind


class Refused(Exception):
    """A call can't be carried over; ``reason`` says why, in both languages."""

    def __init__(self, kind: RefusalKind, en: str, zh: str) -> None:
        super().__init__(en)
        self.kind, self.reason = kind, Text(en, zh)
