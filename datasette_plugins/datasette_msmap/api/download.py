"""The whole database as a download, or a part of it."""

from __future__ import annotations

from pathlib import Path

from datasette_msmap.web import packing
from datasette_msmap.web.responses import Answer, Ask

_TYPE = "application/vnd.sqlite3"


def database(ask: Ask) -> Answer:
    """The file that is served, compressed for who takes it so; a ``Range`` asks for a part."""
    headers = {"content-disposition": 'attachment; filename="msmap.db"'}
    place = packing.packed(ask, "msmap.db")
    path = Path(ask.served.path)
    return Answer(b"", _TYPE, shared=True, headers=headers, file=path, packed=place)
