"""Pieces of code run in forked children of a process that imported MindSpore, and what they print.

``python provoking.py`` reads a JSON list of pieces and writes one of all that each printed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import traceback


def printed(code: str) -> str:
    """All that a piece of code prints, with the traceback of what it ends with."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.dup2(writing, 1)
        os.dup2(writing, 2)
        signal.alarm(60)
        mindspore.runtime.launch_blocking()
        os.chdir(tempfile.mkdtemp())
        with open("train.py", "w", encoding="utf-8") as file:
            file.write(code)
        try:
            exec(compile(code, "train.py", "exec"), {"__name__": "__main__"})
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said.decode("utf-8", "replace")


if __name__ == "__main__":
    # Warnings are errors that MindSpore goes on with.
    os.environ.pop("GLOG_v", None)
    import mindspore

    json.dump([printed(code) for code in json.load(sys.stdin)], sys.stdout)
