"""Trying a draft as it stands."""

from __future__ import annotations

from msmap.probe.draft import trial
from msmap.verify.plan.job import Job


def test_a_twin_of_a_check_makes_no_sample() -> None:
    """Such as `import-only`: a twin needs no run, so it isn't among the variants."""
    job = Job(
        owner="torch.abs", check="plain", hash="", torch="torch.abs(x)",
        mindspore="mindspore.ops.abs(x)",
        inputs={"x": {"shape": [2]}}, expect="same", gives={}, gradient=True, modes=(), rtol=None,
        atol=None, raises=None, state=(), twins={"import-only": "defaults"},
    )  # fmt: skip
    assert trial._sample("torch.abs", job, "import-only") is None
