"""Trees of installed sources, ported twice: a second run changes nothing."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.builders.rerun import runs

from msmap.query.knowledge_base import KnowledgeBase

pytestmark = pytest.mark.frameworks

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
    assert [name for name in again if again[name] != once[name]] == []
