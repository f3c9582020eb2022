"""The closed vocabularies: what a record may say, in order of severity, in both languages."""

from __future__ import annotations

from typing import Literal

# Every pair of words is in this order.
LANGUAGES = ("en", "zh")

Relation = Literal[
    "same",
    "renamed",
    "default_differs",
    "value_transformed",
    "type_differs",
    "merged",
    "split",
    "reordered",
    "moved_to_constructor",
    "moved_to_method",
    "target_only_keep_default",
    "target_only_must_set",
    "source_only_rewrite",
    "source_only_droppable",
    "source_only_unsupported",
    "accepted_ignored",
    "universal_absent",
]
Impact = Literal["silent", "error", "speed", "note"]
Platform = Literal["Ascend", "GPU", "CPU"]
# raises, crashes: the MindSpore side does; torch-raises: PyTorch does and MindSpore doesn't.
Expect = Literal["same", "same-distribution", "differs", "raises", "torch-raises", "crashes"]
Mode = Literal["train", "eval"]
ReturnRelation = Literal["type_differs", "order_differs", "shape_differs", "dtype_differs"]
ReferenceKind = Literal["doc", "issue", "code"]
Verdict = Literal["holds", "held_until", "refuted", "not_testable"]
UntestedReason = Literal[
    "older_release", "several_devices", "accelerator", "internals", "opinion", "other_framework"
]
RefusalKind = Literal[
    "unknown_name", "no_record", "missing", "removable", "ambiguous", "unpacked", "no_overload",
    "argument", "target", "value", "f_string", "not_python", "too_deep", "too_large",
]  # fmt: skip

# Which sides a relation names: (torch, mindspore).
RELATION_SIDES: dict[str, tuple[bool, bool]] = {
    "same": (True, True),
    "renamed": (True, True),
    "default_differs": (True, True),
    "value_transformed": (True, True),
    "type_differs": (True, True),
    "merged": (True, True),
    "split": (True, True),
    "reordered": (True, True),
    "moved_to_constructor": (True, True),
    "moved_to_method": (True, True),
    "target_only_keep_default": (False, True),
    "target_only_must_set": (False, True),
    "source_only_rewrite": (True, False),
    "source_only_droppable": (True, False),
    "source_only_unsupported": (True, False),
    "accepted_ignored": (True, True),
    "universal_absent": (True, False),
}

RELATIONS: dict[str, tuple[str, str]] = {
    "same": ("same", "一致"),
    "renamed": ("renamed", "参数名不同"),
    "default_differs": ("default differs", "默认值不同"),
    "value_transformed": ("value transformed", "取值需换算"),
    "type_differs": ("type differs", "类型不同"),
    "merged": ("merged", "多个参数合并"),
    "split": ("split", "拆为多个参数"),
    "reordered": ("position differs", "位置不同"),
    "moved_to_constructor": ("moved to the constructor", "移至构造函数"),
    "moved_to_method": ("moved to a method", "移至方法"),
    "target_only_keep_default": ("MindSpore only, keep default", "MindSpore 独有，保持默认值"),
    "target_only_must_set": ("MindSpore only, must be set", "MindSpore 独有，必须设置"),
    "source_only_rewrite": ("PyTorch only, rewrite", "PyTorch 独有，需转写"),
    "source_only_droppable": ("PyTorch only, drop", "PyTorch 独有，可直接删除"),
    "source_only_unsupported": ("PyTorch only, unsupported", "PyTorch 独有，暂无转写方式"),
    "accepted_ignored": ("accepted but ignored", "可以传入但不生效"),
    "universal_absent": ("absent throughout MindSpore", "MindSpore 普遍没有"),
}

