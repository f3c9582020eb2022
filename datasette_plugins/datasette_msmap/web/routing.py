"""Addresses of the site: what answers each, which arguments it reads, and where it really is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, quote, unquote, urlencode

from datasette_msmap.web.responses import DEVICES, Refusal, View, refuse

MOST_ARGUMENTS = 50
# An address as it was sent: path, query, host, and the protocol.
Sent: TypeAlias = tuple[bytes, bytes, bytes, str]
_HOST = re.compile(r"[A-Za-z0-9._\-]{1,253}(:\d{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Route:
    """What answers addresses that match ``pattern``.

    ``args`` are the arguments that the view reads: others are left out of the address. None: the
    view says itself which there are. ``slow`` answers are made in another process, and those that
    are ``aside`` in one that makes nothing but searches and lists. ``posts`` takes POST, ``shared``
    is what its answers are, and ``refuse`` says why there is none, whatever was asked. Where it
    ``greets``, who comes in without a language is led to the one that is asked for.
    """

    pattern: re.Pattern[str]
    make: View
    args: tuple[str, ...] | None = ()
    slow: bool = False
    aside: bool = False
    posts: bool = False
    shared: bool = False
    greets: bool = False
    refuse: Refusal = refuse

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that it takes, beside OPTIONS."""
        return ("GET", "HEAD", "POST") if self.posts else ("GET", "HEAD")


def route(pattern: str, make: View, args: Iterable[str] | None = (), **more: Any) -> Route:
    """A route by the text of its pattern."""
    return Route(re.compile(pattern), make, None if args is None else tuple(args), **more)


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came: ``path`` below the root of the site and ``query``, as they are sent."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    scheme: str
    sent: Sent

    @property
    def origin(self) -> str | None:
        """The address that it says it was sent to; "" if it says nothing, None if it can't be."""
        host = self.headers.get("host", "")
        if not host:
            return ""
        return f"{self.scheme}://{host}" if _HOST.fullmatch(host) else None


def request(scope: Mapping[str, Any], root: str) -> Request:
    """The request of an ASGI scope, on a site below ``root``; of equal headers the first counts."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
    raw = scope.get("raw_path") or quote(scope["path"]).encode()
    path = raw.decode("latin-1").partition("?")[0]
    if root and (path == root or path.startswith(root + "/")):
        path = path[len(root) :] or "/"
    query = scope["query_string"].decode("latin-1")
    scheme = scope.get("scheme", "http")
    sent = raw, scope["query_string"], headers.get("host", "").encode("latin-1"), scheme
    return Request(scope["method"], path, query, headers, scheme, sent)


def arguments(
    query: str, read: tuple[str, ...] | None, forgiving: bool
) -> tuple[dict[str, str], bool]:
    """The arguments of a query that a view reads, first values, and whether there were others.

    Where ``forgiving``, a device that there is not counts as another argument.
    """
    if not query:
        return {}, False
    given: dict[str, str] = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        given.setdefault(key, value)
    if read is None:
        return given, False
    known = {key: given[key] for key in read if given.get(key, "").strip()}
    if forgiving and "device" in known:
        known["device"] = known["device"].lower()
        if known["device"] not in DEVICES:
            del known["device"]
    others = any(value and key not in known for key, value in given.items())
    return known, others


def address(root: str, path: str, args: Mapping[str, str]) -> str:
    """An address with the arguments that a view reads, and no others."""
    # Two slashes in front would lead to another site.
    place = f"{root}/{path.lstrip('/')}"
    return f"{place}?{urlencode(args)}" if args else place


def variables(match: re.Match[str]) -> dict[str, str]:
    """What the groups of a pattern have, decoded."""
    return {key: unquote(value) for key, value in match.groupdict().items() if value is not None}
