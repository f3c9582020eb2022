"""f-strings: what stands in them is ported where its place is told, and nothing else of them is."""

from __future__ import annotations

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("strings"))


IMPORTS = "import torch\nfrom torch.nn import functional as F\nx = torch.ones(3)\n"


@pytest.mark.parametrize(
    "code",
    [
        'f"{x.«sum|t_sum»()} of {x.«size|t_size»(0):>{n}}"',
        "f'{{x}} {«torch.zeros(3)|mindspore.zeros(3)»!r}{x!s:>3}'",
        'f"{F.relu}" + f"{«F.relu(x)|mindspore.relu(x)»:{x.«size|t_size»(0)}}"',
        '"{x}" f"{x.«sum|t_sum»()}" \'{\' rf"\\d{x.«sum|t_sum»()}\\{x.«max|t_max»()}"',
        'f"\\N{EM DASH}{x.«sum|t_sum»()} é \\" {x.«max|t_max»()}"',
        'f"""{x\n  .«sum|t_sum»()} and\n {x.«max|t_max»()}"""',
        "print(f\"{d['}']} {x.«sum|t_sum»()}\", «torch.zeros(3)|mindspore.zeros(3)»)",
        'f"{x.«sum|t_sum»() != 3} {n:%H:%M} {n != 3!r}"',
        'f"{x.«sum|t_sum»().«item|t_item»():.3f}, {strange(x)}"',
    ],
)
def test_what_stands_in_an_f_string_is_ported(code: str, facts: Base) -> None:
    whole = IMPORTS.replace("torch.ones(3)", "«torch.ones(3)|mindspore.ones(3)»") + code + "\n"
    whole = whole.replace("{F.relu}", "{«F.relu|mindspore.relu»}")
    assert marked.ported(whole, facts) == marked.expected(whole)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ('f"{x.sum()=}"', "x.sum inside an f-string: move it out of the string"),
        ('f"{torch.strange(x)}"', "torch.strange is no name of PyTorch that msmap knows"),
    ],
)
def test_what_stays_in_an_f_string_is_told(code: str, reason: str, facts: Base) -> None:
    done = rewrite(IMPORTS + code, facts, imports=False)
    assert (done.code or "").endswith(code)
    assert [r.reason.en for r in done.refusals if "F.relu" not in r.source] == [reason]
