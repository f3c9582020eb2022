"""The one layout of what people write: short mappings in one line, long texts wrapped."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import yaml

WIDE = 110
_CJK = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_TEXTS = {"en", "zh"}
# What is read as a text wherever it stands, and so needs no quotes.
_PLAIN = re.compile(r"[A-Za-z_][\w.()/-]*")
_WORDS = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# The keys of mappings, in their order, by the key of the list or mapping that holds them; "" is the
# file. What isn't named comes as it stands.
_ORDERS: dict[str, tuple[str, ...]] = {
    "": (
        "torch", "id", "like", "with", "about", "title", "values", "summary", "overloads", "covers",
        "targets", "parameters", "missing", "caveats", "sections", "inputs", "example",
        "example_mindspore", "checks", "references", "guides",
    ),
    "targets": (
        "like", "with", "api", "expression", "remove", "id", "mindspore", "given", "absent",
        "parameters", "inputs", "state", "members", "returns", "runs_on", "note", "first",
    ),
    "parameters": (
        "like", "with", "torch", "mindspore", "relation", "value", "cases", "allow", "keyword",
        "note",
    ),
    "cases": ("when", "set", "refuse", "assumes", "note"),
    "state": ("torch", "mindspore", "value", "back", "note"),
    "caveats": (
        "like", "with", "id", "impact", "when", "device", "mindspore", "parameter", "target",
        "text", "unverified", "variants", "samples", "own", "shown_by",
    ),
    "samples": ("outcomes", "dtypes", "kinds", "given", "message"),
    "checks": (
        "like", "with", "id", "torch", "mindspore", "target", "inputs", "expect", "raises",
        "gives", "gradient", "modes", "ranks", "tolerance", "clears",
    ),
    "sections": ("id", "title", "text", "torch", "mindspore", "checks"),
    "gives": ("torch", "mindspore"),
    "references": ("kind", "url"),
}  # fmt: skip
# What a family has by name.
_FAMILIAR = ("targets", "parameters", "caveats", "checks")
# The code of checks is stripped when it is read; code of more than a line stands below its key.
_STRIPPED = ("torch", "mindspore")
_CODE = ("torch", "mindspore", "expression", "value", "example", "example_mindspore", "raises")

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """What stands with a value beside it: comments, and the name that makes it one with others."""

    above: tuple[str, ...] = ()
    beside: str = ""
    anchor: str = ""
    alias: str = ""


Notes = Mapping[Path, Note]
# What stands below the last line.
END: Path = ("",)


def text(data: Mapping[str, Any], notes: Notes | None = None) -> str:
    """The YAML of a file's data, with comments and names by the keys that lead to their values."""
    writer = _Writer(notes or {})
    lines = list(writer.mapping(ordered(data), (), ""))
    lines += writer.note(END).above
    return "".join(f"{line}\n" for line in lines)


def ordered(data: Any, name: str = "") -> Any:
    """A file's data with the keys of its mappings in their order."""
    if isinstance(data, list | tuple):
        return [ordered(item, name) for item in data]
    if not isinstance(data, Mapping):
        return data
    order = ("en", "zh") if data.keys() == _TEXTS else _ORDERS.get(name, ())
    entries = name in _FAMILIAR and all(isinstance(value, Mapping) for value in data.values())
    known = {key: data[key] for key in order if key in data}
    # A family has its entries by name.
    return {
        key: ordered(_stripped(value) if name == "checks" and key in _STRIPPED else value,
                     name if entries else str(key))
        for key, value in (known | dict(data)).items()
    }  # fmt: skip


