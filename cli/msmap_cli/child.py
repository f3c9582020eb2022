"""A command run as if it were run alone, and what it says on standard error."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import deque

from msmap_cli.output import fail, reason

# As many bytes of what was said last are kept, in pieces of so many.
_PIECE, _PIECES = 1 << 13, 32


def run(command: list[str]) -> tuple[int, str]:
    """The exit status of a command, and the end of what it said on standard error.

    All that it says goes where it would have gone. Of a command that a signal ended, the status is
    that of a shell.
    """
    try:
        process = subprocess.Popen(command, stderr=subprocess.PIPE, bufsize=0)
    except OSError as error:
        fail(reason(error), 127 if isinstance(error, FileNotFoundError) else 126)
    # The command gets it too, and decides what to make of it.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    said: deque[bytes] = deque(maxlen=_PIECES)
    try:
        assert process.stderr is not None
        while piece := process.stderr.read(_PIECE):
            said.append(piece)
            sys.stderr.write(piece.decode("utf-8", "replace"))
            sys.stderr.flush()
        status = process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return (status if status >= 0 else 128 - status), b"".join(said).decode("utf-8", "replace")
