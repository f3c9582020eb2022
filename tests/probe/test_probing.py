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
NAMES = ("torch.mul", "torch.Tensor.div_", "torch.nn.SiLU")


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


def test_a_method_that_changes_its_input_has_none_that_does(found: dict[str, Probe]) -> None:
    """On a CPU, MindSpore's `div_` gives the quotient and leaves the tensor as it was."""
    best = found["torch.Tensor.div_"].best
    assert best is not None
    assert "in_place" in {difference.outcome for difference in best.differences}


def test_a_layer_runs_with_the_inputs_of_layers(found: dict[str, Probe]) -> None:
    best = found["torch.nn.SiLU"].best
    assert best is not None
    assert best.key == "mindspore.nn.SiLU"
    assert best.gradients.agreed == best.gradients.tried > 0
