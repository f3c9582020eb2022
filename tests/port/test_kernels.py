"""No target is written that can't run on the device asked for; the file says where one doesn't."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.code.refusal import Refused
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port import targets
from msmap.query.knowledge_base import KnowledgeBase
from msmap.vocabulary import PLATFORMS

LINES = {
    "padding": 'torch.nn.Conv1d(3, 4, 3, padding=1, padding_mode="circular")',
    "dtype of a table": "torch.nn.Embedding(3, 4, dtype=torch.float64)",
    "a factor": 'torch.nn.functional.interpolate(x, scale_factor=0.5, mode="bilinear")',
    "a layer with a factor": 'torch.nn.Upsample(scale_factor=1.5, mode="bilinear")',
    "one side": "torch.ormqr(x, x, x, left=False)",
    "no kernel at all": "torch.linalg.matrix_exp(x)",
}


def ported(line: str, base: KnowledgeBase) -> tuple[str, list[tuple[str, str]]]:
    """The last line of a port, and what the file says, by its kind."""
    done = base.port(f"import torch\nx = torch.ones(2, 3, 4, 5)\ny = {line}\n")
    assert done.code is not None
    said = [(one.kind, one.reason.en) for one in done.refusals]
    return done.code.splitlines()[-1], said


@pytest.mark.parametrize("name", LINES)
def test_what_has_no_kernel_stays_and_says_what_to_write(name: str, facts: KnowledgeBase) -> None:
    line, [(kind, reason)] = ported(LINES[name], facts)
    assert (line, kind) == (
        f"y = {LINES[name].replace('torch.float64', 'mindspore.float64')}",
        "target",
    )
    assert "no kernel on CPU" in reason


@pytest.mark.parametrize("name", LINES)
def test_for_all_devices_the_file_says_where_it_does_not_run(
    name: str, anywhere: KnowledgeBase
) -> None:
    line, said = ported(LINES[name], anywhere)
    assert "torch." not in line
    assert [kind for kind, _ in said] == ["differs"]
    assert "no kernel on" in said[0][1]


def test_what_runs_there_is_written(facts: KnowledgeBase) -> None:
    code = 'torch.nn.functional.interpolate(x, scale_factor=1.5, mode="nearest")'
    assert ported(code, facts) == (
        'y = mindspore.mint.nn.functional.interpolate(x, scale_factor=1.5, mode="nearest")',
        [],
    )


def _tries(record: Record) -> list[targets.Arguments]:
    """Calls of an API: with nothing, and with each number of arguments that nothing is known of."""
    count = max((len(s.parameters) for s in targets.source_signatures(record)), default=0)
    every = tuple(values.argument(f"a{n}", "position") for n in range(count))
    return [targets.Arguments(every[:n], {}) for n in range(count + 1)]


@pytest.mark.parametrize("device", PLATFORMS)
def test_no_call_of_any_record_becomes_what_lacks_the_device(device: str, shipped: Path) -> None:
    wrong, written = [], 0
    with KnowledgeBase.open(shipped, device=device) as base:
        for summary in base.records():
            record = base.find(summary.torch)
            assert record is not None
            for arguments in _tries(record):
                try:
                    done = targets.write(record, arguments, None, device)
                except Refused:
                    continue
                written += 1
                if done.target.lacks(device):
                    wrong.append((record.torch, done.target.key))
    assert wrong == []
    assert written > 1000


def test_what_ran_there_runs_whatever_is_documented(anywhere: KnowledgeBase) -> None:
    record = anywhere.find("torch.nn.ReplicationPad2d")
    assert record is not None
    (best, *_) = record.targets
    assert (best.runs_on, best.ran_on) == (("GPU",), ("CPU",))
    assert [device for device in PLATFORMS if best.lacks(device)] == ["Ascend"]


NAMES = {
    "an element": "acts = [torch.lgamma]",
    "a default": "def f(g=torch.lgamma):\n    return g",
    "a base": "class A(torch.nn.MaxUnpool2d):\n    pass",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_that_others_call_run_on_the_device_too(name: str, shipped: Path) -> None:
    code = f"import torch\n{NAMES[name]}\n"
    said = {}
    for device in (None, "Ascend", "CPU"):
        with KnowledgeBase.open(shipped, device=device) as base:
            done = base.port(code)
        assert done.code is not None
        is_left = "torch.lgamma" in done.code or "torch.nn.Max" in done.code
        kinds = [(one.kind, "no kernel on Ascend" in one.reason.en) for one in done.refusals]
        said[device] = (is_left, kinds)
    elsewhere = (False, []) if name == "a base" else (True, [("target", True)])
    assert said == {
        None: (False, [("differs", True)]),
        # mint's class, which has no kernel on CPU, is the one for Ascend.
        "Ascend": elsewhere,
        "CPU": (False, []),
    }


def test_the_type_of_an_argument_needs_no_kernel(anywhere: KnowledgeBase) -> None:
    done = anywhere.port("import torch\ndef f(pool: torch.nn.MaxUnpool2d):\n    pass\n")
    assert done.refusals == ()
