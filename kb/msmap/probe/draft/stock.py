"""Sentences that many records have in common, in both languages."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

TODO = "TODO"
TEXTS = {"en": TODO, "zh": TODO}

# What becomes of parameters that MindSpore lacks, by PyTorch's name of them.
_ABSENT: dict[str, tuple[str, str]] = {
    "inplace": (
        "The input is never changed; use the result.",
        "输入不会被原地修改，请使用返回值。",
    ),
    "foreach": (
        "It only chooses how PyTorch computes a step; leave it out.",
        "仅影响 PyTorch 单步更新的实现方式，可直接删除。",
    ),
    "fused": (
        "It only chooses how PyTorch computes a step; leave it out.",
        "仅影响 PyTorch 单步更新的实现方式，可直接删除。",
    ),
    "capturable": (
        "It is about CUDA graphs; leave it out.",
        "仅用于 CUDA 图捕获，可直接删除。",
    ),
    "differentiable": (
        "Steps can't be differentiated through; leave it out.",
        "MindSpore 不支持对优化器的更新求导，可直接删除。",
    ),
    "validate_args": (
        "Arguments aren't checked as in PyTorch; leave it out.",
        "不会像 PyTorch 那样检查参数，可直接删除。",
    ),
    "non_blocking": (
        "Copies are scheduled by MindSpore; leave it out.",
        "拷贝由 MindSpore 调度，可直接删除。",
    ),
    "_stacklevel": ("It only places a warning.", "仅用于定位告警位置。"),
    "sparse_grad": (
        "Gradients are dense; leave it out.",
        "梯度总是稠密的，可直接删除。",
    ),
    "generator": (
        "There is no generator for a call; seed with mindspore.set_seed.",
        "不支持为单次调用指定随机数生成器，请用 mindspore.set_seed 设置种子。",
    ),
    "out": (
        "Nothing is written into a given tensor; assign the result.",
        "不支持写入指定的 Tensor，请接收返回值。",
    ),
    "device": (
        "Tensors live on the device of the process; leave it out.",
        "Tensor 位于进程所设置的设备上，可直接删除。",
    ),
    "dtype": (
        "Cast the result with .astype instead.",
        "请改用 .astype 转换结果。",
    ),
    "requires_grad": (
        "Gradients are asked for by mindspore.grad; leave it out.",
        "由 mindspore.grad 指定对什么求梯度，可直接删除。",
    ),
    "memory_format": (
        "There is one memory format; leave it out.",
        "只有一种内存格式，可直接删除。",
    ),
}  # fmt: skip
# A space between characters of Chinese, where none belongs.
_SPACE = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
# Of more dtypes than these, a sentence would be a list.
_MOST = 6
# What dtypes are called that come together, in an id and in both languages.
_TOGETHER: dict[str, tuple[set[str], str, str]] = {
    "complex": ({"complex64", "complex128"}, "complex numbers", "复数"),
    "integers": ({"int8", "int16", "int32", "int64", "uint8"}, "integers", "整数"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """A caveat that needs no person: its id, impact and texts."""

    id: str
    impact: str
    text: dict[str, str]


def note(parameter: str) -> dict[str, str] | None:
    """What is said of a parameter that MindSpore lacks; None if nothing is known of it."""
    found = _ABSENT.get(parameter)
    return {"en": found[0], "zh": found[1]} if found else None


def default(name: str, torch: str, mindspore: str) -> dict[str, str]:
    """What is said of a default that differs and is written out by the port."""
    return {
        "en": f"PyTorch's default of {name} is {torch}, MindSpore's is {mindspore}; write it.",
        "zh": f"PyTorch 中 {name} 的默认值为 {torch}，MindSpore 中为 {mindspore}，请显式写出。",
    }


def needed(name: str, torch: str) -> dict[str, str]:
    """What is said of a default that MindSpore hasn't."""
    return {
        "en": f"MindSpore has no default for {name}, PyTorch's is {torch}; write it.",
        "zh": f"MindSpore 中 {name} 没有默认值，PyTorch 的默认值为 {torch}，请显式写出。",
    }


def dtypes(names: Collection[str], error: str, gradient: bool = False) -> Said | None:
    """The caveat that some dtypes raise on CPU; None where that needs more words."""
    left, together = _grouped(names)
    if not names or "float32" in names or len(left) + len(together) > _MOST:
        return None
    english, chinese = _list(names, "and"), _list(names, "与", "、")
    if gradient:
        return Said(f"no-{_slug(names)}-gradient-on-cpu", "error", {
            "en": f"Gradients of {english} raise {error}. Debug in float32.",
            "zh": _joined(f"对 {chinese} 求梯度会抛出 {error}。调试时请用 float32。"),
        })  # fmt: skip
    verb, other = "raises" if len(names) == 1 else "raise", _other(names)
    return Said(f"no-{_slug(names)}-on-cpu", "error", {
        "en": f"{english} {verb} {error}. Debug in {other}.",
        "zh": _joined(f"{chinese} 会抛出 {error}。调试时请用 {other}。"),
    })  # fmt: skip


def _joined(text: str) -> str:
    """Chinese without the spaces that belong beside names of code alone."""
    return _SPACE.sub("", text)


def empty(error: str) -> Said:
    """The caveat that tensors without elements raise."""
    return Said("empty-raises", "error", {
        "en": f"A tensor without elements raises {error}. Skip empty batches.",
        "zh": f"没有元素的 Tensor 会抛出 {error}。请跳过空批次。",
    })  # fmt: skip


def result_dtype(torch: str, mindspore: str) -> Said:
    """The caveat that a result has another dtype."""
    return Said(f"gives-{mindspore}", "silent", {
        "en": f"The result is {mindspore}, PyTorch's is {torch}. Write .astype(mindspore.{torch}).",
        "zh": f"结果为 {mindspore}，PyTorch 为 {torch}。请写 .astype(mindspore.{torch})。",
    })  # fmt: skip


def _slug(names: Collection[str]) -> str:
    """Dtypes in an id, those of a kind by its name."""
    left, together = _grouped(names)
    return "-".join([*left, *together])


def _grouped(names: Collection[str]) -> tuple[list[str], list[str]]:
    """Dtypes that stand alone, and the kinds of which all are there."""
    left, together = set(names), []
    for word, (group, *_) in _TOGETHER.items():
        if group <= left:
            together.append(word)
            left -= group
    return sorted(left), together


def _list(names: Collection[str], last: str, comma: str = ", ") -> str:
    left, together = _grouped(names)
    kinds = [_TOGETHER[word] for word in together]
    found = [*left, *(english if last.isascii() else chinese for _, english, chinese in kinds)]
    return f" {last} ".join(part for part in (comma.join(found[:-1]), found[-1]) if part)


def _other(names: Collection[str]) -> str:
    """A dtype to compute in instead."""
    if all(name.startswith("complex") for name in names) and "complex64" not in names:
        return "complex64"
    if all(name.startswith(("int", "uint")) for name in names) and "int64" not in names:
        return "int64"
    return "float32"
