"""Whatever code under check does costs its own part alone, and leaves nothing behind.

The process that forks is a stand-in that imports no framework (tests/builders/snippets.py).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.builders.zygotes import LIMIT, ZYGOTE, job, marked, wait_for

from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.verify.executors.local import Local
from msmap.verify.plan.job import Job

pytest.importorskip("numpy")
psutil = pytest.importorskip("psutil")

Result = dict[str, Any]
Found = tuple[Result, dict[str, Result]]


def inconclusive(message: str) -> Result:
    return {"outcome": "inconclusive", "message": message}


GOOD = {"outcome": "verified", "message": ""}
LATE = inconclusive("no end within 2 s")
KILLED = inconclusive("the process crashed: SIGKILL")
TOOK_IT_DOWN = inconclusive("it took down the whole verifier")

FORKS = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        if os.fork() == 0:
            time.sleep(300)
        time.sleep(300)
"""
ESCAPES = """
import os, time, signal
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            os.setsid()
            time.sleep(300)
        os._exit(0)
"""

# what code does -> the code, and what comes out of it
CASES: dict[str, tuple[str, Result]] = {
    "nothing": ("pass", GOOD),
    "a crash": ("import ctypes\nctypes.string_at(0)", inconclusive("the process crashed: SIGSEGV")),
    "an abort": ("import os\nos.abort()", inconclusive("the process crashed: SIGABRT")),
    "a division by zero": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGFPE)",
        inconclusive("the process crashed: SIGFPE"),
    ),
    "a signal without a name": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGRTMIN + 3)",
        inconclusive(f"the process crashed: signal {signal.SIGRTMIN + 3}")
        if hasattr(signal, "SIGRTMIN")
        else GOOD,
    ),
    "a busy loop": ("while True: pass", LATE),
    "a long sleep": ("import time\ntime.sleep(300)", LATE),
    "a hang that ignores and blocks signals": (
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n"
        "while True: time.sleep(300)",
        LATE,
    ),
    "a stop": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", LATE),
    "memory filled": (
        "import time\nheld = []\nwhile True: held.append(b'x' * (16 << 20)); time.sleep(0.01)",
        inconclusive("it took more than 0.292969 GB of memory"),
    ),
    "memory filled by what it started": (
        "import os, time\nfor _ in range(5):\n    if os.fork() == 0:\n"
        "        held = b'x' * (100 << 20)\n        time.sleep(300)\ntime.sleep(300)",
        inconclusive("it took more than 0.292969 GB of memory"),
    ),
    "a hundred processes": (
        "import os, time\nfor _ in range(120):\n    if os.fork() == 0: time.sleep(300)\n"
        "time.sleep(300)",
        inconclusive("it started more than 100 processes"),
    ),
    "children that outlive it": (FORKS, GOOD),
    "children that escape": (ESCAPES, GOOD),
    "children that escape from a crash": (
        ESCAPES + "os.kill(os.getpid(), 11)",
        inconclusive("the process crashed: SIGSEGV"),
    ),
    "children that escape and time out": (ESCAPES + "time.sleep(300)", LATE),
    "a fork that returns twice": ("import os\nos.fork()", GOOD),
    "a gigabyte printed": (
        "import os\nblock = b'x' * (1 << 20)\n"
        "for _ in range(1024): os.write(1, block); os.write(2, block)",
        GOOD,
    ),
    "a huge file": (
        "import os\nblock = b'x' * (1 << 20)\n"
        "with open('big', 'wb', buffering=0) as file:\n"
        "    try:\n        for _ in range(1024): file.write(block)\n"
        "    except OSError as error: said = error.strerror",
        {"outcome": "verified", "message": "File too large"},
    ),
    "temporary files": (
        "import tempfile\ntempfile.mkdtemp()\ntempfile.mkstemp()\nopen('left', 'w').close()",
        GOOD,
    ),
    "another directory": ("import os\nos.chdir('/')", GOOD),
    "its own directory removed": ("import os\nos.rmdir(os.getcwd())", GOOD),
    "os._exit": ("import os\nos._exit(3)", inconclusive("the process left with status 3")),
    "sys.exit": (
        "import sys\nsys.exit(3)",
        inconclusive("the check itself: SystemExit: 3"),
    ),
    "KeyboardInterrupt": (
        "raise KeyboardInterrupt",
        inconclusive("the check itself: KeyboardInterrupt: "),
    ),
    "an exception": (
        "1 / 0",
        inconclusive("the check itself: ZeroDivisionError: division by zero"),
    ),
    "all files closed": (
        "import os\nos.closerange(0, 4096)",
        inconclusive("the process left with status 1"),
    ),
    "all files closed and no end": (
        "import os, time\nos.closerange(0, 4096)\ntime.sleep(300)",
        inconclusive("it stopped answering"),
    ),
    "another program in its place": (
        "import os, sys\nos.execv(sys.executable, [sys.executable, '-c', 'pass'])",
        inconclusive("the process left with status 0"),
    ),
    "another program that never ends": (
        "import os, sys\n"
        "os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(300)'])",
        inconclusive("it stopped answering"),
    ),
    "garbage for an answer": (
        "import os\nfor n in range(3, 4096):\n"
        "    try: os.write(n, b'\\xff\\0{]\\n')\n    except OSError: pass",
        inconclusive("what it answered is no outcome"),
    ),
    "JSON for an answer": (
        "import os\nfor n in range(3, 4096):\n"
        "    try: os.write(n, b'[1]\\n')\n    except OSError: pass",
        inconclusive("what it answered is no outcome"),
    ),
    "an answer without an end": (
        "import os\nfor n in range(3, 4096):\n"
        "    try:\n        for _ in range(1000): os.write(n, b'x' * 4096)\n"
        "    except OSError: pass",
        inconclusive("it answered more than can be an outcome"),
    ),
    "threads left running": (
        "import threading, time\n"
        "for _ in range(5): threading.Thread(target=time.sleep, args=(300,)).start()",
        GOOD,
    ),
    "a signal to its parent": ("import os\nos.kill(os.getppid(), 9)\nimport time\ntime.sleep(9)",
        TOOK_IT_DOWN),
    "a parent killed by what escapes": (
        "import os, time\nzygote = os.getppid()\nif os.fork() == 0:\n    os.setsid()\n"
        "    if os.fork() == 0:\n        os.setsid()\n        os.kill(zygote, 9)\n"
        "        time.sleep(300)\ntime.sleep(300)",
        TOOK_IT_DOWN,
    ),
    "a parent stopped": ("import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)", GOOD),
}  # fmt: skip


