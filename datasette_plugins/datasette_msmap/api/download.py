"""The whole database as a download, or a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from datasette_msmap.api import lines
from datasette_msmap.web.responses import Answer, Ask

_PIECE = 1 << 20
_TYPE = "application/vnd.sqlite3"


def database(ask: Ask) -> Answer:
    """The file that is served, compressed for who takes it so; a ``Range`` asks for a part."""
    path = Path(ask.served.path)
    headers = {"content-disposition": 'attachment; filename="msmap.db"'}
    place = lines.packed(path.with_name("msmap.db.gz"), lambda: _pieces(path))
    return Answer(b"", _TYPE, shared=True, headers=headers, file=path, packed=place)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
