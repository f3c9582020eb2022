"""Made answers are kept: sent again as they were, to whom they may be sent."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.builders.serving import get

from datasette_msmap import server
from datasette_msmap.web import kept
from msmap.query import answers
from msmap.query.knowledge_base import KnowledgeBase


class Made:
    """An application that counts what it makes and lets every answer be kept."""

    def __init__(self, size: int = 10, status: int = 200) -> None:
        self.count, self._size, self._status = 0, size, status

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.count += 1
        kept.keep(scope)
        headers = [(b"etag", b'"tag"'), (b"x-count", str(self.count).encode()), (b"age", b"1")]
        start = {"type": "http.response.start", "status": self._status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": b"x" * self._size})


Sent = tuple[int, dict[bytes, bytes], bytes]


def asked(app: Any, path: str = "/a", **changes: Any) -> Sent:
    """What an application answers to a GET."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(),
             "query_string": b"", "headers": [(b"host", b"here")], **changes}  # fmt: skip
    asyncio.run(app(scope, None, send))
    start, body = sent
    return start["status"], dict(start["headers"]), body["body"]


def test_an_answer_is_made_once() -> None:
    made = Made()
    app = kept.keeping(made)
    assert asked(app) == asked(app) == (
        200, {b"etag": b'"tag"', b"x-count": b"1", b"age": b"1"}, b"x" * 10,
    )  # fmt: skip
    assert made.count == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"path": "/b"},
        {"query_string": b"a=1"},
        {"headers": [(b"host", b"there")]},
        {"scheme": "https"},
        {"method": "HEAD"},
        {"headers": [(b"host", b"here"), (b"cookie", b"a=b")]},
        {"headers": [(b"host", b"here"), (b"authorization", b"x")]},
    ],
)
def test_another_request_is_made_anew(changes: dict[str, Any]) -> None:
    made = Made()
    app = kept.keeping(made)
    asked(app)
    asked(app, **changes)
    assert made.count == 2


def test_what_a_cookie_got_is_not_kept() -> None:
    made = Made()
    app = kept.keeping(made)
    asked(app, headers=[(b"host", b"here"), (b"cookie", b"a=b")])
    assert asked(app)[1][b"x-count"] == b"2"


def test_an_unchanged_answer_is_not_sent_again() -> None:
    app = kept.keeping(Made())
    asked(app)
    headers = [(b"host", b"here"), (b"if-none-match", b'"other", W/"tag"')]
    assert asked(app, headers=headers) == (304, {b"etag": b'"tag"', b"x-count": b"1"}, b"")


def test_what_is_large_is_not_kept() -> None:
    made = Made(size=500_000)
    app = kept.keeping(made)
    asked(app)
    asked(app)
    assert made.count == 2


def test_the_oldest_are_forgotten() -> None:
    """300 answers of 350 kB are more than there is room for."""
    made = Made(size=350_000)
    app = kept.keeping(made)
    for number in range(300):
        asked(app, f"/{number}")
        asked(app, "/0")
    assert made.count == 300
    asked(app, "/299")
    asked(app, "/1")
    assert made.count == 301


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/lookup/mindspore.nn.GELU",
        "/api/v1/lookup/nn.Dropot",
        "/embed/torch.nn.Dropout",
        "/torch.nn.Dropout",
        "/torch.nn.Dropot",
    ],
)
def test_the_site_keeps_answers_and_misses(
    database: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    names = []
    inner = answers.answer

    def answer(kb: KnowledgeBase, name: str) -> answers.Answer:
        names.append(name)
        return inner(kb, name)

    monkeypatch.setattr(answers, "answer", answer)
    site = server.site(database)
    one, other = get(site, path), get(site, path)
    assert (one.status_code, one.content, one.headers) == (
        other.status_code, other.content, other.headers,
    )  # fmt: skip
    assert len(names) == 1
