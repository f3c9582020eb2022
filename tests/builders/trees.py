"""Trees of files as texts show them, each below its path, and what becomes of them."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

from tests.builders import marked

from msmap.assemble.base import Base
from msmap.infer.modules import Modules
from msmap.port.rewrite import rewrite

_FILE = re.compile(r"^== (\S+)\n", re.MULTILINE)


def files(text: str) -> dict[str, str]:
    """The files that a text shows, each below its path."""
    _, *parts = _FILE.split(dedent(text).lstrip("\n"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def written(folder: Path, found: dict[str, str]) -> list[Path]:
    """The files as users wrote them, below a folder."""
    paths = []
    for name, text in found.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(marked.source(text))
        paths.append(path)
    return paths


def ported(folder: Path, found: dict[str, str], facts: Base) -> dict[str, str | None]:
    """What becomes of each file."""
    paths = written(folder, found)
    modules = Modules([path for path in paths if path.suffix == ".py"], facts)
    places = {str(path.relative_to(folder)): modules.at(path) for path in paths}
    return {
        name: rewrite(at.text, facts, place=at, imports=False).code for name, at in places.items()
    }
