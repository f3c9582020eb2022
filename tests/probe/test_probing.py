"""Names probed beside both frameworks, with the names and signatures that ship."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from msmap.probe import bench as benches
from msmap.probe import rounds, samples
from msmap.probe.sample import Sampling
from msmap.probed import Probe
from msmap.verify.executors.local import Local, environment

pytestmark = pytest.mark.frameworks
DATA = Path(__file__).resolve().parents[2] / "data"
NAMES = ("torch.mul", "torch.Tensor.mul_", "torch.nn.SiLU")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Probe]:
    bench = benches.read(DATA)

    def sampler(names: Sequence[str]) -> Mapping[str, Sampling]:
        return samples.read(names, bench.torch.apis, 1)

    with pytest.MonkeyPatch.context() as patch, Local(1) as local:
        patch.setenv("MSMAP_CACHE", str(tmp_path_factory.mktemp("cache")))
        probes = list(rounds.probe(bench, NAMES, sampler, local, environment(), 1))
    return {probe.name: probe for probe in probes}


def test_a_function_has_one_that_agrees_throughout(found: dict[str, Probe]) -> None:
    best = found["torch.mul"].best
    assert best is not None
    assert (best.key, best.values.share) == ("mindspore.ops.mul", 1.0)
    assert best.gradients.agreed > 0


def test_what_changes_its_input_is_told_from_what_does_not(found: dict[str, Probe]) -> None:
    """The record's way writes the product back, a function gives it and leaves the tensor."""
    tried = {
        candidate.key: {difference.outcome for difference in candidate.differences}
        for candidate in found["torch.Tensor.mul_"].candidates
    }
    changed = {key: "in_place" not in outcomes for key, outcomes in tried.items()}
    assert (changed["copy-product"], changed["mindspore.ops.mul"]) == (True, False)


def test_a_layer_runs_with_the_inputs_of_layers(found: dict[str, Probe]) -> None:
    best = found["torch.nn.SiLU"].best
    assert best is not None
    assert best.key == "mindspore.nn.SiLU"
    assert best.gradients.agreed == best.gradients.tried > 0
