"""The process beside PyTorch: names in on standard input, what they are tried with out.

A line in is the limit, a space, and the name's line of a signature file; behind a tab may stand
examples of MindSpore's (``msmap.probe.turned``). A line out is its ``Sampling`` as ``child`` says
it. Each name has a forked child of its own.
"""

from __future__ import annotations

import gc
import os
import select
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable

from msmap.probe.sample import Sampling
from msmap.probe.samples import child, drawing, made
from msmap.probe.samples.call import Known
from msmap.probe.samples.reading import FAILED
from msmap.signatures import files
from msmap.verify.executors import processes
from msmap.verify.trial import reasons

# Seconds without a word from a child, whose own limit is of processor time.
_SILENCE = 120.0
# So many of a name's samples may end a child.
_MOST_LOST = 20


def main() -> None:
    """Import PyTorch and its tests' samples, then serve until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    try:
        _prepare()
    except Exception as error:
        answers.write(f"{FAILED}{reasons.brief(error)}\n")
        answers.close()
        sys.exit(1)
    for line in sys.stdin:
        limit, _, rest = line.rstrip("\n").partition(" ")
        api, _, told = rest.partition("\t")
        answers.write(_sampled(Known.of(files.parse(api)), int(limit), told) + "\n")
        answers.flush()


def _prepare() -> None:
    import torch
    from torch.testing._internal import (
        common_methods_invocations,
        common_modules,
        common_optimizers,
    )

    del common_methods_invocations, common_modules, common_optimizers
    torch.set_num_threads(1)
    drawing.hasten()
    made.warm()
    # A collection in a child would touch, and so copy, all that was imported.
    gc.collect()
    gc.freeze()
    processes.gather()


def _sampled(known: Known, limit: int, told: str) -> str:
    """What children say at last of a name; those that a sample ends are followed by another."""
    lost: dict[str, str] = {}
    while True:
        said, reason, trying = _once(lambda say: child.run(known, limit, told, lost, say))
        if said:
            return said
        if not trying or len(lost) >= _MOST_LOST:
            gaps = Counter([reason, *lost.values()])
            return Sampling(known.name, gaps=dict(sorted(gaps.items()))).dumps()
        lost[trying] = reason


def _once(work: Callable[[Callable[[str], None]], None]) -> tuple[str, str, str]:
    """What a child says at last, or why it didn't, and the sample that it was at."""
    folder = tempfile.mkdtemp(prefix="msmap-samples-")
    ours, theirs = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(ours)
            child.enter(folder, parent)
            with os.fdopen(theirs, "w", encoding="utf-8") as line:
                work(lambda text: print(text, file=line, flush=True))
        finally:
            os._exit(0)
    os.close(theirs)
    try:
        return _heard(ours, pid)
    finally:
        os.close(ours)
        shutil.rmtree(folder, ignore_errors=True)


def _heard(pipe: int, pid: int) -> tuple[str, str, str]:
    buffer, trying = b"", ""
    reason = ""
    while True:
        ready, _, _ = select.select([pipe], [], [], _SILENCE)
        data = os.read(pipe, 1 << 16) if ready else b""
        buffer += data
        *lines, buffer = buffer.split(b"\n")
        for line in lines:
            text = line.decode("utf-8")
            if text.startswith("."):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return text[1:], "", ""
            trying = text[1:]
        if not data:
            reason = "" if ready else "timeout"
            break
    if reason:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
    return "", reason or ("timeout" if late else "crash"), trying


if __name__ == "__main__":
    main()
