"""All data as files of a day, with their digests, and the database to be read in parts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from datasette_msmap.web import packing, texts
from datasette_msmap.web.refusals import Refused
from datasette_msmap.web.responses import TEXT, Answer, Ask, redirect
from msmap.query.drift.dates import day

SUMS = "data/SHA256SUMS"
WHOLE = "data/msmap.db"


def dated(ask: Ask) -> dict[str, str]:
    """The compressed files by their dated names, with what each is made as."""
    when = ask.once(day) or ask.served.version
    return {
        f"{name.partition('.')[0]}-{when}.{name.partition('.')[2]}.gz": name
        for name in packing.FILES
    }


def listed(ask: Ask) -> Iterator[tuple[str, str]]:
    """The addresses of all files below the root, and what each is."""
    said = {name: texts.get(f"data.file.{name}", ask.language) for name in packing.FILES}
    for place, name in dated(ask).items():
        yield f"data/{place}", said[name]
    yield SUMS, texts.get("data.file.sums", ask.language)
    yield WHOLE, texts.get("data.file.ranges", ask.language)


def files(ask: Ask) -> dict[str, Path]:
    """All files but the sums by their addresses below the root; made where they aren't."""
    found = {f"data/{place}": packing.packed(ask, name) for place, name in dated(ask).items()}
    return {**found, WHOLE: Path(ask.served.path)}


def packed(ask: Ask) -> Answer:
    """A compressed file; without a date in its name it leads to that of the day."""
    wanted, known = ask.vars["file"], dated(ask)
    if wanted not in known:
        for name, made in known.items():
            if wanted == f"{made}.gz":
                return redirect(f"{ask.root}/data/{name}", permanent=False)
        raise Refused(404, f"no such file: one of {', '.join(known)}", list(known))
    place = packing.packed(ask, known[wanted])
    headers = {"content-disposition": f'attachment; filename="{wanted}"'}
    return Answer(b"", "application/gzip", shared=True, headers=headers, file=place)


def sums(ask: Ask) -> Answer:
    """The SHA-256 of every dated file, as ``sha256sum -c`` reads it."""
    lines = (
        f"{digest(packing.packed(ask, name))}  {dated_}\n" for dated_, name in dated(ask).items()
    )
    return Answer("".join(lines), TEXT, shared=True)


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            found.update(piece)
    return found.hexdigest()


def whole(ask: Ask) -> Answer:
    """The database as it is, never compressed: a client may ask for its pages by ranges."""
    return Answer(b"", "application/vnd.sqlite3", shared=True, file=Path(ask.served.path))
