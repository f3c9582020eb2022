"""Scripts that an earlier release printed still run: what they import is where it was."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")


def test_what_printed_scripts_import_is_still_there() -> None:
    from msmap.verify import inputs, state, training, trial
    from msmap.verify.job import Job
    from msmap.verify.plan import job
    from msmap.verify.trial import inputs as new_inputs
    from msmap.verify.trial import state as new_state
    from msmap.verify.trial import training as new_training
    from msmap.verify.trial import trial as new_trial

    assert (inputs, state, training) == (new_inputs, new_state, new_training)
    assert (trial.run, trial.seed, Job) == (new_trial.run, new_trial.seed, job.Job)


@pytest.mark.parametrize("place", ["msmap.verify", "msmap.verify.trial"])
def test_anything_else_is_an_attribute_error(place: str) -> None:
    module = pytest.importorskip(place)
    with pytest.raises(AttributeError, match=f"module '{place}' has no attribute 'nothing'"):
        module.nothing  # noqa: B018
