"""Names probed from end to end, by an executor that runs nothing: what runs, counts and is kept."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.builders.support import base, function, layer, method, named

from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.model import Finding
from msmap.probe import ranks, rounds, runs
from msmap.probe.bench import Bench
from msmap.probe.sample import Sample, Sampling
from msmap.probed import Cell, Difference, Probe, Tally
from msmap.verify.executors.executor import Todo

HERE = Environment("2.13.0", "2.10.0", "cpu", "here")
TORCH = [
    function("torch.mul", "(input, other, *, out=None)"),
    function("torch.cuda.init", "()"),
    named("torch.int8", "dtype"),
    function("torch.nowhere", "(input)"),
    layer("torch.Size", "(values)"),
]
MINDSPORE = [
    function("mindspore.mint.mul", "(input, other)"),
    function("mindspore.ops.mul", "(input, other)"),
    function("mindspore.numpy.mul", "(x1, x2)"),
    layer("mindspore.Size", "(values)"),
]

Judge = Callable[[Mapping[str, Any]], Finding]


class Oracle:
    """An executor that says of each run what a function says, and remembers what ran."""

    environments = (HERE,)
    width = 1

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.ran: list[list[str]] = []

    def run(self, todo: Todo) -> Generator[tuple[Environment, Line], None, None]:
        for environment, jobs in todo.items():
            for job in jobs:
                self.ran.append([run["name"] for run in job.variants])
                found = {run["name"]: self.judge(run) for run in job.variants}
                line = Line(job.owner, job.check, "", "verified", variants=found)
                yield environment, line


def sample(number: int, **changes: Any) -> Sample:
    plain: dict[str, Any] = {
        "name": "torch.mul", "id": f"op-{number}", "origin": "op", "dtype": "float32",
        "torch": "torch.mul(input, other)", "kinds": ("plain",), "gradient": True,
        "inputs": {"input": {"shape": [number]}, "other": {"shape": [number]}},
    }  # fmt: skip
    return Sample(**plain | changes)


def probed(
    folder: Path, judge: Judge, samples: Sequence[Sample], *names: str
) -> tuple[dict[str, Probe], list[list[str]]]:
    bench = Bench(base(folder, TORCH, MINDSPORE))
    oracle = Oracle(judge)

    def sampler(wanted: Sequence[str]) -> dict[str, Sampling]:
        return {n: Sampling(n, tuple(s for s in samples if s.name == n)) for n in wanted}

    found = rounds.probe(bench, names or ("torch.mul",), sampler, oracle, HERE, 3)
    return {probe.name: probe for probe in found}, oracle.ran


def by_code(outcomes: Mapping[str, Finding]) -> Judge:
    """What is said of code that has a word in it; else it agrees."""
    return lambda run: next(
        (f for word, f in outcomes.items() if word in run["mindspore"]), Finding("agrees")
    )


def test_all_candidates_get_a_handful_and_only_good_ones_all(tmp_path: Path) -> None:
    samples = [sample(number) for number in range(2 * runs.HANDFUL)]
    judge = by_code({"numpy": Finding("differs", "1 of 2 values, by about 3")})
    found, ran = probed(tmp_path, judge, samples)
    few = [f"op-{2 * number}" for number in range(runs.HANDFUL)]
    others = [s.id for s in samples if s.id not in few]
    assert ran == [
        [f"{key}/{name}" for name in few for key in (0, 1, 2)],
        [f"{key}/{name}" for name in others for key in (0, 1)],
    ]
    assert [(c.key, c.values, c.gradients) for c in found["torch.mul"].candidates] == [
        ("mindspore.mint.mul", Tally(16, 16), Tally(16, 16)),
        ("mindspore.ops.mul", Tally(16, 16), Tally(16, 16)),
        ("mindspore.numpy.mul", Tally(0, 8), Tally()),
    ]


def test_where_nothing_agrees_the_likeliest_get_all(tmp_path: Path) -> None:
    samples = [sample(number) for number in range(runs.HANDFUL + 1)]
    _, ran = probed(tmp_path, lambda run: Finding("raises", "TypeError: no"), samples)
    assert ran[1] == ["0/op-8", "1/op-8"]


@pytest.mark.parametrize(("limit", "sizes"), [(3, [4, 1]), (6, [2, 2, 1]), (120, [1] * 5)])
def test_the_more_samples_the_fewer_names_together(
    limit: int, sizes: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that what was found is kept before many names have had their second round."""
    monkeypatch.setattr(rounds, "BUNDLE", 4)
    names = [f"torch.f{number}" for number in range(5)]
    here = [function(name, "(input)") for name in names]
    there = [function(name.replace("torch", "mindspore.ops"), "(input)") for name in names]
    together: list[int] = []

    def sampler(wanted: Sequence[str]) -> dict[str, Sampling]:
        together.append(len(wanted))
        made = {n: sample(1, name=n, torch=f"{n}(input)") for n in wanted}
        return {n: Sampling(n, (made[n],)) for n in wanted}

    bench = Bench(base(tmp_path, here, there))
    oracle = Oracle(lambda run: Finding("agrees"))
    found = [p.name for p in rounds.probe(bench, names, sampler, oracle, HERE, limit)]
    assert (found, together) == (names, sizes)


