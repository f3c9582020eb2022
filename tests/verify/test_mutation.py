"""Mutants: mistakes put into a record, and the checks that notice them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.builders import support
from tests.builders.support import FIXTURES, base, function, layer, method, named

from msmap.curated import load
from msmap.signatures.files import Api
from msmap.verify.mutation import mutants as mutate
from msmap.verify.mutation import templates, verdicts
from msmap.verify.mutation.verdicts import Verdict
from msmap.verify.plan.job import Job

DATA = FIXTURES / "mutate"
HERE = "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64"

# name -> (PyTorch's API, MindSpore's, the record, (kind, change, why equivalent) of each mutant)
CASES: dict[str, tuple[Api, list[Api], str, list[tuple[str, str, str]]]] = {
    "relations that nobody wrote are got wrong too": (
        function("torch.roll", "(input: Tensor, shifts: int, dims: int = 0)"),
        [function("mindspore.ops.roll", "(input, shifts, dims=None)")],
        "targets: [{api: mindspore.ops.roll}]",
        [
            ("lost", "`dims` is dropped", ""),
            ("default", "`dims` is not written when left out", ""),
            ("swap", "`shifts` and `dims` are exchanged", ""),
        ],
    ),
    "a default that MindSpore has too is never left out": (
        function("torch.sort", "(input: Tensor, descending: bool = False)"),
        [function("mindspore.ops.sort", "(input, descending=False)")],
        "targets: [{api: mindspore.ops.sort}]",
        [("lost", "`descending` is dropped", "")],
    ),
    "operands that may be exchanged make an equivalent": (
        function("torch.swap", "(input: Tensor, dim0: int, dim1: int)"),
        [method("mindspore.Tensor.swapaxes", "(axis0, axis1)")],
        """\
        targets:
          - api: mindspore.Tensor.swapaxes
            parameters:
              - {torch: dim0, mindspore: axis0, relation: renamed}
              - {torch: dim1, mindspore: axis1, relation: renamed}
        """,
        [
            (
                "swap",
                "`dim0` and `dim1` are exchanged",
                "mindspore.Tensor.swapaxes gives the same with axis0 and axis1 exchanged",
            )
        ],
    ),
    "a value loses its transform, its literal and its place": (
        function("torch.keep", "(input: Tensor, p: float, q: float)"),
        [function("mindspore.ops.keep", "(input, rate=0.1)")],
        """\
        targets:
          - api: mindspore.ops.keep
            parameters:
              - {torch: [p, q], mindspore: rate, relation: merged, value: "(1 - {p}) / {q}"}
        """,
        [
            ("lost", "`p, q` is dropped", ""),
            ("transform", "`p, q` is passed as it is, not as (1 - {p}) / {q}", ""),
            ("expression", "`p, q`, (1 - {p}) / {q}: 1 -> 2", ""),
            ("expression", "`p, q`, (1 - {p}) / {q}: {p} <-> {q}", ""),
        ],
    ),
    "cases have each other's values": (
        function("torch.pad", "(input: Tensor, mode: str = 'none')"),
        [function("mindspore.ops.pad", "(input, wide=False)")],
        """\
        targets:
          - api: mindspore.ops.pad
            parameters:
              - torch: mode
                mindspore: wide
                relation: value_transformed
                cases:
                  - {when: "'none'", set: {wide: "False"}}
                  - {when: "'all'", set: {wide: "True"}}
        """,
        [
            ("lost", "`mode` is dropped", ""),
            ("transform", "`mode` is passed as it is where it is 'none'", ""),
            ("transform", "`mode` is passed as it is where it is 'all'", ""),
            ("transform", "`mode` becomes for 'none' what it is for 'all', and the reverse", ""),
            ("expression", "`mode`, wide = False where it is 'none': False -> True", ""),
            ("expression", "`mode`, wide = True where it is 'all': True -> False", ""),
        ],
    ),
    "the most alike of the same namespace and kind stand in for the target": (
        function("torch.add", "(input: Tensor)"),
        [
            function("mindspore.ops.add", "(input)"),
            function("mindspore.ops.addn", "(input)"),
            function("mindspore.ops.abs", "(input)"),
            function("mindspore.ops.exp", "(input)"),
            function("mindspore.ops.other", "(input, needed)"),
            function("mindspore.mint.add", "(input)"),
            Api("mindspore.ops.adds", "function", ("(input)",), alias_of="mindspore.ops.add"),
            Api("mindspore.ops.added", "function", ("(input)",), platforms=("Ascend",)),
            layer("mindspore.ops.Add", "(input)"),
        ],
        "targets: [{api: mindspore.ops.add}]",
        [
            ("sibling", "mindspore.ops.add -> mindspore.ops.addn", ""),
            ("sibling", "mindspore.ops.add -> mindspore.ops.abs", ""),
        ],
    ),
    "state, result and what must be set": (
        layer("torch.nn.Norm", "()", call="(input)"),
        [layer("mindspore.nn.Norm", "(fast=None)", call="(x)")],
        """\
        targets:
          - api: mindspore.nn.Norm
            parameters: [{mindspore: fast, relation: target_only_must_set, value: "True"}]
            state:
              - {torch: weight, mindspore: gamma, value: "value[None]"}
              - {torch: bias, mindspore: beta}
            returns:
              relation: type_differs
              value: "{result}[0]"
              text: {en: A tuple., zh: 返回元组。}
        """,
        [
            ("default", "`fast` is not set", ""),
            ("expression", "`fast`, True: True -> False", ""),
            ("state", "no state mapping of `weight`", ""),
            ("state", "state `weight` is copied as it is", ""),
            ("state", "no state mapping of `bias`", ""),
            ("state", "state `weight` and `bias` are exchanged", ""),
            ("returns", "the result is not wrapped in {result}[0]", ""),
            ("expression", "result, {result}[0]: 0 -> 1", ""),
        ],
    ),
    "an expression": (
        function("torch.mix", "(input: Tensor, weight: float = 2)"),
        [],
        """\
        targets:
          - {id: mixed, expression: "{input} * {weight} - 1"}
        """,
        [
            ("lost", "`weight` is always 2", ""),
            ("expression", "1 -> 2", ""),
            ("expression", "{input} <-> {weight}", "the operands may be exchanged"),
        ],
    ),
    "operands of an expression that may be exchanged, and those that may not": (
        function("torch.both", "(a: Tensor, b: Tensor, p: float, q: float)"),
        [],
        """\
        targets:
          - id: both
            expression: "{a} * {b} + {p} / {q}"
            parameters:
              - {torch: a, mindspore: a, relation: same}
              - {torch: b, mindspore: b, relation: same}
              - {torch: p, mindspore: p, relation: same}
              - {torch: q, mindspore: q, relation: same}
        """,
        [
            ("swap", "`a` and `b` are exchanged", "the operands may be exchanged"),
            ("swap", "`p` and `q` are exchanged", ""),
            ("expression", "{a} <-> {b}", "the operands may be exchanged"),
            ("expression", "{b} <-> {p}", ""),
            ("expression", "{p} <-> {q}", ""),
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_mutants_of_a_record(name: str, tmp_path: Path) -> None:
    torch, mindspore, body, expected = CASES[name]
    made = base(tmp_path, [torch], mindspore, (torch.name, body))
    found = mutate.mutants(made.records[torch.name], made)
    assert [(m.kind, m.change, m.equivalent) for m in found] == expected


def test_a_mutant_that_writes_every_call_as_before_is_without_effect(tmp_path: Path) -> None:
    """Every overload, argument and kind of argument is tried, not only what checks call."""
    body = """\
    targets:
      - api: mindspore.ops.pad
        parameters:
          - torch: how
            mindspore: mode
            relation: value_transformed
            cases:
              - {when: tuple2, set: {mode: "({how[0]}, {how[1]})"}}
              - {when: "'wrap'", set: {mode: "'wrap'"}}
    """
    torch = function("torch.pad", "(input: Tensor, how: str)")
    made = base(
        tmp_path, [torch], [function("mindspore.ops.pad", "(input, mode=None)")], (torch.name, body)
    )
    found = mutate.mutants(made.records[torch.name], made)
    assert {m.change: mutate.without_effect(m, made) for m in found} == {
        "`how` is dropped": False,
        # A list becomes a tuple, which no longer happens.
        "`how` is passed as it is where it is tuple2": False,
        "`how` is passed as it is where it is 'wrap'": True,
        "`how` becomes for tuple2 what it is for 'wrap', and the reverse": False,
        "`how`, mode = ({how[0]}, {how[1]}) where it is tuple2: {how[0]} <-> {how[1]}": False,
    }


def test_a_dtype_is_named_and_never_called(tmp_path: Path) -> None:
    """Dtypes are ported by their names, whatever the target of their record."""
    made = base(
        tmp_path,
        [named("torch.int16", "dtype")],
        [named("mindspore.int16", "dtype"), named("mindspore.int64", "dtype")],
        ("torch.int16", "targets: [{api: mindspore.int16}]"),
    )
    (wrong,) = mutate.mutants(made.records["torch.int16"], made)
    assert (wrong.change, mutate.without_effect(wrong, made)) == (
        "mindspore.int16 -> mindspore.int64", True,
    )  # fmt: skip


def test_checks_of_other_releases_alone_are_left_out(tmp_path: Path) -> None:
    body = """\
    targets: [{api: mindspore.ops.sub}]
    inputs: {x: "float32[2]", y: "float32[2]"}
    checks:
      - {id: right, torch: "torch.sub(x, y)"}
    """
    made = base(
        tmp_path,
        [function("torch.sub", "(input: Tensor, other: Tensor)")],
        [function("mindspore.ops.sub", "(input, other)")],
        ("torch.sub", body),
    )
    older = '  - {id: older, torch: "torch.sub(y, x)", expect: raises}\n'
    file = tmp_path / "whole.yaml"
    file.write_text((tmp_path / "0.yaml").read_text(encoding="utf-8") + older, encoding="utf-8")
    (swapped,) = mutate.mutants(made.records["torch.sub"], made)
    found = mutate.changed(load.read_record(file).item, swapped, made)
    assert [(c.before.id, c.after.mindspore) for c in found] == [
        ("right", "mindspore.ops.sub(y, x)")
    ]


TEMPLATES = {
    "{x}[0]": [("0 -> 1", "{x}[1]")],
    "{x[0]} + {x[1]}": [("{x[0]} <-> {x[1]}", "{x[1]} + {x[0]}")],
    "f({a}, 0.5, 'a 1')": [("0.5 -> 1.0", "f({a}, 1.0, 'a 1')")],
    "value": [],
}


@pytest.mark.parametrize("template", TEMPLATES)
def test_changes_of_a_template(template: str) -> None:
    assert list(templates.changes(template)) == TEMPLATES[template]


def judge(*names: str, answer: Callable[[Job], str]) -> tuple[list[Verdict], list[list[str]]]:
    """Verdicts on the fixtures' mutants where ``answer`` runs a check, and the checks asked for."""
    found = support.read(DATA)
    asked: list[list[str]] = []

    def ask(jobs: list[Job]) -> dict[tuple[str, str], str]:
        asked.append([job.mindspore for job in jobs])
        return {(job.owner, job.check): answer(job) for job in jobs}

    written = {loaded.item.torch: loaded.item for loaded in found.files.records}
    records = [found.base.records[name] for name in names]
    return verdicts.judge(records, written, found.base, HERE, ask), [a for a in asked if a]


