"""Templates are compiled once for each language, as long as they and their words are the same."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from tests.builders.serving import get

from datasette_msmap import server
from datasette_msmap.web import templating, texts


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """The names of templates that were compiled, by whoever starts as for the first time."""
    names: list[str] = []
    inner = Environment.compile

    def watched(self: Environment, source: Any, name: Any = None, *given: Any) -> Any:
        names.append(name)
        return inner(self, source, name, *given)

    monkeypatch.setattr(Environment, "compile", watched)
    monkeypatch.setenv("MSMAP_CACHE", str(tmp_path / "cache"))
    templating._environment.cache_clear()
    yield names
    templating._environment.cache_clear()


def test_templates_are_compiled_once_for_all_starts(
    compiled: list[str], database: Path, tmp_path: Path
) -> None:
    site = server.site(database)
    templating.compile_all()
    every = 2 * len(list(templating._TEMPLATES.iterdir()))
    assert len(compiled) == every
    made = [get(site, f"{language}/torch.cat").text for language in ("", "/zh")]
    templating._environment.cache_clear()
    templating.compile_all()
    assert len(compiled) == every
    again = server.site(database)
    assert [get(again, f"{language}/torch.cat").text for language in ("", "/zh")] == made
    assert len(compiled) == every
    # What can't be read is as if it weren't there.
    for path in (tmp_path / "cache").iterdir():
        path.write_bytes(path.read_bytes()[:-10])
    templating._environment.cache_clear()
    templating.compile_all()
    assert len(compiled) == 2 * every


def test_a_template_that_changed_is_compiled_anew(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "templates"
    shutil.copytree(templating._TEMPLATES, folder)
    monkeypatch.setattr(templating, "_TEMPLATES", folder)
    templating.compile_all()
    compiled.clear()
    with (folder / "card.html").open("a", encoding="utf-8") as file:
        file.write("<!-- more -->")
    templating._environment.cache_clear()
    templating.compile_all()
    assert compiled == ["card.html", "card.html"]


def test_words_that_changed_are_put_in_anew(
    compiled: list[str], database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words are in what was compiled; what takes values is told as the page is made."""
    before = get(server.site(database), "/zh/torch.cat").text
    said = {**texts.TEXTS, "skip": ("a", 'ein "{{ Wort }}" \\ <b>')}
    monkeypatch.setattr(texts, "TEXTS", said)
    templating._environment.cache_clear()
    compiled.clear()
    templating.compile_all()
    assert set(compiled) == {path.name for path in templating._TEMPLATES.iterdir()}
    after = get(server.site(database), "/zh/torch.cat").text
    assert "ein" not in before
    assert "ein &#34;{ Wort }&#34; \\ &lt;b&gt;" in after
