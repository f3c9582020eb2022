"""Processes that serve behind one port: started again when they die, replaced on a hangup."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from datasette_msmap.web.config import Config
from msmap.errors import MsmapError

logger = logging.getLogger("msmap")
_BACKLOG = 512
# As many are taken at once: no more than there are descriptors to spare, until others are closed.
_AT_ONCE = 10
# A process that lives shorter than that is not started again at once.
_SHORT = 1.0

Loaded = tuple[Any, Config]


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A listening socket; opened first, so that a taken port is said before anything starts.

    It names its protocol: asyncio turns Nagle's algorithm off for TCP sockets alone, and without
    that an answer waits 40 ms for an acknowledgement.

    Raises:
        MsmapError: the port is taken, or the address is none of this machine.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = socket.socket(family, kind, socket.IPPROTO_TCP)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(address)
            found.listen(_BACKLOG)
        except OSError:
            found.close()
            raise
    except OSError as error:
        raise MsmapError(
            "can't listen on {}:{}: {}; choose another with --host or --port",
            host,
            port,
            error.strerror,
        ) from None
    with found:
        yield found


def run(
    listening: socket.socket,
    loaded: Loaded,
    load: Callable[[], Loaded],
    ready: Callable[[], None],
) -> None:
    """Serve with as many processes as the settings say, until a signal ends them.

    Args:
        listening: where.
        loaded: the application, and its settings.
        load: makes both anew; a hangup asks for it, and what can't be loaded changes nothing.
        ready: called once they are started, and signals mean what is said here.
    """
    from datasette_msmap.web import logs

    logs.begin()
    if not hasattr(os, "fork"):
        ready()
        _serve(listening, loaded, None)
        return
    Keeper(listening, loaded, load).keep(ready)


class Keeper:
    """The process that starts those that serve, and answers no request itself."""

    def __init__(
        self, listening: socket.socket, loaded: Loaded, load: Callable[[], Loaded]
    ) -> None:
        self._listening, self._loaded, self._load = listening, loaded, load
        # What each serves, and since when; what was replaced stays as long as one serves it.
        self._serving: dict[int, tuple[Loaded, float]] = {}
        # Those that serve end when this end of a pipe is closed, however this process ends.
        self._ending, self._alive = os.pipe()

    def keep(self, ready: Callable[[], None]) -> None:
        """Start them, say that they are, and wait for signals."""
        wanted = {signal.SIGCHLD, signal.SIGHUP, signal.SIGTERM, signal.SIGINT}
        before = signal.pthread_sigmask(signal.SIG_BLOCK, wanted)
        try:
            self._start()
            ready()
            while True:
                met = signal.sigwait(wanted)
                if met == signal.SIGCHLD:
                    self._bury()
                elif met == signal.SIGHUP:
                    self._replace()
                else:
                    return
        finally:
            self._stop(list(self._serving))
            while self._serving:
                signal.sigwait({signal.SIGCHLD})
                self._reap()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _start(self) -> None:
        count = self._loaded[1].workers or os.cpu_count() or 1
        for _ in range(
            count - sum(1 for told, _ in self._serving.values() if told is self._loaded)
        ):
            self._fork()

    def _fork(self) -> None:
        pid = os.fork()
        if pid:
            self._serving[pid] = self._loaded, time.monotonic()
            return
        status = 1
        try:
            os.close(self._alive)
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            _serve(self._listening, self._loaded, self._ending)
            status = 0
        except BaseException:
            logger.exception("a serving process ended")
        finally:
            sys.stderr.flush()
            # What belongs to the process that started it is not for this one to clear away.
            os._exit(status)

    def _reap(self) -> list[tuple[Loaded, float]]:
        """What those served that have ended, and since when."""
        ended = []
        while self._serving:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            ended.append(self._serving.pop(pid))
        return ended

    def _bury(self) -> None:
        """Start others in place of those that have ended and were not told to."""
        for loaded, since in self._reap():
            if loaded is not self._loaded:
                continue
            logger.error("a serving process died; another one is started")
            if time.monotonic() - since < _SHORT:
                time.sleep(_SHORT)
            self._start()

    def _replace(self) -> None:
        """Serve what is there now, if it can be served."""
        try:
            loaded = self._load()
        except MsmapError as error:
            logger.error("%s; what was served is served on", error)
            return
        old, self._loaded = list(self._serving), loaded
        self._start()
        self._stop(old)

    def _stop(self, pids: list[int]) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def settle() -> None:
    """Leave what is there alone when garbage is looked for: it stays as long as the process.

    To go through all of it takes as long as forty answers, and holds everybody up.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def _serve(listening: socket.socket, loaded: Loaded, ending: int | None) -> None:
    """Serve in this process until it is told to end, or the other end of a pipe is closed."""
    import asyncio
    from dataclasses import replace

    import uvicorn

    from datasette_msmap.web import connections

    settle()
    site, told = loaded
    limits = replace(told.limits, connections=_connections(told.limits.connections))

    class Server(uvicorn.Server):  # type: ignore[misc]
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            # As many may wait as could before.
            listening.listen(_BACKLOG)

    server = Server(
        uvicorn.Config(
            site,
            http=connections.protocol(limits),
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=_AT_ONCE,
            timeout_keep_alive=limits.idle,
            timeout_graceful_shutdown=max(1, int(limits.body)),
        )
    )

    async def serving() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_told)
        if ending is not None:
            loop.add_reader(ending, lambda: setattr(server, "should_exit", True))
        await server.serve([listening])

    with suppress(KeyboardInterrupt):
        asyncio.run(serving())


def _told(loop: Any, context: dict[str, Any]) -> None:
    """What went wrong in a loop, in a line."""
    logger.error("%s: %r", context.get("message"), context.get("exception"))


def _connections(wanted: int) -> int:
    """How many connections this process can have: as many descriptors as it may, but some."""
    from datasette_msmap.web.connections import SPARE

    try:
        import resource
    except ImportError:
        return wanted
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    have, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if have == resource.RLIM_INFINITY:
        return wanted
    return max(1, min(wanted, have - SPARE))