@pytest.fixture(scope="module")
def everything(mark: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    """All cases, two at a time, each followed by one that does nothing.

    Only what never ends is held to the short limit: a busy machine may need long for the others.
    """
    folder = tmp_path_factory.mktemp("temporary")
    found: dict[str, Found] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        for late in (True, False):
            jobs = []
            for name, (code, wanted) in CASES.items():
                if (wanted == LATE) is late:
                    jobs += [job(name, {"": code}), job(f"beside {name}", {"": "pass"})]
            found |= outcomes(jobs, width=2, limit=LIMIT if late else 60)
    assert (marked(mark), list(folder.iterdir())) == ([], [])
    return found


def outcomes(jobs: list[Job], width: int = 1, limit: float = LIMIT) -> dict[str, Found]:
    """What comes out of each job and its variants."""
    with Local(width, limit, command=ZYGOTE) as executor:
        lines = list(executor.lines(jobs))
    assert len(lines) == len(jobs)
    return {
        line.check: (fields(line), {name: fields(f) for name, f in line.variants.items()})
        for line in lines
    }


def fields(found: Line | Finding) -> Result:
    gave = {"mindspore_gave": found.mindspore_gave} if found.mindspore_gave else {}
    return {"outcome": found.outcome, "message": found.message, **gave}


@pytest.mark.parametrize("name", CASES)
def test_it_costs_its_own_check_alone(name: str, everything: dict[str, Found]) -> None:
    assert (everything[name], everything[f"beside {name}"]) == ((CASES[name][1], {}), (GOOD, {}))


# A variant of a quick check has a quarter of the limit.
TIMED: dict[str, tuple[dict[str, str], Found]] = {
    "a hang in a variant": (
        {"": "pass", "a": "while True: pass", "b": "pass"},
        (GOOD, {"a": inconclusive("no end within 0.5 s"), "b": GOOD}),
    ),
    "a variant that takes longer than its share, of a check that isn't quick": (
        {"": "import time\ntime.sleep(0.3)", "a": "import time\ntime.sleep(1)"},
        (GOOD, {"a": GOOD}),
    ),
    "parts that take longer than the limit together": (
        dict.fromkeys(("", "a", "b", "c"), "import time\ntime.sleep(0.8)"),
        (GOOD, {"a": GOOD, "b": GOOD, "c": GOOD}),
    ),
}

PARTS: dict[str, tuple[dict[str, str], Found]] = {
    "all well": (
        {"": "said = 'base'", "a": "said = 'first'", "b": "pass"},
        ({**GOOD, "message": "base"}, {"a": {**GOOD, "message": "first"}, "b": GOOD}),
    ),
    "a crash in the check itself ends it": (
        {"": "import os\nos.abort()", "a": "pass"},
        (inconclusive("the process crashed: SIGABRT"), {}),
    ),
    "a crash in a variant": (
        {"": "pass", "a": "import os\nos.abort()", "b": "pass"},
        (GOOD, {"a": inconclusive("the process crashed: SIGABRT"), "b": GOOD}),
    ),
    "a crash in each variant": (
        {"": "pass", "a": "import os\nos.abort()", "b": "import os\nos._exit(7)"},
        (
            GOOD,
            {
                "a": inconclusive("the process crashed: SIGABRT"),
                "b": inconclusive("the process left with status 7"),
            },
        ),
    ),
    "memory filled in a variant": (
        {"": "pass", "a": CASES["memory filled"][0], "b": "pass"},
        (GOOD, {"a": inconclusive("it took more than 0.292969 GB of memory"), "b": GOOD}),
    ),
    "the directory is left": (
        {"": "import os\nos.chdir('/')", "a": "import os\nsaid = os.getcwd()[:7]"},
        (GOOD, {"a": {**GOOD, "message": os.path.realpath("/tmp")[:4] + "/ms"}}),
    ),
    "the parent killed in a variant": (
        {"": "pass", "a": "pass", "b": "import os\nos.kill(os.getppid(), 9)", "c": "pass"},
        (GOOD, {"a": GOOD, "b": TOOK_IT_DOWN, "c": GOOD}),
    ),
    "the making of the first part fails": (
        {"!": "1 / 0", "": "pass"},
        (inconclusive("the check itself: ZeroDivisionError: division by zero"), {}),
    ),
    "the making of a variant fails": (
        {"": "pass", "!": "1 / 0"},
        (inconclusive("the check itself: ZeroDivisionError: division by zero"), {}),
    ),
    "a crash between parts": (
        {"": "pass", "!": "import os\nos.abort()", "a": "pass"},
        (GOOD, {}),
    ),
    "no parts": ({}, (inconclusive("the check itself: it has no parts"), {})),
}  # fmt: skip


@pytest.fixture(scope="module")
def in_turn(mark: str) -> dict[str, Found]:
    """All of these and those below, one at a time, each followed by one that does nothing.

    Only what is about time is held to the short limit.
    """
    found: dict[str, Found] = {}
    for timed, limit in ((TIMED, LIMIT), (PARTS | SHAKES, 60)):
        jobs = []
        for name, (parts, _) in timed.items():
            jobs += [job(name, parts), job(f"after {name}", {"": "pass"})]
        found |= outcomes(jobs, limit=limit)
    assert marked(mark) == []
    return found


@pytest.mark.parametrize("name", TIMED | PARTS)
def test_a_part_costs_itself_alone(name: str, in_turn: dict[str, Found]) -> None:
    """The other parts of the check run all the same, in a new child if need be."""
    assert (in_turn[name], in_turn[f"after {name}"]) == (
        (TIMED | PARTS)[name][1],
        (GOOD, {}),
    )


def traced(name: str, code: str = "") -> str:
    """Code of a part that says which parts ran in its child before it, and itself."""
    trace = f"import os\nsaid = os.environ['RAN'] = os.environ.get('RAN', '') + ' {name}'\n"
    return trace + code


def said(name: str, outcome: str = "verified") -> Result:
    return {"outcome": outcome, "message": f" {name}"}


SHAKEN = "shaken = True\n"
RAISES = SHAKEN + "outcome = 'raises'\n"
DIFFERS = "doubtful = True\noutcome = 'differs'\n"
REFUTED = "doubtful = True\noutcome = 'refuted'\n"
# Differs where anything ran before, as gradients do after an error.
SPOILT = "if said.count(' ') > 1:\n    doubtful, outcome = True, 'differs'\n"

SHAKES: dict[str, tuple[dict[str, str], Found]] = {
    "parts that are sound share a child": (
        {"": traced("base"), "a": traced("a"), "b": traced("b")},
        (said("base"), {"a": said("base a"), "b": said("base a b")}),
    ),
    "after an error the rest runs in a new child": (
        {"": traced("base"), "a": traced("a", RAISES), "b": traced("b"), "c": traced("c")},
        (said("base"), {"a": said("base a", "raises"), "b": said("b"), "c": said("b c")}),
    ),
    "after an error of the check itself too": (
        {"": traced("base", SHAKEN), "a": traced("a"), "b": traced("b")},
        (said("base"), {"a": said("a"), "b": said("a b")}),
    ),
    "an error at the end": (
        {"": traced("base"), "a": traced("a", RAISES)},
        (said("base"), {"a": said("base a", "raises")}),
    ),
    "a difference counts only if it is there in a new child": (
        {"": traced("base"), "a": traced("a", DIFFERS), "b": traced("b")},
        (said("base"), {"a": said("a", "differs"), "b": said("a b")}),
    ),
    "a difference with an error: the rest runs in a new child": (
        {"": traced("base"), "a": traced("a", SHAKEN + DIFFERS), "b": traced("b")},
        (said("base"), {"a": said("a", "differs"), "b": said("b")}),
    ),
    "a difference that what ran before explains is none": (
        {"": traced("base"), "a": traced("a", SPOILT), "b": traced("b")},
        (said("base"), {"a": said("a"), "b": said("a b")}),
    ),
    "differences one after another": (
        {"": traced("base"), "a": traced("a", DIFFERS), "b": traced("b", DIFFERS)},
        (said("base"), {"a": said("a", "differs"), "b": said("b", "differs")}),
    ),
    "a difference of the check itself, before which nothing ran": (
        {"": traced("base", REFUTED), "a": traced("a")},
        (said("base", "refuted"), {"a": said("base a")}),
    ),
    "a difference that no error can explain counts at once": (
        {"": traced("base"), "a": traced("a", "outcome = 'differs'"), "b": traced("b")},
        (said("base"), {"a": said("base a", "differs"), "b": said("base a b")}),
    ),
    "a difference that crashes when it runs again": (
        {
            "": traced("base"),
            "a": traced("a", "if said == ' a':\n    os.abort()\n" + DIFFERS),
            "b": traced("b"),
        },
        (said("base"), {"a": inconclusive("the process crashed: SIGABRT"), "b": said("b")}),
    ),
}


@pytest.mark.parametrize("name", SHAKES)
def test_what_an_error_may_have_spoilt_runs_in_a_new_child(
    name: str, in_turn: dict[str, Found]
) -> None:
    """The framework's gradients may be wrong for good after one of them raised."""
    assert (in_turn[name], in_turn[f"after {name}"]) == (SHAKES[name][1], (GOOD, {}))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            {"": "import os\nos.abort()", "a": "pass"},
            (
                {
                    "outcome": "diverges_documented",
                    "message": "the process crashed: SIGABRT",
                    "mindspore_gave": "crash: SIGABRT",
                },
                {},
            ),
        ),
        ({"": "pass"}, ({"outcome": "refuted", "message": "the documented crash is gone"}, {})),
        ({"": "import os\nos._exit(1)"}, (inconclusive("the process left with status 1"), {})),
    ],
    ids=["there", "gone", "left"],
)
def test_a_documented_crash_is_the_check_itself(parts: dict[str, str], expected: Found) -> None:
    assert outcomes([job("it", parts, "crashes")]) == {"it": expected}


DRIVER = f"""
import sys
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[2])]!r}
from test_zygote import ESCAPES, ZYGOTE, job
from msmap.errors import CannotVerify
from msmap.verify.executors.local import Local
code = ESCAPES + "open({{0!r}}, 'w').close()\\ntime.sleep(300)"
list(Local(1, 60, command=ZYGOTE).lines([job("it", {{"": code.format(sys.argv[1])}})]))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_outlives_who_asked_for_it(
    number: signal.Signals, mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if it is killed: what it started sees that nobody listens any more."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    there = tmp_path / "there"
    with subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(there)], stderr=subprocess.DEVNULL
    ) as process:
        wait_for(there.exists)
        assert len(marked(mark)) > 3
        process.send_signal(number)
    wait_for(lambda: not marked(mark))
    wait_for(lambda: not list(folder.iterdir()))
