"""Requests a second of `msmap serve`, as ratios to a bare Starlette endpoint in the same run.

The bare endpoint runs the same query for the same record and sends what the database has. What is
kept is sent again from memory; a server without room to keep anything makes every answer anew. All
serve with one process but the last two, which show what another brings. Nobody asks for compressed
answers but where it says so. Run it with `python benchmarks/serving.py`; Starlette comes with
`.[test]`. What others wait for under hostile traffic is told by `benchmarks/hostile.py`.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msmap import database as index

RECORD, MISS = "torch.nn.LayerNorm", "torch.nn.LayrNorm"
CONNECTIONS, SECONDS, ROUNDS = 8, 2.0, 5
GZIP = "accept-encoding: gzip\r\n"
BARE = "bare Starlette"
# Which server, what it is asked, and with which header.
CASES = {
    BARE: ("bare", f"/{RECORD}", ""),
    "record as JSON, kept": ("keeps", f"/api/v1/lookup/{RECORD}", ""),
    "record as JSON, made": ("makes", f"/api/v1/lookup/{RECORD}", ""),
    "page, kept": ("keeps", f"/{RECORD}", ""),
    "page, kept, gzip": ("keeps", f"/{RECORD}", GZIP),
    "page, made": ("makes", f"/{RECORD}", ""),
    "home, made": ("makes", "/", ""),
    "statistics, made": ("makes", "/stats", ""),
    "statements, made": ("makes", "/claims", ""),
    "coverage, made": ("makes", "/coverage", ""),
    "records, made": ("makes", "/browse", ""),
    "404, kept": ("keeps", f"/{MISS}", ""),
    "404, made": ("makes", f"/{MISS}", ""),
    "page, kept, two": ("two", f"/{RECORD}", GZIP),
    "page, made, two": ("two-make", f"/{RECORD}", GZIP),
}
NONE = {"kept_bytes": 1, "kept_misses": 1}
SETTINGS = {
    "keeps": {"workers": 1},
    "makes": {"workers": 1, "limits": NONE},
    "two": {"workers": 2},
    "two-make": {"workers": 2, "limits": NONE},
}


def serve_bare() -> None:
    """The least that answers with a record: no names resolved, no headers, no errors."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    connection = sqlite3.connect(f"file:{index.path()}?mode=ro", uri=True)

    async def record(request: Request) -> Response:
        found = index.record(connection, request.path_params["name"])
        return Response(found, media_type="application/json")

    listening = socket.create_server(("127.0.0.1", 0))
    # As `msmap serve` does: asyncio turns Nagle's algorithm off only where the protocol is named.
    listening = socket.socket(fileno=listening.detach(), proto=socket.IPPROTO_TCP)
    print(f"bare: http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
    app = Starlette(routes=[Route("/{name}", record)])
    config = uvicorn.Config(app, log_level="warning", access_log=False)
    asyncio.run(uvicorn.Server(config).serve([listening]))


@contextmanager
def running(*command: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own: its port and its process id."""
    server = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        found = re.search(r":(\d+)/$", server.stdout.readline().strip())
        assert found is not None
        yield int(found[1]), server.pid
    finally:
        server.terminate()
        server.wait()


def cpu(pid: int) -> float:
    """The processor time that a process and those that it started have taken, in seconds."""
    import psutil

    own = psutil.Process(pid)
    times = [each.cpu_times() for each in (own, *own.children())]
    return float(sum(t.user + t.system for t in times))


async def load(port: int, path: str, header: str) -> float:
    """Requests a second on some connections that each wait for their answer."""
    request = f"GET {path} HTTP/1.1\r\nhost: localhost\r\n{header}\r\n".encode()
    end = time.perf_counter() + SECONDS
    count = 0

    async def repeat() -> None:
        nonlocal count
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < end:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            size = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            assert size is not None, head
            await reader.readexactly(int(size[1]))
            count += 1
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*(repeat() for _ in range(CONNECTIONS)))
    return count / SECONDS


def main() -> None:
    rates: dict[str, list[float]] = {name: [] for name in CASES}
    costs: dict[str, list[float]] = {name: [] for name in CASES}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        servers = {"bare": stack.enter_context(running(__file__, "bare"))}
        for name, settings in SETTINGS.items():
            config = folder / f"{name}.yaml"
            config.write_text(json.dumps(settings), encoding="utf-8")
            command = ("-m", "msmap_cli.main", "serve", "--port", "0", "--config", str(config))
            servers[name] = stack.enter_context(running(*command))
        for _ in range(ROUNDS):
            for name, (which, path, header) in CASES.items():
                port, pid = servers[which]
                before = cpu(pid)
                rate = asyncio.run(load(port, path, header))
                rates[name].append(rate)
                costs[name].append((cpu(pid) - before) / (rate * SECONDS) * 1e6)
    print(f"{'':24}{'requests/s':>12}{'ratio':>8}{'CPU us each':>13}")
    for name in CASES:
        rate, cost = statistics.median(rates[name]), statistics.median(costs[name])
        pairs = zip(rates[name], rates[BARE], strict=True)
        ratio = statistics.median(own / other for own, other in pairs)
        print(f"{name:24}{rate:12.0f}{ratio:8.2f}{cost:13.0f}")


if __name__ == "__main__":
    serve_bare() if sys.argv[1:] == ["bare"] else main()
