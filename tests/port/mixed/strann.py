from __future__ import annotations
from typing import Callable, List, Optional, Tuple, Union, Dict, Any
import torch
from torch import Tensor, nn
TensorLike = Union[torch.Tensor, float]
Pair = Tuple[Tensor, "torch.Tensor"]
def f(x: "torch.Tensor", y: 'Optional[Tensor]' = None, m: "nn.Module" = None, *a: "torch.Size") -> "Dict[str, torch.Tensor]":
    return {"x": x.view(-1), "s": x.size(0)}
def g(fn: Callable[[Tensor], Tensor], d: torch.device | None = None, t: torch.dtype = torch.float32) -> List[torch.LongTensor]:
    return [fn(torch.zeros(1, dtype=t))]
class P:
    a: "torch.Tensor"
    b: torch.Tensor = torch.zeros(2)
    c: Optional["nn.Linear"] = None
    def h(self: "P", o: "torch.optim.Optimizer", s: torch.optim.lr_scheduler._LRScheduler, gen: torch.Generator) -> None:
        self.a.sum(); self.b.size(0); self.c.weight; o.step(); s.step()