# Last is worst; a target's category is the worst that its parameters and caveats say.
CATEGORIES: dict[str, tuple[str, str]] = {
    "no_params": ("no parameters", "无参数"),
    "identical": ("identical", "参数完全一致"),
    "renamed_params": ("only names differ", "仅参数名不一致"),
    "target_more_params": ("MindSpore has more parameters", "目标参数更多"),
    "default_differs": ("a default differs", "参数默认值不一致"),
    "source_more_params": ("PyTorch has more parameters", "torch 参数更多"),
    "input_usage_differs": ("arguments are used differently", "输入参数用法不一致"),
    "input_type_differs": ("argument types differ", "输入参数类型不一致"),
    "return_differs": ("what comes back differs", "返回参数类型不一致"),
    "behaviour_differs": ("behaviour differs", "行为不一致"),
    "composite": ("composition of several APIs", "组合替代实现"),
    "removable": ("can be removed", "可删除"),
    "missing": ("no counterpart", "功能缺失"),
}

RELATION_CATEGORY: dict[str, str] = {
    "same": "identical",
    "renamed": "renamed_params",
    "default_differs": "default_differs",
    "value_transformed": "input_usage_differs",
    "type_differs": "input_type_differs",
    "merged": "input_usage_differs",
    "split": "input_usage_differs",
    "reordered": "input_usage_differs",
    "moved_to_constructor": "input_usage_differs",
    "moved_to_method": "input_usage_differs",
    "target_only_keep_default": "target_more_params",
    "target_only_must_set": "input_usage_differs",
    "source_only_rewrite": "source_more_params",
    "source_only_droppable": "source_more_params",
    "source_only_unsupported": "source_more_params",
    "accepted_ignored": "behaviour_differs",
    "universal_absent": "identical",
}

# What a reader must see first: relations that change results without an error.
DANGER: tuple[str, ...] = (
    "default_differs",
    "value_transformed",
    "reordered",
    "split",
    "accepted_ignored",
    "target_only_must_set",
    "type_differs",
    "merged",
    "source_only_unsupported",
    "source_only_rewrite",
    "moved_to_constructor",
    "moved_to_method",
    "renamed",
    "source_only_droppable",
    "universal_absent",
    "target_only_keep_default",
    "same",
)

IMPACTS: dict[str, tuple[str, str]] = {
    "silent": ("silent", "静默"),
    "error": ("error", "报错"),
    "speed": ("speed", "性能"),
    "note": ("note", "说明"),
}

# Parameters that MindSpore lacks throughout, and what becomes of an argument given to one.
UNIVERSAL_ABSENT: dict[str, str] = {
    "out": "refuse",
    "layout": "drop",
    "device": "drop",
    "requires_grad": "refuse",
    "pin_memory": "drop",
    "memory_format": "drop",
    "generator": "refuse",
    "non_blocking": "drop",
    "sparse_grad": "drop",
    "size_average": "refuse",
    "reduce": "refuse",
}

VERIFICATIONS: dict[str, tuple[str, str]] = {
    "verified": ("verified", "已验证"),
    "verified_with_tolerance": ("verified with a wider tolerance", "在放宽的容差内验证通过"),
    "verified_forward_only": ("verified, forward only", "仅验证前向"),
    "diverges_documented": ("differs as documented", "差异与记录一致"),
    "refuted": ("refuted", "被推翻"),
    "inconclusive": ("inconclusive", "无定论"),
    "untestable": ("untestable here", "此环境无法测试"),
    "unverified": ("unverified", "未验证"),
    "stale": ("stale", "证据已过期"),
}

UNTESTABLE_REASONS: dict[str, tuple[str, str]] = {
    "ascend_only": ("runs on Ascend only", "仅支持 Ascend"),
    "no_accelerator": ("needs an accelerator", "需要加速器"),
    "needs_network": ("needs other processes or a network", "需要多进程或网络"),
    "no_kernel": ("the operator has no kernel on this device", "该算子在此设备上没有内核实现"),
}


# What running a statement of a document shows.
VERDICTS: dict[str, tuple[str, str]] = {
    "holds": ("holds", "成立"),
    "held_until": ("no longer holds", "不再成立"),
    "refuted": ("refuted", "不成立"),
    "not_testable": ("not testable here", "此处无法验证"),
}

