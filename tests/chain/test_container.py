"""docs/docker/Dockerfile: what it runs is what the documents say."""

from __future__ import annotations

import re
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
    """The README's command, with the extra of the site and another place."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    said = re.search(r"^    (python3 -m venv .+ install \.) &&", readme, re.MULTILINE)
    assert said is not None
    [command] = values("RUN")
    plain = command.replace("/opt/msmap", ".venv").replace(" --no-cache-dir", "")
    assert plain == said[1].replace("install .", "install '.[site]'")


def test_it_serves_as_the_documents_say() -> None:
    [entry] = values("ENTRYPOINT")
    assert entry == '["msmap", "serve", "--host", "0.0.0.0"]'
    assert values("EXPOSE") == ["8001"]
    assert values("USER") == ["65534:65534"]
    page = (ROOT / "docs" / "site.md").read_text(encoding="utf-8")
    commands = re.findall(r"^#     (docker .+)$", TEXT, re.MULTILINE)
    assert [command for command in commands if f"    {command}\n" not in page] == []


def test_every_word_is_one_of_a_dockerfile() -> None:
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"}
    assert {first for first, _ in LINES} == known


def test_what_is_built_here_stays_here() -> None:
    ignored = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    assert {".git", ".venv", "kb/msmap/msmap.db"} <= {*ignored}
