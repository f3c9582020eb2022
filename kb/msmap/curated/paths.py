"""Where a record stands below a data directory."""

from __future__ import annotations

from pathlib import Path


def path_of(name: str) -> Path:
    """The file of a record below ``records``: ``torch/nn/Dropout.yaml``.

    A name that differs from another by case alone (``torch.Tensor.T`` and ``.t``) carries
    ``_upper`` so that no two paths collide on file systems that fold case.
    """
    *folders, leaf = name.split(".")
    return Path(*folders, f"{leaf}{'_upper' if name in CASE_TWINS else ''}.yaml")


# The capitalised one of each pair of PyTorch names that differ by case alone.
CASE_TWINS = frozenset(
    {
        "torch.Gradient", "torch.SUM", "torch.Storage", "torch.Tensor", "torch.Tensor.T",
        "torch.autograd.Variable", "torch.cpu.Stream", "torch.cuda.Stream", "torch.nn.Parameter",
        "torch.nn.utils.prune.Identity", "torch.utils.benchmark.Timer", "torch.xpu.Stream",
    }
)  # fmt: skip
