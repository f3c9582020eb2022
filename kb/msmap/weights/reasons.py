"""Why a tensor has no place, or a note, in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msmap.model import Text
from msmap.weights.layers import Slot
from msmap.weights.report import Open
from msmap.weights.tensors import Held

UNKNOWN_LAYER = Text(
    "which layer it belongs to isn't known: give the model with --model, its source with --source, "
    "MindSpore's with --into, or write a line for it with --draft and --mapping",
    "不知道它属于哪一层：请用 --model 给出模型，用 --source 给出其源码，"
    "用 --into 给出 MindSpore 模型，或用 --draft 与 --mapping 为它写一行",
)
NOT_IN_MODEL = Text(
    "the model of --model has no such tensor: is the checkpoint of another model?",
    "--model 给出的模型没有这个张量：checkpoint 是否属于另一个模型？",
)
NOTHING = Text("nothing in the file is for it", "文件中没有对应的张量")
FILLED_ONES = Text(
    "ones: PyTorch's layer has none, which is the same until it is trained",
    "填 1：PyTorch 的这一层没有该参数；训练之前两者等价",
)
FILLED_ZEROS = Text(
    "zeros: PyTorch's layer has none, which is the same until it is trained",
    "填 0：PyTorch 的这一层没有该参数；训练之前两者等价",
)
NO_STATISTICS = Text(
    "as it begins: PyTorch's layer keeps no statistics; MindSpore's wants "
    "use_batch_statistics=True",
    "取初始值：PyTorch 的这一层不保存统计量；MindSpore 侧应使用 use_batch_statistics=True",
)
NO_STATISTICS_BACK = Text("PyTorch's layer keeps no statistics", "PyTorch 的这一层不保存统计量")
NEUTRAL = Text(
    "PyTorch's layer has none, and this one does nothing",
    "PyTorch 的这一层没有该参数，而此处的值不起作用",
)
REPLACED = Text(
    "the layer's weight is computed of it, and MindSpore's layers have none such: save the model"
    " without (torch.nn.utils.remove_weight_norm, parametrize.remove_parametrizations,"
    " prune.remove), or give MindSpore's model with --into",
    "该层的权重由它计算得到，而 MindSpore 的层没有这种参数：请先去除后再保存"
    "（torch.nn.utils.remove_weight_norm、parametrize.remove_parametrizations、prune.remove），"
    "或用 --into 给出 MindSpore 模型",
)
NO_PARAMETER = Text("its parameter has no place", "对应的参数没有位置")
NOT_KEPT = Text("the other optimizer keeps nothing like it", "目标优化器不保存该状态")
NO_INPUT = Text(
    "the models were not compared: give inputs with --inputs, such as --inputs"
    " 'float32[2, 3, 32, 32]'",
    "未比较两个模型：请用 --inputs 给出输入，例如 --inputs 'float32[2, 3, 32, 32]'",
)
UNCHECKED = Text(
    "what the other side's model would leave without a value isn't known: give it with --into",
    "不知道目标模型中还有哪些参数没有值：请用 --into 给出",
)
UNCHECKED_BACK = Text(
    "what the other side's model would leave without a value isn't known: give it with --model",
    "不知道目标模型中还有哪些参数没有值：请用 --model 给出",
)


def unused(layer: str, *, back: bool) -> Text:
    """The other side has no such state."""
    if back:
        return Text(
            f"{layer} has it, and MindSpore doesn't: it begins anew",
            f"{layer} 有它而 MindSpore 没有：将从头开始",
        )
    return Text(
        f"MindSpore's counterpart of {layer} has none", f"MindSpore 中与 {layer} 对应的层没有它"
    )


def no_record(layer: str) -> Text:
    """Nothing says that names are the same on both sides."""
    return Text(
        f"no record tells of {layer}: its names are kept; check them with --into",
        f"{layer} 尚无记录：保留其名称；请用 --into 核对",
    )


def several(layer: str, cells: Sequence[str]) -> Text:
    """Its layer becomes one of several classes, by the arguments that it is made with."""
    listed = [cell for cell in cells if cell]
    return Text(
        f"{layer} becomes {' or '.join(listed)} here, by its arguments, and their parameters"
        " differ: give MindSpore's model with --into",
        f"此处的 {layer} 依参数不同对应 {' 或 '.join(listed)}，而二者的参数不同："
        "请用 --into 给出 MindSpore 模型",
    )


def optimizer(heads: Sequence[str], path: Path) -> Text:
    """The file has the state of an optimizer, which is no part of the model."""
    listed = ", ".join(heads)
    return Text(
        f"left out, as an optimizer's state: {listed}; `--optimizer {path}` carries it over",
        f"以下为优化器状态，未写入：{listed}；可用 `--optimizer {path}` 转换",
    )


def no_dtype(dtype: str) -> Text:
    """The file can't hold it."""
    return Text(
        f"the file to write has no {dtype}: convert it before",
        f"目标文件格式不支持 {dtype}：请先转换",
    )


def no_slot(name: str, *, back: bool = False) -> Text:
    """The model of the other side hasn't got it."""
    if back:
        return Text(f"PyTorch's model has no {name}", f"PyTorch 模型中没有 {name}")
    return Text(
        f"MindSpore's model has no {name}: is an argument such as has_bias missing, or does the "
        "layer have another name?",
        f"MindSpore 模型中没有 {name}：是否缺少 has_bias 之类的参数，或该层换了名称？",
    )


def other_shape(name: str, shape: tuple[int, ...], wanted: tuple[int, ...]) -> Text:
    """It doesn't fit."""
    return Text(
        f"{name} has shape {list(wanted)} there, and this one {list(shape)}",
        f"目标 {name} 的形状为 {list(wanted)}，而此张量为 {list(shape)}",
    )


def note(slot: Slot, made: Held, name: str, there: str) -> Text | None:
    """What there is to know of a tensor that found its place."""
    if made.dtype != slot.dtype:
        return Text(
            f"{slot.dtype} in the model: it is converted when it is loaded",
            f"模型中为 {slot.dtype}：加载时会转换",
        )
    if slot.is_buffer:
        return Text(
            "a buffer: net.load_state_dict loads it, load_param_into_net doesn't",
            "缓冲区：由 net.load_state_dict 加载，load_param_into_net 不会加载",
        )
    if slot.name != there:
        return Text(f"{there} in the model", f"模型中为 {there}")
    return None


def odd(name: str, kind: str) -> Open:
    """What a file has in place of a tensor."""
    reason = Text(
        f"it is no tensor of rows and columns but {kind}: convert it with PyTorch before",
        f"它不是普通（稠密）张量，而是 {kind}：请先用 PyTorch 转换",
    )
    return Open(name, "", (), reason)
