"""A recording takes an earlier one's place when it is whole, and else leaves it as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks

BEGIN = """
import resource, signal, torch
from msmap.errors import BadRecording
from msmap.record import Recorder
net = torch.nn.Linear(100, 100)
def run(recorder):
    for _ in range(2):
        net(torch.ones(1, 100)).sum().backward()
        recorder.step()
with Recorder(net, "net.rec") as recorder:
    run(recorder)
before = {p.name: p.read_bytes() for p in __import__("pathlib").Path("net.rec").iterdir()}
"""
FULL = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    with Recorder(net, "net.rec") as recorder:
        run(recorder)
except BadRecording as error:
    print(error)
"""
RAISED = """
try:
    with Recorder(net, "net.rec") as recorder:
        run(recorder)
        raise RuntimeError("in the user's own code")
except RuntimeError as error:
    print(error)
"""
END = """
after = {p.name: p.read_bytes() for p in __import__("pathlib").Path("net.rec").iterdir()}
assert after == before and sorted(after) == [
    "initial.npz", "recording.json", "step-0.npz", "step-1.npz",
]
"""


@pytest.mark.parametrize(
    ("part", "said"),
    [(FULL, "net.rec: File too large\n"), (RAISED, "in the user's own code\n")],
    ids=["no space", "an exception"],
)
def test_an_earlier_recording_stays_if_the_new_one_is_not_whole(
    part: str, said: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + part + END], cwd=tmp_path, capture_output=True, text=True,
        timeout=120, check=False, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    assert [path.name for path in tmp_path.iterdir()] == ["net.rec"]
