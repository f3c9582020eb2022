"""Facts written in docstrings: signatures, platforms, deprecation and aliases."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterator

from msmap.vocabulary import PLATFORMS

_DIRECTIVE = re.compile(r"^\.\. (?:py:)?(?:function|method|class):: *")
_DEPRECATED = re.compile(r"\bdeprecated\b|\bwill be removed\b", re.IGNORECASE)
_PARTIAL = re.compile(
    r"\b(?:parameters?|arguments?|args?|keyword|overload|option|default|behaviou?r|inputs?|"
    r"calling|passing|support for|usage of|when|if|during|should|version of|"
    r"overloads|constructor|after version [\d.]+, \w+ will|renamed|merged|format|value|"
    r"in the process)\b",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"^ *(?:Args|Arguments|Parameters|Inputs|Keyword|Returns|Examples?)\b.*:", re.M
)
_NOTE_LENGTH = 160
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def signatures(doc: str, names: Collection[str]) -> tuple[str, ...]:
    """The signatures a docstring opens with or lists in directives, as written after the name."""
    lines = inspect.cleandoc(doc).splitlines()
    found = [*_leading(lines, names), *_directives(lines, names)]
    return tuple(dict.fromkeys(text for item in found for text in _ranges(item)))


def _leading(lines: list[str], names: Collection[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        if _DIRECTIVE.match(lines[at]):
            return
        found = _entry(lines, at, lines[at], names)
        if found is None:
            return
        text, at = found
        yield text


def _directives(lines: list[str], names: Collection[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        match = _DIRECTIVE.match(line.strip())
        found = _entry(lines, at, line.strip()[match.end() :], names) if match else None
        if found is not None:
            yield found[0]


def constructors(doc: str) -> tuple[str, ...]:
    """The signatures a generated `__init__` docstring lists, as written after the name."""
    found = []
    for line in doc.splitlines():
        match = re.match(r"(?:\d+\. )?__init__\(self: [\w.]+(?:, )?", line)
        end = closing("(" + line[match.end() :]) if match else None
        if match and end is not None:
            found.append(("(" + line[match.end() :])[:end])
    return tuple(found)


def _entry(lines: list[str], at: int, first: str, names: Collection[str]) -> tuple[str, int] | None:
    """A signature starting on line `at` and the number of the line after it."""
    match = re.match(r"(?:\w+\.)*(\w+) ?(?=\()", first)
    if match is None or match.group(1) not in names:
        return None
    text, last = first[match.end() :], at
    while (end := closing(text)) is None:
        last += 1
        if last >= len(lines) or not lines[last].strip():
            return None
        text = text.rstrip("\\").rstrip() + " " + lines[last].strip()
    return _spelled(text[:end], text[end:]), last + 1


def closing(text: str) -> int | None:
    """Where the bracket that opens a text is closed, None if it is not."""
    expected: list[str] = []
    quote = ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in _PAIRS:
            expected.append(_PAIRS[char])
        elif char in _PAIRS.values():
            if not expected or expected.pop() != char:
                return None
            if not expected:
                return at + 1
    return None


def _spelled(parameters: str, rest: str) -> str:
    arrow = re.match(r"\s*(?:->|\u2192)\s*([^#]+)", rest)
    result = arrow.group(1).strip().rstrip(":.").strip() if arrow else ""
    try:
        compile(result, "result", "eval")
    except (SyntaxError, ValueError):
        return parameters
    return f"{parameters} -> {result}"


def _ranges(text: str) -> tuple[str, ...]:
    """The two forms meant by `(start=0, end, ...)`, which Python cannot spell as one."""
    match = re.match(r"\((\w+)=[^,()]+, (?=\w+[,)])", text)
    if match is None:
        return (text,)
    return ("(" + text[match.end() :], f"({match.group(1)}, " + text[match.end() :])


def platforms(doc: str) -> tuple[str, ...]:
    """The devices of the "Supported Platforms" section, in the order Ascend, GPU, CPU."""
    match = re.search(r"Supported Platforms:\s*\n\s*(.+)", doc)
    listed = match.group(1) if match else ""
    return tuple(name for name in PLATFORMS if name in listed)


def deprecation(doc: str) -> str:
    """The sentence that says an API is deprecated, "" if none does."""
    head = _SECTION.split(inspect.cleandoc(doc), maxsplit=1)[0]
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*\.\. )", head):
        for sentence in _sentences(paragraph):
            if _DEPRECATED.search(sentence) and not _PARTIAL.search(sentence):
                return _shortened(sentence.removeprefix(".. deprecated:: "))
    return ""


def note(text: str) -> str:
    """A deprecation message in one short line."""
    return _shortened(next(iter(_sentences(text)), ""))


def _sentences(paragraph: str) -> list[str]:
    text = re.sub(r"\.\. (?!deprecated)\w+::", "", paragraph)
    text = re.sub(r":\w+:`~?\.?([^`<]+?)(?: <[^`]*>)?`", r"\1", text)
    text = text.replace("`", "").encode("ascii", "ignore").decode()
    found = re.split(r"(?<=[.!])\s+(?=[A-Z])|(?<=[.!:])\s+- |^- ", " ".join(text.split()))
    return [sentence.removeprefix("Note: ") for sentence in found if sentence]


def _shortened(text: str) -> str:
    return text if len(text) <= _NOTE_LENGTH else text[: _NOTE_LENGTH - 3].rstrip() + "..."


def alias(doc: str) -> str:
    """The name a docstring's opening "Alias for" sentence refers to, "" without one."""
    match = re.match(
        r"(?:\S*\([^\n]*\n\s*)?\s*Alias (?:for|of) :\w+:`~?\.?([\w.]+?)(?:\(\))?`",
        inspect.cleandoc(doc),
        re.IGNORECASE,
    )
    return match.group(1) if match else ""


