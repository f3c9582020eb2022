"""`msmap probe`: what it runs, says and keeps; stopped at any moment it goes on where it was.

The process that forks is a stand-in that imports no framework (tests/builders/snippets.py), and
samples are made up: nothing comes out of any of them.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.builders.cluster import Dask, wait_for
from tests.builders.driving import NAME, drive, driver

from msmap.evidence import probes
from msmap.evidence.names import Environment
from msmap.verify.executors import local

pytest.importorskip("numpy")
pytest.importorskip("psutil")

DRIVER = driver(
    "probe",
    "msmap.probe",
    """
from msmap.probe import documented, rounds, samples
from msmap.probe.sample import Sample, Sampling

def read(self, names):
    def made(name):
        call = f"{name}(x)" if not name.startswith("torch.Tensor.") else "x." + name[13:] + "()"
        inputs = {"x": {"shape": [2], "dtype": "float32"}}
        return Sampling(name, (Sample(name, "made-0", "made", call, inputs, "float32", ()),))
    return {name: made(name) for name in names}

samples.Sampler.read = read
documented.read = lambda names, release: {}
rounds.BUNDLE = 2
""",
)
probe = partial(drive, DRIVER)


@pytest.fixture
def kept(checkout: Path) -> Path:
    """The file of probes of a checkout where nothing was probed yet."""
    return checkout / "probes" / NAME


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    """A cluster without workers."""
    with Dask(tmp_path) as found:
        yield found


def test_all_names_are_probed_once(kept: Path) -> None:
    first = probe()
    found = probes.read(kept)
    assert (first.returncode, first.stderr) == (0, "")
    assert f"{len(found)} names in " in first.stdout
    before = kept.read_bytes()
    second = probe()
    assert (second.stdout, second.stderr) == (f"{kept.stem}: everything is current\n", "")
    assert kept.read_bytes() == before


def test_a_name_is_probed_under_any_spelling(kept: Path) -> None:
    done = probe("cat", "torch.cat")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("torch.cat: samples: 1 made\n  mindspore.")
    assert list(probes.read(kept)) == ["torch.cat"]


def test_a_name_that_pytorch_lacks_is_an_error(kept: Path) -> None:
    done = probe("torch.nowhere")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("msmap: torch.nowhere: no name of PyTorch ")
    assert not kept.exists()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_keeps_what_was_found_and_goes_on(
    number: int, status: int, kept: Path
) -> None:
    done = probe(number=number, moment=3)
    total = done.stderr.split(" of ")[1].split(" ")[0]
    said = f"msmap: stopped after 3 of {total} names; what was found is in data/probes/{NAME}\n"
    assert (done.returncode, done.stdout, done.stderr) == (status, "", said)
    assert len(probes.read(kept)) == 3
    again = probe()
    assert f"{int(total) - 3} names in " in again.stdout
    stopped_once = kept.read_bytes()
    kept.unlink()
    probe()
    assert kept.read_bytes() == stopped_once


def test_nothing_is_kept_if_nothing_is_to_be(kept: Path) -> None:
    assert probe("--no-keep", "torch.cat").returncode == 0
    assert not kept.exists()


def test_parts_are_all_of_it_together(kept: Path) -> None:
    probe()
    whole = kept.read_bytes()
    kept.unlink()
    for part in ("1/2", "2/2"):
        assert probe("--shard", part).returncode == 0
    assert kept.read_bytes() == whole


def test_workers_of_several_releases_find_it_for_theirs(
    releases: Path, dask: Dask, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(releases, data)
    there = [Environment("2.13.0", m, "cpu", local.machine()) for m in ("2.10.0", "2.9.0")]
    for e in there:
        dask.worker(e.name, MSMAP_TEST_ENVIRONMENT=f"{e.torch} {e.mindspore} {e.device}")
    wait_for(lambda: dask.count() == len(there))
    done = probe("--scheduler", dask.address, "--data", str(data), "torch.cat")
    assert (done.returncode, done.stderr) == (0, "")
    found = probes.read_all(data / "probes")
    assert {name: list(there) for name, there in found.items()} == {
        e.name: ["torch.cat"] for e in there
    }
    # `mindspore.mint.cat` came with 2.10.0.
    keys = [[c.key for c in found[e.name]["torch.cat"].candidates] for e in there]
    assert ["mindspore.mint.cat" in key for key in keys] == [True, False]


# a wrong call -> its last line on standard error
WRONG = {
    "--shard 3/2": 'msmap: shard "3/2": write I/N with 1 <= I <= N, such as 2/8',
    "--scheduler tcp://h:1 --jobs 2": "msmap: --scheduler: workers have threads and a device of "
    "their own",
    "--data elsewhere": "msmap: elsewhere/signatures is missing: probing needs the files of a "
    "checkout",
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.items(), ids=WRONG.keys())
def test_a_wrong_call_says_what_is_wrong(arguments: str, said: str, checkout: Path) -> None:
    done = probe(*arguments.split())
    assert (done.returncode > 0, done.stdout) == (True, "")
    assert done.stderr.splitlines()[-1] == said
