from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict
import torch
class Size(NamedTuple):
    sum: int
    max: int
    data: str = "d"
@dataclass
class Args:
    cuda: bool = False
    train: str = "train.csv"
    eval: Any = None
    parameters: list = field(default_factory=list)
    device: str = "cpu"
    def to(self, device): self.device = device; return self
class TD(TypedDict, total=False):
    shape: int
a = Args()
a.cuda = False
print(a.to("cuda").device, a.cuda, a.train.split("."), a.parameters, Size(1, 2).sum, Size(1, 2).data, a.eval)
d: TD = {"shape": 3}
print(d["shape"], d.get("shape"), list(d.values()))
