"""Blocks of guides run as a reader copies them, each in a file of its own; in time all are run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders import moving

from msmap.query.knowledge_base import KnowledgeBase

SCRIPT = Path(__file__).parents[1] / "builders" / "blocks.py"
# What no machine without another device can run, and what it lacks here.
ELSEWHERE = {
    "devices-and-context/choose-once/torch": "two GPUs",
    "devices-and-context/choose-once/mindspore": "two GPUs",
    "devices-and-context/older-scripts/torch": "two GPUs",
    "devices-and-context/older-scripts/mindspore": "two Ascend devices",
    "mixed-precision/bfloat16/mindspore": "a kernel of bfloat16",
}


@pytest.mark.frameworks
def test_blocks_run_as_they_stand(shipped: Path, pytestconfig: pytest.Config) -> None:
    """A third of them, others with every commit; all with ``--whole``."""
    with KnowledgeBase.open(shipped) as kb:
        blocks = {
            f"{guide.id}/{section.id}/{side}": code
            for guide in kb.guides()
            for section in guide.sections
            for side, code in (("torch", section.torch), ("mindspore", section.mindspore))
            if code
        }
    assert ELSEWHERE.keys() <= blocks.keys()
    wanted = {name: code for name, code in blocks.items() if name not in ELSEWHERE}
    if not pytestconfig.option.whole:
        chosen = moving.some(wanted, len(wanted) // 3, pytestconfig.option.moved_by)
        wanted = {name: code for name, code in wanted.items() if name in chosen}
    # PyTorch's processes that leave each other on a busy machine may abort: a fault is there again.
    assert failed({name: wanted[name] for name in failed(wanted)}) == {}


def failed(blocks: dict[str, str]) -> dict[str, str]:
    """What the blocks that don't run said, by their names."""
    done = subprocess.run(
        [sys.executable, SCRIPT],
        input=json.dumps(list(blocks.items())),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found
