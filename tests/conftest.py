"""What a test is given to read, and what no test finds that isn't marked so."""

from __future__ import annotations

import fcntl
import io
import os
import shutil
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from tests.builders import moving
from tests.builders.commands import Done, Run
from tests.builders.probing import write as write_probes
from tests.builders.support import write_releases

from msmap.query.knowledge_base import KnowledgeBase
from msmap.store import build as store
from msmap_cli import main

HERE = Path(__file__).resolve().parent
FIXTURES = HERE / "fixtures"
# Takes the frameworks' names, in this process and in those that it starts.
ABSENT = str(HERE / "builders" / "absent")

# Modules whose tests start servers and processes, or read all that ships: a third of the tests, and
# nine tenths of their time.
SLOW = {
    "assemble": "kept narrow",
    "assistant": "server",
    "chain": "action container distribution",
    "cli": (
        "chinese commands curate devices evidence_show explain port_files probe probed "
        "releases scan serving shared streams usage verify weights"
    ),
    "data": "data",
    "docs": "docs",
    "editor": "server",
    "library": "types",
    "notebook": "magics",
    "query": "explain nearest questions spread unchanged",
    "signatures": "committed",
    "site": (
        "api_bulk api_burst api_hostile api_json api_openapi datasette export hostile_traffic "
        "kept pages taken templates"
    ),
    "store": "build train",
    "verify": "cluster left_warm zygote",
}
_SLOW = {HERE / folder / f"test_{name}.py" for folder, s in SLOW.items() for name in s.split()}
assert all(path.exists() for path in _SLOW)

# What its user has set for `msmap` is not what the tests are about.
for _name in [name for name in os.environ if name.startswith("MSMAP_")]:
    del os.environ[_name]
for _name in ("FORCE_COLOR", "PAGER"):
    os.environ.pop(_name, None)
# Nothing is left where it is the user's.
os.environ["MSMAP_CACHE"] = ""
os.environ["MSMAP_RUNTIME"] = ""

# Each of a hundred processes that tests start would compile all of msmap, and this one all tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell starts what runs in the background without it, and what tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--whole`` runs what takes minutes, ``--moved-by`` what another commit has run."""
    parser.addoption("--whole", action="store_true", help="all cases, also what takes minutes")
    parser.addoption("--moved-by", help="choose cases as that commit does (12 digits of its name)")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """The quick part, without frameworks and browser, has what is slow only if it is named."""
    chosen = config.option.markexpr
    if "not frameworks" in chosen and "not browser" in chosen and "slow" not in chosen:
        config.option.markexpr = f"({chosen}) and not slow"
    # Once, for all processes that run tests.
    config.option.moved_by = config.option.moved_by or moving.by_default()


def pytest_report_header(config: pytest.Config) -> str:
    """What repeats the choice of cases."""
    by = "none are left out" if config.option.whole else f"--moved-by {config.option.moved_by}"
    return f"cases of tests that have many: {by}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Whatever stands in tests/browser is marked `browser`, and in a slow module `slow`.

    Of the cases of a test that is marked `moving`, some stay.
    """
    driven = {p for p in {item.path for item in items} if p.is_relative_to(HERE / "browser")}
    for item in items:
        if item.path in driven:
            item.add_marker("browser")
        elif item.path in _SLOW:
            item.add_marker("slow")
    if config.option.whole or config.getoption("lf", False):
        return
    left = moving.left(items, config.args, config.option.moved_by)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left])
    items[:] = [item for item in items if item.nodeid not in left]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A test that isn't marked `frameworks` finds neither, with its fixtures."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("frameworks") is None:
            patch.setattr(sys, "path", [ABSENT, *sys.path])
            patch.setenv("PYTHONPATH", ABSENT, prepend=os.pathsep)
        return (yield)


@pytest.fixture(scope="session")
def data() -> Path:
    """A data directory of six records and one guide; nothing writes into it."""
    return FIXTURES / "data"


@pytest.fixture(scope="session")
def lint_cases() -> Path:
    """A data directory for each lint rule, which breaks that rule alone."""
    return FIXTURES / "lint"


@pytest.fixture(scope="session")
def database(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database built from that directory."""
    path = tmp_path_factory.mktemp("database") / "msmap.db"
    store.build(data, path)
    return path


@pytest.fixture(scope="session")
def between_runs(pytestconfig: pytest.Config) -> Path | None:
    """A folder that stays until the next run of the tests, so that what ships isn't joined anew.

    tests/assemble/test_kept.py holds what goes on from there to give what one gives that begins
    with nothing, as it is in a fresh clone and after `--cache-clear`. None where pytest may leave
    nothing.
    """
    kept: pytest.Cache | None = getattr(pytestconfig, "cache", None)
    return kept.mkdir("msmap") if kept is not None else None


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory, between_runs: Path | None) -> Path:
    """The database built from the data that ships: once, for all processes that run tests."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    path = folder / "shipped" / "msmap.db"
    path.parent.mkdir(exist_ok=True)
    with path.with_name("lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            store.build(HERE.parent / "data", path, between_runs)
    return path


@pytest.fixture(scope="session")
def releases(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That directory with three MindSpore releases, as ``support.write_releases`` says."""
    path = tmp_path_factory.mktemp("releases") / "data"
    shutil.copytree(data, path)
    write_releases(path)
    return path


@pytest.fixture(scope="session")
def history(releases: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database built from the directory of three releases."""
    path = tmp_path_factory.mktemp("history") / "msmap.db"
    store.build(releases, path)
    return path


@pytest.fixture(scope="session")
def probing(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of six records with what probing found of other names."""
    path = tmp_path_factory.mktemp("probing") / "data"
    shutil.copytree(data, path)
    write_probes(path)
    return path


@pytest.fixture(scope="session")
def probed(probing: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database built from that directory."""
    path = tmp_path_factory.mktemp("probed") / "msmap.db"
    store.build(probing, path)
    return path


@pytest.fixture
def kb(database: Path) -> Iterator[KnowledgeBase]:
    """The knowledge base in that database."""
    with KnowledgeBase.open(database) as found:
        yield found


@pytest.fixture
def checkout(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the data directory that a test may change, below the current directory."""
    shutil.copytree(data, tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    return Path("data")


@pytest.fixture
def run(database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``msmap`` on the small database, as the installed command does."""
    monkeypatch.setenv("MSMAP_DB", str(database))
    monkeypatch.setenv("COLUMNS", "100")
    # Commands that run MindSpore set it for the rest of their process.
    monkeypatch.setenv("GLOG_v", "3")
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str, stdin: str = "", **environment: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["msmap", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        try:
            main.main()
        except SystemExit as left:
            status = left.code
        else:
            status = 0
        assert status is None or isinstance(status, int)
        return Done(status or 0, *capsys.readouterr())

    return call
