"""The texts that stored ones are deflated with: made by a command, and still good enough."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from msmap import database
from msmap.store import documents, train


def trained(source: Path, folder: Path, seed: int) -> dict[str, bytes]:
    """What the command writes into a folder, by the names of the files."""
    folder.mkdir()
    subprocess.run(
        [sys.executable, "-m", "msmap.store.train", str(source), "--output", str(folder)],
        env=os.environ | {"PYTHONHASHSEED": str(seed)}, check=True,
    )  # fmt: skip
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_command_writes_the_same_of_the_same_database(probed: Path, tmp_path: Path) -> None:
    made = [trained(probed, tmp_path / str(seed), seed) for seed in (1, 2)]
    assert made[0] == made[1]
    assert made[0].keys() == {path.name for path in documents.DICTIONARIES.iterdir()}
    assert made[0]["record.txt"]


def test_without_a_database_it_says_so_and_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as left:
        train.main([str(tmp_path / "none.db"), "--output", str(tmp_path)])
    assert left.value.code == (
        f"msmap: no database at {tmp_path}/none.db; build one with `msmap build` in a checkout"
    )
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("kind", documents.KINDS)
def test_those_that_are_kept_are_nearly_as_good_as_new_ones(kind: str, shipped: Path) -> None:
    """If not: `msmap build`, then `python -m msmap.store.train kb/msmap/msmap.db`."""
    with closing(database.connect(str(shipped))) as connection:
        texts = train.stored(connection)[kind]

    def size(like: bytes) -> int:
        deflating = documents.Deflating(like)
        return sum(len(deflating(text)) for text in texts)

    assert size(documents.dictionary(kind)) < 1.05 * size(train.chosen(texts).encode())


def test_what_texts_have_in_common_is_chosen_and_the_most_common_stands_last() -> None:
    """Deflated texts look back: what is near costs least."""
    often, seldom = "common to all of them " * 15, "shared by two of these " * 15
    texts = [f"{often}{number}" * 2 for number in range(9)]
    found = train.chosen([*texts, *(f"{seldom}{n}" for n in "ab"), "what one alone says " * 20])
    assert 0 <= found.find("shared by two") < found.find("common to all")
    assert "one alone" not in found
