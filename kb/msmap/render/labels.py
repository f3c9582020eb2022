"""The words around data, and the terms of vocabularies, in both languages."""

from __future__ import annotations

from msmap import vocabulary

RECORD = {
    "en": {
        "targets": "Targets", "parameters": "Parameters", "inputs": "Inputs of the call",
        "state": "State (parameters and buffers)", "returns": "Returns", "evidence": "Evidence",
        "same": "same", "drop": "dropped", "keep": "MindSpore only, keep the default",
        "absent": "absent throughout MindSpore", "unverified": "not verified",
        "position": "position {0} -> {1}", "keyword": "by keyword", "given": "if {0} is given",
        "without": "without {0}", "none": "no counterpart", "remove": "remove the call",
        "runs": "documented for", "ran": "ran on {0}",
        "seen": "seen on {0}", "unknown": "seen on {0}, not known on {1}",
        "guides": "Guides", "checks": "checks",
        "gradients": "gradients agree", "was": "was in PyTorch", "rank": "target", "kw": "keyword",
        "akin": "no record maps to it; PyTorch has the operation as",
        "deprecated": "deprecated", "members": "Methods you define",
        "since": "since MindSpore {0}", "until": "until MindSpore {0}",
        "changed": "signature changed in {0}", "forms": "every form of call",
        "count": "{0} {1}", "comma": ", ", "stop": "; ", "colon": ": ",
        "family": "one answer for several names: the record of {0}", "covers": "Also for",
    },
    "zh": {
        "targets": "对应接口", "parameters": "参数", "inputs": "调用时的输入",
        "state": "状态（参数与缓冲区）", "returns": "返回值", "evidence": "证据",
        "same": "一致", "drop": "删除", "keep": "MindSpore 独有，保持默认值",
        "absent": "MindSpore 普遍没有", "unverified": "未验证",
        "position": "位置 {0} -> {1}", "keyword": "须用关键字传参", "given": "传入 {0} 时",
        "without": "未传 {0} 时", "none": "没有对应接口", "remove": "删除该调用",
        "runs": "文档所列平台", "ran": "已在 {0} 上运行",
        "seen": "见于 {0}", "unknown": "仅在 {0} 上观察到，{1} 上未知",
        "guides": "指南", "checks": "个检查",
        "gradients": "梯度一致", "was": "在 PyTorch 中为", "rank": "第几选择", "kw": "关键字",
        "akin": "没有记录对应到它；该运算在 PyTorch 中为",
        "deprecated": "已弃用", "members": "由子类定义的方法",
        "since": "自 MindSpore {0} 起", "until": "至 MindSpore {0} 止",
        "changed": "签名在 {0} 中有变化", "forms": "各种传参方式",
        "count": "{0} 项{1}", "comma": "、", "stop": "；", "colon": "：",
        "family": "多个名称共用同一答案：见 {0} 的记录", "covers": "同样适用于",
    },
}  # fmt: skip
BRIEF = {
    "en": {
        "rewrite": "{0}: rewrite", "must": "set {0}", "ignored": "{0} ignored",
        "keyword": "{0} (by keyword)", "reordered": "{0} (other position)",
        "value_transformed": "{0} (other values)", "type_differs": "{0} (other type)",
        "no": "unsupported: {0}", "dropped": "dropped: {0}",
        "same": "all the same", "rest": "the rest the same", "count": "{0} more ({1})",
        "state": "State", "also": "Also", "when": "{0} ({1})",
        "targets": "{0} targets", "evidence": "evidence", "samples": "samples and differences",
        "verbose": "-v: {0}",
    },
    "zh": {
        "rewrite": "{0}：需转写", "must": "须设置 {0}", "ignored": "{0} 不生效",
        "keyword": "{0}（须用关键字传参）", "reordered": "{0}（位置不同）",
        "value_transformed": "{0}（取值需换算）", "type_differs": "{0}（类型不同）",
        "no": "暂无转写方式：{0}", "dropped": "删除：{0}",
        "same": "完全一致", "rest": "其余一致", "count": "另有 {0} 条（{1}）",
        "state": "状态", "also": "其他写法", "when": "{0}（{1}）",
        "targets": "{0} 个对应接口", "evidence": "证据", "samples": "样例与差异",
        "verbose": "-v：{0}",
    },
}  # fmt: skip
EXPLAINED = {
    "en": {"instead": "Write", "see": "See"},
    "zh": {"instead": "写法", "see": "参见"},
}
GROUP = {
    "en": {"count": "{0}: {1} with a record, {2} found by running or known by name alone",
           "more": "{0} more", "list": "`msmap list --namespace {0}` lists them"},
    "zh": {"count": "{0}：{1} 个名称有记录，另有 {2} 个由运行得出或仅知其名",
           "more": "另有 {0} 个", "list": "用 `msmap list --namespace {0}` 列出"},
}  # fmt: skip
PROBE = {
    "en": {
        "probed": "not curated: found by running", "known": "not curated, and not run",
        "agree": "{0} of {1} samples agree", "gradients": "gradients of {0} of {1} agree",
        "errors": "{0} of {1} samples that PyTorch refuses are refused",
        "unrun_here": "no kernel here for any of {0} samples: nothing is known of it",
        "nothing": "nothing that agrees", "differs": "What differs", "others": "Other candidates",
        "candidates": "Candidates", "unrun": "Candidates, by name alone", "samples": "Samples",
        "where": "not all agree", "count": "{0} samples", "one": "1 sample",
        "more": "{0} more ways to differ; --format json has them", "gaps": "could not be samples",
        "near": "Same name", "gave": "gave", "inputs": "inputs", "none": "none was tried",
    },
    "zh": {
        "probed": "未经人工整理：由运行得出", "known": "未经人工整理，也未运行",
        "agree": "{1} 个样例中有 {0} 个一致", "gradients": "{1} 个样例中有 {0} 个梯度一致",
        "errors": "PyTorch 拒绝的 {1} 个样例中有 {0} 个同样被拒绝",
        "unrun_here": "{0} 个样例在此设备上均无内核，结果未知",
        "nothing": "未找到结果一致的写法", "differs": "差异", "others": "其他候选",
        "candidates": "候选", "unrun": "仅按名称列出的候选", "samples": "样例",
        "where": "未全部一致", "count": "{0} 个样例", "one": "1 个样例",
        "more": "另有 {0} 种差异；用 --format json 查看", "gaps": "无法作为样例",
        "near": "同名接口", "gave": "得到", "inputs": "输入", "none": "未尝试",
    },
}  # fmt: skip
DRIFT = {
    "en": {
        "records": "records", "names": "names", "evidence": "evidence", "of": "{0} of {1} change",
        "none": "none change", "appeared": "appeared", "vanished": "vanished",
        "deprecated": "deprecated", "signatures": "signature changed",
        "unproved": "none of {0}, so outcomes are not compared", "apart": "no environment is"
        " common to both, so outcomes are not compared", "category": "category",
        "verification": "verification", "target": "best target", "targets": "targets",
        "caveats": "caveats", "checks": "checks", "example": "example", "nothing": "none",
        "figures": "other figures or messages", "curated": "names that records map to",
        "others": "other names", "more": "{0} not shown; --names {1} lists them",
        "moved": "moved", "call": "call", "gone": "not ported",
    },
    "zh": {
        "records": "记录", "names": "名称", "evidence": "证据", "of": "{1} 条中有 {0} 条改变",
        "none": "均无改变", "appeared": "新增", "vanished": "消失",
        "deprecated": "弃用", "signatures": "签名改变",
        "unproved": "没有 {0} 的证据，因此不比较结论",
        "apart": "两者没有共同的环境，因此不比较结论",
        "category": "类别", "verification": "验证", "target": "首选接口", "targets": "对应接口",
        "caveats": "注意事项", "checks": "检查", "example": "示例", "nothing": "无",
        "figures": "数值或消息不同", "curated": "记录所对应的名称",
        "others": "其他名称", "more": "{0} 个未列出；用 --names {1} 列出全部",
        "moved": "位置改变", "call": "调用", "gone": "未转写",
    },
}  # fmt: skip
TABLES = {
    "en": {
        "values": "{} of {} samples agree",
        "gradients": "{} of {} gradients agree",
        "and": ", ",
    },
    "zh": {"values": "样例一致 {}/{}", "gradients": "梯度一致 {}/{}", "and": "，"},
}
CLAIMS = {
    "en": {"now": "now", "shown": "shown by", "stands": "stands in", "until": "since {}",
           "denies": "contradicts"},
    "zh": {"now": "现状", "shown": "证据", "stands": "出处", "until": "自 {} 起",
           "denies": "与之矛盾"},
}  # fmt: skip
MISSING = {
    "en": {
        "name": '"{0}" is not a name of PyTorch or MindSpore', "other": '"{0}" is not known',
        "torch": "{0} is known, but not curated yet",
        "mindspore": "{0} is known, but no record maps to it",
        "elsewhere": "MindSpore has {0} only{1}", "since": " since {0}", "until": " until {0}",
        "see": "{0}; look it up with `--mindspore {1}`", "guides": "guides: {0}",
        "nearest": "nearest: {0}", "told": "named in the records of {0}",
    },
    "zh": {
        "name": "PyTorch 与 MindSpore 均没有名称“{0}”", "other": "没有“{0}”",
        "torch": "{0} 已知，但尚无记录",
        "mindspore": "{0} 已知，但没有记录对应到它",
        "elsewhere": "MindSpore 仅{1}有 {0}", "since": "自 {0} 起", "until": "至 {0} 止",
        "see": "{0}；用 `--mindspore {1}` 查看", "guides": "指南：{0}",
        "nearest": "相近的名称：{0}", "told": "以下记录提到它：{0}",
    },
}  # fmt: skip


