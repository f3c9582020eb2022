"""What differs of some inputs, as a sentence made of what runs gave."""

from __future__ import annotations

from collections.abc import Collection

from msmap.probe.draft import stock
from msmap.probe.draft.stock import Said, Texts

# What is special about inputs, that first which explains most.
_KINDS: dict[str, Texts] = {
    "empty": {"en": "a tensor without elements", "zh": "没有元素的 Tensor"},
    "0-d": {"en": "a 0-d tensor", "zh": "0 维 Tensor"},
    "nonfinite": {"en": "an input with nan or inf", "zh": "含 nan 或 inf 的输入"},
    "non-contiguous": {"en": "a non-contiguous tensor", "zh": "非连续 Tensor"},
    "zeros": {"en": "zeros", "zh": "全零输入"},
    "size-1": {"en": "a tensor with an axis of size 1", "zh": "含大小为 1 的维的 Tensor"},
    "overflow": {"en": "the largest and smallest numbers", "zh": "最大和最小的数值"},
}
_SEE: Texts = {"en": ", see the check", "zh": "，见检查"}
# What happens: the word of an id, then both languages, sure and not.
_SILENT = {
    "differs": (
        "differs",
        ("For {of} the result is another one{see}.", "{of} 的结果不同{see}。"),
        ("For {of} the result can be another one{see}.", "{of} 的结果可能不同{see}。"),
    ),
    "dtype": (
        "gives-another-dtype",
        ("For {of} the result has another dtype{see}.",
         "{of} 的结果 dtype 不同{see}。"),
        ("For {of} the result can have another dtype{see}.",
         "{of} 的结果 dtype 可能不同{see}。"),
    ),
    "gradient_differs": (
        "gradient-differs",
        ("For {of} the gradient is another one{see}.", "{of} 的梯度不同{see}。"),
        ("For {of} the gradient can be another one{see}.",
         "{of} 的梯度可能不同{see}。"),
    ),
}  # fmt: skip
_RAISES = (
    "raises",
    ("For {of} the call raises {error}.", "{of} 会抛出 {error}。"),
    ("For {of} the call can raise {error}{see}.", "{of} 可能抛出 {error}{see}。"),
)
_GRADIENT_RAISES = (
    "gradient-raises",
    ("For {of} the gradient raises {error}.", "对 {of} 求梯度会抛出 {error}。"),
    ("For {of} the gradient can raise {error}{see}.",
     "对 {of} 求梯度可能抛出 {error}{see}。"),
)  # fmt: skip
_ERRORS = {"raises": _RAISES, "no_kernel": _RAISES, "gradient_raises": _GRADIENT_RAISES}
# What is said where neither dtypes nor kinds tell the inputs that raise from others.
_SOME: dict[str, Texts] = {
    "raises": {
        "en": "Some calls raise {error}{see}.", "zh": "部分调用会抛出 {error}{see}。",
    },
    "gradient-raises": {
        "en": "The gradient of some calls raises {error}{see}.",
        "zh": "部分调用求梯度会抛出 {error}{see}。",
    },
}  # fmt: skip


def about(
    what: str, dtypes: Collection[str], kinds: Collection[str], error: str, whole: bool,
    instead: Texts | None = None, shown: bool = True,
) -> Said | None:  # fmt: skip
    """What is said of inputs of some dtypes or kinds of which nothing more is known.

    Args:
        what: what happens, one of ``vocabulary.PROBE_OUTCOMES``; ``dtype`` where the result's dtype
            alone differs.
        dtypes: those of the inputs.
        kinds: what is special about all of them.
        error: the error's type; "" if there is none.
        whole: whether it happens to all inputs of the dtypes.
        instead: what to write, where a way was found; else what is silent is left to a person.
        shown: whether a check of its own shows it.

    Returns:
        the sentence; None where there is none, or nothing tells the inputs from others.
    """
    if what not in _SILENT and (what not in _ERRORS or not error):
        return None
    word, sure, unsure = _SILENT[what] if what in _SILENT else _ERRORS[what]
    kind = next((k for k in _KINDS if k in kinds), "")
    named = bool(dtypes) and "float32" not in dtypes and not stock.many(dtypes)
    if not named and not kind and word not in _SOME:
        return None
    en, zh = sure if whole and named and not kind else unsure
    texts = {"en": en, "zh": zh} if named or kind else _SOME[word]
    advice = instead or (stock.TEXTS if what in _SILENT else {"en": "", "zh": ""})
    made = {}
    for language, text in texts.items():
        of = _of(dtypes if named else (), kind, language)
        see = _SEE[language] if shown else ""
        made[language] = f"{text.format(of=of, error=error, see=see)} {advice[language]}"
    name = "-".join(filter(None, (word, kind, stock.slug(dtypes) if named else "")))
    impact = "silent" if what in _SILENT else "error"
    made["zh"] = made["zh"].replace("。 ", "。")
    return Said(name, impact, {n: stock.joined(text.strip()) for n, text in made.items()})


def _of(dtypes: Collection[str], kind: str, language: str) -> str:
    """The inputs that it happens to."""
    what = _KINDS[kind][language] if kind else ""
    if not dtypes:
        return what
    if language == "en":
        named = stock.listed(dtypes, "and")
        return f"{what} of {named}" if kind else named
    named = stock.listed(dtypes, "与", "、")
    return f"{named} 的 {what}" if kind else named
