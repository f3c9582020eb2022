"""What the processes that run checks say to each other: a line of JSON a message."""

from __future__ import annotations

import pytest
from tests.builders.checks import job

from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.verify.executors import executor
from msmap.verify.executors.executor import (
    Again,
    Broken,
    End,
    Failed,
    Finished,
    Outcome,
    Part,
    Ready,
    Rest,
    Result,
    Started,
    Task,
)

FULL = Result("refuted", "1 of 2", "no_kernel", "agrees", "1", "2", True, True)
MESSAGES = [
    Task(job(modes=("train",), rtol=1e-3, state=({"torch": "a", "mindspore": None},)), ("graph",)),
    Ready("2.13.0", "2.10.0", "cpu"),
    Failed("没有"),
    Started("torch.abs", "case", ""),
    Finished("torch.abs", "case", FULL, {"graph": Result("agrees")}),
    Part("graph"),
    Outcome(FULL),
    Again("graph"),
    Rest(),
    Broken("no parts"),
    End(),
]
NONE = [
    b"", b"[1]", b"{}", b'"End"', b'["End"]', b'["End", {}, 1]', b'["End", []]',
    b'["End", {"a": 1}]',
    b'["Nothing", {}]', b'["Result", {"outcome": "verified"}]', b'["Part", {"name": 1}]',
    b'["Part", {}]', b'["Outcome", {"result": 1}]',
    b'["Outcome", {"result": {"outcome": "agrees"}}]',
    b"\xff\0{]", b"[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
def test_a_message_comes_as_it_was_said(message: executor.Answer) -> None:
    line = executor.dumps(message)
    assert (executor.loads(line), line.count("\n"), line[-1]) == (message, 1, "\n")


@pytest.mark.parametrize("line", NONE, ids=range(len(NONE)))
def test_what_is_no_message(line: bytes) -> None:
    """Code under check may write anything."""
    with pytest.raises(ValueError):  # noqa: PT011
        executor.loads(line)


def test_what_came_out_as_a_line_of_evidence() -> None:
    line = FULL.line(job(hash="abc"), {"graph": FULL})
    assert line == Line(
        "torch.abs", "case", "abc", "refuted", "no_kernel", "1 of 2", gradient="agrees",
        torch_gave="1", mindspore_gave="2",
        variants={"graph": Finding("refuted", message="1 of 2", torch_gave="1",
                                   mindspore_gave="2")},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("verified", {"keyword": "raises", "shuffled": "raises", "import-only": "agrees"}),
        ("verified_with_tolerance",
         {"keyword": "raises", "shuffled": "raises", "import-only": "agrees"}),
        ("verified_forward_only",
         {"keyword": "raises", "shuffled": "raises", "import-only": "forward_only"}),
    ],
)  # fmt: skip
def test_what_is_another_over_again_came_out_like_it(
    outcome: str, expected: dict[str, str]
) -> None:
    """As a variant, or as the check itself."""
    made = job(twins={"shuffled": "keyword", "import-only": ""})
    found = Result(outcome).line(made, {"keyword": Result("raises")}).variants
    assert {name: finding.outcome for name, finding in found.items()} == expected


def test_nothing_is_said_for_what_did_not_run() -> None:
    made = job(twins={"shuffled": "keyword", "import-only": ""})
    assert Result("refuted").line(made, {}).variants == {}
