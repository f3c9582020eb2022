"""How a word of a vocabulary is coloured, wherever it stands: the style sheets know tones alone."""

from __future__ import annotations

TONES = {
    "no_params": "good", "identical": "good", "renamed_params": "fair",
    "target_more_params": "fair", "default_differs": "bad", "source_more_params": "warn",
    "input_usage_differs": "warn",
    "input_type_differs": "warn", "return_differs": "warn", "behaviour_differs": "bad",
    "composite": "other", "removable": "fair", "missing": "dim",
    "verified": "good", "verified_with_tolerance": "fair", "verified_forward_only": "fair",
    "diverges_documented": "other", "refuted": "bad", "inconclusive": "warn",
    "untestable": "warn", "unverified": "dim", "stale": "dim",
    "agrees": "good", "forward_only": "fair", "no_kernel": "warn", "raises": "warn",
    "differs": "bad", "refused": "dim",
    "silent": "bad", "error": "warn", "speed": "warn", "note": "dim",
    "same": "good", "renamed": "fair", "value_transformed": "bad", "reordered": "bad",
    "type_differs": "warn", "merged": "warn", "split": "warn", "target_only_must_set": "warn",
    "moved_to_constructor": "warn", "moved_to_method": "warn",
    "accepted_ignored": "bad", "source_only_unsupported": "warn", "source_only_rewrite": "warn",
    "target_only_keep_default": "fair", "source_only_droppable": "fair", "universal_absent": "dim",
    "holds": "good", "held_until": "warn", "not_testable": "dim",
}  # fmt: skip


def tone(key: str) -> str:
    """The tone of a word of any vocabulary; ``plain`` if it is neither good nor bad."""
    return TONES.get(key, "plain")
