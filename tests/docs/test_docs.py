"""The documents say what the program does: what they show is printed by it."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from msmap import contracts

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = contracts.schemas()
EXAMPLES = [
    path.relative_to(ROOT)
    for source in ("kb", "cli", "datasette_plugins")
    for path in sorted((ROOT / source).rglob("*.py"))
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_what_the_documents_show_is_what_the_program_prints() -> None:
    """`cog -I docs -r README.md docs/*.md` would change nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "cogapp", "--check", "-I", "docs", *map(str, PAGES)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("path", EXAMPLES, ids=str)
def test_examples_of_docstrings_give_what_they_say(path: Path) -> None:
    """Every ``>>>`` in the code runs."""
    module = importlib.import_module(".".join(path.with_suffix("").parts[1:]))
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 0) == (0, True)


def test_the_picture_of_a_session_is_current() -> None:
    """`python docs/recorded.py` would change nothing."""
    done = subprocess.run(
        [sys.executable, "-c", "import recorded; print(recorded.svg(), end='')"],
        cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8",
        env=os.environ | {"PYTHONPATH": str(ROOT / "docs"), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.stdout == (ROOT / "docs" / "session.svg").read_text(encoding="utf-8")


def test_every_command_is_documented() -> None:
    """docs/cli.md has a heading for each command of `msmap --help`."""
    done = subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", "--help"],
        capture_output=True, text=True, check=True, env={"TYPER_USE_RICH": "0", "PATH": ""},
    )  # fmt: skip
    listed = done.stdout[done.stdout.index("Commands:") :]
    commands = set(re.findall(r"^  ([a-z]+)", listed, re.MULTILINE))
    headings = re.findall(r"^## (\w+)$", (ROOT / "docs" / "cli.md").read_text(), re.MULTILINE)
    assert set(headings) == commands


@pytest.mark.parametrize("name", SCHEMAS)
def test_shipped_schema_is_current(name: str) -> None:
    """`msmap schema --write kb/msmap/schemas` would change nothing."""
    shipped = contracts.SHIPPED / f"{name}.json"
    assert shipped.read_text(encoding="utf-8") == contracts.text(SCHEMAS[name])


def test_links_between_documents_lead_somewhere() -> None:
    """Every relative link in the documents names a file that is there."""
    broken = [
        (page.name, link)
        for page in PAGES
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert broken == []


def test_python_of_the_readme_runs() -> None:
    """The README's Python block runs as it stands and prints three lines."""
    code = re.search(r"```python\n(.+?)```", PAGES[0].read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    done = subprocess.run(
        [sys.executable, "-c", code[1]], capture_output=True, text=True, check=True
    )
    assert [bool(line) for line in done.stdout.splitlines()] == [True, True, True]


def test_schemas_are_json_schemas() -> None:
    """Every schema file names its dialect."""
    dialects = {
        json.loads(path.read_text(encoding="utf-8"))["$schema"]
        for path in contracts.SHIPPED.glob("*.json")
    }
    assert dialects == {"https://json-schema.org/draft/2020-12/schema"}
