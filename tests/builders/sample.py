"""A few of the records that ship, others with every change of any: in time all are tried.

What holds a rule to made-up records is quick and finds what it was made for; what real records
hold, and nobody thought of, is found by these, and the tests take no longer with more records.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from msmap.curated import load
from msmap.signatures import release

DATA = Path(__file__).resolve().parents[2] / "data"
COUNT = 24
SEEDS = 8
_Item = TypeVar("_Item")


@cache
def seed() -> bytes:
    """What all records say, in few bytes."""
    digest = hashlib.blake2b()
    for path in sorted((DATA / "records").rglob("*.yaml")):
        digest.update(path.read_bytes())
    return digest.digest()


def some(items: Sequence[_Item], count: int = COUNT) -> list[_Item]:
    """Some of the items, in their order; the same ones until a record changes."""
    chosen = random.Random(seed()).sample(range(len(items)), min(count, len(items)))
    return [items[i] for i in sorted(chosen)]


def directory(folder: Path, earlier: int | None = None) -> Path:
    """A data directory of some records, all that their checks may ask for, and all signatures.

    Args:
        folder: where to.
        earlier: of how many earlier releases of MindSpore; of all if None.
    """
    paths = sorted((DATA / "records").rglob("*.yaml"))
    last = defaultdict(list)
    for path in paths:
        last[path.stem.removesuffix("_upper")].append(path)
    wanted = some(paths, SEEDS)
    for path in wanted:
        for check in load.read_record(path).item.checks:
            for name in re.findall(r"\.(\w+)", f"{check.torch}\n{check.mindspore}"):
                wanted += last.pop(name, [])
    for path in {*wanted}:
        copy = folder / path.relative_to(DATA)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    shutil.copytree(DATA / "signatures", folder / "signatures")
    shutil.copytree(DATA / "families", folder / "families")
    *past, _ = release.known(folder, "mindspore")
    for left in {*past} - {*(past if earlier is None else some(past, earlier))}:
        (folder / "signatures" / f"mindspore-{left}.jsonl").unlink()
    return folder


def with_evidence(folder: Path) -> Path:
    """Such a directory with what came out of its records, with every release."""
    records = sorted((folder / "records").rglob("*.yaml"))
    names = {load.read_record(path).item.torch for path in records}
    (folder / "evidence").mkdir()
    for path in sorted((DATA / "evidence").glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        # The first line of an earlier release says which file it is told by.
        kept = [line for line in lines if json.loads(line).get("record") in {*names, None}]
        (folder / "evidence" / path.name).write_text("".join(kept), encoding="utf-8")
    return folder