SCAN = {
    "en": {
        "title": "msmap scan", "files": "{0:,} file(s), {1:,} places that use PyTorch or may",
        "sure": "of them {0}", "more": " and {0:,} more", "comma": ", ",
        "unread": "{0:,} not read", "unused": "Comments that ignore nothing",
        "ignored": "{0:,} more are ignored by comments",
        "known": "{0:,} more are in the baseline",
        "gone": "{0:,} of the baseline are gone; write it again to leave them out",
        "all": "--all lists every place and all that is said of it",
        "status": "status", "places": "places", "cell": "cell {0}, line {1}",
        "names": "Names", "name": "name", "counterpart": "counterpart", "path": "file",
        "search": "search", "any": "all", "rule": "rule", "code": "code",
        "becomes": "becomes", "stays": "stays as it is", "mended": "the port sees to it",
        "show": "Show {0} more", "none": "nothing fits", "likely": "likely by its name",
        "ignored_word": "ignored", "known_word": "in the baseline", "language": "中文",
        "releases": "PyTorch {0}, MindSpore {1}", "device": "for {0}", "chart": "Shares",
        "script": "The list of places needs JavaScript.", "finding": "findings",
        "certainty": "certainty", "of": "{0} of {1}", "listed": "Places", "per_file": "Files",
    },
    "zh": {
        "title": "msmap scan", "files": "{0:,} 个文件，{1:,} 处使用或可能使用 PyTorch",
        "sure": "其中：{0}", "more": "，另有 {0:,} 处", "comma": "、",
        "unread": "{0:,} 个文件未能读取", "unused": "没有忽略任何内容的注释",
        "ignored": "另有 {0:,} 处由注释忽略",
        "known": "另有 {0:,} 处已在基线中",
        "gone": "基线中有 {0:,} 处已不存在；重新写入即可去掉",
        "all": "--all 列出每一处及其全部说明",
        "status": "状态", "places": "处数", "cell": "单元格 {0} 第 {1} 行",
        "names": "接口", "name": "接口名", "counterpart": "对应写法", "path": "文件",
        "search": "搜索", "any": "全部", "rule": "规则", "code": "代码",
        "becomes": "转写为", "stays": "保持不变", "mended": "转写时已处理",
        "show": "再显示 {0} 处", "none": "没有符合条件的位置", "likely": "按惯用名很可能是",
        "ignored_word": "已忽略", "known_word": "已在基线中", "language": "English",
        "releases": "PyTorch {0}，MindSpore {1}", "device": "面向 {0}", "chart": "占比",
        "script": "位置列表需要 JavaScript。", "finding": "发现",
        "certainty": "确定程度", "of": "{1} 处中的 {0} 处", "listed": "位置", "per_file": "文件",
    },
}  # fmt: skip

