"""Data several times over, which benchmarks are run on: as sound as what it is made of."""

from __future__ import annotations

import importlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from msmap.store import build as store

ROOT = Path(__file__).resolve().parents[2]
COVERS = "covers: [torch.nn.functional.*, torch.tanh]\n"


def test_copies_stand_beside_their_originals_and_cover_names_of_their_own(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = checkout / "records" / "torch" / "jit" / "script.yaml"
    head.write_text(head.read_text(encoding="utf-8") + COVERS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    multiplied = importlib.import_module("multiplied")
    monkeypatch.setattr(multiplied, "DATA", checkout.resolve())
    (tmp_path / "more").mkdir()
    made = multiplied.multiply(tmp_path / "more", 12)
    assert store.build(made, tmp_path / "more.db").records == 12
    with closing(sqlite3.connect(tmp_path / "more.db")) as opened:
        rows = opened.execute("SELECT torch, family FROM record WHERE torch != ''").fetchall()
        verified = opened.execute(
            "SELECT count(*) FROM record WHERE verification = 'verified' AND torch LIKE '%\\_2'"
            " ESCAPE '\\'"
        ).fetchone()
    assert len(rows) == 12 + 4
    assert {name for name, family in rows if family} == {
        "torch.nn.functional.dropout", "torch.tanh", "torch.copied_2.nn.functional.dropout",
        "torch.copied_2.tanh",
    }  # fmt: skip
    assert verified[0] > 0
