"""What a change between two releases means for code: what of MindSpore, and what of the record."""

from __future__ import annotations

from collections.abc import Iterator

from msmap.query.base.name_drift import SignatureDrift
from msmap.query.base.record_drift import CheckDrift, RecordDrift
from msmap.vocabulary import OUTCOMES, VARIANT_OUTCOMES

# What a change means for code, the worst first. MindSpore itself changed in all but the last two:
# in "record" only what is told of it, in "figures" nothing but rounding and messages.
BEARINGS: dict[str, tuple[str, str]] = {
    "breaks": ("What breaks your code", "会使代码出错的变化"),
    "numbers": ("What changes your numbers", "会改变数值的变化"),
    "going": ("What is to go", "将被移除的接口"),
    "mended": ("What was mended", "已修复的问题"),
    "new": ("What is new", "新增内容"),
    "record": ("What records say otherwise", "记录内容的变化"),
    "figures": ("Only figures or messages differ", "仅数值或消息不同"),
}
_EFFECTS = {
    "lost": "breaks", "unported": "breaks", "gained": "new", "target": "record",
    "category": "record", "port": "record", "record": "record",
}  # fmt: skip
_VARIANTS = list(VARIANT_OUTCOMES)


def of_record(found: RecordDrift) -> str:
    """What happens to a record means, at worst: a key of ``BEARINGS``."""
    told = set(_told(found))
    return next(bearing for bearing in BEARINGS if bearing in told)


def _told(found: RecordDrift) -> Iterator[str]:
    if found.effect in ("lost", "unported", "gained"):
        yield _EFFECTS[found.effect]
    for check in found.changed:
        yield from _of_check(check)
    yield _EFFECTS.get(found.effect, "figures")


def _of_check(check: CheckDrift) -> Iterator[str]:
    """What came out otherwise of the same call.

    Where it did not run with one of the releases, or is ported otherwise, nothing is known.
    """
    if check.port is not None:
        return
    if check.outcome is not None:
        before, after = check.outcome.before, check.outcome.after
        if "unverified" not in (before, after):
            yield "mended" if OUTCOMES[after].worth > OUTCOMES[before].worth else "numbers"
    for pair in check.variants.values():
        if pair.before in _VARIANTS and pair.after in _VARIANTS:
            if _VARIANTS.index(pair.after) < _VARIANTS.index(pair.before):
                yield "mended"
            else:
                yield "breaks" if pair.after in ("raises", "no_kernel") else "numbers"


def of_signature(found: SignatureDrift) -> str:
    """What another signature means: parameters that are gone break calls, defaults change them."""
    if found.went or found.moved or found.overloads.lost:
        return "breaks"
    return "numbers" if found.defaults else "new"
