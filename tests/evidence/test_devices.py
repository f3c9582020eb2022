"""Answers for a device: the order of targets, and the caveats that hold there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.evidence.test_verification import CAVEAT, RECORD, TARGET, ran_in

from msmap.candidates import Candidate, Probe
from msmap.errors import UnknownDevice
from msmap.evidence import devices, verification
from msmap.model import Parameter, Target
from msmap.probed import Tally

DIM = Parameter(
    torch=("dim",), mindspore=("axis",), relation="renamed", derived=False, torch_default=None,
    mindspore_default=None, torch_position=1, mindspore_position=1, value=None, cases=(), allow=(),
    keyword=False, note=None,
)  # fmt: skip


def target(key: str, *runs_on: str, relation: str = "same") -> Target:
    api = key if key.startswith("mindspore") else None
    name = "axis" if relation == "renamed" else "dim"
    parameters = (replace(DIM, mindspore=(name,), relation=relation),)
    return replace(TARGET, key=key, api=api, runs_on=runs_on, parameters=parameters)


OPS = target("mindspore.ops.sum", "Ascend", "GPU", "CPU", relation="renamed")
MINT = target("mindspore.mint.sum", "Ascend")
OTHER_MINT = target("mindspore.mint.total", "Ascend", relation="renamed")
NN = target("mindspore.nn.Sum", "CPU", "GPU")
COMPOSED = target("by-hand")


@pytest.mark.parametrize(
    ("device", "given", "expected"),
    [
        ("Ascend", [OPS, MINT], [MINT, OPS]),
        ("Ascend", [OPS, OTHER_MINT], [OPS, OTHER_MINT]),
        ("Ascend", [NN, COMPOSED, OPS, MINT], [MINT, OPS, COMPOSED, NN]),
        ("CPU", [MINT, OPS, NN], [OPS, NN, MINT]),
        ("GPU", [OPS, MINT, COMPOSED], [OPS, COMPOSED, MINT]),
        ("CPU", [MINT], [MINT]),
        ("CPU", [], []),
    ],
)  # fmt: skip
def test_the_best_target_of_a_device_stands_first(
    device: str, given: list[Target], expected: list[Target]
) -> None:
    record = replace(RECORD, targets=tuple(given))
    assert list(devices.record(record, device).targets) == expected


def test_of_targets_for_some_calls_the_order_stays_where_nothing_is_documented() -> None:
    """As round without decimals, of which MindSpore's documentation says no device."""
    plain = replace(target("mindspore.Tensor.round"), absent=("decimals",))
    other = replace(target("mindspore.numpy.round", "Ascend", "GPU"), given=("decimals",))
    record = replace(RECORD, targets=(plain, other))
    assert devices.record(record, "Ascend").targets == (plain, other)


@pytest.mark.parametrize(
    ("relations", "first"),
    [
        ({"reordered": ("dim", "dim"), "universal_absent": ("out", "")}, True),
        ({"same": ("dim", "dim"), "source_only_unsupported": ("bias", "")}, True),
        (
            {"type_differs": ("correction", "correction"), "renamed": ("unbiased", "correction")},
            True,
        ),
        ({"same": ("dim", "dim"), "target_only_keep_default": ("", "device")}, True),
        ({"same": ("dim", "dim"), "default_differs": ("p", "p")}, False),
        ({"same": ("dim", "dim"), "value_transformed": ("momentum", "momentum")}, False),
        ({"same": ("dim", "dim"), "target_only_must_set": ("", "size")}, False),
        ({"same": ("dim", "dim"), "renamed": ("input", "tensor")}, False),
    ],
    ids=str,
)
def test_a_signature_is_pytorchs_own_where_names_and_defaults_are(
    relations: dict[str, tuple[str, str]], first: bool
) -> None:
    parameters = tuple(
        replace(DIM, relation=relation, torch=tuple(filter(None, [torch])),
                mindspore=tuple(filter(None, [mindspore])))
        for relation, (torch, mindspore) in relations.items()
    )  # fmt: skip
    mint = replace(MINT, parameters=parameters)
    found = devices.record(replace(RECORD, targets=(OPS, mint)), "Ascend")
    assert (found.targets[0] == mint) is first


