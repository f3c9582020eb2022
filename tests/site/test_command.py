"""`msmap serve`: it says where it serves, and what keeps it from serving."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from tests.builders.commands import Run

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform == "win32", reason="there an interrupt reaches the whole console")
def test_it_serves_until_interrupted(database: Path) -> None:
    """A free port is taken and said; an interrupt ends it without a word."""
    with subprocess.Popen(
        [sys.executable, "-m", "msmap_cli.main", "serve", "--port", "0"],
        env={**os.environ, "MSMAP_DB": str(database)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            assert said.startswith(f"msmap: serving {database} at http://127.0.0.1:")
            with urllib.request.urlopen(said.split()[-1] + "torch.cat", timeout=30) as answer:
                assert answer.headers["etag"]
                assert b"<code>torch.cat</code>" in answer.read()
        finally:
            server.send_signal(signal.SIGINT)
        rest = server.communicate(timeout=30)
    assert (rest, server.returncode) == (("", ""), 0)


def test_a_taken_port(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port))
    assert (done.status, done.err) == (
        1,
        f"msmap: can't listen on 127.0.0.1:{port}: Address already in use;"
        " choose another with --host or --port\n",
    )


def test_a_missing_database(run: Run, tmp_path: Path) -> None:
    done = run("serve", MSMAP_DB=str(tmp_path / "none.db"))
    assert done.status == 1
    assert done.err == (
        f"msmap: no database at {tmp_path}/none.db; build one with `msmap build` in a checkout\n"
    )
