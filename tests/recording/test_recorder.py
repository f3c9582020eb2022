"""What recordings hold, and that one takes an earlier one's place only when it is whole."""

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


# Each prints the functions that were called, with the sum of what each was given and gave.
SEEN = """
def seen(recording):
    step = recording.steps[0]
    total = lambda places: [float(recording.value(step.tensors[at]).sum()) for _, at in places]
    for call in step.calls:
        if not call.layer:
            print(call.name, total(call.inputs), total(call.outputs))
"""
WRITTEN = {
    "torch": """
import torch
from msmap.record import Recorder
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.zeros(2, 2))
    def forward(self, x):
        before = torch.abs(self.table)
        self.table.data.copy_(x.view(2, 2))
        return torch.abs(self.table)
with Recorder(Net()) as recorder:
    recorder._nets[0](torch.ones(4))
seen(recorder.recording)
""",
    "mindspore": """
import mindspore
from mindspore import mint, nn, ops
from msmap.record import Recorder
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = mindspore.Parameter(ops.zeros((2, 2)))
    def construct(self, x):
        before = mint.abs(self.table)
        self.table.set_data(x.view(2, 2))
        return mint.abs(self.table)
with Recorder(Net()) as recorder:
    recorder._nets[0](ops.ones(4))
seen(recorder.recording)
""",
}


@pytest.mark.parametrize("framework", WRITTEN)
def test_what_is_written_into_a_tensor_is_read_from_it_afterwards(framework: str) -> None:
    said = told(WRITTEN[framework])
    name = {"torch": "torch.abs", "mindspore": "mindspore.mint.abs"}[framework]
    assert [line for line in said if "abs" in line] == [
        f"{name} [0.0] [0.0]",
        f"{name} [4.0] [4.0]",
    ]


COMPILED = """
import mindspore
from mindspore import mint, nn, ops
from msmap.record import Recorder
einsum = mindspore.jit(mint.einsum)
class Net(nn.Cell):
    def construct(self, x):
        return einsum("i,i->i", x, x)
with Recorder(Net()) as recorder:
    recorder._nets[0](ops.ones(4))
seen(recorder.recording)
# Afterwards it is as it was.
print(einsum("i,i->i", ops.ones(3), ops.ones(3)).sum())
"""


def test_a_function_of_mindspores_that_was_compiled_before_stays_so() -> None:
    """On CPU this one runs no other way."""
    assert told(COMPILED) == ["mindspore.mint.einsum [4.0, 4.0] [4.0]", "3.0"]


THREADED = {
    "torch": """
import torch
from msmap.record import Recorder
ones, space, net = torch.ones(2), torch, torch.nn.ReLU()
""",
    "mindspore": """
import mindspore
from mindspore import mint, ops
from msmap.record import Recorder
ones, space, net = ops.ones(2), mint, mint.nn.ReLU()
""",
}
BESIDE = """
import threading
def load():
    net(space.abs(ones))
with Recorder(net) as recorder:
    space.abs(net(ones))
    beside = threading.Thread(target=load)
    beside.start()
    beside.join()
print([call.name.rpartition(".")[2] for step in recorder.recording.steps for call in step.calls])
"""


@pytest.mark.parametrize("framework", THREADED)
def test_what_runs_in_another_thread_is_no_part_of_a_recording(framework: str) -> None:
    """MindSpore's datasets load the next sample while a step runs."""
    assert told(THREADED[framework] + BESIDE) == ["['ReLU', 'abs']"]


LOADED = """
import torch
from torch.utils.data import DataLoader, TensorDataset
from msmap.record import Recorder
net = torch.nn.ReLU()
with Recorder(net) as recorder:
    for (x,) in DataLoader(TensorDataset(torch.arange(4.0)), batch_size=2):
        torch.abs(net(x))
print([call.name for step in recorder.recording.steps for call in step.calls])
"""


def test_what_a_loader_of_pytorchs_does_is_no_part_of_a_recording() -> None:
    assert told(LOADED) == ["['torch.nn.ReLU', 'torch.abs', 'torch.nn.ReLU', 'torch.abs']"]


def told(code: str) -> list[str]:
    """What some code prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SEEN + code], capture_output=True, text=True, timeout=120,
        check=False, env=os.environ | {"GLOG_v": "3"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()
