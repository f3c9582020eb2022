"""`msmap verify`: stopped at any moment it goes on where it was; in parts, and as JUnit XML.

The process that forks is a stand-in that imports no framework (tests/builders/snippets.py): every
check agrees.
"""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.builders import support
from tests.builders.cluster import Dask, wait_for
from tests.builders.driving import NAME, drive, driver

from msmap.evidence import files as evidence
from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.render import junit
from msmap.verify.executors import local
from msmap.verify.plan import choose as plan
from msmap.verify.plan.choose import Shard

pytest.importorskip("numpy")
pytest.importorskip("psutil")

CHECKS = 9
DRIVER = driver("verify", "msmap.verify", "ledger.EVERY_LINES = 2")
verify = partial(drive, DRIVER)


@pytest.fixture
def kept(checkout: Path) -> Path:
    """The evidence file of a checkout where nothing was verified yet."""
    shutil.rmtree(checkout / "evidence")
    return checkout / "evidence" / NAME


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory, data: Path) -> bytes:
    """What is kept of a run that nothing stops."""
    folder = tmp_path_factory.mktemp("unbroken") / "data"
    shutil.copytree(data, folder)
    shutil.rmtree(folder / "evidence")
    done = verify("--data", str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    return (folder / "evidence" / NAME).read_bytes()


@pytest.mark.parametrize("moment", [0, 1, 4, 7])
def test_a_killed_run_goes_on_where_it_was(moment: int, kept: Path, unbroken: bytes) -> None:
    """It loses what came since it last wrote, here at every second outcome."""
    killed = verify("-j", "1", number=signal.SIGKILL, moment=moment)
    assert killed.returncode == -signal.SIGKILL
    saved = len(evidence.read(kept)) if kept.exists() else 0
    assert saved == moment // 2 * 2
    done = verify("-j", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert f" {CHECKS - saved} checks: {CHECKS - saved} verified\n" in done.stdout
    assert [path.name for path in kept.parent.iterdir()] == [NAME]
    assert kept.read_bytes() == unbroken


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("moment", [0, 3])
def test_a_stopped_run_keeps_all_that_came_out(
    number: int, status: int, moment: int, kept: Path, unbroken: bytes
) -> None:
    done = verify("-j", "1", number=number, moment=moment)
    said = f"msmap: stopped after {moment} of 9 checks; {moment} outcomes are in data/evidence/"
    assert (done.returncode, done.stdout, done.stderr) == (status, "", f"{said}{NAME}\n")
    lines = kept.read_bytes().splitlines() if kept.exists() else []
    assert (len(lines), set(lines) - set(unbroken.splitlines())) == (moment, set())


def test_nothing_is_kept_of_a_stopped_run_that_keeps_nothing(kept: Path) -> None:
    done = verify("--no-keep", number=signal.SIGINT, moment=3)
    assert (done.returncode, done.stderr) == (
        130,
        "msmap: stopped after 3 of 9 checks; nothing is kept\n",
    )
    assert not kept.parent.exists()


def test_what_is_stopped_of_all_starts_anew(kept: Path, unbroken: bytes) -> None:
    verify()
    verify("--all", number=signal.SIGKILL, moment=5)
    assert kept.read_bytes() == unbroken
    assert " 9 checks: 9 verified\n" in verify("--all").stdout


def test_a_run_ends_with_its_pace(kept: Path) -> None:
    *_, pace, written = verify("-j", "2").stdout.splitlines()
    assert written == f"written to data/evidence/{NAME}"
    count, rest = pace.split(" checks, ")
    runs, rest = rest.split(" runs in ")
    seconds, rate = rest.split(" s, ")
    number, processes = rate.split(" runs a second on ")
    assert (count, runs, seconds.isdigit(), float(number) > 0, processes) == (
        "9", "9", True, True, "2 processes",
    )  # fmt: skip


def test_shards_together_are_the_whole(kept: Path, unbroken: bytes) -> None:
    """Each in turn adds to the same file."""
    for index in (1, 2, 3):
        assert verify("--shard", f"{index}/3").returncode == 0
    assert kept.read_bytes() == unbroken


def test_one_check_of_a_record_runs_alone(kept: Path) -> None:
    done = verify("torch.cat", "--check", "axis")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:2] == [
        f"{NAME.removesuffix('.jsonl')}: 1 checks: 1 verified",
        "0 variants of them: none",
    ]
    assert list(evidence.read(kept)) == [("torch.cat", "axis")]


def test_a_check_that_is_not_there_is_named(kept: Path) -> None:
    done = verify("torch.cat", "--check", "odd")
    assert (done.returncode, done.stdout, done.stderr) == (
        1, "", "msmap: no check `odd` in torch.cat\n",
    )  # fmt: skip


def test_a_bad_shard_is_wrong_usage() -> None:
    done = verify("--shard", "3/2")
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        'msmap: shard "3/2": write I/N with 1 <= I <= N, such as 2/8\n',
    )


