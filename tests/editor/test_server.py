"""`msmap lsp` with a real client over standard input and output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types
from tests.builders.editing import Editor, edited
from tests.conftest import Run

HEAD = "import torch\nfrom torch import nn\n"
CODE = f"{HEAD}\ndrop = nn.Dropout(0.5)\ny = torch.cat([drop(x), x], dim=1)\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("workspace")


@pytest.fixture(scope="module")
def editor(database: Path, folder: Path) -> Iterator[Editor]:
    """One editor for all tests that change no setting of it."""
    made = Editor(database, folder, {"site": "https://example.com/"})
    yield made
    assert made.close() == 0


def test_a_hover_says_what_a_call_becomes_and_what_it_triggers(editor: Editor) -> None:
    uri = editor.open("hover.py", CODE)
    found = editor.hover(uri, 3, 12)
    assert found is not None
    assert found.range == types.Range(types.Position(3, 7), types.Position(3, 22))
    assert editor.said(uri, 3, 12) == (
        "**`torch.nn.Dropout`** → `mindspore.nn.Dropout`\n\n"
        "Zeroes elements at random while training.\n\n"
        "*PyTorch has more parameters · verified, forward only · Ascend · GPU · CPU*\n\n"
        "```python\nmindspore.nn.Dropout(p=0.5).set_train()\n```\n\n"
        "[https://example.com/torch.nn.Dropout](https://example.com/torch.nn.Dropout)"
    )


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        pytest.param("import torch\ntorch.nn.Dropout\n", (1, 10), "torch.nn.Dropout", id="name"),
        pytest.param("from torch.nn import (\n    GELU, Dropout)\n", (1, 6), "torch.nn.GELU",
                     id="lines"),
        pytest.param("from torch.nn import Dropout\n", (0, 22), "torch.nn.Dropout", id="import"),
        pytest.param("import torch.nn as N\nN.Dropout(\n", (1, 4), "torch.nn.Dropout", id="broken"),
        pytest.param("import torch\nx.whatever(\n", (1, 4), "", id="unknown"),
        pytest.param("import mindspore\nmindspore.nn.Dropout\n", (1, 15), "← `torch.nn.Dropout`",
                     id="mindspore"),
        pytest.param("import torch\ns = '\U0001f600'; torch.cat([s])\n", (1, 15), "torch.cat",
                     id="after-wide"),
        pytest.param("", (0, 0), "", id="empty"),
        pytest.param("import torch\n", (7, 99), "", id="beyond"),
        pytest.param("import torch\r\nt = 1 \f + 1\r\ntorch.cat([t])\r\n", (2, 4), "torch.cat",
                     id="form-feed"),
    ],
)  # fmt: skip
def test_what_is_told_of_a_name(
    text: str, place: tuple[int, int], says: str, editor: Editor
) -> None:
    said = editor.said(editor.open("names.py", text), *place)
    assert says in said if says else said == ""


def test_findings_are_those_of_a_scan(
    editor: Editor, folder: Path, database: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{CODE}m = torch.jit.script(f)\nz = torch.strange(1)\nw = q.size(0)  # msmap: ignore\n"
    uri = editor.open("findings.py", text)
    told = [
        (d.code, d.range.start.line + 1, d.range.start.character, d.message)
        for d in editor.findings(uri)
    ]
    (folder / "findings.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    sites = json.loads(run("scan", "findings.py", "-f", "json", "--no-cache").out)["sites"]
    found = [
        (s["rule"], s["line"], s["column"], "\n".join(
            [t["en"] for t in [*filter(None, [s["reason"]]), *s["notes"]]]
            + [c["text"]["en"] for c in s["caveats"] if not c["mended"]]
            + [f"The whole of it: msmap guide {g}" for g in filter(None, [s["guide"]])]))
        for s in sites if s["rule"] and not s["state"]
    ]  # fmt: skip
    assert (told, len(told) > 1) == (found, True)
    first = editor.findings(uri)[0]
    assert (first.source, first.code_description) == (
        "msmap", types.CodeDescription(f"https://example.com/{sites_api(sites, first)}"),
    )  # fmt: skip


def sites_api(sites: list[dict[str, list[str]]], told: types.Diagnostic) -> str:
    return next(s["apis"][0] for s in sites if s["line"] == told.range.start.line + 1)


def test_text_that_came_too_fast_is_told_once_by_its_version(editor: Editor) -> None:
    uri = editor.open("fast.py", "import torch\n")
    editor.findings(uri)
    for version in range(2, 30):
        editor.change(uri, version, f"import torch\ntorch.strange({version})\n")
    editor.findings(uri)
    versions = [told.version for told in editor.published if told.uri == uri]
    assert versions == [1, 29]


def test_a_call_is_ported_by_itself(editor: Editor) -> None:
    uri = editor.open("call.py", CODE)
    offered = editor.actions(uri, 3, 10)
    assert [action.title for action in offered] == [
        "Port nn.Dropout(0.5) to mindspore.nn.Dropout(p=0.5).set_train()",
        "Port this file to MindSpore",
        "Open the page of torch.nn.Dropout",
    ]
    assert offered[0].edit is not None
    assert edited(CODE, offered[0].edit) == "import mindspore\n" + CODE.replace(
        "nn.Dropout(0.5)", "mindspore.nn.Dropout(p=0.5).set_train()"
    )


def test_what_is_chosen_is_ported_together(editor: Editor) -> None:
    text = f"{HEAD}s = '\U0001f600'; a = nn.Dropout(0.5); b = torch.cat([s])\n"
    uri = editor.open("chosen.py", text)
    offered = {a.title: a for a in editor.actions(uri, 2, 0, 3, 0)}
    assert edited(text, offered["Port 2 calls to MindSpore"].edit) == (  # type: ignore[arg-type]
        f"import mindspore\n{HEAD}s = '\U0001f600'; a = mindspore.nn.Dropout(p=0.5);"
        " b = mindspore.mint.cat([s])\n"
    )


def test_a_file_is_ported_as_port_does_it(
    editor: Editor, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"'''\U0001f600'''\n{CODE}z = torch.strange(1)\n"
    uri = editor.open("whole.py", text)
    [action] = editor.actions(uri, 0, 0, only="source")
    assert action.command is not None
    editor.command(action.command.command, *action.command.arguments or ())
    path = folder / "whole.py"
    path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    run("port", "whole.py", "--write", "--dirty", "--no-cache")
    assert edited(text, editor.applied[-1]) == path.read_text(encoding="utf-8")


def test_nothing_to_port_is_said(editor: Editor) -> None:
    uri = editor.open("none.py", "x = 1\n")
    editor.command("msmap.portFile", uri)
    assert editor.client.messages[-1].message == "msmap: there is nothing to port in this file"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import torch\ntorch.nn.Dr", [("torch.nn.Dropout → mindspore.nn.Dropout",
                                        "mindspore.nn.Dropout")]),
        ("from torch import nn\nnn.Dr", [("nn.Dropout → mindspore.nn.Dropout",
                                          "mindspore.nn.Dropout")]),
        ("import mindspore\nmindspore.mint.c", [("mindspore.mint.cat", "mindspore.mint.cat")]),
        ("from mindspore import mint\nmint.c", [("mint.cat", "mint.cat")]),
        ("import torch\nmy.nn.Dr", []),
        ("import torch\ntor", []),
    ],
)  # fmt: skip
def test_counterparts_complete_a_name(
    text: str, found: list[tuple[str, str]], editor: Editor
) -> None:
    uri = editor.open("complete.py", text)
    last = text.splitlines()[-1]
    items = editor.completions(uri, 1, len(last))
    assert [(i.label, i.text_edit.new_text) for i in items if i.text_edit] == found
    for item in items:
        whole = editor.do(editor.client.completion_item_resolve_async(item))
        assert "https://example.com/" in whole.documentation.value  # type: ignore[union-attr]


def test_names_lead_to_their_pages(editor: Editor) -> None:
    uri = editor.open("links.py", CODE)
    assert [(link.range, link.target) for link in editor.links(uri)][:1] == [
        (types.Range(types.Position(3, 7), types.Position(3, 17)),
         "https://example.com/torch.nn.Dropout"),
    ]  # fmt: skip
    editor.command("msmap.openPage", "https://example.com/torch.nn.Dropout")
    assert [(s.uri, s.external) for s in editor.client.shown_documents] == [
        ("https://example.com/torch.nn.Dropout", True)
    ]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("broken.py", "import torch\ndef f(:\n", [("unread", 1)]),
        ("old.py", "print 'x'\n", [("unread", 0)]),
        ("deep.py", f"import torch\nx = {'(' * 3000}1{')' * 3000}\n", [("unread", 1)]),
        ("null.py", "import torch\nx = '\0'\n", [("unread", 0)]),
        ("half.py", "import torch\nx = '\ud800'\n", [("unread", 0)]),
        ("huge.py", "import torch\n" + "x = 1\n" * 900_000, [("unread", 0)]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told(
    name: str, text: str, found: list[tuple[str, int]], editor: Editor
) -> None:
    uri = editor.open(name, text)
    told = [(d.code, d.range.start.line) for d in editor.findings(uri)]
    assert told == found


def test_what_is_no_python_is_left_alone(editor: Editor) -> None:
    uri = editor.open("notes.ipynb", "{}", "json")
    assert (editor.links(uri), editor.said(uri, 0, 0)) == ([], "")


def test_a_closed_file_has_no_findings(editor: Editor) -> None:
    uri = editor.open("closed.py", "import torch\ntorch.strange(1)\n")
    assert editor.findings(uri) != []
    params = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
    editor.client.text_document_did_close(params)
    editor.links(uri)
    assert list(editor.published[-1].diagnostics) == []


@pytest.mark.parametrize("like", ["neovim", "emacs"])
def test_other_editors_count_and_edit_otherwise(like: str, database: Path, folder: Path) -> None:
    """Neovim counts in the units that the server likes, and Emacs is told all in Chinese."""
    editor = Editor(database, folder, {"language": "zh"}, like=like)
    text = f"{HEAD}s = '\U0001f600'; a = nn.Dropout(0.5)\n"
    uri = editor.open("other.py", text)
    encoding = str(editor.answer.capabilities.position_encoding)
    column = {"utf-8": 17, "utf-16": 15, "utf-32": 14}[encoding]
    [action, *_] = editor.actions(uri, 2, column)
    assert action.edit is not None
    changed = edited(text, action.edit, encoding if encoding == "utf-8" else f"{encoding}-le")
    assert (action.title, changed.splitlines()[-1]) == (
        "将 nn.Dropout(0.5) 转写为 mindspore.nn.Dropout(p=0.5)",
        "s = '\U0001f600'; a = mindspore.nn.Dropout(p=0.5)",
    )
    assert "训练时将元素随机置零。" in editor.said(uri, 2, column)
    assert editor.close() == 0


def test_the_project_says_what_counts(database: Path, tmp_path: Path) -> None:
    """Settings in pyproject.toml hold as for a scan, and wrong ones are told."""
    (tmp_path / "pyproject.toml").write_text('[tool.msmap]\nexclude = ["old"]\n')
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "left_out.py").write_text("import torch\ntorch.strange(1)\n")
    (tmp_path / "other.py").write_text("def f(m):\n    m.train()\n")
    (tmp_path / "shared.py").write_text("import torch\ndrop = torch.nn.Dropout\n")
    editor = Editor(database, tmp_path, {"langauge": "zh", "delay": -1})
    excluded = editor.open("old/left_out.py", "import torch\ntorch.strange(1)\n")
    uses = editor.open("uses.py", "import torch\nfrom shared import drop\ndrop(0.5)\n")
    assert editor.findings(excluded) == []
    assert "mindspore.nn.Dropout(p=0.5)" in editor.said(uses, 2, 1)
    (tmp_path / "pyproject.toml").write_text("[tool.msmap]\ndevise = 'Ascend'\n")
    editor.change(uses, 2, "import torch\n")
    editor.findings(uses)
    assert [message.message for message in editor.client.messages] == [
        "msmap: langauge: one of language, device, mindspore, site, delay, patience",
        "msmap: delay = -1: seconds from 0 to 60 are wanted",
        f"msmap: {tmp_path}/pyproject.toml: tool.msmap.devise: one of exclude, fail-on, device,"
        " mindspore, baseline",
    ]
    changed = {"msmap": {"language": "zh", "device": "Ascend", "mindspore": "1.0"}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(changed))
    editor.said(uses, 0, 8)
    assert editor.client.messages[-1].message == 'msmap: MindSpore release "1.0": one of 2.10.0'
    assert editor.close() == 0


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(b"", 1, id="nothing"),
        pytest.param(b"hello\r\n\r\n", 1, id="no-message"),
        pytest.param(b"Content-Length: 9\r\n\r\nnot json!", 1, id="no-json"),
        pytest.param(b"Content-Length: 2\r\n\r\n[]", 1, id="no-request"),
        pytest.param(b"Content-Length: 400\r\n\r\n{}", 1, id="cut"),
        pytest.param(b"Content-Length: 4\r\n\r\n\xff\xfe\x00\x80", 1, id="no-text"),
    ],
)
def test_a_client_that_talks_nonsense_and_leaves(sent: bytes, status: int, database: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", "lsp"], input=sent, capture_output=True,
        env=os.environ | {"MSMAP_DB": str(database)}, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, b"Traceback" in done.stderr) == (status, False)


def test_a_server_goes_on_after_nonsense(editor: Editor) -> None:
    writer = editor.client.protocol.writer
    assert writer is not None
    writer.write(b"Content-Length: 5\r\n\r\n{{{{{")
    writer.write(b'Content-Length: 36\r\n\r\n{"jsonrpc":"2.0","method":"nonsense"}'[:-1])
    uri = editor.open("after.py", CODE)
    assert "torch.cat" in editor.said(uri, 4, 7)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("lsp --site ftp://x", "msmap: --site = 'ftp://x': an address that begins with http://"
         " or https:// is wanted\n"),
        ("lsp --mindspore 1.0", 'msmap: MindSpore release "1.0": one of 2.10.0\n'),
        ("lsp --device tpu", None),
    ],
)  # fmt: skip
def test_wrong_options(line: str, says: str | None, run: Run) -> None:
    done = run(*line.split())
    assert (done.status, done.err if says else says) == (2, says)


def test_nobody_waits_for_a_large_file(database: Path, folder: Path) -> None:
    """A hover tells of the name meanwhile, and newer text ends what nobody waits for."""
    editor = Editor(database, folder, {"patience": 0})
    uri = editor.open("large.py", CODE + "x = torch.cat([y])\n" * 20_000)
    assert editor.said(uri, 3, 12).startswith("**`torch.nn.Dropout`** →")
    assert editor.actions(uri, 3, 12) == []
    editor.change(uri, 2, CODE)
    params = types.DidChangeConfigurationParams({"msmap": {"patience": 60}})
    editor.client.workspace_did_change_configuration(params)
    assert "mindspore.nn.Dropout(p=0.5)" in editor.said(uri, 3, 12)
    assert [told.version for told in editor.published] == [2]
    assert editor.close() == 0
