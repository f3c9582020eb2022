"""The database: built whole or not at all, the same from the same files, as Datasette wants it."""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from datasette.utils import detect_fts
from sqlite_utils import Database
from tests.builders import sample, support

from msmap import database as index
from msmap.errors import SignatureFileError
from msmap.evidence import attach
from msmap.evidence import files as evidence
from msmap.problems import DataError
from msmap.signatures import release as signatures
from msmap.store import build as store
from msmap.store import tables


@pytest.fixture
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    """The small database, opened without any of our own code."""
    with closing(sqlite3.connect(database)) as opened:
        yield opened


def test_what_went_in_is_counted(checkout: Path) -> None:
    built = store.build(checkout, Path("msmap.db"))
    assert built == store.Built(Path("msmap.db"), records=6, guides=1, claims=4, checks=9, apis=31)


def test_the_same_files_give_the_same_bytes(checkout: Path) -> None:
    """Whatever was there before, and in whatever order the file system lists the files."""
    store.build(checkout, Path("one.db"))
    for path in sorted((checkout / "records").rglob("*.yaml"), reverse=True):
        text = path.read_bytes()
        path.unlink()
        path.write_bytes(text)
    Path("other.db").write_bytes(b"something else entirely" * 9999)
    store.build(checkout, Path("other.db"))
    assert Path("one.db").read_bytes() == Path("other.db").read_bytes()


def test_processes_that_hash_otherwise_give_the_same_bytes(data: Path, tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from msmap.store.build import build;"
    code += "build(Path(sys.argv[1]), Path(sys.argv[2]))"
    for seed in ("1", "2"):
        command = [sys.executable, "-c", code, str(data), str(tmp_path / seed)]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": seed})
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_a_build_leaves_the_collection_of_garbage_as_it_was(checkout: Path) -> None:
    """Also one that fails."""
    (checkout / "records" / "torch" / "cat.yaml").write_text("torch: [", encoding="utf-8")
    with pytest.raises(DataError):
        store.build(checkout, Path("msmap.db"))
    assert gc.isenabled()
    gc.disable()
    try:
        with pytest.raises(DataError):
            store.build(checkout, Path("msmap.db"))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_another_record_gives_other_bytes(checkout: Path) -> None:
    store.build(checkout, Path("one.db"))
    (checkout / "records" / "torch" / "cat.yaml").unlink()
    store.build(checkout, Path("other.db"))
    assert Path("one.db").read_bytes() != Path("other.db").read_bytes()


def test_building_makes_missing_directories_and_leaves_one_file(checkout: Path) -> None:
    store.build(checkout, Path("deep/er/msmap.db"))
    assert [p.name for p in Path("deep/er").iterdir()] == ["msmap.db"]


def test_everyone_may_read_what_the_umask_allows(checkout: Path) -> None:
    before = os.umask(0o022)
    try:
        store.build(checkout, Path("msmap.db"))
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("msmap.db").stat().st_mode) == 0o644


@pytest.mark.parametrize(
    ("file", "text", "error"),
    [
        ("records/torch/cat.yaml", "torch: [", DataError),
        ("records/torch/cat.yaml", "torch: torch.cat", DataError),
        ("guides/training.yaml", "id: training", DataError),
        ("guides/again.yaml", None, DataError),
        ("signatures/torch-2.13.0.jsonl", "{", SignatureFileError),
    ],
)
def test_a_failing_build_leaves_the_old_database_and_nothing_else(
    file: str, text: str | None, error: type[Exception], checkout: Path
) -> None:
    """A text of None stands for the guide that is there already, under a second file name."""
    again = (checkout / "guides" / "training.yaml").read_text(encoding="utf-8")
    (checkout / file).write_text(text or again, encoding="utf-8")
    out = Path("out")
    out.mkdir()
    (out / "msmap.db").write_bytes(b"as it was")
    with pytest.raises(error):
        store.build(checkout, out / "msmap.db")
    assert {p.name: p.read_bytes() for p in out.iterdir()} == {"msmap.db": b"as it was"}


def test_a_build_uses_the_evidence_that_can_be_read(checkout: Path, tmp_path: Path) -> None:
    path = next((checkout / "evidence").iterdir())
    rest = path.read_bytes().splitlines(keepends=True)[1:]
    path.write_bytes(b"{\n" + b"".join(rest))
    built = store.build(checkout, tmp_path / "msmap.db")
    assert [(p.path, p.line) for p in built.problems] == [(path, 1)]
    with closing(sqlite3.connect(built.path)) as connection:
        assert connection.execute("SELECT count(*) FROM evidence").fetchone() == (len(rest),)


@pytest.mark.parametrize("framework", ["torch", "mindspore"])
def test_without_signatures_the_build_says_how_to_get_them(framework: str, checkout: Path) -> None:
    for path in (checkout / "signatures").glob(f"{framework}-*.jsonl"):
        path.unlink()
    with pytest.raises(DataError) as caught:
        store.build(checkout, Path("msmap.db"))
    assert str(caught.value) == (
        f"data/signatures:1: no signatures of {framework}; run `msmap signatures {framework}` "
        "[schema]"
    )


