"""What commands that run on the frameworks share: the executor, and signals that stop them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msmap.messages import Message
from msmap.verify.executors.local import Local
from msmap_cli.output import progress, say

if TYPE_CHECKING:
    from msmap.verify.executors.cluster import Cluster


class Stopped(Exception):
    """A signal came that ends the run; ``status`` is that of the program then."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def executor(
    jobs: int | None, limit: float, device: str, scheduler: str | None, warm: bool = False
) -> Local | Cluster:
    """What runs jobs: this machine, ``warm`` as ``Local`` has it, or the workers of a cluster."""
    if scheduler is None:
        return Local(jobs, limit, device, warm=warm)
    from msmap.verify.executors.cluster import Cluster

    progress(Message("starting workers' processes at {}", scheduler))
    found = Cluster(scheduler, limit)
    progress("")
    for address, why in sorted(found.idle.items()):
        say(Message("worker {} runs no checks: {}", address, why))
    return found


def may_stay_warm() -> bool:
    """Whether a process may be left for the next run: nobody comes back to a machine of CI."""
    return os.environ.get("CI", "").lower() in ("", "0", "false")


@contextmanager
def stoppable() -> Iterator[None]:
    """SIGINT and SIGTERM end the block, and are deaf afterwards.

    Raises:
        Stopped: one came. A second must not spoil the writing of what the first one stopped.
    """
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    except (KeyboardInterrupt, Stopped) as stopped:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        raise Stopped(130 if isinstance(stopped, KeyboardInterrupt) else 143) from None
    except BaseException:
        signal.signal(signal.SIGTERM, before)
        raise
    signal.signal(signal.SIGTERM, before)


def _stop(*_: object) -> None:
    raise Stopped(143)
