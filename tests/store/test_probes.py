"""What probing found in the database: a table of its own, which no record stands in."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.builders import probing

from msmap import database as index
from msmap.evidence import probes
from msmap.probed import Candidate, Probe
from msmap.problems import Problem
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.render import probe as page
from msmap.render import short
from msmap.render.layout import unmarked
from msmap.store import build as store

COLUMNS = "torch, r.name, namespace, mindspore, reason, agreed, tried, gradients_agreed, ascend"


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """What a database answers."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_each_name_without_a_record_has_a_row(probed: Path) -> None:
    """Neither a name with a record, nor one that PyTorch doesn't have."""
    found = rows(
        probed, f"SELECT {COLUMNS} FROM probe p JOIN release r ON r.id = p.release ORDER BY 1"
    )
    assert found == [
        ("torch.Tensor.view", "2.10.0", "torch.Tensor", "", "no_candidate", 0, 0, 0, 0),
        ("torch.nn.Softmax", "2.10.0", "torch.nn", "mindspore.nn.Softmax", "", 8, 8, 8, 1),
        ("torch.nn.functional.dropout", "2.10.0", "torch.nn.functional", "mindspore.ops.dropout",
         "no_samples", 0, 0, 0, 1),
        ("torch.relu", "2.10.0", "torch", "mindspore.ops.relu", "", 43, 48, 12, 1),
        ("torch.tanh", "2.10.0", "torch", "mindspore.ops.tanh", "", 0, 6, 0, 1),
    ]  # fmt: skip


def test_no_table_of_records_knows_a_probe(database: Path, probed: Path) -> None:
    """But for the pages, for what search finds, and for tables that others publish."""
    tables = {
        name
        for (name,) in rows(probed, "SELECT name FROM sqlite_master WHERE type = 'table'")
        # Of one of the two directories git knows when it was changed.
        if not name.startswith(("document_fts", "spelling_fts", "history"))
    }
    other = {
        name
        for name in tables
        if rows(probed, f'SELECT * FROM "{name}"') != rows(database, f'SELECT * FROM "{name}"')
    }
    assert other == {"probe", "page", "document", "pair", "pair_table"}
    assert rows(probed, "SELECT kind, count(*) FROM document GROUP BY 1 ORDER BY 1") == [
        ("guide", 1), ("probe", 5), ("record", 6),
    ]  # fmt: skip


