"""Memory that nobody wrote to: what it holds is chance, and no result."""

from __future__ import annotations

import numpy as np

from msmap.verify.plan.job import Job
from msmap.verify.trial import inputs, trial
from msmap.verify.trial.trial import Stopped, Trial


def again(job: Job, done: Trial) -> bool:
    """Whether a trial says the same when it is repeated, with other numbers lying in memory."""
    litter()
    try:
        found = trial.run(job)
    except Stopped:
        return False
    return (found.found.differences, found.mindspore_gave) == (
        done.found.differences, done.mindspore_gave
    )  # fmt: skip


def empty(job: Job) -> bool:
    """Whether an input has no elements."""
    return any(inputs.array(name, spec).size == 0 for name, spec in job.inputs.items())


def litter() -> None:
    """Leave sevens in memory that MindSpore hands out next: what nobody writes to shows them."""
    import mindspore

    sizes = [4**n for n in range(8) for _ in range(4)]
    made = [mindspore.Tensor(np.full(size, 7, np.float32)) * 1 for size in sizes]
    for tensor in made:
        tensor.asnumpy()
