"""Every module that a port names is loaded: by ``import mindspore``, or by an import of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from msmap.model import Target
from msmap.notebook import cells
from msmap.port import imports, single
from msmap.port.rewrite import rewrite, rewriter
from msmap.query.knowledge_base import KnowledgeBase

# Prints the names that can't be reached once MindSpore is imported.
RESOLVE = """
import json, sys
import mindspore

def is_there(name):
    found = mindspore
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
        if found is None:
            return False
    return True

print(json.dumps([name for name in json.load(sys.stdin) if not is_there(name)]))
"""
NAME = re.compile(r"(?<![\w.])mindspore(?:\.[A-Za-z_]\w*)+")


def _texts(target: Target) -> Iterator[str]:
    """All code of a target that the rewriter may write."""
    yield target.api or target.expression or ""
    yield target.returns.value or "" if target.returns else ""
    for parameter in (*target.parameters, *target.inputs):
        yield parameter.value or ""
        for case in parameter.cases:
            yield from case.set.values()


def _written(base: KnowledgeBase) -> set[str]:
    """The names of MindSpore's that targets of any record write."""
    records = (base.find(summary.torch) for summary in base.records())
    targets = (target for record in records if record is not None for target in record.targets)
    return {name for target in targets for text in _texts(target) for name in NAME.findall(text)}


@pytest.mark.frameworks
def test_what_importing_mindspore_does_not_load_is_imported(anywhere: KnowledgeBase) -> None:
    written = _written(anywhere)
    assert len(written) > 1000
    asked = json.dumps(sorted(written))
    run = subprocess.run(
        [sys.executable, "-c", RESOLVE], input=asked, capture_output=True, text=True, check=True
    )
    apart = {
        name
        for name in json.loads(run.stdout.splitlines()[-1])
        if not any(f"{name}.".startswith(f"{module}.") for module in imports.APART)
    }
    assert apart == set()


@pytest.mark.frameworks
def test_each_module_that_is_imported_by_itself_has_to_be() -> None:
    asked = json.dumps(list(imports.APART))
    run = subprocess.run(
        [sys.executable, "-c", RESOLVE], input=asked, capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout.splitlines()[-1]) == list(imports.APART)


PARALLEL = (
    """\
import torch
from torch.nn.parallel import DistributedDataParallel as DDP

net = DDP(torch.nn.ReLU())
""",
    """\
import mindspore
import mindspore.parallel.distributed
from mindspore import nn

net = mindspore.parallel.distributed.DistributedDataParallel(nn.ReLU())
""",
)
WITHIN = (
    """\
def wrap(net):
    import torch
    return torch.nn.parallel.DistributedDataParallel(net)
""",
    """\
def wrap(net):
    import mindspore
    import mindspore.parallel.distributed
    return mindspore.parallel.distributed.DistributedDataParallel(net)
""",
)
THERE = (
    """\
import mindspore.parallel.distributed
import torch

net = torch.nn.parallel.DistributedDataParallel(torch.nn.ReLU())
""",
    """\
import mindspore.parallel.distributed

net = mindspore.parallel.distributed.DistributedDataParallel(mindspore.nn.ReLU())
""",
)


@pytest.mark.parametrize(("source", "written"), [PARALLEL, WITHIN, THERE])
def test_the_import_stands_where_the_module_is_named(
    source: str, written: str, anywhere: KnowledgeBase
) -> None:
    assert rewrite(source, anywhere).code == written
    assert rewrite(written, anywhere).code == written


def test_a_cell_of_a_notebook_imports_it_too(anywhere: KnowledgeBase) -> None:
    cell = "net = torch.nn.parallel.DistributedDataParallel(torch.nn.ReLU())"
    assert cells.port(anywhere, ["import torch"], cell).code == (
        "import mindspore\nimport mindspore.parallel.distributed\n"
        "net = mindspore.parallel.distributed.DistributedDataParallel(mindspore.nn.ReLU())"
    )


def test_one_call_by_itself_imports_it_too(anywhere: KnowledgeBase) -> None:
    work = rewriter("import torch\nx = torch.ones(2, 2)\ntorch.linalg.eigh(x)\n", anywhere)
    assert single.imported(work) == (0, 0, "import mindspore\nimport mindspore.scipy\n")
