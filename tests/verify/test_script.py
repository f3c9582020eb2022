"""A check as a script: what `msmap verify` and `msmap evidence show` print, to read and rerun."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders.checks import job

from msmap.verify import script as snippet
from msmap.verify.plan.job import Job

JOB = job(
    owner="torch.add", torch="y = x + 1\n(y +\n 1)", mindspore="x + 2", expect="same-distribution",
    inputs={"x": {"values": [1.0, float("nan")], "dtype": "float32"}},
)  # fmt: skip

SCRIPT = """\
# torch.add: case
import numpy as np
import torch, mindspore
from numpy import inf, nan
from msmap.verify.trial import inputs, trial
nn, F, ms = torch.nn, torch.nn.functional, mindspore
mindspore.runtime.launch_blocking()
x_ = inputs.array('x', {'values': [1.0, nan], 'dtype': 'float32'})

trial.seed()
x = torch.tensor(x_)
y = x + 1
print("torch:", (y +
 1))

trial.seed()
x = mindspore.Tensor(x_)
print("mindspore:", x + 2)
"""

RANKED = replace(
    JOB, torch="rank = 1\nrank + 1", mindspore="2", inputs={}, ranks=2,
)  # fmt: skip
RANKED_SCRIPT = """\
# torch.add: case
import numpy as np
import torch, mindspore
from numpy import inf, nan
from msmap.verify.trial import inputs, ranks, trial
nn, F, ms = torch.nn, torch.nn.functional, mindspore

trial.seed()


def torch_rank():
    rank = 1
    return rank + 1


print("torch:", ranks.torch(2, torch_rank))

trial.seed()


def mindspore_rank():
    return 2


print("mindspore:", ranks.mindspore(2, mindspore_rank))
"""

LAYER = replace(
    JOB,
    torch="torch.nn.Linear(2, 1)(x)", mindspore="mindspore.nn.Dense(2, 1)(x)", expect="same",
    inputs={"x": {"values": [[1.0, 2.0]], "dtype": "float16"}},
    state=({"torch": "weight", "mindspore": "weight", "value": "value"},),
    graph=True, derived=True,
)  # fmt: skip
LAYER_SCRIPT = f"""\
# torch.add: case/graph
# Run it as a file: mindspore.jit compiles nothing that comes from a pipe.
import numpy as np
import torch, mindspore
from numpy import inf, nan
from msmap.verify.trial import inputs, state, trial
nn, F, ms = torch.nn, torch.nn.functional, mindspore
mindspore.runtime.launch_blocking()
x_ = inputs.array('x', {{'values': [[1.0, 2.0]], 'dtype': 'float16'}})

trial.seed()
x = torch.tensor(x_)
layer = torch.nn.Linear(2, 1)
layer.to(torch.float16)

trial.seed()
x = mindspore.Tensor(x_)
cell = mindspore.nn.Dense(2, 1)
if any(held.is_floating_point() for held in layer.state_dict().values()):
    for parameter in cell.get_parameters():
        parameter.set_dtype(mindspore.float16)


@mindspore.jit
def graph(x):
    return cell(x)


state.copy([{{'torch': 'weight', 'mindspore': 'weight', 'value': 'value'}}], layer, cell)
for mode in [True]:  # training?
    layer.train(mode)
    cell.set_train(mode)
    trial.seed()
    x = torch.tensor(x_)
    print("torch:", layer(x))
    trial.seed()
    x = mindspore.Tensor(x_)
    print("mindspore:", graph(x))