ARGMAX = ("torch.argmax", "mindspore.ops.argmax", "lost")
TRANSPOSE = ("torch.transpose", "mindspore.ops.swapaxes", "swap")
MINT = ("torch.argmax", "mindspore.mint.argmax", "lost")
ELSEWHERE = "the target runs on Ascend"
ON_ASCEND = [
    Verdict(*MINT, "`dim` is dropped", "untestable", "", ELSEWHERE),
    Verdict(*MINT, "`keepdim` is dropped", "untestable", "", ELSEWHERE),
]
EXCHANGED = "mindspore.ops.swapaxes gives the same with axis0 and axis1 exchanged"


def test_a_check_that_turns_red_catches_and_equivalents_never_run() -> None:
    right = "mindspore.ops.argmax(x, 1)"
    verdicts, asked = judge(
        "torch.argmax",
        "torch.transpose",
        answer=lambda job: "refuted" if job.mindspore == "mindspore.ops.argmax(x)" else "verified",
    )
    assert verdicts == [
        Verdict(*ARGMAX, "`dim` is dropped", "caught", "along-dim", "verified -> refuted"),
        Verdict(*ARGMAX, "`keepdim` is dropped", "survived", "", "no check changes"),
        *ON_ASCEND,
        Verdict(*TRANSPOSE, "`dim0` and `dim1` are exchanged", "equivalent", "", EXCHANGED),
    ]
    # Without evidence the checks run as they are first.
    unchanged = [right, "mindspore.ops.swapaxes(x, axis0=0, axis1=2)"]
    assert asked == [unchanged, ["mindspore.ops.argmax(x)"]]


