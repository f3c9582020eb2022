"""docs/docker/Dockerfile: what it runs is what the documents say."""

from __future__ import annotations

import json
import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "docker"
TEXT = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
LINES = [
    line.split(None, 1)
    for line in re.sub(r"\\\n\s*", "", TEXT).splitlines()
    if line and not line.startswith("#")
]


def values(word: str) -> list[str]:
    return [rest for first, rest in LINES if first == word]


def test_it_installs_as_the_readme_does() -> None:
    """The README's command, with another place."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    said = re.search(r"^    (python3 -m venv .+ install \.) &&", readme, re.MULTILINE)
    assert said is not None
    [command] = values("RUN")
    plain = command.replace("/opt/msmap", ".venv").replace(" --no-cache-dir", "")
    assert plain == said[1]


def test_it_serves_as_the_documents_say() -> None:
    [entry] = values("ENTRYPOINT")
    assert entry == '["msmap", "serve", "--host", "0.0.0.0"]'
    assert values("EXPOSE") == ["8001"]
    assert values("USER") == ["65534:65534"]
    page = (ROOT / "docs" / "site.md").read_text(encoding="utf-8")
    commands = re.findall(r"^#     (docker .+)$", TEXT, re.MULTILINE)
    assert [command for command in commands if f"    {command}\n" not in page] == []


def test_its_steps_run_where_no_engine_is(data: Path, tmp_path: Path) -> None:
    """What is copied, what RUN says and what is served, in folders that stand for the images.

    Packages are those that are here: RUN would fetch them. The data are six records, as in
    test_distribution.py.
    """
    place = tmp_path / "opt"
    source = tmp_path / "src"
    ignored = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(
        ".git", *(Path(text).name for text in ignored), "tests", "node_modules", "data"
    ))  # fmt: skip
    shutil.copytree(data, source / "data")
    shutil.copy(ROOT / "data" / "LICENSE", source / "data")
    [command] = values("RUN")
    local = (
        command.replace("/opt/", f"{place}/")
        .replace("python3 -m venv", f"{sys.executable} -m venv --system-site-packages")
        .replace(" install ", " install --no-deps --no-build-isolation ")
    )
    packages = site.getsitepackages()[0]
    environment = os.environ | {"PYTHONPATH": packages}
    done = subprocess.run(
        ["bash", "-euc", local], cwd=source, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    asked = [*json.loads(values("ENTRYPOINT")[0])[:1], "lookup", "torch.nn.Dropout"]
    path = values("ENV")[0].split()[0].removeprefix("PATH=").replace("/opt/", f"{place}/")
    found = subprocess.run(
        asked, cwd=tmp_path, capture_output=True, text=True, check=False,
        env=environment | {"PATH": path.replace("$PATH", os.environ["PATH"]), "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert shutil.which("msmap", path=path.split(":")[0]) == str(place / "msmap/bin/msmap")
    assert found.stdout.splitlines()[:1] == ["torch.nn.Dropout -> mindspore.nn.Dropout"]


def test_every_word_is_one_of_a_dockerfile() -> None:
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"}
    assert {first for first, _ in LINES} == known


def test_what_is_built_here_stays_here() -> None:
    ignored = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    assert {".git", ".venv", "kb/msmap/msmap.db"} <= {*ignored}
