"""What torch_npu adds to PyTorch is ported as what it follows, which PyTorch has for CUDA."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.port.rewrite import rewrite
from msmap.query.knowledge_base import KnowledgeBase


def ported(code: str, kb: KnowledgeBase) -> tuple[str, list[str]]:
    done = rewrite(dedent(code).lstrip("\n"), kb)
    return str(done.code), [one.kind for one in done.refusals]


def test_imports_names_and_methods_of_torch_npu_are_ported(anywhere: KnowledgeBase) -> None:
    code = """
        import torch
        import torch_npu
        from torch_npu.contrib import transfer_to_npu

        torch.npu.set_device("npu:0")
        net = torch.nn.Linear(3, 3).npu()
        x = torch.ones(2, 3).to("npu:0", non_blocking=True).npu()
        print(x.is_npu, x.is_cuda, torch.npu.is_available(), torch_npu.npu.device_count())
        torch.npu.synchronize()
    """
    expected = """
        import mindspore
        from mindspore import mint

        net = mint.nn.Linear(3, 3)
        x = mint.ones((2, 3))
        print((mindspore.get_current_device().device_target == "Ascend"), (mindspore.get_current_device().device_target == "GPU"), mindspore.device_context.ascend.is_available(), (mindspore.device_context.ascend.device_count() if mindspore.device_context.ascend.is_available() else 0))
        mindspore.runtime.synchronize()
    """  # noqa: E501
    assert ported(code, anywhere) == (dedent(expected).lstrip("\n"), [])


def test_what_only_torch_npu_has_is_told(anywhere: KnowledgeBase) -> None:
    code = """
        import torch_npu
        y = torch_npu.npu_rms_norm(x, w)
    """
    assert ported(code, anywhere) == (dedent(code).lstrip("\n"), ["unknown_name"])


@pytest.mark.parametrize(
    "code",
    [
        "import numpy as npu\nnpu.cuda(1)\n",
        "class torch_npu:\n    npu = 3\ntorch_npu.npu.is_available()\n",
        "class Own:\n    def npu(self):\n        return self\nOwn().npu()\n",
        "from .own import npu\nnpu.set_device(1)\n",
    ],
)
def test_what_only_looks_like_it_stays(code: str, anywhere: KnowledgeBase) -> None:
    assert ported(code, anywhere) == (code, [])


def test_a_method_of_what_nothing_proves_is_told(anywhere: KnowledgeBase) -> None:
    code = "import torch\ndef f(batch):\n    return torch.abs(batch['x'].npu())\n"
    assert ported(code, anywhere)[1] == ["possible"]


def test_what_they_follow_is_the_nearest_name(anywhere: KnowledgeBase) -> None:
    assert anywhere.nearest("torch.npu.synchronize")[0] == "torch.cuda.synchronize"
    assert anywhere.nearest("torch.Tensor.npu")[0] == "torch.Tensor.cuda"
