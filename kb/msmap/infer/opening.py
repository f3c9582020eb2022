"""One file of a tree, Python or a notebook, opened to be ported or scanned."""

from __future__ import annotations

from pathlib import Path

from msmap.code import files, notebooks
from msmap.code.files import Unreadable
from msmap.code.notebooks import NoNotebook, Notebook
from msmap.infer.modules import Module, Modules


def read(path: Path, modules: Modules) -> tuple[Module, Notebook | None]:
    """A file as a module of its tree, parsed; of a notebook the Python in its cells, and itself.

    Raises:
        Unreadable: it can't be read, is no Python or no notebook, or nested too deeply.
    """
    notebook = _notebook(path) if path.suffix == ".ipynb" else None
    with files.parsing(path):
        module = modules.at(path) if notebook is None else modules.at(path, notebook.code)
        # It is parsed when it is asked for.
        module.source  # noqa: B018
    return module, notebook


def _notebook(path: Path) -> Notebook:
    try:
        return notebooks.read(files.read(path).text)
    except NoNotebook as error:
        raise Unreadable(files.told(path, "no_notebook", error.reason)) from None
