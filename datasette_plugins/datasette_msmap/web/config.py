"""What a server is told: its address, its processes, and what nobody can make it exceed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from msmap.errors import MsmapError

_SCHEMES = ("https://", "http://", "mailto:")
_URL = re.compile(r"https?://[^\s/?#\"'<>]+(?:/[^\s?#\"'<>]*)?")


def _limit(default: float, says: str) -> Any:
    return field(default=default, metadata={"says": says})


@dataclass(frozen=True, slots=True)
class Limits:
    """What one process does at most: each is a key of ``limits``; times are in seconds."""

    connections: int = _limit(400, "connections open at once; idle ones make room, then 503")
    head: float = _limit(10, "until the head of a request is there")
    body: float = _limit(10, "until the body of a request is there")
    idle: float = _limit(5, "until the next request on a connection")
    stalled: float = _limit(10, "in which a client takes nothing of its answer")
    body_bytes: int = _limit(100_000, "bytes of a body; more is 413")
    query_bytes: int = _limit(20_000, "bytes of a query; more is 414")
    work: int = _limit(1, "slow answers made at once, each by a process of its own")
    work_waiting: int = _limit(8, "that wait for one of these; the next is told 503")
    work_time: float = _limit(30, "for a slow answer, a search or a list, then 503")
    work_bytes: int = _limit(1_500_000_000, "memory of a process that makes these")
    searches: int = _limit(1, "searches and lists made at once, each by a process of its own")
    searches_waiting: int = _limit(16, "that wait for one of these; the next is told 503")
    downloads: int = _limit(16, "large files sent at once")
    downloads_waiting: int = _limit(32, "that wait for one of these; the next is told 503")
    tables: int = _limit(1, "of Datasette's own pages made at once, by a process of its own")
    tables_waiting: int = _limit(8, "that wait for one of these; the next is told 503")
    tables_time: float = _limit(20, "for one of Datasette's own pages, then 503")
    retry_after: int = _limit(5, "after which who was told 503 may come again")
    kept_bytes: int = _limit(48_000_000, "bytes of made answers kept in memory")
    kept_misses: int = _limit(4_000_000, "bytes of answers kept that say that nothing is there")


@dataclass(frozen=True, slots=True)
class Config:
    """How a site is served: ``url`` is its origin, ``root`` the path that it stands below.

    ``source`` is where the file ``{path}`` of the project can be read, ``report`` where a mistake
    of the page of ``{name}`` can be reported; "" is nowhere.
    """

    url: str = ""
    root: str = ""
    workers: int = 0
    limits: Limits = Limits()
    source: str = ""
    report: str = ""


def read(told: Mapping[str, Any] | None, where: str, root: str = "") -> Config:
    """The configuration that a mapping tells; ``where`` it stands is said of what is wrong.

    Raises:
        MsmapError: a key that there is not, or a value of another kind.
    """
    found = dict(told or {})
    limits = found.pop("limits", None) or {}
    if not isinstance(limits, Mapping):
        raise MsmapError("{}: limits: a mapping of names to numbers", where)
    _known(found, ("url", "workers", "limits", "source", "report"), where)
    _known(limits, [each.name for each in fields(Limits)], f"{where}: limits")
    for key, value in limits.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise MsmapError("{}: limits: {}: {!r}: a number above 0", where, key, value)
    workers = found.get("workers", 0)
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 0:
        raise MsmapError("{}: workers: {!r}: a number; 0 is as many as processors", where, workers)
    for key, part in (("source", "{path}"), ("report", "{name}")):
        place = str(found.get(key) or "")
        if place and not (place.startswith(_SCHEMES) and part in place):
            raise MsmapError("{}: {}: {!r}: an address with {} in it", where, key, place, part)
    return Config(
        address(found.get("url") or "", f"{where}: url"),
        root.rstrip("/"),
        workers,
        Limits(**limits),
        str(found.get("source") or ""),
        str(found.get("report") or ""),
    )


def address(told: object, where: str) -> str:
    """Where a site is, without the slash at its end; "" is nowhere.

    Raises:
        MsmapError: no browser would find it there.
    """
    text = str(told)
    if text and not _URL.fullmatch(text):
        raise MsmapError("{}: {!r}: an address such as https://msmap.example", where, text)
    return text.rstrip("/")


def _known(found: Mapping[str, Any], known: Any, where: str) -> None:
    for key in found:
        if key not in known:
            raise MsmapError("{}: {}: one of {}", where, key, ", ".join(known))
