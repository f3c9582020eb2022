"""A text that is longer than the screen, shown by the reader's pager."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress


def page(text: str, command: str) -> bool:
    """Show a text with a pager; whether there was one to show it.

    Less gets styles and ends where a page fits, as git asks it to; $LESS asks for something else.
    """
    words = command.split()
    if not words or shutil.which(words[0]) is None:
        return False
    environment = {"LESS": "FRX", "LV": "-c", "LESSCHARSET": "utf-8"} | dict(os.environ)
    sys.stdout.flush()
    pager = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, env=environment)
    assert pager.stdin is not None
    # A reader who leaves early has read enough.
    with suppress(BrokenPipeError), pager.stdin as stream:
        stream.write(text.encode("utf-8", "backslashreplace"))
    while True:
        try:
            pager.wait()
            return True
        except KeyboardInterrupt:
            # The pager decides what that means.
            continue
