"""What is said where nothing is known of a name."""

from __future__ import annotations

import pytest

from msmap.model import Api
from msmap.render import missing

PAST = Api(
    "mindspore.nn.Old", "mindspore", "2.8.0", "class", (), (), (), "", since="2.7.0", until="2.8.0"
)


@pytest.mark.parametrize(
    ("known", "elsewhere", "kind", "en", "zh"),
    [
        (None, None, "name", '"x" is not a name of PyTorch or MindSpore',
         "PyTorch 与 MindSpore 均没有名称“x”"),
        (None, None, "other", '"x" is not known', "没有“x”"),
        ("torch.x", None, "name", "torch.x is known, but not curated yet",
         "torch.x 已知，但尚无记录"),
        ("mindspore.x", None, "name", "mindspore.x is known, but no record maps to it",
         "mindspore.x 已知，但没有记录对应到它"),
        (None, PAST, "name", "MindSpore has mindspore.nn.Old only since 2.7.0 until 2.8.0",
         "MindSpore 仅自 2.7.0 起至 2.8.0 止有 mindspore.nn.Old"),
    ],
)  # fmt: skip
def test_the_reason_is_a_sentence(
    known: str | None, elsewhere: Api | None, kind: str, en: str, zh: str
) -> None:
    said = [missing.words("x", language, known, elsewhere, kind) for language in ("en", "zh")]
    assert said == [en, zh]


def test_what_may_help_follows_line_by_line() -> None:
    assert list(missing.lines("x", "en", None, PAST, ("modes",), ("torch.y", "torch.z"))) == [
        "MindSpore has mindspore.nn.Old only since 2.7.0 until 2.8.0;"
        " look it up with `--mindspore 2.8.0`",
        "guides: modes",
        "nearest: torch.y, torch.z",
    ]
