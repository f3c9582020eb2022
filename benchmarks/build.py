"""Building the database against C-loading the YAML and inserting the rows, nothing else.

`python benchmarks/build.py 2400` multiplies today's data to so many records first. Goals: at most 3
times as long; 25 kB of database and 5 kB of evidence a record; 20 MB of database in a wheel.

What a build is compared with reads every YAML file, has PyYAML's C loader load it, makes every
table, index and full-text index, and inserts every row, made beforehand, into a file. It neither
optimises the full-text indexes nor copies the database, as a build does. Both leave cycles alone
meanwhile. Times are of the processor. Each is of a process of its own that has imported everything
and done nothing yet: no build finds what one before has remembered. The two take turns; the ratio
is the median of those of each turn. A build and a lint after one record has changed go on from what
the run before has left.
"""

from __future__ import annotations

import multiprocessing
import pickle
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest import mock

import yaml
from multiplied import DATA, multiply
from sqlalchemy.dialects import sqlite  # noqa: F401 - a build imports it when it is wanted

from msmap.assemble import content
from msmap.curated.paths import path_of
from msmap.lint import run as lint
from msmap.store import build as store
from msmap.store import file, tables  # noqa: F401
from msmap.store.shapes import Lines, Shape
from msmap.verify.plan.variants import GENERATION

TURNS = 5


def leave_rows(data: Path, kept: Path) -> None:
    """Leave the tables of a database, what makes its view, and all its rows in a file."""
    with mock.patch.object(file, "fill", wraps=file.fill) as filled:
        store.build(data, kept.with_suffix(".db"))
    kept.write_bytes(pickle.dumps(filled.call_args.args[1:]))


@content.uncollected()
def least(data: Path, target: Path, shapes: dict[str, Shape], view: str, lines: Lines) -> None:
    """The YAML loaded, and the rows inserted."""
    for path in sorted(data.rglob("*.yaml")):
        yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    with closing(sqlite3.connect(target)) as connection:
        for pragma in file.PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        with connection:
            connection.execute("BEGIN")
            for table, shape in shapes.items():
                connection.execute(shape.create)
                connection.executemany(shape.insert(table), lines.get(table, ()))
                for index in shape.indexes:
                    connection.execute(index)
            connection.execute(view)
            connection.execute(file.SPELLINGS)
            connection.execute(file.SPELT)


def taken(action: Callable[[], object]) -> float:
    """Seconds of the processor."""
    start = time.process_time()
    action()
    return time.process_time() - start


def alone(action: Callable[[], object]) -> float:
    """Seconds of the processor in a process of its own, forked from this one."""
    forked = multiprocessing.get_context("fork")
    told = forked.SimpleQueue()
    process = forked.Process(target=lambda: told.put(taken(action)))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit("a measured process has failed")
    return told.get()


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
        alone(lambda: leave_rows(data, folder / "rows"))
        rows = pickle.loads((folder / "rows").read_bytes())
        turns = []
        for turn in range(TURNS):
            bare = alone(lambda n=turn: least(data, folder / f"least{n}.db", *rows))
            turns.append((alone(lambda: store.build(data, built)), bare))
        build, bare = (statistics.median(column) for column in zip(*turns, strict=True))
        ratio = statistics.median(one / other for one, other in turns)
        record, kept = data / "records" / path_of("torch.nn.Dropout"), folder / "kept"
        rebuild = again(lambda: store.build(data, built, kept), record)
        relint = again(lambda: lint.run(data, generation=GENERATION, cache=kept), record)
        records = sum(1 for _ in (data / "records").rglob("*.yaml"))
        evidence = sum(path.stat().st_size for path in (data / "evidence").iterdir())
        with zipfile.ZipFile(folder / "wheel", "w", zipfile.ZIP_DEFLATED) as wheel:
            wheel.write(built, "msmap.db")
        print(f"{records} records")
        print(f"build {build:.2f} s, YAML and rows alone {bare:.2f} s: {ratio:.2f}x")
        print(f"build after one record changed {rebuild:.2f} s: {rebuild / bare:.2f}x")
        print(f"lint after one record changed {relint:.2f} s: {relint / bare:.2f}x")
        print(f"database {built.stat().st_size / records / 1000:.1f} kB a record")
        print(f"evidence {evidence / records / 1000:.1f} kB a record")
        print(f"database in a wheel {(folder / 'wheel').stat().st_size / 1e6:.1f} MB")
