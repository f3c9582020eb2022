"""A page of another site that frames an address."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


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
