"""What recording asks of a framework's tensors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

# Dtypes by either framework's spelling.
_SPELLED = {"bool_": "bool", "half": "float16", "float": "float32", "double": "float64"}


class Tensors(ABC):
    """The tensors of one framework, as recording sees them."""

    @abstractmethod
    def is_tensor(self, value: Any) -> bool:
        """Whether a value is a tensor of this framework's."""

    @abstractmethod
    def key(self, tensor: Any) -> tuple[int, int]:
        """What tells a tensor from others as long as it lives, with what is known of writes."""

    @abstractmethod
    def array(self, tensor: Any) -> Any:
        """A copy of a tensor's values; bfloat16 as float32."""

    @abstractmethod
    def exact(self, tensor: Any) -> Any:
        """The same in float64, where it was computed in float64 from the start; else None."""

    @abstractmethod
    def on_gradient(self, tensor: Any, told: Callable[[Any, Any], None]) -> Callable[[], None]:
        """Tell of gradients by a tensor: values, then again with those in float64; how to stop."""

    def leaves(self, value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
        """The tensors in a value with their places, such as ``0`` or ``1.hidden``."""
        if self.is_tensor(value):
            yield at or "0", value
        elif isinstance(value, dict):
            for key, one in value.items():
                yield from self.leaves(one, f"{at}.{key}" if at else str(key))
        elif isinstance(value, tuple | list):
            for number, one in enumerate(value):
                yield from self.leaves(one, f"{at}.{number}" if at else str(number))


def plain_dtype(dtype: Any) -> str:
    """A dtype without the framework's prefix and spelling: ``float32`` of both frameworks."""
    name = str(dtype).removeprefix("torch.").lower()
    return _SPELLED.get(name, name)


def plain(value: Any) -> Any:
    """An argument as JSON has it; None, with no word, where it can't be."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list) and len(value) <= 16:
        return [plain(one) for one in value]
    return f"<{type(value).__name__}>"


def is_plain(value: Any) -> bool:
    """Whether an argument can be told as it is."""
    if isinstance(value, tuple | list):
        return len(value) <= 16 and all(is_plain(one) for one in value)
    return value is None or isinstance(value, bool | int | float | str)