@pytest.mark.parametrize("text", ["", "2", "0/2", "1/0", "-1/2", "1/2/3", "a/b", "1.0/2", " 1/2"])
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(ValueError, match="write I/N"):
        Shard.parse(text)


@pytest.mark.parametrize("count", range(1, 6))
def test_every_owner_is_in_one_shard(count: int, data: Path) -> None:
    base = support.read(data).base
    records, guides = base.records.values(), base.guides.values()
    whole = plan.jobs(records, guides, base)
    parts = [plan.jobs(records, guides, base, None, Shard(i + 1, count)) for i in range(count)]
    owners = [{job.owner for job in part} for part in parts]
    assert sum(len(part) for part in parts) == len(whole) == CHECKS
    assert sum(len(found) for found in owners) == len({job.owner for job in whole})


def test_a_shard_depends_on_the_name_alone() -> None:
    """So on any machine, and whatever other records there are."""
    names = ["torch.abs", "torch.cat", "torch.nn.Linear", "guide:training"]
    assert [[i for i in (1, 2, 3, 4) if Shard(i, 4).has(n)] for n in names] == [
        [4], [2], [3], [1],
    ]  # fmt: skip


LINES = [
    Line("torch.cat", "b", "0", "refuted", message='1 of 6 values, <largest> & "error"'),
    Line("torch.cat", "a", "0", "verified"),
    Line("torch.abs", "c", "0", "inconclusive", message="no end within 60 s"),
    Line("torch.std", "d", "0", "untestable", reason="no_kernel", message="没有内核"),
    Line("torch.std", "e", "0", "diverges_documented"),
]
XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="here" tests="5" time="1.500" failures="1" errors="1" skipped="1">
    <testcase classname="torch.abs" name="c">
      <error type="inconclusive" message="no end within 60 s" />
    </testcase>
    <testcase classname="torch.cat" name="a" />
    <testcase classname="torch.cat" name="b">
      <failure type="refuted" message="1 of 6 values, &lt;largest&gt; &amp; &quot;error&quot;" />
    </testcase>
    <testcase classname="torch.std" name="d">
      <skipped type="untestable" message="no_kernel: 没有内核" />
    </testcase>
    <testcase classname="torch.std" name="e" />
  </testsuite>
</testsuites>
"""


def test_outcomes_as_junit() -> None:
    assert junit.suites({"here": LINES}, 1.5) == XML


EVERY = "".join(map(chr, [*range(0x300), 0x2028, 0xD800, 0xDFFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1F600]))


def test_junit_is_xml_whatever_a_message_holds() -> None:
    """What XML can't hold is left out; all else is there."""
    text = junit.suites({EVERY: [Line(EVERY, EVERY, "0", "refuted", message=EVERY)]}, 0)
    root = ElementTree.fromstring(text.encode())
    values = {value for e in root.iter() for value in e.attrib.values() if len(value) > 9}
    left_out = {*range(0x20), 0xD800, 0xDFFF, 0xFFFE, 0xFFFF} - {9, 10, 13}
    assert values == {"".join(c for c in EVERY if ord(c) not in left_out)}


def test_verify_writes_junit(kept: Path) -> None:
    verify("--junit", "out/junit.xml", "torch.cat")
    suite = ElementTree.parse("out/junit.xml").getroot()[0]
    assert suite.attrib | {"time": ""} == {
        "name": NAME.removesuffix(".jsonl"), "tests": "2", "time": "", "failures": "0",
        "errors": "0", "skipped": "0",
    }  # fmt: skip
    assert [case.attrib for case in suite] == [
        {"classname": "torch.cat", "name": "axis"},
        {"classname": "torch.cat", "name": "last"},
    ]


def test_junit_of_a_run_with_nothing_to_do_is_an_empty_suite(kept: Path) -> None:
    verify()
    assert verify("--junit", "junit.xml").stderr == "everything is current\n"
    suite = ElementTree.parse("junit.xml").getroot()[0]
    assert (suite.get("tests"), len(suite)) == ("0", 0)


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    """A cluster without workers."""
    with Dask(tmp_path) as found:
        yield found


# Says that it runs, and goes on for ever.
HANGS = "import os, pathlib, time\npathlib.Path(os.environ['HANGS']).touch()\ntime.sleep(300)"


