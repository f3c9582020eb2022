"""The closed vocabularies: what a record may say, in order of severity, in both languages."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

# Every pair of words is in this order.
Language = Literal["en", "zh"]
LANGUAGES: tuple[str, ...] = get_args(Language)

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
Trigger = Literal[
    "call", "always", "mode", "graph", "view", "written", "differentiated", "shared", "integers",
    "numpy", "mixed", "float64", "doubles", "frozen", "statistics", "grouped", "infinite",
    "boundless", "texts", "some_inputs", "inputs", "elsewhere", "by_hand",
]  # fmt: skip
Platform = Literal["Ascend", "GPU", "CPU"]
PLATFORMS: tuple[Platform, ...] = get_args(Platform)
# raises, crashes: the MindSpore side does; torch-raises: PyTorch does and MindSpore doesn't.
Expect = Literal["same", "same-distribution", "differs", "raises", "torch-raises", "crashes"]
Mode = Literal["train", "eval"]
# What a case takes an argument for that isn't a literal: plain is a number where PyTorch takes no
# text, by_hand what no code proves.
Assumption = Literal["number", "plain", "tuple", "number_or_tuple", "given", "by_hand"]
ReturnRelation = Literal["type_differs", "order_differs", "shape_differs", "dtype_differs"]
ReferenceKind = Literal["doc", "issue", "code"]
Verdict = Literal["holds", "held_until", "refuted", "not_testable"]
UntestedReason = Literal[
    "older_release", "several_devices", "accelerator", "internals", "opinion", "other_framework"
]
RefusalKind = Literal[
    "unknown_name", "no_record", "missing", "removable", "ambiguous", "unpacked", "no_overload",
    "argument", "target", "value", "f_string", "import", "differs", "possible", "not_python",
    "too_deep", "too_large",
]  # fmt: skip
# Why nothing could be read of a file.
UnreadKind = Literal[
    "absent", "empty", "broken", "cyclic", "elsewhere", "unreadable", "no_file", "too_large",
    "binary", "encoding", "not_python", "python_2", "too_deep", "no_notebook",
    "spoiled", "crashed", "changed",
]  # fmt: skip

# What an answer rests on: a record that a person wrote and runs hold, candidates that a machine
# found by running them, or no more than that the name exists.
Basis = Literal["curated", "probed", "known"]
BASES: dict[str, tuple[str, str]] = {
    "curated": ("curated", "人工整理"),
    "probed": ("found by running", "由运行得出"),
    "known": ("known by name alone", "仅知其名"),
}

# Which sides a relation names: (torch, mindspore).
BOTH, TORCH, MINDSPORE = (True, True), (True, False), (False, True)


class RelationRow(NamedTuple):
    """What there is to know of a relation.

    ``danger`` orders relations for readers, 0 first; ``quiet`` ones need no line of their own;
    ``tone`` is how a page colours it; ``own`` leaves a parameter PyTorch's in name and default, or
    can be done without.
    """

    words: tuple[str, str]
    sides: tuple[bool, bool]
    category: str
    danger: int
    tone: str
    quiet: bool = False
    own: bool = False

    @property
    def alarming(self) -> bool:
        """Whether it changes results without an error, or loses something."""
        return self.danger < 9


RELATIONS: dict[str, RelationRow] = {
    "same": RelationRow(("same", "一致"), BOTH, "identical", 16, "good", quiet=True, own=True),
    "renamed": RelationRow(("renamed", "参数名不同"), BOTH, "renamed_params", 12, "fair"),
    "default_differs": RelationRow(
        ("default differs", "默认值不同"), BOTH, "default_differs", 0, "bad"
    ),
    "value_transformed": RelationRow(
        ("value transformed", "取值需换算"), BOTH, "input_usage_differs", 1, "bad"
    ),
    "type_differs": RelationRow(
        ("type differs", "类型不同"), BOTH, "input_type_differs", 6, "warn", own=True
    ),
    "merged": RelationRow(("merged", "多个参数合并"), BOTH, "input_usage_differs", 7, "warn"),
    "split": RelationRow(("split", "拆为多个参数"), BOTH, "input_usage_differs", 3, "warn"),
    "reordered": RelationRow(
        ("position differs", "位置不同"), BOTH, "input_usage_differs", 2, "bad", own=True
    ),
    "moved_to_constructor": RelationRow(
        ("moved to the constructor", "移至构造函数"), BOTH, "input_usage_differs", 10, "warn"
    ),
    "moved_to_method": RelationRow(
        ("moved to a method", "移至方法"), BOTH, "input_usage_differs", 11, "warn"
    ),
    "target_only_keep_default": RelationRow(
        ("MindSpore only, keep default", "MindSpore 独有，保持默认值"),
        MINDSPORE,
        "target_more_params",
        15,
        "fair",
        quiet=True,
        own=True,
    ),
    "target_only_must_set": RelationRow(
        ("MindSpore only, must be set", "MindSpore 独有，必须设置"),
        MINDSPORE,
        "input_usage_differs",
        5,
        "warn",
    ),
    "source_only_rewrite": RelationRow(
        ("PyTorch only, rewrite", "PyTorch 独有，需转写"), TORCH, "source_more_params", 9, "warn"
    ),
    "source_only_droppable": RelationRow(
        ("PyTorch only, drop", "PyTorch 独有，可直接删除"),
        TORCH,
        "source_more_params",
        13,
        "fair",
        own=True,
    ),
    "source_only_unsupported": RelationRow(
        ("PyTorch only, unsupported", "PyTorch 独有，暂无转写方式"),
        TORCH,
        "source_more_params",
        8,
        "warn",
        own=True,
    ),
    "accepted_ignored": RelationRow(
        ("accepted but ignored", "可以传入但不生效"), BOTH, "behaviour_differs", 4, "bad"
    ),
    "universal_absent": RelationRow(
        ("absent throughout MindSpore", "MindSpore 普遍没有"),
        TORCH,
        "identical",
        14,
        "dim",
        quiet=True,
        own=True,
    ),
}
RELATION_WORDS = {name: row.words for name, row in RELATIONS.items()}

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

IMPACTS: dict[str, tuple[str, str]] = {
    "silent": ("silent", "静默"),
    "error": ("error", "报错"),
    "speed": ("speed", "性能"),
    "note": ("note", "说明"),
}

# By what a caveat bites. Code shows the first five at a call; nothing shows the next two; the port
# sees to the last.
TRIGGERS: dict[str, tuple[str, str]] = {
    "call": ("by the call", "由调用引起"),
    "always": ("by every call: its results differ", "每次调用都会引起：结果不同"),
    "mode": ("where nothing calls train()", "未调用 train() 时"),
    "graph": ("in compiled code", "在编译的代码中"),
    "view": ("where it is called on a part of a tensor", "对 Tensor 的一部分调用时"),
    "written": ("where its result is written to", "对其结果写入时"),
    "differentiated": (
        "where its result is written to while gradients are taken",
        "在求梯度的过程中对其结果写入时",
    ),
    "shared": ("where other names refer to the tensor too", "该 Tensor 另有引用时"),
    "integers": ("where the tensor holds integers", "Tensor 为整数类型时"),
    "numpy": ("beside what NumPy gives", "与 NumPy 的数组或数值相运算时"),
    "mixed": ("by a number, a slice and an index tensor at once", "同时用整数、切片与索引取值时"),
    "float64": ("where a tensor is seen to be of float64", "可见 Tensor 为 float64 时"),
    "doubles": (
        "by a number beside a tensor of float64 that float32 can't hold",
        "与 float64 的 Tensor 一起传入 float32 无法精确表示的数时",
    ),
    "frozen": ("where the code freezes parameters", "代码冻结参数时"),
    "statistics": (
        "where a layer may keep running statistics",
        "层可能带有滑动统计量时",
    ),
    "grouped": ("where a group may have a weight decay of its own", "参数组可能自带权重衰减时"),
    "infinite": ("where a tensor is seen to hold -inf", "Tensor 可能含 -inf 时"),
    "boundless": ("where what may hold -inf is taken as it is", "原样取用可能含 -inf 的 Tensor 时"),
    "texts": ("where texts name parameters", "以文本写出参数名时"),
    "some_inputs": ("by the call, for some inputs", "由调用引起，仅限部分输入"),
    "inputs": ("by what the inputs are", "取决于输入的内容"),
    "elsewhere": ("by what other code does", "取决于其他代码"),
    "by_hand": ("where it is written otherwise than the port writes it", "未按转写结果书写时"),
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


class OutcomeRow(NamedTuple):
    """What there is to know of what came out of a check.

    Of several, the one of least ``worth`` counts, but those that don't ``lower`` count only where
    nothing else came out, and then the best of them. ``agrees``: both sides gave the same;
    ``documented``: they differ as they should; ``failed``: somebody has to look; ``open``: it is
    run again; ``tone``: how a page colours it; ``element``: how JUnit calls it; ``gradient``: what
    of gradients goes without saying.
    """

    words: tuple[str, str]
    worth: int
    tone: str
    lowers: bool = True
    agrees: bool = False
    documented: bool = False
    failed: bool = False
    open: bool = False
    element: str = ""
    gradient: str = ""

    @property
    def shows(self) -> bool:
        """Whether the check shows what it is to show."""
        return self.agrees or self.documented


OUTCOMES: dict[str, OutcomeRow] = {
    "verified": OutcomeRow(("verified", "已验证"), 8, tone="good", agrees=True, gradient="agrees"),
    "verified_with_tolerance": OutcomeRow(
        ("verified with a wider tolerance", "在放宽的容差内验证通过"),
        6,
        tone="fair",
        agrees=True,
        gradient="agrees",
    ),
    "verified_forward_only": OutcomeRow(
        ("verified, forward only", "仅验证前向"), 5, tone="fair", agrees=True
    ),
    "diverges_documented": OutcomeRow(
        ("differs as documented", "差异与记录一致"), 7, tone="other", lowers=False, documented=True
    ),
    "refuted": OutcomeRow(("refuted", "被推翻"), 0, tone="bad", failed=True, element="failure"),
    "inconclusive": OutcomeRow(
        ("inconclusive", "无定论"), 1, tone="warn", failed=True, open=True, element="error"
    ),
    "untestable": OutcomeRow(
        ("untestable here", "此环境无法测试"), 4, tone="warn", lowers=False, element="skipped"
    ),
    "unverified": OutcomeRow(("unverified", "未验证"), 3, tone="dim"),
    "stale": OutcomeRow(("stale", "证据已过期"), 2, tone="dim", open=True),
}
VERIFICATIONS = {name: row.words for name, row in OUTCOMES.items()}

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


# The message of results that aren't the same twice; which numbers they have is nothing to keep.
UNSTEADY = "not the same twice"
# That of empty inputs: whether numbers in memory that nobody wrote to stay is chance, too.
NOTHING = "other values, though there is nothing to compute from"
CHANCE = (UNSTEADY, NOTHING)


# What became of a sample on a candidate that probing tried, the worst last.
PROBE_OUTCOMES: dict[str, tuple[str, str]] = {
    "accepts": ("takes what PyTorch refuses", "接受了 PyTorch 拒绝的输入"),
    "refused": ("the signatures give no way to write it", "按签名无法转写"),
    "no_kernel": ("no kernel here", "此设备无内核"),
    "in_place": ("doesn't change its input alike", "对输入的原地修改不一致"),
    "gradient_raises": ("MindSpore's gradient raises", "MindSpore 求梯度时报错"),
    "raises": ("MindSpore raises", "MindSpore 报错"),
    "inconclusive": ("inconclusive", "无定论"),
    "gradient_differs": ("gradients differ", "梯度不一致"),
    "timeout": ("MindSpore doesn't end", "MindSpore 未在时限内结束"),
    "crash": ("MindSpore takes the process down", "MindSpore 导致进程崩溃"),
    "differs": ("results differ", "结果不一致"),
}

# What becomes of a sample under the record of its name, as a column is called.
TRUTHS: dict[str, tuple[str, str]] = {
    "agrees": ("agree", "一致"),
    "told": ("told", "已说明"),
    "refused": ("refused", "拒绝转写"),
    "loud": ("raise untold", "报错未说明"),
    "silent": ("differ untold", "差异未说明"),
    "gradient_agrees": ("gradients agree", "梯度一致"),
    "gradient_told": ("gradients told", "梯度已说明"),
    "gradient_loud": ("gradients raise untold", "求梯度报错未说明"),
    "gradient_silent": ("gradients differ untold", "梯度差异未说明"),
}

# How a candidate was thought of, the likeliest first.
FOUND: dict[str, tuple[str, str]] = {
    "record": ("its record says so", "自身记录所列"),
    "sibling": ("the record of a sibling maps to it", "同族 API 的记录映射到它"),
    "same_name": ("same name", "同名"),
    "form": ("another form of the name", "同名 API 的另一种形式"),
    "published": ("a published table names it", "已发布的映射表所列"),
    "likeness": ("like name and parameters", "名称与参数相近"),
}

# Why nothing of a name could be run.
NOT_PROBED: dict[str, tuple[str, str]] = {
    "constant": ("a constant, not called", "常量，无需调用"),
    "accelerator": ("needs an accelerator", "需要加速器"),
    "service": ("needs other processes or a service", "需要其他进程或服务"),
    "internal": ("a class that nobody constructs by calling it", "抽象类或内部类，无法直接构造"),
    "no_result": (
        "changes a state or wraps code: gives nothing that could be compared",
        "用于改变状态或包装代码，没有可比较的结果",
    ),
    "no_samples": ("no inputs are known that it takes", "没有已知的可用输入"),
    "no_candidate": ("nothing in MindSpore has such a name", "MindSpore 中没有名称相近的 API"),
    "no_port": ("no sample can be written for any candidate", "所有样本均无法转写到候选 API"),
}

# Why what was found of a name is no longer up to date.
STALE: dict[str, tuple[str, str]] = {
    "release": (
        "with other releases of the frameworks than today's", "运行时的框架版本与当前版本不同",
    ),
    "changed": (
        "candidates, their signatures or the samples have changed since",
        "此后候选 API、其签名或样例已有变化",
    ),
}  # fmt: skip

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
    "import": ("an import that stays", "保留的导入"),
    "differs": ("runs, and may give other values", "可以运行，但结果可能不同"),
    "possible": ("not proved to be PyTorch's", "无法证明属于 PyTorch"),
    "not_python": ("not Python", "不是合法的 Python"),
    "too_deep": ("nested too deeply", "嵌套过深"),
    "too_large": ("too large", "代码过长"),
}
# Those that are of the whole source: nothing in it could be read.
UNREADABLE = ("not_python", "too_deep", "too_large")
# That of a place which was ported, or needed no port, and of which the file has to say something.
DIFFERS: RefusalKind = "differs"


def worst(categories: list[str]) -> str:
    """The most severe of some categories of difference; ``identical`` if there are none."""
    order = list(CATEGORIES)
    return max(categories, key=order.index, default="identical")
