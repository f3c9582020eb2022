"""Code ported by what probing found, where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from msmap.candidates import Probe
from msmap.model import Text
from msmap.probed import Difference
from msmap.query.base import porting
from msmap.query.knowledge_base import KnowledgeBase

RELU = Text(
    "torch.relu: probed, not curated: 43 of 48 samples agree with mindspore.ops.relu",
    "torch.relu：由运行得出，未经人工整理：mindspore.ops.relu 在 48 个样例中有 43 个一致",
)
SOFTMAX = Text(
    "torch.nn.Softmax: probed, not curated: 8 of 8 samples agree with mindspore.nn.Softmax",
    "torch.nn.Softmax：由运行得出，未经人工整理：mindspore.nn.Softmax 在 8 个样例中有 8 个一致",
)


@pytest.fixture
def kb(probed: Path) -> Iterator[KnowledgeBase]:
    """The knowledge base with probes."""
    with KnowledgeBase.open(probed) as found:
        yield found


@pytest.mark.parametrize(
    ("code", "ported", "notes", "basis"),
    [
        ("torch.relu(x)", "mindspore.ops.relu(x)", (RELU,), {"torch.relu": "probed"}),
        (
            "torch.relu(torch.relu(torch.cat([x])))",
            "mindspore.ops.relu(mindspore.ops.relu(mindspore.mint.cat([x])))",
            (RELU,),
            {"torch.cat": "curated", "torch.relu": "probed"},
        ),
        (
            "nn.Softmax(dim=1)(torch.relu(x))",
            "from mindspore import nn, ops\nnn.Softmax(axis=1)(ops.relu(x))",
            (SOFTMAX, RELU),
            {"torch.nn.Softmax": "probed", "torch.relu": "probed"},
        ),
        (
            "class Net(torch.nn.Softmax): pass",
            "class Net(mindspore.nn.Softmax): pass",
            (SOFTMAX,),
            {"torch.nn.Softmax": "probed"},
        ),
        ("torch.cat([x])", "mindspore.mint.cat([x])", (), {"torch.cat": "curated"}),
    ],
)
def test_each_use_of_a_probe_is_marked(
    code: str, ported: str, notes: tuple[Text, ...], basis: dict[str, str], kb: KnowledgeBase
) -> None:
    code = "import torch\nfrom torch import nn\n" * code.startswith("nn.") + code
    done = kb.port(code, probed=True)
    assert (done.code or "").endswith(ported)
    assert (done.notes, done.basis) == (notes, basis)
    assert porting.attempt(kb, code, probed=True) == done


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "torch.tanh(x)",
            Text(
                "torch.tanh is known, but has no record yet; a probe found none of 6 samples to"
                " agree with mindspore.ops.tanh",
                "torch.tanh 已知，但尚无记录；探测发现 mindspore.ops.tanh 在 6 个样例中均不一致",
            ),
        ),
        (
            "torch.nn.functional.dropout(x)",
            Text(
                "torch.nn.functional.dropout is known, but has no record yet; a probe ran nothing:"
                " no inputs are known that it takes",
                "torch.nn.functional.dropout 已知，但尚无记录；探测未运行任何候选："
                "没有已知的可用输入",
            ),
        ),
        (
            "torch.nn.ReLU()",
            Text("torch.nn.ReLU is known, but has no record yet", "torch.nn.ReLU 已知，但尚无记录"),
        ),
    ],
)
def test_what_never_agreed_or_ran_ports_nothing_and_says_what_the_probe_found(
    code: str, reason: Text, kb: KnowledgeBase
) -> None:
    assert [r.reason for r in kb.port(code, probed=True).refusals] == [reason]


def test_of_what_never_agreed_the_most_frequent_difference_is_told(kb: KnowledgeBase) -> None:
    tanh = kb.probe("torch.tanh")
    differences = (
        Difference("raises", 1, "TypeError: none"), Difference("differs", 5, "3 of 6 values"),
    )  # fmt: skip
    seen = replace(tanh, candidates=(replace(tanh.candidates[0], differences=differences),))
    facts = porting.WithProbes(cast(KnowledgeBase, _Seeing(kb, seen)))
    assert facts.unrecorded("torch.tanh") == Text(
        "a probe found none of 6 samples to agree with mindspore.ops.tanh: results differ,"
        " 3 of 6 values",
        "探测发现 mindspore.ops.tanh 在 6 个样例中均不一致：结果不一致，3 of 6 values",
    )


class _Seeing:
    """A base with one probe, all else as another's."""

    def __init__(self, kb: KnowledgeBase, seen: Probe) -> None:
        self._kb, self._seen = kb, seen

    def __getattr__(self, name: str) -> object:
        return getattr(self._kb, name)

    def tried(self, name: str) -> Probe:
        return self._seen


def test_nothing_is_ported_so_unless_it_is_asked_for(kb: KnowledgeBase) -> None:
    done = kb.port("torch.relu(x); torch.cat([x])")
    assert ([r.kind for r in done.refusals], done.basis) == (
        ["no_record"], {"torch.cat": "curated"},
    )  # fmt: skip
    assert porting.attempt(kb, "torch.relu(x); torch.cat([x])") == done
