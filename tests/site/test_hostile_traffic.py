"""What strangers can make a server do: little at once, none of it for long, and nobody else waits.

Each test serves on 127.0.0.1 with limits of its own; a client waits for what happens, not for a
time.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.builders.serving import Serving, running

# More code than is ported in a moment, and less than a post may have.
LONG = "\n".join(
    f"x{n} = torch.nn.functional.conv2d(torch.cat([a, b], dim={n}), w, stride=2)"
    for n in range(600)
)


def request(port: int, path: str, body: str | None = None, **headers: str) -> Any:
    """The answer to a request on a connection of its own, read whole."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=300)) as connection:
        connection.request("GET" if body is None else "POST", path, body, headers)
        answer = connection.getresponse()
        answer.content = answer.read()  # type: ignore[attr-defined]
        return answer


def opened(port: int, sent: bytes = b"") -> socket.socket:
    """A connection on which something was sent, and no more."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=300)
    connection.sendall(sent)
    return connection


def received(connection: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    found = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65536):
            found += part
    return found


@contextmanager
def many(port: int, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Connections held open."""
    with ExitStack() as stack:
        yield [stack.enter_context(opened(port, sent)) for _ in range(count)]


def serving(database: Path, tmp_path: Path, **limits: float) -> Any:
    return running(database, tmp_path, {"workers": 1, "limits": limits})


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"", b"HTTP/1.1 408 "),
        (b"GET / HTTP/1.1\r\nhost: here\r\nx-", b"HTTP/1.1 408 "),
        (b"POST /api/v1/port HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\nto", b""),
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_who_does_not_go_on_is_let_go(
    database: Path, tmp_path: Path, sent: bytes, said: bytes
) -> None:
    with serving(database, tmp_path, head=0.2, body=0.2) as server:
        with opened(server.port, sent) as connection:
            assert received(connection)[: len(said) or None] == said
        assert request(server.port, "/-/health").status == 200


def test_a_connection_on_which_nothing_is_asked_is_closed(database: Path, tmp_path: Path) -> None:
    asked = b"GET /-/health HTTP/1.1\r\nhost: here\r\n\r\n"
    with serving(database, tmp_path, idle=0.2) as server, opened(server.port, asked) as connection:
        assert received(connection).startswith(b"HTTP/1.1 200 ")


def test_who_takes_nothing_of_an_answer_is_let_go(database: Path, tmp_path: Path) -> None:
    """The server closes the connection, though it never could send all."""
    asked = b"GET /large HTTP/1.1\r\nhost: here\r\n\r\n"
    with serving(database, tmp_path, stalled=0.2, downloads=1, downloads_waiting=1) as server:
        size = _padded(server)
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with connection:
            connection.settimeout(300)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(asked.replace(b"/large", b"/msmap.db"))
            # Its turn is over before all of it was taken.
            other = request(server.port, "/msmap.db")
            assert (other.status, len(other.content)) == (200, size)


def _padded(server: Serving) -> int:
    """Make the copy of the database that is served larger than all buffers."""
    copy = server.folder() / "msmap.db"
    with copy.open("ab") as file:
        file.truncate(40_000_000)
    return copy.stat().st_size


def test_a_download_ends_when_its_client_has_gone(database: Path, tmp_path: Path) -> None:
    """With room for one, the next has it as soon as the first has gone."""
    with serving(database, tmp_path, stalled=1000, downloads=1, downloads_waiting=9) as server:
        size = _padded(server)
        for _ in range(5):
            with opened(server.port, b"GET /msmap.db HTTP/1.1\r\nhost: here\r\n\r\n") as one:
                assert one.recv(1000)
        answer = request(server.port, "/msmap.db")
        assert (answer.status, len(answer.content)) == (200, size)


def test_half_open_connections_make_room(database: Path, tmp_path: Path) -> None:
    """More of them than there are descriptors: others are answered, and the log says it once."""
    with running(
        database, tmp_path, {"workers": 1}, descriptors=110, logs=True
    ) as server, many(server.port, 150, b"GET / HT"):  # fmt: skip
        for _ in range(10):
            assert request(server.port, "/torch.cat").status == 200
    assert server.log == "msmap: 46 connections: idle ones make room\n"


def test_connections_that_are_busy_are_not_closed_for_others(
    database: Path, tmp_path: Path
) -> None:
    head = b"POST /api/v1/port HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n"
    head += b"expect: 100-continue\r\n\r\n"
    few = {"workers": 1, "limits": {"connections": 3}}
    with running(database, tmp_path, few, logs=True) as server, ExitStack() as stack:
        busy = [stack.enter_context(opened(server.port, head)) for _ in range(3)]
        for connection in busy:
            assert connection.recv(1000).startswith(b"HTTP/1.1 100 ")
        with opened(server.port, b"GET / HTTP/1.1\r\nhost: here\r\n\r\n") as late:
            assert received(late).startswith(b"HTTP/1.1 503 ")
        for connection in busy:
            connection.sendall(b"torch.cat")
            assert connection.recv(12) == b"HTTP/1.1 200"
    assert server.log == "msmap: 3 connections are busy; others are refused\n"


