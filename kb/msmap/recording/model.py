"""What a recording holds, as plain objects; docs/compare.md describes its files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msmap.errors import BadRecording

FORMAT = "msmap recording"
VERSION = 1


@dataclass(slots=True)
class Tensor:
    """A tensor that was seen; ``dtype`` is without the framework's prefix, such as ``float32``.

    ``data`` names its values among the arrays of the recording, "" where only ``statistics`` were
    kept. ``own`` is how far PyTorch's float32 is from its own float64: the largest error, and the
    root of the mean square. ``gradient`` is that of the loss by this tensor.
    """

    dtype: str
    shape: tuple[int, ...]
    data: str = ""
    statistics: dict[str, Any] | None = None
    own: tuple[float, float] | None = None
    gradient: Tensor | None = None


@dataclass(slots=True)
class Call:
    """A call of a layer, or of a function between layers.

    ``name`` is the public name of what was called, or the class of the user's own layer. ``inside``
    is the number of the call around it, ``ended`` says in which order calls came back. Inputs and
    outputs are places such as ``0`` or ``1.x`` with numbers of tensors of the step; ``arguments``
    are what else a function was given.
    """

    layer: bool
    path: str
    name: str
    inside: int | None = None
    ended: int = -1
    training: bool | None = None
    inputs: list[tuple[str, int]] = field(default_factory=list)
    outputs: list[tuple[str, int]] = field(default_factory=list)
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Layer:
    """A layer of the model, by its path; ``own`` says that its class is the user's.

    ``base`` is the nearest class of the framework's that it is of. ``arguments`` are those of its
    constructor as far as they can be told; ``state`` are the shapes of its parameters and buffers
    by name.
    """

    path: str
    name: str
    base: str
    own: bool
    arguments: dict[str, Any] = field(default_factory=dict)
    state: dict[str, tuple[int, ...]] = field(default_factory=dict)
    buffers: tuple[str, ...] = ()


@dataclass(slots=True)
class Step:
    """What happened up to the end of a step, and what parameters and buffers were after it."""

    number: int = 0
    calls: list[Call] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    loss: Tensor | None = None
    gradients: dict[str, Tensor] = field(default_factory=dict)
    state: dict[str, Tensor] = field(default_factory=dict)


@dataclass(slots=True)
class Recording:
    """What one side did; ``arrays`` gives the values that a name of ``data`` stands for."""

    framework: str
    release: str
    device: str
    values: str
    made_by: str
    source: str
    options: dict[str, Any] = field(default_factory=dict)
    layers: list[Layer] = field(default_factory=list)
    tied: list[list[str]] = field(default_factory=list)
    optimizers: list[dict[str, Any]] = field(default_factory=list)
    initial: dict[str, Tensor] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    arrays: Callable[[str], Any] = dict[str, Any]().__getitem__

    def value(self, tensor: Tensor) -> Any:
        """The values of a tensor as an array; None where only statistics were kept.

        Raises:
            BadRecording: the values can't be read, or aren't what was said of them.
        """
        if not tensor.data:
            return None
        found = self.arrays(tensor.data)
        if tuple(found.shape) != tuple(tensor.shape):
            raise BadRecording(
                "{}: {} has the shape {}, not the {} that recording.json says; record it again",
                self.source,
                tensor.data,
                tuple(found.shape),
                tuple(tensor.shape),
            )
        return found
