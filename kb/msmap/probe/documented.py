"""Examples (`>>>`) of MindSpore's documentation, read beside MindSpore and kept for the next time.

As a program it reads names, one a line, and prints what ``read`` gives: MindSpore is imported in
that process alone.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msmap import cache

# Where samples come from that are made of them (``sample_words.ORIGINS``).
ORIGIN = "mindspore"
# Seconds within which MindSpore must be imported.
_LIMIT = 300.0


def read(names: Iterable[str], release: str) -> Mapping[str, tuple[str, ...]]:
    """The statements of the examples of MindSpore's names, of those that have some.

    Nothing where another release than ``release`` is installed here, or none.
    """
    if not release or installed() != release:
        return {}
    wanted = "".join(f"{name}\n" for name in sorted(names))
    place = cache.folder()
    mark = f"{release} {sys.version}\n{wanted}".encode() + Path(__file__).read_bytes()
    found: str | None = cache.read(place, "examples", mark) if place else None
    if found is None:
        command = [sys.executable, "-m", "msmap.probe.documented"]
        done = subprocess.run(
            command, input=wanted, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            encoding="utf-8", timeout=_LIMIT, check=False,
        )  # fmt: skip
        if done.returncode:
            return {}
        found = done.stdout
        if place:
            cache.write(place, "examples", found, mark)
    return {name: tuple(sources) for name, sources in json.loads(found).items()}


def installed() -> str:
    """The release of MindSpore that is installed; "" for none."""
    try:
        return version("mindspore")
    except PackageNotFoundError:
        return ""


def sources(text: str) -> list[str]:
    """The statements of the examples in a docstring."""
    with suppress(ValueError):
        return [example.source for example in doctest.DocTestParser().get_examples(text)]
    return [line.strip()[4:] for line in text.splitlines() if line.strip().startswith(">>> ")]


def calls(api: str, sources: Sequence[str]) -> bool:
    """Whether examples call a name at all, as far as their text tells."""
    leaf = api.rpartition(".")[2]
    for source in sources:
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and last(node.func) in (leaf, f"{leaf}_ext"):
                return True
    return False


def last(node: ast.expr) -> str:
    """The last part of a dotted name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def main() -> None:
    """Print the examples of the names on standard input."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    found = {name: sources(_text(name)) for name in sys.stdin.read().split()}
    answers.write(json.dumps({name: told for name, told in found.items() if told}))
    answers.close()


def _text(name: str) -> str:
    """The docstring of a name; "" if it has none, or isn't there."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part, None)
        text = getattr(found, "__doc__", None)
        return text if isinstance(text, str) else ""
    return ""


if __name__ == "__main__":
    main()
