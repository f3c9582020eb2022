"""Files read by the workers of a Dask cluster: the same comes of them, whichever of them die."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap.errors import NoWorkers
from msmap.model import Unread
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import port as projects
from msmap.query.projects import scan as scanning

pytest.importorskip("distributed")
pytest.importorskip("psutil")

from distributed import Client
from tests.builders.cluster import Dask, wait_for

from msmap import workers
from msmap.query.projects import cluster as spread

CODE = "import torch\nfrom shared import make\n\nx = make({n})\ny = torch.cat([x, x])\n"
SHARED = "import torch\n\n\ndef make(n):\n    return torch.cat([torch.ones(n)])\n"

# Ends a process as soon as it ports one of the files.
ENDS = """
import os
from msmap.port import project
usual = project.port
def port(path, *given):
    if path.name == "m07.py": os._exit(1)
    return usual(path, *given)
project.port = port
"""


@pytest.fixture
def dask(tmp_path: Path, database: Path) -> Iterator[Dask]:
    """A cluster without workers."""
    (tmp_path / "dask").mkdir()
    with Dask(tmp_path / "dask", MSMAP_DB=str(database)) as found:
        yield found


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Many files that import one, and one that can't be read; seen from their folder."""
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    for number in range(60):
        Path(f"m{number:02}.py").write_text(CODE.format(n=number), encoding="utf-8")
    Path("shared.py").write_text(SHARED, encoding="utf-8")
    Path("spoiled.py").write_text("x = (", encoding="utf-8")
    return tmp_path / "tree"


def test_two_workers_give_what_this_machine_gives(
    dask: Dask, tree: Path, kb: KnowledgeBase
) -> None:
    dask.worker("a")
    dask.worker("b")
    wait_for(lambda: dask.count() == 2)
    assert list(projects.port(kb, [".", "gone"], scheduler=dask.address)) == list(
        projects.port(kb, [".", "gone"])
    )
    assert scanning.scan(kb, ["."], scheduler=dask.address) == scanning.scan(kb, ["."])


def test_the_files_of_a_worker_that_dies_are_read_elsewhere(
    dask: Dask, tree: Path, kb: KnowledgeBase
) -> None:
    first = dask.worker("a")
    dask.worker("b")
    wait_for(lambda: dask.count() == 2)
    done = projects.port(kb, ["."], scheduler=dask.address)
    found = [next(done) for _ in range(5)]
    first.kill()
    first.wait()
    found += done
    assert found == list(projects.port(kb, ["."]))


def test_a_file_that_takes_its_workers_down_costs_itself_alone(
    tree: Path, tmp_path: Path, database: Path, kb: KnowledgeBase
) -> None:
    """It is read with others, then alone; here Dask gives up a batch when one worker died of it."""
    (tmp_path / "dask").mkdir()
    settings = {
        "MSMAP_DB": str(database),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
    }
    with Dask(tmp_path / "dask", **settings) as dask:
        for name in "abc":
            dask.worker(name)
        wait_for(lambda: dask.count() == 3)
        with Client(dask.address, set_as_default=False) as client:
            client.run(exec, ENDS, {})
        found = list(projects.port(kb, ["."], scheduler=dask.address))
    here = list(projects.port(kb, ["."]))
    lost = found.pop(7)
    del here[7]
    assert isinstance(lost, Unread)
    assert (lost.path, lost.kind, found) == ("m07.py", "crashed", here)


def test_what_workers_found_is_kept_like_all_else(
    dask: Dask, tree: Path, kb: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSMAP_CACHE", str(tmp_path / "cache"))
    dask.worker("a")
    wait_for(dask.count)
    first = list(projects.port(kb, ["."], kept=True, scheduler=dask.address))
    # No scheduler is asked where nothing is left to do.
    assert list(projects.port(kb, ["."], kept=True, scheduler="tcp://127.0.0.1:1")) == first


def test_workers_that_see_other_files_read_none(
    dask: Dask, tree: Path, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    dask.worker("a")
    wait_for(dask.count)
    monkeypatch.setattr(spread, "_size", lambda path: 7)
    with pytest.raises(NoWorkers) as raised:
        list(projects.port(kb, ["."], scheduler=dask.address))
    assert re.fullmatch(
        "no worker can read the files: tcp://[0-9.:]+: it doesn't see .*/m00.py as it is here",
        str(raised.value),
    )


def test_workers_with_another_database_read_nothing(
    dask: Dask, tree: Path, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    dask.worker("a")
    wait_for(dask.count)
    monkeypatch.setattr(spread, "_digest", lambda path: "0" * 64)
    with pytest.raises(NoWorkers, match="it has another database than is here"):
        list(projects.port(kb, ["."], scheduler=dask.address))


def test_no_scheduler(tree: Path, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.Workers.__init__, "__defaults__", (0.1,))
    with pytest.raises(NoWorkers, match="no Dask scheduler answers at tcp"):
        list(projects.port(kb, ["."], scheduler="tcp://127.0.0.1:1"))
