"""What the command line says, in Chinese, by what it says in English; {} stands for a value."""

from __future__ import annotations

from msmap_cli.chinese.helps import HELPS
from msmap_cli.chinese.messages import MESSAGES

TEXTS = HELPS | MESSAGES