HOVER = {
    "en": {
        "none": "no counterpart", "may": "May be {0}.", "stays": "Stays as it is:",
        "probed": "found by running, nobody wrote it: {0} samples agree",
        "known": "known, but nobody wrote of it yet",
    },
    "zh": {
        "none": "没有对应接口", "may": "可能是 {0}。", "stays": "保持不变：",
        "probed": "由运行得出，未经人工整理：{0} 个样例一致",
        "known": "已知，但尚无记录",
    },
}  # fmt: skip

EDITOR = {
    "en": {
        "port": "Port {0} to {1}", "several": "Port {0} calls to MindSpore",
        "file": "Port this file to MindSpore", "page": "Open the page of {0}",
    },
    "zh": {
        "port": "将 {0} 转写为 {1}", "several": "将 {0} 处调用转写为 MindSpore",
        "file": "将此文件转写为 MindSpore", "page": "打开 {0} 的页面",
    },
}  # fmt: skip

SIDES = {
    "en": {"torch": "PyTorch", "mindspore": "MindSpore"},
    "zh": {"torch": "PyTorch 代码", "mindspore": "MindSpore 代码"},
}  # fmt: skip


def word(table: dict[str, tuple[str, str]], key: str, language: str) -> str:
    """A term of a vocabulary in a language."""
    return table[key][vocabulary.LANGUAGES.index(language)]