@pytest.mark.parametrize(
    ("older", "newest"),
    [("2.9.1", "2.13.0"), ("2.12.0", "2.13.0"), ("2.13.0rc1", "2.13.0"), ("2.13.0", "3.0.0rc1")],
)
def test_the_newest_signatures_count(older: str, newest: str, checkout: Path) -> None:
    """Releases are compared as numbers, and a candidate comes before its release."""
    folder = checkout / "signatures"
    text = (folder / "torch-2.13.0.jsonl").read_text(encoding="utf-8")
    (folder / "torch-2.13.0.jsonl").unlink()
    for release in (older, newest):
        (folder / f"torch-{release}.jsonl").write_text(text, encoding="utf-8")
    assert signatures.read(checkout, "torch").release == newest


def test_sqlite_finds_the_database_sound(connection: sqlite3.Connection) -> None:
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    for table in ("document_fts", "spelling_fts"):
        connection.execute(f"INSERT INTO {table}({table}) VALUES('integrity-check')")
    connection.rollback()


def test_the_database_says_which_schema_it_has(connection: sqlite3.Connection) -> None:
    assert connection.execute("PRAGMA user_version").fetchone() == (index.SCHEMA_VERSION,)
    assert connection.execute("SELECT key, value FROM meta ORDER BY key").fetchall() == [
        ("mindspore", "2.10.0"),
        ("schema_version", str(index.SCHEMA_VERSION)),
        ("torch", "2.13.0"),
    ]


def test_the_database_is_one_file_that_needs_no_journal(connection: sqlite3.Connection) -> None:
    """It can be copied, and read from where nobody may write."""
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@pytest.mark.parametrize(
    ("table", "full_text"),
    [
        *((table, f"{table}_fts") for table in tables.SEARCHED),
        ("check", None),
    ],
)
def test_datasette_finds_the_full_text_index(
    table: str, full_text: str | None, connection: sqlite3.Connection
) -> None:
    assert detect_fts(connection, table) == full_text


def test_sqlite_utils_finds_tables_keys_and_words(connection: sqlite3.Connection) -> None:
    found = Database(connection)
    assert found.table("record").pks == ["torch"]
    assert [key.column for key in found.table("target").foreign_keys] == ["torch"]
    assert found.view_names() == ["evidence"]
    named = {table: list(found.table(table).search(words)) for table, words in _SOUGHT.items()}
    assert [row["torch"] for row in named["record"]] == ["torch.nn.Dropout"]
    assert next(row["name"] for row in named["document"]) == "torch.nn.Dropout"
    assert {row["torch"] for row in named["caveat"]} == {"torch.nn.Dropout"}
    assert "mindspore.nn.Dropout" in {row["name"] for row in named["api"]}


# Words as a reader has them: another form, and a part of a name.
_SOUGHT = {
    "record": "zeroing elements",
    "document": "zeroing training",
    "caveat": "dropout",
    "api": "Dropout",
}


def test_there_are_these_tables_and_as_many_rows(connection: sqlite3.Connection) -> None:
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_fts%'"
        " ESCAPE '\\' ORDER BY name"
    ).fetchall()
    counts = {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
        for (name,) in tables
    }
    assert counts == {
        "api": 31,
        "caveat": 2,
        "check": 9,
        "claim": 4,
        "claim_place": 5,
        "claim_subject": 4,
        "pair_table": 0,
        "pair": 0,
        "document": 7,
        "history": 8,
        "message": 1,
        "mistake": 0,
        "synonym": 2,
        "environment": 1,
        "guide": 1,
        "meta": 3,
        "page": 11,
        "parameter": 19,
        "past_api": 0,
        "probe": 0,
        "record": 6,
        "reference": 12,
        "release": 2,
        "run": 9,
        "source": 1,
        "spelling": 31,
        "state": 0,
        "target": 8,
        "target_name": 5,
        "edition": 0,
        "dictionary": 4,
        "drift": 0,
    }


