"""A process that forks stays between jobs, and goes with who asked for it."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest
from tests.builders.zygotes import LIMIT, ZYGOTE, job, marked

from msmap.errors import CannotVerify
from msmap.verify.executors.local import Local

pytest.importorskip("numpy")
pytest.importorskip("psutil")

PID = {"": "import os\nsaid = str(os.getppid())"}


def pids(executor: Local, *checks: str) -> set[str]:
    """The process that forked for each of these checks."""
    return {line.message for line in executor.lines([job(check, PID) for check in checks])}


def test_one_process_forks_until_the_executor_is_closed(mark: str) -> None:
    with Local(1, LIMIT, command=ZYGOTE) as executor:
        (first,) = pids(executor, "a", "b")
        assert pids(executor, "c") == {first}
    assert marked(mark) == []
    with pytest.raises(CannotVerify, match="was ended"):
        pids(executor, "d")


def test_what_died_between_jobs_is_started_again(mark: str) -> None:
    with Local(1, LIMIT, command=ZYGOTE) as executor:
        (first,) = pids(executor, "a")
        os.kill(int(first), signal.SIGKILL)
        (second,) = pids(executor, "b")
    assert (first != second, marked(mark)) == (True, [])


def test_what_is_not_asked_for_any_more_ends(mark: str) -> None:
    with Local(1, LIMIT, command=ZYGOTE) as executor:
        lines = executor.lines([job("a", PID), job("b", {"": "import time\ntime.sleep(300)"})])
        first = next(lines).message
        lines.close()
        assert marked(mark) == []
        assert pids(executor, "c") != {first}


OPTIONS = "import sys\nsaid = ' '.join(a for a in sys.argv[1:] if '=' not in a)"

# code, and how many variants it has -> how the process that forks prepares for it
PREPARED = {
    "one": (OPTIONS, 0, ""),
    "one that imports much late": (OPTIONS + " # torch.optim", 0, "--ahead"),
    "not yet many": (OPTIONS, 198, ""),
    "many": (OPTIONS, 199, "--ahead --many"),
}


@pytest.mark.parametrize("name", PREPARED)
def test_it_prepares_for_what_is_to_come(name: str, mark: str) -> None:
    code, count, expected = PREPARED[name]
    made = replace(job("check", {"": code}), variants=({"name": "again"},) * count)
    with Local(1, 60, command=ZYGOTE) as executor:
        assert [line.message for line in executor.lines([made])] == [expected]


def test_checks_run_on_the_device_that_evidence_is_to_name(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSMAP_TEST_ENVIRONMENT", "2.13.0 2.9.0 ascend")
    with Local(1, LIMIT, "ascend", ZYGOTE) as executor:
        assert len(pids(executor, "a")) == 1
    with Local(1, LIMIT, command=ZYGOTE) as executor, pytest.raises(CannotVerify) as raised:
        pids(executor, "a")
    assert str(raised.value) == ("MindSpore runs on ascend here, not on cpu; say `--device ascend`")
