"""What recording asks of a framework; each has a module of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from msmap.recording.model import Call, Layer

if TYPE_CHECKING:
    from msmap.record.journal import Journal

# Dtypes by either framework's spelling.
_SPELLED = {"bool_": "bool", "half": "float16", "float": "float32", "double": "float64"}


class Side(ABC):
    """One framework, as recording sees it."""

    framework: str

    @abstractmethod
    def release(self) -> str:
        """The release that is installed."""

    @abstractmethod
    def device(self) -> str:
        """What it runs on, such as CPU."""

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

    @abstractmethod
    def layers(self, net: Any) -> Iterator[tuple[str, Any]]:
        """All layers with their paths, the model itself first, under ""."""

    @abstractmethod
    def described(self, path: str, layer: Any) -> Layer:
        """What a recording says of a layer."""

    @abstractmethod
    def state(self, net: Any) -> dict[str, Any]:
        """Parameters and buffers by name, tied ones under each of their names."""

    @abstractmethod
    def trainable(self, net: Any) -> dict[str, Any]:
        """Parameters that gradients are asked of, by name."""

    @abstractmethod
    def recording(self, journal: Journal) -> AbstractContextManager[None]:
        """Tell a journal of all calls, losses and steps while the block runs."""

    @abstractmethod
    def without_dropout(self, nets: list[Any]) -> AbstractContextManager[None]:
        """Nothing is dropped out in these models while the block runs."""

    @abstractmethod
    def seed(self, number: int) -> None:
        """Begin all random numbers anew."""

    def finish(self, nets: list[Any]) -> None:  # noqa: B027
        """Forget what was computed beside."""

    def called(
        self,
        journal: Journal,
        call: Callable[..., Any],
        layer: Any,
        args: Any,
        kwargs: Any,
        made: Callable[[str], Call],
        own: bool,
        drops: bool,
    ) -> Any:
        """What a layer gives, told to a journal if it wants to know.

        Args:
            journal: what is told.
            call: what computes it.
            layer: the layer.
            args: what it is given.
            kwargs: what it is given by name.
            made: the call as it is told, by the layer's path.
            own: whether its class is the user's; calls within others aren't told.
            drops: whether it is nothing but dropout.
        """
        path = journal.path(layer)
        if not journal.wants(path):
            return call(layer, *args, **kwargs)
        number = journal.enter(made(path), [*args, kwargs])
        quiet, journal.quiet = journal.quiet, 0 if own else 1
        try:
            dropped = journal.no_dropout and drops
            out = args[0] if dropped and args else call(layer, *args, **kwargs)
        except BaseException:
            journal.abandon(number)
            raise
        finally:
            journal.quiet = quiet
        journal.leave(number, out)
        return out

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
