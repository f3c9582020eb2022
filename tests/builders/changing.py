"""Programs that change tensors in place: what a port writes and notes, and what both sides find."""

from __future__ import annotations

import json
import subprocess
import sys
from textwrap import dedent

from msmap.port.rewrite import rewrite
from msmap.query.knowledge_base import KnowledgeBase
from msmap.vocabulary import DIFFERS

HEAD = "import torch\nfrom torch import nn\n\n\n"


def program(code: str) -> str:
    """A source of PyTorch's with some lines."""
    return HEAD + dedent(code).lstrip("\n")


def written(code: str, facts: KnowledgeBase) -> list[str]:
    """The lines that the port changes, without those that only get other names."""
    done = rewrite(program(code), facts).code or ""
    lines = (line.strip() for line in done.splitlines())
    written = (".copy_(", "[:] =", "[...] =", "[()] =")
    return [line for line in lines if any(one in line for one in written)]


def noted(code: str, facts: KnowledgeBase) -> list[str]:
    """The statements of which the port says that they may give other values."""
    done = rewrite(program(code), facts)
    return [one.source for one in done.refusals if one.kind == DIFFERS]


_SCRIPT = """
import json, sys
{imports}
found = {{}}
for name, code in json.load(sys.stdin).items():
    space = {{}}
    exec(code, space)
    found[name] = [one.tolist() for one in space["found"]]
print(json.dumps(found))
"""


def run(imports: str, codes: dict[str, str]) -> dict[str, object]:
    """What the programs find, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _SCRIPT.format(imports=imports)],
        input=json.dumps(codes), capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found
