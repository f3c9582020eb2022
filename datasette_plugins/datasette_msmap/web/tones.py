"""How a word of a vocabulary is coloured, wherever it stands: the style sheets know tones alone."""

from __future__ import annotations

from msmap.vocabulary import OUTCOMES, RELATIONS

TONES = {
    "no_params": "good", "identical": "good", "renamed_params": "fair",
    "target_more_params": "fair", "default_differs": "bad", "source_more_params": "warn",
    "input_usage_differs": "warn",
    "input_type_differs": "warn", "return_differs": "warn", "behaviour_differs": "bad",
    "composite": "other", "removable": "fair", "missing": "dim",
    **{name: row.tone for name, row in OUTCOMES.items()},
    "agrees": "good", "forward_only": "fair", "no_kernel": "warn", "raises": "warn",
    "differs": "bad", "refused": "dim",
    "silent": "bad", "error": "warn", "speed": "warn", "note": "dim",
    **{name: row.tone for name, row in RELATIONS.items()},
    "accepts": "warn", "in_place": "bad", "gradient_raises": "warn", "gradient_differs": "bad",
    "timeout": "bad", "crash": "bad",
    "curated": "good", "probed": "other", "known": "dim",
    "holds": "good", "partly": "fair", "held_until": "warn", "not_testable": "dim",
}  # fmt: skip


def tone(key: str) -> str:
    """The tone of a word of any vocabulary; ``plain`` if it is neither good nor bad."""
    return TONES.get(key, "plain")
