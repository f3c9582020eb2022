"""Which of many names MindSpore lacks, printed as JSON; beside the framework."""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any


def found(name: str) -> bool:
    """Whether a dotted name is there, after the import of the modules that it names."""
    parts = name.split(".")
    value: Any = importlib.import_module(parts[0])
    for end, part in enumerate(parts[1:], 2):
        if not hasattr(value, part):
            try:
                importlib.import_module(".".join(parts[:end]))
            except ImportError:
                return False
        value = getattr(value, part, None)
    return value is not None


if __name__ == "__main__":
    lacking = [name for name in json.load(sys.stdin) if not found(name)]
    sys.stdout.write(f"\n{json.dumps(lacking)}\n")