def test_a_name_is_there_before_others_of_its_bundle_have_run(tmp_path: Path) -> None:
    here = [function(f"torch.f{number}", "(input)") for number in range(2)]
    there = [function(f"mindspore.ops.f{number}", "(input)") for number in range(2)]
    names = [api.name for api in here]
    many = {
        name: tuple(sample(n, name=name, torch=f"{name}(input)") for n in range(runs.HANDFUL + 1))
        for name in names
    }
    bench = Bench(base(tmp_path, here, there))
    oracle = Oracle(lambda run: Finding("agrees"))
    found = rounds.probe(
        bench, names, lambda wanted: {n: Sampling(n, many[n]) for n in wanted}, oracle, HERE, 3
    )
    # Two first rounds, and one second.
    assert (next(found).name, len(oracle.ran)) == ("torch.f0", 3)


def test_what_differs_alike_is_one_group_with_its_shortest_sample(tmp_path: Path) -> None:
    samples = [sample(3), sample(1), sample(2, dtype="int64", kinds=("empty",)), sample(4)]

    def judge(run: Mapping[str, Any]) -> Finding:
        number = run["inputs"]["input"]["shape"][0]
        if number == 4:
            return Finding("gradient_raises", "RuntimeError: no gradient")
        message = f"{number} of 6 values, by about {number}"
        return Finding("differs", message, torch_gave="1.0", mindspore_gave=f"{number}")

    found, _ = probed(tmp_path, judge, samples)
    best = found["torch.mul"].best
    assert best is not None
    assert (best.values, best.gradients) == (Tally(1, 4), Tally(0, 1))
    assert best.dtypes == {"float32": Tally(1, 3), "int64": Tally(0, 1)}
    assert best.kinds == {"empty": Tally(0, 1), "plain": Tally(1, 3)}
    assert best.differences == (
        Difference(
            outcome="differs",
            count=3,
            message="1 of 6 values, by about 1",
            dtypes=("float32", "int64"),
            kinds=("empty", "plain"),
            sample="op-1",
            torch="torch.mul(input, other)",
            mindspore="mindspore.mint.mul(input, other)",
            inputs={"input": {"shape": [1]}, "other": {"shape": [1]}},
            torch_gave="1.0",
            mindspore_gave="1",
        ),
        Difference(
            outcome="gradient_raises",
            count=1,
            message="RuntimeError: no gradient",
            dtypes=("float32",),
            kinds=("plain",),
            sample="op-4",
            torch="torch.mul(input, other)",
            mindspore="mindspore.mint.mul(input, other)",
            inputs={"input": {"shape": [4]}, "other": {"shape": [4]}},
        ),
    )


