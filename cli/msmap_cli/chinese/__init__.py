"""What the command line says, in Chinese, by what it says in English; {} stands for a value."""

from __future__ import annotations

from msmap_cli.chinese import comparing, helps, messages, site, weights

TEXTS = {
    text: told
    for part in (comparing, helps, messages, site, weights)
    for text, told in (part.HELPS | part.MESSAGES).items()
}
