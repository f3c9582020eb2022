"""Imports of packages made for PyTorch stay, and say what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap import packages
from msmap.infer.modules import Modules
from msmap.port import project
from msmap.port.project import Done
from msmap.port.rewrite import rewrite
from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("torch.utils.data", ""),
        ("torchvision.transforms.v2", "torchvision.transforms"),
        ("torchvision.models.resnet", "torchvision.models"),
        ("torchvision.io", "torchvision"),
        ("torch_geometric.nn", "torch_geometric"),
        ("einops", "einops"),
        ("einops.layers.torch", "einops"),
        ("safetensors.torch", "safetensors.torch"),
        ("safetensors.numpy", ""),
        ("horovod.torch", "horovod.torch"),
        ("horovod.tensorflow", ""),
        ("torchdiffeq", "torchdiffeq"),
        ("efficientnet_pytorch.model", "efficientnet_pytorch"),
        ("pytorch_msssim", "pytorch_msssim"),
        ("kornia.augmentation", "kornia"),
        ("wandb", ""),
        ("flashtorch_like", ""),
        ("tensorboardX", ""),
        ("lightning", "lightning"),
        ("lightning_lite", ""),
        ("", ""),
    ],
)
def test_which_modules_are_made_for_pytorch(module: str, expected: str) -> None:
    found = packages.of(module)
    assert (found[0] if found else "") == expected


def test_each_import_says_what_to_write_instead(anywhere: KnowledgeBase) -> None:
    code = (
        "import torchdiffeq, os\nfrom albumentations.pytorch import ToTensorV2\n"
        "from safetensors import torch as st, numpy as sn\nfrom . import torchvision\n"
    )
    done = rewrite(code, anywhere)
    assert done.code == code
    assert [(one.line, one.kind, one.reason.en) for one in done.refusals] == [
        (
            1, "import",
            "torchdiffeq stays: it is made for PyTorch's tensors and modules, and msmap knows no"
            " counterpart",
        ),
        (
            2, "import",
            "albumentations.pytorch stays: leave ToTensorV2 out and write"
            " image.transpose(2, 0, 1), which keeps a NumPy array",
        ),
        (
            3, "import",
            "safetensors.torch stays: safetensors.numpy reads and writes the same files, and"
            " `msmap weights` converts them",
        ),
    ]  # fmt: skip


def test_packages_that_come_with_pytorch_stay(anywhere: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    code = "import os, torchvision.transforms as T\nfrom torchaudio import load\n"
    path.write_text(code, encoding="utf-8")
    done = project.port(path, Modules([path], anywhere))
    assert isinstance(done, Done)
    assert done.text == (
        "# msmap: torchvision.transforms stays: mindspore.dataset.vision and"
        " mindspore.dataset.transforms have transforms, of arrays; msmap guide image-transforms\n"
        "import os, torchvision.transforms as T\n"
        "# msmap: torchaudio stays: mindspore.dataset.audio has transforms, and mindspore.dataset"
        " data sets; msmap guide data-loading\n"
        "from torchaudio import load\n"
    )
    path.write_text(done.text, encoding="utf-8")
    again = project.port(path, Modules([path], anywhere))
    assert isinstance(again, Done)
    assert again.text == done.text


def test_a_module_of_the_tree_is_no_such_package(anywhere: KnowledgeBase, tmp_path: Path) -> None:
    own, path = tmp_path / "torchvision.py", tmp_path / "a.py"
    own.write_text("x = 1\n", encoding="utf-8")
    path.write_text("import torchvision\n", encoding="utf-8")
    done = project.port(path, Modules([own, path], anywhere))
    assert isinstance(done, Done)
    assert done.changes == ()
