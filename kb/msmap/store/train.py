"""The texts that stored ones are deflated with, chosen from those of a database.

    python -m msmap.store.train DATABASE

writes them anew. They are files of their own and not made by a build: then another record changes
nothing in the rows of the others. As records come, they fit a little worse; nothing else depends
on them, because a database has those that it was built with.
"""

from __future__ import annotations

import heapq
import sqlite3
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from msmap import database
from msmap.store import documents

# No deflated text looks back further.
_ROOM = 32_000
# Texts are looked at so many characters at a time, and taken in pieces of so many.
_GRAM, _PIECE = 20, 320
_SAMPLES, _SHOWN = 150, 12_000


def chosen(texts: Sequence[str]) -> str:
    """Pieces of some texts that others have most in common, the most common last."""
    samples = [text[:_SHOWN] for text in texts[:: max(1, len(texts) // _SAMPLES)]]
    common = Counter(gram for text in samples for gram in set(_grams(text)))
    pieces = [
        text[place : place + _PIECE]
        for text in samples
        for place in range(0, len(text), _PIECE // 2)
    ]
    taken: set[str] = set()

    def worth(piece: str) -> int:
        return sum(min(common[g], _SAMPLES) - 1 for g in set(_grams(piece)) if g not in taken)

    # What one was worth is the most that it can still be.
    heap = [(-worth(piece), number) for number, piece in enumerate(pieces)]
    heapq.heapify(heap)
    found: list[str] = []
    room = _ROOM
    while heap and room > 0:
        _, number = heapq.heappop(heap)
        left = worth(pieces[number])
        if heap and left < -heap[0][0]:
            heapq.heappush(heap, (-left, number))
            continue
        if left <= 0:
            break
        found.append(pieces[number])
        room -= len(pieces[number].encode())
        taken.update(_grams(pieces[number]))
    return "".join(reversed(found))


def _grams(text: str) -> list[str]:
    return [text[place : place + _GRAM] for place in range(len(text) - _GRAM + 1)]


def _stored(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """The texts of each kind that a database has, but those that are like another one."""
    asked = {
        "record": "SELECT document FROM record WHERE family = '' ORDER BY torch",
        "probe": "SELECT document FROM probe ORDER BY id",
        "page": "SELECT text FROM page WHERE \"like\" = '' ORDER BY name",
        "pair": "SELECT document FROM pair ORDER BY id",
    }
    return {
        kind: [
            database.inflated(stored, database.dictionary(connection, kind))
            for (stored,) in connection.execute(sql)
        ]
        for kind, sql in asked.items()
    }


def main() -> None:
    """Write the files."""
    with closing(database.connect(sys.argv[1])) as connection:
        for kind, texts in _stored(connection).items():
            documents.place(kind).write_text(chosen(texts), encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