# What the check finds, in results, gradients and state; nothing is agreement.
from msmap.verify.plan.job import Job
done = trial.run(Job.loads({LAYER.dumps()!r}))
print("differences:", done.found.differences, done.error)
"""


def test_a_script_makes_the_inputs_and_prints_both_results() -> None:
    assert snippet.script(JOB) == SCRIPT


def test_a_script_of_a_layer_carries_its_state_and_compiles_it() -> None:
    assert snippet.script(LAYER, "graph") == LAYER_SCRIPT
    assert snippet.script(RANKED) == RANKED_SCRIPT


def test_what_pytorch_raises_comes_last() -> None:
    """It ends the script."""
    text = snippet.script(replace(JOB, expect="torch-raises"))
    assert re.findall(r'print\("(\w+):"', text) == ["mindspore", "torch"]


def test_code_without_a_value_at_its_end_still_makes_a_script() -> None:
    """The check is inconclusive, which its script must show."""
    text = snippet.script(replace(JOB, torch="y = x", expect="same"))
    assert 'print("torch:", y = x)' in text


def test_reading_it_needs_no_framework() -> None:
    code = (
        "import sys, pickle; from msmap.verify import script; from msmap.verify.plan import job;"
        f"script.script(job.Job.loads({LAYER.dumps()!r}));"
        "print(*{'numpy', 'torch', 'mindspore'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


NORM = tuple(
    {"torch": one, "mindspore": other, "value": "value"}
    for one, other in (
        ("weight", "gamma"), ("bias", "beta"), ("running_mean", "moving_mean"),
        ("running_var", "moving_variance"), ("num_batches_tracked", None),
    )
)  # fmt: skip
BOTH = replace(JOB, torch="x * 2", mindspore="x * 2", expect="same")


def given(dtype: str, **spec: object) -> Job:
    return replace(BOTH, inputs={"x": {"shape": [2, 3], "dtype": dtype, **spec}})


# name -> (the job, its variant, how many numbers each side prints, the differences that it prints)
RUNS: dict[str, tuple[Job, str, int, str]] = {
    "statements": (replace(JOB, expect="same"), "", 1, "[] "),
    "a dtype that NumPy lacks": (given("bfloat16"), "bfloat16", 6, "[] "),
    "a scalar": (given("float32", edge="zero-d"), "zero-d", 1, "[] "),
    "nothing": (given("float32", edge="empty"), "empty", 0, "[] "),
    "integer limits": (given("int32", edge="overflow"), "overflow", 6, "[] "),
    "other strides": (given("bfloat16", edge="non-contiguous"), "non-contiguous", 6, "[] "),
    "a difference": (
        replace(given("float32"), torch="x * 0 + 1", mindspore="x * 0 + 2"),
        "",
        6,
        "['6 of 6 values, by about 1'] ",
    ),
    "a gradient that differs": (
        replace(given("float32"), mindspore="mindspore.ops.stop_gradient(x) + x"),
        "",
        6,
        "[\"gradient: 6 of 6 values at ['x'], by about 1\"] ",
    ),
    "graph mode": (
        replace(given("float32"), torch="y = x * 2\ny - x", mindspore="y = x * 2\ny - x",
                graph=True),
        "graph", 6, "[] ",
    ),
    "graph mode of a layer in float16": (LAYER, "graph", 1, "[] "),
    "a layer in both modes": (
        replace(
            BOTH, torch="nn.BatchNorm2d(3)(x)",
            mindspore="mindspore.nn.BatchNorm2d(3, momentum=0.9)(x)",
            inputs={"x": {"shape": [1, 3, 1, 2], "dtype": "float32"}}, state=NORM,
        ),
        "", 12, "[] ",
    ),
    "a layer in one mode": (
        replace(
            BOTH, torch="y = x + 1\nnn.Linear(3, 1)(y)",
            mindspore="y = x + 1\nmindspore.nn.Dense(3, 1)(y)",
            inputs={"x": {"shape": [2, 3], "dtype": "float32"}}, modes=("eval",),
        ),
        "", 2, "[] ",
    ),
    "an optimizer": (
        replace(
            BOTH, inputs={},
            torch="torch.optim.SGD(net.parameters(), lr=0.1)",
            mindspore="mindspore.experimental.optim.SGD(net.trainable_params(), lr=0.1)",
        ),
        "", 40, "[] ",
    ),
}  # fmt: skip

# Runs scripts one after another, a line of NULs after each.
DRIVER = """
import runpy, sys
for path in sys.argv[1:]:
    runpy.run_path(path)
    print("\\0")
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the script of each run prints."""
    folder: Path = tmp_path_factory.mktemp("scripts")
    paths = []
    for number, (made, variant, *_) in enumerate(RUNS.values()):
        paths.append(folder / f"{number}.py")
        paths[-1].write_text(snippet.script(made, variant), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, *map(str, paths)], cwd=folder, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return dict(zip(RUNS, done.stdout.split("\0\n"), strict=False))


def numbers(text: str, side: str) -> list[float]:
    """The numbers that a side prints; not those of dtypes and shapes."""
    found = re.findall(rf"^{side}: (.*?)(?=^\w+:|\Z)", text, re.DOTALL | re.MULTILINE)
    plain = re.sub(r"\w*float\d+|Float\d+|int\d+|shape=\[[^]]*\]|size=\([^)]*\)|Backward\d", "",
                   " ".join(found))  # fmt: skip
    return [float(n) for n in re.findall(r"-?\d[\d.]*(?:e[-+]?\d+)?", plain)]


@pytest.mark.frameworks
@pytest.mark.parametrize("name", RUNS)
def test_a_script_repeats_the_run(name: str, printed: dict[str, str]) -> None:
    _, _, count, differences = RUNS[name]
    text = printed[name]
    ours, theirs = numbers(text, "torch"), numbers(text, "mindspore")
    assert (len(ours), len(theirs)) == (count, count)
    if not differences.startswith("['"):
        assert theirs == pytest.approx(ours, abs=1e-3)
    assert text.splitlines()[-1] == f"differences: {differences}"


@pytest.mark.frameworks
def test_an_effect_on_the_input_is_printed(tmp_path: Path) -> None:
    job = replace(given("float32"), torch="x[0] = 5\nx + 0", mindspore="x + 0", gradient=False)
    path = tmp_path / "run.py"
    path.write_text(snippet.script(job, "in-place"), encoding="utf-8")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert re.findall(r"^(\w+, x): .*?(-?\d\.\d*)", done.stdout, re.MULTILINE) == [
        ("torch, x", "5.0000"), ("mindspore, x", "-0.9073569"),
    ]  # fmt: skip
