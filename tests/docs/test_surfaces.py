"""What people are told to write for editors and assistants can be read, and names what there is."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from msmap.editor.settings import Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
EXTENSION = ROOT / "docs" / "editors" / "vscode"
SETTINGS = {field.name for field in fields(Settings)}

# What the extension asks VS Code for, as far as it goes.
STUBS = {
    "vscode/index.js": """
const values = {command: ["${workspaceFolder}/bin/msmap", "lsp"], language: "zh", site: ""};
const config = {...values, get: (name) => values[name]};
module.exports = {workspace: {
  workspaceFolders: [{uri: {fsPath: "/project"}}],
  getConfiguration: () => config,
  onDidChangeConfiguration: (told) => { told({affectsConfiguration: () => true}); return {}; },
}};
""",
    "vscode-languageclient/node.js": """
const said = [];
exports.said = said;
exports.LanguageClient = class {
  constructor(id, name, server, options) { said.push({id, server, options}); }
  sendNotification(method, params) { said.push({method, params}); }
  async start() { said.push("start"); }
  async stop() { said.push("stop"); }
};
""",
}
RUN = """
const extension = require(process.argv[2]);
const client = require("vscode-languageclient/node");
extension.activate({subscriptions: []})
  .then(() => extension.deactivate())
  .then(() => console.log(JSON.stringify(client.said)));
"""


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.+?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_helix_starts_the_server() -> None:
    found = tomllib.loads(block("toml"))
    server = found["language-server"]["msmap"]
    assert [server["command"], *server["args"]] == ["msmap", "lsp"]
    assert server["config"].keys() <= SETTINGS
    assert found["language"][0]["language-servers"][-1] == "msmap"


@pytest.mark.parametrize(
    ("language", "command", "setting"),
    [
        ("lua", r'cmd = \{ "msmap", "lsp" \}', r"(\w+) = \"[^\"]*\"[,\s]"),
        ("elisp", r'"msmap" "lsp"', r"\(:(\w+) "),
    ],
)
def test_others_start_it_too(language: str, command: str, setting: str) -> None:
    found = block(language)
    assert re.search(command, found)
    assert {*re.findall(setting, found)} <= SETTINGS
    assert found.count("(") == found.count(")")
    assert found.count("{") == found.count("}")


def test_the_extension_declares_every_setting() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    declared = package["contributes"]["configuration"]["properties"]
    assert {*declared} == {"msmap.command", *(f"msmap.{name}" for name in SETTINGS)}
    assert {*json.loads(block("json"))} <= {*declared}
    assert (EXTENSION / package["main"]).is_file()
    defaults = {name: declared[f"msmap.{name}"]["default"] for name in SETTINGS}
    plain = {field.name: field.default or "" for field in fields(Settings)}
    assert defaults == plain


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js")
def test_the_extension_starts_the_server_with_the_settings(tmp_path: Path) -> None:
    """Run by Node.js, with what it asks VS Code for standing in."""
    for name, code in STUBS.items():
        path = tmp_path / "node_modules" / name
        path.parent.mkdir(parents=True)
        path.write_text(code, encoding="utf-8")
    shutil.copytree(EXTENSION, tmp_path / "extension")
    (tmp_path / "run.js").write_text(RUN, encoding="utf-8")
    done = subprocess.run(
        ["node", "run.js", "./extension/extension.js"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    made, changed, *rest = json.loads(done.stdout)
    given = {"language": "zh", "site": ""}
    assert made["server"] == {"command": "/project/bin/msmap", "args": ["lsp"]}
    assert made["options"]["initializationOptions"] == given
    assert changed == {
        "method": "workspace/didChangeConfiguration",
        "params": {"settings": {"msmap": given}},
    }
    assert rest == ["start", "stop"]


def test_assistants_start_the_server() -> None:
    page = (ROOT / "docs" / "assistants.md").read_text(encoding="utf-8")
    found = re.search(r"```json\n(.+?)```", page, re.DOTALL)
    assert found is not None
    server = json.loads(found[1])["mcpServers"]["msmap"]
    assert [server["command"], *server["args"][:2]] == ["msmap", "mcp", "--folder"]
