from typing import TypeVar, Generic, TypeAlias, NewType
import torch
from torch import Tensor, nn
T = TypeVar("T", bound=nn.Module)
U = TypeVar("U", Tensor, "torch.LongTensor")
Batch: TypeAlias = "tuple[Tensor, Tensor]"
Ids = NewType("Ids", Tensor)
class Box(Generic[T]):
    def __init__(self, item: T) -> None:
        self.item = item
    def get(self) -> T:
        return self.item
def f(b: Batch, box: Box[nn.Linear]) -> Ids:
    x, y = b
    return Ids(x.add(y))
