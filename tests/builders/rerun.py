"""Folders ported in place, as `msmap port --write` does it: again and again."""

from __future__ import annotations

from pathlib import Path

from msmap.code import files
from msmap.infer.modules import Modules
from msmap.model import Unread
from msmap.port import project
from msmap.query.knowledge_base import KnowledgeBase
from msmap.vocabulary import Language


def runs(folder: Path, facts: KnowledgeBase, language: Language = "en") -> dict[str, str]:
    """The texts of a folder's files once it is ported, each with the others as they were.

    Raises:
        AssertionError: what became of a file is no Python.
    """
    paths = sorted(folder.rglob("*.py"))
    modules = Modules(paths, facts, lambda path: files.read(path).text)
    every = {path: project.port(path, modules, language) for path in paths}
    texts: dict[str, str] = {}
    for path, done in every.items():
        name = path.relative_to(folder).as_posix()
        if isinstance(done, Unread):
            assert done.kind != "spoiled", done
        elif done.changes:
            path.write_bytes(done.file.bytes(done.text))
        texts[name] = path.read_bytes().decode("utf-8", "replace")
    return texts
