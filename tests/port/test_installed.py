"""Installed sources, as files that nobody wrote for these tests: every port is sound."""

from __future__ import annotations

import ast
import io
import shutil
import tokenize
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.builders.rerun import runs

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


# Of MindSpore's and NumPy's much looks like PyTorch's, of Python's own little.
INSTALLED = {
    "torch": (
        "ao", "autograd", "backends", "cuda", "distributed", "distributions", "export", "func",
        "fx", "jit", "nn", "onnx", "optim", "profiler", "sparse", "testing", "utils", "_dynamo",
        "_inductor", "_refs", "masked", "package", "quantization",
    ),
    "mindspore": (
        "boost", "common", "communication", "dataset", "experimental", "mint", "nn", "numpy", "ops",
        "parallel", "profiler", "scipy", "train",
    ),
    "numpy": ("core", "fft", "lib", "linalg", "ma", "polynomial", "random", "testing"),
    "python": ("asyncio", "concurrent", "email", "json", "logging", "unittest", "xml"),
}  # fmt: skip


def folder(package: str, part: str) -> Path:
    """Where a part of an installed package stands."""
    spec = find_spec(part if package == "python" else package)
    assert spec is not None
    assert spec.submodule_search_locations
    found = Path(spec.submodule_search_locations[0])
    return found if package == "python" else found / part


@pytest.mark.moving(1, "package")
@pytest.mark.parametrize(
    ("package", "part"),
    [(package, part) for package, parts in INSTALLED.items() for part in parts],
)
def test_a_second_run_changes_nothing(
    package: str, part: str, facts: KnowledgeBase, tmp_path: Path
) -> None:
    """In a tree, where files are ported by what is known of others, with the comments in them."""
    taken = tmp_path / part
    shutil.copytree(
        folder(package, part),
        taken,
        ignore=lambda at, names: [
            name for name in names if not (name.endswith(".py") or Path(at, name).is_dir())
        ],
    )
    once = runs(taken, facts)
    assert once != {}
    again = runs(taken, facts)
    assert {name: text for name, text in again.items() if once[name] != text} == {}
