"""The closed vocabularies of scanning, in both languages."""

from __future__ import annotations

from typing import Literal, get_args

from msmap.vocabulary import REFUSALS

# What is known of a place: it is PyTorch's; it may be; it is, and msmap doesn't know the name.
Certainty = Literal["certain", "possible", "unknown"]
# What porting makes of it: nothing to do; to be looked at; no counterpart; not understood.
Status = Literal["ready", "care", "missing", "unclear"]

CERTAINTIES: dict[str, tuple[str, str]] = {
    "certain": ("certain", "确定"),
    "possible": ("possible", "可能"),
    "unknown": ("unknown", "未知"),
}
# The worst first.
STATUSES: dict[str, tuple[str, str]] = {
    "missing": ("no counterpart", "没有对应接口"),
    "care": ("needs care", "需要留意"),
    "unclear": ("not understood", "未能理解"),
    "ready": ("ports as is", "可直接转写"),
}

# By the rule's id, what it is about; REFUSALS of the rewriter, spelt with hyphens, besides.
_OWN: dict[str, tuple[str, str]] = {
    "silent-caveat": ("another result, without an error", "结果不同而不报错"),
    "caveat": ("something to know of this call", "该调用有须知事项"),
    "note": ("the port says something", "转写时有说明"),
    "unread": ("a file that can't be read", "无法读取的文件"),
    "unused-ignore": ("a comment that ignores nothing", "没有忽略任何内容的注释"),
}
RULES: dict[str, tuple[str, str]] = {
    **_OWN,
    **{kind.replace("_", "-"): words for kind, words in REFUSALS.items()},
}

# Which refusals say that something wasn't understood; of the others a person knows what to do.
_UNCLEAR = ("possible", "unknown_name", "no_record", "ambiguous", "unpacked", "no_overload")
_UNKNOWN = ("unknown_name", "no_record")

# What --fail-on takes besides rules.
WORDS = ("any", *get_args(Status)[1:], *get_args(Certainty)[1:])


def status(kind: str) -> Status:
    """What a refusal of that kind comes to."""
    if kind == "missing":
        return "missing"
    return "unclear" if kind in _UNCLEAR else "care"


def certainty(kind: str) -> Certainty:
    """What a refusal of that kind, or none, says of what stands there."""
    if kind == "possible":
        return "possible"
    return "unknown" if kind in _UNKNOWN else "certain"
