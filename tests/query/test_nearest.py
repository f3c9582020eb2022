"""The names nearest to a misspelt one."""

from __future__ import annotations

import random
import shutil
import sqlite3
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap import database as index
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import lookup as understood
from msmap.query.names.nearest import distance, nearest, siblings
from msmap.store import build as store

ROOT = Path(__file__).resolve().parents[2]
SEED = 20260101
TYPOS = 300


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [
        ("", "", 0),
        ("relu", "relu", 0),
        ("relu", "rel", 1),
        ("relu", "erelu", 1),
        ("relu", "rela", 1),
        ("relu", "rleu", 1),
        ("relu", "gelu", 1),
        ("relu", "lure", 4),
        ("softmax", "softmin", 2),
        ("conv2d", "conv3d", 1),
        ("ca", "abc", 3),
        ("", "abc", 3),
        ("kitten", "sitting", 3),
        ("abcdefgh", "ijklmnop", 6),
        ("a", "abcdefgh", 6),
    ],
)
def test_distance_counts_edits_up_to_a_limit(one: str, other: str, edits: int) -> None:
    assert distance(one, other) == edits
    assert distance(other, one) == edits


@pytest.mark.parametrize(("limit", "edits"), [(1, 1), (2, 2), (3, 3), (4, 3), (9, 3)])
def test_distance_never_exceeds_its_limit(limit: int, edits: int) -> None:
    assert distance("kitten", "sitting", limit) == edits


NAMES = {
    "torch.nn.ReLU": True,
    "torch.nn.ReLU6": False,
    "torch.nn.PReLU": True,
    "torch.nn.functional.relu": False,
    "torch.relu": True,
    "torch.relu_": False,
    "torch.rand": False,
    "torch.randn": True,
    "torch.t": False,
    "torch.nn.Softmax": False,
    "mindspore.nn.ReLU": False,
    "torch.nn.MSELoss": False,
    "torch.nn.functional.mse_loss": False,
    "torch.mse_loss": False,
    "torch.nn.CrossEntropyLoss": False,
    "torch.nn.functional.cross_entropy": False,
}


UNDOCUMENTED = {"torch.mse_loss"}


@pytest.fixture
def few() -> Iterator[sqlite3.Connection]:
    """A table of the names above, laid out as in the database; True means curated."""
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE TABLE spelling (id INTEGER PRIMARY KEY, framework TEXT, name TEXT, leaf TEXT,"
        " curated BOOLEAN, documented BOOLEAN)"
    )
    connection.executemany(
        "INSERT INTO spelling (framework, name, leaf, curated, documented) VALUES (?, ?, ?, ?, ?)",
        [
            (n.partition(".")[0], n, n.rpartition(".")[2], c, n not in UNDOCUMENTED)
            for n, c in NAMES.items()
        ],
    )
    connection.execute(
        "CREATE VIRTUAL TABLE spelling_fts USING fts5(name, content=spelling, tokenize=trigram)"
    )
    connection.execute("INSERT INTO spelling_fts (spelling_fts) VALUES ('rebuild')")
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("spelling", "first"),
    [
        ("torch.nn.Relu6", "torch.nn.ReLU6"),
        ("torch.nn.relu", "torch.nn.ReLU"),
        ("torch.nn.Sotfmax", "torch.nn.Softmax"),
        ("softmx", "torch.nn.Softmax"),
        ("  torch.nn.Sofmax\n", "torch.nn.Softmax"),
        ("torch.rnad", "torch.rand"),
        # It is nearer as it is written, torch.mse_loss, but no documentation has that.
        ("mse_los", "torch.nn.functional.mse_loss"),
        ("torch.randm", "torch.randn"),
        ("torch.nn.functional.rel", "torch.nn.functional.relu"),
        ("mindspore.nn.Relo", "mindspore.nn.ReLU"),
    ],
)
def test_the_nearest_name_comes_first_and_curated_ones_win_ties(
    few: sqlite3.Connection, spelling: str, first: str
) -> None:
    assert nearest(few, spelling)[0] == first