# what a run gave -> what it counts as: values, gradients, differences
COUNTED: dict[str, tuple[Finding, Tally, Tally, list[str]]] = {
    "agreement": (Finding("agrees"), Tally(1, 1), Tally(1, 1), []),
    "no gradient to compare": (Finding("forward"), Tally(1, 1), Tally(), []),
    "another gradient": (
        Finding("gradient_differs", "values"), Tally(1, 1), Tally(0, 1), ["gradient_differs"],
    ),
    "no effect on the input": (Finding("in_place"), Tally(1, 1), Tally(), ["in_place"]),
    "a crash": (
        Finding("inconclusive", "the process crashed: SIGSEGV"), Tally(0, 1), Tally(), ["crash"],
    ),
    "a hang": (Finding("inconclusive", "no end within 30 s"), Tally(0, 1), Tally(), ["timeout"]),
    "an error of the check": (
        Finding("inconclusive", "the check itself: E"), Tally(0, 1), Tally(), ["inconclusive"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("finding", "values", "gradients", "outcomes"), COUNTED.values(), ids=COUNTED.keys()
)
def test_what_a_run_counts_as(
    finding: Finding, values: Tally, gradients: Tally, outcomes: list[str], tmp_path: Path
) -> None:
    found, _ = probed(tmp_path, lambda run: finding, [sample(1)])
    best = found["torch.mul"].best
    assert best is not None
    assert (best.values, best.gradients) == (values, gradients)
    assert [difference.outcome for difference in best.differences] == outcomes


def test_a_sample_of_which_pytorch_gives_nothing_counts_nowhere(tmp_path: Path) -> None:
    judge = lambda run: Finding("torch" if run["name"].endswith("op-1") else "agrees")  # noqa: E731
    found, _ = probed(tmp_path, judge, [sample(1), sample(2)])
    probe = found["torch.mul"]
    assert probe.samples == {"op": 1}
    assert [c.values for c in probe.candidates] == [Tally(1, 1)] * 3


def test_a_call_that_no_signature_takes_is_a_gap(tmp_path: Path) -> None:
    strange = sample(1, torch="torch.mul(input, other, strange=1)")
    found, _ = probed(tmp_path, lambda run: Finding("agrees"), [strange, sample(2)])
    probe = found["torch.mul"]
    assert (probe.samples, probe.gaps) == ({"op": 1}, {"signature": 1})
    found, _ = probed(tmp_path, lambda run: Finding("agrees"), [strange])
    assert found["torch.mul"].reason == "no_samples"


def test_what_differs_in_its_dtype_alone_is_better_than_what_raises(tmp_path: Path) -> None:
    judge = by_code(
        {"numpy": Finding("differs", "dtype int64 and int32"), "mul": Finding("raises", "no")}
    )
    found, _ = probed(tmp_path, judge, [sample(1)])
    assert found["torch.mul"].candidates[0].key == "mindspore.numpy.mul"


def test_of_equals_mindspores_own_is_best(tmp_path: Path) -> None:
    """Wherever a copy of another library is documented to run."""
    copy = replace(MINDSPORE[2], platforms=("Ascend", "GPU", "CPU"))
    bench = Bench(base(tmp_path, TORCH, [copy, replace(MINDSPORE[1], platforms=("CPU",))]))
    assert best(bench) == ["mindspore.ops.mul", "mindspore.numpy.mul"]


def test_of_equals_the_same_form_is_best(tmp_path: Path) -> None:
    names = [function("mindspore.ops.mul_", "(input, other)"), MINDSPORE[1]]
    assert best(Bench(base(tmp_path, TORCH, names))) == ["mindspore.ops.mul", "mindspore.ops.mul_"]


def best(bench: Bench) -> list[str]:
    """The candidates of torch.mul where all agree, best first."""
    oracle = Oracle(lambda run: Finding("agrees"))
    sampling = Sampling("torch.mul", (sample(1),))
    (probe,) = rounds.probe(bench, ["torch.mul"], lambda n: {n[0]: sampling}, oracle, HERE, 3)
    return [candidate.key for candidate in probe.candidates]


def test_inputs_that_raise_count_apart(tmp_path: Path) -> None:
    bad = [sample(7, raises=True), sample(8, raises=True)]
    judge = lambda run: Finding(  # noqa: E731
        "accepts" if run["name"].endswith("op-8") else "agrees", mindspore_gave="[1.0]"
    )
    found, _ = probed(tmp_path, judge, [sample(1), *bad])
    best = found["torch.mul"].best
    assert best is not None
    assert (best.values, best.errors) == (Tally(1, 1), Tally(1, 2))
    assert [(d.outcome, d.mindspore_gave) for d in best.differences] == [("accepts", "[1.0]")]


def test_what_cannot_be_written_is_not_run(tmp_path: Path) -> None:
    given = sample(1, torch="torch.mul(input, other, out=other)")
    found, ran = probed(tmp_path, lambda run: Finding("agrees"), [given])
    best = found["torch.mul"].best
    assert best is not None
    assert (ran, best.values, found["torch.mul"].reason) == ([], Tally(0, 1), "no_port")
    assert [(d.outcome, d.message, d.mindspore) for d in best.differences] == [
        (
            "refused",
            "torch.mul: `out=other`: `out` has no counterpart in MindSpore",
            "",
        )
    ]


def test_a_name_of_which_nothing_is_run_says_why(tmp_path: Path) -> None:
    names = ("torch.cuda.init", "torch.int8", "torch.nowhere", "torch.Size")
    found, ran = probed(tmp_path, lambda run: Finding("agrees"), [], *names)
    said = {name: (p.reason, [c.key for c in p.candidates]) for name, p in found.items()}
    assert said == {
        "torch.cuda.init": ("accelerator", []),
        "torch.int8": ("constant", []),
        "torch.nowhere": ("no_candidate", []),
        "torch.Size": ("no_samples", ["mindspore.Size"]),
    }
    assert ran == []


def test_what_its_record_answers_is_probed_where_it_could_be_run(tmp_path: Path) -> None:
    missing = "missing: {en: Nothing., zh: 没有。}\n"
    written = [(name, missing) for name in ("torch.cuda.init", "torch.int8", "torch.nowhere")]
    carried = ("torch.mul", "targets: [{api: mindspore.mint.mul}]\n")
    told = Bench(base(tmp_path, TORCH, MINDSPORE, *written, carried))
    assert Bench(base(tmp_path, TORCH, MINDSPORE)).names() == [api.name for api in TORCH]
    assert told.names() == ["torch.mul", "torch.Size"]
    # What tables pair with a name is run, whatever its record says.
    near = Bench(base(tmp_path, TORCH, MINDSPORE, ("torch.mul", missing)))
    assert "torch.mul" in near.names()


def test_the_hash_follows_all_that_decides_a_run(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, TORCH, MINDSPORE))
    fewer = Bench(base(tmp_path, TORCH, MINDSPORE[1:]))
    prepared = bench.prepare("torch.mul")
    hashes = [
        bench.hash(prepared, 3),
        bench.hash(prepared, 5),
        fewer.hash(fewer.prepare("torch.mul"), 3),
    ]
    assert bench.hash(bench.prepare("torch.mul"), 3) == hashes[0]
    assert len(set(hashes)) == 3


# messages -> what they have in common
WAYS: dict[str, tuple[Finding, str]] = {
    "how many values, and by how much": (
        Finding("differs", "2 of 6 values, by about 0.1"), "values",
    ),
    "values that aren't finite": (
        Finding("differs", "1 of 6 values, 1 of them nan or inf on one side"), "nan or inf",
    ),
    "rounding is no wrong value": (
        Finding("differs", "values, by less than 0.001 of the largest"), "by less than",
    ),
    "a layer that rounds in one mode and is wrong in the other": (
        Finding("differs", "train: values, by less than 0.001 of the largest; eval: 1 of 6 values"),
        "by less than values",
    ),
    "kinds of dtypes stay": (Finding("differs", "dtype uint8 and bfloat16"), "dtype int float"),
    "another dtype has other values": (
        Finding("differs", "1 of 2 values, by about 1; dtype int64 and int32 at [1]"),
        "dtype int int",
    ),
    "shapes go": (Finding("differs", "shape (2, 3) and (3,)"), "shape"),
    "places go": (Finding("differs", "values at [0]; values at [1]"), "values"),
    "figures and dtypes of errors go": (
        Finding("raises", "ValueError: got 3 of BFloat16, not int8 in (2, 3)"),
        "ValueError: got # of #, not # in ",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("finding", "wanted"), WAYS.values(), ids=WAYS.keys())
def test_what_groups_differences(finding: Finding, wanted: str) -> None:
    assert ranks.way(finding) == wanted


def test_a_name_alone_is_kept_of_candidates_behind_the_first_three(tmp_path: Path) -> None:
    more = [function(f"mindspore.{room}.mul", "(input, y)") for room in ("ops", "Tensor", "numpy")]
    bench = Bench(base(tmp_path, TORCH, [*MINDSPORE, *more, function("mindspore.mul", "(x, y)")]))
    prepared = bench.prepare("torch.mul")
    key = "mindspore.mul"
    assert (prepared.kept(key, whole=False), prepared.kept(key, whole=True)) == (
        {"api": key},
        {
            "api": key,
            "parameters": [
                {"torch": "input", "mindspore": "x", "relation": "renamed"},
                {"torch": "other", "mindspore": "y", "relation": "renamed"},
            ],
        },
    )


OWN = """
targets:
  - api: mindspore.mint.mul
    parameters:
      - torch: scale
        relation: source_only_unsupported
        allow: ["1"]
  - api: mindspore.ops.mul
    parameters:
      - {torch: scale, mindspore: factor, relation: renamed}
"""


def test_a_record_learns_which_samples_its_own_port_gets_wrong(tmp_path: Path) -> None:
    torch = [
        function("torch.mul", "(input, other, scale=1)"),
        method("torch.Tensor.clone", "() -> Tensor"),
    ]
    mindspore = [
        function("mindspore.mint.mul", "(input, other)"),
        function("mindspore.ops.mul", "(input, other, factor=1)"),
        method("mindspore.Tensor.clone", "() -> Tensor"),
    ]
    samples = [
        sample(1),
        sample(2),
        sample(3, dtype="int64", kinds=("empty",)),
        sample(4, torch="torch.mul(input, other, scale=1)"),
        sample(5, torch="torch.mul(input, other, 2)"),
        # That nothing proves what the input is doesn't concern the call.
        sample(6, dtype="int64", torch="x = x.clone()\ntorch.mul(x, other)"),
    ]
    clone = "targets: [{api: mindspore.Tensor.clone}]\n"
    written = (("torch.mul", OWN), ("torch.Tensor.clone", clone))
    bench = Bench(base(tmp_path, torch, mindspore, *written))
    oracle = Oracle(lambda run: Finding("differs", "1 of 2 values, by about 3"))
    (found,) = rounds.probe(
        bench, ["torch.mul"], lambda names: {"torch.mul": Sampling("torch.mul", tuple(samples))},
        oracle, HERE, 3,
    )  # fmt: skip
    told = {
        (candidate.key, difference.outcome): difference.cells
        for candidate in found.candidates
        if candidate.found == "record"
        for difference in candidate.differences
    }
    assert told == {
        ("mindspore.mint.mul", "differs"): (
            Cell("float32", ("plain",), (), 2),
            Cell("float32", ("plain",), ("scale",), 1),
            Cell("int64", ("empty",), (), 1),
            Cell("int64", ("plain",), (), 1),
        ),
        # Another target of the record takes it.
        ("mindspore.mint.mul", "refused"): (),
        ("mindspore.ops.mul", "differs"): (Cell("float32", ("plain",), ("scale",), 1),),
    }


# What MindSpore's documentation gives two names, and what runs beside what is kept of them.
@pytest.mark.parametrize(
    ("origin", "changed", "ran"),
    [
        ("op", "", []),
        # Examples that none became a sample: only their digest is taken in.
        ("op", "now", []),
        ("mindspore", "now", ["torch.f0"]),
    ],
)
def test_examples_run_a_name_again_if_it_gains_samples_of_them(
    origin: str, changed: str, ran: list[str], tmp_path: Path
) -> None:
    names = ["torch.f0"]
    here = [function(name, "(input)") for name in names]
    there = [function("mindspore.ops.f0", "(input)")]
    bench = Bench(base(tmp_path, here, there))

    def run(origin: str, digest: str, kept: Mapping[str, Probe]) -> tuple[Probe, list[str]]:
        oracle = Oracle(lambda run: Finding("agrees"))

        def sampler(wanted: Sequence[str]) -> dict[str, Sampling]:
            made = {n: sample(1, name=n, torch=f"{n}(input)", origin=origin) for n in wanted}
            return {n: Sampling(n, (made[n],)) for n in wanted}

        (found,) = rounds.probe(
            bench, names, sampler, oracle, HERE, 3, lambda prepared: digest, kept
        )
        return found, [found.name] if oracle.ran else []

    before, _ = run("op", "", {})
    after, again = run(origin, changed, {"torch.f0": before})
    if origin == "op" and not changed:
        # Nothing calls for it, so `msmap probe` wouldn't even ask.
        prepared = bench.prepare("torch.f0")
        assert rounds.Mark.of(before) == rounds.mark(bench, prepared, 3, lambda p: "")
    assert (again, after.examples) == (ran, changed)
    assert (after == replace(before, examples=changed)) is (origin == "op")
