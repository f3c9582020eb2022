"""A burst of requests against the server as it runs: every one gets an answer.

What is too much at once is told to come again, and nothing goes wrong.
"""

from __future__ import annotations

import http.client
import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from tests.builders.serving import served

REQUESTS, CONNECTIONS = 1_000, 32
NAMES = ("torch.nn.Dropout", "nn.GELU", "torch.cat", "F.dropout", "mindspore.nn.GELU", "Dropot")
MIXED = [
    *(f"/{name}" for name in NAMES),
    *(f"/zh/{name}" for name in NAMES),
    *(f"/api/v1/{kind}/{name}" for kind in ("lookup", "evidence") for name in NAMES),
    *(f"/embed/{name}?theme=dark" for name in NAMES),
    *(f"/badge/{name}.svg" for name in NAMES),
    "/", "/search?q=dropout", "/api/v1/search?q=" + quote("随机"), "/api/v1/list", "/api/v1/stats",
    "/api/v1/claims", "/api/v1/guides/training", "/api/v1/openapi.json", "/api/v1/records.ndjson",
    "/api/v1/evidence.ndjson", "/api/v1/port?code=torch.cat(a,1)", "/api/v1/port?code=f(",
    "/api/v1/search?q=" + "x" * 9_000, "/api/v1/lookup/" + "y" * 9_000, "/api/v1/nothing",
    "/msmap.db", "/oembed?url=http://localhost/torch.cat", "/embed/card.css",
    "/msmap", "/msmap/record", "/msmap/record.json", "/msmap/nothing", "/-/versions.json",
    "/msmap?sql=select+zeroblob(1000000000)",
]  # fmt: skip


def test_code_is_ported_by_many_at_once(database: Path) -> None:
    """CPython can't make several syntax trees at once without a SystemError now and then."""
    code = "\n".join(
        f"x{n} = torch.cat([torch.cat(a, {n}), torch.nn.GELU()(b)])" for n in range(40)
    )

    def port(number: int) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", served_at, timeout=300)
        with closing(connection):
            connection.request("POST", "/api/v1/port", f"{code}\ny = {number}")
            answer = connection.getresponse()
            answer.read()
            return answer.status

    with served(database) as served_at, ThreadPoolExecutor(CONNECTIONS) as pool:
        assert Counter(pool.map(port, range(60))).keys() <= {200, 503}


def test_a_burst_breaks_nothing(database: Path) -> None:
    chance = random.Random(5)
    asked = [
        # Half of them are new to the server, so that answers are made and not only repeated.
        path if chance.random() < 0.5 else f"{path}{'&' if '?' in path else '?'}n={number}"
        for number, path in enumerate(chance.choices(MIXED, k=REQUESTS))
    ]
    posts = chance.sample(range(REQUESTS), 50)
    met: Counter[int] = Counter()
    wrong: list[str] = []

    def request(connection: http.client.HTTPConnection, number: int) -> None:
        if number in posts:
            body = json.dumps({"code": f"torch.cat([a, b], {number})"})
            headers = {"content-type": "application/json"}
            connection.request("POST", "/api/v1/port", body, headers)
        else:
            connection.request("GET", asked[number])
        answer = connection.getresponse()
        answer.read()
        met[answer.status] += 1
        if answer.status >= 500 and answer.getheader("retry-after") != "5":
            wrong.append(f"{answer.status} {asked[number][:100]}")

    def share(first: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        with closing(connection):
            for number in range(first, REQUESTS, CONNECTIONS):
                request(connection, number)

    with served(database) as port, ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(share, range(CONNECTIONS)))
    assert wrong == []
    assert sum(met.values()) == REQUESTS
    assert set(met) - {503} == {200, 301, 302, 400, 403, 404}
