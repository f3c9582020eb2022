"""The table of the API: every route with its arguments; the server and OpenAPI are made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from datasette_msmap.web.refusals import Refused, wrong
from datasette_msmap.web.responses import Ask

BASE = "/api/v1"
# Texts in English and in Chinese.
Words = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument in the query, or in the path where the route names it."""

    name: str
    words: Words
    example: str
    required: bool = False
    choices: tuple[str, ...] = ()
    longest: int = 200
    # For numbers: the default and the most.
    number: tuple[int, int] | None = None

    def read(self, value: str | None) -> str | int | None:
        """The value as an endpoint takes it.

        Raises:
            Refused: it is missing, too long, no number or none of the choices.
        """
        if value is None or (value == "" and not self.required):
            return self.number[0] if self.number else None
        if len(value) > self.longest:
            raise Refused(400, f"{self.name}: more than {self.longest} characters")
        if self.number is not None:
            return self._number(value, self.number[1])
        if self.choices:
            # A device is written in capitals elsewhere.
            value = value.lower()
            if value not in self.choices:
                raise wrong(self.name, value, self.choices)
        return value

    def _number(self, value: str, most: int) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", value) or not 1 <= int(value) <= most:
            raise Refused(400, f"{self.name}: a number from 1 to {most}")
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


@dataclass(frozen=True, slots=True)
class Route:
    """One endpoint: ``schema`` is that of the answer, or of each line of it."""

    path: str
    make: Callable[[Ask, Given], Any]
    schema: str
    words: Words
    arguments: tuple[Argument, ...] = ()
    kind: Literal["object", "lines"] = "object"
    slow: bool = False
    posts: bool = False
    misses: bool = False
    tags: tuple[str, ...] = ("records",)

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

    def given(self, ask: Ask, posted: Mapping[str, str] | None = None) -> Given:
        """The arguments of a request, those of the query in ``posted`` where they were posted.

        Raises:
            Refused: one is wrong, missing, or none of this route.
        """
        query = {argument.name for argument in self.arguments} - set(self.in_path)
        asked = ask.args if posted is None else posted
        for name in asked:
            if name not in query:
                raise wrong("argument", name, sorted(query) or ["none"])
        values: dict[str, Any] = {}
        for argument in self.arguments:
            place = ask.vars if argument.name in self.in_path else asked
            value = place.get(argument.name)
            if argument.required and not (value and value.strip()):
                raise Refused(400, f"{argument.name} is missing: {argument.words[0]}")
            values[argument.name] = argument.read(value)
        return Given(values)