def test_who_waits_too_long_a_queue_is_told_to_come_again(database: Path, tmp_path: Path) -> None:
    """One at work, one waiting: the third is told so, and others' pages are not held up."""
    with serving(database, tmp_path, work=1, work_waiting=1) as server:
        threads = [
            threading.Thread(target=request, args=[server.port, "/api/v1/port", LONG])
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        while request(server.port, "/api/v1/port", "x").status != 503:
            if not any(thread.is_alive() for thread in threads):
                break
        else:
            answer = request(server.port, "/port?code=torch.cat(a)")
            if answer.status == 503:
                assert answer.getheader("retry-after") == "5"
                assert answer.getheader("content-type") == "text/html; charset=utf-8"
        assert request(server.port, "/torch.cat").status == 200
        for thread in threads:
            thread.join()


def test_work_for_who_has_gone_is_dropped(database: Path, tmp_path: Path) -> None:
    """Twelve long posts whose clients leave: a short one comes next, not after all of them."""
    head = f"POST /api/v1/port HTTP/1.1\r\nhost: here\r\ncontent-length: {len(LONG)}\r\n\r\n"
    with serving(database, tmp_path, work=1, work_waiting=40, work_time=200) as server:
        for _ in range(12):
            opened(server.port, f"{head}{LONG}".encode()).close()
        answer = request(server.port, "/api/v1/port", "torch.cat([a, b])")
        assert answer.status == 200
        assert json.loads(answer.content)["port"]["code"] == "mindspore.mint.cat([a, b])"


def test_what_datasette_prints_of_what_was_asked_is_written_down_once(
    database: Path, tmp_path: Path
) -> None:
    asked = [f"/msmap/record.json?_facet=nothing{number}" for number in range(4)]
    with running(database, tmp_path, {"workers": 1}, logs=True) as server:
        assert {request(server.port, path).status for path in asked} == {400}
    assert len(server.log.splitlines()) == 1


def test_work_that_takes_too_long_is_stopped(database: Path, tmp_path: Path) -> None:
    with running(
        database, tmp_path, {"workers": 1, "limits": {"work_time": 0.001}}, logs=True
    ) as server:
        answer = request(server.port, "/api/v1/port", LONG)
        assert (answer.status, answer.getheader("retry-after")) == (503, "5")
        assert json.loads(answer.content)["message"].startswith("this took more than 0.001 seconds")


def test_a_process_that_died_is_replaced(database: Path, tmp_path: Path) -> None:
    with running(database, tmp_path, {"workers": 1}, logs=True) as server:
        os.kill(server.worker(), signal.SIGKILL)
        assert request(server.port, "/torch.cat").status == 200
    assert "another one is started" in server.log


def test_what_is_served_stays_until_a_hangup(database: Path, history: Path, tmp_path: Path) -> None:
    """Another database in its place changes nothing, not even the download; a hangup does."""
    place = tmp_path / "served.db"
    place.write_bytes(database.read_bytes())
    with running(place, tmp_path, {"workers": 1}) as server:
        before = request(server.port, "/msmap.db")
        place.write_bytes(history.read_bytes())
        same = request(server.port, "/msmap.db")
        assert (same.content, same.getheader("etag")) == (
            before.content, before.getheader("etag"),
        )  # fmt: skip
        assert request(server.port, "/torch.cat?mindspore=2.8").status == 302
        worker = server.worker()
        server.process.send_signal(signal.SIGHUP)
        while worker in server.workers():
            pass
        after = request(server.port, "/msmap.db")
        assert after.content == history.read_bytes()
        assert after.getheader("etag") != before.getheader("etag")


def test_what_cannot_be_read_replaces_nothing(database: Path, tmp_path: Path) -> None:
    place = tmp_path / "served.db"
    place.write_bytes(database.read_bytes())
    with running(place, tmp_path, {"workers": 1}, logs=True) as server:
        place.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
        server.process.send_signal(signal.SIGHUP)
        while "what was served is served on" not in server.logged():
            assert server.process.poll() is None
        assert request(server.port, "/torch.cat").status == 200


def test_the_processes_end_with_the_one_that_started_them(database: Path, tmp_path: Path) -> None:
    with running(database, tmp_path, {"workers": 2}, logs=True) as server:
        while len(workers := server.workers()) < 2:
            pass
        server.process.kill()
        server.process.wait()
        for pid in workers:
            while _alive(pid):
                pass


def _alive(pid: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("limits: {conections: 3}", "limits: conections: one of connections, head, "),
        ("url: msmap.example", "url: 'msmap.example': an address such as https://msmap.example"),
        ("limits: {connections: 0}", "limits: connections: 0: a number above 0"),
        ("worker: 3", "worker: one of url, workers, limits"),
        ("- 1", "a mapping with url, workers or limits is meant"),
        ("a: [", "while parsing a flow node"),
    ],
)
def test_settings_that_are_wrong_are_said(
    database: Path, tmp_path: Path, told: str, said: str
) -> None:
    path = tmp_path / "site.yaml"
    path.write_text(told)
    done = subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", "serve", "--port", "0", "--config", str(path)],
        env={**os.environ, "MSMAP_DB": str(database), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"msmap: {path}: {said}")
