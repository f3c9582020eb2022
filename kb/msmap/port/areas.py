"""The guide to read on a name of PyTorch's, where its record names none."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from msmap import packages
from msmap.infer.uses import Use
from msmap.model import Refusal
from msmap.port.session import Rewriter

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


@lru_cache(maxsize=1 << 12)
def guide(name: str) -> str:
    """The id of the guide on what a name of PyTorch's is a part of; "" if there is none."""
    if _HOOK.search(name):
        return "custom-backward"
    return next((id_ for start, id_ in _GUIDES if name.startswith(start)), "")


def guides() -> set[str]:
    """The ids of all guides that are named."""
    of_packages = {one.guide for one in packages.PACKAGES.values() if one.guide}
    return {id_ for _, id_ in _GUIDES} | {"custom-backward"} | of_packages


def asked(work: Rewriter, node: ast.AST, refusal: Refusal) -> tuple[str, str]:
    """Of what was left: the name to look up, "" if it is none, and the guide to read.

    The guide is the one that the record names first.
    """
    use = work.uses.get(node) or work.within_texts.get(node)
    about = work.about.get(node)
    if about is not None:
        return about, _guide_of(work, about)
    if use is not None and use.how == "text":
        use = next((u for u in use.inner if refusal.reason.en.startswith(_named(u))), None)
    if use is None or not use.names:
        return "", packages.guide(refusal.reason.en) if refusal.kind == "import" else ""
    spelled = use.names[0]
    name = work.resolver.reading.canonical(spelled) or spelled
    return name, guide(name) if refusal.kind == "possible" else _guide_of(work, name)


def _guide_of(work: Rewriter, name: str) -> str:
    """The guide that the record of a name names first, else that of what the name is part of."""
    record = work.facts.find(name)
    return record.guides[0] if record is not None and record.guides else guide(name)


def _named(use: Use) -> str:
    """What is used, as a refusal names it."""
    return ast.unparse(use.node.func if isinstance(use.node, ast.Call) else use.node)