def test_a_check_that_was_red_before_catches_nothing() -> None:
    verdicts, _ = judge("torch.argmax", answer=lambda job: "refuted")
    assert verdicts[0] == Verdict(
        *ARGMAX, "`dim` is dropped", "survived", "", "all 1 changed checks pass"
    )


def test_a_target_that_cannot_run_here_is_no_survivor() -> None:
    verdicts, _ = judge("torch.argmax", answer=lambda job: "untestable")
    why = "every check of the target is untestable here"
    assert verdicts == [
        Verdict(*ARGMAX, "`dim` is dropped", "untestable", "", why),
        Verdict(*ARGMAX, "`keepdim` is dropped", "untestable", "", why),
        *ON_ASCEND,
    ]


def test_a_check_that_can_no_longer_run_has_caught_something() -> None:
    verdicts, _ = judge(
        "torch.argmax",
        answer=lambda job: "untestable" if "1" not in job.mindspore else "verified",
    )
    caught = ("caught", "along-dim", "verified -> untestable")
    assert verdicts[0] == Verdict(*ARGMAX, "`dim` is dropped", *caught)


FALLS = """\
targets:
  - api: mindspore.ops.pad
    parameters:
      - torch: how
        mindspore: mode
        relation: value_transformed
        cases:
          - {when: tuple2, set: {mode: "({how[0]}, {how[1]})"}}
          - {when: "'wrap'", set: {mode: "'wrap'"}}
  - api: mindspore.mint.pad
checks:
  - {id: wraps, torch: "torch.pad(x, 'wrap')"}
inputs: {x: "float32[2]"}
"""


