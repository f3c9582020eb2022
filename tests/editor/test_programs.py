"""The configurations of docs/editors.md, as they stand there, in the editors that are here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
CODE = "from torch import nn\n\nlayer = nn.Dropout(0.1)\n"
# What stands below: a warning, what the call becomes, and what can be done.
TOLD = ["A new Cell is in evaluation mode", "mindspore.nn.Dropout(p=0.1)", "Port this file"]

NEOVIM = """
vim.cmd("filetype on")
vim.cmd("edit net.py")
vim.wait(90000, function() return #vim.diagnostic.get(0) > 0 end, 100)
for _, found in ipairs(vim.diagnostic.get(0)) do print(found.message) end
local at = { line = 2, character = 12 }
local asked = { textDocument = vim.lsp.util.make_text_document_params(), position = at }
asked.range = { start = at, ["end"] = at }
asked.context = { diagnostics = {} }
for _, method in ipairs({ "textDocument/hover", "textDocument/codeAction" }) do
  print(vim.inspect(vim.lsp.buf_request_sync(0, method, asked, 90000)))
end
vim.cmd("qall!")
"""

EMACS = """
(require 'eglot)
(setq eglot-sync-connect t eglot-connect-timeout 90)
(find-file "net.py")
(apply #'eglot (eglot--guess-contact))
(while (null (flymake-diagnostics)) (accept-process-output nil 0.1))
(dolist (found (flymake-diagnostics)) (princ (flymake-diagnostic-text found)))
(goto-char (point-max))
(search-backward "nn.Drop")
(princ (jsonrpc-request (eglot-current-server) :textDocument/hover
                        (eglot--TextDocumentPositionParams) :timeout 90))
(princ (eglot-code-actions (point) (point)))
"""


def blocks(language: str) -> list[str]:
    """The code of the document in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.M | re.S)


def said(command: list[str], folder: Path, database: Path) -> str:
    """What an editor prints in a folder with a file of PyTorch's."""
    (folder / "net.py").write_text(CODE, encoding="utf-8")
    (folder / "pyproject.toml").write_text("[project]\nname = 'net'\n", encoding="utf-8")
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {
        "PATH": f"{scripts}:{os.environ['PATH']}", "HOME": str(folder), "MSMAP_DB": str(database),
        "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder), "LC_ALL": "C.UTF-8",
    }  # fmt: skip
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
        check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_neovim(tmp_path: Path, shipped: Path) -> None:
    program = shutil.which("nvim")
    if program is None:
        pytest.skip("there is no Neovim")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    minor = re.match(r"NVIM v0\.(\d+)", version.stdout)
    newer, older = blocks("lua")
    chosen = older if minor is not None and int(minor[1]) < 11 else newer
    (tmp_path / "check.lua").write_text(chosen + NEOVIM, encoding="utf-8")
    told = said([program, "--headless", "-u", "NONE", "-c", "luafile check.lua"], tmp_path, shipped)
    assert [text for text in TOLD if text not in told] == []


def test_emacs(tmp_path: Path, shipped: Path) -> None:
    program = shutil.which("emacs")
    start = "(package-initialize)"
    has = ["--batch", "--eval", start, "--eval", "(require 'eglot)"]
    if (
        program is None
        or subprocess.run([program, *has], capture_output=True, check=False).returncode
    ):
        pytest.skip("there is no Emacs with Eglot")
    [block] = blocks("elisp")
    (tmp_path / "check.el").write_text(start + block + EMACS, encoding="utf-8")
    told = said([program, "--batch", "-l", "check.el"], tmp_path, shipped)
    assert [text for text in TOLD if text not in told] == []
