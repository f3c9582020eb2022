"""The guide to read on a name of PyTorch's, where its record names none; and on other packages."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from msmap.code.refusal import Refused
from msmap.code.uses import Use
from msmap.model import Refusal
from msmap.port.rewriter import Rewriter

# By how a name begins, the first that fits.
_GUIDES = (
    ("torch.onnx", "export-and-onnx"),
    ("torch.jit.save", "export-and-onnx"),
    ("torch.jit.load", "export-and-onnx"),
    ("torch.jit", "graph-mode"),
    ("torch.compile", "graph-mode"),
    ("torch.export", "export-and-onnx"),
    ("torch.fx", "graph-mode"),
    ("torch.distributed", "distributed-set-up"),
    ("torch.nn.parallel", "distributed-set-up"),
    ("torch.utils.data.distributed", "distributed-set-up"),
    ("torch.utils.data.BatchSampler", "sequences-and-samplers"),
    ("torch.utils.data.Sampler", "sequences-and-samplers"),
    ("torch.utils.data.RandomSampler", "sequences-and-samplers"),
    ("torch.utils.data.WeightedRandomSampler", "sequences-and-samplers"),
    ("torch.utils.data", "data-loading"),
    ("torch.utils.checkpoint", "custom-backward"),
    ("torch.utils.hooks", "custom-backward"),
    ("torch.autograd.Function", "custom-backward"),
    ("torch.autograd", "automatic-differentiation"),
    ("torch.func", "automatic-differentiation"),
    ("torch.Tensor.grad", "automatic-differentiation"),
    ("torch.Tensor.backward", "custom-training-steps"),
    ("torch.amp", "mixed-precision"),
    ("torch.cuda.amp", "mixed-precision"),
    ("torch.cuda", "devices-and-context"),
    ("torch.accelerator", "devices-and-context"),
    ("torch.optim.lr_scheduler.ChainedScheduler", "warm-up-and-resuming"),
    ("torch.optim.lr_scheduler.OneCycleLR", "warm-up-and-resuming"),
    ("torch.optim.lr_scheduler.ReduceLROnPlateau", "warm-up-and-resuming"),
    ("torch.optim.lr_scheduler", "learning-rates"),
    ("torch.optim.swa_utils", "several-networks"),
    ("torch.optim", "optimizers"),
    ("torch.nn.init", "initialisers"),
    ("torch.nn.utils.rnn", "sequences-and-samplers"),
    ("torch.nn.Module", "modules-and-cells"),
)
_HOOK = re.compile(r"\.register_\w*hook")
# Packages that come with PyTorch: what MindSpore has instead, and the guide.
_PACKAGES = {
    "torchvision": (
        "mindspore.dataset has data sets, mindspore.dataset.vision transforms, and mindcv models",
        "数据集见 mindspore.dataset，变换见 mindspore.dataset.vision，模型见 mindcv",
        "data-loading",
    ),
    "torchaudio": (
        "mindspore.dataset.audio has transforms, and mindspore.dataset data sets",
        "变换见 mindspore.dataset.audio，数据集见 mindspore.dataset",
        "data-loading",
    ),
    "torchtext": (
        "mindspore.dataset.text has vocabularies and transforms",
        "词表与变换见 mindspore.dataset.text",
        "data-loading",
    ),
}


@lru_cache(maxsize=1 << 12)
def guide(name: str) -> str:
    """The id of the guide on what a name of PyTorch's is a part of; "" if there is none."""
    if _HOOK.search(name):
        return "custom-backward"
    return next((id_ for start, id_ in _GUIDES if name.startswith(start)), "")


def guides() -> set[str]:
    """The ids of all guides that are named."""
    return {id_ for _, id_ in _GUIDES} | {"custom-backward"} | {p[2] for p in _PACKAGES.values()}


def of_import(reason: str) -> str:
    """The guide on a package that comes with PyTorch, by why its import stays; "" if it is none."""
    found = _PACKAGES.get(reason.partition(" ")[0])
    return "" if found is None else found[2]


def asked(work: Rewriter, node: ast.AST, refusal: Refusal) -> tuple[str, str]:
    """Of what was left: the name to look up, "" if it is none, and the guide to read.

    The guide is the one that the record names first.
    """
    use = work.uses.get(node)
    if use is not None and use.how == "text":
        use = next((u for u in use.inner if refusal.reason.en.startswith(_named(u))), None)
    if use is None or not use.names:
        return "", of_import(refusal.reason.en) if refusal.kind == "import" else ""
    spelled = use.names[0]
    name = work.resolver.reading.canonical(spelled) or spelled
    record = work.facts.find(name) if refusal.kind != "possible" else None
    guides = record.guides if record is not None else ()
    return name, guides[0] if guides else guide(name)


def _named(use: Use) -> str:
    """What is used, as a refusal names it."""
    return ast.unparse(use.node.func if isinstance(use.node, ast.Call) else use.node)


def port(work: Rewriter) -> None:
    """Refuse the imports of packages that come with PyTorch: nothing of theirs is written."""
    if work.resolver.own or not work.source.mentions(*_PACKAGES):
        return
    place = work.resolver.reading.place
    for node in work.imports:
        if isinstance(node, ast.ImportFrom):
            modules = [] if node.level else [node.module or ""]
        else:
            modules = [alias.name for alias in node.names]
        for module in modules:
            package = module.partition(".")[0]
            if package in _PACKAGES and (place is None or place.imported(0, module) is None):
                en, zh, _ = _PACKAGES[package]
                en, zh = f"{package} stays: {en}", f"{package} 保留原样：{zh}"
                work.refuse(node, Refused("import", en, zh))
                break
