"""A test of a class means all classes of MindSpore's that the layers of a project became."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.model import Port
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import port as projects

HEAD = "import torch\nfrom torch import nn\n\n"
BOTH = "a = nn.Conv1d(1, 2, 3, padding=1, padding_mode='circular')\nb = nn.Conv1d(1, 2, 3)\n"


def last(facts: KnowledgeBase, code: str) -> tuple[str, list[str]]:
    """The last line of the port, and the kinds of what is said above it."""
    done = facts.port(f"{HEAD}{code}\n")
    text = (done.code or "").strip().splitlines()[-1].strip()
    return text, kinds(done)


def kinds(done: Port) -> list[str]:
    """The kinds of what is said, but of the layers that don't run on every device."""
    return [one.kind for one in done.refusals if "no kernel on" not in one.reason.en]


@pytest.mark.parametrize(
    ("test", "written"),
    [
        ("isinstance(m, nn.Conv1d)", "isinstance(m, (nn.Conv1d, mint.nn.Conv1d))"),
        (
            "isinstance(m, (nn.Conv1d, nn.ReLU))",
            "isinstance(m, (nn.Conv1d, mint.nn.Conv1d, nn.ReLU))",
        ),
        (
            "isinstance(m, nn.Conv1d | nn.ReLU)",
            "isinstance(m, nn.Conv1d | mint.nn.Conv1d | nn.ReLU)",
        ),
        ("issubclass(type(m), nn.Conv1d)", "issubclass(type(m), (nn.Conv1d, mint.nn.Conv1d))"),
        ("type(m) == nn.Conv1d", "type(m) in (nn.Conv1d, mint.nn.Conv1d)"),
        ("type(m) is nn.Conv1d", "type(m) in (nn.Conv1d, mint.nn.Conv1d)"),
        ("type(m) != nn.Conv1d", "type(m) not in (nn.Conv1d, mint.nn.Conv1d)"),
        ("m.__class__ is not nn.Conv1d", "m.__class__ not in (nn.Conv1d, mint.nn.Conv1d)"),
        (
            "type(m) in (nn.Conv1d, nn.Linear)",
            "type(m) in (nn.Conv1d, mint.nn.Conv1d, mint.nn.Linear)",
        ),
        ("type(m) in [nn.Conv1d]", "type(m) in [nn.Conv1d, mint.nn.Conv1d]"),
    ],
)
def test_both_are_meant(anywhere: KnowledgeBase, test: str, written: str) -> None:
    text, said = last(anywhere, f"{BOTH}def f(m):\n    return {test}")
    assert text == f"return {written}"
    assert said == []


def test_a_pattern_means_both(anywhere: KnowledgeBase) -> None:
    code = f"{BOTH}def f(m):\n    match m:\n        case nn.Conv1d():\n            return 1"
    done = anywhere.port(HEAD + code + "\n")
    assert "case nn.Conv1d() | mint.nn.Conv1d():" in (done.code or "")


@pytest.mark.parametrize(
    ("made", "test", "written"),
    [
        ("b = nn.Conv1d(1, 2, 3)", "isinstance(m, nn.Conv1d)", "isinstance(m, nn.Conv1d)"),
        ("b = nn.Linear(1, 2)", "isinstance(m, nn.Linear)", "isinstance(m, mint.nn.Linear)"),
        ("b = nn.Linear(1, 2)", "type(m) == nn.Linear", "type(m) == mint.nn.Linear"),
        (
            "b = nn.Conv1d(1, 2, 3, padding_mode='circular')",
            "isinstance(m, nn.Conv1d)", "isinstance(m, nn.Conv1d)",
        ),
        ("b = 1", "isinstance(m, nn.Conv1d)", "isinstance(m, (nn.Conv1d, mint.nn.Conv1d))"),
        ("b = 1", "isinstance(m, nn.BatchNorm2d)", "isinstance(m, nn.BatchNorm2d)"),
        ("b = 1", "isinstance(m, nn.ReLU)", "isinstance(m, nn.ReLU)"),
    ],
)  # fmt: skip
def test_those_alone_that_are_made(
    anywhere: KnowledgeBase, made: str, test: str, written: str
) -> None:
    done = anywhere.port(f"{HEAD}{made}\ndef f(m):\n    return {test}\n")
    names = {"mindspore.": "", "mint.nn.Conv1d)": "nn.Conv1d)"} if "circular" in made else {}
    text = (done.code or "").strip().splitlines()[-1].strip().removeprefix("return ")
    for old, new in names.items():
        text = text.replace(old, new)
    assert text == written
    assert kinds(done) == []


