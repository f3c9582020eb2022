"""Dicts of classes by name that another file asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import marked
from tests.builders.trees import files, ported

from msmap.assemble.base import Base


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("registries"))


REGISTRY = """
== nets.py
import torch
from torch import nn
class A(«nn.Module|mindspore.nn.Cell»):
    def «forward|construct»(self, x): return x
class B(A): pass
__all__ = ["NETS"]
NETS = {"a": A, "b": B}
"""
FOLLOWED = {
    "classes in a dict of another file": REGISTRY
    + """
== use.py
import torch
from nets import NETS
def build(name):
    if name not in NETS: raise KeyError(sorted(NETS))
    net = NETS[name]()
    net.«train|m_train»()
    return net
== more.py
import torch, nets
nets.NETS["a"]().«train|m_train»()
""",
}
LEFT = {
    "a dict of classes to which a third file adds": REGISTRY
    + """
== use.py
import torch
from nets import NETS
def build(name): NETS[name]().train()
== more.py
from nets import NETS
NETS["c"] = object
""",
    "a dict of classes that a third file passes on": REGISTRY
    + """
== use.py
import torch
from nets import NETS
def build(name): NETS[name]().train()
== more.py
import nets
fill(nets.NETS)
""",
    "a dict of classes by another name": REGISTRY
    + """
== use.py
import torch
from nets import NETS
def build(name): NETS[name]().train()
== more.py
from nets import NETS as found
found["c"] = object
""",
    "a dict of classes by its text": REGISTRY
    + """
== use.py
import torch
from nets import NETS
def build(name): NETS[name]().train()
== more.py
import nets
setattr(nets, "NETS", {})
""",
}  # fmt: skip


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_dict_that_files_only_ask_is_known(name: str, facts: Base, tmp_path: Path) -> None:
    found = files(FOLLOWED[name])
    assert ported(tmp_path, found, facts) == {n: marked.expected(t) for n, t in found.items()}


@pytest.mark.parametrize("name", LEFT)
def test_a_dict_that_another_file_may_change_is_not(name: str, facts: Base, tmp_path: Path) -> None:
    found = files(LEFT[name])
    assert ported(tmp_path, found, facts) == {n: marked.expected(t) for n, t in found.items()}
