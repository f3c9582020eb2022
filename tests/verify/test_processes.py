"""Memory is laid out in huge pages where whole ones fit, and holds what it held."""

from __future__ import annotations

import subprocess
import sys

import pytest

psutil = pytest.importorskip("psutil")

from msmap.verify.executors import processes  # noqa: E402

# a line of /proc/PID/maps -> where huge pages fit
MAPS = {
    "whole pages": ("7f0000000000-7f0000400000 rw-p 00000000 00:00 0", (0x7F0000000000, 4)),
    "edges inside": ("7f0000100000-7f0000500000 rw-p 00000000 00:00 0", (0x7F0000200000, 2)),
    "the heap": (
        "55bc7a000000-55bc7a300000 rw-p 00000000 00:00 0        [heap]",
        (0x55BC7A000000, 2),
    ),
    "none fits": ("7f0000100000-7f0000300000 rw-p 00000000 00:00 0", None),
    "the stack": ("7ffd00000000-7ffd00400000 rw-p 00000000 00:00 0       [stack]", None),
    "of a file": ("7f0000000000-7f0000400000 rw-p 00002000 fe:00 917 /lib/a library.so", None),
    "shared": ("7f0000000000-7f0000400000 rw-s 00000000 00:01 0", None),
    "not to be written": ("7f0000000000-7f0000400000 r--p 00000000 00:00 0", None),
}


@pytest.mark.parametrize("name", MAPS)
def test_huge_pages_fit_into_what_a_process_alone_has(name: str) -> None:
    line, expected = MAPS[name]
    found = [(start, (end - start) >> 20) for start, end in processes.huge(line + "\n")]
    assert found == ([] if expected is None else [expected])


KEPT = """
from msmap.verify.executors import processes
held = [bytes([n]) * (5 << 20) for n in range(5)]
processes.gather()
print([(one[0], set(one) == {n}) for n, one in enumerate(held)])
"""


def test_memory_holds_what_it_held() -> None:
    said = subprocess.run([sys.executable, "-c", KEPT], capture_output=True, text=True, check=True)
    assert said.stdout == str([(n, True) for n in range(5)]) + "\n"
