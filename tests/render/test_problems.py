"""Problems in data files as workflow commands and as SARIF, and rules explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders.commands import Run

from msmap.problems import Problem
from msmap.render import github, sarif

PROBLEM = Problem(
    Path("data/records/torch/abs.yaml"), 7, "100 % wrong", "both-languages", "zh: 绝对值"
)


def test_each_problem_is_a_command_beside_its_line() -> None:
    assert list(github.problems([PROBLEM])) == [
        "::error file=data/records/torch/abs.yaml,line=7,title=msmap lint%3A both-languages"
        "::100 %25 wrong%0Azh: 绝对值\n"
    ]


def test_sarif_has_a_result_for_each_and_says_what_the_rule_asks() -> None:
    (text,) = sarif.problems([PROBLEM], {"both-languages": "English is English."})
    (run,) = json.loads(text)["runs"]
    assert run["tool"]["driver"]["rules"] == [
        {"id": "both-languages", "fullDescription": {"text": "English is English."}}
    ]
    assert run["results"] == [
        {
            "ruleId": "both-languages",
            "ruleIndex": 0,
            "level": "error",
            "message": {"text": "100 % wrong\nzh: 绝对值"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {
                            "uri": "data/records/torch/abs.yaml", "uriBaseId": "SRCROOT",
                        },
                        "region": {"startLine": 7},
                    }
                }
            ],
        }
    ]  # fmt: skip


def test_without_problems_sarif_has_an_empty_run() -> None:
    (text,) = sarif.problems([], {})
    assert json.loads(text)["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("name", "status", "told"),
    [
        ("both-languages", 0, "both-languages  text\nEnglish is English, Chinese is Chinese.\n"),
        ("both", 2, "msmap: there is no rule both; nearest: both-languages\n"),
        ("zzz", 2, "msmap: there is no rule zzz; `msmap lint --rules`\n"),
    ],
)
def test_a_rule_is_explained(name: str, status: int, told: str, run: Run) -> None:
    done = run("lint", "--explain", name)
    assert (done.status, (done.out + done.err).startswith(told)) == (status, True)
