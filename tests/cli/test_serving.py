"""Servers on standard input and output without what they need: a sentence, and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders.commands import child


@pytest.mark.parametrize(
    ("arguments", "missing", "says"),
    [
        ("lsp", "pygls", "serving an editor needs pygls; `pip install '.[editor]'`"),
        ("lsp", "lsprotocol", "serving an editor needs lsprotocol; `pip install '.[editor]'`"),
        ("mcp", "mcp", "serving an assistant needs mcp; `pip install '.[assistant]'`"),
    ],
)
def test_without_its_extra_a_server_says_what_to_install(
    arguments: str, missing: str, says: str, database: Path
) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from msmap_cli.main import main; main()"
    done = child(["-c", code, *arguments.split()], database)
    said = f"msmap: {says} in a checkout of msmap brings it\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


@pytest.mark.parametrize("command", ["lsp", "mcp"])
def test_without_a_database_a_server_says_so_at_once(command: str, tmp_path: Path) -> None:
    done = child(["-m", "msmap_cli.main", command], tmp_path / "none.db")
    said = f"msmap: no database at {tmp_path}/none.db; build one with `msmap build` in a checkout\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
