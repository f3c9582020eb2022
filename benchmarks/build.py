"""Building the database against C-loading the YAML and inserting the same rows, nothing else.

`python benchmarks/build.py 2400` multiplies today's data to so many records first. Times are of the
processor. A build and a lint after one record has changed go on from what the run before has left.
Goals: at most 3 times as long; 25 kB of database and 5 kB of evidence a record; 20 MB of
database in a wheel.
"""

from __future__ import annotations

import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import yaml
from multiplied import DATA, multiply

from msmap.curated.paths import path_of
from msmap.lint import run as lint
from msmap.store import build as store
from msmap.verify.plan.variants import GENERATION


def least(data: Path, built: Path, folder: Path) -> None:
    for path in sorted(data.rglob("*.yaml")):
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


def taken(action: Callable[[], object]) -> float:
    """Seconds of the processor."""
    start = time.process_time()
    action()
    return time.process_time() - start


def again(action: Callable[[], object], record: Path) -> float:
    """Seconds of the processor for what is done again each time that a record has changed."""
    text = record.read_text(encoding="utf-8")
    times = []
    for number in range(4):
        changed = text.replace("  en: ", f"  en: So {number} ", 1)
        record.write_text(changed.replace("  zh: ", f"  zh: 如 {number} ", 1), encoding="utf-8")
        times.append(taken(action))
    record.write_text(text, encoding="utf-8")
    # Nothing was left for the first.
    return statistics.median(times[1:])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if sys.argv[1:]:
            data = multiply(folder, int(sys.argv[1]))
        else:
            data = Path(shutil.copytree(DATA, folder / "data"))
        built = folder / "msmap.db"
        times = []
        for _ in range(3):
            build = taken(lambda: store.build(data, built))
            times.append((build, taken(lambda: least(data, built, folder))))
        build, bare = (statistics.median(column) for column in zip(*times, strict=True))
        record, kept = data / "records" / path_of("torch.nn.Dropout"), folder / "kept"
        rebuild = again(lambda: store.build(data, built, kept), record)
        relint = again(lambda: lint.run(data, generation=GENERATION, cache=kept), record)
        records = sum(1 for _ in (data / "records").rglob("*.yaml"))
        evidence = sum(path.stat().st_size for path in (data / "evidence").iterdir())
        with zipfile.ZipFile(folder / "wheel", "w", zipfile.ZIP_DEFLATED) as wheel:
            wheel.write(built, "msmap.db")
        print(f"{records} records")
        print(f"build {build:.2f} s, YAML and rows alone {bare:.2f} s: {build / bare:.2f}x")
        print(f"build after one record changed {rebuild:.2f} s: {rebuild / bare:.2f}x")
        print(f"lint after one record changed {relint:.2f} s: {relint / bare:.2f}x")
        print(f"database {built.stat().st_size / records / 1000:.1f} kB a record")
        print(f"evidence {evidence / records / 1000:.1f} kB a record")
        print(f"database in a wheel {(folder / 'wheel').stat().st_size / 1e6:.1f} MB")
