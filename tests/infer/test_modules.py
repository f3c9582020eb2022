"""What files of a tree know of each other, seen by what is edited in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import marked
from tests.builders.trees import files, ported

from msmap.assemble.base import Base


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("modules"))


LAYERS = """
== pkg/__init__.py
== pkg/layers.py
import torch
from torch import nn
class Block(«nn.Module|mindspore.nn.Cell»):
    def __init__(self):
        super().__init__()
        self.norm = «nn.BatchNorm2d(3)|mindspore.nn.BatchNorm2d(3)»
    def «forward|construct»(self, x):
        return self.norm(x)
def fill():
    return «torch.zeros(3)|mindspore.zeros(3)»
"""
FOLLOWED = {
    "a class of another file": LAYERS
    + """
== pkg/net.py
from .layers import Block
class Net(Block):
    def «forward|construct»(self, x):
        self.norm.«weight|gamma».«sum|t_sum»()
        return super().«forward|construct»(x).«sum|t_sum»()
class Deep(Net):
    def «forward|construct»(self, x):
        return x.«sum|t_sum»()
net = Deep()
net.«forward|construct»(1)
net.«train|m_train»()
""",
    "the ways to import it": LAYERS
    + """
== pkg/a.py
import pkg.layers
class A(pkg.layers.Block):
    def «forward|construct»(self, x): return x
== pkg/b.py
import pkg.layers as layers
class B(layers.Block):
    def «forward|construct»(self, x): return x
== pkg/c.py
from pkg import layers
class C(layers.Block):
    def «forward|construct»(self, x): return x
== pkg/d.py
from . import layers as own
class D(own.Block):
    def «forward|construct»(self, x): return x
== pkg/e.py
from pkg.layers import Block as Base
class E(Base):
    def «forward|construct»(self, x): return x
== pkg/sub/__init__.py
from ..layers import Block
== pkg/sub/f.py
from ..layers import Block
from . import Block as Same
from .. import layers
class F(Block):
    def «forward|construct»(self, x): return x
class G(Same):
    def «forward|construct»(self, x): return x
class H(layers.Block):
    def «forward|construct»(self, x): return x
== train.py
from pkg.sub import Block
import pkg.sub.f, pkg.sub
class I(Block):
    def «forward|construct»(self, x): return x
class J(pkg.sub.f.H):
    def «forward|construct»(self, x): return x
""",
    "folders without an __init__": """
== models/net.py
import torch.nn as nn
class Net(«nn.Module|mindspore.nn.Cell»):
    def «forward|construct»(self, x): return x
== train.py
from models.net import Net
from models import net as own
Net().«train|m_train»(), own.Net().«train|m_train»()
== scripts/run.py
from models.net import Net
Net().«train|m_train»()
""",
    "sources below src": """
== src/pkg/__init__.py
from .net import Net
== src/pkg/net.py
import torch.nn as nn
class Net(«nn.Module|mindspore.nn.Cell»):
    def «forward|construct»(self, x): return x
== tests/test_net.py
from pkg import Net
Net().«train|m_train»()
""",
    "what functions give": LAYERS
    + """
== use.py
from pkg.layers import fill, Block
from pkg import layers
fill().«sum|t_sum»()
layers.fill().«sum|t_sum»()
def f(block: Block):
    block.«train|m_train»()
    block.norm.«weight|gamma».«sum|t_sum»()
def g(block):
    if isinstance(block, layers.Block):
        block.«train|m_train»()
    block.train()
""",
    "names that pass through": """
== compat.py
import torch
import torch.nn as nn
from torch.nn.functional import relu, pad as padded
from torch import *
T = «torch.Tensor|mindspore.Tensor»
scale = «torch.ones(1)|mindspore.ones(1)»
limit = 3
== use.py
import compat
from compat import nn, torch as t, relu, padded, T, scale, limit, zeros
«nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»
«t.zeros(3)|mindspore.zeros(3)»
«relu(x)|mindspore.relu(x)», «padded(x, 1)|mindspore.pad(x, 1)»
«zeros(3)|mindspore.zeros(3)»
«compat.nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»
«compat.relu(x)|mindspore.relu(x)».«sum|t_sum»()
scale.«sum|t_sum»(), compat.scale.«sum|t_sum»()
limit.sum(), compat.limit.sum()
def f(x: «T|mindspore.Tensor»):
    return x.«sum|t_sum»()
""",
    "stars": """
== pkg/__init__.py
from .a import *
from .b import *
from .c import *
== pkg/a.py
from torch import nn
class A(«nn.Module|mindspore.nn.Cell»): pass
_hidden = nn
== pkg/b.py
import torch
__all__ = ["B", "zeros"]
__all__ += ["_more"]
class B(«torch.nn.Module|mindspore.nn.Cell»): pass
class C(«torch.nn.Module|mindspore.nn.Cell»): pass
def zeros(n): return n
def _more(): return «torch.ones(1)|mindspore.ones(1)»
== pkg/c.py
from torch.nn.functional import *
== use.py
from torch import zeros
from pkg import *
«nn.Linear(1, 2)|mindspore.nn.Linear(1, 2)»
A().«train|m_train»(), B().«train|m_train»(), C().train()
zeros(3)
«relu(x)|mindspore.relu(x)»
len(x), ones(3), _hidden.Linear(1, 2)
== other.py
from pkg.b import *
_more().«sum|t_sum»()
""",
    "imports that depend": """
== fast.py
import torch
def f(x): return «torch.zeros(1)|mindspore.zeros(1)»
def g(x): return «torch.zeros(1)|mindspore.zeros(1)»
== slow.py
import torch
def f(x): return «torch.ones(1)|mindspore.ones(1)»
def g(x): return 1
== use.py
try:
    from fast import f, g
