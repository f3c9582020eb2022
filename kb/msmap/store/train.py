"""The texts that stored ones are deflated with, chosen from those of a database.

    python -m msmap.store.train DATABASE

writes them anew. It is no command of `msmap`: nobody who reads wants it, it writes into the source
of this package, and a test says when it is time. They are files of their own and not made by a
build: then another record changes nothing in the rows of the others. As records come, they fit a
little worse; nothing else depends on them, because a database has those that it was built with.
"""

from __future__ import annotations

import argparse
import heapq
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from msmap import atomic, database
from msmap.errors import DatabaseError
from msmap.store import documents

# No deflated text looks back further.
_ROOM = 32_000
# Texts are looked at so many characters at a time, and taken in pieces of so many.
_GRAM, _PIECE = 20, 320
_SAMPLES, _SHOWN = 150, 12_000


def chosen(texts: Sequence[str]) -> str:
    """Pieces of some texts that others have most in common, the most common last."""
    samples = [text[:_SHOWN] for text in texts[:: max(1, len(texts) // _SAMPLES)]]
    counted = Counter(gram for text in samples for gram in set(_grams(text)))
    # What one text alone has is worth nothing.
    left = {gram: min(count, _SAMPLES) - 1 for gram, count in counted.items() if count > 1}
    pieces = [
        text[place : place + _PIECE]
        for text in samples
        for place in range(0, len(text), _PIECE // 2)
    ]

    def worth(piece: str) -> int:
        return sum(map(left.__getitem__, left.keys() & _grams(piece)))

    # What one was worth is the most that it can still be.
    heap = [(-worth(piece), number) for number, piece in enumerate(pieces)]
    heapq.heapify(heap)
    found: list[str] = []
    room = _ROOM
    while heap and room > 0:
        _, number = heapq.heappop(heap)
        now = worth(pieces[number])
        if heap and now < -heap[0][0]:
            heapq.heappush(heap, (-now, number))
            continue
        if now <= 0:
            break
        found.append(pieces[number])
        room -= len(pieces[number].encode())
        for gram in _grams(pieces[number]):
            left.pop(gram, None)
    return "".join(reversed(found))


def _grams(text: str) -> list[str]:
    return [text[place : place + _GRAM] for place in range(len(text) - _GRAM + 1)]


def stored(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """The texts of each kind that a database has, but those that are like another one."""
    asked = {
        "record": "SELECT document FROM record WHERE family = '' ORDER BY torch",
        "probe": "SELECT document FROM probe ORDER BY id",
        "page": "SELECT text FROM page WHERE \"like\" = '' ORDER BY name",
        "pair": "SELECT document FROM pair ORDER BY id",
    }
    return {
        kind: [
            database.inflated(text, database.dictionary(connection, kind))
            for (text,) in connection.execute(sql)
        ]
        for kind, sql in asked.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files."""
    options = argparse.ArgumentParser(prog="python -m msmap.store.train")
    options.add_argument("database", help="whose texts they are chosen from")
    options.add_argument(
        "--output", type=Path, default=documents.DICTIONARIES, help="the folder they go to"
    )
    given = options.parse_args(arguments)
    try:
        with closing(database.connect(given.database)) as connection:
            texts = stored(connection)
    except DatabaseError as error:
        raise SystemExit(f"msmap: {error}") from None
    for kind, found in texts.items():
        atomic.write(documents.place(kind, given.output), chosen(found))


if __name__ == "__main__":
    main()
