"""What others wait for while strangers do their worst to `msmap serve`; bounded, on 127.0.0.1.

    python benchmarks/hostile.py [CHECKOUT]

A reader asks for a page that is kept, ten times a second, while one kind of hostile traffic after
the other comes from another process. With a CHECKOUT its server is measured in turns with this
one's, so that a slow spell of the machine hits both. Shown are the reader's percentiles, failures,
answers of 5xx but 503, processor time of all processes of the server, what their memory has grown
by, how long a line of code to rewrite waits afterwards, and how much was logged.
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

PAGE, SECONDS, DESCRIPTORS = "/torch.nn.LayerNorm", 8.0, 200
PLAIN = "host: localhost\r\n"
CODE = "\n".join(f"x{n} = torch.nn.functional.relu(torch.cat([a, b], dim={n}))" for n in range(700))


async def _ask(port: int, path: str, headers: str = PLAIN, body: str = "", read: int = -1) -> bytes:
    """What comes back on a new connection: all, or so many bytes before it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        method = "POST" if body else "GET"
        size = f"content-length: {len(body)}\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\n{headers}{size}connection: close\r\n\r\n"
        writer.write(head.encode() + body.encode())
        await writer.drain()
        return await (reader.readexactly(read) if read > 0 else reader.read(read))
    finally:
        writer.close()


async def _paced(count: int, rate: float, one: Callable[[int], Awaitable[object]]) -> None:
    """So many tasks one after the other each, together at no more than a rate a second."""
    numbers = itertools.count()
    end = time.monotonic() + SECONDS

    async def repeat() -> None:
        while time.monotonic() < end:
            start = time.monotonic()
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
                await asyncio.wait_for(one(next(numbers)), max(0.1, end - start))
            await asyncio.sleep(max(0.0, count / rate - (time.monotonic() - start)))

    await asyncio.gather(*(repeat() for _ in range(count)))


async def nothing(port: int) -> None:
    await asyncio.sleep(SECONDS)


async def streams(port: int) -> None:
    """25 downloads at a time, closed after the first thousand bytes."""
    await _paced(25, 12, lambda n: _ask(port, "/api/v1/evidence.ndjson", read=1000))


async def half_open(port: int) -> None:
    """More connections than descriptors, on which nothing comes after the first bytes."""
    held = []
    for _ in range(230):
        with suppress(OSError, asyncio.TimeoutError):
            opening = asyncio.open_connection("127.0.0.1", port)
            _, writer = await asyncio.wait_for(opening, 0.2)
            writer.write(b"GET / HT")
            held.append(writer)
    await asyncio.sleep(SECONDS)
    for writer in held:
        writer.close()


async def cookies(port: int) -> None:
    """Pages with the cookie of an analytics script."""
    await _paced(8, 80, lambda n: _ask(port, PAGE, f"{PLAIN}cookie: _ga=GA1.{n}\r\n"))


async def arguments(port: int) -> None:
    """Pages with an argument that none of them reads."""
    await _paced(8, 80, lambda n: _ask(port, f"/stats?u={n}"))


async def posts(port: int) -> None:
    """Long code to rewrite, from clients that leave."""

    async def post(number: int) -> None:
        task = asyncio.ensure_future(_ask(port, "/api/v1/port", body=f"{CODE}\ny = {number}"))
        await asyncio.sleep(0.3)
        task.cancel()

    await _paced(12, 6, post)


async def releases(port: int) -> None:
    """Every pair of releases compared."""
    known = ("2.7.0", "2.7.1", "2.7.2", "2.8.0", "2.9.0", "2.10.0")
    pairs = list(itertools.product(known, known))
    await _paced(
        4, 8, lambda n: _ask(port, "/releases?from={}&to={}".format(*pairs[n % len(pairs)]))
    )


async def hosts(port: int) -> None:
    """A long Host, each time another."""
    await _paced(8, 80, lambda n: _ask(port, "/torch.cat", f"host: {n}{'x' * 7000}\r\n"))


async def tables(port: int) -> None:
    """Datasette's own pages of tables."""
    await _paced(4, 20, lambda n: _ask(port, f"/msmap/record?_next={n}"))


async def misses(port: int) -> None:
    """Names that there are not."""
    await _paced(8, 60, lambda n: _ask(port, f"/torch.nothing{n}"))


async def lists(port: int) -> None:
    """Long lists of the API, each time from another place."""
    kinds = ("list?device=cpu&", "claims?", "names?", "list?mindspore=2.8&", "guides?fields=id&")
    await _paced(
        6, 30, lambda n: _ask(port, f"/api/v1/{kinds[n % len(kinds)]}offset={n // len(kinds)}")
    )


async def past(port: int) -> None:
    """Names as of earlier releases, and for a device."""
    names = ("torch.cat", "torch.nn.Dropout", "mindspore.nn.Dense", "torch.no_grad", "torch.relu")
    asked = ("mindspore=2.8.0", "mindspore=2.7.0&device=ascend", "device=ascend", "device=gpu")
    pairs = list(itertools.product(names, asked))
    await _paced(6, 30, lambda n: _ask(port, "/{}?{}".format(*pairs[n % len(pairs)])))


