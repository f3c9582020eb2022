"""Every block of a guide runs as a reader copies it, in a file of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from msmap.query.knowledge_base import KnowledgeBase

SCRIPT = Path(__file__).parents[1] / "builders" / "blocks.py"
# Guides whose blocks are pieces of one program.
PIECES = """
automatic-differentiation batch-norm checkpoints-across-frameworks convolution-and-pooling
custom-backward custom-training-steps data-loading default-initialisation devices-and-context
distributed-set-up dropout execution-model graph-mode initialisers learning-rates mixed-precision
modules-and-cells optimizers parameters random-numbers saving-and-loading stopping-gradients
submodules tensors-and-parameters testing-a-ported-cell training-and-evaluation-mode
transpose-and-permute weight-decay
""".split()  # noqa: SIM905


@pytest.mark.frameworks
def test_blocks_run_as_they_stand(shipped: Path) -> None:
    with KnowledgeBase.open(shipped) as kb:
        blocks = [
            (f"{guide.id}/{section.id}/{side}", code)
            for guide in kb.guides()
            if guide.id not in PIECES
            for section in guide.sections
            for side, code in (("torch", section.torch), ("mindspore", section.mindspore))
            if code
        ]
    done = subprocess.run(
        [sys.executable, SCRIPT],
        input=json.dumps(blocks),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {}
