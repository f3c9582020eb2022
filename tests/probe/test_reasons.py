"""Why nothing of a name is run, as its name, kind and sampling tell."""

from __future__ import annotations

import pytest
from tests.builders.support import function, layer, method, named

from msmap.probe import reasons
from msmap.probe.sample import Sample, Sampling
from msmap.signatures.files import Api

# an API -> why it isn't even sampled
BEFORE: dict[str, tuple[Api, str]] = {
    "a dtype": (named("torch.int8", "dtype"), "constant"),
    "a constant": (named("torch.pi", "constant"), "constant"),
    "of an accelerator": (function("torch.cuda.synchronize"), "accelerator"),
    "of several processes": (function("torch.distributed.broadcast"), "service"),
    "a state": (function("torch.set_num_threads"), "no_result"),
    "a base class": (layer("torch.nn.Module", "()"), "internal"),
    "a property": (named("torch.Tensor.T", "property"), ""),
    "a function": (function("torch.mul"), ""),
    "a method": (method("torch.Tensor.mul_"), ""),
    "an operator": (method("torch.Tensor.__iadd__"), ""),
    "a private class": (layer("torch._VF", "()"), "internal"),
    "another method of Python's": (method("torch.Tensor.__setstate__"), "internal"),
}
SAMPLE = Sample("torch.mul", "op-0", "op", "torch.mul(x, x)", {}, "", ())
# what a name is sampled with -> why nothing is run
AFTER: dict[str, tuple[Sampling, str]] = {
    "samples": (Sampling("torch.mul", (SAMPLE,)), ""),
    "none": (Sampling("torch.mul", gaps={"refused": 3}), "no_samples"),
    "only devices": (Sampling("torch.Stream", gaps={"device": 3}), "accelerator"),
}


@pytest.mark.parametrize(("api", "wanted"), BEFORE.values(), ids=BEFORE.keys())
def test_why_a_name_is_not_sampled(api: Api, wanted: str) -> None:
    assert reasons.before(api) == wanted


@pytest.mark.parametrize(("sampling", "wanted"), AFTER.values(), ids=AFTER.keys())
def test_why_a_sampled_name_is_not_run(sampling: Sampling, wanted: str) -> None:
    assert reasons.after(sampling) == wanted
