"""The site asked without a network, and served for real in a process of its own."""

from __future__ import annotations

import asyncio
import atexit
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import yaml
from datasette.app import Datasette


def ask(site: Datasette, method: str, path: str, **options: Any) -> Any:
    """What the site answers to a request."""

    async def asked() -> Any:
        return await site.client.request(method, path, **options)

    return asyncio.run(asked())


def get(site: Datasette, path: str, **options: Any) -> Any:
    """What the site answers to a GET."""
    return ask(site, "GET", path, **options)


def text_of(page: str, pattern: str) -> list[str]:
    """The text, without elements, of what a pattern finds in a page."""
    return [re.sub(r"<[^>]*>", "", found) for found in re.findall(pattern, page, re.S)]


@dataclass
class Serving:
    """`msmap serve` in a process of its own."""

    process: subprocess.Popen[str]
    port: int
    _log: Path
    _temporary: Path
    log: str = ""

    def workers(self) -> list[int]:
        """The processes that answer."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        while not (found := [int(pid) for pid in children.read_text().split()]):
            pass
        return found

    def worker(self) -> int:
        """The newest process that answers."""
        return max(self.workers())

    def folder(self) -> Path:
        """Where the copy is that is served."""
        return next(self._temporary.glob("msmap-*"))

    def logged(self) -> str:
        """What it has logged so far."""
        return self._log.read_text(encoding="utf-8")


@cache
def _between_starts() -> str:
    """Where a server leaves its templates, compiled, for the next one; gone with this process."""
    folder = mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@contextmanager
def running(
    database: Path,
    folder: Path,
    settings: Mapping[str, Any],
    descriptors: int = 0,
    logs: bool = False,
) -> Iterator[Serving]:
    """`msmap serve` on a free port; unless it ``logs``, it must have logged nothing in the end.

    It may have so many ``descriptors``; what it makes goes into ``folder``.
    """
    config, log, temporary = (folder / name for name in ("site.yaml", "site.log", "temporary"))
    config.write_text(yaml.safe_dump(dict(settings)), encoding="utf-8")
    temporary.mkdir(exist_ok=True)

    command = [sys.executable, "-m", "msmap_cli.main", "serve", "--port", "0"]
    if descriptors:
        command = ["sh", "-c", 'ulimit -n "$0" && exec "$@"', str(descriptors), *command]
    with log.open("w") as written, subprocess.Popen(
        [*command, "--config", str(config)],
        env={
            **os.environ,
            "MSMAP_DB": str(database),
            "MSMAP_CACHE": _between_starts(),
            "PYTHONPATH": os.pathsep.join(sys.path),
            "TMPDIR": str(temporary),
        },
        stdout=subprocess.PIPE,
        stderr=written,
        text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = re.search(r":(\d+)/$", said.strip())
            assert found is not None, f"{said}{log.read_text()}"
            serving = Serving(process, int(found[1]), log, temporary)
            yield serving
        finally:
            process.terminate()
            process.wait()
    serving.log = serving.logged()
    assert logs or not serving.log, serving.log


@contextmanager
def served(database: Path) -> Iterator[int]:
    """`msmap serve` on a free port, which is given; it must have logged nothing in the end."""
    with TemporaryDirectory() as folder, running(database, Path(folder), {}) as serving:
        yield serving.port