def test_rows_of_a_record_say_what_the_record_says(connection: sqlite3.Connection) -> None:
    assert connection.execute(
        "SELECT namespace, kind, mindspore, category, verification, summary_en, summary_zh,"
        " example_torch, example_mindspore FROM record WHERE torch = 'torch.nn.Dropout'"
    ).fetchall() == [
        (
            "torch.nn",
            "class",
            "mindspore.nn.Dropout",
            "source_more_params",
            "verified_forward_only",
            "Zeroes elements at random while training.",
            "训练时将元素随机置零。",
            "torch.nn.Dropout(0.25)(x)",
            "mindspore.nn.Dropout(p=0.25)(x)",
        )
    ]
    assert connection.execute(
        "SELECT rank, t.key, category, ascend, gpu, cpu FROM target t"
        " WHERE torch = 'torch.nn.GELU' ORDER BY rank"
    ).fetchall() == [
        (1, "mindspore.nn.GELU", "input_usage_differs", 1, 1, 1),
        (2, "mindspore.mint.nn.GELU", "identical", 1, 0, 0),
    ]
    assert connection.execute(
        "SELECT p.torch, p.mindspore, relation, derived, torch_default, mindspore_default"
        " FROM parameter p JOIN target t ON t.id = p.target"
        " WHERE t.torch = 'torch.nn.Dropout' AND side = 'arguments' ORDER BY p.id"
    ).fetchall() == [
        ("p", "p", "default_differs", 0, "0.5", "None"),
        ("inplace", "", "source_only_droppable", 0, "False", None),
        ("", "keep_prob", "target_only_keep_default", 0, None, "0.5"),
        ("", "dtype", "target_only_keep_default", 0, None, "mindspore.float32"),
    ]
    assert connection.execute(
        "SELECT slug, impact, parameter, shown_by FROM caveat WHERE torch = 'torch.nn.Dropout'"
    ).fetchall() == [("position-is-kept", "silent", "p", '["position"]')]
    assert connection.execute(
        "SELECT slug, outcome, torch_gave, mindspore_gave FROM evidence e"
        ' JOIN "check" c ON c.id = e."check" WHERE owner = \'torch.nn.Dropout\' ORDER BY c.id'
    ).fetchall() == [
        ("training", "verified_forward_only", "", ""),
        ("position", "diverges_documented", "True", "False"),
    ]


def test_releases_in_which_the_same_came_out_share_a_row(releases: Path, tmp_path: Path) -> None:
    """Which is a row of each release to who reads the view."""
    data = tmp_path / "data"
    shutil.copytree(releases, data)
    names = {r: f"torch-2.13.0_mindspore-{r}_cpu_linux-x86_64" for r in ("2.9.0", "2.10.0")}
    path = data / "evidence" / f"{names['2.9.0']}.jsonl"
    lines = evidence.read(path).values()
    evidence.write(path, [replace(li, gradient="") if li.check == "exact" else li for li in lines])
    store.build(data, tmp_path / "msmap.db")
    with closing(sqlite3.connect(tmp_path / "msmap.db")) as connection:
        environments = connection.execute(
            "SELECT e.family, e.mindspore, e.name FROM environment e ORDER BY e.release"
        ).fetchall()
        rows = connection.execute(
            'SELECT c.slug, a.name, b.name, r.gradient FROM run r JOIN "check" c'
            ' ON c.id = r."check" JOIN release a ON a.id = r.first JOIN release b'
            " ON b.id = r.last WHERE c.owner = 'torch.nn.GELU' ORDER BY 1, r.id"
        ).fetchall()
        seen = connection.execute(
            'SELECT c.slug, e.environment, e.gradient FROM evidence e JOIN "check" c'
            " ON c.id = e.\"check\" WHERE c.owner = 'torch.nn.GELU' ORDER BY c.slug, e.environment"
        ).fetchall()
    assert environments == [(1, release, name) for release, name in names.items()]
    assert rows == [
        ("exact", "2.9.0", "2.10.0", ""),
        ("mint", "2.10.0", "2.10.0", ""),
        ("mint", "2.9.0", "2.9.0", "none"),
    ]
    assert seen == [
        ("exact", names["2.10.0"], ""),
        ("exact", names["2.9.0"], ""),
        ("mint", names["2.10.0"], ""),
        ("mint", names["2.9.0"], "none"),
    ]


def test_what_came_out_as_in_the_next_release_is_not_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the rows are those that looking gives."""
    data = sample.with_evidence(sample.directory(tmp_path / "data", earlier=2))
    for base in support.read_all(data).earlier:
        ran = {n for n, r in base.records.items() if any(c.evidence for c in r.checks)}
        assert base.alike & ran
    store.build(data, tmp_path / "quick.db")
    monkeypatch.setattr(attach, "alike", lambda *_: set())
    store.build(data, tmp_path / "slow.db")
    assert (tmp_path / "quick.db").read_bytes() == (tmp_path / "slow.db").read_bytes()


def test_every_public_name_has_its_signature(connection: sqlite3.Connection) -> None:
    assert connection.execute(
        "SELECT framework, release, name, kind, signatures, call, platforms, alias_of, defined"
        " FROM api WHERE name LIKE '%.concat' ORDER BY name"
    ).fetchall() == [
        (
            "mindspore", "2.10.0", "mindspore.ops.concat", "function", '["(tensors, axis=0)"]',
            "[]", "[]", "mindspore.ops.cat", "mindspore.ops.function.array_func.concat",
        ),
        (
            "torch", "2.13.0", "torch.concat", "function",
            '["(tensors: tuple[Tensor, ...] | list[Tensor], dim: int = 0, *, '
            'out: Tensor | None = None) -> Tensor"]',
            "[]", "[]", "torch.cat", "torch._VariableFunctionsClass.concat",
        ),
    ]  # fmt: skip
