"""The source distribution, the wheel made of it, and what that gives on each Python at hand."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from msmap.assemble import content
from msmap.query.knowledge_base import KnowledgeBase

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.10", "3.11", "3.12", "3.13")


def build(kind: str, folder: Path, output: Path) -> Path:
    """What hatchling makes of a folder, without the network."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(output)],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    [made] = output.glob("*.tar.gz" if kind == "sdist" else "*.whl")
    return made


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in the source distribution."""
    folder = tmp_path_factory.mktemp("source")
    archive = build("sdist", ROOT, folder)
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(source: Path, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel made of the source distribution alone, but for its data, which are six records.

    That all that ships can be built is what every test of `shipped` is about.
    """
    folder = tmp_path_factory.mktemp("small") / source.name
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("data", "tests"))
    shutil.copytree(data, folder / "data")
    shutil.copy(source / "data" / "LICENSE", folder / "data")
    return build("wheel", folder, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel has, as an installer unpacks it."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    return folder


def interpreter(version: str) -> list[str] | None:
    """The command that starts a Python; None if it isn't here."""
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        return [sys.executable]
    found = shutil.which(f"python{version}")
    listed = ""
    if pyenv := shutil.which("pyenv"):
        done = subprocess.run(
            [pyenv, "versions", "--bare"], capture_output=True, text=True, check=False
        )
        listed = next((v for v in done.stdout.split() if v.startswith(f"{version}.")), "")
    command = ["env", f"PYENV_VERSION={listed}", str(found)] if listed else [str(found)]
    if found is None:
        return None
    tried = subprocess.run([*command, "-c", ""], capture_output=True, check=False)
    return command if tried.returncode == 0 else None


def test_the_wheel_has_what_its_users_need(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    wanted = {
        "msmap/msmap.db", "msmap/py.typed", "msmap_cli/py.typed", "datasette_msmap/py.typed",
        "msmap/editor/server.py", "msmap/assistant/server.py", "msmap/notebook/magics.py",
        "msmap-0.1.0.data/data/share/man/man1/msmap.1",
    }  # fmt: skip
    assert wanted - names == set()
    assert [name for name in names if name.startswith(("tests/", "data/", "docs/"))] == []


def test_the_wheel_answers_from_the_data_beside_it(installed: Path) -> None:
    with KnowledgeBase.open(installed / "msmap" / "msmap.db") as kb:
        found = {record.torch for record in kb.records()}
    assert {"torch.cat", "torch.nn.Dropout", "torch.nn.GELU"} < found
    assert len(found) < 10


def test_the_source_has_all_data(source: Path) -> None:
    def held(folder: Path) -> dict[str, bytes]:
        files = (path for kind in ("yaml", "jsonl") for path in folder.rglob(f"*.{kind}"))
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

    here = held(ROOT / "data")
    assert (held(source / "data") == here, len(here) > 1000) == (True, True)


def test_the_source_has_what_builders_and_testers_need(source: Path) -> None:
    wanted = (
        "data/records", "tests/conftest.py", "docs/man/msmap.1", "docs/github/action.yml",
        "docs/docker/Dockerfile", "docs/editors/vscode/extension.js", "kb/build_hook.py",
    )  # fmt: skip
    assert [name for name in wanted if not (source / name).exists()] == []


def test_an_install_goes_on_from_the_last_one(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editable one, where a place is named for what was joined."""
    shutil.copytree(data, tmp_path / "data")
    made = tmp_path / "kb" / "msmap" / "msmap.db"
    made.parent.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("MSMAP_CACHE", str(tmp_path / "left"))
    hook = runpy.run_path(str(ROOT / "kb" / "build_hook.py"))["DatabaseHook"]
    checkout = SimpleNamespace(root=str(tmp_path))
    hook.initialize(checkout, "editable", {})
    first = made.read_bytes()
    monkeypatch.setattr(content, "read_all", pytest.fail)
    hook.initialize(checkout, "editable", {})
    assert made.read_bytes() == first


@pytest.mark.parametrize("version", VERSIONS)
def test_a_python_answers_from_the_wheel(version: str, installed: Path, tmp_path: Path) -> None:
    command = interpreter(version)
    if command is None:
        pytest.skip(f"there is no Python {version}")
    code = "import sys; from msmap_cli.main import main; sys.argv[0] = 'msmap'; main()"
    for arguments, first in (
        (["lookup", "torch.nn.Dropout"], "torch.nn.Dropout -> mindspore.nn.Dropout"),
        (["--version"], "msmap 0.1.0"),
    ):
        done = subprocess.run(
            [*command, "-c", code, *arguments],
            cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(installed), "LC_ALL": "C.UTF-8"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout.splitlines()[:1], done.stderr) == (0, [first], "")
    # What this Python would not even parse.
    code = "import ast, sys\nfor path in sys.argv[1:]: ast.parse(open(path, 'rb').read(), path)"
    files = [str(path) for path in sorted(installed.rglob("*.py"))]
    parsed = subprocess.run([*command, "-c", code, *files], capture_output=True, check=False)
    assert (parsed.returncode, parsed.stderr) == (0, b"")
