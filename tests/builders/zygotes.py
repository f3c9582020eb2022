"""Jobs of lines for a zygote without frameworks, and what it started."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.builders import checks

from msmap.verify.plan.job import Job

ZYGOTE = (sys.executable, str(Path(__file__).with_name("snippets.py")))
MARK = "MSMAP_TEST_MARK"
LIMIT = 2


def job(check: str, parts: dict[str, str], expect: str = "same") -> Job:
    return checks.job(check=check, torch=json.dumps(parts), expect=expect)


def marked(word: str) -> list[str]:
    """The processes with that word, other than this one."""
    psutil = pytest.importorskip("psutil")
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(MARK) == word:
                found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return found


def wait_for(condition: Any) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)
