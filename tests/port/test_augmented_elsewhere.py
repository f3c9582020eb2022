"""``x += y`` of tensors that go through functions of other files of a project."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders.changing import program, run

from msmap.model import Unread
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import port as projects

OTHER = """
KEPT = torch.zeros(2)
def get():
    return KEPT
def same(x):
    return x
def row(x):
    return x[0]
def either(x, c):
    return x if c else torch.zeros(2)
def change(t: torch.Tensor):
    t += 1
    t.mul_(2)
"""
MAIN = """
import other
from other import same, row, either, change
y = other.get()
y -= 3
a, b, c = torch.zeros(2), torch.zeros(2, 2), torch.zeros(2, 3)
y = same(a)
y += 1
y = row(b)
y += 1
change(c[0])
change(c[:, 1])
change(c.t())
change(c[1, 2])
found = [other.KEPT, a, b, c]
"""


def tree(folder: Path, facts: KnowledgeBase) -> dict[str, str]:
    """Two files of a project as they are ported together."""
    (folder / "other.py").write_text(program(OTHER))
    (folder / "main.py").write_text(program(MAIN))
    done = [one for one in projects.port(facts, [str(folder)]) if not isinstance(one, Unread)]
    assert [one.told.refusals for one in done] == [(), ()]
    return {Path(one.told.path).stem: one.text for one in done}


def test_what_functions_of_other_files_give_is_changed_in_place(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    lines = [line for line in tree(tmp_path, facts)["main"].splitlines() if line.startswith("y")]
    assert lines == [
        "y = other.get()", "y.copy_(y - 3)", "y = same(a)", "y.copy_(y + 1)", "y = row(b)",
        "y[:] = y + 1",
    ]  # fmt: skip


@pytest.mark.frameworks
def test_other_files_see_the_same_values_as_in_pytorch(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    made = tree(tmp_path, facts)
    modules = "import sys, types\n{}\nsys.modules['other'] = module = types.ModuleType('other')\n"
    device = "import mindspore\nmindspore.set_device('CPU')\nmindspore.runtime.launch_blocking()"
    found = []
    for imports, other, main in (
        ("import torch", program(OTHER), program(MAIN)),
        (device, made["other"], made["main"]),
    ):
        begin = f"{modules.format(imports)}exec({other!r}, module.__dict__)"
        found.append(run(begin, {"main": main}))
    assert found[0] == found[1]


def test_what_may_be_given_back_is_noted(facts: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(program(OTHER))
    code = "from other import either\nx = torch.zeros(2)\ny = either(x, True)\ny *= 2\nprint(x)"
    (tmp_path / "main.py").write_text(program(code))
    noted = {
        Path(done.told.path).name: [one.source for one in done.told.refusals]
        for done in projects.port(facts, [str(tmp_path)])
        if not isinstance(done, Unread)
    }
    assert noted == {"main.py": ["y *= 2"], "other.py": []}