def test_workers_give_what_this_machine_gives_if_one_is_killed(
    kept: Path, unbroken: bytes, dask: Dask, tmp_path: Path
) -> None:
    there = tmp_path / "hangs"
    hangs = dask.worker("a", MSMAP_TEST_CODE=HANGS, HANGS=str(there))
    dask.worker("b")
    wait_for(lambda: dask.count() == 2)
    with ThreadPoolExecutor() as pool:
        run = pool.submit(verify, "--scheduler", dask.address)
        wait_for(there.exists)
        hangs.kill()
        done = run.result()
    (found,) = kept.parent.iterdir()
    assert (done.returncode, done.stderr, found.read_bytes()) == (0, "", unbroken)
    assert found.stem == f"torch-2.13.0_mindspore-2.10.0_cpu_{local.machine()}"
    assert f"{found.stem}: 9 checks: 9 verified\n" in done.stdout


def test_one_run_gives_evidence_of_several_releases_and_devices(
    releases: Path, dask: Dask, tmp_path: Path
) -> None:
    """Each worker runs the jobs of its own release."""
    data = tmp_path / "data"
    shutil.copytree(releases, data)
    shutil.rmtree(data / "evidence")
    there = [
        Environment("2.13.0", mindspore, device, local.machine())
        for mindspore, device in (("2.10.0", "ascend"), ("2.10.0", "cpu"), ("2.9.0", "cpu"))
    ]
    for e in there:
        says = f"{e.torch} {e.mindspore} {e.device}"
        dask.worker(e.name, MSMAP_TEST_ENVIRONMENT=says)
    wait_for(lambda: dask.count() == 3)
    arguments = ["--scheduler", dask.address, "--data", str(data)]
    done = verify(*arguments, "--junit", str(tmp_path / "junit.xml"))
    assert (done.returncode, done.stderr) == (0, "")
    suites = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert [suite.get("name") for suite in suites] == [e.name for e in there]
    for e in there:
        base = support.read(data, e.mindspore).base
        wanted = plan.jobs(base.records.values(), base.guides.values(), base)
        lines = evidence.read(data / "evidence" / f"{e.name}.jsonl")
        assert {key: line.hash for key, line in lines.items()} == {
            (job.owner, job.check): job.hash for job in wanted
        }
    assert verify(*arguments).stderr == "everything is current\n"


@pytest.mark.parametrize("option", ["--jobs=2", "--device=cpu"])
def test_workers_have_threads_and_a_device_of_their_own(option: str) -> None:
    done = verify("--scheduler", "tcp://127.0.0.1:1", option)
    assert (done.returncode, done.stdout, done.stderr) == (
        2, "", "msmap: --scheduler: workers have threads and a device of their own\n",
    )  # fmt: skip


def test_what_is_kept_is_what_came_out(kept: Path, unbroken: bytes) -> None:
    """The stand-in's outcome, for every check there is."""
    lines = [json.loads(line) for line in unbroken.splitlines()]
    assert [line["outcome"] for line in lines] == ["verified"] * CHECKS


WITHOUT = "data/records/torch/cat.yaml:24: no guide `nowhere` [guides-exist]"


def test_of_one_record_all_is_told_that_a_curator_wants(kept: Path) -> None:
    """What lint finds, counts of checks, what differs, what became of mistakes, where it is."""
    path = kept.parents[1] / "records" / "torch" / "cat.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "guides: [nowhere]\n", encoding="utf-8")
    done = verify("cat", "--jobs", "1")
    first, counts, variants, pace, *rest = done.stdout.splitlines()
    assert (done.returncode, done.stderr, first) == (1, "", WITHOUT)
    assert counts == f"{NAME.removesuffix('.jsonl')}: 2 checks: 2 verified"
    assert (" variants of them: " in variants, pace.startswith("2 checks, ")) == (True, True)
    assert rest[0].startswith("torch.cat: ")
    assert rest[-2].startswith(f"{NAME.removesuffix('.jsonl')}: ")
    assert rest[-1] == f"written to data/evidence/{NAME}"


def test_mistakes_are_put_in_by_default_into_one_whole_record_alone(kept: Path) -> None:
    told = [
        "caught" in verify(*arguments).stdout
        for arguments in (
            ["torch.cat"],
            ["torch.cat", "--no-mutate"],
            ["torch.cat", "--check", "axis"],
            ["torch.cat", "torch.nn.GELU"],
            ["training"],
        )
    ]
    assert told == [True, False, False, False, False]


def test_of_one_record_all_is_there_as_data(kept: Path) -> None:
    done = verify("torch.cat", "--format", "json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["environment"]) == (0, NAME.removesuffix(".jsonl"))
    assert [line["check"] for line in answer["checks"]] == ["axis", "last"]
    assert (answer["problems"], answer["differences"]) == ([], [])
    assert answer["mutants"]["records"].keys() == {"torch.cat"}


def test_nothing_waits_where_there_is_no_place_for_it(kept: Path) -> None:
    done = verify("--stop")
    assert (done.returncode, done.stdout) == (0, "no process waited\n")
