"""What probing found, joined with the signatures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders import probing, support

from msmap.assemble import probes
from msmap.evidence import probes as files
from msmap.probed import Candidate, Probe
from msmap.problems import DataError

TORCH = [
    support.function("torch.mul", "(input, other, *, out=None)"),
    support.method("torch.Tensor.mul_", "(other)"),
    support.function("torch.new", "(x)"),
]
MINDSPORE = [
    support.function("mindspore.ops.mul", "(x, other=1)"),
    support.function("mindspore.mint.mul", "(input, other)"),
]


@pytest.fixture
def joining() -> probes.Joining:
    """Joins with two small releases."""
    return probes.Joining(
        support.signatures("torch", TORCH), support.signatures("mindspore", MINDSPORE)
    )


def line(probe: Probe) -> probes.Line:
    """What a file says of a name."""
    return probes.Line(Path(f"{probing.ENVIRONMENT}.jsonl"), 7, files.line(probe).encode())


ABSENT = ("out", "universal_absent")
MINT = {"api": "mindspore.mint.mul"}
RENAMED = {"torch": "input", "mindspore": "x", "relation": "renamed"}


@pytest.mark.parametrize(
    ("torch", "target", "paired"),
    [
        ("torch.mul", MINT, [("input", "input", "same"), ("other", "other", "same"), ABSENT]),
        (
            "torch.mul",
            {"api": "mindspore.ops.mul", "parameters": [RENAMED]},
            [("input", "x", "renamed"), ("other", "other", "same"), ABSENT],
        ),
        (
            "torch.mul",
            {"id": "twice", "expression": "{input} * 2 + {other}"},
            [("input", "input", "same"), ("other", "other", "same"), ABSENT],
        ),
        ("torch.Tensor.mul_", MINT, [("self", "input", "same"), ("other", "other", "reordered")]),
    ],
)
def test_parameters_pair_as_the_signatures_and_the_probe_say(
    torch: str, target: dict[str, Any], paired: list[tuple[str, ...]], joining: probes.Joining
) -> None:
    probe = joining.probe(line(Probe(torch, "0", candidates=(Candidate(target, "form"),))))
    made = probe.candidates[0].target
    assert made is not None
    assert [(*p.torch, *p.mindspore, p.relation) for p in made.parameters] == paired


def test_what_was_not_run_stands_there_by_name(joining: probes.Joining) -> None:
    """An expression that nothing is kept of but its id has none, unless something ran."""
    targets = ({"api": "mindspore.ops.mul"}, {"id": "twice"})
    candidates = tuple(Candidate(target, "form") for target in targets)
    found = joining.probe(line(Probe("torch.mul", "0", "service", candidates=candidates)))
    assert [(c.mindspore, c.target) for c in found.candidates] == [("mindspore.ops.mul", None)]
    tried = tuple(Candidate({"api": "mindspore.mint.mul"}, "form") for _ in range(3))
    found = joining.probe(line(Probe("torch.mul", "0", candidates=(*tried, *candidates))))
    assert [c.mindspore for c in found.candidates[3:]] == ["mindspore.ops.mul", "twice"]


def test_a_target_is_made_as_that_of_a_record(joining: probes.Joining) -> None:
    said = Candidate({"api": "mindspore.mint.mul"}, "form")
    made = joining.probe(line(Probe("torch.mul", "0", candidates=(said,))))
    target = made.candidates[0].target
    assert target is not None
    assert (made.torch, made.kind, target.category, target.signatures) == (
        "torch.mul", "function", "identical", ("(input, other)",),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{", "not a probe (Expecting property name enclosed in double quotes: line 1 column 2"
               " (char 1))"),
        (b'{"name":"torch.mul"}', "not a probe (__init__() missing 1 required positional argument:"
                                  " 'hash')"),
        (b'{"name":"torch.mul","hash":"0","candidates":[{"target":{},"found":"form"}]}',
         "torch.mul: no target ((): Value error, a target has exactly one of api, expression,"
         " remove)"),
    ],
)  # fmt: skip
def test_what_is_no_probe_is_said_with_its_place(
    text: bytes, said: str, joining: probes.Joining
) -> None:
    with pytest.raises(DataError) as caught:
        joining.probe(probes.Line(Path("here.jsonl"), 7, text))
    (problem,) = caught.value.problems
    message = problem.message.replace("Probe.__init__", "__init__")
    assert (problem.path, problem.line, message) == (Path("here.jsonl"), 7, said)
