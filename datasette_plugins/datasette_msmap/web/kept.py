"""Made answers kept in memory, compressed, the least recently used forgotten first.

What is kept depends on the database, the address and the arguments that a view reads alone.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeAlias

# The largest answer that is worth keeping, as it is stored.
LARGEST = 400_000
# What an entry takes beside its body and its key: headers, objects.
_AROUND = 2_500

# Origin, path, and the arguments that the view reads.
Key: TypeAlias = tuple[str, str, tuple[tuple[str, str], ...]]
Headers: TypeAlias = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer: ``tag`` is its ETag, "" for none; ``headers`` are without those of its form.

    ``worth`` says that its body is sent compressed to who takes it so, ``pressed`` that it is
    compressed already.
    """

    status: int
    headers: Headers
    body: bytes
    worth: bool
    pressed: bool
    tag: str


class Kept:
    """Answers by their keys, with room for so many bytes."""

    def __init__(self, room: int) -> None:
        self._room, self.size = room, 0
        self._entries: OrderedDict[Key, Entry] = OrderedDict()

    def get(self, key: Key) -> Entry | None:
        """The answer of a key, or None."""
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    def put(self, key: Key, entry: Entry) -> None:
        """Keep an answer, unless it is too large, in place of what was kept before."""
        if len(entry.body) > min(LARGEST, self._room):
            return
        before = self._entries.pop(key, None)
        if before is not None:
            self.size -= weight(key, before)
        self._entries[key] = entry
        self.size += weight(key, entry)
        while self.size > self._room:
            self.size -= weight(*self._entries.popitem(last=False))

    def __len__(self) -> int:
        return len(self._entries)


def weight(key: Key, entry: Entry) -> int:
    """About how many bytes an answer takes; characters of a key may take four each."""
    origin, path, args = key
    letters = len(origin) + len(path) + sum(len(name) + len(value) for name, value in args)
    headers = sum(len(name) + len(value) for name, value in entry.headers)
    return len(entry.body) + 4 * letters + headers + _AROUND
