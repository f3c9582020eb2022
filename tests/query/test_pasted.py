"""What people paste where a name is asked for."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import lookup as understood
from msmap.query.names import pasted_names as pasted
from msmap.query.names.answers import Answer, Group

METHODS = ("torch.Tensor", "torch.nn.Module", "torch.optim.Optimizer")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("nn.Dropout(0.5)", ["nn.Dropout"]),
        ("x = nn.Dropout(0.5)", ["nn.Dropout"]),
        (">>> torch.cat((a, b))", ["torch.cat"]),
        ("`F.relu`", ["F.relu"]),
        ('"torch.cat"', ["torch.cat"]),
        ("x.view(-1, 10)", ["x.view", *(f"{home}.view" for home in METHODS)]),
        (".permute", [f"{home}.permute" for home in METHODS]),
        ("model.eval()",
         ["model.eval", "torch.nn.Module.eval", "torch.Tensor.eval", "torch.optim.Optimizer.eval"]),
        ("scheduler.step()",
         ["scheduler.step", "torch.optim.lr_scheduler.LRScheduler.step",
          *(f"{home}.step" for home in METHODS)]),
        ("x.shape.numel()",
         ["x.shape.numel", "torch.Size.numel", *(f"{home}.numel" for home in METHODS)]),
        ("dist.mean",
         ["dist.mean", "torch.distributions.Distribution.mean", "torch.distributed.mean",
          *(f"{home}.mean" for home in METHODS)]),
        ("import torch.nn.functional as F", ["torch.nn.functional"]),
        ("from torch.nn import Linear as L, Conv2d", ["torch.nn.Linear", "torch.nn.Conv2d"]),
        ("module 'mindspore' has no attribute 'cat'", ["torch.cat", "torch.nn.cat", "cat"]),
        ("ModuleNotFoundError: No module named 'mindspore.optim'", ["torch.optim"]),
        ("'Tensor' object has no attribute 'cuda'",
         ["torch.Tensor.cuda", "mindspore.Tensor.cuda"]),
        ("The 'Net' object has no attribute 'eval'.",
         ["torch.nn.Module.eval", "torch.optim.Optimizer.eval", "mindspore.nn.Cell.eval"]),
        ("ImportError: cannot import name 'Linear' from 'mindspore.mint' (a.py)",
         ["torch.Linear", "torch.nn.functional.Linear", "Linear"]),
        ("Softmax.__init__() got an unexpected keyword argument 'dim'", ["Softmax"]),
        ("TypeError: __init__() got an unexpected keyword argument 'dim'", []),
        ("RuntimeError: The kernel OneHotExt unregistered.", ["one_hot"]),
        ("what is with torch.no_grad() here", ["torch.no_grad"]),
        ("x.shape or x.size() of it",
         ["x.size", *(f"{home}.size" for home in METHODS),
          "x.shape", *(f"{home}.shape" for home in METHODS)]),
        ("RuntimeError: it broke at x.shape", []),
        ("see runs/net.ckpt", []),
        ("learning rate", []),
        ("", []),
    ],
)  # fmt: skip
def test_the_names_that_a_text_may_stand_for(text: str, names: list[str]) -> None:
    assert pasted.names(text) == names


def _about(answer: Answer) -> str | None:
    if answer.record is not None:
        return answer.record.torch
    return answer.reverse.api.name if answer.reverse is not None else None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("torch.nn.Dropout", ["torch.nn.Dropout"]),
        ("NN.DROPOUT", ["torch.nn.Dropout"]),
        ("torch.nn.dropout", ["torch.nn.Dropout"]),
        ("nn.Dropout(p=0.5)", ["torch.nn.Dropout"]),
        ("x.size(-1)", ["torch.Tensor.size"]),
        (".size", ["torch.Tensor.size"]),
        ("from torch.nn import Dropout, GELU", ["torch.nn.Dropout", "torch.nn.GELU"]),
        ("module 'mindspore' has no attribute 'cat'", ["torch.cat"]),
        ("TypeError: unsupported dtype", ["torch.nn.GELU"]),
        ("MINDSPORE.NN.dropout", ["mindspore.nn.Dropout"]),
        ("nn.Dropot", [None]),
        ("nothing of the kind", [None]),
    ],
)
def test_what_is_pasted_is_looked_up(text: str, found: list[str | None], kb: KnowledgeBase) -> None:
    assert [_about(answer) for answer in understood.answer(kb, text)] == found
    assert {answer.query for answer in understood.answer(kb, text)} == {text}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nn.Dropout(0.5)", "mindspore.nn.Dropout(p=0.5)"),
        ("y = torch.cat((a, b), 1)", "y = mindspore.mint.cat((a, b), 1)"),
        ("nn.Dropout", None),
        ("nn.Dropout(0.5", None),
    ],
)
def test_a_call_is_ported(text: str, code: str | None, kb: KnowledgeBase) -> None:
    (answer,) = understood.answer(kb, text)
    assert (answer.port.code if answer.port else None) == code


LAYERS = (("torch.nn.Dropout", "mindspore.nn.Dropout"), ("torch.nn.GELU", "mindspore.nn.GELU"))


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("torch.nn.Drop*", Group("torch.nn.Drop*", 1, 0, LAYERS[:1])),
        ("nn.?????*", Group("nn.?????*", 1, 0, LAYERS[:1])),
        ("torch.nn", Group("torch.nn", 2, 0, LAYERS, "torch.nn")),
        ("import torch.nn as nn", Group("torch.nn", 2, 0, LAYERS, "torch.nn")),
        ("torch.nothing.*", None),
        ("*[", None),
    ],
)
def test_a_pattern_or_a_namespace_stands_for_names(
    text: str, group: Group | None, kb: KnowledgeBase
) -> None:
    (answer,) = understood.answer(kb, text)
    assert (answer.group, answer.found) == (group, group is not None)


def test_a_name_means_what_it_meant(kb: KnowledgeBase) -> None:
    for name in ("torch.cat", "ops.cat", "relu", "torch.nn.Droput"):
        assert understood.answer(kb, name) == [answers.answer(kb, name)]


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("torch.__version__.split", "torch.__version__"),
        ("torch.Tensor.shape.numel", "torch.Tensor.shape"),
        ("torch.torch.cat", "torch.cat"),
        ("torch.cat.__doc__", "torch.cat"),
    ],
)
def test_an_attribute_of_a_value_is_answered_by_the_value(
    text: str, record: str, shipped: Path
) -> None:
    with KnowledgeBase.open(shipped) as kb:
        assert [_about(answer) for answer in understood.answer(kb, text)] == [record]


@pytest.fixture
def with_members(database: Path, tmp_path: Path) -> Iterator[KnowledgeBase]:
    """A base in which a layer keeps its rate, and stands below the tensor."""
    copy = tmp_path / "members.db"
    shutil.copy(database, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute(
            "UPDATE api SET base = 'torch.Tensor', members = '[\"p\", \"rate\"]'"
            " WHERE framework = 'torch' AND name = 'torch.nn.Dropout'"
        )
    with KnowledgeBase.open(copy) as found:
        yield found


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("torch.nn.Dropout.p", "torch.nn.Dropout"),
        ("nn.Dropout.rate", "torch.nn.Dropout"),
        ("nn.Dropout.size", "torch.Tensor.size"),
        ("torch.nn.Dropout.size()", "torch.Tensor.size"),
    ],
)
def test_what_a_class_has_is_answered_where_it_is_told(
    text: str, record: str, with_members: KnowledgeBase
) -> None:
    """What it has from above by the class above, what it keeps by itself."""
    (found,) = understood.answer(with_members, text)
    assert (found.query, _about(found)) == (text, record)


def test_a_module_of_pytorchs_own_is_what_it_defines(with_members: KnowledgeBase) -> None:
    (found,) = understood.answer(with_members, "torch.nn.modules.dropout")
    told = (("torch.nn.Dropout", "mindspore.nn.Dropout"),)
    assert found.group == Group("torch.nn.modules.dropout", 1, 1, told)


@pytest.mark.parametrize("text", ["torch.nn.__dict__.items", "torch.nn.__all__"])
def test_the_dictionary_of_a_module_is_what_is_in_it(text: str, kb: KnowledgeBase) -> None:
    (found,) = understood.answer(kb, text)
    assert found.group is not None
    assert found.group.namespace == "torch.nn"


@pytest.mark.parametrize(
    "text",
    [
        "torch.nn.Dropout.nothing_of_the_kind",
        "torch.cat.register",
        "torch.cat.a.b",
        "torch.Tensor.size.nothing",
    ],
)
def test_an_unknown_attribute_of_a_class_or_function_is_not_found(
    text: str, kb: KnowledgeBase
) -> None:
    (found,) = understood.answer(kb, text)
    assert not found.found


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("y = ops.cat((x, x))", ["ops.cat"]),
        ("y = cat (f(x))", ["cat", "f"]),
        ("if (a and (b)): return (g(", ["g"]),
        ("x = 3", []),
    ],
)
def test_what_is_called_in_code(code: str, called: list[str]) -> None:
    assert pasted.calls(code) == called
