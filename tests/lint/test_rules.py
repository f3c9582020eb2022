"""Lint: each rule has a directory that breaks it alone; what is said is compared whole."""

from __future__ import annotations

import json
import re
import shutil
from functools import partial
from pathlib import Path

import pytest
import yaml
from tests.builders import support

from msmap.assemble import claims
from msmap.evidence import files as evidence
from msmap.evidence.files import Line
from msmap.lint import run as engine
from msmap.lint.rules import RULES
from msmap.verify.plan.variants import GENERATION
from msmap_cli import settings, speech

CASES = sorted(p.name for p in (Path(__file__).parents[1] / "fixtures" / "lint").iterdir())
CHINESE = re.compile("[\u4e00-\u9fff]")
ENGLISH = re.compile(r"\b(?:no|has|is|says|stands|belongs|defaults|expects|agrees)\b")
ENVIRONMENT = "evidence/torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64.jsonl"


lint = partial(engine.run, generation=GENERATION)


def prepare(case: Path, data: Path) -> Path:
    """The case as ``data`` below the current directory, with signatures and evidence.

    Every check is as if it had just been run; a case may bring evidence or signatures of its own.
    """
    here = Path("data")
    shutil.copytree(case, here)
    if not (here / "signatures").exists():
        shutil.copytree(data / "signatures", here / "signatures")
    if not (here / "evidence").exists():
        known = claims.checks(support.read(here).base)
        lines = [Line(*key, check.hash, "verified") for key, check in known.items()]
        evidence.write(here / ENVIRONMENT, lines)
    return here


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty current directory."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("rule", CASES)
def test_a_rule_says_what_breaks_it_and_where(rule: str, lint_cases: Path, data: Path) -> None:
    """The record breaks this rule alone: whole messages, with file, line and rule."""
    expected = (lint_cases / rule / "expected.txt").read_text(encoding="utf-8")
    found = lint(prepare(lint_cases / rule, data))
    assert "".join(f"{problem}\n" for problem in found) == expected
    assert {problem.rule for problem in found} == {rule}
    assert [problem.message for problem in found if not is_chinese(problem.message)] == []


def is_chinese(message: str) -> bool:
    """Whether all of a message but names, code and what others say is told in Chinese."""
    settings.read(["--lang", "zh"])
    said = speech.spoken(message)
    settings.read([])
    rest = re.sub(r"`[^`]*`|“[^”]*”|(?:torch|mindspore).*|：[^：]*$", "", said)
    return CHINESE.search(said) is not None and ENGLISH.search(rest) is None


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("rule", CASES)
def test_a_skipped_rule_says_nothing(rule: str, lint_cases: Path, data: Path) -> None:
    assert lint(prepare(lint_cases / rule, data), skip={rule}) == []


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("rule", CASES)
def test_of_one_file_the_same_is_said_as_of_all(rule: str, lint_cases: Path, data: Path) -> None:
    directory = prepare(lint_cases / rule, data)
    whole = lint(directory)
    for path in {problem.path for problem in whole}:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
        name = loaded.get("torch") or loaded["id"]
        assert lint(directory, names=[name]) == [p for p in whole if p.path == path]


def test_every_rule_has_a_case() -> None:
    assert sorted(RULES) == CASES


def test_every_rule_documents_itself_in_one_line() -> None:
    """The first line of a rule's docstring is what `msmap lint --rules` prints."""
    undocumented = [n for n, r in RULES.items() if not r.doc]
    assert undocumented == []


def test_the_small_base_breaks_no_rule(data: Path) -> None:
    assert lint(data) == []


@pytest.mark.usefixtures("here")
def test_what_the_newest_release_has_no_more_is_no_mistake_where_its_range_says_so(
    releases: Path,
) -> None:
    """A target and a caveat of earlier releases, after the same target without a range."""
    here = Path("data")
    shutil.copytree(releases, here)
    assert lint(here) == []
    path = here / "records" / "torch" / "relu.yaml"
    text = path.read_text(encoding="utf-8")
    past = "  - api: mindspore.ops.gone\n    mindspore: '<2.9'\ncaveats:\n"
    path.write_text(text.replace("caveats:\n", past), encoding="utf-8")
    assert lint(here) == []
    path.write_text(
        path.read_text(encoding="utf-8").replace("    mindspore: '<2.9'\n", ""), encoding="utf-8"
    )
    assert next((p.rule, p.line, p.message) for p in lint(here)) == (
        "name-exists", 7, "MindSpore 2.10.0 has no mindspore.ops.gone",
    )  # fmt: skip


@pytest.mark.usefixtures("here")
def test_a_parameter_whose_name_another_takes_too_is_not_implied(data: Path) -> None:
    """`self` of an overload becomes `input`, and so `input` has to be said."""
    shutil.copytree(data / "signatures", "data/signatures")
    for release, api, signatures in (
        ("torch-2.13.0", "torch.mix", ["(input, other)", "(self, other, /, value)"]),
        ("mindspore-2.10.0", "mindspore.ops.mix", ["(input, other, value=None)"]),
    ):
        line = {"name": api, "kind": "function", "signatures": signatures, "source": "inspect"}
        with Path(f"data/signatures/{release}.jsonl").open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line)}\n")
    record = Path("data/records/torch/mix.yaml")
    record.parent.mkdir(parents=True)
    record.write_text(
        "torch: torch.mix\nsummary: {en: Mixes., zh: 混合。}\ntargets:\n"
        "  - api: mindspore.ops.mix\n    parameters:\n"
        "      - {torch: self, mindspore: input, relation: renamed}\n"
        "      - {torch: input, mindspore: input, relation: same}\n"
        "      - {torch: other, mindspore: other, relation: same}\n"
        'checks: [{id: one, torch: "torch.mix(1, 2)"}]\n',
        encoding="utf-8",
    )
    found = [p for p in lint(Path("data")) if p.rule == "relation-fits-signatures"]
    assert [(p.line, p.message) for p in found] == [(8, "`other` is the same anyway; leave it out")]
