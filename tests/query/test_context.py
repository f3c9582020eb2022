"""Words in context: the part of a text that has most of what was looked for."""

from __future__ import annotations

import pytest

from msmap.model import Text
from msmap.query.search import snippet as context
from msmap.query.search import tokens as words

DOCUMENT = {
    "summary": {"en": "Zeroes elements.", "zh": "随机置零。"},
    "caveats": [
        {"text": {"en": "The rate is dropped.", "zh": "丢弃率不同。"}},
        {"text": {"en": "The rate decays" + 20 * " and decays", "zh": "学习率衰减。"}},
    ],
    "checks": [{"note": {"en": "optimizer", "zh": "优化器"}}],
}


@pytest.mark.parametrize(
    ("text", "en", "zh"),
    [
        ("dropping", "The rate is dropped.", ""),
        ("rate", "The rate is dropped.", ""),
        ("decay rate",
         f"The rate decays{7 * ' and decays'}…",
         ""),
        ("丢弃", "", "丢弃率不同。"),
        ("zeroes", "", ""),
        ("optimizer", "", ""),
        ("nothing", "", ""),
    ],
)  # fmt: skip
def test_the_text_with_most_of_the_words(text: str, en: str, zh: str) -> None:
    sought = context.sought(words.terms(text, {}))
    title = Text("Zeroes elements.", "随机置零。")
    assert context.around(DOCUMENT, title, sought) == Text(en, zh)
