"""What the tools answer with: short things, of which empty parts are left out.

None has slots: the package takes them for default values when it makes schemas.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any

from msmap.render.digest import Digest


@dataclass(frozen=True)
class Lookup:
    """Names looked up; ``pages`` are whole pages in Markdown, where details were asked for."""

    answers: tuple[Digest, ...]
    pages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hit:
    """A record, guide or probe: ``name`` is what `lookup` or the guide's resource takes."""

    kind: str
    name: str
    title: str
    snippet: str = ""
    context: str = ""


@dataclass(frozen=True)
class Search:
    """What words or an error lead to, best first."""

    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True)
class Left:
    """A place that stays as it is: line from 1, column from 0, why, and what to look up."""

    line: int
    column: int
    kind: str
    source: str
    reason: str


@dataclass(frozen=True)
class Ported:
    """Code for MindSpore; ``whole`` says that nothing was left as it was.

    ``edits`` are there where details were asked for: line, column, end line, end column, text.
    """

    code: str
    whole: bool
    left: tuple[Left, ...] = ()
    notes: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    edits: tuple[tuple[int, int, int, int, str], ...] = ()


@dataclass(frozen=True)
class Found:
    """A finding of a scan: a place, its rule, the names that may be meant, what it becomes."""

    path: str
    line: int
    rule: str
    apis: tuple[str, ...]
    source: str
    port: str = ""
    said: str = ""
    cell: int | None = None


@dataclass(frozen=True)
class Scanned:
    """What a scan found: places by status, and the worst findings; ``more`` counts the others."""

    files: int
    status: dict[str, int]
    findings: tuple[Found, ...] = ()
    more: int = 0
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Checked:
    """A check of a record: what is compared, and what came out of it where."""

    check: str
    target: str
    outcome: str
    environment: str = ""
    said: str = ""
    variants: dict[str, int] | None = None
    torch: str = ""
    mindspore: str = ""


@dataclass(frozen=True)
class Evidence:
    """The checks of a record; ``script`` repeats one, where it was asked for."""

    name: str
    checks: tuple[Checked, ...] = ()
    script: str = ""


def sendable(text: str) -> str:
    """A text without halves of characters, such as names of files have: no JSON takes them."""
    return text.encode(errors="backslashreplace").decode()


def data(answer: Any) -> Any:
    """An answer as JSON, without what says nothing: "", None, nothing of a list."""
    if is_dataclass(answer) and not isinstance(answer, type):
        told = {field.name: data(getattr(answer, field.name)) for field in fields(answer)}
        required = {field.name for field in fields(answer) if field.default is MISSING}
        return {
            name: value
            for name, value in told.items()
            if name in required or value not in ("", None, [], {})
        }
    if isinstance(answer, dict):
        return {name: data(value) for name, value in answer.items()}
    if isinstance(answer, str):
        return sendable(answer)
    if isinstance(answer, Iterable):
        return [data(item) for item in answer]
    return answer
