"""A record as text, laid out as people write it: short mappings in one line, long texts wrapped."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import yaml

WIDE = 105
_CJK = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_TEXTS = {"en", "zh"}
_ORDER = ("id", "torch", "mindspore", "target", "inputs", "expect", "raises", "gives")


def record(data: Mapping[str, Any]) -> str:
    """The YAML of a record's data, its keys in the order in which they come."""
    return "".join(f"{line}\n" for name, value in data.items() for line in _key(name, value, ""))


def _key(name: str, value: Any, space: str) -> list[str]:
    """The lines of a key and what stands below it."""
    if isinstance(value, str):
        return _text(f"{space}{name}:", value, space)
    if isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        return [f"{space}{name}:", *(line for item in value for line in _item(item, space))]
    flow = f"{space}{name}: {_flow(value)}"
    # What is shared stands a line each, so that it is found.
    listed = name == "inputs" and not space
    if not isinstance(value, Mapping) or (_is_short(value, flow) and not listed):
        return [flow]
    lines = [f"{space}{name}:"]
    for key, inner in value.items():
        lines += _key(str(key), inner, f"{space}  ")
    return lines


def _item(item: Any, space: str) -> list[str]:
    """An entry of a list."""
    flow = f"{space}  - {_flow(item)}"
    if not isinstance(item, Mapping) or (_is_short(item, flow) and len(item) != 1):
        return [flow]
    lines = [line for key, value in item.items() for line in _key(str(key), value, f"{space}    ")]
    return [f"{space}  - {lines[0].lstrip()}", *lines[1:]]


def _is_short(value: Mapping[str, Any], flow: str) -> bool:
    """Whether a mapping stands in one line: it fits, and has no text of several lines."""
    return len(flow) <= WIDE and "\\n" not in flow and not _has_texts(value)


def _has_texts(value: Any) -> bool:
    if isinstance(value, Mapping):
        return value.keys() >= _TEXTS or any(map(_has_texts, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_texts, value))


def _text(start: str, text: str, space: str) -> list[str]:
    """A text behind its key: as it is, in lines below it, or wrapped."""
    inner = f"{space}  "
    if "\n" in text:
        return [f"{start} |", *(f"{inner}{line}".rstrip() for line in text.splitlines())]
    whole = f"{start} {_scalar(text, flow=False)}"
    if len(whole) <= WIDE or " " not in text:
        return [whole]
    plain = _scalar(text, flow=False) == text
    if not plain:
        return [f"{start} >-", *_wrapped(text, inner, inner)]
    return _wrapped(text, f"{start} ", inner)


def _wrapped(text: str, first: str, space: str) -> list[str]:
    """A text in lines, broken at spaces, and between characters of Chinese."""
    lines, line = [], first
    for part in _parts(text):
        if len(line) + len(part.rstrip()) > WIDE and line.strip():
            lines.append(line.rstrip())
            line = space + part.lstrip()
        else:
            line += part
    return [*lines, line.rstrip()]


def _parts(text: str) -> list[str]:
    """Pieces that may stand on lines of their own; a space goes with what is before it."""
    parts, start = [], 0
    for place in range(1, len(text)):
        chinese = _CJK.match(text[place - 1]) and _CJK.match(text[place])
        if chinese or (text[place - 1] == " " and text[place] != " "):
            parts.append(text[start:place])
            start = place
    return [*parts, text[start:]]


def _flow(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return f"{value:.1f}"
    if value is None:
        return "null"
    if isinstance(value, bool | int | float):
        # YAML takes 1e-07 for a text.
        return re.sub(r"^(-?\d+)e", r"\1.0e", json.dumps(value))
    return _scalar(str(value), flow=True)


def _scalar(text: str, *, flow: bool) -> str:
    """A text without quotes where YAML reads it so, else with them."""
    form = "{{k: {0}, l: 0}}" if flow else "k: {0}"
    try:
        plain = yaml.safe_load(form.format(text))["k"] == text
    except (yaml.YAMLError, TypeError, KeyError):
        plain = False
    if plain and not re.search(r"[\[\]{}\"]|^\W", text if flow else text[:1]):
        return text
    return json.dumps(text, ensure_ascii=False)


def share_inputs(data: dict[str, Any]) -> None:
    """Put inputs that several checks have at the top of the record."""
    uses: dict[str, dict[str, int]] = {}
    for check in data["checks"]:
        for name, spec in check.get("inputs", {}).items():
            if isinstance(spec, str):
                counts = uses.setdefault(name, {})
                counts[spec] = counts.get(spec, 0) + 1
    shared = {n: max(counts, key=lambda spec: counts[spec]) for n, counts in uses.items()}
    shared = {n: spec for n, spec in shared.items() if uses[n][spec] > 1}
    data["checks"] = [_ordered(check, shared) for check in data["checks"]]
    data["inputs"] = shared


def _ordered(check: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    """A check with its keys as people order them, and the inputs that are its own."""
    inputs = check.get("inputs", {})
    check = check | {"inputs": {n: s for n, s in inputs.items() if shared.get(n) != s}}
    known = [name for name in _ORDER if name in check]
    return {n: check[n] for n in [*known, *(n for n in check if n not in known)] if check[n] != {}}
