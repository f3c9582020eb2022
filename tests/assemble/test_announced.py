"""What is told of a target whose API MindSpore announces to remove."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders.support import base, function

from msmap.model import Text
from msmap.signatures.files import Api

GOES = [
    Api(
        "mindspore.ops.old",
        "function",
        ("(x)",),
        deprecated="It will be removed after version 2.9.0.",
    ),
    Api(
        "mindspore.ops.named",
        "function",
        ("(x)",),
        deprecated="It will be removed, please use the api mindspore.ops.new instead.",
    ),
    Api(
        "mindspore.ops.changed",
        "function",
        ("(x)",),
        deprecated="Non-backward-compatible change after version 2.9.0: seed will be removed.",
    ),
    Api("mindspore.ops.discouraged", "function", ("(x)",), deprecated="Use another one."),
    function("mindspore.ops.new", "(x)"),
]
OLD = Text(
    "MindSpore announces that mindspore.ops.old is removed after 2.9.0.",
    "MindSpore 已宣布 mindspore.ops.old 将在 2.9.0 之后移除。",
)
NAMED = Text(
    "MindSpore announces that mindspore.ops.named will be removed; it names mindspore.ops.new"
    " instead.",
    "MindSpore 已宣布将移除 mindspore.ops.named，官方建议改用 mindspore.ops.new。",
)


@pytest.mark.parametrize(
    ("target", "note"),
    [
        ("{api: mindspore.ops.old}", OLD),
        ("{api: mindspore.ops.named}", NAMED),
        ("{api: mindspore.ops.changed}", None),
        ("{api: mindspore.ops.discouraged}", None),
        ("{api: mindspore.ops.new}", None),
        ('{expression: "mindspore.ops.new(mindspore.ops.old({x}))", id: it}', OLD),
        (
            "{api: mindspore.ops.old, note: {en: Faster., zh: 更快。}}",
            Text(f"Faster. {OLD.en}", f"更快。{OLD.zh}"),
        ),
    ],
)
def test_a_target_says_that_its_api_is_to_go(
    target: str, note: Text | None, tmp_path: Path
) -> None:
    torch = [function("torch.f", "(x)")]
    made = base(tmp_path, torch, GOES, ("torch.f", f"targets: [{target}]\n"))
    assert made.records["torch.f"].targets[0].note == note
