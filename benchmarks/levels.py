"""Whether the memory of `msmap serve` levels off; bounded, on 127.0.0.1.

    python benchmarks/levels.py [CHECKOUT]

Clients that wait for their answers ask for whatever is remembered somewhere: records as of every
release and for every device, lists, searches, names that there are not, code to rewrite. The same
number of such questions comes several times over, each time others. Shown are how many answers were
of which status, and after each round what memory each process of the server has to itself, in MB:
first the one that starts the others.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sqlite3
import sys
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

from hostile import PLAIN, Server, serving

from msmap import database

ROUNDS, QUESTIONS, AT_ONCE, PATIENCE = 6, 400, 4, 60
DEVICES = ("ascend", "gpu", "cpu")
CODE = "\n".join(f"x{n} = torch.nn.functional.relu(torch.cat([a, b], dim={n}))" for n in range(50))


class Questions:
    """Questions that nobody has asked before, in turns of every kind."""

    def __init__(self) -> None:
        with closing(sqlite3.connect(database.path())) as connection:
            self._names = [name for (name,) in connection.execute("SELECT torch FROM record")]
            rows = connection.execute("SELECT name FROM release WHERE framework = 'mindspore'")
            self._releases = [name for (name,) in rows]
        self._random, self._count = random.Random(0), itertools.count()

    def next(self) -> tuple[str, str]:
        """A path, and what is posted there, if anything is."""
        number, any_of = next(self._count), self._random.choice
        name, release = any_of(self._names), any_of(self._releases)
        device, other = any_of(DEVICES), any_of(self._releases)
        words = name.replace(".", "+").replace("_", "+")
        return (
            (f"/{name}?mindspore={release}&device={device}", ""),
            (f"/zh/{name}?device={device}", ""),
            (f"/{name}/checks", ""),
            (f"/api/v1/lookup/{name}?mindspore={release}&device={device}", ""),
            (f"/api/v1/list?mindspore={release}&offset={number}", ""),
            (f"/api/v1/list?device={device}&offset={number}", ""),
            (f"/api/v1/claims?offset={number}", ""),
            (f"/search?q={words}+{number}", ""),
            (f"/torch.nothing{number}", ""),
            (f"/releases?from={release}&to={other}", ""),
            (f"/preview/{name}.png", ""),
            ("/api/v1/lookup", json.dumps({"names": self._random.sample(self._names, 20)})),
            ("/api/v1/port", f"{CODE}\ny = {number}"),
            (f"/msmap/record?_next={number}", ""),
        )[number % 14]


async def _answered(port: int, path: str, body: str) -> str:
    """The status of an answer that is read to its end; of what doesn't come, nothing."""
    kind = "content-type: application/json\r\n" if body.startswith("{") else ""
    size = f"content-length: {len(body)}\r\n" if body else ""
    head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\n{PLAIN}{kind}{size}"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"{head}connection: close\r\n\r\n{body}".encode())
        with suppress(OSError, asyncio.TimeoutError):
            return (await asyncio.wait_for(reader.read(), PATIENCE))[9:12].decode()
        return ""
    finally:
        writer.close()


async def round_of(port: int, questions: Questions) -> Counter[str]:
    """So many questions, some at once: how often which status."""
    left, statuses = itertools.repeat(None, QUESTIONS), Counter[str]()

    async def ask() -> None:
        for _ in left:
            statuses[await _answered(port, *questions.next())] += 1

    await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
    return statuses


def memory(server: Server) -> list[int]:
    """What each process has to itself, in MB."""
    import psutil

    own = psutil.Process(server.process.pid)
    found = []
    for each in (own, *own.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            found.append(round(each.memory_full_info().uss / 1e6))
    return found


def main() -> None:
    own = Path(__file__).resolve().parents[1]
    for checkout in [Path(place).resolve() for place in sys.argv[1:2]] + [own]:
        questions = Questions()
        with serving(checkout) as server:
            print(f"{'this' if checkout == own else checkout.name:14}started {memory(server)}")
            for number in range(1, ROUNDS + 1):
                statuses = asyncio.run(round_of(server.port, questions))
                told = ", ".join(f"{count} of {status}" for status, count in statuses.most_common())
                found = memory(server)
                print(f"round {number}  {sum(found):5} MB  {found}  {told}", flush=True)


if __name__ == "__main__":
    main()
