"""What takes long, done in a process of its own, which can be stopped and has its own memory.

The process is started when it is first needed, and again after it was stopped. Nothing but this
module knows how the two talk: questions and answers are pickled, behind their length.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import IO, Any

_LENGTH = struct.Struct(">Q")


class Stopped(Exception):
    """The process was stopped before it answered, or it died of the question."""


class TooLong(Exception):
    """There was no answer within the time."""


class Aside:
    """A process that calls functions for others; one question at a time."""

    def __init__(self, seconds: float, memory: int) -> None:
        self._seconds, self._memory = seconds, memory
        self._process: subprocess.Popen[bytes] | None = None
        self._end: Any = None

    def __call__(self, function: Callable[..., Any], *given: Any) -> Any:
        """What a function of a module returns there; what it raises is raised here.

        Raises:
            Stopped, TooLong: the process was ended before it answered.
        """
        process = self._running()
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        watch = threading.Timer(self._seconds, stop)
        watch.daemon = True
        watch.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            _write(process.stdin, (function.__module__, function.__qualname__, given))
            good, found = _read(process.stdout)
        except (OSError, EOFError, ValueError):
            self.stop()
            raise (TooLong if late.is_set() else Stopped) from None
        finally:
            watch.cancel()
        if not good:
            raise found
        return found

    def stop(self) -> None:
        """End the process; whoever waits for it gets ``Stopped``."""
        if self._end is not None:
            self._end()

    @property
    def pid(self) -> int | None:
        """The number of the process, None while there is none."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._process = process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(self._memory), str(int(self._seconds))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            self._end = weakref.finalize(self, _end, process)
        return self._process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _write(pipe: IO[bytes], told: object) -> None:
    body = pickle.dumps(told, pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(body)) + body)
    pipe.flush()


def _read(pipe: IO[bytes]) -> Any:
    length = pipe.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        raise EOFError
    (size,) = _LENGTH.unpack(length)
    body = pipe.read(size)
    if len(body) < size:
        raise EOFError
    return pickle.loads(body)


def main() -> None:
    """Answer questions until nobody asks; what is printed meanwhile is no answer."""
    asked, answered = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    from datasette_msmap.web import logs

    logs.begin(printed=True)
    _confine(int(sys.argv[1]))
    while True:
        try:
            module, name, given = _read(asked)
        except EOFError:
            return
        try:
            # Nobody may be left who would end it.
            _alarm(int(sys.argv[2]) + 10)
            told = True, getattr(import_module(module), name)(*given)
        except Exception as error:
            told = False, error
        _alarm(0)
        try:
            _write(answered, told)
        except (pickle.PicklingError, TypeError, AttributeError):
            _write(answered, (False, RuntimeError(repr(told[1])[:500])))


def _confine(memory: int) -> None:
    """Who serves comes first, and nothing here takes more memory than that."""
    import signal

    # An interrupt is for who started this, and ends it then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _alarm(seconds: int) -> None:
    import signal

    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


if __name__ == "__main__":
    main()
