"""Answers as data cut down: without evidence, or to some of their fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Where an answer as data has its items.
_ITEMS = ("answers", "hits", "records", "guides", "claims", "sites", "files", "checks", "changes")


class UnknownField(ValueError):
    """A field that an answer doesn't have; ``known`` are those that it has."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(name)
        self.name = name
        self.known = tuple(known)


def light(data: dict[str, Any]) -> dict[str, Any]:
    """An answer of a lookup, or guides, without what came out of each check: most of its size.

    The key ``evidence`` is left out, so that nobody takes it for none.
    """
    for answer in _items(data, "answers"):
        if answer["record"] is not None:
            _without(answer["record"])
    for guide in _items(data, "guides"):
        for section in guide["sections"]:
            _without(section)
    return data


def _items(data: dict[str, Any], key: str) -> Sequence[dict[str, Any]]:
    """What stands in a list there; counts have the same names."""
    found = data.get(key)
    return found if isinstance(found, list | tuple) else ()


def _without(owner: dict[str, Any]) -> None:
    owner["checks"] = [
        {key: value for key, value in check.items() if key != "evidence"}
        for check in owner["checks"]
    ]


def chosen(data: dict[str, Any], names: Sequence[str], one: bool = False) -> Any:
    """Some fields of what was asked for: of a name or a guide an object, of many a list of them.

    Args:
        data: an answer.
        names: fields of its items; of a name those of its record too.
        one: that one item was asked for, by its name.

    Raises:
        UnknownField: an item doesn't have it.
    """
    key = next((key for key in _ITEMS if isinstance(data.get(key), list | tuple)), None)
    # What parts two releases is lists of several kinds, of which none is what was asked for.
    if key is None or "appeared" in data:
        return _cut(_flat(data), names)
    if key == "records" and data.get("probes"):
        key = "probes"
    items = [_cut(_flat(item), names) for item in data[key]]
    return items[0] if len(items) == 1 and (one or key == "answers") else items


def _flat(item: dict[str, Any]) -> dict[str, Any]:
    """An answer with the fields of the record, the probe or the port that it is about."""
    held = item.get("record") or item.get("probe") if "found" in item else None
    held = item.get("port") if "calls" in item else held
    return {**item, **held} if held else item


def _cut(item: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    for name in names:
        if name not in item and item.get("found", True):
            raise UnknownField(name, sorted(item))
    return {name: item.get(name) for name in names}
