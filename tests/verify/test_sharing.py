"""Checks that compute share a child; what it shows besides agreement is found again alone.

The process that forks is a stand-in that imports no framework (tests/builders/snippets.py).
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import checks
from tests.builders.zygotes import LIMIT, ZYGOTE, job

from msmap.verify.executors.local import Local
from msmap.verify.plan import sharing
from msmap.verify.plan.job import Job

pytest.importorskip("psutil")

COMPUTES = [
    "torch.add(x, 1)",
    "y = x * 2\ny += 1\ny.sum(-1)",
    "torch.nn.Linear(3, 2)(x)",
    "import scipy.special\nmindspore.Tensor(scipy.special.erf(x.asnumpy()))",
    "z.__setitem__((i, i), u)\nz",
    "torch.special.gammainc(input=x, other=y)",
    "torch.nn.functional.normalize(x)",
]
LASTS = [
    "torch.set_default_dtype(torch.float64)\nx + 1",
    "mindspore.set_context(mode=0)\nx + 1",
    "torch.manual_seed(3)\nx + 1",
    "torch.rand(3)",
    "torch.nn.functional.dropout(x, 0.5)",
    "torch.normal(x, y)",
    "def f(v):\n    return v\nf(x)",
    "for _ in range(3):\n    x = x + 1",
    "mindspore.Tensor.twice = 3\nx",
    "x.__class__.twice",
    "import os\nx",
    "from mindspore import context\nx",
    "mindspore.save_checkpoint(net, 'a.ckpt')",
    "torch.optim.SGD(net.parameters(), 0.1)",
    "torch.empty(3)",
    "torch.npu.current_device()",
    "x +",
]


@pytest.mark.parametrize("code", COMPUTES)
def test_what_computes_may_share(code: str) -> None:
    assert sharing.computes(code)


@pytest.mark.parametrize("code", LASTS)
def test_what_lasts_or_draws_may_not(code: str) -> None:
    assert not sharing.computes(code)


@pytest.mark.parametrize(
    ("changes", "shares"),
    [
        ({}, True),
        ({"expect": "differs", "gives": {"mindspore": "[0.0]"}}, True),
        ({"expect": "differs", "gives": {"torch": "[1.0]"}}, False),
        ({"variants": ({"name": "keyword", "torch": "torch.add(input=x, other=1)"},)}, True),
        ({"variants": ({"name": "float16", "inputs": {}},)}, False),
        ({"expect": "raises"}, False),
        ({"expect": "same-distribution"}, False),
        ({"ranks": 2}, False),
        ({"mindspore": "mindspore.set_seed(1)"}, False),
    ],
)
def test_which_jobs_share(changes: dict[str, Any], shares: bool) -> None:
    made = checks.job(**{"torch": "torch.add(x, 1)", "mindspore": "x + 1", **changes})
    assert sharing.may_share(made) == shares


def marks(word: str, then: str = "") -> str:
    """Code that leaves a word in its process, and says all that were left there."""
    return (
        "import builtins, os, time\n"
        f"builtins.left = said = getattr(builtins, 'left', '') + ' {word}'\n"
        f"follows = said.count(' ') > 1\n{then}"
    )


def found(*jobs: Job) -> dict[str, tuple[str, str, dict[str, str]]]:
    """What came of jobs that run one after another: outcome, what was said, and by variants."""
    with Local(1, LIMIT, command=ZYGOTE) as executor:
        return {
            line.check: (
                line.outcome,
                line.message,
                {name: finding.message for name, finding in line.variants.items()},
            )
            for line in executor.lines(jobs)
        }


FIRST = job("one", {"": marks("one")})


def test_jobs_share_a_child() -> None:
    assert found(FIRST, job("two", {"": marks("two")})) == {
        "one": ("verified", " one", {}),
        "two": ("verified", " one two", {}),
    }


UNSTEADY = "    outcome, said = 'diverges_documented', 'not the same twice'"
BEHIND: dict[str, tuple[str, str]] = {
    "refuted": ("if follows:\n    outcome = 'refuted'", "verified"),
    "refuted alone too": ("outcome = 'refuted'", "refuted"),
    "unsteady": (f"if follows:\n{UNSTEADY}", "verified"),
    "shaken": ("if follows:\n    shaken = True", "verified"),
    "crashes": ("if follows:\n    os.abort()", "verified"),
    "leaves": ("if follows:\n    os._exit(0)", "verified"),
    "hangs": ("if follows:\n    time.sleep(300)", "verified"),
    "raises": ("if follows:\n    raise ValueError", "verified"),
}


@pytest.mark.parametrize(("then", "outcome"), BEHIND.values(), ids=BEHIND)
def test_what_does_not_agree_behind_another_runs_alone(then: str, outcome: str) -> None:
    assert found(FIRST, job("two", {"": marks("two", then)}), job("three", {"": "pass"})) == {
        "one": ("verified", " one", {}),
        "two": (outcome, " two", {}),
        "three": ("verified", "", {}),
    }


def test_a_variant_that_does_not_agree_has_the_whole_job_run_alone() -> None:
    two = {"": marks("two"), "a": marks("a"), "b": marks("b", "outcome = 'raises'")}
    assert found(FIRST, job("two", two)) == {
        "one": ("verified", " one", {}),
        "two": ("verified", " two", {"a": " two a", "b": " two a b"}),
    }


@pytest.mark.parametrize(
    "then",
    ["os.chdir('/')", "open('file', 'w').close()", "outcome = 'refuted'", "shaken = True",
     "import numpy; numpy.seterr(all='raise')"],
)  # fmt: skip
def test_nothing_runs_behind_what_left_something(then: str) -> None:
    assert found(job("one", {"": marks("one", then)}), job("two", {"": marks("two")}))["two"] == (
        "verified", " two", {},
    )  # fmt: skip


def test_a_child_is_given_no_more_than_eight() -> None:
    """Fewer, where a job comes later than one ends."""
    said = found(*(job(str(n), {"": marks(str(n))}) for n in range(20)))
    assert max(len(message.split()) for _, message, _ in said.values()) <= 8