UNTESTED_REASONS: dict[str, tuple[str, str]] = {
    "older_release": ("about a release that no longer installs", "涉及已无法安装的旧版本"),
    "several_devices": ("needs several devices", "需要多卡环境"),
    "accelerator": ("needs an accelerator", "需要加速器"),
    "internals": ("about what can't be seen from outside", "涉及外部无法观察的内部实现"),
    "opinion": ("advice or opinion", "属于建议或观点"),
    "other_framework": ("about another framework", "涉及其他框架"),
}


# What a check is run with besides its own inputs, in the order in which it is shown.
VARIANTS: dict[str, tuple[str, str]] = {
    "positional": ("all arguments by position", "全部按位置传参"),
    "keyword": ("all arguments by keyword", "全部用关键字传参"),
    "shuffled": ("keywords in another order", "关键字顺序打乱"),
    "defaults": ("only required arguments", "只传必选参数"),
    "import-only": ("only the import changed", "只改 import"),
    "graph": ("graph mode", "图模式"),
    "float16": ("float16", "float16"),
    "bfloat16": ("bfloat16", "bfloat16"),
    "float64": ("float64", "float64"),
    "int32": ("int32", "int32"),
    "int64": ("int64", "int64"),
    "bool": ("bool", "bool"),
    "zero-d": ("0-d", "0 维"),
    "empty": ("empty", "空 Tensor"),
    "size-1": ("axes of size 1", "大小为 1 的维"),
    "non-contiguous": ("non-contiguous", "非连续内存"),
    "zeros": ("all zeros", "全零"),
    "nonfinite": ("nan and inf", "nan 与 inf"),
    "overflow": ("integer limits", "整数上下限"),
    "other-end-axis": ("axes from the other end", "从另一端计轴"),
    "repeated-axis": ("an axis twice", "重复的轴"),
    "in-place": ("effect on the input", "对输入的原地修改"),
    "weight-decay": ("weight decay", "权重衰减"),
    "momentum": ("momentum", "动量"),
    "betas": ("other betas", "不同的 betas"),
    "groups": ("parameter groups", "参数分组"),
}

# Last is worst. refused: by PyTorch itself, so that there is nothing to compare.
VARIANT_OUTCOMES: dict[str, tuple[str, str]] = {
    "refused": ("PyTorch takes none", "PyTorch 不接受"),
    "agrees": ("agrees", "一致"),
    "forward_only": ("forward agrees", "仅前向一致"),
    "no_kernel": ("no kernel here", "此设备无内核"),
    "raises": ("MindSpore raises", "MindSpore 报错"),
    "inconclusive": ("inconclusive", "无定论"),
    "differs": ("differs", "不一致"),
}


# Why the rewriter leaves a place as it is.
REFUSALS: dict[str, tuple[str, str]] = {
    "unknown_name": ("not a known name of PyTorch", "不是已知的 PyTorch 名称"),
    "no_record": ("known, but without a record", "已知，但尚无记录"),
    "missing": ("no counterpart", "没有对应的 API"),
    "removable": ("to be deleted", "删除即可"),
    "ambiguous": ("several meanings are possible", "可能有多种含义"),
    "unpacked": ("unpacked arguments", "参数经解包传入"),
    "no_overload": ("fits no overload of PyTorch's", "与 PyTorch 的任何重载都不匹配"),
    "argument": ("an argument can't be carried over", "某个参数无法转换"),
    "target": ("no target takes this call", "没有目标接受这种调用"),
    "value": ("used without being called", "未被调用而直接使用"),
    "f_string": ("within an f-string", "位于 f-string 中"),
    "not_python": ("not Python", "不是合法的 Python"),
    "too_deep": ("nested too deeply", "嵌套过深"),
    "too_large": ("too large", "代码过长"),
}
# Those that are of the whole source: nothing in it could be read.
UNREADABLE = ("not_python", "too_deep", "too_large")


def worst(categories: list[str]) -> str:
    """The most severe of some categories of difference; ``identical`` if there are none."""
    order = list(CATEGORIES)
    return max(categories, key=order.index, default="identical")
