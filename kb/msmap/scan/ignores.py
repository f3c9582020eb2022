"""Comments that tell a scan to pass over a line: ``# msmap: ignore[rule, rule]``."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass, field

_COMMENT = re.compile(r"#\s*msmap:\s*ignore\b(?:\s*\[([^\]\n]*)\])?")


@dataclass(slots=True)
class Ignore:
    """A comment; without ``rules`` it is of all. ``used`` are the rules that it was needed for."""

    line: int
    rules: tuple[str, ...]
    used: set[str] = field(default_factory=set)

    def takes(self, rule: str) -> bool:
        """Whether a finding of a rule is passed over."""
        if self.rules and rule not in self.rules:
            return False
        self.used.add(rule)
        return True

    @property
    def unused(self) -> tuple[str, ...] | None:
        """The rules that it names and that nothing broke, () of all; None if it was needed."""
        left = tuple(rule for rule in self.rules if rule not in self.used)
        return left or (None if self.used else ())


def read(text: str) -> dict[int, Ignore]:
    """The comments of a source, by the line that they stand on."""
    if "msmap:" not in text or _COMMENT.search(text) is None:
        return {}
    found: dict[int, Ignore] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            said = _COMMENT.search(token.string) if token.type == tokenize.COMMENT else None
            if said is not None:
                listed = (said[1] or "").split(",")
                rules = tuple(dict.fromkeys(rule.strip() for rule in listed if rule.strip()))
                found[token.start[0]] = Ignore(token.start[0], rules)
    except (tokenize.TokenError, SyntaxError):
        pass
    return found
