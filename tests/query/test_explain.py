"""Errors explained, of which none may be explained wrongly."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.builders import provoking

from msmap.query.errors.explain import explain
from msmap.query.knowledge_base import KnowledgeBase

ROOT = Path(__file__).resolve().parents[2]
TABLE = yaml.load(
    (ROOT / "tests/fixtures/errors.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)
MET = yaml.load(
    (ROOT / "tests/fixtures/errors_met.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)
ASKED = yaml.load(
    (ROOT / "tests/fixtures/errors_asked.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)
KNOWN = [row for row in TABLE if row["see"]]
STRANGE = [row for row in TABLE if not row["see"]]
WANTED = 25


def ids(row: dict[str, Any]) -> str:
    return str(row["id"])


@pytest.fixture(scope="module")
def kb(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


def test_of_thirty_errors_most_are_explained_and_none_wrongly(kb: KnowledgeBase) -> None:
    told = {row["id"]: explain(kb, row["says"]) for row in KNOWN}
    wrong = {
        row["id"]: found
        for row in KNOWN
        if (found := told[row["id"]]) is not None and row["see"] not in found.see
    }
    assert (len(KNOWN), wrong) == (31, {})
    assert sum(found is not None for found in told.values()) >= WANTED


def test_of_what_porters_meet_most_is_explained_and_nothing_wrongly(kb: KnowledgeBase) -> None:
    """A page that explains the error is named, and the cause is there in both languages."""
    told = {row["id"]: explain(kb, row["says"]) for row in MET}
    wrong = {
        row["id"]: found
        for row in MET
        if (found := told[row["id"]]) is not None
        and (row["see"] is None or row["see"] not in (*found.see, ""))
    }
    assert (len(told), wrong) == (122, {})
    held = [told[row["id"]] for row in MET if row.get("held")]
    # Records that are written since may explain more.
    assert len(held) == 66
    assert sum(found is not None for found in held) >= 50
    assert sum(found is not None for found in told.values()) >= 100
    assert [f for f in told.values() if f and not re.search("[\u4e00-\u9fff]", f.cause.zh)] == []


def test_of_errors_written_down_before_asking_most_are_explained(kb: KnowledgeBase) -> None:
    """By the page that was written down for each."""
    told = {row["id"]: explain(kb, row["says"]) for row in ASKED}
    wrong = {
        row["id"]: found
        for row in ASKED
        if (found := told[row["id"]]) is not None
        and (row["see"] is None or row["see"] not in (*found.see, ""))
    }
    assert (len(told), wrong) == (56, {})
    assert sum(found is not None for found in told.values()) >= 53


@pytest.mark.parametrize(
    ("says", "cause"),
    [
        # A caveat on the parameter tells what to write.
        ("nn.Dropout(p=1.0)\nValueError: For 'Dropout', the 'p' must be a number in range [0, 1),"
         " but got 1.0.", "p = 1 raises ValueError"),
        # Else the parameter and the function are named.
        ("nn.SGD(params, 0.1, momentum=-1.0)\nValueError: For 'SGD', the argument 'momentum'"
         " must be at least 0.0, but got -1.0.", "mindspore.nn.SGD doesn't take the value"),
        # A class that others are made of says nothing: the call does.
        ("nn.LSTM(4, 8, proj_size=2)\nTypeError: _RNNBase.__init__() got an unexpected keyword"
         " argument 'proj_size'", "mindspore.nn.LSTM has no proj_size"),
    ],
)  # fmt: skip
def test_a_value_that_is_refused_is_explained(says: str, cause: str, kb: KnowledgeBase) -> None:
    text = f'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    {says}\n'
    found = explain(kb, text)
    assert found is not None
    assert found.cause.en.startswith(cause)


@pytest.mark.parametrize("row", STRANGE, ids=ids)
def test_of_what_is_not_known_nothing_is_said(row: dict[str, Any], kb: KnowledgeBase) -> None:
    assert explain(kb, row["says"]) is None


@pytest.mark.parametrize(
    ("text", "by", "instead"),
    [
        ("The 'Net' object has no attribute 'eval'.", "name", "net.set_train(mode=False)"),
        ("'Tensor' object has no attribute 'cuda'", "name", ""),
        ('  File "a.py", line 1, in <module>\n    net.eval()\n'
         "AttributeError: The 'Net' object has no attribute 'eval'.",
         "name", "net.set_train(mode=False)"),
        ("TypeError: Dense.__init__() got an unexpected keyword argument 'bias'", "keyword",
         "has_bias=..."),
        ('  File "a.py", line 1, in <module>\n    fc = nn.Dense(3, 4, bias = False)\n'
         "TypeError: Dense.__init__() got an unexpected keyword argument 'bias'",
         "keyword", "fc = nn.Dense(3, 4, has_bias=False)"),
        ('  File "a.py", line 1, in <module>\n    y = np.mean(x, keepdim=True)\n'
         "TypeError: mean() got an unexpected keyword argument 'keepdim'",
         None, None),
        ('  File "a.py", line 1, in <module>\n    y = torch.nn.Linear(3, 4, has_bias=False)\n'
         "TypeError: Linear.__init__() got an unexpected keyword argument 'has_bias'",
         None, None),
        ("'A' object has no attribute 'cuda'", None, None),
        ('  File "a.py", line 1, in <module>\n    y = ops.gather(x, 1, Tensor([[0]]))\n'
         'TypeError: Failed calling Gather with "Gather(batch_dims=int)(input_params=Tensor, '
         'input_indices=int, axis=Tensor)".',
         "call", "y = mindspore.mint.gather(x, 1, Tensor([[0]]))"),
        ('  File "a.py", line 1, in <module>\n    y = ops.sum(x, axis=1)\n'
         "TypeError: sum() got an unexpected keyword argument 'axis'", "keyword",
         "y = mindspore.mint.sum(x, dim=1)"),
        ('  File "a.py", line 1, in <module>\n    y = f(nn.ReLU(), nn.Dense(3))\n'
         "TypeError: missing a required argument: 'out_channels'", None, None),
        ('  File "a.py", line 1, in <module>\n    nn.init.normal_(w)\n'
         "AttributeError: module 'mindspore.nn' has no attribute 'init'", "name",
         "w.set_data(mindspore.common.initializer.initializer(mindspore.common.initializer."
         "Normal(1.0, 0.0), w.shape, w.dtype))"),
        ("ModuleNotFoundError: No module named 'mindspore.nn.functional'", "name", ""),
        ("ModuleNotFoundError: No module named 'mindspore.transformers'", None, None),
        ("ImportError: cannot import name 'ToTensor' from 'mindspore.dataset.transforms' (a.py)",
         "name", "from mindspore.dataset.vision import ToTensor"),
        ("ValueError: For 'Embedding', the 'padding_idx' must be in range of [0, 10), but got 11"
         " with type 'int'.", None, None),
        ("ValueError: The tensor should have only one element, but got 2, more than one element is"
         " ambiguous.", "mistake",
         "loss.mean().item()\nif (x > 1).all(): ...\nlosses.asnumpy()"),
        ("RuntimeError: Unsupported statement 'Try'.", "mistake",
         "mindspore.set_context(mode=mindspore.PYNATIVE_MODE)  # and no @mindspore.jit"),
        ("learning rate", None, None),
        ("", None, None),
    ],
)  # fmt: skip
def test_what_an_error_is_known_by(
    text: str, by: str | None, instead: str | None, kb: KnowledgeBase
) -> None:
    found = explain(kb, text)
    assert (found and found.by, found and found.instead.strip()) == (by, instead)


def test_a_message_leads_search_to_what_explains_it(kb: KnowledgeBase) -> None:
    hits = kb.search("RuntimeError: Unsupported statement 'Try'.", 3)
    assert [(hit.name, hit.by) for hit in hits][:1] == [("graph-mode", "message")]


@pytest.mark.frameworks
def test_errors_are_still_provoked_and_known(kb: KnowledgeBase) -> None:
    """What MindSpore says today of the thirty, and of what each explained error is provoked by."""
    rows = kb.rows("SELECT document FROM mistake ORDER BY id")
    mistakes = [json.loads(document) for (document,) in rows]
    files = [ROOT / f"data/mistakes/{mistake['id']}.yaml" for mistake in mistakes]
    codes = [
        yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)["provoked_by"]
        for file in files
    ]
    # The others need the imports that stand above them.
    head = "import numpy as np, mindspore as ms\nfrom mindspore import nn, ops, mint, Tensor\n"
    errors = [*KNOWN, *({**row, "code": head + row["code"]} for row in MET)]
    told = [row for row in errors if explain(kb, row["says"]) is not None]
    codes += [row["code"] for row in told]
    done = subprocess.run(
        [sys.executable, provoking.__file__], input=json.dumps(codes), text=True, check=True,
        capture_output=True, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    said = json.loads(done.stdout.splitlines()[-1])
    wanted = [(mistake["id"], mistake["see"][-1]) for mistake in mistakes]
    wanted += [(row["id"], row["see"]) for row in told]
    found = [explain(kb, text) for text in said]
    lost = [
        (name, text[-300:])
        for (name, see), text, known in zip(wanted, said, found, strict=True)
        if known is None or not any(see in page for page in (known.see or [""]))
    ]
    assert lost == []