def test_the_record_is_what_its_best_target_there_is() -> None:
    ops = replace(OPS, category="renamed_params", verification="verified")
    mint = replace(MINT, category="identical", verification="untestable")
    record = replace(RECORD, targets=(ops, mint), category="renamed_params")
    found = devices.record(record, "Ascend")
    assert (found.category, found.verification) == ("identical", "untestable")


@pytest.mark.parametrize(
    ("outcome", "first"),
    [("verified", "by-hand"), ("refuted", OPS.key), ("untestable", OPS.key), ("stale", OPS.key)],
)
def test_what_ran_on_a_device_is_as_good_as_its_documentation(outcome: str, first: str) -> None:
    """A composition that nobody documents comes first in its record if it agreed there."""
    check = replace(ran_in(CPU="verified", ASCEND=outcome), target="by-hand")
    record = verification.judged(replace(RECORD, targets=(COMPOSED, OPS), checks=(check,)))
    assert devices.record(record, "Ascend").targets[0].key == first


def test_caveats_that_hold_on_a_device_come_before_those_seen_elsewhere() -> None:
    kernel = replace(CAVEAT, id="kernel", device=("CPU",))
    both = replace(CAVEAT, id="both", device=("CPU", "Ascend"))
    everywhere = replace(CAVEAT, id="everywhere")
    record = replace(RECORD, caveats=(kernel, both, everywhere))
    assert devices.caveats(record, "Ascend") == ((both, everywhere), (kernel,))
    assert devices.caveats(record, "CPU") == ((kernel, both, everywhere), ())
    assert devices.record(record, "Ascend").caveats == (both, everywhere, kernel)


@pytest.mark.parametrize("text", ["ascend", "Ascend", " ASCEND "])
def test_a_device_is_meant_in_any_case(text: str) -> None:
    assert devices.parse(text) == "Ascend"


@pytest.mark.parametrize("text", ["", "tpu", "npu"])
def test_what_is_no_device(text: str) -> None:
    with pytest.raises(UnknownDevice) as caught:
        devices.parse(text)
    assert str(caught.value) == f'device "{text}": one of ascend, gpu, cpu'


def test_caveats_of_the_best_target_come_before_those_of_others() -> None:
    of_ops = replace(CAVEAT, id="of-ops", target=OPS.key)
    of_mint = replace(CAVEAT, id="of-mint", target=MINT.key)
    of_all = replace(CAVEAT, id="of-all", target=None)
    kernel = replace(CAVEAT, id="kernel", device=("CPU",))
    record = replace(RECORD, targets=(OPS, MINT), caveats=(of_ops, kernel, of_all, of_mint))
    assert devices.record(record, "Ascend").caveats == (of_all, of_mint, of_ops, kernel)
    assert devices.record(record, "CPU").caveats == (of_ops, kernel, of_all, of_mint)


def test_candidates_documented_for_a_device_come_first_and_those_for_others_last() -> None:
    """Of what nothing is documented, nothing is known; all else stays in its order."""
    listed = {"a": ("CPU",), "b": (), "c": ("Ascend", "CPU"), "d": ("Ascend",), "e": ()}
    found = Probe(
        "torch.x", "function", (), (), "", "here", "", {}, {},
        tuple(
            Candidate(name, "form", runs_on, Tally(), Tally(), Tally(), {}, {}, (), None)
            for name, runs_on in listed.items()
        ),
        "",
    )  # fmt: skip
    ranked = {
        device: "".join(c.mindspore for c in devices.probe(found, device).candidates)
        for device in ("Ascend", "GPU", "CPU")
    }
    assert ranked == {"Ascend": "cdbea", "GPU": "beacd", "CPU": "acbed"}
