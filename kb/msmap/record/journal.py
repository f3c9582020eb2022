"""What happens while a model runs, written down step by step."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from msmap.record.tensors import Tensors, plain_dtype
from msmap.recording import files, numbers
from msmap.recording.model import Call, Step, Tensor


class Journal:
    """Calls, tensors and gradients in the order in which they come.

    Arrays go to ``STEP.npz`` in the folder when a step ends; without a folder they stay in
    ``arrays``. ``quiet`` above 0 says that calls of functions are nobody's own.
    """

    def __init__(
        self, side: Tensors, folder: Path | None, values: str,
        layers: tuple[str, ...] = (), steps: frozenset[int] | None = None,
    ) -> None:  # fmt: skip
        self.side, self.folder, self.values = side, folder, values
        self.only, self.wanted = layers, steps
        self.arrays: dict[str, Any] = {}
        self.steps: list[Step] = []
        self.optimizers: list[dict[str, Any]] = []
        self.quiet = 0
        self.no_dropout = False
        self._thread = threading.get_ident()
        self._paths: dict[int, str] = {}
        self._step_ends: Callable[[], None] = lambda: None
        self._number = 0
        self._held: list[Any] = []
        self._begin()

    def _begin(self) -> None:
        self.step = Step(number=self._number)
        self.active = self.wanted is None or self._number in self.wanted
        self._stack: list[int | None] = []
        self._seen: dict[tuple[int, int, int], int] = {}
        self._values: list[tuple[Tensor, Any]] = []
        self._stops: list[Callable[[], None]] = []
        self._ended = 0
        # What died would give its number to another tensor.
        self._held = []

    def name(self, paths: dict[int, str], dropout: bool, ends: Callable[[], None]) -> None:
        """Tell the paths of layers, whether there is dropout, and what ends a step."""
        self._paths, self.no_dropout, self._step_ends = paths, not dropout, ends

    def path(self, layer: Any) -> str:
        """The path of a layer; of one outside of the model, its class in brackets."""
        found = self._paths.get(id(layer))
        return f"({type(layer).__name__})" if found is None else found

    def knows(self, layer: Any) -> bool:
        """Whether a layer is one of the model's."""
        return id(layer) in self._paths

    def optimizing(self, name: str, arguments: dict[str, Any]) -> None:
        """An optimizer begins its step."""
        if not any(one["name"] == name for one in self.optimizers):
            self.optimizers.append({"name": name, "arguments": arguments})

    def stepped(self) -> None:
        """An optimizer has ended its step."""
        self._step_ends()

    @property
    def empty(self) -> bool:
        """Whether nothing has happened in this step."""
        return self.step.loss is None and not any(call.layer for call in self.step.calls)

    def wants(self, path: str) -> bool:
        """Whether the calls of a layer are to be recorded: those of the thread that began this.

        Others load data while a step runs, and would come in between by chance.
        """
        if not self.active or threading.get_ident() != self._thread:
            return False
        return not self.only or any(
            fnmatchcase(path, pattern) or path.startswith(f"{pattern}.") for pattern in self.only
        )

    def enter(self, call: Call, given: Any) -> int:
        """A call begins; its number."""
        call.inside = next((n for n in reversed(self._stack) if n is not None), None)
        call.inputs = self._places(given)
        self.step.calls.append(call)
        self._stack.append(len(self.step.calls) - 1)
        return len(self.step.calls) - 1

    def leave(self, number: int, gave: Any) -> None:
        """A call comes back with what it gave."""
        call = self.step.calls[number]
        while self._stack and self._stack.pop() != number:
            pass
        call.outputs = self._places(gave)
        if not call.outputs and not call.layer and number == len(self.step.calls) - 1:
            # A size, or what writes into something else.
            self.step.calls.pop()
            return
        call.ended, self._ended = self._ended, self._ended + 1

    def abandon(self, number: int) -> None:
        """A call raised."""
        while self._stack and self._stack.pop() != number:
            pass

    def _places(self, value: Any) -> list[tuple[str, int]]:
        return [(where, self._tensor(one)) for where, one in self.side.leaves(value)]

    def _tensor(self, tensor: Any) -> int:
        array = self.side.array(tensor)
        # Not all that writes into a tensor counts as another version of it.
        key = (*self.side.key(tensor), zlib.crc32(array.tobytes()))
        if key in self._seen:
            return self._seen[key]
        made = Tensor(plain_dtype(tensor.dtype), tuple(array.shape))
        made.own = error(array, self.side.exact(tensor))
        number = self._seen[key] = len(self.step.tensors)
        self.step.tensors.append(made)
        self._keep(made, array)
        self._held.append(tensor)
        self._stops.append(self.side.on_gradient(tensor, self._gradients(made)))
        return number

    def _keep(self, tensor: Tensor, array: Any) -> None:
        self._values.append((tensor, array))

    def _gradients(self, of: Tensor) -> Callable[[Any, Any], None]:
        """What takes the gradients by a tensor; those of several ways are added up."""
        return self._adding(lambda: of.gradient, lambda made: setattr(of, "gradient", made))

    def _adding(
        self, get: Callable[[], Tensor | None], put: Callable[[Tensor], None]
    ) -> Callable[[Any, Any], None]:
        step = self.step
        state: dict[str, Any] = {}

        def told(array: Any, exact: Any) -> None:
            if self.step is not step:
                return
            if array is not None:
                if get() is None:
                    made = Tensor(plain_dtype(array.dtype), tuple(array.shape))
                    put(made)
                    state["at"] = len(self._values)
                    self._values.append((made, array))
                else:
                    made, before = self._values[state["at"]]
                    self._values[state["at"]] = (made, before + array)
            if exact is not None:
                state["exact"] = state["exact"] + exact if "exact" in state else exact
                found = get()
                if found is not None:
                    found.own = error(self._values[state["at"]][1], state["exact"])

        return told

    def watch(self, name: str, parameter: Any) -> None:
        """Take the gradients by a parameter in this step."""
        if self.active:
            gradients = self.step.gradients
            told = self._adding(
                lambda: gradients.get(name), lambda made: gradients.__setitem__(name, made)
            )
            self._stops.append(self.side.on_gradient(parameter, told))

    def lost_before(self, loss: Any) -> None:
        """The loss of the step that has just ended, where nobody told it."""
        if self.steps[-1].loss is None and self.steps[-1].number == self._number - 1:
            self.steps[-1].loss = self._single(loss)
            self.flush(f"loss-{self._number - 1}")

    def lost(self, loss: Any) -> None:
        """The loss of this step: the last one counts."""
        if self.active and self.step.loss is None:
            self.step.loss = self._single(loss)

    def _single(self, tensor: Any) -> Tensor:
        array = self.side.array(tensor) if self.side.is_tensor(tensor) else np.asarray(tensor)
        dtype = plain_dtype(getattr(tensor, "dtype", array.dtype))
        made = Tensor(dtype, tuple(array.shape))
        if self.side.is_tensor(tensor):
            made.own = error(array, self.side.exact(tensor))
        self._keep(made, array)
        return made

    def of_state(self, state: dict[str, Any]) -> dict[str, Tensor]:
        """Parameters and buffers as they are now; tied ones share their values."""
        seen: dict[int, Tensor] = {}
        found = {}
        for name, one in state.items():
            if id(one) not in seen:
                seen[id(one)] = self._single(one)
            found[name] = seen[id(one)]
        return found

    def flush(self, name: str) -> None:
        """Give the values that were seen their place, under a file's name."""
        arrays = {}
        for number, (tensor, array) in enumerate(self._values):
            if self.values == "statistics":
                tensor.statistics = numbers.statistics(array)
            else:
                arrays[str(number)] = array
                tensor.data = f"{name}/{number}"
        self._values = []
        if self.folder is None:
            self.arrays |= {f"{name}/{key}": array for key, array in arrays.items()}
        elif arrays:
            files.write_arrays(self.folder, name, arrays)

    def end(self, state: Callable[[], dict[str, Any]]) -> None:
        """The step ends; ``state`` gives parameters and buffers."""
        if self.active:
            self.step.state = self.of_state(state())
            self.flush(f"step-{self._number}")
            self.steps.append(self.step)
        self.stop()
        self._number += 1
        self._begin()

    def stop(self) -> None:
        """Take no more gradients."""
        for stop in self._stops:
            stop()
        self._stops = []


def error(array: Any, exact: Any) -> tuple[float, float] | None:
    """The largest error of values that should be others, and the root of its mean square."""
    if exact is None or exact.shape != array.shape or array.dtype.kind != "f" or not array.size:
        return None
    with np.errstate(all="ignore"):
        off = np.abs(array.astype(np.float64) - exact)
    off = off[np.isfinite(off)]
    if not off.size:
        return None
    return float(off.max()), float(np.sqrt(np.mean(np.square(off))))
