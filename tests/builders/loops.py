"""A loop that trains, in a function that has all it needs, and what becomes of it."""

from __future__ import annotations

from textwrap import dedent, indent

from msmap.model import Port
from msmap.query.knowledge_base import KnowledgeBase

IMPORTS = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n"
FIT = """
def fit(net: nn.Module, loader, criterion):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""


def ported(facts: KnowledgeBase, code: str) -> Port:
    """A loop in a function that has a network, its optimizer, a loader and a criterion."""
    return facts.port(IMPORTS + FIT.lstrip("\n") + indent(dedent(code).lstrip("\n"), "    "))


def loop(done: Port) -> str:
    """What the lines after those became."""
    assert done.code is not None
    return dedent(done.code.partition("lr=0.1)\n")[2].lstrip("\n"))
