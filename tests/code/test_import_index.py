"""Which files of a tree may ask for another: what a function is called with there is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import marked
from tests.builders.trees import files, ported

from msmap.assemble.base import Base


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("said"))


FOLLOWED = {
    "a function of whose name only strangers speak": """
== train.py
import torch
def run(x): x.«sum|t_sum»()
run(«torch.ones(1)|mindspore.ones(1)»)
== other.py
import torch
def run(x): x.sum()
""",
    "its name elsewhere that no import says": """
== pkg/__init__.py
== pkg/train.py
import torch
def run(x): x.«sum|t_sum»()
def train(x): x.«sum|t_sum»(), run(x)
train(«torch.ones(1)|mindspore.ones(1)»)
== pkg/net.py
from pkg.parts import Part
class Net:
    # They train it, and run it
    train = mode = "train"
    def fit(self): self.train(train=True), self.run("train.run")  # train, then run
== pkg/parts.py
class Part:
    def run(self, x): self.net.train (x)
""",
}
LEFT = {
    "whose package is asked without its name": """
== pkg/__init__.py
import torch
def run(x): x.sum()
run(«torch.ones(1)|mindspore.ones(1)»)
== pkg/sub/other.py
from .. import run
run(3)
""",
    "a file that is asked through its package": """
== pkg/__init__.py
from . import train
== pkg/train.py
import torch
def run(x): x.sum()
run(«torch.ones(1)|mindspore.ones(1)»)
== use.py
import pkg
pkg.train.run(3)
""",
    "a file that gives all its names": """
== train.py
import torch
def run(x): x.sum()
run(«torch.ones(1)|mindspore.ones(1)»)
== pkg.py
import train
== use.py
from pkg import  *
train.run(3)
""",
    "a file that is asked in several lines": """
== train.py
import torch
def run(x): x.sum()
run(«torch.ones(1)|mindspore.ones(1)»)
== use.py
from \\
    train import \\
    run as go
go(3)
""",
    "a file that is asked by a text": """
== pkg/__init__.py
from . import train
== pkg/train.py
import torch
def run(x): x.sum()
run(«torch.ones(1)|mindspore.ones(1)»)
== use.py
import pkg
getattr(pkg, "train").run(3)
""",
    "a function that a reader's reader calls": """
== train.py
import torch
def run(x): x.sum()
run(«torch.ones(1)|mindspore.ones(1)»)
== other.py
from train import *
== main.py
from other import run
run(load())
""",
    "a function of a module that is imported by a name put together": """
== train.py
import torch
def run(x): x.sum()
run(«torch.ones(1)|mindspore.ones(1)»)
== main.py
import importlib
importlib.import_module(name).run(load())
""",
}  # fmt: skip


@pytest.mark.parametrize("name", FOLLOWED)
def test_calls_tell_all_where_no_other_file_may_ask(name: str, facts: Base, tmp_path: Path) -> None:
    found = files(FOLLOWED[name])
    assert ported(tmp_path, found, facts) == {n: marked.expected(t) for n, t in found.items()}


@pytest.mark.parametrize("name", LEFT)
def test_calls_tell_nothing_where_another_file_may_ask(
    name: str, facts: Base, tmp_path: Path
) -> None:
    found = files(LEFT[name])
    assert ported(tmp_path, found, facts) == {n: marked.expected(t) for n, t in found.items()}
