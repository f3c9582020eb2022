"""Which calls a caveat bites, by what is written of it and by what follows from the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import support
from tests.builders.support import function, method

from msmap.port.rewrite import rewriter

RECORD = """
targets:
  - api: mindspore.f
    parameters:
      - {{torch: {torch}, mindspore: {mindspore}, relation: {relation}}}
caveats:
  - {{id: bites, impact: {impact}, text: {{en: Look out., zh: 注意。}}, {more}}}
"""
BEFORE = 2
SHOWN = "shown_by: [c]"


def record(relation: str, torch: str, mindspore: str, more: str, impact: str = "silent") -> str:
    """A record with one caveat."""
    more = more if "variants" in more or more == SHOWN else f"{more}, {SHOWN}"
    return RECORD.format(
        relation=relation, torch=torch, mindspore=mindspore, more=more, impact=impact
    )


def bitten(tmp_path: Path, code: str, more: str, impact: str = "silent") -> list[str]:
    """What of the code triggers the caveat; in parentheses if the port sees to it."""
    base = support.base(
        tmp_path,
        [function("torch.f", "(input, dim=None, keepdim=False, rate=0.5) -> Tensor"),
         method("torch.Tensor.g_", "() -> Tensor"), method("torch.Tensor.t", "() -> Tensor"),
         function("torch.compile", "(x)")],
        [function("mindspore.f", "(input, dim=None, keepdim=False, rate=0.1)")],
        ("torch.f", record("default_differs", "rate", "rate", more, impact)),
        ("torch.Tensor.g_", record("renamed", "self", "input", more.replace("dim", "self"))),
    )  # fmt: skip
    work = rewriter(f"import torch\nx = torch.f(y)\n{code}", base)
    return [
        f"({work.source.text(node)})" if bite.mended else work.source.text(node)
        for node, (_, found) in work.bites.items()
        if work.source.place(work.source.span(node)[0])[0] > BEFORE
        for bite in found
    ]


CASES = {
    "each call": ("torch.f(x)\ntorch.f(x, 1)", SHOWN, ["torch.f(x)", "torch.f(x, 1)"]),
    "given": ("torch.f(x)\ntorch.f(x, 1)", "when: {given: [dim]}", ["torch.f(x, 1)"]),
    "omitted": ("torch.f(x)\ntorch.f(x, 1)", "when: {omitted: [dim]}", ["torch.f(x)"]),
    "by position": (
        "torch.f(x, 1)\ntorch.f(x, dim=1)", "when: {position: [dim]}", ["torch.f(x, 1)"],
    ),
    "a value": (
        "torch.f(x, keepdim=True)\ntorch.f(x, keepdim=k)\ntorch.f(x)",
        "when: {values: {keepdim: 'True'}}",
        ["torch.f(x, keepdim=True)"],
    ),
    "a default": ("torch.f(x)", "when: {values: {keepdim: 'False'}}", ["torch.f(x)"]),
    "all must hold": (
        "torch.f(x, 1, True)\ntorch.f(x, keepdim=True)",
        "when: {omitted: [dim], values: {keepdim: 'True'}}",
        ["torch.f(x, keepdim=True)"],
    ),
    "no mode is set": ("torch.f(x)", "when: mode", ["torch.f(x)"]),
    "a mode is set": ("net.train()\ntorch.f(x)", "when: mode", []),
    "nothing is compiled": ("torch.f(x)", "when: graph", []),
    "compiled": ("torch.compile(h)\ntorch.f(x)", "when: graph", ["torch.f(x)"]),
    "written to": (
        "torch.f(x)[0] = 1\ntorch.f(x)[0] += 1\ntorch.f(x).g_()\ny = torch.f(x)",
        "when: written",
        ["torch.f(x)"] * 3,
    ),
    "on a part": (
        "x.g_()\nx[0].g_()\nx.t().g_()\nabs(x).g_()", "when: view",
        ["x[0].g_()", "x.t().g_()"],
    ),
    "each call differs": ("torch.f(x)\ntorch.f(x, 1)", "when: always",
                          ["torch.f(x)", "torch.f(x, 1)"]),
    "anything but some values": (
        "torch.f(x, rate=1)\ntorch.f(x, rate=2)\ntorch.f(x, rate=2.0)\ntorch.f(x, rate=r)",
        "when: {given: [rate], values: {rate: not 2|2.0}}",
        ["torch.f(x, rate=1)", "torch.f(x, rate=r)"],
    ),
    "written to while gradients are taken": (
        "def g():\n    torch.f(x)[0] = 1\n"
        "def __init__():\n    torch.f(x)[1] = 1\n"
        "@torch.no_grad()\ndef h():\n    torch.f(x)[2] = 1\n"
        "def k():\n    with torch.no_grad():\n        torch.f(x)[3] = 1\n    torch.f(x, 1)[4] = 1\n"
        "torch.f(x, 2)[5] = 1",
        "when: differentiated",
        ["torch.f(x)", "torch.f(x, 1)"],
    ),
    "by inputs": ("torch.f(x)", "when: inputs", []),
    "elsewhere": ("torch.f(x)", "when: elsewhere", []),
    "the port sees to it": ("torch.f(x)", "when: by_hand", ["(torch.f(x))"]),
    "a default that the port writes out": (
        "torch.f(x)\ntorch.f(x, rate=1)", "parameter: rate", ["(torch.f(x))"],
    ),
    "shown by other inputs": ("torch.f(x)", "variants: [float64]", []),
    "shown by the import alone": (
        "torch.f(x)", "variants: [import-only]", ["(torch.f(x))"],
    ),
    "shown by graph mode": ("torch.f(x)", "variants: [graph]", []),
    "another target's": ("torch.f(x)", "target: mindspore.other", []),
}  # fmt: skip


@pytest.mark.parametrize(("code", "more", "expected"), CASES.values(), ids=CASES)
def test_a_caveat_bites(tmp_path: Path, code: str, more: str, expected: list[str]) -> None:
    assert bitten(tmp_path, code, more) == expected


def test_what_raises_shows_itself(tmp_path: Path) -> None:
    found = [bitten(tmp_path, "torch.f(x, 1)", more, "error") for more in (SHOWN, "when: call")]
    assert found == [[], ["torch.f(x, 1)"]]
