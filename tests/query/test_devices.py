"""The knowledge base for a device: what is best there, and evidence that was brought from there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from msmap.errors import UnknownDevice
from msmap.evidence import files as evidence
from msmap.evidence.names import parse
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import record as page
from msmap.store import build as store

CPU = "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64"
# Their names sort before CPU's and after it.
ASCEND = "torch-2.13.0_mindspore-2.10.0_ascend_linux-aarch64"
GPU = "torch-2.13.0_mindspore-2.10.0_gpu_linux-x86_64"


@pytest.fixture
def ascend(database: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(database, device="Ascend") as found:
        yield found


def test_the_best_target_of_the_device_is_shown_and_ported_to(
    kb: KnowledgeBase, ascend: KnowledgeBase
) -> None:
    both = ["mindspore.nn.GELU", "mindspore.mint.nn.GELU"]
    here, there = kb.lookup("torch.nn.GELU"), ascend.lookup("torch.nn.GELU")
    assert [t.key for t in here.targets] == both
    assert [t.key for t in there.targets] == both[::-1]
    assert (there.category, there.example_mindspore) == (
        "identical", "mindspore.mint.nn.GELU()(x)",
    )  # fmt: skip
    assert here.example_mindspore == "mindspore.nn.GELU(approximate=False)(x)"
    code = "torch.nn.GELU('tanh')"
    assert kb.port(code).code == "mindspore.nn.GELU(True)"
    assert ascend.port(code).code == "mindspore.mint.nn.GELU('tanh')"


def test_a_list_is_of_the_best_targets_of_the_device(ascend: KnowledgeBase) -> None:
    found = {s.torch: s.mindspore for s in ascend.records(namespace="torch.nn")}
    assert found == {
        "torch.nn.Dropout": "mindspore.nn.Dropout", "torch.nn.GELU": "mindspore.mint.nn.GELU",
    }  # fmt: skip


def test_a_device_that_is_none(database: Path) -> None:
    with pytest.raises(UnknownDevice, match='device "npu": one of ascend, gpu, cpu'):
        KnowledgeBase.open(database, device="npu")


@pytest.mark.parametrize("name", [ASCEND, GPU])
@pytest.mark.parametrize("outcome", ["verified", "refuted"])
def test_evidence_brought_as_a_file_stands_beside_the_cpus(
    name: str, outcome: str, checkout: Path, kb: KnowledgeBase
) -> None:
    """It changes no verdict, and says that a target ran there only where it agrees."""
    directory = checkout / "evidence"
    ours = evidence.read(directory / f"{CPU}.jsonl")
    evidence.write(
        directory / f"{name}.jsonl", [replace(li, outcome=outcome) for li in ours.values()]
    )
    store.build(checkout, Path("both.db"))
    with KnowledgeBase.open("both.db") as both:
        for summary in kb.records():
            before, after = kb.lookup(summary.torch), both.lookup(summary.torch)
            assert after.verification == before.verification
            assert [replace(t, ran_on=()) for t in after.targets] == [
                replace(t, ran_on=()) for t in before.targets
            ]
        cat = both.lookup("torch.cat")
        more = (parse(name).platform,) if outcome == "verified" else ()
        assert cat.targets[0].ran_on == (*more, "CPU")
        assert {e.environment for c in cat.checks for e in c.evidence} == {CPU, name}
        text = "\n".join(line.text for line in page.record(cat, "en"))
        assert all(" ".join(e.split("_", 3)) in text for e in (CPU, name))


def test_records_for_a_device_are_made_once_until_they_are_let_go_of(kb: KnowledgeBase) -> None:
    there, here = kb.on("Ascend"), kb.on("CPU")
    found = there.find("torch.nn.GELU")
    assert found is not None
    assert kb.on("Ascend").find("torch.nn.GELU") is found
    assert here.find("torch.nn.GELU") not in (None, found)
    before = kb.remembered
    kb.forget()
    assert (before > 0, kb.remembered, there.remembered) == (True, 0, 0)
    again = there.find("torch.nn.GELU")
    assert again == found
    assert again is not found
