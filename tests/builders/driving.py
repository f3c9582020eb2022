"""A command in a process of its own, which may send itself a signal while it keeps what it found.

The process that forks is a stand-in that imports no framework (tests/builders/snippets.py).
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.builders import forking

SNIPPETS = str(Path(__file__).with_name("snippets.py"))
# What comes out of it is in no environment that there is; ``module`` has the ledger.
NAME = "torch-1.0_mindspore-2.10.0_cpu_here.jsonl"
_DRIVER = """
import os, sys
from {module} import ledger
from msmap.verify.executors import local
from msmap.evidence.names import Environment
from msmap_cli import main

number, moment, *arguments = sys.argv[1:]
count = 0

def add(self, found, real=ledger.Ledger.add):
    global count
    if count == int(moment):
        os.kill(os.getpid(), int(number))
    count += 1
    real(self, found)

if "--scheduler" in arguments:
    from functools import partial
    from msmap.verify.executors import cluster
    cluster.Cluster = partial(cluster.Cluster, command=(sys.executable, {snippets!r}))
local.ZYGOTE = (sys.executable, {snippets!r})
local.environment = lambda device: Environment("1.0", "2.10.0", device, "here")
ledger.Ledger.add = add
{more}
sys.argv = ["msmap", {command!r}, *arguments]
main.main()
"""


def driver(command: str, module: str, more: str) -> str:
    """The program that runs ``msmap COMMAND``; ``more`` are lines of its own before that."""
    return _DRIVER.format(command=command, module=module, more=more, snippets=SNIPPETS)


def drive(
    program: str, *arguments: str, number: int = 0, moment: int = -1
) -> subprocess.CompletedProcess[str]:
    """What came of it; after ``moment`` things kept it sends itself the signal ``number``."""
    return forking.run(program, str(number), str(moment), *arguments)
