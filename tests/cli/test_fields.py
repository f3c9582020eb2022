"""`--json FIELDS` of what is no record, lines on standard input, and Markdown short and whole."""

from __future__ import annotations

import json
from pathlib import Path

from tests.builders.commands import Run


def test_fields_of_a_port(run: Run) -> None:
    done = run("port", "torch.nn.Dropout(0.1)", "--json", "code,refusals")
    assert json.loads(done.out) == {"code": "mindspore.nn.Dropout(p=0.1)", "refusals": []}


def test_fields_of_files_and_of_findings(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "net.py"
    path.write_text("import torch\nlayer = torch.nn.Dropout(0.1)\n", encoding="utf-8")
    ported = run("port", str(path), "--json", "path,left")
    assert json.loads(ported.out) == [{"path": str(path), "left": 0}]
    found = run("scan", str(path), "--json", "line,target")
    assert json.loads(found.out) == [{"line": 2, "target": "mindspore.nn.Dropout"}]


def test_a_field_that_is_not_there_is_told_with_those_that_are(run: Run) -> None:
    done = run("port", "torch.nn.Dropout(0.1)", "--json", "colour")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith('msmap: --json "colour": one of ')


def test_markdown_is_short_unless_all_of_it_is_wanted(run: Run) -> None:
    short = run("lookup", "torch.nn.Dropout", "-f", "markdown").out
    whole = run("lookup", "torch.nn.Dropout", "-f", "markdown", "-v").out
    assert "| PyTorch | MindSpore |" not in short
    assert "| PyTorch | MindSpore |" in whole
    assert short.splitlines()[:8] == whole.splitlines()[:8]
