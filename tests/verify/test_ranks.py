"""Checks of several ranks: each framework's processes know each other, and each result counts."""

from __future__ import annotations

import os
import signal
from collections import deque
from typing import Any

import pytest
from pydantic import ValidationError
from tests.builders.checks import job

from msmap.curated import schema
from msmap.evidence.files import Line
from msmap.verify.executors.local import Local
from msmap.verify.executors.zygote import Running, Work, Zygote
from msmap.verify.trial import ranks

TORCH = """\
torch.distributed.init_process_group("gloo")
rank = torch.distributed.get_rank()
x = torch.tensor([1.0, 2.0]) * (rank + 1)
torch.distributed.all_reduce(x)
x, rank"""
MINDSPORE = """\
mindspore.communication.init()
rank = mindspore.communication.get_rank()
x = mindspore.Tensor([1.0, 2.0]) * (rank + 1)
mindspore.mint.distributed.all_reduce(x)
x, rank"""


def line(local: Local, **changes: Any) -> Line:
    wanted = {"torch": TORCH, "mindspore": MINDSPORE, "inputs": {}, "gradient": False, "ranks": 2}
    return next(iter(local.lines([job(**wanted | changes)])))


@pytest.mark.frameworks
def test_what_every_rank_gives_is_compared(local: Local) -> None:
    assert line(local).outcome == "verified"
    other = line(local, mindspore=MINDSPORE.replace("x, rank", "x, 0"))
    assert (other.outcome, other.torch_gave, other.mindspore_gave) == (
        "refuted", "([3.0, 6.0], 0, [3.0, 6.0], 1)", "([3.0, 6.0], 0, [3.0, 6.0], 0)",
    )  # fmt: skip


@pytest.mark.frameworks
@pytest.mark.parametrize(
    ("last", "outcome", "message"),
    [
        ("1 / (rank - 1)", "refuted", "MindSpore raised ZeroDivisionError: division by zero"),
        ("import ctypes\nctypes.string_at(0)", "inconclusive", "the process crashed: SIGSEGV"),
    ],
)
def test_what_one_rank_does_is_the_outcome(
    local: Local, last: str, outcome: str, message: str
) -> None:
    found = line(local, torch="1", mindspore=MINDSPORE.replace("x, rank", last))
    assert (found.outcome, found.message) == (outcome, message)


def test_a_rank_has_what_a_launcher_tells_it_and_a_folder_of_its_framework() -> None:
    def code() -> tuple[str | None, ...]:
        open("left", "x", encoding="utf-8").close()
        return os.environ["RANK"], os.environ["WORLD_SIZE"], os.environ["MASTER_ADDR"]

    assert ranks.torch(1, code) == (("0", "1", "127.0.0.1"),)
    # What the other run left isn't in the way.
    assert ranks.torch(1, code) == (("0", "1", "127.0.0.1"),)


def test_an_error_of_one_rank_ends_those_that_wait_for_it() -> None:
    def code() -> int:
        if os.environ["RANK"] == "1":
            raise ValueError("no")
        while True:
            signal.pause()

    with pytest.raises(ValueError, match="no"):
        ranks.torch(2, code)


def test_what_cannot_be_said_is_said_as_text() -> None:
    class Own(Exception):
        pass

    def code() -> None:
        raise Own("mine")

    with pytest.raises(RuntimeError, match="Own: mine"):
        ranks.torch(1, code)


def test_a_rank_that_leaves_without_a_word_is_an_error() -> None:
    with pytest.raises(ranks.Died, match="left without a word"):
        ranks.torch(1, lambda: os._exit(3))


def test_ranks_take_no_place_of_others() -> None:
    zygote = Zygote.__new__(Zygote)
    zygote.width, zygote.waiting = 1, deque()
    alone, ranked = (Work(job(check=str(n), ranks=n), frozenset()) for n in (0, 2))

    def due(running: list[Work], waiting: list[Work]) -> Work | None:
        zygote.running = [Running(work, 0, 0, "", 0.0, 0.0) for work in running]
        zygote.waiting.clear()
        zygote.waiting.extend(waiting)
        return zygote.due()

    assert due([], [ranked, alone]) is ranked
    assert due([ranked], [ranked, alone]) is ranked
    assert due([ranked] * 3, [ranked, alone]) is alone
    assert due([alone], [ranked, alone]) is ranked
    assert due([alone], [alone]) is None
    assert due([alone, *[ranked] * 3], [ranked]) is None


def test_a_check_of_ranks_has_no_inputs() -> None:
    with pytest.raises(ValidationError, match="`ranks` make their tensors themselves"):
        schema.Check(id="case", torch="x", ranks=2, inputs={"x": "float32[2]"})
