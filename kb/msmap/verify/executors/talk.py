"""Talk with a zygote: tasks are handed to it, and it says what came out."""

from __future__ import annotations

import os
import select
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import IO

from msmap.verify.executors import executor
from msmap.verify.executors.executor import Answer, Finished, Task

# Bytes that are read at once.
_MOST = 1 << 16


class Talk:
    """A zygote that listens and speaks, with what it said first; None if it said nothing."""

    first: Answer | None

    def __init__(self, ears: IO[str], mouth: IO[str]) -> None:
        self._ears, self._mouth = ears, mouth
        self._unread = bytearray()

    def converse(self, tasks: Iterable[Task], at_once: int) -> Iterator[Answer]:
        """What it says while it is handed tasks, so many at first, until all are finished."""
        waiting = deque(tasks)
        left, wanted = len(waiting), at_once
        with suppress(BrokenPipeError):
            self._hand(waiting, wanted)
            for message in self.heard():
                yield message
                if isinstance(message, Finished):
                    left -= 1
                    self._hand(waiting, 1)
                if not left:
                    return

    def heard(self) -> Iterator[Answer]:
        """What it says, until it ends."""
        while True:
            line, found, rest = self._unread.partition(b"\n")
            if found:
                self._unread = rest
                yield executor.loads(line.decode("utf-8"))
            elif not self._read():
                return

    def leave(self) -> None:
        """Be through with it, when it has nothing to do."""
        self.end()

    def end(self) -> None:
        """End it; it leaves nothing behind."""
        for file in (self._ears, self._mouth):
            with suppress(BrokenPipeError):
                file.close()

    def _hand(self, waiting: deque[Task], count: int) -> None:
        """Hand it tasks, and take in what it says meanwhile.

        It reads nothing while it waits to be heard: with tasks and answers that fill both pipes,
        each would wait for the other.
        """
        handed = [executor.dumps(waiting.popleft()) for _ in range(min(count, len(waiting)))]
        text = memoryview("".join(handed).encode("utf-8"))
        ears, mouth = [self._ears.fileno()], [self._mouth.fileno()]
        while text:
            heard, ready, _ = select.select(mouth, ears, [])
            if ready:
                # So much goes in without waiting where anything does.
                text = text[os.write(ears[0], text[: select.PIPE_BUF]) :]
            if heard and not self._read():
                mouth = []

    def _read(self) -> bool:
        """Take in what it has said; whether it may say more."""
        said = os.read(self._mouth.fileno(), _MOST)
        self._unread += said
        return bool(said)


class Own(Talk):
    """A zygote in a process that was started for this, and ends with it."""

    def __init__(self, command: Sequence[str], variables: Mapping[str, str]) -> None:
        # In a session of its own: Ctrl-C is for this process, which ends that one in its own way.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables,
            text=True, encoding="utf-8", start_new_session=True,
        )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        super().__init__(self._process.stdin, self._process.stdout)
        try:
            self.first = next(self.heard(), None)
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End it; it leaves nothing behind."""
        self._process.terminate()
        super().end()
        self._process.wait()
