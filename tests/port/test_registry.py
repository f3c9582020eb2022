"""Rewriting rules: each registers itself, sees no other, and needs no order within its phase."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from msmap.port import rules
from msmap.port.mode import EVERYWHERE, Mode
from msmap.port.rules import registry
from msmap.port.rules.registry import Phase, rule
from msmap.query.knowledge_base import KnowledgeBase

ROOM = Path(str(rules.__file__)).parent
FILES = sorted(path for path in ROOM.glob("*.py") if path.stem not in ("__init__", "registry"))
MODELS = sorted((Path(__file__).parent / "models").glob("*.py"))


def imported(path: Path) -> set[str]:
    """The modules of the room that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("msmap.port.rules"):
            below = str(node.module).removeprefix("msmap.port.rules").lstrip(".")
            found |= {below} if below else {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_rule_sees_no_other_rule(path: Path) -> None:
    assert imported(path) == {"registry"}


def test_each_file_registers_what_it_does() -> None:
    found = {one.name.partition(".")[0] for one in registry.every()}
    assert found == {path.stem for path in FILES}


def test_each_rule_says_what_it_does() -> None:
    assert [one.name for one in registry.every() if not one.function.__doc__] == []


def test_one_rule_writes_a_kind_of_use() -> None:
    with pytest.raises(ValueError, match="a rule of call exists"):
        rule(Phase.USE, "call")(test_one_rule_writes_a_kind_of_use)


def test_a_rule_of_uses_says_which() -> None:
    with pytest.raises(ValueError, match="a rule of USE exists"):
        rule(Phase.USE)(test_a_rule_of_uses_says_which)


@pytest.mark.moving(8)
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_order_within_a_phase_is_free(
    path: Path, facts: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = path.read_text(encoding="utf-8")
    before = facts.port(source)
    found = {
        (phase, mode): registry.functions(phase, mode)[::-1] for phase in Phase for mode in Mode
    }
    monkeypatch.setattr(registry, "functions", lambda phase, mode: found[phase, mode])
    after = facts.port(source)
    assert after.code == before.code
    assert after.refusals == before.refusals
    assert {*after.notes} == {*before.notes}


def test_checks_see_what_their_record_says() -> None:
    # Whatever changes arguments or targets beyond the record would prove another mapping.
    changing = (Phase.ARGUMENTS, Phase.TARGET, Phase.CHECK, Phase.MOOT, Phase.RESULT)
    every = [one for one in registry.every() if one.phase in changing]
    assert [one.name for one in every if Mode.CHECK in one.modes] == []
    assert Mode.CHECK in EVERYWHERE
