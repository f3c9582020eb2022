"""What in a notebook isn't Python: it stays, and is said where PyTorch stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msmap import phrases
from msmap.code.notebooks import Notebook
from msmap.model import Text
from msmap.ported import Left, Note

_TORCH = re.compile(r"\btorch\b")
# Cells in other languages, in which no Python stands that runs in the notebook.
_LANGUAGES = re.compile(
    r"\s*%%(?:bash|sh|script|cmd|powershell|perl|ruby|R|julia|javascript|js|html|HTML|latex|svg|SVG"
    r"|markdown|sql|cython)\b"
)
_SHELL = re.compile(r"\s*(?:[\w.,\s]+=\s*)?!")
_PYTHON = Text(
    "a magic command: port the Python in it by hand", "魔法命令：其中的 Python 请手动转写"
)
_OTHER = Text("no Python cell: it stays", "不是 Python 单元格：保持原样")
_COMMAND = Text("a command of the shell: it stays", "shell 命令：保持原样")


def left(notebook: Notebook) -> Iterator[Left]:
    """The cells that are no Python by mistake, and magic commands on PyTorch code; they stay."""
    texts = {cell.number: cell.text for cell in notebook.cells}
    errors = dict(notebook.broken)
    for number, error in errors.items():
        lines = texts[number].split("\n")
        reason = Text(
            f"not Python: {error.msg}", f"不是合法的 Python 代码：{phrases.chinese(error.msg)}"
        )
        place = (1, 0, len(lines), len(lines[-1]))
        yield Left(*place, "not_python", texts[number], reason, "msmap port --help", "", number)
    for number, line, text, first in notebook.hidden():
        if number in errors or not _TORCH.search(text):
            continue
        if not (_LANGUAGES.match(first) or _SHELL.match(text)):
            place = (line, 0, line, len(text))
            yield Left(*place, "not_python", text, _PYTHON, "msmap port --help", "", number)


def notes(notebook: Notebook) -> Iterator[Note]:
    """The same as notes, with the cells in other languages and commands that name PyTorch."""
    for one in left(notebook):
        why = Text(f"not ported: {one.reason.en}", f"未转写：{one.reason.zh}")
        yield Note(one.line, one.column, why, one.cell)
    told: set[int] = set()
    for number, line, text, first in notebook.hidden():
        if _LANGUAGES.match(first):
            if number not in told:
                told.add(number)
                yield Note(1, 0, _OTHER, number)
        elif _SHELL.match(text) and _TORCH.search(text):
            yield Note(line, 0, _COMMAND, number)
