"""What torch_npu adds to PyTorch for Ascend: it follows what PyTorch has for CUDA, name by name."""

from __future__ import annotations

PACKAGE = "torch_npu"
# Its methods and properties of tensors and modules, and those of PyTorch's that they are like.
METHODS = {"npu": "cuda", "is_npu": "is_cuda"}
_SPACES = ("torch.npu", f"{PACKAGE}.npu")
_LIKE = (
    "{0} comes with torch_npu, whose names follow those for CUDA: see {1}, and write ascend or"
    " Ascend where that writes gpu or GPU",
    "{0} 来自 torch_npu，其名称与 CUDA 的名称一一对应：参见 {1}，其中的 gpu、GPU 改写为"
    " ascend、Ascend",
)
_OWN = (
    "{0} is torch_npu's own, and no record tells of it; look in mindspore.ops for what is for"
    " Ascend alone",
    "{0} 为 torch_npu 自有，没有记录说明；仅用于 Ascend 的算子请在 mindspore.ops 中查找",
)


def cuda(spelling: str) -> str:
    """A name as PyTorch has it: what torch_npu has for Ascend by the name that CUDA's has.

    >>> cuda("torch.npu.synchronize"), cuda("torch.Tensor.npu"), cuda("torch.abs")
    ('torch.cuda.synchronize', 'torch.Tensor.cuda', 'torch.abs')
    """
    for space in _SPACES:
        if spelling == space or spelling.startswith(f"{space}."):
            return f"torch.cuda{spelling[len(space) :]}"
    before, _, leaf = spelling.rpartition(".")
    is_method = leaf in METHODS and before.startswith("torch.")
    return f"{before}.{METHODS[leaf]}" if is_method else spelling


def ascend(text: str) -> str:
    """What is written of MindSpore for a name of CUDA's, for Ascend."""
    of_device = text.replace("device_context.gpu.", "device_context.ascend.")
    return of_device.replace('"GPU"', '"Ascend"')


def said(name: str, alone: bool = False) -> tuple[str, str] | None:
    """What a name of torch_npu's stands for, in English and Chinese; None of any other name.

    Args:
        name: any name.
        alone: whether it is known that PyTorch has nothing like it.
    """
    like = cuda(name)
    if like == name and name.partition(".")[0] != PACKAGE:
        return None
    en, zh = _OWN if like == name or alone else _LIKE
    return en.format(name, like), zh.format(name, like)
