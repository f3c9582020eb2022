"""Sentences that many records have in common, in both languages."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

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
# What is said of calls that PyTorch refuses, as a caveat and of the check that shows it.
ACCEPTED = {
    "en": "Some calls that PyTorch refuses give a result here, see the check. Test the arguments.",
    "zh": "部分 PyTorch 会报错的调用在此会给出结果，见检查。请自行检查参数。",
}
# Why no check shows what lies in memory.
_CHANCE = {
    "en": "What lies in memory that nobody wrote to differs from run to run.",
    "zh": "未写入的内存中的内容每次运行都不同。",
}
# English and Chinese of one text.
Texts = dict[str, str]


def cast(torch: str, mindspore: str) -> Texts:
    """Why the result of a target is cast."""
    return {
        "en": f"The result is {mindspore} on CPU; the cast makes it {torch} as PyTorch's.",
        "zh": f"在 CPU 上结果为 {mindspore}，转换后与 PyTorch 一样是 {torch}。",
    }


# A space between characters of Chinese, where none belongs.
_SPACE = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
# Of more dtypes than these, a sentence would be a list.
_MOST = 6
# What dtypes are called that come together, in an id and in both languages.
_TOGETHER: dict[str, tuple[set[str], str, str]] = {
    "complex": ({"complex64", "complex128"}, "complex numbers", "复数"),
    "integers": ({"int8", "int16", "int32", "int64", "uint8"}, "integers", "整数"),
}


# What the word means too, though few samples have it.
_BESIDE = {"integers": {"uint16", "uint32", "uint64"}}


@dataclass(frozen=True, slots=True)
class Said:
    """A caveat that needs no person: its id, impact and texts.

    ``unshown`` is why no check shows it, where none can.
    """

    id: str
    impact: str
    text: dict[str, str]
    unshown: dict[str, str] = field(default_factory=dict)


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


def dtypes(
    names: Collection[str], error: str, gradient: bool = False, instead: Texts | None = None
) -> Said | None:
    """The caveat that some dtypes raise on CPU; None where that needs more words.

    Args:
        names: the dtypes.
        error: the error's type.
        gradient: whether their gradients alone raise.
        instead: what to write, where a way was found.
    """
    if not names or "float32" in names or many(names):
        return None
    english, chinese = listed(names, "and"), listed(names, "与", "、")
    if gradient:
        return Said(f"no-{slug(names)}-gradient-on-cpu", "error", {
            "en": f"Gradients of {english} raise {error}. " + _en(instead, "Debug in float32."),
            "zh": joined(f"对 {chinese} 求梯度会抛出 {error}。")
            + _zh(instead, "调试时请用 float32。"),
        })  # fmt: skip
    verb, other = "raises" if len(names) == 1 else "raise", _other(names)
    return Said(f"no-{slug(names)}-on-cpu", "error", {
        "en": f"{english} {verb} {error}. " + _en(instead, f"Debug in {other}."),
        "zh": joined(f"{chinese} 会抛出 {error}。") + _zh(instead, f"调试时请用 {other}。"),
    })  # fmt: skip


def _en(instead: Texts | None, usual: str) -> str:
    return instead["en"] if instead else usual


def _zh(instead: Texts | None, usual: str) -> str:
    return instead["zh"] if instead else usual


def many(names: Collection[str]) -> bool:
    """Whether a sentence that names these dtypes would be a list."""
    left, together = _grouped(names)
    return len(left) + len(together) > _MOST


def kin(names: Collection[str]) -> set[str]:
    """Dtypes, and all that are called by one word with any of them."""
    groups = (group for group, *_ in _TOGETHER.values() if not group.isdisjoint(names))
    return set(names).union(*groups)


def first(other: str, names: Collection[str]) -> dict[str, str]:
    """Why a target stands before one of NumPy's interface that agrees in more dtypes."""
    english, chinese = listed(names, "and"), listed(names, "与", "、")
    return {
        "en": f"{other}, NumPy's interface, agrees in {english} too; this is MindSpore's own.",
        "zh": joined(f"NumPy 接口 {other} 在 {chinese} 下也一致；此处为 MindSpore 自身的接口。"),
    }


def joined(text: str) -> str:
    """Chinese without the spaces that belong beside names of code alone."""
    return _SPACE.sub("", text)


def empty(error: str, gradient: bool = False, instead: Texts | None = None) -> Said:
    """The caveat that tensors without elements, or gradients of them, raise."""
    en, zh = _en(instead, "Skip empty batches."), _zh(instead, "请跳过空批次。")
    if gradient:
        return Said("empty-gradient-raises", "error", {
            "en": f"The gradient of a tensor without elements raises {error}. {en}",
            "zh": f"对没有元素的 Tensor 求梯度会抛出 {error}。{zh}",
        })  # fmt: skip
    return Said("empty-raises", "error", {
        "en": f"A tensor without elements raises {error}. {en}",
        "zh": f"没有元素的 Tensor 会抛出 {error}。{zh}",
    })  # fmt: skip