def test_at_most_as_many_names_as_wanted_come_back(few: sqlite3.Connection) -> None:
    assert nearest(few, "torch.nn.Rel", 1) == ["torch.nn.ReLU"]
    assert len(nearest(few, "torch.nn.Rel")) == 5


def test_a_name_is_not_near_itself(few: sqlite3.Connection) -> None:
    assert "torch.nn.ReLU" not in nearest(few, "torch.nn.ReLU")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "torch.relu_",
            ["torch.relu", "torch.nn.ReLU", "torch.nn.functional.relu", "mindspore.nn.ReLU"],
        ),
        (
            "torch.nn.functional.relu",
            ["torch.relu", "torch.nn.ReLU", "torch.relu_", "mindspore.nn.ReLU"],
        ),
        (
            "mindspore.nn.ReLU",
            ["torch.nn.ReLU", "torch.relu", "torch.relu_", "torch.nn.functional.relu"],
        ),
        ("torch.nn.MSELoss", ["torch.nn.functional.mse_loss", "torch.mse_loss"]),
        ("torch.nn.functional.cross_entropy", ["torch.nn.CrossEntropyLoss"]),
        ("torch.rand", []),
        ("torch.rnad", []),
    ],
)
def test_siblings_share_the_last_part_and_those_with_a_record_come_first(
    few: sqlite3.Connection, name: str, expected: list[str]
) -> None:
    assert siblings(few, name) == expected
    assert nearest(few, name, len(expected)) == expected


@pytest.mark.parametrize("spelling", ["", "   ", ".", '"', "'; DROP TABLE spelling; --", "*" * 999])
def test_no_spelling_is_an_error(few: sqlite3.Connection, spelling: str) -> None:
    assert set(nearest(few, spelling)) <= set(NAMES)
    assert few.execute("SELECT count(*) FROM spelling").fetchone() == (len(NAMES),)


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """The database of all names of both releases, without a single record."""
    folder = tmp_path_factory.mktemp("data")
    for name in ("records", "guides", "evidence"):
        (folder / name).mkdir()
    shutil.copytree(ROOT / "data" / "signatures", folder / "signatures")
    built = store.build(folder, folder / "msmap.db")
    connection = index.connect(str(built.path))
    yield connection
    connection.close()


def mistyped(name: str, chance: random.Random) -> str:
    """The name with one letter of its part after the framework lost, added, changed or swapped."""
    begin = name.index(".") + 1
    at = chance.randrange(begin, len(name))
    letter = chance.choice(string.ascii_letters + "_")
    before, after = name[:at], name[at + 1 :]
    swapped = f"{before}{after[:1]}{name[at]}{after[1:]}"
    return chance.choice([before + after, before + letter + name[at:], before + letter + after,
                          swapped])  # fmt: skip


def test_one_typo_leaves_the_right_name_among_the_first_five(every: sqlite3.Connection) -> None:
    chance = random.Random(SEED)
    names = [name for (name,) in every.execute("SELECT name FROM spelling ORDER BY id")]
    tried: list[tuple[str, str]] = []
    while len(tried) < TYPOS:
        name = chance.choice(names)
        typo = mistyped(name, chance)
        # What is another name is none: it is looked up as that.
        if typo.lower() != name.lower() and typo not in names:
            tried.append((typo, name))
    missed = [(typo, name) for typo, name in tried if name not in nearest(every, typo)]
    assert len(missed) <= TYPOS // 100, missed


@pytest.mark.parametrize(
    "asked", ["torch.nothing", "torch.nn.LayrNorm", "abc.defghi", "torch.nn.SiLU"]
)
def test_what_is_not_there_is_looked_up_by_indexes(shipped: Path, asked: str) -> None:
    """Anybody may ask for any name: none of them may have all names looked at."""
    said: list[str] = []
    with KnowledgeBase.open(shipped) as kb:
        kb.rows.connection.set_trace_callback(said.append)
        understood.answer(kb, asked)
        kb.rows.connection.set_trace_callback(None)
        plans = [kb.rows(f"EXPLAIN QUERY PLAN {sql}") for sql in said if sql.startswith("SELECT")]
    assert [line for plan in plans for *_, line in plan if line.startswith("SCAN spelling")] == []
