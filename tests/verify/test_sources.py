"""What MindSpore's compiler reads of MindSpore was parsed before a child needs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks

COMPILED = """
import os
import mindspore
from mindspore.graph._parse.parser import Parser
from msmap.verify.trial import sources


def ours(x):
    return x[0] + 1


threads = len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self/task") else 0
count = sources.parse()
assert count == len(Parser.ast_cache)
if threads:
    assert threads == len(os.listdir("/proc/self/task"))
if os.fork() == 0:
    mindspore.jit(ours)(mindspore.Tensor([1.0, 2.0])).asnumpy()
    new = list(Parser.ast_cache.values())[count:]
    print([tree.tree.body[0].name for tree, _ in new], flush=True)
    os._exit(0)
os.wait()
"""


def test_a_child_that_compiles_parses_its_own_source_alone(tmp_path: Path) -> None:
    """And no operator ran before the fork: a child would hang."""
    script = tmp_path / "compiled.py"
    script.write_text(COMPILED, encoding="utf-8")
    said = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=300, check=True
    )
    assert said.stdout == "['ours']\n"
