"""Trying a draft as it stands."""

from __future__ import annotations

from typing import Any

from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.probe.draft import stock, trial
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


def test_a_caveat_without_a_check_is_shown_by_variants_that_do_so() -> None:
    """Of its kind or dtype, and with an error where it tells of one."""
    plain = {"en": "No device here.", "zh": "此处没有设备。"}

    def caveat(id: str, impact: str, told: dict[str, Any], why: dict[str, str]) -> dict[str, Any]:
        return {"id": id, "impact": impact, "samples": [told], "unverified": dict(why)}

    data = {
        "caveats": [
            caveat("empty", "error", {"kinds": ["empty"]}, stock.TEXTS),
            caveat("double", "silent", {"dtypes": ["float64"]}, stock.TEXTS),
            caveat("nan", "silent", {"kinds": ["nonfinite"]}, stock.TEXTS),
            caveat("half", "error", {"dtypes": ["float16"]}, plain),
        ]
    }
    gave = {
        "empty": Finding("raises"), "float64": Finding("raises"), "float16": Finding("raises"),
        "nonfinite": Finding("agrees"),
    }  # fmt: skip
    trial._by_variants(data, [Line("torch.f", "plain", "", "verified", variants=gave)])
    found = [(c["id"], c.get("variants"), c.get("unverified")) for c in data["caveats"]]
    assert found == [
        ("empty", ["empty"], None), ("double", None, stock.TEXTS), ("nan", None, stock.TEXTS),
        ("half", None, plain),
    ]  # fmt: skip
