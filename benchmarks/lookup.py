"""Cold start of `msmap lookup NAME` against a bare sqlite3 script that asks the same.

Goal: at most 3.5, wanted 1.5.
"""

from __future__ import annotations

import sys
from pathlib import Path

from timing import medians

from msmap import database as index

NAME = "torch.nn.Dropout"
BARE = """
import sqlite3, sys
connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(connection.execute("SELECT en FROM page WHERE name = ?", (sys.argv[2],)).fetchone()[0])
"""

if __name__ == "__main__":
    msmap = str(Path(sys.executable).with_name("msmap"))
    found = medians(
        {
            "bare": [sys.executable, "-c", BARE, index.path(), NAME],
            "lookup": [msmap, "lookup", NAME],
            "lookup as JSON": [msmap, "lookup", NAME, "--format", "json"],
        }
    )
    for name, seconds in found.items():
        print(f"{name}: {seconds * 1000:.1f} ms, {seconds / found['bare']:.2f}x")
