"""What torchrun tells its processes is read under the names of msrun."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import support
from tests.builders.support import function, named

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return support.base(
        tmp_path_factory.mktemp("launched"),
        [
            function("torch.distributed.init_process_group", "(backend=None, rank=-1)"),
            function("torch.distributed.get_rank", "()"),
            named("torch.distributed", "module"),
        ],
        [function("mindspore.communication.init", "()"), function("mindspore.get_rank", "()")],
        (
            "torch.distributed.init_process_group",
            "targets: [{api: mindspore.communication.init,"
            " parameters: [{torch: backend, relation: source_only_droppable},"
            " {torch: rank, relation: source_only_droppable}]}]",
        ),
        ("torch.distributed.get_rank", "targets: [{api: mindspore.get_rank}]"),
    )


STARTS = "import torch.distributed as dist\ndist.init_process_group()\n"

READ = {
    "by its name": ('import os\nr = os.environ["RANK"]', 'import os\nr = os.environ["RANK_ID"]'),
    "of each process here": (
        "import os\nr = int(os.environ['LOCAL_RANK'])",
        "import os\nr = int(os.environ['DEVICE_ID'])",
    ),
    "with a default": (
        'import os as o\nn = int(o.environ.get("WORLD_SIZE", 1))',
        'import os as o\nn = int(o.environ.get("RANK_SIZE", 1))',
    ),
    "by getenv": (
        'from os import getenv\nr = getenv("RANK", default="0")',
        'from os import getenv\nr = getenv("RANK_ID", default="0")',
    ),
    "if it is there": (
        'from os import environ as e\nif "RANK" not in e:\n    raise SystemExit',
        'from os import environ as e\nif "RANK_ID" not in e:\n    raise SystemExit',
    ),
    "in a function": (
        'import os\ndef f(): return os.environ["WORLD_SIZE"]',
        'import os\ndef f(): return os.environ["RANK_SIZE"]',
    ),
}

STAYS = {
    "another variable": 'import os\na = os.environ["MASTER_ADDR"], os.environ["RANKS"]',
    "one that the file sets": 'import os\nos.environ["RANK"] = "0"\nr = os.environ["RANK"]',
    "one that it sets if nobody has": (
        'import os\nos.environ.setdefault("RANK", "0")\nr = os.environ["RANK"]'
    ),
    "another dictionary": 'import os\nenvironment = {}\nr = environment["RANK"]',
    "another module": 'import config as os\nr = os.environ["RANK"]',
    "a name with two meanings": (
        'import os\ndef f(os): return os.environ["RANK"]\nr = os.environ["RANK"]'
    ),
    "a name that isn't written out": 'import os\nk = "RANK"\nr = os.environ[k]',
    "one that goes": 'import os\ndel os.environ["RANK"]',
}


def port(facts: Base, code: str) -> str | None:
    return rewrite(code, facts).code


@pytest.mark.parametrize("name", READ)
def test_a_variable_is_read_as_msrun_sets_it(name: str, facts: Base) -> None:
    old, new = READ[name]
    found = rewrite(f"{STARTS}{old}\n", facts)
    assert found.code == f"import mindspore\nmindspore.communication.init()\n{new}\n"


@pytest.mark.parametrize("name", STAYS)
def test_what_may_be_another_stays(name: str, facts: Base) -> None:
    code = STAYS[name]
    assert port(facts, f"{STARTS}{code}\n") == (
        f"import mindspore\nmindspore.communication.init()\n{code}\n"
    )


def test_a_file_that_starts_nothing_stays(facts: Base) -> None:
    code = 'import os\nimport torch.distributed as dist\nr = os.environ["RANK"], dist.get_rank()\n'
    assert port(facts, code) == dedent("""
        import os
        import mindspore
        r = os.environ["RANK"], mindspore.get_rank()
    """).lstrip()  # fmt: skip


def test_what_is_read_for_a_call_goes_with_it(facts: Base) -> None:
    code = f'{STARTS}import os\ndist.init_process_group(rank=int(os.environ["RANK"]))\n'
    found = rewrite(code, facts)
    told = [note.en for note in found.notes]
    assert (found.code, "torchrun sets RANK, msrun RANK_ID." in told) == (
        "import mindspore\nmindspore.communication.init()\nimport os\n"
        "mindspore.communication.init()\n",
        False,
    )


def test_it_is_told_and_a_second_run_changes_nothing(facts: Base) -> None:
    code = f'{STARTS}import os\nr = os.environ["LOCAL_RANK"]\n'
    first = rewrite(code, facts)
    told = [note.en for note in first.notes]
    assert "torchrun sets LOCAL_RANK, msrun DEVICE_ID." in told
    assert port(facts, first.code or "") == first.code
