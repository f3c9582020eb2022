"""Building the database against C-loading the YAML and inserting the same rows, nothing else.

Goal: at most 2.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from msmap.store import build as store

DATA = Path(__file__).parent.parent / "data"


def least(built: Path, folder: Path) -> None:
    for path in sorted(DATA.rglob("*.yaml")):
        yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    source = sqlite3.connect(built)
    target = sqlite3.connect(folder / "least.db")
    tables = source.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
        " AND name NOT LIKE '%_fts%' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    for name, sql in tables:
        target.execute(sql)
        rows = source.execute(f'SELECT * FROM "{name}"').fetchall()
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            target.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)
    target.commit()
    target.close()
    (folder / "least.db").unlink()


def median(action: Callable[[], object], runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = folder / "msmap.db"
        build = median(lambda: store.build(DATA, built))
        bare = median(lambda: least(built, folder))
    print(f"build {build:.2f} s, YAML and rows alone {bare:.2f} s: {build / bare:.2f}x")
