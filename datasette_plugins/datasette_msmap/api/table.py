"""The table of the API: every route with its arguments; the server and OpenAPI are made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from datasette_msmap.web.refusals import Refused, wrong
from datasette_msmap.web.responses import Ask

BASE = "/api/v1"
# Texts in English and in Chinese.
Words = tuple[str, str]
# An argument as it came: of a list in JSON, and of one given several times, all of it.
Value: TypeAlias = str | list[str]


@dataclass(frozen=True, slots=True)
class Number:
    """What a number may be, and what it is where nobody says; None: without it all is meant."""

    least: int
    most: int
    default: int | None


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument in the query or the body, or in the path where the route names it.

    ``choices`` are all values that there are, ``listed`` tells them where the database has them.
    ``many`` is how many values it may have, 0 for one; in a query commas stand between them.
    """

    name: str
    words: Words
    example: str
    required: bool = False
    choices: tuple[str, ...] = ()
    listed: Callable[[Ask], Iterable[str]] | None = None
    longest: int = 200
    number: Number | None = None
    many: int = 0

    def read(self, value: Value | None) -> Value | int | None:
        """The value as an endpoint takes it; of one that may have many, a list.

        Raises:
            Refused: it is missing, too long, no number or none of the choices.
        """
        if self.many:
            return self._several(value)
        if isinstance(value, list):
            raise Refused(400, f"{self.name}: one value, not {len(value)}")
        if value is None or (value == "" and not self.required):
            return self.number.default if self.number else None
        if self.number is not None:
            return self._number(value, self.number)
        return self._single(value)

    def _single(self, value: str) -> str:
        if len(value) > self.longest:
            raise Refused(400, f"{self.name}: more than {self.longest} characters")
        if self.choices:
            # A device is written in capitals elsewhere.
            value = value.lower()
            if value not in self.choices:
                raise wrong(self.name, value, self.choices)
        return value

    def _several(self, value: Value | None) -> list[str] | None:
        values = value.split(",") if isinstance(value, str) else value or []
        found = [self._single(one.strip()) for one in values[: self.many] if one.strip()]
        if len(values) > self.many:
            raise Refused(400, f"{self.name}: more than {self.many:,} of them")
        if self.required and not found:
            raise Refused(400, f"{self.name} is missing: {self.words[0]}")
        return found or None

    def _number(self, value: str, allowed: Number) -> int:
        fits = re.fullmatch(r"[0-9]{1,9}", value) is not None
        if not fits or not allowed.least <= int(value) <= allowed.most:
            raise Refused(400, f"{self.name}: a number from {allowed.least} to {allowed.most}")
        return int(value)


@dataclass(frozen=True, slots=True)
class Given:
    """The arguments of a request, checked."""

    values: Mapping[str, Any]

    def text(self, name: str) -> str:
        """An argument that is required."""
        return str(self.values[name])

    def maybe(self, name: str) -> str | None:
        """An argument that may be left out."""
        found: str | None = self.values.get(name)
        return found

    def number(self, name: str) -> int:
        """A number."""
        return int(self.values[name])

    def several(self, name: str) -> list[str]:
        """The values of an argument that may have many."""
        return self.values.get(name) or []


@dataclass(frozen=True, slots=True)
class Route:
    """One endpoint: ``schema`` is that of the answer, or of each line of it.

    ``slow`` and ``aside`` are as for a route of the site.
    ``also`` are schemas that an answer may have instead, by what was asked. ``body`` is the
    argument that is posted where nothing else is said; "" where nothing is posted.
    """

    path: str
    make: Callable[[Ask, Given], Any]
    schema: str
    words: Words
    arguments: tuple[Argument, ...] = ()
    kind: Literal["object", "lines"] = "object"
    slow: bool = False
    aside: bool = False
    body: str = ""
    misses: bool = False
    also: tuple[str, ...] = ()
    tags: tuple[str, ...] = ("records",)

    @property
    def posts(self) -> bool:
        """Whether it takes POST."""
        return bool(self.body)

    @property
    def operation(self) -> str:
        """The name that generated clients give it."""
        words = re.findall(r"[a-z0-9]+", self.path)
        return "_".join(words)

    @property
    def in_path(self) -> tuple[str, ...]:
        """The arguments that stand in the path."""
        return tuple(re.findall(r"{(\w+)}", self.path))

    @property
    def pattern(self) -> str:
        """The regular expression that Datasette routes by."""
        pieces = re.split(r"({\w+})", BASE + self.path)
        made = (f"(?P<{p[1:-1]}>.+)" if p.startswith("{") else re.escape(p) for p in pieces)
        return f"^{''.join(made)}$"

    def given(self, ask: Ask, posted: Mapping[str, Value] | None = None) -> Given:
        """The arguments of a request, those of the query in ``posted`` where they were posted.

        Raises:
            Refused: one is wrong, missing, or none of this route.
        """
        query = {argument.name for argument in self.arguments} - set(self.in_path)
        asked: Mapping[str, Value] = ask.args if posted is None else posted
        for name in asked:
            if name not in query:
                raise wrong("argument", name, sorted(query) or ["none"])
        values: dict[str, Any] = {}
        for argument in self.arguments:
            path = argument.name in self.in_path
            value = ask.vars.get(argument.name) if path else asked.get(argument.name)
            text = value.strip() if isinstance(value, str) else value
            if argument.required and not text:
                raise Refused(400, f"{argument.name} is missing: {argument.words[0]}")
            values[argument.name] = argument.read(value)
        return Given(values)
