"""How long one piece of work holds the event loop of `msmap serve`, in processor time.

    python benchmarks/holding.py [MILLISECONDS]

While one piece of work lasts, nobody else is answered, so the longest of them is what a reader may
wait for strangers' requests, whatever the machine. Every kind of address is asked, nothing being
kept, in both languages, and the page and JSON of every thirtieth name; shown are the kinds whose
longest piece took more than so many milliseconds of this thread, 5 if nothing is said. The first
request of a kind counts too: what it remembers somebody waits for.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, urlencode

from datasette_msmap import pages, server, workers
from datasette_msmap.api import routes
from datasette_msmap.api.table import BASE
from datasette_msmap.routes import prepare
from datasette_msmap.web import config
from datasette_msmap.web.served import Served
from datasette_msmap.web.site import Site
from msmap import database
from msmap.query.base.records import answered

_HEADERS = [(b"host", b"localhost"), (b"accept-encoding", b"gzip")]
EVERY = 30
_KEEP_NOTHING = {"kept_bytes": 1, "kept_misses": 1}
# What has an argument or a name in it; pages without are found by asking the site for its map.
PAGES = (
    "/torch.nn.LayrNorm", "/torch.nn.LayerNorm/checks", "/torch.nn.LayerNorm?mindspore=2.8.0",
    "/torch.nn.LayerNorm?device=ascend", "/torch.nn.LayerNorm.md", "/index.md", "/llms.txt",
    "/browse?without=cpu", "/browse?page=9", "/browse.md", "/claims?about=nn.Dropout",
    "/claims?verdict=holds",
    "/claims?source=model-and-cell-zh", "/coverage?namespace=torch.Tensor", "/tables?verdict=holds",
    "/tables?table=pytorch-api-mapping&page=9", "/guides/dropout/checks", "/mindspore.mint.add",
    "/tables",
    "/tables?page=3", "/search?q=dropout", "/suggest?q=drop", "/releases", "/data/record",
    "/data/name?page=100", "/data/evidence?page=9", "/port?code=torch.cat(a)", "/robots.txt",
    "/sitemap.xml", "/objects.inv", "/feeds/records.atom", "/opensearch.xml", "/api/v1/nothing",
    "/api/v1/openapi.json", "/api/v1/schemas/lookup.json", "/embed/torch.nn.LayerNorm",
    "/badge/torch.nn.LayerNorm.svg", "/preview/torch.nn.LayerNorm.png",
    "/-/msmap/site.css", "/nothing/at/all", "/oembed?url=http://localhost/torch.cat",
    "/stats?u=1", "/coverage?device=ascend", "/stats.md", "/coverage.md", "/claims.md",
    "/tables.md", "/guides.md", "/releases.md", "/data.md", "/api", "/api.md",
)  # fmt: skip


@contextmanager
def timed() -> Iterator[list[float]]:
    """The processor time of each piece of work of the event loop, while this lasts."""
    pieces: list[float] = []
    run = asyncio.Handle._run

    def measured(handle: asyncio.Handle) -> None:
        start = time.thread_time()
        run(handle)
        pieces.append(time.thread_time() - start)

    asyncio.Handle._run = measured  # type: ignore[method-assign]
    try:
        yield pieces
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]


async def ask(site: Site, address: str) -> int:
    """The status of an answer, which is sent to nobody."""
    path, _, query = address.partition("?")
    scope: dict[str, Any] = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(),
        "query_string": query.encode(), "headers": _HEADERS, "scheme": "http",
    }  # fmt: skip
    sent: list[dict[str, Any]] = []
    asked = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if asked:
            return asked.pop()
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await site(scope, receive, send)
    return int(sent[0]["status"])


def addresses(site: Site) -> Iterator[tuple[str, str]]:
    """What is asked: the kind of address, and each address of it."""
    for page in PAGES:
        yield page, page
        if not page.startswith(("/api", "/-", "/badge", "/embed", "/preview", "/oembed", "/zh")):
            yield f"/zh{page}", f"/zh{page}"
    for page in pages.PAGES:
        yield page.path, page.path
        yield f"/zh{page.path}", f"/zh{page.path}"
    for route in routes.ROUTES:
        path = route.path
        for argument in route.arguments:
            path = path.replace(f"{{{argument.name}}}", argument.example)
        needed = [a for a in route.arguments if a.required and a.name not in route.in_path]
        fixed = {a.name: a.example for a in needed}
        yield BASE + route.path, f"{BASE}{path}?{urlencode(fixed)}"
        for argument in route.arguments:
            if argument not in needed and argument.name not in route.in_path:
                more = urlencode({**fixed, argument.name: argument.example})
                yield f"{BASE}{route.path} {argument.name}", f"{BASE}{path}?{more}"
    kb = site.served.kb
    for guide in kb.guides():
        yield "guides", f"/guides/{guide.id}"
        yield "guides.md", f"/guides/{guide.id}.md"
        yield "guides zh", f"/zh/guides/{guide.id}"
    for name in answered(kb)[::EVERY]:
        place = quote(name)
        yield "page", f"/{place}"
        yield "page zh", f"/zh/{place}"
        yield "page md", f"/{place}.md"
        yield "json", f"{BASE}/lookup/{place}"
        yield "json brief", f"{BASE}/lookup/{place}?view=summary"
        yield "json fields", f"{BASE}/lookup/{place}?fields=caveats"
        yield "json device", f"{BASE}/lookup/{place}?device=ascend"
        yield "json release", f"{BASE}/lookup/{place}?mindspore=2.8"
        yield "card", f"/embed/{place}"
        yield "release", f"/{place}?mindspore=2.8.0"
        yield "device", f"/{place}?device=ascend"
        yield "checks", f"/{place}/checks"
        yield "evidence", f"{BASE}/evidence/{place}"


def main() -> None:
    least = float(sys.argv[1]) if sys.argv[1:] else 5.0
    served = Served(server.DATABASE, database.path())
    prepare(served)
    site = server.application(served, config.read({"limits": _KEEP_NOTHING}, "here"))
    worst: dict[str, tuple[float, str]] = {}

    async def measure() -> None:
        known = list(addresses(site))
        workers.settle()
        with timed() as pieces:
            for kind, address in known:
                await asyncio.sleep(0)
                pieces.clear()
                status = await ask(site, address)
                await asyncio.sleep(0)
                taken = max(pieces, default=0.0) * 1e3
                worst[kind] = max(worst.get(kind, (0.0, "")), (taken, f"{status} {address}"))

    asyncio.run(measure())
    for kind, (taken, address) in sorted(worst.items(), key=lambda row: -row[1][0]):
        if taken >= least:
            print(f"{taken:8.1f} ms  {kind:34} {address}")
    print(f"{len(worst)} kinds of address; the longest piece {max(worst.values())[0]:.1f} ms")


if __name__ == "__main__":
    main()
