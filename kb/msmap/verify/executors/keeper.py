"""A process that keeps a zygote for whoever asks next, until nobody has for a while.

It listens on a socket. Who says ``borrow`` gets what the zygote said first and both its pipes, or
``busy``; says a dot when through with it, and hangs up. Without the dot the zygote may have work
left, so it ends. Who says ``stop`` ends both, as soon as nobody uses it.
"""

from __future__ import annotations

import argparse
import os
import select
import socket
import struct
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

BORROW, STOP, BUSY, RETURNED = b"borrow\n", b"stop\n", b"busy\n", b"."
# How often it looks whether its socket is still the one that others find.
_LOOK = 2.0
# How long who had it started may take to ask.
_GRACE = 30.0
_PATIENCE = 2.0


def same_user(line: socket.socket) -> bool:
    """Whether the process at the other end runs as this user, where the system tells."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return bool(user == os.getuid())


class Keeper:
    """Keeps the zygote that ``command`` starts, for ``idle`` seconds after it was last asked for.

    Args:
        listener: the socket, which listens.
        place: the path of the socket.
        idle: seconds.
        command: starts the zygote.
    """

    def __init__(
        self, listener: socket.socket, place: Path, idle: float, command: list[str]
    ) -> None:
        self.listener, self.place, self.idle, self.command = listener, place, idle, command
        self.made = self.place.stat().st_ino
        self.zygote: subprocess.Popen[bytes] | None = None
        self.first = b""
        self.borrower: socket.socket | None = None
        # Who had it started is about to ask.
        self.until = time.monotonic() + max(idle, _GRACE)

    def serve(self) -> None:
        """Answer until nobody has asked for a while, someone says so, or the socket is gone."""
        self.start()
        while self.wanted():
            ready, _, _ = select.select(self.watched(), [], [], self.pause())
            if self.zygote is not None and self.zygote.stdout in ready:
                self.hear()
            if self.borrower in ready:
                self.take_back()
            if self.listener in ready:
                self.answer()
        if self.present():
            self.place.unlink()
        self.end()

    def wanted(self) -> bool:
        """Whether anybody may still come."""
        if self.borrower is not None:
            return True
        return self.present() and time.monotonic() < self.until

    def present(self) -> bool:
        """Whether others find this very socket."""
        with suppress(OSError):
            return self.place.stat().st_ino == self.made
        return False

    def watched(self) -> list[Any]:
        """What may have something to say."""
        found: list[Any] = [self.listener]
        if self.zygote is not None and not self.first.endswith(b"\n"):
            found.append(self.zygote.stdout)
        if self.borrower is not None:
            found.append(self.borrower)
        return found

    def pause(self) -> float | None:
        """Seconds until it is to look whether it is wanted."""
        if self.borrower is not None:
            return None
        return max(0.0, min(_LOOK, self.until - time.monotonic()))

    def answer(self) -> None:
        """Take in one who asks."""
        line, _ = self.listener.accept()
        line.settimeout(_PATIENCE)
        try:
            asked = line.recv(len(BORROW)) if same_user(line) else b""
            if asked == BORROW and self.borrower is None:
                self.borrower = line
                if self.zygote is None or self.zygote.poll() is not None:
                    self.start()
                self.lend()
                return
            if asked == BORROW:
                line.sendall(BUSY)
            elif asked == STOP:
                self.idle, self.until = 0.0, 0.0
        except OSError:
            # Who hangs up asks for nothing.
            if line is self.borrower:
                self.borrower = None
        line.close()

    def start(self) -> None:
        """Start a zygote, in place of one that ended."""
        self.end()
        self.zygote = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self.first = b""

    def hear(self) -> None:
        """Read what the zygote says first, and no more than that."""
        assert self.zygote is not None
        assert self.zygote.stdout is not None
        data = os.read(self.zygote.stdout.fileno(), 1 << 12)
        self.first += data
        if data:
            self.lend()
            return
        self.end()
        if self.borrower is not None:
            # Who hears nothing starts a zygote of its own, and hears why it doesn't.
            self.borrower.close()
            self.borrower = None

    def lend(self) -> None:
        """Hand out the pipes, if there is someone to take them and the zygote is ready."""
        if self.borrower is None or not self.first.endswith(b"\n"):
            return
        assert self.zygote is not None
        pipes = [pipe.fileno() for pipe in (self.zygote.stdin, self.zygote.stdout) if pipe]
        try:
            socket.send_fds(self.borrower, [self.first], pipes)
        except OSError:
            self.take_back()

    def take_back(self) -> None:
        """See how the borrower left it."""
        assert self.borrower is not None
        try:
            left = self.borrower.recv(1)
        except OSError:
            left = b""
        self.borrower.close()
        self.borrower = None
        self.until = time.monotonic() + self.idle
        if left != RETURNED:
            self.end()

    def end(self) -> None:
        """End the zygote."""
        if self.zygote is None:
            return
        self.zygote.terminate()
        for pipe in (self.zygote.stdin, self.zygote.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        self.zygote.wait()
        self.zygote = None
        self.first = b""


def main() -> None:
    """Leave who started it, and serve."""
    options = argparse.ArgumentParser()
    options.add_argument("--listener", type=int, required=True)
    options.add_argument("--place", type=Path, required=True)
    options.add_argument("--idle", type=float, required=True)
    options.add_argument("command", nargs="+")
    chosen = options.parse_args()
    if os.fork():
        os._exit(0)
    os.setsid()
    os.chdir("/")
    listener = socket.socket(fileno=chosen.listener)
    os.set_inheritable(chosen.listener, False)
    Keeper(listener, chosen.place, chosen.idle, chosen.command).serve()


if __name__ == "__main__":
    main()
