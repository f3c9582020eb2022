"""A language server asked about a file of 2,000 lines, against `ast.parse` alone on the same text.

Ratios are of processor time of the server, wall times beside them in milliseconds. After a change
the file is read again: that takes what an analysis takes. All else is answered from it.
"""

from __future__ import annotations

import ast
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from porting import models

from msmap import database

# The client is the one that the tests ask with.
sys.path.append(str(Path(__file__).resolve().parents[1]))
from tests.builders.editing import Editor

LINES = 2000
RUNS = 15


def source() -> str:
    """Models with their training, 2,000 lines of them."""
    count = 1
    while models(count).count("\n") < LINES:
        count += 1
    return models(count)


def measured(
    editor: Editor, action: Callable[[int], object], runs: int = RUNS
) -> tuple[float, float]:  # fmt: skip
    """The medians of processor time of the server and of wall time, in seconds."""
    server = psutil.Process(editor.client._server.pid)  # type: ignore[union-attr]
    spent, taken = [], []
    for number in range(runs):
        before, start = server.cpu_times(), time.perf_counter()
        action(number)
        taken.append(time.perf_counter() - start)
        after = server.cpu_times()
        spent.append(after.user + after.system - before.user - before.system)
    # Its clock ticks a hundred times a second: what is shorter shows on average alone.
    return statistics.mean(spent), statistics.median(taken)


def main() -> None:
    """Print what each answer takes."""
    text = source()
    start = time.process_time()
    for _ in range(RUNS):
        ast.parse(text)
    parse = (time.process_time() - start) / RUNS
    last = text.count("\n")
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(Path(database.path()), Path(folder), {"delay": 0})
        begin = time.perf_counter()
        uri = editor.open("model.py", text)
        editor.links(uri)
        opened = time.perf_counter() - begin

        def change(number: int) -> None:
            editor.change(uri, number + 2, f"{text}# {number}\n")
            editor.links(uri)

        def type_on(number: int) -> None:
            editor.change(uri, number + 100, f"{text}torch.nn.Conv")
            editor.completions(uri, last, 13)

        rows = {
            "read after a change": measured(editor, change),
            "hover on a call": measured(editor, lambda n: editor.said(uri, 8 + n, 25), 200),
            "code actions of a line": measured(
                editor, lambda n: editor.actions(uri, 8 + n, 25), 200
            ),
            "completion while typing": measured(editor, type_on, 50),
            "port the whole file": measured(
                editor, lambda n: editor.command("msmap.portFile", uri), 5
            ),
        }
        editor.close()
    print(f"{LINES:,} lines, {len(text):,} characters; ast.parse {parse * 1e3:.1f} ms")
    print(f"first findings after opening: {opened * 1e3:.0f} ms")
    for name, (spent, taken) in rows.items():
        print(f"{name:26}{taken * 1e3:8.1f} ms{spent / parse:8.2f} times ast.parse")


if __name__ == "__main__":
    main()
