"""The recorder: begun with a model and a folder, told of steps, and closed."""

from __future__ import annotations

import errno
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from msmap import __version__, atomic
from msmap.errors import BadRecording
from msmap.record.journal import Journal
from msmap.record.side import Side
from msmap.recording import files
from msmap.recording.model import Recording

_ARRAYS = re.compile(r"(initial|(step|loss)-\d+)\.npz")


class Recorder:
    """Records what models do until it is closed.

    ::

        with Recorder(net, "torch.rec") as recorder:
            train(net)                   # each step of an optimizer ends a step

    Args:
        nets: a model, or several in a tuple, whose paths then begin with 0, 1, ...
        folder: where the recording goes, which takes an earlier one's place when it is closed;
            None keeps it in memory (``recording``).
        values: ``tensors`` or ``statistics``.
        layers: only these: paths or patterns such as ``blocks.*``.
        steps: only these, by number from 0.
        dropout: False drops nothing out.
        seed: begins random numbers anew.
        noise: run PyTorch in float64 beside, which is what differences are measured by.

    Raises:
        BadRecording: it is no model of either framework, or the folder can't be used.
    """

    def __init__(
        self, nets: Any, folder: Path | str | None = None, *, values: str = "tensors",
        layers: Iterable[str] = (), steps: Iterable[int] | None = None, dropout: bool = True,
        seed: int | None = None, noise: bool = True,
    ) -> None:  # fmt: skip
        self._nets = list(nets) if isinstance(nets, tuple) else [nets]
        if values not in ("tensors", "statistics"):
            raise BadRecording("values={!r}: tensors or statistics", values)
        self.side = side(self._nets[0] if self._nets else None, noise)
        self._folder = None if folder is None else Path(folder)
        self._place = ExitStack()
        made = None if self._folder is None else self._placed(self._folder)
        only = None if steps is None else frozenset(steps)
        self._journal = Journal(self.side, made, values, tuple(layers), only)
        self._options = {
            "layers": list(layers), "steps": None if only is None else sorted(only),
            "dropout": dropout, "seed": seed, "python": platform.python_version(),
            "msmap": __version__,
        }  # fmt: skip
        self._values = values
        self._stack = ExitStack()
        self.recording: Recording | None = None
        self._made = made
        try:
            self._begin(dropout, seed)
        except BaseException:
            self._stack.close()
            self._drop()
            raise

    def _placed(self, folder: Path) -> Path:
        """Where to make what takes the folder's place when it is whole."""
        _for_recordings(folder)
        with self._writing():
            return self._place.enter_context(atomic.replacing_folder(folder))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            full = "; free some space there" if error.errno == errno.ENOSPC else ""
            raise BadRecording("{}: {}{}", self._folder, error.strerror or error, full) from None

    def _begin(self, dropout: bool, seed: int | None) -> None:
        journal = self._journal
        self._layers = [
            (path, layer)
            for prefix, net in self._named()
            for path, layer in ((_join(prefix, p), one) for p, one in self.side.layers(net))
        ]
        journal.name({id(layer): path for path, layer in self._layers}, dropout, self._end)
        # Before dropout is switched off.
        self._described = [self.side.described(path, layer) for path, layer in self._layers]
        state = self._state()
        self._tied = _tied(state)
        self._initial = journal.of_state(state)
        with self._writing():
            journal.flush("initial")
        if seed is not None:
            self.side.seed(seed)
        if not dropout:
            self._stack.enter_context(self.side.without_dropout(self._nets))
        self._watch()
        self._stack.enter_context(self.side.recording(journal))

    def _named(self) -> list[tuple[str, Any]]:
        if len(self._nets) == 1:
            return [("", self._nets[0])]
        return [(str(number), net) for number, net in enumerate(self._nets)]

    def _state(self) -> dict[str, Any]:
        return {
            _join(prefix, name): one
            for prefix, net in self._named()
            for name, one in self.side.state(net).items()
        }

    def _watch(self) -> None:
        for prefix, net in self._named():
            for name, one in self.side.trainable(net).items():
                self._journal.watch(_join(prefix, name), one)

    def _end(self) -> None:
        with self._writing():
            self._journal.end(self._state)
        self._watch()

    def step(self, loss: Any = None) -> None:
        """A step is over; needed only where no optimizer ends it, or to tell its loss."""
        if self._journal.empty:
            if loss is not None and self._journal.steps:
                self._journal.lost_before(loss)
            return
        if loss is not None:
            self._journal.lost(loss)
        self._end()

    def close(self) -> Recording:
        """Stop recording, and write the recording."""
        if self.recording is None:
            try:
                self.recording = self._closed()
            except BaseException:
                self._drop()
                raise
        return self.recording

    def _closed(self) -> Recording:
        if not self._journal.empty:
            self._end()
        self._stop()
        recording = Recording(
            framework=self.side.framework,
            release=self.side.release(),
            device=self.side.device(),
            values=self._values,
            made_by="msmap",
            source=str(self._folder or self.side.framework),
            options=self._options,
            layers=self._described,
            tied=self._tied,
            optimizers=self._journal.optimizers,
            initial=self._initial,
            steps=self._journal.steps,
            arrays=self._journal.arrays.__getitem__,
        )
        if self._folder is not None and self._made is not None:
            with self._writing():
                files.write(self._made, recording)
                self._place.close()
            recording.arrays = files.Arrays(self._folder)
        return recording

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._stop()
            self._drop()

    def _drop(self) -> None:
        """Leave the folder as it was: what isn't whole takes nobody's place."""
        self._place.__exit__(*sys.exc_info())

    def _stop(self) -> None:
        self._stack.close()
        self._journal.stop()
        self.side.finish(self._nets)


def side(net: Any, noise: bool = True) -> Side:
    """The framework that a model is of.

    Raises:
        BadRecording: it is none of either.
    """
    torch, mindspore = sys.modules.get("torch"), sys.modules.get("mindspore")
    if torch is not None and isinstance(net, torch.nn.Module):
        from msmap.record.torch_side import TorchSide

        return TorchSide(noise)
    if mindspore is not None and isinstance(net, mindspore.nn.Cell):
        from msmap.record.mindspore_side import MindSporeSide

        return MindSporeSide()
    raise BadRecording(
        "{} is no model: give a torch.nn.Module, a mindspore.nn.Cell or a tuple of them",
        type(net).__name__,
    )


def _join(prefix: str, path: str) -> str:
    return ".".join(filter(None, (prefix, path)))


def _for_recordings(folder: Path) -> None:
    """See that a folder has nothing but an earlier recording.

    Raises:
        BadRecording: it has, or is none.
    """
    if folder.exists() and not folder.is_dir():
        raise BadRecording("{}: {}", folder, os.strerror(errno.EEXIST))
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name != files.HEAD and not _ARRAYS.fullmatch(path.name):
            raise BadRecording("{}: holds {} too; name a folder for recordings", folder, path.name)


def _tied(state: dict[str, Any]) -> list[list[str]]:
    """The names that one parameter has, where it has several."""
    named: dict[int, list[str]] = {}
    for name, one in state.items():
        named.setdefault(id(one), []).append(name)
    return [names for names in named.values() if len(names) > 1]
