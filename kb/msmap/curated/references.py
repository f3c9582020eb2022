"""Pages of both frameworks' documentation, by the addresses that they have.

A record's references follow from its name and the APIs of its targets; it writes those that don't.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_TORCH = "https://pytorch.org/docs/stable/"
_MINDSPORE = "https://www.mindspore.cn/docs/en/master/api_python/"
# Where PyTorch tells of names, by how they begin; the first that fits. `{}` is the name.
_TORCH_PAGES = (
    ("torch.distributed.autograd.", "rpc"),
    ("torch.distributed.fsdp.", "fsdp"),
    ("torch.distributed.rpc.", "rpc"),
    ("torch.distributed.tensor.parallel.", "distributed.tensor.parallel"),
    ("torch.distributed.tensor.", "distributed.tensor"),
    ("torch.distributed.", "distributed"),
    ("torch.distributions.", "distributions"),
    ("torch.special.", "special.html#{}"),
    ("torch.nn.init.", "nn.init"),
    ("torch.amp.", "amp"),
    ("torch.cuda.amp.", "amp"),
    ("torch.profiler.", "profiler"),
    ("torch.optim.swa_utils.", "optim"),
    ("torch.backends.", "backends"),
    ("torch.utils.data.", "data"),
    ("torch.fx.", "fx"),
    ("torch.futures.", "futures"),
    ("torch.hub.", "hub"),
    ("torch.multiprocessing.", "multiprocessing"),
    ("torch.onnx.", "onnx"),
    ("torch.random.", "random"),
    ("torch.Size.", "size"),
    ("torch.utils.checkpoint.", "checkpoint"),
    # Without a page.
    ("torch.utils.collect_env.", ""),
    ("torch.__file__", ""),
)
# What Python calls for operators, on both sides.
_OPERATOR = "torch.Tensor.__"
_OPERATORS = "https://docs.pytorch.org/docs/stable/tensor_attributes.html"
# The folder of a name's page, by what it begins with; the first that fits.
_FOLDERS = (
    ("mindspore.Tensor.", "mindspore/Tensor"),
    ("mindspore.mint.", "mint"),
    ("mindspore.ops.", "ops"),
    ("mindspore.nn.probability.", "nn_probability"),
    ("mindspore.nn.", "nn"),
    ("mindspore.numpy.", "numpy"),
    ("mindspore.scipy.", "scipy"),
    ("mindspore.runtime.", "runtime"),
    ("mindspore.experimental.optim.", "experimental/optim"),
)
# What is told of names that have no target, or aren't told of by it.
_OTHERWISE = ((_OPERATOR, "mindspore.Tensor"), ("torch.nn.Module.", "mindspore.nn.Cell"))
_DTYPE = re.compile(r"mindspore\.(u?int\d+|b?float\d+|complex\d+|bool_)")
_MEMBER = re.compile(r"((?:\w+\.)+[A-Z]\w*)\.\w+")
_NAME = re.compile(r"\bmindspore(?:\.\w+)+")
Page = dict[str, str]


def derived(name: str, targets: Iterable[Mapping[str, Any]]) -> list[Page]:
    """The pages of a name, and of what its targets are."""
    targets = list(targets)
    apis = [target["api"] for target in targets if target.get("api")]
    if not apis:
        apis = [n for target in targets[:1] for n in _NAME.findall(target.get("expression") or "")]
        apis = [n for n in apis if n != "mindspore.Tensor" and not _DTYPE.fullmatch(n)]
    for start, other in _OTHERWISE:
        if name.startswith(start) and (not apis or start == _OPERATOR):
            apis = [other]
    urls = [_torch(name), *map(_mindspore, apis)]
    return [{"kind": "doc", "url": url} for url in dict.fromkeys(urls) if url]


def whole(name: str, targets: Iterable[Mapping[str, Any]], written: Sequence[Page]) -> list[Page]:
    """All references of a record: what it writes of a framework stands for what is derived."""
    said = {side(page) for page in written}
    pages = [page for page in derived(name, targets) if side(page) not in said]
    # PyTorch's first, then MindSpore's.
    return sorted([*pages, *written], key=lambda page: _SIDES.index(side(page)))


def needed(name: str, targets: Iterable[Mapping[str, Any]], written: Sequence[Page]) -> list[Page]:
    """The references of a record that don't follow from its names: of a framework all or none."""
    pages = derived(name, targets)

    def said(of: str) -> bool:
        return [dict(p) for p in written if side(p) == of] == [p for p in pages if side(p) == of]

    known = {of for of in _SIDES if of and said(of)}
    return [page for page in written if side(page) not in known]


_SIDES = ("torch", "mindspore", "")


def side(page: Mapping[str, str]) -> str:
    """Whose documentation a page is of; "" if it is another."""
    if page.get("kind") != "doc":
        return ""
    found = re.match(r"https://[\w.]*?(pytorch\.org/docs|mindspore\.cn/docs)", page.get("url", ""))
    return {"p": "torch", "m": "mindspore"}[found[1][0]] if found else ""


def _torch(name: str) -> str:
    for start, page in _TORCH_PAGES:
        if name.startswith(start):
            leaf = page.format(name) if "{" in page else f"{page}.html"
            return _TORCH + leaf if page else ""
    if name.startswith(_OPERATOR):
        return _OPERATORS
    if re.search(r"\._", name):
        return ""
    member = _MEMBER.fullmatch(name)
    if member and member[1] != "torch.Tensor":
        name = member[1]
    elif re.fullmatch(r"torch\.\w*[a-z0-9]_", name):
        name = name.replace("torch.", "torch.Tensor.")
    return f"{_TORCH}generated/{name}.html"


def _mindspore(name: str) -> str:
    if _DTYPE.fullmatch(name):
        return f"{_MINDSPORE}mindspore/mindspore.dtype.html"
    member = _MEMBER.fullmatch(name)
    if member and member[1] != "mindspore.Tensor":
        name = member[1]
    folder = next((f for start, f in _FOLDERS if name.startswith(start)), "")
    if not folder and re.fullmatch(r"mindspore\.\w+", name):
        folder = "mindspore"
    return f"{_MINDSPORE}{folder}/{name}.html" if folder else ""
