"""What the command line says of a name that nobody wrote a record of, but a machine has tried."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from tests.builders.commands import Done, Run

from msmap import contracts
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import lookup as understood

RELU = """\
torch.relu -> mindspore.ops.relu
not curated: found by running
43 of 48 samples agree; gradients of 12 of 12 agree; 1 of 2 samples that PyTorch refuses are refused
torch-2.13.0 mindspore-2.10.0 cpu linux-x86_64 · documented for Ascend GPU CPU

  PyTorch    torch.relu(input: Tensor) -> Tensor
  MindSpore  mindspore.ops.relu(input, inplace=False)

Parameters  mindspore.ops.relu
  same: input
  MindSpore only, keep the default: inplace
What differs  mindspore.ops.relu
  not all agree: int8 0/4, bool 0/1, plain 30/34, 0-d 13/14
  [results differ] 4 samples · int8 · plain, 0-d
      1 of 3 values differ
      PyTorch    torch.relu(input)
                 -> [0, 0, 1]
      MindSpore  mindspore.ops.relu(input)
                 -> [-128, 0, 1]
                 input: int8 [-128, 0, 1]; other: float32[2, 3] low -1.0 high 1.0
  [no kernel here] 1 sample · bool · plain
      ReLU with bool is not supported on CPU
      PyTorch    torch.relu(input)
                 -> [True]
      MindSpore  mindspore.ops.relu(input)
                 input: bool [True]
Other candidates
  mindspore.nn.ReLU                            40/48  ∇ 10/12  Ascend GPU CPU  another form of the\
 name
  {input} * (mindspore.ops.tanh({input}) > 0)  30/48           -               like name and\
 parameters
  mindspore.nn.GELU                            0/48            Ascend GPU CPU  like name and\
 parameters
Samples  PyTorch's samples of operators 48, PyTorch's samples that raise 2
  could not be samples: a dtype that NumPy lacks 3
Same name  torch.nn.ReLU, mindspore.ops.relu, mindspore.nn.ReLU, mindspore.mint.nn.ReLU
"""
SHORT = """\
torch.relu -> mindspore.ops.relu
not curated: found by running
43 of 48 samples agree; gradients of 12 of 12 agree; 1 of 2 samples that PyTorch refuses are refused
torch-2.13.0 mindspore-2.10.0 cpu linux-x86_64 · documented for Ascend GPU CPU

  PyTorch    torch.relu(input: Tensor) -> Tensor
  MindSpore  mindspore.ops.relu(input, inplace=False)

[results differ] 4 samples · int8 · plain, 0-d: 1 of 3 values differ
[no kernel here] 1 sample · bool · plain: ReLU with bool is not supported on CPU

Parameters        all the same
Other candidates  mindspore.nn.ReLU, {input} * (mindspore.ops.tanh({input}) > 0),\
 mindspore.nn.GELU
Same name         torch.nn.ReLU, mindspore.ops.relu, mindspore.nn.ReLU, mindspore.mint.nn.ReLU
-v: samples and differences
"""
SOFTMAX = """\
torch.nn.Softmax -> mindspore.nn.Softmax
未经人工整理：由运行得出
8 个样例中有 8 个一致；8 个样例中有 8 个梯度一致
torch-2.13.0 mindspore-2.10.0 cpu linux-x86_64 · 文档所列平台 Ascend GPU CPU

  PyTorch    torch.nn.Softmax(dim: int | None = None)
             ()(input: Tensor) -> Tensor
  MindSpore  mindspore.nn.Softmax(axis=-1)
             ()(input)

参数  mindspore.nn.Softmax
  dim = None -> axis = -1  参数名不同
样例  PyTorch 自带的网络层样例 8
同名接口  mindspore.nn.Softmax
"""
# What a candidate that never agreed is worth.
TANH = """\
torch.tanh -> nothing that agrees
not curated: found by running
0 of 6 samples agree
torch-2.13.0 mindspore-2.10.0 cpu linux-x86_64 · documented for Ascend GPU CPU

  PyTorch    torch.tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor
Candidates
  mindspore.ops.tanh  0/6    Ascend GPU CPU  same name
Samples  PyTorch's samples of operators 6
Same name  mindspore.ops.tanh
"""
DROPOUT = """\
torch.nn.functional.dropout
not curated, and not run: no inputs are known that it takes

  PyTorch    torch.nn.functional.dropout(input: Tensor, p: float = 0.5, training: bool = True,\
 inplace: bool = False) -> Tensor
