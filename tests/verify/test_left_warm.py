"""A process that forks is left for the next run, and goes when nobody wants it any more."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders.zygotes import LIMIT, ZYGOTE, job, marked, wait_for

from msmap.verify.executors import warm
from msmap.verify.executors.local import Local

pytest.importorskip("numpy")
pytest.importorskip("psutil")

PID = {"": "import os\nsaid = str(os.getppid())"}


@pytest.fixture
def place(mark: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for sockets, whose path is short enough for one; nothing is left of it."""
    folder = Path(tempfile.mkdtemp(prefix="w", dir="/tmp"))
    monkeypatch.setenv("MSMAP_RUNTIME", str(folder))
    yield folder
    warm.stop()
    wait_for(lambda: marked(mark) == [])
    shutil.rmtree(folder)


def run(*checks: str, limit: float = LIMIT) -> str:
    """The process that forked for these checks, of an executor that leaves it warm."""
    with Local(1, limit, command=ZYGOTE, warm=True) as executor:
        found = {line.message for line in executor.lines([job(check, PID) for check in checks])}
    assert len(found) == 1
    return found.pop()


def sockets(folder: Path) -> int:
    return len(list(folder.glob("*.sock")))


def test_the_next_run_finds_the_process_of_the_one_before(place: Path) -> None:
    assert run("a", "b") == run("a")
    assert (place.stat().st_mode & 0o777, sockets(place)) == (0o700, 1)


def test_two_runs_at_once_have_a_process_each(place: Path) -> None:
    first = run("a")
    with Local(1, LIMIT, command=ZYGOTE, warm=True) as executor:
        lines = executor.lines([job("a", PID), job("b", PID)])
        assert next(lines).message == first
        assert run("c") != first
        assert [line.message for line in lines] == [first]
    assert run("d") == first


def test_a_run_that_is_given_up_leaves_nothing(place: Path, mark: str) -> None:
    first = run("a")
    with Local(1, LIMIT, command=ZYGOTE, warm=True) as executor:
        lines = executor.lines([job("a", PID), job("b", {"": "import time\ntime.sleep(300)"})])
        assert next(lines).message == first
        lines.close()
    assert run("c") != first
    assert sockets(place) == 1


def test_what_died_meanwhile_is_started_again(place: Path) -> None:
    first = run("a")
    os.kill(int(first), signal.SIGKILL)
    assert run("b") != first
    second = run("c")
    assert second == run("d")


def test_a_socket_that_nobody_listens_to_is_replaced(place: Path, mark: str) -> None:
    first = run("a")
    (path,) = place.glob("*.sock")
    for process in marked_processes(mark):
        if "keeper" in process[1]:
            os.kill(process[0], signal.SIGKILL)
    wait_for(lambda: marked(mark) == [])
    assert path.exists()
    assert run("b") != first


def marked_processes(word: str) -> list[tuple[int, str]]:
    import psutil

    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("MSMAP_TEST_MARK") == word and process.pid != os.getpid():
                found.append((process.pid, " ".join(process.cmdline())))
        except psutil.Error:
            continue
    return found


@pytest.mark.parametrize("what", ["variable", "limit", "program"])
def test_what_decides_how_checks_run_makes_another_process(
    what: str, place: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And ends the one before, since one waits at a time."""
    first = run("a")
    monkeypatch.setenv("OLDPWD", "/elsewhere")
    assert run("a") == first
    if what == "variable":
        monkeypatch.setenv("MKL_CBWR", "AVX2")
    if what == "program":
        monkeypatch.setattr(warm.cache, "code", lambda: "another")
    assert run("a", limit=LIMIT + (what == "limit")) != first
    wait_for(lambda: sum("keeper" in line for line in marked(mark)) == 1)
    assert sockets(place) == 1


def test_one_that_nobody_asks_for_ends(
    place: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "IDLE", 0.0)
    run("a")
    wait_for(lambda: (marked(mark), sockets(place)) == ([], 0))


def test_what_waits_ends_when_it_is_told_to(place: Path, mark: str) -> None:
    run("a")
    assert warm.stop() == 1
    assert warm.stop() == 0
    wait_for(lambda: (marked(mark), sockets(place)) == ([], 0))


def test_one_in_use_ends_when_it_is_given_back(place: Path, mark: str) -> None:
    with Local(1, LIMIT, command=ZYGOTE, warm=True) as executor:
        lines = executor.lines([job("a", PID), job("b", PID)])
        first = next(lines).message
        assert warm.stop() == 1
        assert [line.message for line in lines] == [first]
    wait_for(lambda: marked(mark) == [])


@pytest.mark.parametrize("mode", [0o755, 0o770])
def test_a_folder_that_others_may_enter_is_not_used(mode: int, place: Path, mark: str) -> None:
    place.chmod(mode)
    run("a")
    assert (marked(mark), list(place.iterdir())) == ([], [])


def test_another_users_socket_is_not_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("a")
    monkeypatch.setattr(warm.keeper, "same_user", lambda line: False)
    assert run("a") != first


def test_without_a_folder_nothing_is_left(
    mark: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSMAP_RUNTIME", "")
    run("a")
    assert (marked(mark), list(place.iterdir())) == ([], [])


def test_a_path_too_long_for_a_socket_is_no_error(
    mark: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSMAP_RUNTIME", str(place / ("x" * 120)))
    run("a")
    assert marked(mark) == []
