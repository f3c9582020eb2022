"""Names that torch_npu adds are answered by what they follow, which PyTorch has for CUDA."""

from __future__ import annotations

import pytest

from msmap import npu
from msmap.render import missing


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("torch.npu", "torch.cuda"),
        ("torch.npu.is_available", "torch.cuda.is_available"),
        ("torch_npu.npu.amp.autocast", "torch.cuda.amp.autocast"),
        ("torch.Tensor.npu", "torch.Tensor.cuda"),
        ("torch.Tensor.is_npu", "torch.Tensor.is_cuda"),
        ("torch_npu.npu_rms_norm", "torch_npu.npu_rms_norm"),
        ("torch.npus", "torch.npus"),
        ("torch.cuda.npus", "torch.cuda.npus"),
        ("own.npu", "own.npu"),
        ("npu", "npu"),
    ],
)
def test_names_of_torch_npu_as_pytorch_has_them(spelling: str, expected: str) -> None:
    assert npu.cuda(spelling) == expected


@pytest.mark.parametrize(
    ("name", "english", "chinese"),
    [
        (
            "torch.npu.synchronize",
            "torch.npu.synchronize comes with torch_npu, whose names follow those for CUDA: see"
            " torch.cuda.synchronize, and write ascend or Ascend where that writes gpu or GPU",
            "torch.npu.synchronize 来自 torch_npu，其名称与 CUDA 的名称一一对应：参见"
            " torch.cuda.synchronize，其中的 gpu、GPU 改写为 ascend、Ascend",
        ),
        (
            "torch_npu.npu_swiglu",
            "torch_npu.npu_swiglu is torch_npu's own, and no record tells of it; look in"
            " mindspore.ops for what is for Ascend alone",
            "torch_npu.npu_swiglu 为 torch_npu 自有，没有记录说明；仅用于 Ascend 的算子请在"
            " mindspore.ops 中查找",
        ),
    ],
)
def test_what_is_said_of_them(name: str, english: str, chinese: str) -> None:
    assert missing.words(name, "en") == english
    assert missing.words(name, "zh") == chinese
