"""Checks run by the workers of a Dask cluster: the same comes out, whichever of them die.

Their zygotes are stand-ins that import no framework (tests/builders/snippets.py), where not marked.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.builders import checks

from msmap.errors import CannotVerify
from msmap.evidence import files
from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.verify.executors import local
from msmap.verify.executors.local import Local
from msmap.verify.plan.job import Job

pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")

from tests.builders.cluster import Dask, wait_for  # noqa: E402
from tests.verify.test_local import CASES  # noqa: E402

from msmap.verify.executors import cluster  # noqa: E402

Cluster = cluster.Cluster
STUB = (sys.executable, str(Path(__file__).parents[1] / "builders" / "snippets.py"))
HERE = Environment("2.13.0", "2.10.0", "cpu", local.machine())
THERE = Environment("2.13.0", "2.9.0", "cpu", local.machine())
# Says who holds the check up; goes on when told to.
HOLDS = """
import os, pathlib, time
folder = pathlib.Path(os.environ["FOLDER"])
(folder / (os.environ["WORKER"] + ".holds")).touch()
while not (folder / "go").exists(): time.sleep(0.05)
"""
KILLS = """
import os, psutil, time
os.kill(psutil.Process().parents()[2].pid, 9)
time.sleep(300)
"""


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    """A cluster without workers."""
    with Dask(tmp_path, FOLDER=str(tmp_path)) as found:
        yield found


def jobs(count: int, **codes: str) -> list[Job]:
    """So many jobs, some of them with code."""
    names = [f"c{i}" for i in range(count)]
    return [
        checks.job(check=name, torch=json.dumps({"": codes.get(name, "said = 'x' * 3")}))
        for name in names
    ]


def written(folder: Path, lines: Iterable[Line]) -> bytes:
    """The lines as a file of evidence."""
    files.write(folder / "out.jsonl", lines)
    return (folder / "out.jsonl").read_bytes()


def alone(todo: list[Job], folder: Path) -> list[Line]:
    """What comes out here, where nothing is held up."""
    (folder / "go").touch()
    with pytest.MonkeyPatch.context() as patch, Local(1, command=STUB) as executor:
        patch.setenv("FOLDER", str(folder))
        patch.setenv("WORKER", "none")
        return list(executor.lines(todo))


def holder(folder: Path) -> str:
    """The name of the worker that is held up, as soon as one is."""
    wait_for(lambda: list(folder.glob("*.holds")))
    (found,) = folder.glob("*.holds")
    return found.stem


def test_two_workers_give_what_this_machine_gives(dask: Dask, tmp_path: Path) -> None:
    dask.worker("a")
    dask.worker("b")
    wait_for(lambda: dask.count() == 2)
    todo = jobs(20)
    with Cluster(dask.address, 30, STUB) as executor:
        assert (executor.environments, executor.width, executor.idle) == ((HERE,), 2, {})
        found = list(executor.run({HERE: todo}))
    assert {environment for environment, _ in found} == {HERE}
    assert written(tmp_path, (line for _, line in found)) == written(
        tmp_path, alone(todo, tmp_path)
    )


def test_the_jobs_of_a_worker_that_dies_run_elsewhere(dask: Dask, tmp_path: Path) -> None:
    """Killed in the middle of one, when half of the others have come out."""
    workers = {name: dask.worker(name, WORKER=name) for name in "ab"}
    wait_for(lambda: dask.count() == 2)
    todo = jobs(20, c0=HOLDS)
    with Cluster(dask.address, 60, STUB) as executor:
        lines = executor.run({HERE: todo})
        found = [next(lines) for _ in range(10)]
        workers[holder(tmp_path)].kill()
        (tmp_path / "go").touch()
        found += lines
    assert len(found) == 20
    assert written(tmp_path, (line for _, line in found)) == written(
        tmp_path, alone(todo, tmp_path)
    )


@pytest.mark.frameworks
def test_what_both_frameworks_give_is_the_same_too(
    dask: Dask, local: Local, tmp_path: Path
) -> None:
    todo = [replace(made, check=name) for name, (made, _) in CASES.items()]
    wanted = written(tmp_path, local.lines(todo))
    workers = [dask.worker("a"), dask.worker("b")]
    wait_for(lambda: dask.count() == 2)
    with Cluster(dask.address, 60) as executor:
        lines = executor.run(dict.fromkeys(executor.environments, todo))
        found = [next(lines) for _ in range(len(todo) // 2)]
        workers[0].kill()
        found += lines
    assert written(tmp_path, (line for _, line in found)) == wanted


def test_a_worker_that_comes_later_takes_over(dask: Dask, tmp_path: Path) -> None:
    first = dask.worker("a", WORKER="a")
    todo = jobs(6, c1=HOLDS)
    with Cluster(dask.address, 60, STUB) as executor:
        lines = executor.run({HERE: todo})
        found = [next(lines)]
        assert holder(tmp_path) == "a"
        first.kill()
        (tmp_path / "go").touch()
        dask.worker("b", WORKER="b")
        found += lines
    assert written(tmp_path, (line for _, line in found)) == written(
        tmp_path, alone(todo, tmp_path)
    )


def test_a_job_that_kills_its_workers_costs_itself_alone(tmp_path: Path) -> None:
    """It runs with others, then alone; Dask gives up a batch, here when one worker died of it."""
    with Dask(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as dask:
        for name in "abc":
            dask.worker(name)
        wait_for(lambda: dask.count() == 3)
        with Cluster(dask.address, 60, STUB) as executor:
            found = list(executor.run({HERE: jobs(60, c7=KILLS)}))
    outcomes = {line.check: (line.outcome, line.message) for _, line in found}
    taken = ("inconclusive", "it took down the whole verifier")
    assert (len(found), outcomes.pop("c7")) == (60, taken)
    assert set(outcomes.values()) == {("verified", "xxx")}


def test_each_environment_runs_its_own_jobs(dask: Dask) -> None:
    dask.worker("a")
    dask.worker("b", MSMAP_TEST_ENVIRONMENT="2.13.0 2.9.0 cpu")
    wait_for(lambda: dask.count() == 2)
    says = {"": "import os\nsaid = os.environ.get('MSMAP_TEST_ENVIRONMENT', 'here')"}
    made = [checks.job(check=f"c{i}", torch=json.dumps(says)) for i in range(6)]
    with Cluster(dask.address, 60, STUB) as executor:
        assert executor.environments == (HERE, THERE)
        found = list(executor.run({HERE: made[:4], THERE: made[2:]}))
    assert sorted((e.mindspore, line.check, line.message) for e, line in found) == [
        *(("2.10.0", f"c{i}", "here") for i in range(4)),
        *(("2.9.0", f"c{i}", "2.13.0 2.9.0 cpu") for i in range(2, 6)),
    ]


def test_a_worker_that_cannot_run_checks_is_named(dask: Dask) -> None:
    dask.worker("a")
    dask.worker("b", MSMAP_TEST_ENVIRONMENT="")
    wait_for(lambda: dask.count() == 2)
    with Cluster(dask.address, 60, STUB) as executor:
        assert (executor.environments, executor.width) == ((HERE,), 1)
        assert list(executor.idle.values()) == [
            "the process that runs checks died before it ran any"
        ]
        assert len(list(executor.run({HERE: jobs(5)}))) == 5


def test_no_zygote_outlives_the_run_or_its_worker(
    dask: Dask, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = dask.worker("a")
    family = psutil.Process(worker.pid)
    with Cluster(dask.address, 60, STUB) as executor:
        list(executor.run({HERE: jobs(3)}))
        assert len(family.children(recursive=True)) == 2
    assert family.children(recursive=True) == []
    with Cluster(dask.address, 60, STUB):
        started = family.children(recursive=True)
        worker.kill()
        psutil.wait_procs(started, timeout=60)
        assert [process for process in started if process.is_running()] == []


def test_what_a_killed_run_left_behind_ends_with_the_next(dask: Dask) -> None:
    worker = dask.worker("a")
    code = (
        "import os, sys; from msmap.verify.executors.cluster import Cluster;"
        f"Cluster({dask.address!r}, 60, {STUB!r}); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    family = psutil.Process(worker.pid)
    left = family.children(recursive=True)
    wait_for(lambda: not dask.clients())
    with Cluster(dask.address, 60, STUB) as executor:
        assert len(list(executor.run({HERE: jobs(3)}))) == 3
        assert not set(left) & set(family.children(recursive=True))
    assert (len(left), family.children(recursive=True)) == (2, [])


def test_workers_of_other_code_run_no_checks(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    dask.worker("a")
    monkeypatch.setattr(cluster.workers.cache, "code", lambda: "0" * 64)
    with pytest.raises(CannotVerify) as raised, Cluster(dask.address, 60, STUB):
        pass
    assert re.fullmatch(
        "no worker can run checks: tcp://[0-9.:]+: it has another msmap than is here",
        str(raised.value),
    )


def test_a_cluster_without_workers(dask: Dask) -> None:
    with pytest.raises(CannotVerify) as raised:
        Cluster(dask.address, 60, STUB, patience=2)
    assert str(raised.value) == f"the Dask scheduler at {dask.address} has no workers"


def test_no_scheduler() -> None:
    with pytest.raises(CannotVerify, match="no Dask scheduler answers at tcp://127"):
        Cluster("tcp://127.0.0.1:1", 60, STUB, patience=0.1)


def test_workers_that_are_gone_for_good(dask: Dask, tmp_path: Path) -> None:
    worker = dask.worker("a", WORKER="a")
    with Cluster(dask.address, 60, STUB) as executor:
        lines = executor.run({HERE: jobs(6, c1=HOLDS)})
        next(lines)
        holder(tmp_path)
        executor.workers.patience = 0.5
        worker.kill()
        with pytest.raises(CannotVerify, match=f"no worker of {HERE.name} is left"):
            list(lines)


def tripping(close: Callable[[], object]) -> None:
    """Closes a client, and says what Dask says where its time limit was just running out."""
    with suppress(RuntimeError):
        close()
    raise RuntimeError("Cannot change state of expiring Timeout")


@pytest.mark.parametrize("trips", [False, True])
def test_a_scheduler_that_is_gone(
    dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trips: bool
) -> None:
    """Whatever the client makes of being closed while it closes itself."""
    dask.worker("a", WORKER="a")
    wait_for(dask.count)
    with Cluster(dask.address, 60, STUB, patience=2) as executor:
        if trips:
            client = executor.workers._client
            monkeypatch.setattr(client, "close", partial(tripping, client.close))
        lines = executor.run({HERE: jobs(6, c1=HOLDS)})
        next(lines)
        holder(tmp_path)
        dask.scheduler.kill()
        with pytest.raises(CannotVerify, match="the Dask scheduler is gone"):
            list(lines)
