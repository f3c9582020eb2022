"""Where records and guides are written, what was changed in them, and when their checks ran."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msmap import cache
from msmap.assemble.content import Content
from msmap.code import git
from msmap.curated.paths import path_of
from msmap.evidence.names import parse

# As many changes of each are told, the first of all among them.
_MOST = 6

# Files of the names of a MindSpore release begin so.
_NAMES = "mindspore-"


def of_all(found: Content, kept: Path | None = None) -> list[dict[str, Any]]:
    """A row for each record, each guide, and each MindSpore release.

    Args:
        found: what is below the data directory.
        kept: the folder where earlier builds have left what git told; None to do without.
    """
    base = found.base
    # Their names alone: to ask for one may read what was kept of it.
    places = {name: Path("records", path_of(name)) for name in base.records}
    places |= {f"guide:{name}": Path("guides", f"{name}.yaml") for name in base.guides}
    places |= {
        f"release:{path.stem.removeprefix(_NAMES)}": path.relative_to(found.directory)
        for path in found.directory.glob(f"signatures/{_NAMES}*.jsonl")
    }
    changed = git.history(found.directory)
    ran = _ran(found.directory / "evidence", base.mindspore.release, kept) if changed else {}
    return [
        {
            "owner": owner,
            "path": place.as_posix(),
            "ran": ran.get(owner, ""),
            "changes": [list(change) for change in _told(changed.get(place, []))],
        }
        for owner, place in sorted(places.items())
    ]


def _told(changes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The newest changes, and the first."""
    return changes if len(changes) <= _MOST else [*changes[: _MOST - 1], changes[-1]]


def _ran(folder: Path, release: str, kept: Path | None) -> dict[str, str]:
    """When the newest result of the checks of each owner with a release was written down."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.jsonl")):
        if parse(path.stem).mindspore == release:
            for owner, date in _dates(path, kept).items():
                found[owner] = max(found.get(owner, ""), date)
    return found


def _dates(path: Path, kept: Path | None) -> dict[str, str]:
    """The newest date of a line of each owner in a file.

    To ask who wrote each line takes as long as all else of a build in which little has changed.
    """
    place = (kept, cache.name("dates", path)) if kept is not None else None
    tip = git.tip(path) if place else ""
    if place and tip:
        before = cache.read(*place)
        if before is not None and before[0] == tip:
            return dict(before[1])
    found: dict[str, str] = {}
    texts = path.read_text(encoding="utf-8").splitlines()
    for text, date in zip(texts, git.lines(path), strict=False):
        owner = json.loads(text).get("record", "") if text.startswith("{") else ""
        found[owner] = max(found.get(owner, ""), date)
    if place and tip:
        cache.write(*place, (tip, found))
    return found