def _stripped(code: Any) -> Any:
    """Code of a line without a break at its end, of several lines with one."""
    if not isinstance(code, str):
        return code
    lines = code.strip("\n")
    return f"{lines}\n" if "\n" in lines else lines


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes values as lines."""

    notes: Notes
    _inner: set[Path] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Remember what holds something with a comment: it can't be in one line."""
        for path, note in self.notes.items():
            if note.above or note.beside:
                self._inner.update(path[:end] for end in range(len(path)))

    def note(self, path: Path) -> Note:
        return self.notes.get(path, _NONE)

    def mapping(self, data: Mapping[str, Any], path: Path, space: str) -> Iterator[str]:
        """The lines of a mapping's keys."""
        for name, value in data.items():
            yield from self.key(name, value, (*path, name), space)

    def key(self, name: str, value: Any, path: Path, space: str) -> Iterator[str]:
        """The lines of a key and what stands below it."""
        note = self.note(path)
        yield from (f"{space}{line}" for line in note.above)
        start = f"{space}{_scalar(str(name), flow=False)}:" + (
            f" &{note.anchor}" if note.anchor else ""
        )
        lines = self._value(start, name, value, path, space)
        yield from _beside(lines, note.beside)

    def _value(self, start: str, name: str, value: Any, path: Path, space: str) -> list[str]:
        note = self.note(path)
        if note.alias:
            return [f"{start} *{note.alias}"]
        if isinstance(value, str):
            folded = name in _CODE or bool(note.beside)
            return _text(start, value, space, folded=folded)
        flow = f"{start} {self.flow(value, path)}"
        if isinstance(value, list | tuple):
            one = len(value) == 1 and len(path) > 1
            if self._fits(flow, value, path) and (one or not any(map(_is_mapping, value))):
                return [flow]
            items = (self.item(item, (*path, n), space) for n, item in enumerate(value))
            return [start, *(line for lines in items for line in lines)]
        # What is shared stands a line each, so that it is found.
        listed = path == ("inputs",)
        short = self._fits(flow, value, path) or self._is_said_shortly(flow, value, path)
        if not isinstance(value, Mapping) or not value or (short and not listed):
            return [flow]
        return [start, *self.mapping(value, path, f"{space}  ")]

    def item(self, item: Any, path: Path, space: str) -> Iterator[str]:
        """The lines of an entry of a list."""
        note = self.note(path)
        yield from (f"{space}  {line}" for line in note.above)
        start = f"{space}  -" + (f" &{note.anchor}" if note.anchor else "")
        yield from _beside(self._entry(start, item, path, space), note.beside)

    def _entry(self, start: str, item: Any, path: Path, space: str) -> list[str]:
        flow = f"{start} {self.flow(item, path)}"
        if isinstance(item, Mapping) and not self.note(path).alias:
            if self._fits(flow, item, path) and len(item) != 1:
                return [flow]
            lines = list(self.mapping(item, path, f"{space}    "))
            if self.note(path).anchor or lines[0].lstrip().startswith("#"):
                return [start, *lines]
            return [f"{start} {lines[0].lstrip()}", *lines[1:]]
        if isinstance(item, str) and not self.note(path).alias:
            return _text(start, item, f"{space}  ", folded=bool(self.note(path).beside))
        if len(flow) <= WIDE or not isinstance(item, list | tuple):
            return [flow]
        parts = [self.flow(value, (*path, n)) for n, value in enumerate(item)]
        return _filled(f"{start} [", parts, f"{space}     ")

    def _fits(self, flow: str, value: Any, path: Path) -> bool:
        """Whether a value stands in one line: it fits, and has no text of several lines."""
        return (
            len(flow) <= WIDE
            and "\\n" not in flow
            and path not in self._inner
            and not _has_texts(value)
        )

    def _is_said_shortly(self, flow: str, value: Any, path: Path) -> bool:
        """Whether a text in both languages stands in one line: it fits, and needs no quotes."""
        texts = isinstance(value, Mapping) and value.keys() == _TEXTS
        return texts and len(flow) <= WIDE and '"' not in flow and path not in self._inner

    def flow(self, value: Any, path: Path) -> str:
        """A value in one line."""
        note = self.note(path)
        if note.alias:
            return f"*{note.alias}"
        # Its own anchor stands before the value that its key or dash begins.
        return flow(value, lambda inner, key: self._inside(inner, (*path, key)))

    def _inside(self, value: Any, path: Path) -> str:
        anchor = self.note(path).anchor
        return (f"&{anchor} " if anchor else "") + self.flow(value, path)


_NONE = Note()


def flow(value: Any, inner: Any = None) -> str:
    """A value in one line; ``inner`` writes what it holds, given its key too."""
    inner = inner or (lambda found, key: flow(found))
    if isinstance(value, Mapping):
        pairs = (f"{_scalar(str(k), flow=True)}: {inner(v, k)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(inner(v, n) for n, v in enumerate(value)) + "]"
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


def _beside(lines: list[str], comment: str) -> list[str]:
    """Lines with a comment behind the first."""
    return [f"{lines[0]}  {comment}", *lines[1:]] if comment else lines


def _filled(first: str, parts: Sequence[str], space: str) -> list[str]:
    """The rest of a list in brackets, over several lines."""
    lines, line = [], first
    for number, found in enumerate(parts):
        part = found + ("]" if number == len(parts) - 1 else ",")
        if len(line) + len(part) + 1 > WIDE:
            lines.append(line.rstrip())
            line = space
        line += (
            part
            if line.endswith(("[", " ")) and line.strip() in ("", first.strip())
            else f" {part}"
        )
    return [*lines, line]


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _has_texts(value: Any) -> bool:
    if isinstance(value, Mapping):
        return value.keys() >= _TEXTS or any(map(_has_texts, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_texts, value))


def _text(
    start: str, text: str, space: str, *, folded: bool = False
) -> list[str]:  # fmt: skip
    """A text behind its key: as it is, in lines below it, or wrapped, as code if ``folded``."""
    inner = f"{space}  "
    if "\n" in text:
        if (block := _block(text)) is not None:
            return [f"{start} {block}", *(f"{inner}{line}".rstrip() for line in text.splitlines())]
        return [f"{start} {json.dumps(text, ensure_ascii=False)}"]
    written = _scalar(text, flow=False)
    line = f"{start} {written}"
    if len(line) <= WIDE or " " not in text or "  " in text or text != text.strip():
        return [line]
    if written != text or folded:
        return [f"{start} >-", *_wrapped(text, inner, inner)]
    return _wrapped(text, f"{start} ", inner)


def _block(text: str) -> str | None:
    """How a text of several lines begins; None if it can't be written so."""
    if (
        text.startswith((" ", "\n"))
        or text.endswith("\n\n")
        or re.search(r"[ \t]\n|[^\n -~\u00a0-\uffff]", text)
    ):
        return None
    return "|" if text.endswith("\n") else "|-"


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


@lru_cache(maxsize=20_000)
def _scalar(text: str, *, flow: bool) -> str:
    """A text without quotes where YAML reads it so, else with them."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if re.search(r"[\[\]{}\"]|^\W", text if flow else text[:1]):
        return json.dumps(text, ensure_ascii=False)
    form = "{{k: {0}, l: 0}}" if flow else "k: {0}"
    try:
        plain = yaml.load(form.format(text), Loader=_LOADER)["k"] == text
    except (yaml.YAMLError, TypeError, KeyError):
        plain = False
    return text if plain else json.dumps(text, ensure_ascii=False)
