"""Notebooks read as the Python in their cells, and changed without touching anything else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from msmap.code import notebooks
from msmap.code.source import Change


def notebook(*sources: str | list[str], **metadata: Any) -> str:
    cells = [
        {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": s}
        for s in sources
    ]
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}, indent=1) + "\n"


def test_cells_of_code_are_one_source() -> None:
    text = json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["# f(1)"]},
                {"cell_type": "code", "source": ["a = 1\n", "b = 2"]},
                {"cell_type": "code", "source": []},
                {"cell_type": "code", "source": "é = 3\n"},
                {"cell_type": "raw", "source": "f(1)"},
                {"cell_type": "code", "source": "c"},
            ]
        }
    )
    found = notebooks.read(text)
    assert (found.code, found.broken, found.starts) == (
        "a = 1\nb = 2\né = 3\nc\n",
        (),
        (0, 12, 12, 19),
    )
    assert [found.place(line) for line in (1, 2, 3, 4)] == [(1, 1), (1, 2), (3, 1), (5, 1)]


MASKED = {
    "a magic": ("%matplotlib inline\nf(1)", "0#################\nf(1)"),
    "a command": ("!ls é\nf(1)", "0#####\nf(1)"),
    "of one letter": ("if a:\n    !", "if a:\n    0"),
    "help": ("f?\n?f\nf(1)", "0#\n0#\nf(1)"),
    "what is assigned": ("a = !ls\nb = %pwd\nf(1)", "a = 0##\nb = 0###\nf(1)"),
    "over several lines": ("!pip install \\\n  a\nf(1)", "0#############\n  #\nf(1)"),
    "quotes that don't end": ("%time a\n!echo don't\nf(1)", "0######\n0##########\nf(1)"),
    "an operator": ('f("%d"\n  % 1)', 'f("%d"\n  % 1)'),
    "a text": ('a = """\n%time f\n!ls\n"""', 'a = """\n%time f\n!ls\n"""'),
    "an operator beside a magic": ('%time\nf("%d"\n  % 1)', '0####\nf("%d"\n  % 1)'),
    "a cell of Python": ("%%time\nf(1)", "0#####\nf(1)"),
    "a cell of another language": ("%%bash\nf(1)\n  é", "######\n####\n  ##"),
    "a cell of the shell": ("\n%%sh\nls", "\n####\n##"),
}  # fmt: skip


@pytest.mark.parametrize("case", MASKED.values(), ids=MASKED)
def test_what_is_no_python_is_masked(case: tuple[str, str]) -> None:
    cell, expected = case
    found = notebooks.read(notebook(cell))
    assert (found.code, found.broken) == (expected + "\n", ())
    assert len(found.code.encode()) == len(cell.encode()) + 1


def test_a_cell_that_does_not_parse_is_told_and_the_others_go_on() -> None:
    found = notebooks.read(notebook("a = 1", "b = (", "%x\nprint 'a'", "c = '\ud800'", "d"))
    assert found.code == "a = 1\n#####\n##\n#########\n#########\nd\n"
    assert [(number, error.lineno) for number, error in found.broken] == [
        (1, 1), (2, 2), (3, None),
    ]  # fmt: skip


def made(found: notebooks.Notebook, changes: list[Change]) -> str:
    """The text of a notebook with changes of its code made in it."""
    return notebooks.made(found.text, found.rewritten(changes))


def changed(text: str, old: str, new: str) -> str:
    """A notebook in whose code one text has become another one."""
    found = notebooks.read(text)
    begin = found.code.encode().index(old.encode())
    return made(found, [(begin, begin + len(old.encode()), new)])


WRITTEN = {
    "as Jupyter writes": (
        '{\n "cells": [\n  {\n   "source": [\n    "a = 1\\n",\n    "f(1)"\n   ],\n'
        '   "cell_type": "code"\n  }\n ],\n "nbformat": 4\n}\n',
        "f(1)", "g(1)\nh",
        '{\n "cells": [\n  {\n   "source": [\n    "a = 1\\n",\n    "g(1)\\n",\n    "h"\n   ],\n'
        '   "cell_type": "code"\n  }\n ],\n "nbformat": 4\n}\n',
    ),
    "on one line": (
        '{"nbformat":4,"cells":[{"cell_type":"code","source":["a\\n","f(1)"],"outputs":[{}]}]}',
        "f(1)", "g\nh",
        '{"nbformat":4,"cells":[{"cell_type":"code","source":["a\\n","g\\n","h"],"outputs":[{}]}]}',
    ),
    "one line of a list": (
        '{"cells": [{"cell_type": "code", "source": [\n\t"f(1)"\n]}]}',
        "f(1)", "g\nh",
        '{"cells": [{"cell_type": "code", "source": [\n\t"g\\n",\n\t"h"\n]}]}',
    ),
    "one text": (
        '{"cells": [{"cell_type": "code", "source": "a\\nf(1)\\n"}]}',
        "f(1)", "g",
        '{"cells": [{"cell_type": "code", "source": "a\\ng\\n"}]}',
    ),
    "escapes where there are some": (
        '{"cells": [{"cell_type": "code", "source": ["\\u00e9\\n", "f(1)"]}]}',
        "f(1)", "ü",
        '{"cells": [{"cell_type": "code", "source": ["\\u00e9\\n", "\\u00fc"]}]}',
    ),
    "letters as they are": (
        '\ufeff{"cells": [{"cell_type": "code", "source": ["# \\u00e9 é\\/\\n", "f(1)"]}]}',
        "f(1)", "ü",
        '\ufeff{"cells": [{"cell_type": "code", "source": ["# \\u00e9 é\\/\\n", "ü"]}]}',
    ),
    "what only looks like a cell": (
        '{"metadata": {"cells": [{"source": ["f(1)"]}], "a": "\\"source\\": [1, {"},'
        ' "cells": [{"metadata": {"source": ["f(1)"]}, "cell_type": "code", "source": ["f(1)"]}]}',
        "f(1)", "g",
        '{"metadata": {"cells": [{"source": ["f(1)"]}], "a": "\\"source\\": [1, {"},'
        ' "cells": [{"metadata": {"source": ["f(1)"]}, "cell_type": "code", "source": ["g"]}]}',
    ),
    "magics stay": (
        '{"cells": [{"cell_type": "code", "source": ["%time é\\n", "f(1)"]}]}',
        "f(1)", "g",
        '{"cells": [{"cell_type": "code", "source": ["%time é\\n", "g"]}]}',
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRITTEN.values(), ids=WRITTEN)
def test_the_file_stays_as_it_is_written(case: tuple[str, str, str, str]) -> None:
    text, old, new, expected = case
    assert changed(text, old, new) == expected
    assert made(notebooks.read(text), []) == text


@pytest.mark.parametrize(
    ("changes", "cells"),
    [
        ([(0, 0, "x\n"), (2, 3, "y")], ["x\na\ny", "c\nd", "e"]),
        ([(3, 3, "x"), (4, 4, "y\n")], ["a\nbx", "y\nc\nd", "e"]),
        ([(2, 9, "x")], ["a\nx", "", ""]),
        ([(2, 6, "x\n"), (8, 8, "y\n")], ["a\nx\n", "d", "y\ne"]),
        ([(9, 10, "")], ["a\nb", "c\nd", "e"]),
    ],
    ids=["in one", "at the ends", "over all", "over two", "the break that was put between"],
)
def test_changes_go_to_their_cells(changes: list[Change], cells: list[str]) -> None:
    found = notebooks.read(notebook("a\nb", "c\nd", ["e"]))
    written = json.loads(made(found, changes))
    assert ["".join(cell["source"]) for cell in written["cells"]] == cells


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "it isn't JSON: Expecting property name"),
        ("[" * 99_999, "it isn't JSON: maximum recursion"),
        ("[]", "it has no cells; of an older format"),
        ('{"worksheets": []}', "it has no cells; of an older format"),
        ('{"cells": [{"cell_type": "code"}]}', "cell 0 has no text"),
        ('{"cells": [{"cell_type": "code", "source": [1]}]}', "cell 0 has no text"),
        (notebook("x", kernelspec={"language": "R"}), "its language is r"),
        (notebook("x", language_info={"name": "julia"}), "its language is julia"),
    ],
)
def test_what_is_no_notebook_is_told(text: str, reason: str) -> None:
    with pytest.raises(notebooks.NoNotebook) as told:
        notebooks.read(text)
    assert str(told.value)[: len(reason)] == reason