async def searches(port: int) -> None:
    """Words that nobody has asked for before."""
    await _paced(6, 30, lambda n: _ask(port, f"/search?q=dropout+layer+{n}"))


async def all_at_once(port: int) -> None:
    """All of it."""
    kinds = (streams, half_open, cookies, arguments, posts, releases, hosts, tables, misses, lists,
             past, searches)  # fmt: skip
    await asyncio.gather(*(kind(port) for kind in kinds))


KINDS = (nothing, streams, half_open, cookies, arguments, posts, releases, hosts, tables, misses,
         lists, past, searches, all_at_once)  # fmt: skip


@dataclass
class Met:
    """What a reader met."""

    times: list[float] = field(default_factory=list)
    failed: int = 0
    wrong: int = 0


async def read(port: int, met: Met) -> None:
    """Ask for a page as long as the traffic lasts; what isn't there after 5 seconds has failed."""
    end = time.monotonic() + SECONDS - 0.5
    while time.monotonic() < end:
        start = time.perf_counter()
        try:
            found = await asyncio.wait_for(_ask(port, PAGE), 5)
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
            found = b""
        taken = time.perf_counter() - start
        status = found[9:12]
        if status == b"200":
            met.times.append(taken)
        elif status[:1] == b"5" and status != b"503":
            met.wrong += 1
        else:
            met.failed += 1
            met.times.append(taken)
        await asyncio.sleep(max(0.0, 0.1 - taken))


@dataclass
class Server:
    """A server as it runs: where, and which process began it."""

    port: int
    process: subprocess.Popen[str]
    log: Path

    def used(self) -> tuple[float, int]:
        """The processor time of all its processes, and the memory that is theirs alone."""
        import psutil

        own = psutil.Process(self.process.pid)
        seconds, memory = 0.0, 0
        for each in (own, *own.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                times = each.cpu_times()
                seconds += times.user + times.system + times.children_user + times.children_system
                memory += each.memory_full_info().uss
        return seconds, memory


@contextmanager
def serving(checkout: Path) -> Iterator[Server]:
    """`msmap serve` of a checkout, with few descriptors."""
    own = os.pathsep.join(str(checkout / room) for room in ("kb", "cli", "datasette_plugins"))
    command = [sys.executable, "-m", "msmap_cli.main", "serve", "--port", "0"]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("w") as written:
            process = subprocess.Popen(
                ["sh", "-c", f'ulimit -n {DESCRIPTORS} && exec "$@"', "sh", *command],
                stdout=subprocess.PIPE, stderr=written, text=True,
                env={**os.environ, "PYTHONPATH": own},
            )  # fmt: skip
            assert process.stdout is not None
            try:
                found = re.search(r":(\d+)/$", process.stdout.readline().strip())
                assert found is not None, log.read_text()
                yield Server(int(found[1]), process, log)
            finally:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(20)
                process.kill()


def _traffic(kind: int, port: int) -> None:
    os.nice(5)
    asyncio.run(KINDS[kind](port))


def measure(checkout: Path, kind: int) -> str:
    """One kind of traffic against a fresh server: a line of what came of it."""
    met = Met()
    with serving(checkout) as server:
        for _ in range(20):
            asyncio.run(_ask(server.port, PAGE))
        cpu, memory = server.used()
        hostile = multiprocessing.Process(target=_traffic, args=[kind, server.port])
        hostile.start()
        asyncio.run(read(server.port, met))
        hostile.join(30)
        hostile.kill()
        after, more = server.used()
        # What a client waits whose one line of code comes after all that.
        start = time.perf_counter()
        with suppress(OSError, asyncio.TimeoutError):
            ask = _ask(server.port, "/api/v1/port", body="torch.cat(a)")
            asyncio.run(asyncio.wait_for(ask, 60))
        port = time.perf_counter() - start
        logged = server.log.stat().st_size
    times = sorted(met.times) or [float("nan")]
    p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
    return (
        f"{statistics.median(times) * 1e3:8.1f}{p99 * 1e3:9.1f}{len(met.times):7}{met.failed:7}"
        f"{met.wrong:5}{after - cpu:8.1f}{(more - memory) / 1e6:8.0f}{port:8.2f}{logged:10}"
    )


def main() -> None:
    own = Path(__file__).resolve().parents[1]
    checkouts = [Path(place).resolve() for place in sys.argv[1:2]] + [own]
    print(f"{'':14}{'':14}  p50 ms   p99 ms  asked failed  5xx   CPU s  MB more  port s  log bytes")
    for number, kind in enumerate(KINDS):
        for checkout in checkouts:
            name = "this" if checkout == own else checkout.name
            print(f"{kind.__name__:14}{name:14}{measure(checkout, number)}", flush=True)


if __name__ == "__main__":
    main()
