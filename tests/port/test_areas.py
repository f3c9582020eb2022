"""What is left names the guide to read; so do imports of packages that come with PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap.code.modules import Modules
from msmap.port import areas, project
from msmap.port.project import Done
from msmap.query.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def facts(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


def test_all_guides_are_there(facts: KnowledgeBase) -> None:
    assert areas.guides() <= {guide.id for guide in facts.guides()}


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


def test_packages_that_come_with_pytorch_stay(facts: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    code = "import os, torchvision.transforms as T\nfrom torchaudio import load\n"
    path.write_text(code, encoding="utf-8")
    done = project.port(path, Modules([path], facts))
    assert isinstance(done, Done)
    assert done.text == (
        "# msmap: torchvision stays: mindspore.dataset has data sets, mindspore.dataset.vision"
        " transforms, and mindcv models; msmap guide data-loading\n"
        "import os, torchvision.transforms as T\n"
        "# msmap: torchaudio stays: mindspore.dataset.audio has transforms, and mindspore.dataset"
        " data sets; msmap guide data-loading\n"
        "from torchaudio import load\n"
    )
    path.write_text(done.text, encoding="utf-8")
    again = project.port(path, Modules([path], facts))
    assert isinstance(again, Done)
    assert again.text == done.text


def test_a_module_of_the_tree_is_no_such_package(facts: KnowledgeBase, tmp_path: Path) -> None:
    own, path = tmp_path / "torchvision.py", tmp_path / "a.py"
    own.write_text("x = 1\n", encoding="utf-8")
    path.write_text("import torchvision\n", encoding="utf-8")
    done = project.port(path, Modules([own, path], facts))
    assert isinstance(done, Done)
    assert done.changes == ()
