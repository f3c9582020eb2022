"""Both sides in one process: PyTorch's weights on both, the same inputs, each recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from msmap.compare import pairing, state
from msmap.compare.terms import Facts
from msmap.errors import BadRecording
from msmap.record import running
from msmap.record.factories import Job
from msmap.record.inputs import as_arrays
from msmap.record.recorder import Recorder
from msmap.recording.model import Recording
from msmap.weights import loading
from msmap.weights.convert import Done


def record(
    one: Job, other: Job, facts: Facts, mode: str, values: str, options: dict[str, Any]
) -> tuple[Recording, Recording]:
    """Recordings of both, PyTorch's first.

    Raises:
        BadRecording: they aren't one of each framework, or can't be run.
    """
    torch, mindspore = _sides(one, other)
    given = carry(torch, mindspore, facts)
    made = _recorded(torch, mindspore, mode, values, options)
    made[1].options["carried"] = given
    return made


def loaded(done: Done, one: Job, other: Job) -> tuple[Recording, Recording]:
    """The same of models that begin with the weights of a file that was carried over.

    Raises:
        BadRecording: they aren't one of each framework, or can't be run.
    """
    torch, mindspore = _sides(one, other)
    loading.load_torch(torch.model, done.torch)
    loading.load_mindspore(mindspore.model, done.mindspore)
    return _recorded(torch, mindspore, "both", "tensors", {"dropout": False})


def _recorded(
    torch: Job, mindspore: Job, mode: str, values: str, options: dict[str, Any]
) -> tuple[Recording, Recording]:
    inputs = torch.inputs if torch.inputs is not None else mindspore.inputs
    if inputs is not None:
        # The same values on both sides, whoever gave them.
        inputs = as_arrays(inputs)
        torch, mindspore = replace(torch, inputs=inputs), replace(mindspore, inputs=inputs)
    made = []
    for job in (torch, mindspore):
        with Recorder(job.model, values=values, **options) as recorder:
            running.run(job, recorder, mode)
        recording = recorder.close()
        recording.source = job.name
        made.append(recording)
    return made[0], made[1]


def _sides(one: Job, other: Job) -> tuple[Job, Job]:
    from msmap.record.recorder import side

    known = {side(_first(job), noise=False).framework: job for job in (one, other)}
    if len(known) < 2:
        raise BadRecording(
            "{} and {} are both of {}: one of PyTorch and one of MindSpore are compared",
            one.name,
            other.name,
            next(iter(known)),
        )
    return known["torch"], known["mindspore"]


def _first(job: Job) -> Any:
    return job.model[0] if isinstance(job.model, tuple) else job.model


def carry(torch: Job, mindspore: Job, facts: Facts) -> int:
    """Give MindSpore's model PyTorch's weights where they have a partner; how many."""
    looks = []
    for job in (torch, mindspore):
        recorder = Recorder(job.model, noise=False)
        looks.append(recorder.close())
    pairs = pairing.pair(looks[0], looks[1], facts)
    states = state.pair(looks[0], looks[1], pairs, facts)
    models = mindspore.model if isinstance(mindspore.model, tuple) else (mindspore.model,)
    several = len(models) > 1
    count = 0
    for number, model in enumerate(models):
        before = f"{number}." if several else ""
        arrays = {}
        for one in states.pairs:
            if one.mindspore.startswith(before):
                mapped = state.mapped(looks[0], looks[0].initial, one)
                value = looks[0].value(looks[0].initial[one.torch]) if mapped is None else mapped
                there = looks[1].initial[one.mindspore].shape
                if value.shape == there or value.size == _size(there):
                    arrays[one.mindspore.removeprefix(before)] = value.reshape(there)
        _put(model, arrays)
        count += len(arrays)
    return count


def _put(model: Any, arrays: dict[str, Any]) -> None:
    """Give parameters and buffers their values, tied ones under any of their names."""
    import mindspore

    from msmap.record.mindspore_side import MindSporeSide

    held = MindSporeSide().state(model)
    for name, array in arrays.items():
        made = mindspore.Tensor(np.ascontiguousarray(array)).astype(held[name].dtype)
        # A buffer is a plain tensor.
        (held[name].set_data if hasattr(held[name], "set_data") else held[name].copy_)(made)


def _size(shape: tuple[int, ...]) -> int:
    found = 1
    for size in shape:
        found *= size
    return found
