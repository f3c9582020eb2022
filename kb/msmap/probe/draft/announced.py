"""The caveat of targets that MindSpore announced to remove, with what to write instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msmap.assemble import announced
from msmap.curated import schema
from msmap.lint.rules.announced import TOLD, going
from msmap.probe.draft import stock
from msmap.signatures.files import Api


def caveats(
    targets: Sequence[Mapping[str, Any]], others: Sequence[str], apis: Mapping[str, Api]
) -> list[dict[str, Any]]:
    """The caveat of what goes; none if nothing does.

    Args:
        targets: those of a record, as data.
        others: other APIs that agree wherever the best target does.
        apis: MindSpore's names.
    """
    found = {n: note for t in targets for n, note in going(schema.Target(**t), apis)}
    if not found:
        return []
    stay = [o for o in others if not list(going(schema.Target(api=o), apis))]
    said = [_said(name, announced.instead(note), stay, apis) for name, note in found.items()]
    english, chinese = stock.listed(found, "and"), stock.listed(found, "与", "、")
    return [{
        "id": TOLD, "impact": "note", "when": "elsewhere", "own": True,
        "text": {"en": " ".join(en for en, _ in said), "zh": "".join(zh for _, zh in said)},
        "unverified": {
            "en": f"It is announced in the documentation of {english}.",
            "zh": stock.joined(f"该移除由 {chinese} 的文档宣布。"),
        },
    }]  # fmt: skip


def _said(name: str, named: str, stay: Sequence[str], apis: Mapping[str, Api]) -> tuple[str, str]:
    """What is said of one name: that it goes, and what stays that does the same."""
    instead = named if named in apis else next(iter(stay), "")
    en, zh = f"{name} is announced to be removed.", f"{name} 已宣布将移除。"
    if not instead:
        return f"{en} {stock.TODO}", f"{zh}{stock.TODO}"
    return f"{en} Use {instead}.", f"{zh}请改用 {instead}。"
