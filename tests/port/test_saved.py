"""Files that the code writes itself are read again under the name that they have now."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = "import os\nimport torch\nnet = torch.nn.Linear(2, 3)\n"


@pytest.fixture(scope="module")
def facts(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped, device="cpu") as found:
        yield found


def read(before: str, file: str, facts: KnowledgeBase) -> str:
    """What reads a file, behind the lines that write one."""
    done = facts.port(f"{HEAD}{before}\nfound = torch.load({file})\n")
    assert done.code is not None
    return done.code.splitlines()[-1]


@pytest.mark.parametrize(
    ("before", "file", "now"),
    [
        ("torch.save(net.state_dict(), 'a.pt')", "'a.pt'", "'a.pt.ckpt'"),
        ("torch.save(net.state_dict(), f='a.pth')", "f='a.pth'", "'a.pth.ckpt'"),
        ("torch.save(net.state_dict(), 'a')", "'a'", "'a.ckpt'"),
        ("torch.save(net.state_dict(), 'a.ckpt')", "'a.ckpt'", "'a.ckpt'"),
        ("e = 1\ntorch.save(net.state_dict(), f'{e}.pt')", "f'{e}.pt'", "f'{e}.pt.ckpt'"),
        (
            "torch.save(net.state_dict(), os.path.join('runs', 'a.pt'))",
            "os.path.join('runs', 'a.pt')",
            "os.path.join('runs', 'a.pt') + \".ckpt\"",
        ),
        ("p = 'a.pt'\ntorch.save(net.state_dict(), p)", "p, 'cpu'", 'p + ".ckpt"'),
        # Whatever it is called, MindSpore may have added nothing.
        ("import sys\np = sys.argv[1]\ntorch.save(net.state_dict(), p)", "p", "p"),
        ("p = 'a.pt'\np = 'b.ckpt'\ntorch.save(net.state_dict(), p)", "p", "p"),
    ],
)
def test_a_file_of_its_own_has_the_ending_added(
    before: str, file: str, now: str, facts: KnowledgeBase
) -> None:
    key = "ckpt_file_name=" if file.startswith("f=") else ""
    assert read(before, file, facts) == f"found = mindspore.load_checkpoint({key}{now})"


@pytest.mark.parametrize(
    "before",
    [
        "",
        "torch.save(net.state_dict(), 'b.pt')",
        "torch.save({'net': net.state_dict(), 'epoch': 3}, 'a.pt')",
        "state = {'net': net.state_dict(), 'epoch': 3}\ntorch.save(state, 'a.pt')",
    ],
)
def test_a_file_of_another_is_left(before: str, facts: KnowledgeBase) -> None:
    """So is one of a dict of several, which MindSpore doesn't write."""
    assert read(before, "'a.pt'", facts) == "found = torch.load('a.pt')"


WRITTEN_AND_READ = """
import os
import torch
place = os.path.join("{folder}", "net.pt")
net = torch.nn.Linear(2, 3)
torch.save(net.state_dict(), place)
other = torch.nn.Linear(2, 3)
other.load_state_dict(torch.load(place, map_location="cpu"))
print((net.weight == other.weight).all().item(), (net.bias == other.bias).all().item())
"""


@pytest.mark.frameworks
def test_what_was_written_is_read_again(facts: KnowledgeBase, tmp_path: Path) -> None:
    done = facts.port(WRITTEN_AND_READ.replace("{folder}", tmp_path.as_posix()))
    assert done.code is not None
    assert done.refusals == ()
    ran = subprocess.run(
        [sys.executable, "-c", done.code],
        check=False, capture_output=True, text=True, cwd=tmp_path,
        env=os.environ | {"GLOG_v": "3"},
    )  # fmt: skip
    assert (ran.stdout.split()[-2:], ran.returncode) == (["True", "True"], 0)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("torch.save(net.state_dict(), 'a.ckpt')", ""),
        ("torch.save(net.state_dict(), 'a.pt')", "appends .ckpt to `'a.pt'`"),
        ("torch.save(net.state_dict(), f=f'{n}.pt')", "appends .ckpt to"),
        ("torch.save(net.state_dict(), n)", "appends .ckpt unless `n`"),
        ("torch.save(net.state_dict(), 'a.pt')\nnet.load_state_dict(torch.load('a.pt'))", ""),
        ("net.load_state_dict(torch.load('a.ckpt'))", ""),
        ("net.load_state_dict(torch.load(n))", "ends in .ckpt: see that `n` does"),
    ],
)
def test_a_name_that_may_end_otherwise_is_told(line: str, told: str, facts: KnowledgeBase) -> None:
    done = facts.port(
        f"{HEAD}def f(n, net: torch.nn.Module):\n    {line.replace(chr(10), chr(10) + '    ')}\n"
    )
    found = [refusal.reason.en for refusal in done.refusals]
    assert len(found) == bool(told)
    assert all(told in one for one in found)
    # What is told is written all the same.
    assert "torch." not in (done.code or "").partition("def f(")[2]


SEVERAL = 'state = {"model": net.state_dict(), "epoch": 3}\n'


@pytest.mark.parametrize(
    "code",
    [
        f"{SEVERAL}torch.save(state, 'a.ckpt')\n",
        f"{SEVERAL}torch.save(obj=state, f='a.ckpt')\n",
        "state = {}\nstate['net'] = net.state_dict()\ntorch.save(state, 'a.ckpt')\n",
        "def save(s, best):\n    torch.save(s, 'a.ckpt')\nsave({'n': net.state_dict()}, True)\n",
        f"def save(best, s):\n    torch.save(s, 'a.ckpt')\n{SEVERAL}save(1, s=state)\n",
    ],
)
def test_a_dict_of_several_is_none_that_is_written(code: str, facts: KnowledgeBase) -> None:
    done = facts.port(HEAD + code)
    assert [r.reason.en for r in done.refusals if "takes no nested dict" in r.reason.en]
    assert "torch.save(" in (done.code or "")


@pytest.mark.parametrize(
    "code",
    [
        "state = net.state_dict()\ntorch.save(state, 'a.ckpt')\n",
        "def save(s):\n    torch.save(s, 'a.ckpt')\nsave(net.state_dict())\n",
        f"def save(s):\n    torch.save(s, 'a.ckpt')\n{SEVERAL}others.save(state)\n",
    ],
)
def test_what_may_be_one_state_is_written(code: str, facts: KnowledgeBase) -> None:
    assert "mindspore.save_checkpoint(" in (facts.port(HEAD + code).code or "")


PARTS = "def f(net: torch.nn.Module):\n    c = torch.load('a.ckpt')\n"


def test_states_within_a_file_are_none_that_is_read(facts: KnowledgeBase) -> None:
    done = facts.port(f"{HEAD}{PARTS}    net.load_state_dict(c['model'])\n")
    assert "`c['model']` is a state among others" in done.refusals[0].reason.en
    assert "c = torch.load('a.ckpt')" in (done.code or "")


def test_states_within_a_file_are_told_at_once(facts: KnowledgeBase) -> None:
    code = "def f(net: torch.nn.Module):\n    net.load_state_dict(torch.load('a.ckpt')['model'])\n"
    done = facts.port(HEAD + code)
    assert "`torch.load('a.ckpt')['model']` is a state among others" in done.refusals[0].reason.en


@pytest.mark.parametrize("used", ["net.load_state_dict(c)", "print(c['w'])"])
def test_a_state_by_itself_is_read(used: str, facts: KnowledgeBase) -> None:
    done = facts.port(f"{HEAD}{PARTS}    {used}\n")
    assert "c = mindspore.load_checkpoint('a.ckpt')" in (done.code or "")