COMPARED = {
    "en": {
        "agrees": "agrees", "differs": "differs", "incomplete": "agrees, but not all was compared",
        "counts": (
            "tensors that agree: {4:,} of {2:,} "
            "(pairs of layers: {0:,}, calls: {1:,}, steps: {3:,})"
        ),
        "sides": "PyTorch {0}: {1}; MindSpore {2}: {3}",
        "first": "first", "then": "also",
        "stage": {
            "inputs": "inputs", "layers": "no partner", "state": "initial state", "mode": "mode",
            "arguments": "arguments", "forward": "forward", "loss": "loss",
            "gradient": "gradient", "optimizer": "optimizer", "buffers": "buffers after a step",
            "parameters": "parameters after a step",
        },
        "argument": "{0}={1} of PyTorch's is {2}={3}; found {2}={4}",
        "added": "{0} is to be {1}; found {2}",
        "cause": "{0}, caveat {1}", "none": "no caveat of the records explains it",
        "arguments": "shown by the arguments on both sides",
        "mode": "shown by the modes on both sides", "state": "shown by the state on both sides",
        "form": "said of this operation's other form; shown by the arguments on both sides",
        "unproved": "may be it: nothing recorded shows that it is",
        "confirmed": "its check {0} ran here: {1}",
        "known": "known, and no fault of the port", "between": "after {0}, which agrees",
        "model": "the model",
        "renamed": "{0} is {1} in MindSpore", "broken": "first not finite in {0}: {1}",
        "noise": "own noise", "depth": "calls in order",
        "chart": "Error by depth", "forward": "Outputs", "gradient": "Gradients",
        "rows": "Layers", "layer": "layer", "class": "class", "step": "step",
        "relative": "relative error", "title": "msmap compare", "status": "status",
        "findings": "What differs", "losses": "Losses", "nothing": "Nothing differs.",
    },
    "zh": {
        "agrees": "一致", "differs": "不一致", "incomplete": "已比较的均一致，但有内容未能比较",
        "counts": "{0:,} 对层、{1:,} 次调用、{3:,} 步中共 {2:,} 个张量：其中 {4:,} 个一致",
        "sides": "PyTorch {0}：{1}；MindSpore {2}：{3}",
        "first": "首个差异", "then": "此外",
        "stage": {
            "inputs": "输入", "layers": "无对应项", "state": "初始状态", "mode": "模式",
            "arguments": "构造参数", "forward": "前向", "loss": "损失", "gradient": "梯度",
            "optimizer": "优化器", "buffers": "单步后的缓冲区", "parameters": "单步后的参数",
        },
        "argument": "PyTorch 的 {0}={1} 应写作 {2}={3}，实际为 {2}={4}",
        "added": "{0} 应为 {1}，实际为 {2}",
        "cause": "{0} 的注意事项 {1}", "none": "记录中没有注意事项能解释此差异",
        "arguments": "由双方的构造参数证实", "mode": "由双方的模式证实",
        "form": "该算子另一种形式的注意事项，由双方的参数证实",
        "state": "由双方的状态证实", "unproved": "可能的原因：记录内容不足以证实",
        "confirmed": "已在此运行其检查 {0}：{1}",
        "known": "已知差异，并非移植错误", "between": "位于一致的 {0} 之后",
        "model": "模型",
        "renamed": "{0} 在 MindSpore 中为 {1}", "broken": "{0} 中首个非有限值：{1}",
        "noise": "自身噪声", "depth": "按调用顺序",
        "chart": "误差随深度的变化", "forward": "输出", "gradient": "梯度",
        "rows": "各层", "layer": "层", "class": "类", "step": "步",
        "relative": "相对误差", "title": "msmap compare", "status": "状态",
        "findings": "差异", "losses": "损失", "nothing": "没有差异。",
    },
}  # fmt: skip

WEIGHTS = {
    "en": {
        "counts": "tensors placed: {0:,}, without a place: {1:,}",
        "unset": "parameters left without a value: {0:,}",
        "key": "taken from {0}", "prefix": "{0} taken off all names",
        "left": "left in the file: {0}", "no_place": "Without a place",
        "no_value": "Without a value", "compared": "Both models with these weights",
        "placed": "Placed", "optimizer": "For {0}",
        "besides": "Written once, or of no use", "tied": "is {0}", "nearest": "nearest: {0}",
    },
    "zh": {
        "counts": "已放置的张量：{0:,}，未放置：{1:,}", "unset": "没有值的参数：{0:,}",
        "key": "取自 {0}", "prefix": "所有名称去掉了前缀 {0}",
        "left": "文件中未使用：{0}", "no_place": "未放置",
        "no_value": "没有值", "compared": "两个模型以这些权重运行的结果",
        "placed": "已放置", "optimizer": "用于 {0}",
        "besides": "只写一次或无用处", "tied": "即 {0}", "nearest": "相近名称：{0}",
    },
}  # fmt: skip
