"""The words that a command line may go on with: what a shell asks for when Tab is pressed."""

from __future__ import annotations

import os

from msmap import database
from msmap_cli.words import TABLE

# From typing it would cost a tenth of a cold start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def run(arguments: Sequence[str]) -> str:
    """What `msmap --complete WORDS...` prints: a candidate a line; the last word is begun.

    ``:files`` and ``:dirs`` ask the shell for its own.
    """
    words = list(arguments) or [""]
    return "".join(f"{found}\n" for found in _candidates(words[:-1], words[-1]))


def _candidates(before: list[str], text: str) -> list[str]:
    path, given, awaited = _read(before)
    if awaited:
        return _of(awaited, text, "")
    row = TABLE[path]
    if text.startswith("-"):
        option, equals, value = text.partition("=")
        if equals and row.get(option):
            return [f"{option}={found}" for found in _of(row[option], value, "")]
        return sorted(word for word in row if word.startswith("--" if text == "-" else text))
    if path == "" and not given:
        # A name alone is looked up.
        listed = [*row[""].split("|"), "help"]
        return sorted(_fitting(listed, text)) + (_of("name", text, "") if text else [])
    if "" in row:
        return sorted(_fitting(row[""].split("|"), text))
    kind = row.get(str(len(given))) or row.get("*", "?")
    return _of(kind, text, given[-1] if given else "")


def _read(words: Iterable[str]) -> tuple[str, list[str], str]:
    """The command, its arguments, and what the option before the cursor waits for."""
    path, given, awaited = "", [], ""
    for word in words:
        row = TABLE[path]
        if awaited:
            awaited = ""
        elif word.startswith("-"):
            option, equals, _ = word.partition("=")
            awaited = "" if equals else row.get(option, "")
        elif path == "" and word == "help":
            continue
        elif word in row.get("", "").split("|"):
            path = f"{path} {word}".strip()
        elif path == "":
            path, given = "lookup", [word]
        else:
            given.append(word)
    return path, given, awaited


def _of(kind: str, text: str, before: str) -> list[str]:
    """What a word of a kind may become."""
    if kind.startswith(":"):
        return [kind]
    if kind == "?":
        return []
    if kind == "schema":
        folder = os.path.join(os.path.dirname(database.SHIPPED), "schemas")
        return sorted(_fitting((name.removesuffix(".json") for name in os.listdir(folder)), text))
    if kind == "rule":
        return sorted(_fitting(_rules(), text))
    if "|" in kind:
        return _fitting(kind.split("|"), text)
    from msmap.query.names import complete as completing

    return completing.complete(kind, text, before)


def _rules() -> Iterable[str]:
    """The names of lint rules, read from where they stand: importing them takes much longer."""
    folder = os.path.join(os.path.dirname(database.SHIPPED), "lint", "rules")
    for name in os.listdir(folder):
        if not name.endswith(".py"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as source:
            for part in source.read().split("\n@rule(")[1:]:
                yield part.partition("def ")[2].partition("(")[0].replace("_", "-")


def _fitting(words: Iterable[str], text: str) -> list[str]:
    return [word for word in words if word.startswith(text)]
