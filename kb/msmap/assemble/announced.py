"""What MindSpore's documentation announces of the APIs that a target writes: that they go."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msmap import model
from msmap.signatures.release import Signatures

_NAME = re.compile(r"\bmindspore(?:\.\w+)+")
# A change that isn't compatible is announced in the same place, and is no removal.
_GOES = re.compile(r"^(?!Non-backward).*\bremoved\b")
_AFTER = re.compile(r"after version ([\d.]*\d)")
_INSTEAD = re.compile(r"use (?:the api )?`?(mindspore[\w.]*\w)`? instead")


def written(api: str | None, expression: str | None) -> tuple[str, ...]:
    """The names of MindSpore that a target writes, its own first."""
    return tuple(dict.fromkeys([*([api] if api else []), *_NAME.findall(expression or "")]))


def instead(note: str) -> str:
    """What an announcement names to be used instead; "" if it names nothing."""
    found = _INSTEAD.search(note)
    return found[1] if found else ""


def removals(api: str | None, expression: str | None, release: Signatures) -> Iterator[model.Text]:
    """A sentence for each API of a target that is announced to go, with what is named instead."""
    for name in written(api, expression):
        found = release.apis.get(name)
        if found is None or not _GOES.search(found.deprecated):
            continue
        after, other = _AFTER.search(found.deprecated), instead(found.deprecated)
        en = f"MindSpore announces that {name} is removed after {after[1]}" if after else (
            f"MindSpore announces that {name} will be removed"
        )  # fmt: skip
        zh = f"MindSpore 已宣布 {name} 将在 {after[1]} 之后移除" if after else (
            f"MindSpore 已宣布将移除 {name}"
        )  # fmt: skip
        yield model.Text(
            f"{en}; it names {other} instead." if other else f"{en}.",
            f"{zh}，官方建议改用 {other}。" if other else f"{zh}。",
        )