def test_a_port_that_falls_through_to_the_next_target_is_refused(tmp_path: Path) -> None:
    """What the next target gives says nothing of the mistake in this one."""
    made = base(
        tmp_path,
        [function("torch.pad", "(input: Tensor, how: str)")],
        [function("mindspore.ops.pad", "(input, mode=None)"),
         function("mindspore.mint.pad", "(input, how)")],
        ("torch.pad", FALLS),
    )  # fmt: skip
    written = {"torch.pad": load.read_record(tmp_path / "0.yaml").item}

    def ask(jobs: list[Job]) -> dict[tuple[str, str], str]:
        return {(job.owner, job.check): "verified" for job in jobs}

    found = verdicts.judge(made.records.values(), written, made, HERE, ask)
    change = "`how` becomes for tuple2 what it is for 'wrap', and the reverse"
    (verdict,) = (v for v in found if v.change == change)
    why = "the port is refused, and falls through to mindspore.mint.pad"
    assert verdict == Verdict(
        "torch.pad", "mindspore.ops.pad", "transform", change, "caught", "wraps", why
    )


PARTLY = """\
targets: [{api: mindspore.ops.flip}]
checks:
  - {id: runs, torch: "torch.flip(x)"}
  - {id: no-kernel, torch: "torch.flip(x, 1)"}
inputs: {x: "float32[2, 3]"}
"""


