"""What a page in short says: the target that applies, the dangerous first, parameters in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.evidence.test_devices import DIM

from msmap.model import Caveat, Parameter, Record, Text
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import brief, short
from msmap.render.layout import marked
from msmap_cli.terminal import wrapped

LONG = " ".join(["It goes wrong without a word."] + ["Write something else instead."] * 4)


def caveat(
    name: str, impact: str = "silent", text: str = LONG, target: str | None = None
) -> Caveat:
    return Caveat(name, impact, Text(text, text), None, (), None, target, "", ())


@pytest.fixture
def record(kb: KnowledgeBase) -> Record:
    return replace(kb.lookup("nn.GELU"), caveats=())


@pytest.mark.parametrize(
    ("caveats", "told", "left"),
    [
        ([], [], {}),
        (["silent"], ["0"], {}),
        (["note", "error", "silent"], ["2", "1"], {"note": 1}),
        # What gives no error has more room than what raises.
        (["silent"] * 9, ["0", "1", "2", "3"], {"silent": 5}),
        (["error"] * 9, ["0", "1"], {"error": 7}),
        (["error", *["silent"] * 4], ["1", "2", "3", "4"], {"error": 1}),
        (["error", *["silent"] * 5], ["1", "2", "3", "4"], {"silent": 1, "error": 1}),
    ],
    ids=lambda value: str(len(value)),
)  # fmt: skip
def test_the_dangerous_are_told_as_far_as_there_is_room(
    caveats: list[str], told: list[str], left: dict[str, int], record: Record
) -> None:
    given = tuple(caveat(str(n), impact) for n, impact in enumerate(caveats))
    found = brief.brief(replace(record, caveats=given), "en")
    assert [each.id for each in found.caveats] == told
    assert found.left == left


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, 4),
        ({"guides": ("a", "b"), "family": "torch.nn"}, 3),
        ({"example_torch": "a\nb\nc\nd", "example_mindspore": "a\nb\nc"}, 2),
        # A page that is longer than the screen in any case tells the worst all the same.
        ({"example_torch": "a\n" * 12, "example_mindspore": "a\n" * 9}, 2),
    ],
    ids=["short", "with remarks", "with some code", "with much code"],
)
def test_a_page_leaves_a_row_of_a_screen_for_the_prompt(
    changes: dict[str, Any], told: int, language: str, record: Record
) -> None:
    given = tuple(caveat(str(n), "silent") for n in range(9))
    full = replace(record, caveats=given, **changes)
    rows = [r for line in short.record(full, language) for r in wrapped(marked(line), 80)]
    code = len(f"{full.example_torch}\n{full.example_mindspore}".splitlines())
    assert len(brief.brief(full, language).caveats) == told
    assert 20 < len(rows) <= max(23, 17 + code)


def test_what_bites_with_another_target_is_only_counted(record: Record) -> None:
    other = caveat("other", target=record.targets[1].key)
    found = brief.brief(replace(record, caveats=(other,)), "en")
    assert (found.caveats, found.left) == ((), {"silent": 1})


def test_the_target_is_the_one_that_most_calls_take(record: Record) -> None:
    """What is for some calls alone is taken where a call needs it."""
    best, other = record.targets
    found = replace(record, targets=(replace(best, given=("device",)), other))
    assert brief.applying(found) is other
    assert brief.applying(found, best.key) == found.targets[0]
    assert brief.applying(replace(found, targets=found.targets[:1])) is found.targets[0]
    assert brief.applying(replace(found, targets=())) is None
    assert brief.conditions(found.targets[0], "en") == "if device is given"


def test_what_takes_the_rest_of_all_calls_is_taken_by_none(record: Record) -> None:
    """As Ascend's median, behind one for calls with dim and one for calls without."""
    best, other = record.targets
    given, absent = replace(best, given=("dim",)), replace(best, absent=("dim",))
    both = replace(record, targets=(absent, given, other))
    assert brief.applying(both) is absent
    assert brief.applying(replace(record, targets=(given, other))) is other
    assert brief.applying(replace(record, targets=(other, absent, given))) is other
    lacking = replace(given, verification="untestable")
    assert brief.applying(replace(record, targets=(absent, lacking, other))) is other


@pytest.mark.parametrize(
    ("name", "language", "rows"),
    [
        ("nn.Dropout", "en", ["p=0.5 -> p=None (by keyword)", "dropped: inplace"]),
        ("nn.Dropout", "zh", ["p=0.5 -> p=None（须用关键字传参）", "删除：inplace"]),
        ("torch.cat", "en", ["dropped: out", "the rest the same"]),
        ("nn.GELU", "en", ["approximate (other values)"]),
        # Whoever gives dim has another target.
        ("Tensor.size", "en", ["all the same"]),
    ],
)
def test_parameters_are_told_in_words(
    name: str, language: str, rows: list[str], kb: KnowledgeBase
) -> None:
    assert list(brief.brief(kb.lookup(name), language).parameters) == rows


def moved(torch: str, mindspore: str, *places: int | None) -> Parameter:
    relation = "reordered" if torch == mindspore else "renamed"
    return replace(
        DIM, torch=(torch,), mindspore=(mindspore,), relation=relation,
        torch_position=places[0], mindspore_position=places[1],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("parameters", "rows"),
    [
        # x.all(dim) becomes mindspore.mint.all(x, dim), and the reverse.
        ([moved("self", "input", None, 0), moved("dim", "dim", 0, 1)], ["self -> input"]),
        ([moved("input", "self", 0, None), moved("dim", "dim", 1, 0)], ["input -> self"]),
        ([moved("self", "input", None, 0), moved("dim", "dim", 0, 2)],
         ["dim (other position)", "self -> input"]),
        ([moved("dim", "dim", 0, 1)], ["dim (other position)"]),
    ],
)  # fmt: skip
def test_what_only_stands_behind_the_receiver_is_where_it_was(
    parameters: list[Parameter], rows: list[str], record: Record
) -> None:
    target = replace(record.targets[0], parameters=tuple(parameters), inputs=())
    assert [row for row in brief.fates(target, "en") if "the same" not in row] == rows


def test_a_call_shows_what_becomes_of_it(kb: KnowledgeBase) -> None:
    record = kb.lookup("nn.Dropout")
    port = kb.port("torch.nn.Dropout(0.3)")
    shown = [line.text for line in short.record(record, "en", port=port)]
    assert shown[4:6] == [
        "  PyTorch    torch.nn.Dropout(0.3)",
        "  MindSpore  mindspore.nn.Dropout(p=0.3)",
    ]


def test_what_is_beside_is_named(kb: KnowledgeBase) -> None:
    record = kb.lookup("nn.GELU")
    told = replace(record, caveats=(caveat("a", "note"), *[caveat(str(n)) for n in range(4)]))
    *_, last = short.record(told, "en")
    assert last.text == "-v: 1 more (note), 2 targets, evidence"


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (2, "Also for: torch.f0, torch.f1"),
        (15, "Also for: " + ", ".join(f"torch.f{n}" for n in range(12)) + ", 3 more"),
    ],
)
def test_of_many_names_that_share_an_answer_the_first_are_shown(
    count: int, told: str, record: Record
) -> None:
    shown = short.record(replace(record, covers=tuple(f"torch.f{n}" for n in range(count))), "en")
    assert told in [line.text for line in shown]
