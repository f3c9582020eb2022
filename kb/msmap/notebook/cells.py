"""A cell of a notebook ported by itself, with what the cells before it say of its names."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from dataclasses import replace

from msmap.code import notebooks
from msmap.infer.facts import Facts
from msmap.model import Port
from msmap.port import imports, marks
from msmap.port.attempt import attempt
from msmap.port.rewrite import rewriter

# As many cells before it are read.
_BEFORE = 200
_IMPORT = re.compile(r"^(?:import mindspore[.\w]*|from mindspore import [\w, ]+)$", re.M)


def port(facts: Facts, before: Sequence[str], cell: str) -> Port:
    """The port of a cell that stands below others, whose imports it uses.

    Imports that its new text needs, and that the cells before would get, stand on top of it. What
    can't be read of the cell is refused as ``attempt`` refuses it.
    """
    cells = [text for text in before[-_BEFORE:] if text.strip()]
    made = {
        "nbformat": 4,
        "metadata": {},
        "cells": [
            {"cell_type": "code", "metadata": {}, "outputs": [], "source": text}
            for text in [*cells, cell]
        ],
    }
    try:
        book = notebooks.read(json.dumps(made))
        last = book.cells[-1]
        if any(number == last.number for number, _ in book.broken):
            return attempt(cell, facts)
        work = rewriter(book.code, facts)
        imports.port(work)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return attempt(cell, facts)
    *earlier, mine = book.split(marks.removed(work.changes.all()))
    text = notebooks.made(last.text, mine)
    given = [line for changes in earlier for _, _, new in changes for line in _IMPORT.findall(new)]
    needed = [line for line in dict.fromkeys(given) if _is_used(line, text)]
    done = work.port()
    begins = [work.source.place(work.source.span(node)[0])[0] for node in work.said]
    said = [
        note
        for line, notes in zip(begins, work.said.values(), strict=True)
        if book.place(line)[0] == last.number
        for note in notes
    ]
    refusals = []
    for refusal in done.refusals:
        number, line = book.place(refusal.line)
        if number == last.number:
            end = line + refusal.end_line - refusal.line
            refusals.append(replace(refusal, line=line, end_line=end))
    return Port(
        cell,
        "\n".join([*needed, text]) if needed else text,
        tuple(dict.fromkeys(said)),
        tuple(refusals),
        done.records,
    )


def _is_used(line: str, text: str) -> bool:
    """Whether a text uses what a line imports, and doesn't import it itself."""
    statement = ast.parse(line).body[0]
    assert isinstance(statement, ast.Import | ast.ImportFrom)
    names = [alias.name for alias in statement.names]
    return line not in text.splitlines() and any(
        re.search(rf"(?<![\w.]){name}\s*\.", text) for name in names
    )