def test_a_mistake_that_only_checks_without_a_kernel_show_is_no_survivor(tmp_path: Path) -> None:
    made = base(
        tmp_path,
        [function("torch.flip", "(input: Tensor, dim: int = 0)")],
        [function("mindspore.ops.flip", "(input, dim=0)")],
        ("torch.flip", PARTLY),
    )
    written = {"torch.flip": load.read_record(tmp_path / "0.yaml").item}

    def ask(jobs: list[Job]) -> dict[tuple[str, str], str]:
        answers = {True: "untestable", False: "verified"}
        return {(job.owner, job.check): answers["1" in job.mindspore] for job in jobs}

    (verdict,) = verdicts.judge(made.records.values(), written, made, HERE, ask)
    why = "every check that it changes is untestable here"
    assert verdict == Verdict(
        "torch.flip", "mindspore.ops.flip", "lost", "`dim` is dropped", "untestable", "", why
    )


def msmap(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", *arguments, "--data", str(DATA)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.frameworks
def test_report() -> None:
    done = msmap("mutate", "--at-least", "80")
    assert (done.returncode, done.stderr, done.stdout.splitlines()) == (
        0,
        "",
        [
            "torch.argmax: 1/2 caught, 2 untestable",
            "  survived: mindspore.ops.argmax: `keepdim` is dropped: no check changes",
            "torch.sub: 3/3 caught",
            "torch.transpose: 0/0 caught, 1 equivalent",
            f"  equivalent: mindspore.ops.swapaxes: `dim0` and `dim1` are exchanged: {EXCHANGED}",
            "",
            "two parameters are exchanged: 1/1 caught, 1 equivalent",
            "an argument is dropped: 1/2 caught, 2 untestable",
            "the target is another API: 2/2 caught",
            f"{HERE}: 4/5 caught, 2 untestable, 1 equivalent, 80.0 %",
        ],
    )


@pytest.mark.frameworks
def test_report_as_json_and_too_few_caught() -> None:
    done = msmap("mutate", "torch.argmax", "--format", "json", "--at-least", "50.1")
    data = json.loads(done.stdout)
    counts = {"caught": 1, "survived": 1, "untestable": 2, "equivalent": 0}
    none = dict.fromkeys(counts, 0)
    assert (done.returncode, data) == (
        1,
        {
            "environment": HERE,
            "percent": 50.0,
            **counts,
            "kinds": dict.fromkeys(mutate.KINDS, none) | {"lost": counts},
            "records": {"torch.argmax": counts},
            "mutants": [
                asdict(
                    Verdict(
                        *ARGMAX, "`dim` is dropped", "caught", "along-dim", "verified -> refuted"
                    )
                ),
                asdict(
                    Verdict(*ARGMAX, "`keepdim` is dropped", "survived", "", "no check changes")
                ),
                *map(asdict, ON_ASCEND),
            ],
        },
    )


@pytest.mark.parametrize("command", [["mutate"], ["verify", "--mutate"]], ids=" ".join)
def test_a_record_that_is_not_there_is_named(command: list[str]) -> None:
    done = msmap(*command, "torch.nope")
    assert (done.returncode, done.stdout, done.stderr) == (
        1, "", "msmap: torch.nope is not known\n",
    )  # fmt: skip
