"""What an item says as JSON, and texts deflated: what columns hold that are no plain values."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import cache, lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, TypeVar

from msmap import claimed, model, tabled
from msmap.candidates import Probe
from msmap.query.base.record_drift import RecordDrift

T = TypeVar("T")


def encoded(
    item: model.Record
    | Probe
    | model.Guide
    | claimed.Source
    | claimed.Claim
    | model.Mistake
    | tabled.Row
    | RecordDrift,
) -> str:
    """All that an item says, as the JSON that is stored."""
    return _record(item) if isinstance(item, model.Record) else _encode(item)


def said(found: dict[str, model.Finding]) -> str:
    """What variants gave as the JSON of a column: the fields that say anything."""
    return _said(found)


class Deflating:
    """Deflates texts that have much in common with another one, which is made ready once.

    One is a third to a twentieth as long then; to read it takes less than a tenth of a millisecond.
    """

    # To try harder takes twice as long and saves a hundredth.
    _LEVEL, _MEMORY = 7, 8

    def __init__(self, like: bytes) -> None:
        self._ready = zlib.compressobj(
            self._LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, self._MEMORY, zlib.Z_DEFAULT_STRATEGY, like
        )

    def __call__(self, text: str) -> bytes:
        made = self._ready.copy()
        return made.compress(text.encode()) + made.flush()


# The kinds of texts that have a dictionary.
KINDS = ("record", "probe", "page", "pair")


# Where they are; ``msmap.store.train`` writes them.
DICTIONARIES = Path(__file__).parent / "dictionaries"


def place(kind: str, folder: Path = DICTIONARIES) -> Path:
    """The file of a dictionary in a folder."""
    return folder / f"{kind}.txt"


@cache
def dictionary(kind: str) -> bytes:
    """What texts of a kind are deflated with."""
    return place(kind).read_bytes()


@cache
def deflating(kind: str) -> Deflating:
    """What deflates texts of a kind."""
    return Deflating(dictionary(kind))


class _Remembered(Generic[T]):
    """Texts of what is shared by many: told by which object one is, and ``most`` at a time."""

    def __init__(self, make: Callable[[T], str], most: int) -> None:
        self._make, self._most = make, most
        # With the object itself, so that no other one can come to be in its place.
        self._known: dict[int, tuple[object, str]] = {}

    def __call__(self, found: T) -> str:
        known = self._known.get(id(found))
        if known is None:
            if len(self._known) >= self._most:
                self._known.clear()
            known = self._known[id(found)] = found, self._make(found)
        return known[1]


def _told(found: dict[str, model.Finding]) -> str:
    return _encode({name: _all_of(finding) for name, finding in found.items()})


def _saying(found: dict[str, model.Finding]) -> str:
    told = {
        name: {k: v for k, v in _all_of(finding).items() if v not in ("", None)}
        for name, finding in found.items()
    }
    return json.dumps(told, separators=(",", ":"))


# There are few of them.
_variants, _said = _Remembered(_told, 1 << 12), _Remembered(_saying, 1 << 12)


def _all_checks(found: Sequence[model.Check]) -> str:
    return _listed(map(_check, found))


# Names that share an answer come one after another.
_checks = _Remembered(_all_checks, 1)


def _record(item: model.Record) -> str:
    """What the encoder makes of it, put together: of checks most is the same again and again."""
    told = _all_of(item)
    names = list(told)
    place = names.index("checks")
    before, after = ({n: told[n] for n in part} for part in (names[:place], names[place + 1 :]))
    checks = _checks(item.checks)
    return f'{_encode(before)[:-1]},"checks":{checks},{_encode(after)[1:]}'


def _check(item: model.Check) -> str:
    return f'{_encode(_but_last(item))[:-1]},"evidence":{_listed(map(_evidence, item.evidence))}}}'


def _evidence(item: model.Evidence) -> str:
    came = _came_out(*_CAME_OUT(item))
    unexplained = _encode(item.unexplained) if item.unexplained else "[]"
    return f'{came},"variants":{_variants(item.variants)},"unexplained":{unexplained}}}'


*_PLAIN, _VARIANTS, _UNEXPLAINED = (field.name for field in fields(model.Evidence))
assert (_VARIANTS, _UNEXPLAINED) == ("variants", "unexplained")
assert fields(model.Check)[-1].name == "evidence"
_CAME_OUT = attrgetter(*_PLAIN)


@lru_cache(maxsize=1 << 12)
def _came_out(*values: str) -> str:
    return _encode(dict(zip(_PLAIN, values, strict=True)))[:-1]


def _listed(texts: Iterable[str]) -> str:
    return f"[{','.join(texts)}]"


def _all_of(item: Any) -> dict[str, Any]:
    names, values = _fields(item.__class__)
    return dict(zip(names, values(item), strict=True))


def _but_last(item: Any) -> dict[str, Any]:
    names, values = _fields(item.__class__, -1)
    return dict(zip(names, values(item), strict=True))


@cache
def _fields(kind: type[Any], end: int | None = None) -> tuple[tuple[str, ...], attrgetter[Any]]:
    """The names of the fields up to an end, and what gives their values."""
    names = tuple(field.name for field in fields(kind)[:end])
    return names, attrgetter(*names)


# Copying it all into dictionaries first, as asdict does, takes thrice as long.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_all_of).encode
