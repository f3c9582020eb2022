"""Recording and comparing, as two commands ask for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msmap.messages import Message
from msmap_cli.opening import loading
from msmap_cli.output import fail

if TYPE_CHECKING:
    from msmap.compare.report import Compared
    from msmap.query.knowledge_base import KnowledgeBase
    from msmap.record.factories import Job
    from msmap.recording.model import Recording
    from msmap.weights.convert import Done

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """How a model is run and recorded."""

    inputs: tuple[str, ...]
    train: str | None
    only: tuple[str, ...]
    steps: tuple[int, ...] | None
    values: str
    mode: str
    dropout: bool
    seed: int | None
    noise: bool

    @property
    def options(self) -> dict[str, Any]:
        """What a recorder is told."""
        return {
            "layers": self.only, "steps": self.steps, "dropout": self.dropout, "seed": self.seed,
            "noise": self.noise,
        }  # fmt: skip


def numbers(text: str | None) -> tuple[int, ...] | None:
    """Numbers between commas; leave with status 2 if it is anything else."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() for part in parts):
        fail(Message('--steps "{}": numbers between commas, such as 0,1,5', text), 2)
    return tuple(int(part) for part in parts)


def record(factory: str, output: Path, asked: Asked) -> Recording:
    """A recording, written to a folder."""
    if asked.inputs and asked.train is not None:
        fail("--inputs and --train: a function that trains makes its own inputs", 2)

    def work() -> Recording:
        from msmap.record import Recorder, running

        job = _made(factory, asked)
        with Recorder(job.model, output, values=asked.values, **asked.options) as recorder:
            running.run(job, recorder, asked.mode)
        return recorder.close()

    return _aside(work)


def compare(
    kb: KnowledgeBase, one: str, other: str, asked: Asked, check: bool, layers: Path | None
) -> Compared:
    """Two recordings compared, or two models recorded and compared."""

    def work() -> Compared:
        from msmap.compare import judge
        from msmap.query.projects.compare import facts

        known = facts(kb)
        if _is_factory(one) != _is_factory(other):
            fail(Message("{} and {}: two recordings, or two factories", one, other), 2)
        if _is_factory(one):
            from msmap.record import both

            pair = both.record(
                _made(one, asked), _made(other, asked), known, asked.mode, asked.values,
                asked.options,
            )  # fmt: skip
        else:
            from msmap.compare import reading

            pair = reading.read(Path(one)), reading.read(Path(other))
        found = judge.compare(*pair, known)
        if layers is not None:
            from msmap import atomic
            from msmap.compare import layer_mapping

            atomic.write(layers, layer_mapping.text(*pair, known))
        if check or _is_factory(one):
            from msmap.verify import confirm

            confirm.confirm(found, kb)
        return found

    return _aside(work)


def loaded(kb: KnowledgeBase, done: Done, one: Job, other: Job) -> Compared:
    """Two models compared that begin with the weights of a file that was carried over."""

    def work() -> Compared:
        from msmap.compare import judge
        from msmap.query.projects.compare import facts
        from msmap.record import both
        from msmap.verify import confirm

        found = judge.compare(*both.loaded(done, one, other), facts(kb))
        confirm.confirm(found, kb)
        return found

    return _aside(work)


def made(factory: str, inputs: tuple[str, ...] = ()) -> Job:
    """What a factory makes, and what it is given."""
    from msmap.record import factories
    from msmap.record.inputs import given

    def work() -> Job:
        job = factories.make(factory)
        if inputs:
            job.inputs = given(inputs)
        return job

    return _aside(work)


def _is_factory(text: str) -> bool:
    return ":" in text and not Path(text).exists()


def _made(factory: str, asked: Asked) -> Any:
    from msmap.record import factories, inputs

    job = factories.make(factory, asked.train)
    if asked.inputs:
        job.inputs = inputs.given(asked.inputs)
    return job


def _aside(work: Callable[[], T]) -> T:
    """Do it with what a user's code prints on standard error."""
    # MindSpore warns of its own doings on standard error.
    os.environ.setdefault("GLOG_v", "3")
    with redirect_stdout(sys.stderr):
        return loading(work)