except ImportError:
    from slow import f, g
if a:
    from torch import zeros
else:
    from compat import zeros
f(1).«sum|t_sum»(), g(1).sum(), zeros(3)
== compat.py
from torch import zeros
""",
    "imports in functions and classes": LAYERS
    + """
== use.py
def f():
    from pkg.layers import fill
    return fill()
f().«sum|t_sum»()
class A:
    from pkg.layers import Block
    def g(self):
        return self.Block().«train|m_train»()
""",
    "circles": """
== a.py
import torch
import b
from b import made
class A(«torch.nn.Module|mindspore.nn.Cell»):
    def «forward|construct»(self, x): return b.B()
def use(): return made().«sum|t_sum»()
== b.py
import torch
from a import A, use
class B(A):
    def «forward|construct»(self, x): return super().«forward|construct»(x)
def made(): return «torch.zeros(1)|mindspore.zeros(1)»
def twice(): return use().«sum|t_sum»()
""",
    "names that go round": """
== a.py
from b import x
import torch
x.cuda()
== b.py
from a import x
""",
    "methods of a base elsewhere": """
== base.py
import torch
class Base(«torch.nn.Module|mindspore.nn.Cell»):
    def __init__(self):
        self.w = «torch.zeros(3)|mindspore.zeros(3)»
        self.n = 3
    def init(self):
        return «torch.ones(3)|mindspore.ones(3)»
    @property
    def size(self):
        return self.w
== net.py
from base import Base
class Net(Base):
    def «forward|construct»(self, x):
        self.init().«sum|t_sum»(), self.size.«sum|t_sum»(), self.w.«sum|t_sum»(), self.n.sum()
        self.«train|m_train»()
""",
    "a field that another file sets": """
== base.py
import torch
class Base(«torch.nn.Module|mindspore.nn.Cell»):
    def __init__(self):
        self.w = «torch.zeros(3)|mindspore.zeros(3)»
== use.py
from base import Base
b = Base()
b.w = load()
b.w.sum()
== other.py
from base import Base
Base().w.«sum|t_sum»()
""",
}
LEFT = {
    "a folder called torch": """
== torch/__init__.py
def zeros(n): return n
== torch/nn.py
class Linear: pass
== use.py
import torch
import torch.nn as nn
from torch.nn import Linear
torch.zeros(3), nn.Linear(1, 2), Linear(1, 2)
""",
    "a file called torch": """
== torch.py
zeros = 1
== use.py
import torch
from torch import *
from torch import zeros as z
torch.zeros(3), zeros(3), z(3)
""",
    "a file called nn": """
== nn.py
class Linear: pass
== use.py
import torch
import nn
from nn import Linear
nn.Linear(1, 2), Linear(1, 2)
""",
    "own names like PyTorch's": """
== pkg/__init__.py
== pkg/functional.py
def pad(x): return x
== pkg/use.py
import torch
from . import functional as F
from .functional import pad
F.pad(x), pad(x)
""",
    "a class that only looks like a layer": """
== base.py
import torch
class Module:
    def forward(self, x): return x
== use.py
import torch
from base import Module
class Net(Module):
    def forward(self, x): return super().forward(x)
Net().forward(1), Net().train()
""",
    "a base outside of the tree": """
== use.py
import torch
from elsewhere import Block
from .missing import Layer
class A(Block):
    def forward(self, x): return super().forward(x)
class B(Layer):
    def forward(self, x): return super().forward(x)
A().train(), B().train()
""",
    "two files of one name": """
== a/util.py
from torch import zeros
== a/b/util.py
def zeros(n): return n
== a/b/use.py
import torch
from util import zeros
zeros(3)
""",
    "a part that is missing": """
== pkg/__init__.py
== use.py
import torch
from pkg.built import zeros
from pkg import ones
import pkg.more.parts
zeros(3).sum(), ones(3).sum(), pkg.more.parts.zeros(3).sum()
""",
    "forward of a class of another file that is no module": """
== own.py
class M:
    def forward(self, x): return x
== use.py
from torch import nn
from own import M
class N(M, nn.Module): ...
class A(«nn.Module|mindspore.nn.Cell»):
    def «forward|construct»(self, x): return N().forward(x)
""",
    "a star that hides": """
== own.py
def zeros(n): return n
== unknown.py
from somewhere import *
== use.py
from torch import zeros, ones
from own import *
zeros(3)
== more.py
from torch import *
from unknown import *
ones(3)
""",
    "names that change": """
== state.py
import torch
zeros = «torch.zeros|mindspore.zeros»
def change():
    global zeros
    zeros = None
== use.py
import torch, state
from state import zeros
zeros(3), state.zeros(3)
""",
    "code without PyTorch": """
== a.py
x.cuda()
== b.py
import a
from a import x
x.cuda(), x.detach()
""",
}  # fmt: skip


@pytest.mark.parametrize("name", FOLLOWED)
def test_other_files_tell_what_is_pytorch_s(name: str, facts: Base, tmp_path: Path) -> None:
    found = files(FOLLOWED[name])
    assert ported(tmp_path, found, facts) == {n: marked.expected(t) for n, t in found.items()}


@pytest.mark.parametrize("name", LEFT)
def test_what_other_files_tell_to_be_another_s_stays(
    name: str, facts: Base, tmp_path: Path
) -> None:
    found = files(LEFT[name])
    assert ported(tmp_path, found, facts) == {n: marked.expected(t) for n, t in found.items()}