def test_other_files_of_the_project_count(facts: KnowledgeBase, tmp_path: Path) -> None:
    net, start = tmp_path / "net.py", tmp_path / "start.py"
    net.write_text(f"{HEAD}{BOTH}")
    start.write_text(f"{HEAD}def f(m):\n    return isinstance(m, nn.Conv1d)\n")
    done = {Path(one.told.path).name: one for one in projects.port(facts, [str(tmp_path)])}  # type: ignore[union-attr]
    assert "isinstance(m, (nn.Conv1d, mint.nn.Conv1d))" in done["start.py"].text  # type: ignore[union-attr]
    net.write_text(f"{HEAD}b = nn.Conv1d(1, 2, 3)\n")
    done = {Path(one.told.path).name: one for one in projects.port(facts, [str(tmp_path)])}  # type: ignore[union-attr]
    assert "isinstance(m, nn.Conv1d)" in done["start.py"].text  # type: ignore[union-attr]


def test_a_parameter_with_two_names_is_asked_for_by_both(anywhere: KnowledgeBase) -> None:
    made = "a = nn.BatchNorm2d(3, momentum=None)\nb = nn.BatchNorm2d(3)\n"
    text, said = last(
        anywhere, f"{made}def f(m):\n    if isinstance(m, nn.BatchNorm2d):\n        m.weight"
    )
    assert text == 'getattr(m, next(name for name in ("gamma", "weight") if hasattr(m, name)))'
    assert said == []


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ('m.__class__.__name__ == "ConvTranspose2d"', ["differs"]),
        ('type(m).__name__ in ("Sequential", "ReLU")', ["differs"]),
        ('"InstanceNorm" in type(m).__name__', ["differs"]),
        ('m.__class__.__name__.find("Conv") != -1', []),
        ('m.__class__.__name__ == "Conv2d"', []),
        ('type(m).__name__.startswith("BatchNorm")', []),
        ('m.__class__.__name__ == "Linear"', []),
        ('m.name == "Sequential"', []),
    ],
)
def test_the_name_of_a_class_is_said_where_it_is_another(
    facts: KnowledgeBase, test: str, said: list[str]
) -> None:
    code = f"i = nn.InstanceNorm2d(3)\nc = nn.Conv2d(1, 1, 1)\ndef f(m):\n    return {test}"
    assert last(facts, code)[1] == said


def test_one_class_for_two_is_said(facts: KnowledgeBase) -> None:
    made = "g = nn.GroupNorm(1, 3)\ni = nn.InstanceNorm2d(3)\n"
    assert "differs" in last(facts, f"{made}def f(m):\n    return isinstance(m, nn.GroupNorm)")[1]
    assert (
        last(facts, "g = nn.GroupNorm(1, 3)\ndef f(m):\n    return isinstance(m, nn.GroupNorm)")[1]
        == []
    )


def test_a_second_run_changes_nothing(anywhere: KnowledgeBase) -> None:
    code = f"{HEAD}{BOTH}def f(m):\n    return type(m) == nn.Conv1d or isinstance(m, nn.Conv1d)\n"
    once = anywhere.port(code).code
    assert once is not None
    assert anywhere.port(once).code in (once, None)


@pytest.mark.parametrize(
    "test",
    [
        "type(m) == nn.BatchNorm2d",
        "type(m) is nn.BatchNorm2d",
        "type(m) in (nn.BatchNorm2d,)",
        "m.__class__ is nn.BatchNorm2d",
        "not type(m) != nn.BatchNorm2d",
    ],
)
def test_parameters_are_those_of_the_class_that_is_tested_for(
    facts: KnowledgeBase, test: str
) -> None:
    code = f"b = nn.BatchNorm2d(3)\ndef f(m):\n    if {test}:\n        return m.weight"
    assert last(facts, code) == ("return m.gamma", [])


def test_a_class_of_that_name_elsewhere_doesnt_count(facts: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        f"{HEAD}class LayerNorm(nn.Module):\n    pass\na = LayerNorm(3, bias=False)\n"
    )
    (tmp_path / "start.py").write_text(
        f"{HEAD}b = nn.LayerNorm(3)\ndef f(m):\n    return isinstance(m, nn.LayerNorm)\n"
    )
    done = {Path(one.told.path).name: one for one in projects.port(facts, [str(tmp_path)])}  # type: ignore[union-attr]
    assert "isinstance(m, nn.LayerNorm)" in done["start.py"].text  # type: ignore[union-attr]


def test_a_file_that_is_ported_already_says_what_it_makes(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    (tmp_path / "net.py").write_text(
        "from mindspore import mint, nn\n\na = nn.LayerNorm((3,), epsilon=1e-05)\n"
        "b = mint.nn.Conv1d(1, 2, 3, padding_mode='circular')\n"
    )
    (tmp_path / "start.py").write_text(
        f"{HEAD}c = nn.Conv1d(1, 2, 3)\ndef f(m):\n"
        "    return isinstance(m, nn.LayerNorm) or isinstance(m, nn.Conv1d)\n"
    )
    done = {Path(one.told.path).name: one for one in projects.port(facts, [str(tmp_path)])}  # type: ignore[union-attr]
    assert done["start.py"].text.splitlines()[-1].strip() == (  # type: ignore[union-attr]
        "return isinstance(m, nn.LayerNorm) or isinstance(m, (nn.Conv1d, mint.nn.Conv1d))"
    )
