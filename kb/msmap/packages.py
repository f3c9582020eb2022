"""Packages made for PyTorch, and what there is instead of each."""

from __future__ import annotations

import re
from functools import lru_cache

from msmap import npu


class Package:
    """What there is instead of a package, and the guide to read; "" where none tells of it.

    ``instead`` is in English and Chinese.
    """

    # A dataclass would have to be imported before a name that nobody knows is answered.
    __slots__ = ("guide", "instead")

    def __init__(self, instead: tuple[str, str], guide: str = "") -> None:
        self.instead, self.guide = instead, guide


# What other projects say of themselves, and no check here has run.
_UNTRIED = ("msmap hasn't run it", "msmap 未运行过")


def _other(en: str, zh: str, guide: str = "") -> Package:
    return Package((f"{en} ({_UNTRIED[0]})", f"{zh}（{_UNTRIED[1]}）"), guide)


_LIGHTNING = Package(
    (
        "write its steps as a loop with mindspore.value_and_grad, or use mindspore.train.Model",
        "将其中各步写成使用 mindspore.value_and_grad 的训练循环，或使用 mindspore.train.Model",
    ),
    "custom-training-steps",
)
_MANY = Package(
    (
        "set several devices up with mindspore.communication.init, and start them with msrun",
        "多卡环境用 mindspore.communication.init 初始化，并用 msrun 启动",
    ),
    "distributed-set-up",
)
_ATTENTION = Package(
    (
        "see `msmap lookup torch.nn.functional.scaled_dot_product_attention`",
        "参见 `msmap lookup torch.nn.functional.scaled_dot_product_attention`",
    )
)
_GRAPHS = _other("mindspore_gl is for graphs", "图学习见 mindspore_gl")
_SCATTERED = Package(
    (
        "write it with index_add or scatter_add, see `msmap lookup torch.Tensor.scatter_add`",
        "改用 index_add 或 scatter_add，参见 `msmap lookup torch.Tensor.scatter_add`",
    )
)
_COUNTED = Package(
    (
        "str(net) shows the layers, and sum(p.size for p in net.get_parameters()) counts",
        "str(net) 显示各层，sum(p.size for p in net.get_parameters()) 统计参数量",
    ),
    "parameters",
)
# By how the name of a module begins, part by part; the longest that fits.
PACKAGES = {
    "torchvision": Package(
        (
            "mindspore.dataset has data sets, mindspore.dataset.vision transforms, and mindcv"
            " models",
            "数据集见 mindspore.dataset，变换见 mindspore.dataset.vision，模型见 mindcv",
        ),
        "data-loading",
    ),
    "torchvision.transforms": Package(
        (
            "mindspore.dataset.vision and mindspore.dataset.transforms have transforms, of arrays",
            "变换见 mindspore.dataset.vision 与 mindspore.dataset.transforms，处理的是数组",
        ),
        "image-transforms",
    ),
    "torchvision.models": _other(
        "mindcv has such models, mindcv.create_model makes one by its name",
        "mindcv 有同类模型，mindcv.create_model 按名称创建",
        "checkpoints-across-frameworks",
    ),
    "torchvision.ops": Package(
        (
            "mindspore.ops has NMSWithMask, ROIAlign and iou; write the others by hand",
            "mindspore.ops 提供 NMSWithMask、ROIAlign 和 iou；其余需自行编写",
        ),
    ),
    "torchaudio": Package(
        (
            "mindspore.dataset.audio has transforms, and mindspore.dataset data sets",
            "变换见 mindspore.dataset.audio，数据集见 mindspore.dataset",
        ),
        "data-loading",
    ),
    "torchtext": Package(
        (
            "mindspore.dataset.text has vocabularies and transforms",
            "词表与变换见 mindspore.dataset.text",
        ),
        "data-loading",
    ),
    "torchmetrics": Package(
        (
            "mindspore.train has Accuracy, F1, Precision, Recall, ROC, MSE and other metrics,"
            " with clear(), update() and eval()",
            "mindspore.train 提供 Accuracy、F1、Precision、Recall、ROC、MSE 等指标，"
            "接口为 clear()、update() 和 eval()",
        ),
    ),
    "einops": Package(
        (
            "einops knows no tensors of MindSpore (RuntimeError); write rearrange as reshape and"
            " permute, reduce as mean, sum or max, repeat as broadcast_to and reshape",
            "einops 不识别 MindSpore 的 Tensor（抛 RuntimeError）；rearrange 改写为 reshape 与"
            " permute，reduce 改写为 mean、sum 或 max，repeat 改写为 broadcast_to 与 reshape",
        ),
        "transpose-and-permute",
    ),
    "safetensors.torch": Package(
        (
            "safetensors.numpy reads and writes the same files, and `msmap weights` converts them",
            "safetensors.numpy 读写同样的文件，`msmap weights` 可转换",
        ),
        "checkpoints-across-frameworks",
    ),
    "albumentations.pytorch": Package(
        (
            "leave ToTensorV2 out and write image.transpose(2, 0, 1), which keeps a NumPy array",
            "去掉 ToTensorV2，改写为 image.transpose(2, 0, 1)，结果仍是 NumPy 数组",
        ),
        "data-loading",
    ),
    "timm": _other(
        "mindcv has such models, mindcv.create_model makes one by its name",
        "mindcv 有同类模型，mindcv.create_model 按名称创建",
        "checkpoints-across-frameworks",
    ),
    "transformers": _other(
        "mindnlp and mindone.transformers have such models",
        "mindnlp 与 mindone.transformers 有同类模型",
        "checkpoints-across-frameworks",
    ),
    "diffusers": _other("mindone.diffusers has such models", "mindone.diffusers 有同类模型"),
    "torch_geometric": _GRAPHS,
    "dgl": _GRAPHS,
    "torch_scatter": _SCATTERED,
    "torch_sparse": _SCATTERED,
    "pytorch_lightning": _LIGHTNING,
    "lightning": _LIGHTNING,
    "lightning_fabric": _LIGHTNING,
    "ignite": _LIGHTNING,
    "catalyst": _LIGHTNING,
    "accelerate": _MANY,
    "deepspeed": _MANY,
    "fairscale": _MANY,
    "horovod.torch": _MANY,
    "apex": Package(
        ("mindspore.amp has mixed precision", "混合精度见 mindspore.amp"),
        "mixed-precision",
    ),
    "flash_attn": _ATTENTION,
    "xformers": _ATTENTION,
    "torchinfo": _COUNTED,
    "torchsummary": _COUNTED,
}  # fmt: skip
# Others that nothing in their name tells of.
_MORE = frozenset(
    ("bitsandbytes", "botorch", "captum", "clip", "detectron2", "e3nn", "fairseq", "functorch",
     "fvcore", "gpytorch", "kornia", "lpips", "mmcls", "mmcv", "mmdet", "mmengine", "mmpretrain",
     "mmseg", "monai", "open_clip", "peft", "piq", "ptflops", "pyro", "segment_anything",
     "segmentation_models_pytorch", "sentence_transformers", "skorch", "speechbrain", "tensordict",
     "thop", "triton", "ultralytics")
)  # fmt: skip
# A part of a name that says so itself, such as ``torchdiffeq``, ``efficientnet_pytorch``.
_NAMED = re.compile(r"(?:py)?torch\w*|\w+_(?:py)?torch")
_UNKNOWN = Package(
    (
        "it is made for PyTorch's tensors and modules, and msmap knows no counterpart",
        "它用于 PyTorch 的 Tensor 与 Module，msmap 不知道对应的包",
    )
)


@lru_cache(maxsize=1 << 10)
def of(module: str) -> tuple[str, Package] | None:
    """The package that a module belongs to, if it is made for PyTorch, and what there is instead.

    None for PyTorch itself, and for all that isn't known to be made for it.
    """
    parts = module.split(".")
    if parts[0] in ("torch", npu.PACKAGE):
        return None
    for count in range(len(parts), 0, -1):
        name = ".".join(parts[:count])
        if found := PACKAGES.get(name):
            return name, found
    if parts[0] in _MORE:
        return parts[0], _UNKNOWN
    named = next((n for n, part in enumerate(parts, 1) if _NAMED.fullmatch(part)), 0)
    return (".".join(parts[:named]), _UNKNOWN) if named else None


def guide(reason: str) -> str:
    """The guide on a package, by why its import stays; "" if there is none."""
    found = of(reason.partition(" ")[0])
    return "" if found is None else found[1].guide
