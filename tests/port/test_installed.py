"""PyTorch's own sources, as files that nobody wrote for these tests: every port is sound."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from msmap.port.rewrite import rewrite
from msmap.query.knowledge_base import KnowledgeBase

pytestmark = pytest.mark.frameworks


def comments(code: str) -> Counter[str]:
    words = tokenize.generate_tokens(io.StringIO(code).readline)
    return Counter(word.string for word in words if word.type == tokenize.COMMENT)


def fault(text: str, facts: KnowledgeBase) -> str:
    """What is wrong with the port of a file; "" if nothing."""
    code = rewrite(text, facts).code or ""
    try:
        ast.parse(code)
    except SyntaxError as error:
        return f"doesn't parse: {error}"
    if comments(code) != comments(text):
        return "comments are lost"
    return "" if rewrite(code, facts).code == code else "a second run changes it"


@pytest.mark.moving(1)
@pytest.mark.parametrize("part", ["nn", "optim", "distributions"])
def test_it_parses_keeps_comments_and_stays(part: str, facts: KnowledgeBase) -> None:
    spec = find_spec("torch")
    assert spec is not None
    folders = spec.submodule_search_locations or []
    files = [path for folder in folders for path in sorted(Path(folder, part).rglob("*.py"))]
    assert files
    found = {path.name: fault(path.read_text(encoding="utf-8"), facts) for path in files}
    assert {name: text for name, text in found.items() if text} == {}
