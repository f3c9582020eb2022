"""Blocks of autocast go: all is computed as without them."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = "import torch\nfrom torch.cuda.amp import autocast\nx = torch.ones(2)\n"


def code_of(facts: KnowledgeBase, code: str) -> str:
    """What a few lines became."""
    done = facts.port(HEAD + dedent(code).lstrip("\n"))
    assert done.code is not None
    return done.code.partition("\nx = ")[2].partition("\n")[2]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("with autocast():\n    y = x + 1\n", "y = x + 1\n"),
        ("with torch.autocast('cuda', enabled=False):  # why\n    y = x\n", "# why\ny = x\n"),
        ("with torch.amp.autocast('cuda', torch.float16): y = x\n", "y = x\n"),
        ("with torch.no_grad(), autocast():\n    y = x\n", "y = x\n"),
        ("with autocast(), torch.no_grad():\n    y = x\n", "y = x\n"),
        ("with autocast(), open('f') as f:\n    y = x\n", "with open('f') as f:\n    y = x\n"),
        (
            "with (\n    torch.inference_mode(),\n    torch.autocast('cuda'),\n):\n    y = x\n",
            "y = x\n",
        ),
        ("@autocast()\ndef f(a):\n    return a\n", "def f(a):\n    return a\n"),
    ],
)
def test_a_block_of_autocast_goes(facts: KnowledgeBase, code: str, expected: str) -> None:
    assert code_of(facts, code) == expected


NULL = "from contextlib import nullcontext\n"
STEP = """
def train(net: torch.nn.Module, loader, amp):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    c = {made}
    for a, b in loader:
        with c:
            loss = torch.nn.functional.mse_loss(net(a), b)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


@pytest.mark.parametrize(
    "made",
    ["autocast()", "autocast() if amp else nullcontext()", "nullcontext() if amp else autocast()"],
)
def test_a_manager_by_a_name_does_nothing(facts: KnowledgeBase, made: str) -> None:
    code = code_of(facts, NULL + STEP.format(made=made))
    assert f"c = {made.replace('autocast', 'nullcontext')}\n" in code
    assert "        with c:\n            loss = " in code
    assert "opt(grads)" in code


@pytest.mark.parametrize(
    "made",
    ["autocast() if amp else open('f')", "nullcontext() if amp else amp", "nullcontext(net)"],
)
def test_a_manager_that_may_do_something_stays(facts: KnowledgeBase, made: str) -> None:
    assert "loss.backward()" in code_of(facts, NULL + STEP.format(made=made))


def test_a_manager_of_the_codes_own_stays(facts: KnowledgeBase) -> None:
    code = "def nullcontext():\n    return open('f')\n" + STEP.format(made="nullcontext()")
    assert "loss.backward()" in code_of(facts, code)
    assert "loss.backward()" in code_of(facts, code.replace("c = nullcontext()", "c = amp"))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("with autocast() if a else nullcontext():\n    y = x\n", "y = x\n"),
        ("with nullcontext() if a else autocast(), b:\n    y = x\n", "with b:\n    y = x\n"),
    ],
)
def test_a_block_of_autocast_or_nothing_goes(
    facts: KnowledgeBase, code: str, expected: str
) -> None:
    assert code_of(facts, NULL + code) == NULL + expected


def test_it_is_said_where_it_may_make_a_difference(facts: KnowledgeBase) -> None:
    said = facts.port(HEAD + "with autocast():\n    y = x\n").notes
    assert any("auto_mixed_precision" in note.en for note in said)
    off = facts.port(HEAD + "with autocast(enabled=False):\n    y = x\n").notes
    assert not any("auto_mixed_precision" in note.en for note in off)


@pytest.mark.parametrize(
    "code",
    [
        "with autocast() as a:\n    y = x\n",
        "ctx = autocast()\n",
        "autocast().__enter__()\n",
        "with autocast(), \\\n        # both\n        autocast():\n    y = x\n",
    ],
)
def test_what_else_is_made_of_it_stays(facts: KnowledgeBase, code: str) -> None:
    if "both" in code:
        code = "with (autocast(),  # one\n      autocast()):\n    y = x\n"
    assert "autocast()" in code_of(facts, code)


@pytest.mark.parametrize(
    "code",
    [
        "from mine import autocast\nwith autocast():\n    y = x\n",
        "def autocast():\n    return open('f')\nwith autocast():\n    y = x\n",
        "class M:\n    autocast = staticmethod(open)\nwith M().autocast('f'):\n    y = x\n",
    ],
)
def test_one_of_another_library_stays(facts: KnowledgeBase, code: str) -> None:
    assert code_of(facts, code) == code


CHOSEN = "d = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
KINDS = "{'CPU': 'cpu', 'GPU': 'cuda', 'Ascend': 'npu'}[mindspore.get_context('device_target')]"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("print(d.type == 'cuda')\n", "print(mindspore.get_context('device_target') == 'GPU')\n"),
        ("a = d.type != 'cpu'\n", "a = mindspore.get_context('device_target') != 'CPU'\n"),
        ("a = d.type in ('cuda', 'mps')\n", f"a = {KINDS} in ('cuda', 'mps')\n"),
        ("a = d.type == 'mps'\n", f"a = {KINDS} == 'mps'\n"),
        ("with torch.autocast(d.type):\n    a = x\n", "a = x\n"),
    ],
)
def test_the_kind_of_a_device_is_that_of_the_process(
    facts: KnowledgeBase, code: str, expected: str
) -> None:
    assert code_of(facts, CHOSEN + code) == expected


def test_kinds_of_other_things_stay(facts: KnowledgeBase) -> None:
    code = "class D:\n    type = 'cuda'\nprint(D().type == 'cuda')\n"
    assert code_of(facts, code) == code


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("C = Tuple[torch.Tensor, int]\n", "C = Tuple[mindspore.Tensor, int]\n"),
        ("C = dict[str, list[torch.Tensor]]\n", "C = dict[str, list[mindspore.Tensor]]\n"),
        ("list = {}\nC = list[torch.Tensor]\n", "list = {}\nC = list[torch.Tensor]\n"),
    ],
)
def test_a_type_by_a_name_of_its_own_is_ported(
    facts: KnowledgeBase, code: str, expected: str
) -> None:
    done = facts.port(f"from typing import Tuple\nimport torch\n{code}")
    assert (done.code or "").endswith(f"\n{expected}")
