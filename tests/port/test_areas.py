"""What is left names the guide to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.infer.modules import Modules
from msmap.port import areas, project
from msmap.port.project import Done
from msmap.query.knowledge_base import KnowledgeBase
from msmap.scan import find


def test_all_guides_are_there(anywhere: KnowledgeBase) -> None:
    assert areas.guides() <= {guide.id for guide in anywhere.guides()}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torch.jit.script", "graph-mode"),
        ("torch.nn.Module.register_forward_hook", "custom-backward"),
        ("torch.Tensor.register_hook", "custom-backward"),
        ("torch.Tensor.grad", "automatic-differentiation"),
        ("torch.distributed.all_gather", "distributed-set-up"),
        ("torch.nn.Module.apply", "modules-and-cells"),
        ("torch.abs", ""),
    ],
)
def test_the_guide_on_what_a_name_is_a_part_of(name: str, expected: str) -> None:
    assert areas.guide(name) == expected


def test_scan_names_the_guides_that_port_names(anywhere: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        "import torch, torchvision\nnet = torch.nn.Linear(2, 2)\n"
        "made = torch.jit.script(net)\nnet.weight.grad\ntorch.distributed.no_such(1)\n",
        encoding="utf-8",
    )
    done = project.port(path, Modules([path], anywhere))
    assert isinstance(done, Done)
    found = find.scan(path, Modules([path], anywhere), "a.py")
    named = {site.line: site.guide for site in found.sites if site.guide}
    assert named == {left.line: left.guide for left in done.told.refusals if left.guide}
    assert named == {
        1: "data-loading", 3: "graph-mode", 4: "automatic-differentiation", 5: "distributed-set-up",
    }  # fmt: skip
    for site in found.sites:
        # Every format says what ``told`` says.
        said = [text.en for text in site.told if f"msmap guide {site.guide}" in text.en]
        assert len(said) == (1 if site.guide else 0)


def test_a_guide_that_a_reason_names_stands_once(anywhere: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        "import torch\ndef f(losses):\n    loss = torch.cat(losses).sum()\n    loss.backward()\n",
        encoding="utf-8",
    )
    done = project.port(path, Modules([path], anywhere))
    assert isinstance(done, Done)
    assert [line.count("msmap guide") for line in done.text.splitlines() if "# msmap" in line] == [
        1
    ]