Candidates, by name alone  mindspore.ops.dropout
Same name  torch.nn.Dropout, mindspore.ops.dropout, mindspore.nn.Dropout
"""
VIEW = """\
torch.Tensor.view
未经人工整理，也未运行：MindSpore 中没有名称相近的 API

  PyTorch    torch.Tensor.view(dtype: dtype) -> Tensor
             torch.Tensor.view(size: Sequence[int | SymInt]) -> Tensor
             torch.Tensor.view(*size: int | SymInt) -> Tensor
"""
MARKDOWN = """\
## `torch.relu` → `mindspore.ops.relu`

**not curated: found by running**

43 of 48 samples agree; gradients of 12 of 12 agree; 1 of 2 samples that PyTorch refuses are\
 refused (torch-2.13.0 mindspore-2.10.0 cpu linux-x86_64 · documented for Ascend GPU CPU)

```python
# PyTorch
torch.relu(input: Tensor) -> Tensor
# MindSpore
mindspore.ops.relu(input, inplace=False)
```

| PyTorch | MindSpore | |
|---|---|---|
| - | `inplace = False` | MindSpore only, keep default |

- **results differ** (4 samples · int8 · plain, 0-d): 1 of 3 values differ
  `torch.relu(input)`
- **no kernel here** (1 sample · bool · plain): ReLU with bool is not supported on CPU
  `torch.relu(input)`

| Candidates | | | | |
|---|---|---|---|---|
| `mindspore.ops.relu` | 43/48 | ∇ 12/12 | Ascend GPU CPU | same name |
| `mindspore.nn.ReLU` | 40/48 | ∇ 10/12 | Ascend GPU CPU | another form of the name |
| `{input} * (mindspore.ops.tanh({input}) > 0)` | 30/48 |  | - | like name and parameters |
| `mindspore.nn.GELU` | 0/48 |  | Ascend GPU CPU | like name and parameters |

Same name: `torch.nn.ReLU`, `mindspore.ops.relu`, `mindspore.nn.ReLU`, `mindspore.mint.nn.ReLU`

