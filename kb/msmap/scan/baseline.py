"""Findings that were there before, in a file that people keep beside their code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from msmap import atomic
from msmap.errors import MsmapError
from msmap.scan.report import Site

_VERSION = 1


class BadBaseline(MsmapError):
    """A file is no baseline; the message names it and says why."""


def read(path: Path) -> frozenset[tuple[str, str]]:
    """The fingerprints of known findings, each with its rule.

    Raises:
        BadBaseline: the file isn't one.
        OSError: it can't be read.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        content = json.loads(text)
        if content["version"] != _VERSION:
            raise BadBaseline(
                f"{path}: version {content['version']}, {_VERSION} is read; write it again"
            )
        return frozenset((str(f["fingerprint"]), str(f["rule"])) for f in content["findings"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadBaseline(
            f"{path}: no baseline; `msmap scan PATH --write-baseline {path}` writes one"
        ) from None


def write(path: Path, sites: Iterable[Site]) -> int:
    """Keep all findings that no comment ignores; how many they are.

    Raises:
        OSError: the file can't be written.
    """
    found = [
        {"path": s.path, "api": "|".join(s.apis), "rule": s.rule, "fingerprint": s.fingerprint}
        for s in sites
        if s.rule and s.state != "ignored"
    ]
    # A line each, so that a version control shows which came and went.
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in found)
    body = f"[\n{lines}\n]" if lines else "[]"
    atomic.write(path, f'{{"version": {_VERSION}, "findings": {body}}}\n')
    return len(found)
