"""Tables of pairs of names that others publish, and what running each pair showed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msmap.model import Text
from msmap.probed import Difference, Tally
from msmap.vocabulary import VERDICTS

Says = Literal[
    "same", "pair", "page", "names", "types", "order", "defaults", "lacks", "adds", "overloads",
    "only",
]  # fmt: skip

# What a table says of a pair, in our words.
SAYS: dict[str, tuple[str, str]] = {
    "same": ("consistent", "功能一致"),
    "pair": ("named as the counterpart", "列为对应 API"),
    "page": ("differs, as a page of its own says", "存在差异，另有页面说明"),
    "names": ("consistent, parameters have other names", "功能一致，参数名不同"),
    "types": ("consistent, parameters have other types", "功能一致，参数类型不同"),
    "order": ("consistent, other number or order of parameters", "功能一致，参数个数或顺序不同"),
    "defaults": ("consistent, other defaults", "功能一致，参数默认值不同"),
    "lacks": ("consistent, MindSpore lacks parameters", "功能一致，MindSpore 缺少参数"),
    "adds": ("consistent, MindSpore has more parameters", "功能一致，MindSpore 多出参数"),
    "overloads": ("consistent, other overloads", "功能一致，重载形式不同"),
    "only": ("MindSpore's alone", "MindSpore 独有"),
}

# Whether what a table says of a pair is so.
ROW_VERDICTS: dict[str, tuple[str, str]] = {
    "holds": VERDICTS["holds"],
    "partly": ("holds where it gives a result", "有结果时成立"),
    "refuted": VERDICTS["refuted"],
    "held_until": VERDICTS["held_until"],
    "not_testable": VERDICTS["not_testable"],
}

# What was found of a pair.
FINDINGS: dict[str, tuple[str, str]] = {
    "agrees": ("every sample agrees", "所有样例一致"),
    "raises": ("results agree, some samples raise", "结果一致，部分样例报错"),
    "differs": ("some samples give another result", "部分样例结果不同"),
    "no_kernel": ("no kernel on this device", "此设备无内核"),
    "unwritten": ("no sample can be written for it", "没有样例可以转写"),
    "gone": ("not in this release of MindSpore", "此 MindSpore 版本中不存在"),
    "unknown_name": ("PyTorch has no such name", "PyTorch 中没有该名称"),
    "known_name": ("PyTorch has it too", "PyTorch 中也有"),
    "other_library": ("of another library than PyTorch", "不属于 PyTorch 本身"),
    "untried": ("nothing was run", "未运行"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table and what running the pair showed.

    ``torch`` is "" where the table says that PyTorch has none; ``parameters`` are those that it
    names. ``says``, ``verdict`` and ``finding`` are of ``SAYS``, ``ROW_VERDICTS`` and ``FINDINGS``.
    ``values`` and ``gradients`` count samples that agreed, of those tried; ``sample`` is the call
    that shows best what differs, where some does.
    """

    table: str
    torch: str
    mindspore: str
    says: str
    parameters: tuple[str, ...]
    verdict: str
    finding: str
    values: Tally
    gradients: Tally
    sample: Difference | None


@dataclass(frozen=True, slots=True)
class Table:
    """A published table, the MindSpore release that it was written for, and its rows by verdict."""

    id: str
    title: Text
    mindspore: str
    url: str
    verdicts: dict[str, int]
