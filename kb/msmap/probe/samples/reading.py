"""Samples of names, made in processes of their own and kept for the next time."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
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
Done = Callable[[str], None]
# Gives the examples of MindSpore's for a name, as ``msmap.probe.turned`` tells them; "" for none.
Told = Callable[[str], str]
# What an answer begins with that is an error.
FAILED = "!"
_KEPT = 20_000


def read(
    names: Iterable[str],
    apis: Mapping[str, Api],
    limit: int = LIMIT,
    width: int = 1,
    done: Done = lambda name: None,
    told: Told = lambda name: "",
) -> dict[str, Sampling]:
    """What PyTorch names are tried with, by each name that is known.

    As ``Sampler.read``, for who asks once.
    """
    with Sampler(apis, limit, width, told) as sampler:
        return sampler.read(names, done)


class Sampler:
    """Finds what names are tried with, in up to ``width`` processes that live as long as it does.

    ``apis`` are PyTorch's names, as its signature file has them. ``limit`` is how many samples of
    a dtype there are; of the first there are six times as many. ``told`` gives the examples of
    MindSpore's for a name.
    """

    def __init__(
        self, apis: Mapping[str, Api], limit: int = LIMIT, width: int = 1,
        told: Told = lambda name: "",
    ) -> None:  # fmt: skip
        self.apis, self.limit, self.width, self.told = apis, limit, width, told
        self._processes: list[Process] = []

    def __enter__(self) -> Sampler:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.close()
        self._processes.clear()

    def end(self) -> None:
        """End the processes, whatever they are at."""
        for process in self._processes:
            process.end()
        self._processes.clear()

    def read(self, names: Iterable[str], done: Done = lambda name: None) -> dict[str, Sampling]:
        """What some names are tried with, by each name that is known.

        Args:
            names: PyTorch names, full ones.
            done: is told of each name that is through, in no order, from other threads.

        Raises:
            CannotVerify: a process couldn't start, or ended before it had answered.
        """
        known = dict.fromkeys(n for n in names if n in self.apis)
        lines = {n: self._line(n) for n in known}
        found = {name: kept for name, line in lines.items() if (kept := _kept(line))}
        for name in found:
            done(name)
        missing = {name: line for name, line in lines.items() if name not in found}
        if missing:
            found |= self._made(missing, done)
        return {name: found[name] for name in lines}

    def _line(self, name: str) -> str:
        told = self.told(name)
        return f"{self.limit} {files.line(self._api(name))}" + (f"\t{told}" if told else "")

    def _api(self, name: str) -> Api:
        """A name with signatures, if need be those of what it is an alias of."""
        api = self.apis[name]
        other = self.apis.get(api.alias_of, api)
        return api if api.signatures else replace(api, signatures=other.signatures, call=other.call)

    def _made(self, lines: Mapping[str, str], done: Done) -> dict[str, Sampling]:
        """What processes answer, each in a thread that waits for it."""
        waiting: SimpleQueue[str] = SimpleQueue()
        for name in lines:
            waiting.put(name)
        found: dict[str, Sampling] = {}
        errors: list[BaseException] = []

        def work(process: Process) -> None:
            with suppress(Empty):
                while not errors:
                    name = waiting.get_nowait()
                    try:
                        answer = process.ask(lines[name])
                        found[name] = Sampling.loads(answer)
                        _keep(lines[name], answer)
                        done(name)
                    except Exception as error:
                        errors.append(error)

        while len(self._processes) < min(self.width, len(lines)):
            self._processes.append(Process())
        threads = [threading.Thread(target=work, args=(p,)) for p in self._processes]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException as error:
            # A signal to stop: the threads wait for processes that are then ended.
            errors.append(error)
            self.end()
            raise
        if errors:
            raise errors[0]
        if place := cache.folder():
            cache.prune(place / "samples", _KEPT)
        return found


class Process:
    """A process beside PyTorch that answers for one name at a time."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "msmap.probe.samples"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def ask(self, line: str) -> str:
        """What is said of the name in a line.

        Raises:
            CannotVerify: the process can't import PyTorch's samples, or ended.
        """
        assert self._process.stdin
        assert self._process.stdout
        with suppress(BrokenPipeError):
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer or answer.startswith(FAILED):
            why = answer.removeprefix(FAILED).strip() or f"the process ended at {line[:80]}"
            raise CannotVerify("no samples of PyTorch: {}; {}", why, installing("probe"))
        return answer

    def end(self) -> None:
        """End it, whatever it is at."""
        self._process.terminate()
        self._process.wait()

    def close(self) -> None:
        """Let it end once it has answered."""
        with suppress(BrokenPipeError), self._process:
            pass


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
    files = (path for path in Path(__file__).parent.iterdir() if path.suffix in (".py", ".txt"))
    return made + b"".join(path.read_bytes() for path in sorted(files))


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
