"""What came of a call is kept: the same call gives the same, and any other its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.builders.support import base, function

from msmap.assemble.base import Base
from msmap.code.refusal import Refused
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port import targets
from msmap.port.arguments import Argument
from msmap.port.targets import Arguments


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return base(
        tmp_path_factory.mktemp("kept"),
        [
            function("torch.f", "(x, n=None)"),
            function("torch.g", "(x, n=None)"),
            function("torch.none", "(x)"),
        ],
        [function("mindspore.f", "(x, n=None)"), function("mindspore.g", "(x, n=None)")],
        ("torch.f", "targets: [{api: mindspore.f}]\n"),
        ("torch.g", "targets: [{expression: 'mindspore.g({x}, {x}, {n})', id: twice}]\n"),
        ("torch.none", "missing: {en: No., zh: 无。}\n"),
    )


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "_kept", targets._Kept())


def arguments(*given: Argument, **named: Argument) -> Arguments:
    return Arguments(given, named)


def written(record: Record, given: Arguments) -> str:
    try:
        return targets.write(record, given).text
    except Refused as refused:
        return f"{refused.kind}: {refused.reason.en}"


X, Y = values.argument("x", "position"), values.argument("y", "position")
POPPED = values.argument("q.pop()", "position")
LONG = values.argument("x" * 100, "position")
CASES = [
    ("torch.f", arguments(X), "mindspore.f(x)"),
    ("torch.f", arguments(Y), "mindspore.f(y)"),
    ("torch.f", arguments(X, Y), "mindspore.f(x, y)"),
    ("torch.f", arguments(X, n=replace(Y, by="keyword")), "mindspore.f(x, n=y)"),
    ("torch.g", arguments(X, Y), "mindspore.g(x, x, y)"),
    ("torch.g", arguments(POPPED, Y), "mindspore.g(q.pop(), q.pop(), y)"),
    # In a user's code, nothing is evaluated twice.
    ("torch.g", arguments(replace(POPPED, watched=True), Y),
     "(lambda x: mindspore.g(x, x, y))(q.pop())"),
    ("torch.f", arguments(LONG), f"mindspore.f({LONG.text})"),
    ("torch.f", arguments(X, Y, X),
     "no_overload: torch.f: takes at most 2 positional arguments"),
    ("torch.none", arguments(X), "missing: torch.none has no counterpart: No."),
]  # fmt: skip


def test_a_call_gives_the_same_whatever_was_written_before(facts: Base) -> None:
    expected = [text for _, _, text in CASES]
    for _ in range(3):
        assert [written(facts.records[name], given) for name, given, _ in CASES] == expected


def test_a_call_is_written_once_unless_it_is_long(facts: Base) -> None:
    first = targets.write(facts.records["torch.f"], arguments(X))
    assert targets.write(facts.records["torch.f"], arguments(X)) is first
    long = targets.write(facts.records["torch.f"], arguments(LONG))
    assert targets.write(facts.records["torch.f"], arguments(LONG)) is not long


def test_no_more_is_kept_than_there_is_room_for(
    facts: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "_MOST", 10)
    for number in range(100):
        given = arguments(values.argument(f"x{number}", "position"))
        assert written(facts.records["torch.f"], given) == f"mindspore.f(x{number})"
        kept = sum(len(calls) for _, calls in targets._kept.records.values())
        assert kept <= targets._MOST + 1
