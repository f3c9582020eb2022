"""What a finding says, in English and in Chinese."""

from __future__ import annotations

from msmap.compare.terms import STAGES, Sizes

ORDER = {
    name: number
    for number, name in enumerate((
        "inputs", "state", "mode", "forward", "loss", "gradient", "buffers", "parameters",
        "arguments", "optimizer", "layers",
    ))
}  # fmt: skip
assert set(ORDER) == set(STAGES)

MODES = {True: ("training", "训练"), False: ("evaluation", "推理")}

# Where a function is called by no layer.
OUTSIDE = ("no layer", "各层之外")

_SAID: dict[str, tuple[str, str]] = {
    "steps": (
        "PyTorch recorded {0} steps, MindSpore {1}; only those on both sides are compared",
        "PyTorch 记录了 {0} 步，MindSpore 记录了 {1} 步；仅比较双方都有的步",
    ),
    "torch_layer_alone": (
        "{0} of PyTorch's has no partner in MindSpore",
        "PyTorch 的 {0} 在 MindSpore 侧没有对应的层",
    ),
    "mindspore_layer_alone": (
        "{0} of MindSpore's has no partner in PyTorch",
        "MindSpore 的 {0} 在 PyTorch 侧没有对应的层",
    ),
    "torch_state_alone": (
        "the parameter or buffer {0} of PyTorch's has no partner",
        "PyTorch 的参数或缓冲区 {0} 没有对应项",
    ),
    "mindspore_state_alone": (
        "the parameter or buffer {0} of MindSpore's has no partner",
        "MindSpore 的参数或缓冲区 {0} 没有对应项",
    ),
    "other_count": (
        "{0} is called {2} times in PyTorch, {1} {3} times in MindSpore",
        "PyTorch 调用 {0} {2} 次，MindSpore 调用 {1} {3} 次",
    ),
    "state_begins": (
        "{0} and {1} don't begin with the same values",
        "{0} 与 {1} 的初始值不同",
    ),
    "state_shape": (
        "{0} and {1} have other shapes: {2}",
        "{0} 与 {1} 的形状不同：{2}",
    ),
    "state_turned": (
        "{1} begins with the values of {0} transposed",
        "{1} 的初始值是 {0} 的转置",
    ),
    "untied": (
        "{0} are one parameter in PyTorch, and several in MindSpore: {1}",
        "{0} 在 PyTorch 中是同一个参数，在 MindSpore 中却是多个：{1}",
    ),
    "tied_there": (
        "{0} are one parameter in MindSpore, and several in PyTorch: {1}",
        "{0} 在 MindSpore 中是同一个参数，在 PyTorch 中却是多个：{1}",
    ),
    "other_inputs": (
        "the models aren't given the same: the inputs of {0} differ in step {1}",
        "两侧的输入不同：第 {1} 步中 {0} 的输入不一致",
    ),
    "other_mode": (
        "{0} runs in {1} mode in PyTorch, in {2} mode in MindSpore",
        "{0} 在 PyTorch 中处于{1}模式，在 MindSpore 中处于{2}模式",
    ),
    "layer": (
        "{0} is given the same, and gives something else: {1}",
        "{0} 的输入一致，输出却不同：{1}",
    ),
    "shape": (
        "{0} is given the same, and gives another shape: {1}",
        "{0} 的输入一致，输出形状却不同：{1}",
    ),
    "inside": (
        "numbers part in {0}, between its layers: {1}",
        "数值在 {0} 内部、各层之间开始不同：{1}",
    ),
    "function": (
        "numbers part at {2}, before the end of {0}: {1}",
        "数值在 {2} 处开始不同，位于 {0} 结束之前：{1}",
    ),
    "before": (
        "numbers part before {0}, whose inputs differ already: {1}",
        "数值在 {0} 之前已开始不同，其输入已不一致：{1}",
    ),
    "loss": (
        "the outputs agree, the loss doesn't: {0}",
        "输出一致，损失却不同：{0}",
    ),
    "loss_function": (
        "the outputs agree, the loss doesn't; numbers part at {1}: {0}",
        "输出一致，损失却不同；数值在 {1} 处开始不同：{0}",
    ),
    "gradient": (
        "outputs agree; gradients part at {0}: {1}",
        "输出一致；梯度在 {0} 处开始不同：{1}",
    ),
    "weight_gradient": (
        "outputs agree; the gradient by {0} differs: {1}",
        "输出一致；{0} 的梯度不同：{1}",
    ),
    "buffers": (
        "outputs and gradients agree; the buffer {0} differs after step {1}: {2}",
        "输出与梯度一致；第 {1} 步之后缓冲区 {0} 不同：{2}",
    ),
    "parameters": (
        "outputs and gradients agree; the parameter {0} differs after step {1}: {2}",
        "输出与梯度一致；第 {1} 步之后参数 {0} 不同：{2}",
    ),
    "call_arguments": (
        "{0} isn't given in {1} what its record says: {2}",
        "{1} 中对 {0} 的调用参数与记录所述不符：{2}",
    ),
    "arguments": (
        "{0} isn't made as its record says: {1}",
        "{0} 的构造参数与记录所述不符：{1}",
    ),
}


def say(kind: str, *parts: object) -> tuple[str, str]:
    """A finding's words in both languages; parts may be pairs of them."""
    en, zh = _SAID[kind]
    return (
        en.format(*(part[0] if isinstance(part, tuple) else part for part in parts)),
        zh.format(*(part[1] if isinstance(part, tuple) else part for part in parts)),
    )


def size(sizes: Sizes) -> tuple[str, str]:
    """How far two tensors are apart, in words."""
    if sizes.status == "shape":
        return f"shapes {sizes.detail}", f"形状 {sizes.detail}"
    if sizes.status == "dtype":
        return f"dtypes {sizes.detail}", f"数据类型 {sizes.detail}"
    if sizes.status == "broken":
        return f"not finite: {sizes.detail}", f"出现非有限值：{sizes.detail}"
    if sizes.noise is None:
        return (
            f"by {sizes.relative:.1e} of its size, at most {sizes.largest:.1e}",
            f"相对误差 {sizes.relative:.1e}，最大 {sizes.largest:.1e}",
        )
    return (
        f"by {sizes.relative:.1e} of its size, at most {sizes.largest:.1e}; PyTorch's own noise"
        f" is {sizes.noise:.1e}",
        f"相对误差 {sizes.relative:.1e}，最大 {sizes.largest:.1e}；PyTorch 自身噪声为"
        f" {sizes.noise:.1e}",
    )
