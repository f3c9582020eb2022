"""Cases of the rewriter as files: PyTorch's source, with what becomes of it where it changes.

``«before|after»`` stands where something is edited, and ``#! kind`` behind a line in which
something is refused or said to differ. A case is a program that prints what it computes: both
sides print the same, but for lines that say that they differ.

    python -m tests.builders.cases program.py > tests/fixtures/port/RULE/NAME.py

writes a case as the rewriter has it now: read it before it is kept.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from msmap.model import Port
from msmap.query.knowledge_base import KnowledgeBase

CASES = Path(__file__).resolve().parents[1] / "fixtures" / "port"
_MARK = re.compile(r"«([^|»]*)\|([^»]*)»")
_WORD = re.compile(r"\w+|\s|.", re.DOTALL)
_SAID = re.compile(r"  #! ([a-z_ ]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """Both sides of a program, and the kinds of what is said, each with the line of PyTorch's."""

    torch: str
    mindspore: str
    said: tuple[tuple[int, str], ...]


def read(marked: str) -> Case:
    """A case from its file."""
    said: list[tuple[int, str]] = []
    before = _MARK.sub(lambda match: match[1], marked)
    for number, line in enumerate(before.splitlines(), 1):
        if found := _SAID.search(line):
            said += [(number, kind) for kind in found[1].split()]
    plain = _SAID.sub("", marked)
    sides = (_MARK.sub(lambda match, side=side: match[side], plain) for side in (1, 2))  # type: ignore[misc]
    return Case(*sides, tuple(said))


def said(port: Port) -> tuple[tuple[int, str], ...]:
    """What a port refuses or says to differ, by line."""
    return tuple(sorted((one.line, one.kind) for one in port.refusals))


def written(source: str, port: Port) -> str:
    """A program as a case."""
    assert port.code is not None
    before, after = _WORD.findall(source), _WORD.findall(port.code)
    same = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    pieces = []
    for kind, first, last, low, high in same:
        old, new = "".join(before[first:last]), "".join(after[low:high])
        pieces.append(old if kind == "equal" else f"«{old}|{new}»")
    lines = "".join(pieces).splitlines()
    for number, kind in said(port):
        # Marks may hold lines that were put in: PyTorch's lines are counted.
        at = _line(lines, number)
        lines[at] += f" {kind}" if _SAID.search(lines[at]) else f"  #! {kind}"
    return "\n".join(lines) + "\n"


def _line(lines: list[str], number: int) -> int:
    """Which line of a case has the end of a line of PyTorch's."""
    for at in range(len(lines)):
        text = "\n".join(lines[: at + 1])
        whole = text.count("«") == text.count("»")
        if whole and _MARK.sub(lambda match: match[1], text).count("\n") == number - 1:
            return at
    raise ValueError(f"line {number} isn't whole anywhere")


if __name__ == "__main__":
    program = Path(sys.argv[1]).read_text(encoding="utf-8")
    with KnowledgeBase.open(device="cpu") as base:
        sys.stdout.write(written(program, base.port(program)))
