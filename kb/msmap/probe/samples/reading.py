"""Samples of names, made in processes of their own and kept for the next time."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from queue import Empty, SimpleQueue

from msmap import cache
from msmap.errors import CannotVerify, installing
from msmap.probe.sample import GENERATION, Sampling
from msmap.signatures import files
from msmap.signatures.files import Api

LIMIT = 3
# What an answer begins with that is an error.
FAILED = "!"
_KEPT = 20_000


def read(
    names: Iterable[str],
    apis: Mapping[str, Api],
    limit: int = LIMIT,
    width: int = 1,
    done: Callable[[str], None] = lambda name: None,
) -> dict[str, Sampling]:
    """What PyTorch names are tried with, by the canonical name of each that is known.

    Args:
        names: PyTorch names; of an alias, the name that it is an alias of counts.
        apis: PyTorch's names, as its signature file has them.
        limit: as many samples of each dtype but the first, which has five times as many.
        width: how many processes try them.
        done: is told of each name that is through, in no order, from other threads.

    Raises:
        CannotVerify: a process couldn't start, or ended before it had answered.
    """
    known = dict.fromkeys(apis[name].alias_of or name for name in names if name in apis)
    lines = {name: f"{limit} {files.line(apis[name])}" for name in known if name in apis}
    found: dict[str, Sampling] = {}
    waiting: SimpleQueue[str] = SimpleQueue()
    count = 0
    for name, line in lines.items():
        kept = _kept(line)
        if kept is None:
            waiting.put(name)
            count += 1
        else:
            found[name] = kept
            done(name)
    errors: list[Exception] = []

    def work() -> None:
        try:
            _serve(waiting, lines, found, done)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(min(width, count))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    if count and (place := cache.folder()):
        cache.prune(place / "samples", _KEPT)
    return {name: found[name] for name in lines}


def _serve(
    waiting: SimpleQueue[str],
    lines: Mapping[str, str],
    found: dict[str, Sampling],
    done: Callable[[str], None],
) -> None:
    """Have a process answer for names until none is left."""
    command = [sys.executable, "-m", "msmap.probe.samples"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdin
        assert process.stdout
        try:
            while True:
                try:
                    name = waiting.get_nowait()
                except Empty:
                    break
                process.stdin.write(lines[name] + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
                if not answer or answer.startswith(FAILED):
                    why = answer.removeprefix(FAILED).strip() or f"the process ended at {name}"
                    raise CannotVerify(f"no samples of PyTorch: {why}; {installing('probe')}")
                found[name] = Sampling.loads(answer)
                _keep(lines[name], answer)
                done(name)
        finally:
            process.stdin.close()


def _kept(line: str) -> Sampling | None:
    place = cache.folder()
    found = cache.read(place / "samples", _key(line), _mark()) if place else None
    return None if found is None else Sampling.loads(zlib.decompress(found).decode())


def _keep(line: str, answer: str) -> None:
    if place := cache.folder():
        cache.write(place / "samples", _key(line), zlib.compress(answer.encode()), _mark(), None)


def _key(line: str) -> str:
    return f"samples-{hashlib.sha256(line.encode()).hexdigest()[:24]}"


@lru_cache(maxsize=1)
def _mark() -> bytes:
    """What samples depend on besides the name: PyTorch, Python, and what makes them."""
    made = f"{GENERATION} {sys.version} {_installed('torch')} {_installed('hypothesis')}\n".encode()
    return made + b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
