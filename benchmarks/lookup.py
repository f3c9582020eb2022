"""Cold starts of `msmap` against a bare sqlite3 script that asks for the same page.

Goals: 1.5 times as long into a pipe, 4 times for all else; on a terminal 1.3 times what a pipe
takes, and 60 ms for a press of Tab.
"""

from __future__ import annotations

import sys

from timing import medians

from msmap import database as index

NAME = "torch.nn.Dropout"
BARE = """
import sqlite3, sys, zlib
connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
page = connection.execute("SELECT text FROM page WHERE name = ?", (sys.argv[2],)).fetchone()[0]
like = connection.execute("SELECT text FROM dictionary WHERE kind = 'page'").fetchone()[0]
print(zlib.decompressobj(zdict=like).decompress(page).decode().split("\\f")[0])
"""
# What the installed command runs.
MSMAP = [sys.executable, "-c", "import sys; from msmap_cli.main import main; sys.exit(main())"]

if __name__ == "__main__":
    found = medians(
        {
            "bare": [sys.executable, "-c", BARE, index.path(), NAME],
            "into a pipe": [*MSMAP, "lookup", NAME],
            "in Chinese": [*MSMAP, "lookup", NAME, "--lang", "zh"],
            "as JSON": [*MSMAP, "lookup", NAME, "--format", "json"],
            "found by running": [*MSMAP, "lookup", "torch.mul"],
            "a miss": [*MSMAP, "lookup", "torch.nn.Dropot"],
            "--version": [*MSMAP, "--version"],
            "on a terminal": [*MSMAP, "lookup", NAME],
            "on a terminal, in full": [*MSMAP, "lookup", NAME, "-v"],
            "Tab behind nn.Dro": [*MSMAP, "--complete", "nn.Dro"],
            "Tab behind torch.": [*MSMAP, "--complete", "lookup", "torch."],
            "python -c pass": [sys.executable, "-c", "pass"],
        },
        terminal=["on a terminal", "on a terminal, in full"],
    )
    for name, seconds in found.items():
        print(f"{name}: {seconds * 1000:.1f} ms, {seconds / found['bare']:.2f}x")
    print(f"terminal against pipe: {found['on a terminal'] / found['into a pipe']:.2f}x")
    print(f"Tab against pass: {found['Tab behind nn.Dro'] / found['python -c pass']:.2f}x")
