"""The package and its database: found, opened without a trace, and damaged files."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import msmap
from msmap import database as index
from msmap.errors import DatabaseError
from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize("name", msmap.__all__)
def test_the_package_has_what_it_promises(name: str) -> None:
    """And imports it only when it is asked for."""
    assert getattr(msmap, name) is not None


def test_the_package_opens_the_database_of_the_environment(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSMAP_DB", str(database))
    with msmap.open() as kb:
        assert kb.path == str(database)
        assert kb.lookup("cat").torch == "torch.cat"


def test_a_path_given_comes_before_that_of_the_environment(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSMAP_DB", "nowhere.db")
    with msmap.open(database) as kb:
        assert kb.releases() == {"torch": "2.13.0", "mindspore": "2.10.0"}


@pytest.mark.parametrize("name", ["a b.db", "100%.db", "what?.db", "#1.db", "中文.db", "a&b=c.db"])
def test_a_database_may_have_any_name(name: str, database: Path, tmp_path: Path) -> None:
    shutil.copy(database, tmp_path / name)
    with KnowledgeBase.open(tmp_path / name) as kb:
        assert kb.lookup("cat").torch == "torch.cat"


def test_reading_changes_nothing_and_needs_no_right_to_write(
    database: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "msmap.db"
    shutil.copy(database, copy)
    copy.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with KnowledgeBase.open(copy) as kb:
            kb.search("cat")
        assert [p.name for p in tmp_path.iterdir()] == ["msmap.db"]
        assert copy.read_bytes() == database.read_bytes()
    finally:
        tmp_path.chmod(0o755)


def write_newer(path: Path, content: bytes) -> None:
    """The same database as a later msmap would mark it."""
    path.write_bytes(content)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def write_foreign(path: Path, _: bytes) -> None:
    """Somebody else's database, with no version."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE record (name)")


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (
            lambda path, content: None,
            "no database at {}; build one with `msmap build` in a checkout",
        ),
        (
            lambda path, content: path.mkdir(),
            "no database at {}; build one with `msmap build` in a checkout",
        ),
        (
            lambda path, content: path.write_bytes(b"not a database, but long enough" * 99),
            "{} can't be read as an msmap database (file is not a database); "
            "build it again with `msmap build`",
        ),
        (
            lambda path, content: path.write_bytes(content[: len(content) // 2]),
            "{} can't be read as an msmap database (database disk image is malformed); "
            "build it again with `msmap build`",
        ),
        (
            lambda path, content: path.write_bytes(b""),
            f"{{}} has schema version 0, this msmap reads {index.SCHEMA_VERSION}; "
            "build it again with `msmap build`",
        ),
        (
            write_foreign,
            f"{{}} has schema version 0, this msmap reads {index.SCHEMA_VERSION}; "
            "build it again with `msmap build`",
        ),
        (
            write_newer,
            f"{{}} has schema version 99, this msmap reads {index.SCHEMA_VERSION}; "
            "build it again with `msmap build`",
        ),
    ],
    ids=["missing", "directory", "text", "truncated", "empty", "foreign", "newer"],
)
def test_what_is_no_database_of_ours_is_named_with_what_to_do(
    write: object, said: str, database: Path, tmp_path: Path
) -> None:
    path = tmp_path / "msmap.db"
    write(path, database.read_bytes())  # type: ignore[operator]
    with pytest.raises(DatabaseError) as caught:
        KnowledgeBase.open(path)
    assert str(caught.value) == said.format(path)


QUESTIONS = {
    "lookup": lambda kb: kb.lookup("torch.cat"),
    "reverse": lambda kb: kb.reverse("ops.cat"),
    "is_mindspore": lambda kb: kb.is_mindspore("ops.cat"),
    "torch_name": lambda kb: kb.torch_name("cat"),
    "mindspore_name": lambda kb: kb.mindspore_name("cat"),
    "nearest": lambda kb: kb.nearest("cat"),
    "search": lambda kb: kb.search("cat"),
    "records": lambda kb: kb.records(),
    "guides": lambda kb: kb.guides(),
    "guide": lambda kb: kb.guide("training"),
    "completions": lambda kb: kb.completions("torch"),
    "api": lambda kb: kb.api("torch.cat"),
    "methods": lambda kb: kb.methods("size"),
    "stats": lambda kb: kb.stats(),
    "releases": lambda kb: kb.releases(),
    "port": lambda kb: kb.port("torch.cat(x)"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_damage_that_shows_only_when_asked_is_named_with_what_to_do(
    question: str, database: Path, tmp_path: Path
) -> None:
    """The file opens, but all of its pages after the first are overwritten."""
    content = database.read_bytes()
    (tmp_path / "msmap.db").write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with KnowledgeBase.open(tmp_path / "msmap.db") as kb, pytest.raises(DatabaseError) as e:
        QUESTIONS[question](kb)
    assert str(e.value).startswith(f"{tmp_path / 'msmap.db'} can't be read as an msmap database (")
    assert str(e.value).endswith("); build it again with `msmap build`")


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_database_of_our_version_without_our_tables_is_named_with_what_to_do(
    question: str, tmp_path: Path
) -> None:
    path = tmp_path / "msmap.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {index.SCHEMA_VERSION}")
        connection.execute("CREATE TABLE other (name)")
    with KnowledgeBase.open(path) as kb, pytest.raises(DatabaseError) as caught:
        QUESTIONS[question](kb)
    assert str(caught.value).startswith(f"{path} can't be read as an msmap database (no such table")
    assert str(caught.value).endswith("); build it again with `msmap build`")


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("mindspore.Model.train", "mindspore.train.Model.train"),
        ("mindspore.Model", "mindspore.train.Model"),
        ("mindspore.Model.fit", None),
        ("mindspore.Modell.train", None),
        ("train", None),
    ],
)
def test_what_is_of_an_alias_is_of_what_it_stands_for(spelling: str, name: str | None) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE api (framework, name, alias_of, defined)")
        rows = [
            ("mindspore.train.Model", ""),
            ("mindspore.train.Model.train", ""),
            ("mindspore.Model", "mindspore.train.Model"),
        ]
        connection.executemany("INSERT INTO api VALUES ('mindspore', ?, ?, '')", rows)
        assert index.resolve(connection, spelling, "mindspore") == name
