"""What the command line says, in Chinese, by what it says in English; {} stands for a value."""

from __future__ import annotations

from msmap import phrases
from msmap_cli.chinese import comparing, helps, lint, messages, site, weights

TEXTS: dict[str, str] = {
    **phrases.CHINESE,
    **helps.HELPS,
    **messages.MESSAGES,
    **comparing.HELPS,
    **comparing.MESSAGES,
    **lint.RULES,
    **lint.MESSAGES,
    **lint.PARTS,
    **lint.FILES,
    **site.HELPS,
    **site.MESSAGES,
    **weights.HELPS,
    **weights.MESSAGES,
}
