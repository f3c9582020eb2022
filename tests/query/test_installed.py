"""Errors about names that MindSpore has: the release that raised them is another one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap.query.errors.explain import explain
from msmap.query.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def kb(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


@pytest.mark.parametrize(
    ("says", "name", "see"),
    [
        ("AttributeError: module 'mindspore.ops' has no attribute 'abs'", "mindspore.ops.abs",
         "torch.abs"),
        ("AttributeError: module 'mindspore.dataset.transforms' has no attribute 'TypeCast'",
         "mindspore.dataset.transforms.TypeCast", None),
        ("ImportError: cannot import name 'value_and_grad' from 'mindspore'",
         "mindspore.value_and_grad", None),
        ("AttributeError: module 'mindspore' has no attribute 'mint'", "mindspore.mint", None),
        ("AttributeError: 'Parameter' object has no attribute 'device'", "mindspore.Tensor.device",
         "torch.Tensor.device"),
        ("AttributeError: 'Tensor' object has no attribute 'permute'", "mindspore.Tensor.permute",
         "torch.Tensor.permute"),
        ("AttributeError: The 'Net' object has no attribute 'register_buffer'.",
         "mindspore.nn.Cell.register_buffer", "torch.nn.Module.register_buffer"),
    ],
)  # fmt: skip
def test_a_name_that_newer_releases_have_is_not_called_missing(
    says: str, name: str, see: str | None, kb: KnowledgeBase
) -> None:
    """What to write shows the release and the file, and is never what has just failed."""
    found = explain(kb, says)
    assert found is not None
    assert (found.by, found.instead) == ("name", "print(mindspore.__version__, mindspore.__file__)")
    assert found.cause.en.startswith(f"MindSpore has {name} ")
    assert "hides the package" in found.cause.en
    assert name in found.cause.zh
    assert "has no" not in found.cause.en
    assert (found.see[0] if found.see else None) == see


def test_a_name_that_is_newer_says_since_when(kb: KnowledgeBase) -> None:
    new = next(
        api for api in kb.apis().values() if api.since and api.name.startswith("mindspore.ops.")
    )
    leaf = new.name.rpartition(".")[2]
    found = explain(kb, f"AttributeError: module 'mindspore.ops' has no attribute '{leaf}'")
    assert found is not None
    assert f"since {new.since}," in found.cause.en


@pytest.mark.parametrize("kind", ["SGD", "Adam", "Momentum", "MyOptimizer"])
def test_what_the_optimizers_of_one_module_lack_is_not_told_to_be_written(
    kind: str, kb: KnowledgeBase
) -> None:
    found = explain(kb, f"AttributeError: The '{kind}' object has no attribute 'param_groups'.")
    assert found is not None
    assert found.instead == ""
    assert found.cause.en.startswith(f"{kind} has no param_groups. An optimizer of mindspore.nn")
    assert "mindspore.ops.assign(opt.learning_rate, 0.05)" in found.cause.zh
    has = f"mindspore.experimental.optim.{kind} has them" in found.cause.en
    assert has is (kind in ("SGD", "Adam"))


def test_a_name_that_was_removed_says_until_when(kb: KnowledgeBase) -> None:
    past = kb.rows(
        "SELECT name, until FROM past_api WHERE until != '' AND alias_of = ''"
        " AND name NOT IN (SELECT name FROM api) AND kind IN ('class', 'function') LIMIT 1"
    )
    ((name, until),) = past
    home, _, leaf = name.rpartition(".")
    found = explain(kb, f"AttributeError: module '{home}' has no attribute '{leaf}'")
    assert found is not None
    assert found.cause.en.startswith(f"MindSpore {until} is the last release with {name}")
