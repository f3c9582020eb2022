"""What probing found of a few names of the small data directory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from msmap.evidence import probes
from msmap.probe import bench as benches
from msmap.probe.samples import LIMIT
from msmap.probed import Candidate, Difference, Probe, Tally

ENVIRONMENT = "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64"
EARLIER = "torch-2.13.0_mindspore-2.9.0_cpu_linux-x86_64"

DIFFERS = Difference(
    outcome="differs",
    count=4,
    message="1 of 3 values differ",
    dtypes=("int8",),
    kinds=("plain", "0-d"),
    sample="op-3-int8",
    torch="torch.relu(input)",
    mindspore="mindspore.ops.relu(input)",
    inputs={
        "input": {"values": [-128, 0, 1], "dtype": "int8"},
        "other": {"shape": [2, 3], "dtype": "float32", "low": -1.0, "high": 1.0},
    },
    torch_gave="[0, 0, 1]",
    mindspore_gave="[-128, 0, 1]",
)
NO_KERNEL = Difference(
    outcome="no_kernel",
    count=1,
    message="ReLU with bool is not supported on CPU",
    dtypes=("bool",),
    kinds=("plain",),
    sample="op-1-bool",
    torch="torch.relu(input)",
    mindspore="mindspore.ops.relu(input)",
    inputs={"input": {"values": [True], "dtype": "bool"}},
    torch_gave="[True]",
)
# Most agree; three candidates in detail, and one by its tallies.
RELU = Probe(
    name="torch.relu",
    hash="0123456789ab",
    samples={"op": 48, "error": 2},
    gaps={"dtype": 3},
    candidates=(
        Candidate(
            target={"api": "mindspore.ops.relu"},
            found="same_name",
            values=Tally(43, 48),
            gradients=Tally(12, 12),
            errors=Tally(1, 2),
            dtypes={"float32": Tally(43, 43), "int8": Tally(0, 4), "bool": Tally(0, 1)},
            kinds={"plain": Tally(30, 34), "0-d": Tally(13, 14)},
            differences=(NO_KERNEL, DIFFERS),
        ),
        Candidate(
            target={"api": "mindspore.nn.ReLU"},
            found="form",
            values=Tally(40, 48),
            gradients=Tally(10, 12),
            dtypes={"float32": Tally(40, 43), "int8": Tally(0, 5)},
            kinds={"plain": Tally(40, 48)},
        ),
        Candidate(
            target={
                "id": "through-tanh",
                "expression": "{input} * (mindspore.ops.tanh({input}) > 0)",
                "parameters": [],
            },
            found="likeness",
            values=Tally(30, 48),
        ),
        Candidate(target={"api": "mindspore.nn.GELU"}, found="likeness", values=Tally(0, 48)),
    ),
)
# All agree, and a parameter has another name and default.
SOFTMAX = Probe(
    name="torch.nn.Softmax",
    hash="0123456789ab",
    samples={"module": 8},
    candidates=(
        Candidate(
            target={
                "api": "mindspore.nn.Softmax",
                "parameters": [{"torch": "dim", "mindspore": "axis", "relation": "renamed"}],
            },
            found="same_name",
            values=Tally(8, 8),
            gradients=Tally(8, 8),
            dtypes={"float32": Tally(8, 8)},
            kinds={"plain": Tally(8, 8)},
        ),
    ),
)
# A candidate that never agreed is no counterpart.
TANH = Probe(
    name="torch.tanh",
    hash="0123456789ab",
    samples={"op": 6},
    candidates=(
        Candidate(target={"api": "mindspore.ops.tanh"}, found="same_name", values=Tally(0, 6)),
    ),
)
# Nothing was run: with a candidate by name alone, and without any.
DROPOUT = Probe(
    name="torch.nn.functional.dropout",
    hash="0123456789ab",
    reason="no_samples",
    candidates=(Candidate(target={"api": "mindspore.ops.dropout"}, found="same_name"),),
)
VIEW = Probe(name="torch.Tensor.view", hash="0123456789ab", reason="no_candidate")
# Has a record: a reader never sees the probe.
CAT = Probe(
    name="torch.cat",
    hash="0123456789ab",
    candidates=(Candidate(target={"api": "mindspore.mint.cat"}, found="record"),),
)
# Not among the names of PyTorch.
GONE = Probe(name="torch.gone", hash="0123456789ab", reason="service")
ALL = (RELU, SOFTMAX, TANH, DROPOUT, VIEW, CAT, GONE)


# What others publish of these names.
TABLE = """
id: pairs-of-others
title: {en: Pairs, zh: 对照表}
mindspore: "2.4"
rows:
  same:
    - [torch.relu, mindspore.ops.relu]
    - [torch.nn.Softmax, mindspore.nn.Softmax]
    - [torch.tanh, mindspore.ops.Gone]
  names:
    - [torch.nn.Softmax, mindspore.nn.Softmax, dim]
"""


def write(data: Path, *, earlier: bool = False) -> None:
    """Put what was found into a data directory; ``earlier`` also some of the release before.

    It is as if it had just been run: nothing of it is stale.
    """
    tables = data / "tables"
    tables.mkdir()
    (tables / "pairs.yaml").write_text(TABLE, encoding="utf-8")
    probes.write(probes.path(data, ENVIRONMENT), current(data, ALL))
    if earlier:
        probes.write(probes.path(data, EARLIER), [SOFTMAX])


def current(data: Path, found: Iterable[Probe]) -> list[Probe]:
    """Probes with the hashes that they have if they were run now."""
    bench = benches.read(data)
    return [
        replace(p, hash=bench.hash(bench.chosen(p.name), LIMIT)) if p.name != GONE.name else p
        for p in found
    ]