def test_it_is_said_how_many_there_are(probing: Path, tmp_path: Path) -> None:
    assert store.build(probing, tmp_path / "msmap.db") == store.Built(
        tmp_path / "msmap.db", records=6, guides=1, claims=4, checks=9, apis=31, probes=5
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_stored_page_is_the_one_rendered_live(language: str, probed: Path) -> None:
    with KnowledgeBase.open(probed) as kb:
        asked = [answers.answer(kb, summary.torch) for summary in kb.probes()]
    live = {
        (answer.query, full): [*told(answer.probe, language, answer.nearest, answer.guides)]
        for answer in asked
        if answer.probe is not None
        for full, told in ((True, page.probe), (False, short.probe))
    }
    with closing(sqlite3.connect(probed)) as connection:
        stored = {
            (name, full): index.page(connection, name, language, full) or "" for name, full in live
        }
    assert len(live) == 10
    assert {n: [*map(unmarked, text.split("\n")[:-1])] for n, text in stored.items()} == live


def test_a_release_has_the_probes_that_ran_with_it(releases: Path, tmp_path: Path) -> None:
    shutil.copytree(releases, tmp_path / "data")
    probing.write(tmp_path / "data", earlier=True)
    store.build(tmp_path / "data", tmp_path / "msmap.db")
    found = {}
    for release in ("2.10", "2.9", "2.8"):
        with KnowledgeBase.open(tmp_path / "msmap.db", release) as kb:
            found[release] = {s.torch: s.mindspore for s in kb.probes()}
    softmax = {"torch.nn.Softmax": "mindspore.nn.Softmax"}
    # torch.relu has a record there.
    others = {
        "torch.Tensor.view": "",
        "torch.nn.functional.dropout": "mindspore.ops.dropout",
        "torch.tanh": "mindspore.ops.tanh",
    }
    assert found == {"2.10": others | softmax, "2.9": softmax, "2.8": {}}


@pytest.mark.parametrize(
    ("device", "mindspore"), [("cpu", "mindspore.ops.relu"), ("ascend", "mindspore.nn.ReLU")]
)
def test_what_ran_on_a_cpu_counts(device: str, mindspore: str, data: Path, tmp_path: Path) -> None:
    """Another environment tells of the names that no CPU has tried."""
    shutil.copytree(data, tmp_path / "data")
    elsewhere = probing.ENVIRONMENT.replace("cpu", "ascend")
    other = Probe("torch.relu", "0", candidates=(Candidate({"api": "mindspore.nn.ReLU"}, "form"),))
    probes.write(probes.path(tmp_path / "data", elsewhere), [other, probing.SOFTMAX])
    if device == "cpu":
        probes.write(probes.path(tmp_path / "data", probing.ENVIRONMENT), [probing.RELU])
    store.build(tmp_path / "data", tmp_path / "msmap.db")
    found = rows(tmp_path / "msmap.db", "SELECT torch, mindspore FROM probe ORDER BY torch")
    assert found == [("torch.nn.Softmax", "mindspore.nn.Softmax"), ("torch.relu", mindspore)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", 'not a probe (Expecting property name enclosed in double quotes: line 1 column 2 '
               '(char 1))'),
        (b'{"name":"torch.relu"}', "torch.relu is listed twice"),
        (b'{"name":"torch.nn.ReLU","hash":"0","reason":"sloth"}',
         f'not a probe (reason "sloth": one of {", ".join(probes.NOT_PROBED)})'),
        (b'{"name":"torch.nn.ReLU","hash":"0","candidates":[{"target":{"api":"numpy.x"},'
         b'"found":"form"}]}',
         "torch.nn.ReLU: no target (('api',): String should match pattern"
         " '^mindspore(\\.[A-Za-z_]\\w*)+$')"),
    ],
)  # fmt: skip
def test_a_line_that_says_nothing_is_left_out_with_its_reason(
    line: bytes, said: str, probing: Path, tmp_path: Path
) -> None:
    shutil.copytree(probing, tmp_path / "data")
    (path,) = (tmp_path / "data" / "probes").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole + line + b"\n")
    built = store.build(tmp_path / "data", tmp_path / "msmap.db")
    assert (built.probes, built.problems) == (
        5, (Problem(path, whole.count(b"\n") + 1, said, "evidence"),),
    )  # fmt: skip


def test_a_build_of_what_changed_gives_the_same_bytes(probing: Path, tmp_path: Path) -> None:
    """A probe that changed, one that came and one that went, a record, and a guide beside them."""
    shutil.copytree(probing, tmp_path / "data")
    (path,) = (tmp_path / "data" / "probes").iterdir()
    guide = tmp_path / "data" / "guides" / "training.yaml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    changes = (
        lambda: path.write_text("".join(lines[1:]), encoding="utf-8"),
        lambda: path.write_text("".join(lines).replace("[43,48]", "[42,48]"), encoding="utf-8"),
        lambda: guide.write_text(
            guide.read_text(encoding="utf-8").replace("(mindspore.nn.Flatten", "(torch.relu"),
            encoding="utf-8",
        ),
        lambda: os.rename(path, path.with_stem(path.stem.replace("x86_64", "aarch64"))),
        (tmp_path / "data" / "records" / "torch" / "cat.yaml").unlink,
        lambda: shutil.rmtree(path.parent),
    )
    cache = tmp_path / "cache"
    store.build(tmp_path / "data", tmp_path / "kept.db", cache)
    for change in changes:
        change()
        store.build(tmp_path / "data", tmp_path / "kept.db", cache)
        store.build(tmp_path / "data", tmp_path / "anew.db")
        assert (tmp_path / "kept.db").read_bytes() == (tmp_path / "anew.db").read_bytes()
