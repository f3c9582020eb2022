"""The site in a process of its own, and a page of another site that frames it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@contextmanager
def served(database: Path) -> Iterator[str]:
    """`msmap serve` on a free port; gives its origin. It must have logged nothing in the end."""
    server = subprocess.Popen(
        [sys.executable, "-m", "msmap_cli.main", "serve", "--port", "0"],
        env={**os.environ, "MSMAP_DB": str(database), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        said = server.stdout.readline()
        found = re.search(r"(http://127\.0\.0\.1:\d+)/$", said.strip())
        if found is None:
            raise AssertionError(f"{said}{server.communicate()[1]}")
        yield found[1]
    finally:
        server.terminate()
        logged = server.communicate()[1]
    assert logged == ""


@contextmanager
def framing(address: str) -> Iterator[str]:
    """A page of another origin that shows an address in a frame; gives where it is."""
    page = (
        '<!doctype html><html lang="en"><title>Elsewhere</title>'
        f'<iframe src="{escape(address)}" title="framed" width="480" height="300"></iframe>'
    ).encode()

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page if self.path == "/" else b"")

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
