"""Run code as a reader copies it: each block alone, in a child of a process that imported both.

Standard input is a JSON list of [name, code]; standard output is one of those that failed, by name.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import traceback
from pathlib import Path

# Imported, and no operator run: one before a fork makes children hang.
import mindspore
import torch


def launched(code: str, folder: Path) -> str:
    """What a block prints whose first line starts processes, one here; "" if all end well."""
    program = code.split()[1]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    count = {
        "torchrun": "--nproc-per-node=1",
        "msrun": "--worker_num=1 --local_worker_num=1 --join=True",
    }
    scripts = sysconfig.get_path("scripts")  # msrun starts the python of the path
    command = [Path(scripts) / program, *count[program].split()]
    (folder / "train.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [*command, f"--master{'_' if program == 'msrun' else '-'}port={port}", "train.py"],
        cwd=folder,
        env=os.environ | {"PATH": os.pathsep.join((scripts, os.environ.get("PATH", "")))},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.stdout[-2000:] + done.stderr[-2000:] if done.returncode else ""


def failure(code: str, folder: Path) -> str:
    """What a block raises in a folder of its own; "" if it runs to its end."""
    told = folder / "told"
    if not (child := os.fork()):
        signal.alarm(60)
        os.chdir(folder)
        file = folder / "block.py"  # what is compiled is read from a file
        file.write_text(code, encoding="utf-8")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        # What an operator raises is else told by a later one, or by none.
        mindspore.runtime.launch_blocking()
        try:
            runpy.run_path(str(file), run_name="__main__")
        except BaseException:
            told.write_text(traceback.format_exc(limit=-1), encoding="utf-8")
        finally:
            os._exit(0)
    status = os.waitpid(child, 0)[1]
    if status:
        return f"ended with status {status}"
    return told.read_text(encoding="utf-8") if told.exists() else ""


def main() -> None:
    """Try all blocks, and print what failed."""
    torch.set_num_threads(1)
    failed = {}
    for name, code in json.load(sys.stdin):
        with tempfile.TemporaryDirectory() as folder:
            several = code.startswith(("# torchrun ", "# msrun "))
            if found := (launched if several else failure)(code, Path(folder)):
                failed[name] = found
    json.dump(failed, sys.stdout)


if __name__ == "__main__":
    main()
