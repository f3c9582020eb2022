"""What MindSpore announced to remove, as a caveat of a draft."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.builders.support import function

from msmap.probe.draft import announced
from msmap.signatures.files import Api

NOTE = "This interface is deprecated and will be removed after version 2.9.0."
OLD, NEW = "mindspore.ops.old", "mindspore.ops.new"


def apis(note: str) -> dict[str, Api]:
    return {OLD: replace(function(OLD, "(x)"), deprecated=note), NEW: function(NEW, "(x)")}


@pytest.mark.parametrize(
    ("note", "others", "wanted"),
    [
        ("", [], None),
        ("Non-backward-compatible change of x.", [], None),
        (NOTE, [], ("TODO", "TODO")),
        (NOTE, [NEW], (f"Use {NEW}.", f"请改用 {NEW}。")),
        # What goes too is no help.
        (NOTE, [OLD], ("TODO", "TODO")),
        (f"{NOTE} Please use {NEW} instead.", [], (f"Use {NEW}.", f"请改用 {NEW}。")),
    ],
)  # fmt: skip
def test_what_goes_is_told_with_what_stays(
    note: str, others: list[str], wanted: tuple[str, str] | None
) -> None:
    found = announced.caveats([{"api": OLD}, {"api": NEW}], others, apis(note))
    texts = [(one["id"], one["text"], one["unverified"]) for one in found]
    assert texts == [] if wanted is None else [(
        "goes-in-a-later-release",
        {"en": f"{OLD} is announced to be removed. {wanted[0]}",
         "zh": f"{OLD} 已宣布将移除。{wanted[1]}"},
        {"en": f"It is announced in the documentation of {OLD}.",
         "zh": f"该移除由 {OLD} 的文档宣布。"},
    )]  # fmt: skip