"""


@pytest.fixture(autouse=True)
def _asked(probed: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSMAP_DB", str(probed))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["torch.relu"], RELU),
        (["nn.Softmax", "--lang", "zh"], SOFTMAX),
        (["tanh"], TANH),
        (["F.dropout"], DROPOUT),
        (["Tensor.view", "-l", "zh"], VIEW),
        (["torch.relu", "--format", "markdown"], MARKDOWN),
        (["torch.tanh", "F.dropout"], f"{TANH}\n{DROPOUT}"),
    ],
    ids=" ".join,
)
def test_a_probe_is_shown_for_what_it_is(arguments: list[str], text: str, run: Run) -> None:
    """Marked in its first lines; that a reason is given is an answer too."""
    assert run("lookup", *arguments, "-v") == Done(0, text, "")


def test_in_short_it_has_the_worst_ways_to_differ_and_no_samples(run: Run) -> None:
    assert run("lookup", "torch.relu") == Done(0, SHORT, "")


@pytest.mark.parametrize("arguments", [["torch.relu"], ["F.dropout", "--lang", "zh"]])
def test_what_is_stored_is_what_is_rendered(arguments: list[str], run: Run) -> None:
    """As of a release pages are rendered anew."""
    assert run("lookup", *arguments) == run("lookup", *arguments, "--mindspore", "2.10")


def test_a_device_puts_first_what_is_documented_for_it(run: Run) -> None:
    """Last what is documented for others alone; of an expression nothing is known."""
    done = run("lookup", "torch.relu", "--device", "gpu", "--format", "json")
    candidates = json.loads(done.out)["answers"][0]["probe"]["candidates"]
    assert [(c["mindspore"].partition("{")[0], c["runs_on"]) for c in candidates] == [
        ("mindspore.ops.relu", ["Ascend", "GPU", "CPU"]),
        ("mindspore.nn.ReLU", ["Ascend", "GPU", "CPU"]),
        ("mindspore.nn.GELU", ["Ascend", "GPU", "CPU"]),
        ("", []),
    ]
    assert done.status == 0


@pytest.mark.parametrize(
    ("name", "basis", "nearest"),
    [
        ("torch.cat", "curated", ()),
        ("mindspore.nn.Dropout", "curated", ()),
        ("torch.tanh", "probed", ("mindspore.ops.tanh",)),
        ("F.dropout", "known", ("torch.nn.Dropout", "mindspore.ops.dropout",
                                "mindspore.nn.Dropout")),
        ("torch.Tensor.view", "known", ()),
        ("torch.nn.Dropout2d", "known", ("torch.nn.Dropout",)),
        ("mindspore.nn.Dense", "known", ()),
        ("torch.catt", None, ("torch.cat",)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_data_says_what_an_answer_rests_on(
    name: str, basis: str | None, nearest: tuple[str, ...], form: str, run: Run, probed: Path
) -> None:
    """The quick way says the same as the library, and both fit the schema."""
    done = run("lookup", name, "-v", "--format", form)
    told = json.loads(done.out) if form == "json" else yaml.safe_load(done.out)
    (answer,) = told["answers"]
    assert (answer["basis"], tuple(answer["nearest"][: len(nearest)])) == (basis, nearest)
    assert done.status == (0 if answer["found"] else 1)
    with KnowledgeBase.open(probed) as kb:
        assert told == contracts.json_value(understood.lookup(kb, [name]))
    jsonschema.validate(told, contracts.schemas()["lookup"])


def test_what_is_tried_and_what_is_lost_are_told_in_one_call(run: Run) -> None:
    done = run("lookup", "torch.cat", "torch.tanh", "torch.nn.ReLU", "zzzzzzzzz", "-v")
    cat = run("lookup", "torch.cat", "-v").out
    assert done == Done(
        1,
        f"{cat}\n{TANH}",
        "msmap: torch.nn.ReLU is known, but not curated yet\nnearest: torch.relu, "
        "mindspore.nn.ReLU, mindspore.mint.nn.ReLU, mindspore.ops.relu, torch.nn.GELU\n"
        'msmap: "zzzzzzzzz" is not a name of PyTorch or MindSpore\n',
    )


@pytest.mark.parametrize(
    ("arguments", "done"),
    [
        (
            ["--probed", "torch.relu(x)"],
            Done(0, "mindspore.ops.relu(x)\n", "note: torch.relu: probed, not curated: 43 of 48"
                 " samples agree with mindspore.ops.relu\n"),
        ),
        (
            ["--probed", "torch.relu(x)", "--lang", "zh"],
            Done(0, "mindspore.ops.relu(x)\n", "说明：torch.relu：由运行得出，未经人工整理："
                 "mindspore.ops.relu 在 48 个样例中有 43 个一致\n"),
        ),
        (
            ["torch.relu(x)"],
            Done(1, "torch.relu(x)\n", "1:1: torch.relu is known, but has no record yet\n"),
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_port_uses_a_probe_when_asked_and_says_so(
    arguments: list[str], done: Done, run: Run
) -> None:
    assert run("port", *arguments) == done


LISTED = """\
torch.nn.Softmax\tmindspore.nn.Softmax\t-\t8/8\t8/8\tAscend,GPU,CPU
torch.relu\tmindspore.ops.relu\t-\t43/48\t12/12\tAscend,GPU,CPU
torch.tanh\tmindspore.ops.tanh\t-\t0/6\t-\tAscend,GPU,CPU
"""


@pytest.mark.parametrize(
    ("arguments", "done"),
    [
        (["--basis", "probed"], Done(0, LISTED, "")),
        (["--basis", "probed", "--namespace", "torch.nn", "--device", "gpu"],
         Done(0, LISTED.splitlines(keepends=True)[0], "")),
        (["--basis", "known", "--namespace", "torch.Tensor"],
         Done(0, "torch.Tensor.view\t-\tno_candidate\t-\t-\t-\n", "")),
        (["--basis", "known", "--namespace", "torch.Tensor", "--format", "markdown"],
         Done(0, "| PyTorch | MindSpore | | | | |\n|---|---|---|---|---|---|\n"
                 "| `torch.Tensor.view` | `-` | `no_candidate` | `-` | `-` | `-` |\n", "")),
        (["--basis", "known", "--device", "gpu", "--namespace", "torch.Tensor"],
         Done(1, "", "msmap: no name fits\n")),
        (["--basis", "probed", "--category", "identical"],
         Done(2, "", "msmap: only records have a category and a verification; --basis curated lists"
                     " them\n")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_names_without_a_record_are_listed_when_asked_for(
    arguments: list[str], done: Done, run: Run
) -> None:
    assert run("list", *arguments) == done


def test_a_list_of_probes_fits_its_schema(run: Run, probed: Path) -> None:
    told = json.loads(run("list", "--basis", "probed", "--format", "json").out)
    jsonschema.validate(told, contracts.schemas()["list"])
    with KnowledgeBase.open(probed) as kb:
        listed = tuple(s for s in kb.probes() if s.basis == "probed")
    assert told == contracts.json_value(answers.List((), listed))


def test_a_build_says_how_many_there_are(probing: Path, tmp_path: Path, run: Run) -> None:
    place = str(tmp_path / "new.db")
    done = run("build", "--data", str(probing), "--output", place)
    assert done == Done(
        0, f"{place}: 6 records, 1 guides, 4 statements, 9 checks, 31 names, 5 probes\n", ""
    )