def references(doc: str) -> list[str]:
    """The dotted names that a docstring's cross-references lead to."""
    return re.findall(r":\w+:`~?([A-Za-z_][\w.]*\.\w+)(?:\(\))?`", doc)


def arguments(doc: str) -> str:
    """The signature that the "Args" and "Keyword Args" sections describe, "" without them."""
    parts: list[str] = []
    for title, star in (("Args", ""), ("Keyword Args", "*")):
        match = re.search(rf"^{title}:\n((?:[ ]+.*\n|\n)+)", inspect.cleandoc(doc) + "\n", re.M)
        found = re.findall(r"^    (\w+) ?(\(.*)", match.group(1), re.M) if match else []
        known = argument_defaults(f"\n{match.group(1)}") if match else {}
        if found and star:
            parts.append(star)
        for name, text in found:
            value = known.get(name, "..." if "optional" in text else "")
            parts.append(f"{name}={value}" if value else name)
    return f"({', '.join(parts)})" if parts else ""


def argument_defaults(doc: str) -> dict[str, str]:
    """The "Default:" texts of the arguments by name in a docstring without extra indentation."""
    entries = re.split(r"\n(?=    \w+ ?\()", doc)
    found: dict[str, str] = {}
    for entry in entries:
        match = re.match(r"\s*(\w+) ?\(.*?Default:? *``([^`]+)``", entry, re.DOTALL)
        if match:
            found[match.group(1)] = match.group(2)
    return found


def inputs(doc: str) -> str:
    """The call signature listed under "Inputs:", "" when it is not a plain list."""
    match = re.search(r"\nInputs:\n((?:[ ]+.*\n|\n)+)", inspect.cleandoc(doc) + "\n")
    listed = match.group(1) if match else ""
    names = re.findall(r"^    - \*\*(\w+)\*\* \((.*)", listed, re.MULTILINE)
    bullets = re.findall(r"^    - ", listed, re.MULTILINE)
    if not names or len(names) != len(bullets):
        return ""
    parts: list[str] = []
    for name, text in names:
        optional = re.search(r"\boptional\b|Default: ``None``", text) is not None
        if not optional and any(part.endswith("=None") for part in parts):
            return ""
        parts.append(name + ("=None" if optional else ""))
    return f"({', '.join(parts)})"
