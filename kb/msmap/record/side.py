"""What recording asks of a framework; each has a module of its own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from msmap.record.journal import Journal
from msmap.record.tensors import Tensors
from msmap.recording.model import Call, Layer


class Side(Tensors):
    """One framework, as recording sees it."""

    framework: str

    @abstractmethod
    def release(self) -> str:
        """The release that is installed."""

    @abstractmethod
    def device(self) -> str:
        """What it runs on, such as CPU."""

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

    def finish(self, nets: list[Any]) -> None:
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