def of_nothing() -> Said:
    """The caveat that results of no elements are memory that nobody wrote to."""
    return Said("of-nothing-is-arbitrary", "silent", {
        "en": "Of no elements the result is memory that nobody wrote to. Test x.size > 0 first.",
        "zh": "没有元素时，结果是未写入的内存。请先判断 x.size > 0。",
    }, _CHANCE)  # fmt: skip


def not_in_place(strided: bool) -> Said:
    """The caveat that an input isn't changed, at all or where it is a view."""
    if strided:
        return Said("slices-and-transposed-keep-their-values", "silent", {
            "en": "A slice (x[0], x[:, 1]) or a transposed tensor keeps its values, or raises."
            " Write x[:, 1] = f(x[:, 1]).",
            "zh": "切片（x[0]、x[:, 1]）或转置后的张量会保持原值，或者会报错。"
            "请写 x[:, 1] = f(x[:, 1])。",
        })  # fmt: skip
    return Said("not-in-place", "silent", {
        "en": "The input is left as it is. Use the result, x = f(x).",
        "zh": "输入不会改变。请使用返回值，写 x = f(x)。",
    })  # fmt: skip


def zero_d(error: str, instead: Texts | None = None) -> Said:
    """The caveat that a tensor without axes raises: where no way was found, no more than that."""
    return Said("zero-d-raises", "error", {
        "en": f"A 0-d tensor raises {error}. {_en(instead, '')}".strip(),
        "zh": f"0 维 Tensor 会抛出 {error}。{_zh(instead, '')}",
    })  # fmt: skip


def broadcast_gradient(error: str) -> Said:
    """The caveat that bfloat16 that is broadcast has no gradient."""
    return Said("no-gradient-of-broadcast-bfloat16", "error", {
        "en": f"The gradient of a bfloat16 tensor that is broadcast raises {error}. Compute in"
        " mindspore.float32 and cast back.",
        "zh": f"bfloat16 张量被广播时求梯度会抛出 {error}。请用 mindspore.float32 计算后再转回。",
    })  # fmt: skip


def rounded(gradient: bool) -> Said:
    """The caveat that float64 is no more exact than float32."""
    what, chinese = ("gradients are", "梯度") if gradient else ("results are", "结果")
    return Said(f"float64-{'gradient-' * gradient}is-rounded", "silent", {
        "en": f"In float64 {what} only about as exact as in float32. Compare up to 1e-6.",
        "zh": f"float64 的{chinese}仅约有 float32 的精度。请以 1e-6 的容差比较。",
    })  # fmt: skip


def nonfinite(gradient: bool, instead: Texts | None = None) -> Said:
    """The caveat that nan and infinities give something else."""
    if gradient:
        return Said("gradient-of-nan-and-inf", "silent", {
            "en": "Where the input has nan or inf the gradient is another one, see the check. "
            + _en(instead, "Replace them before, mindspore.ops.nan_to_num(x)."),
            "zh": "输入含 nan 或 inf 时梯度不同，见检查。"
            + _zh(instead, "请先用 mindspore.ops.nan_to_num(x) 替换。"),
        })  # fmt: skip
    return Said("nan-and-inf", "silent", {
        "en": "Where the input has nan or inf the result is another one, see the check. "
        + _en(instead, "Test it with mindspore.ops.isfinite(x).all() first."),
        "zh": "输入含 nan 或 inf 时结果不同，见检查。"
        + _zh(instead, "请先用 mindspore.ops.isfinite(x).all() 检查。"),
    })  # fmt: skip


def argument(name: str, error: str, instead: Texts | None = None) -> Said:
    """The caveat that a parameter raises whatever it is given."""
    return Said(f"{name.replace('_', '-')}-raises", "error", {
        "en": f"Giving {name} raises {error} on CPU. "
        + _en(instead, "Leave it out, or do what it does yourself."),
        "zh": f"在 CPU 上传入 {name} 会抛出 {error}。" + _zh(instead, "请省略，或自行实现其功能。"),
    })  # fmt: skip


def result_dtype(torch: str, mindspore: str) -> Said:
    """The caveat that a result has another dtype."""
    return Said(f"gives-{mindspore}", "silent", {
        "en": f"The result is {mindspore}, PyTorch's is {torch}. Write .astype(mindspore.{torch}).",
        "zh": f"结果为 {mindspore}，PyTorch 为 {torch}。请写 .astype(mindspore.{torch})。",
    })  # fmt: skip


def slug(names: Collection[str]) -> str:
    """Dtypes in an id, those of a kind by its name."""
    left, together = _grouped(names)
    return "-".join([*left, *together])


def _grouped(names: Collection[str]) -> tuple[list[str], list[str]]:
    """Dtypes that stand alone, and the kinds of which all are there."""
    left, together = set(names), []
    for word, (group, *_) in _TOGETHER.items():
        if group <= left:
            together.append(word)
            left -= group | _BESIDE.get(word, set())
    return sorted(left), together


def listed(names: Collection[str], last: str, comma: str = ", ") -> str:
    """Dtypes as a list in a sentence, ``last`` before the last of them."""
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
