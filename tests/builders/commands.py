"""What running `msmap` gives, in this process or in a fresh one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


def child(
    code: Sequence[str], database: Path, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter with the small database."""
    environment = os.environ | {"MSMAP_DB": str(database), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *code], stdout=stdout, stderr=subprocess.PIPE, env=environment,
        encoding="utf-8", check=False,
    )  # fmt: skip
