"""A record as it was drafted, and what is left to a person."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from msmap.probe.draft import stock


@dataclass(frozen=True, slots=True)
class Drafted:
    """A record's data, and what its author has to know besides, a sentence each."""

    data: dict[str, Any]
    said: tuple[str, ...]

    @property
    def todo(self) -> int:
        """How many texts a person must write, in two languages each."""
        return sum(1 for _ in _todos(self.data))


def _todos(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        if stock.TODO in str(value.get("en")) and "zh" in value:
            return [stock.TODO]
        return chain.from_iterable(map(_todos, value.values()))
    if isinstance(value, list):
        return chain.from_iterable(map(_todos, value))
    return [value] if value == stock.TODO else []
