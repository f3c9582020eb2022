"""The command line where MindSpore's releases differ: --mindspore, and drift."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml

from msmap import contracts
from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.query.drift import drift
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import lookup as understood
from msmap.render import record as page
from msmap.verify.executors import local
from msmap.verify.plan.job import Job
from msmap_cli import main

Run = Callable[..., tuple[int, str, str]]
HERE = Environment("2.13.0", "2.10.0", "cpu", "here")

CAT = """\
torch.cat -> mindspore.mint.cat
Joins tensors along a dimension.
identical · verified

  PyTorch    torch.cat((x, x), dim=-1)
  MindSpore  mindspore.mint.cat((x, x), dim=-1)

[note] ops.concat: This name is older. (not verified: It is history.)

Targets
  1 mindspore.mint.cat    Ascend GPU CPU, ran on CPU  identical          verified
      1 verified
      since MindSpore 2.10.0
  2 mindspore.ops.concat  Ascend GPU CPU, ran on CPU  only names differ  verified
      1 verified
Parameters  mindspore.mint.cat
  same: tensors, dim
  absent throughout MindSpore: out
Parameters  mindspore.ops.concat
  dim = 0 -> axis = 0  renamed
  same: tensors
  absent throughout MindSpore: out
Evidence  torch-2.13.0 mindspore-2.10.0 cpu linux-x86_64
"""
CAT_IN_2_9 = """\
torch.cat -> mindspore.ops.concat
沿指定维度拼接张量。
仅参数名不一致 · 被推翻

  PyTorch    torch.cat((x, x), dim=-1)
  MindSpore  mindspore.ops.concat((x, x), axis=-1)

[说明] ops.concat：这是较早的名称。 (未验证：属于历史信息。)

对应接口
  1 mindspore.ops.concat  Ascend GPU CPU  仅参数名不一致  被推翻
      1 项被推翻、1 项已验证
参数  mindspore.ops.concat
  dim = 0 -> axis = 0  参数名不同
  一致: tensors
  MindSpore 普遍没有: out
证据  torch-2.13.0 mindspore-2.9.0 cpu linux-x86_64
"""
DROPOUT = """\
mindspore.nn.Dropout  documented for: Ascend GPU CPU
  Dropout(keep_prob=0.5, p=None, dtype=mindspore.float32)
  signature changed in 2.9.0
was in PyTorch
  torch.nn.Dropout  target 1  PyTorch has more parameters  verified
    Zeroes elements at random while training.
"""
DRIFT = """\
MindSpore 2.9.0 -> 2.10.0
  records   6 of 8 change: another best target 1, another category of difference 1,\
 only figures or messages differ 4
  names     vanished 0, signature changed 0, deprecated 1, appeared 1
  evidence  torch-2.13.0 cpu linux-x86_64

torch.cat  another best target
  best target  mindspore.ops.concat -> mindspore.mint.cat
  category  only names differ -> identical
  verification  refuted -> verified
  targets  +mindspore.mint.cat
  example
    - mindspore.ops.concat((x, x), axis=-1)
    + mindspore.mint.cat((x, x), dim=-1)
  last  refuted -> verified
    - mindspore.ops.concat((x, x), axis=-1)
    + mindspore.mint.cat((x, x), dim=-1)
  other figures or messages  1

torch.relu  another category of difference
  category  behaviour differs -> MindSpore has more parameters
  caveats  -slow
  checks  -zero
  other figures or messages  1

only figures or messages differ: guide:training, torch.Tensor.size, torch.nn.Dropout, torch.nn.GELU

names that records map to
  appeared  mindspore.mint.cat

other names
  deprecated  1 not shown; --names 1 lists them
"""
MARKDOWN = """\
# MindSpore 2.8.0 → 2.9.0

- 记录: 8 条中有 1 条改变: 现有对应接口 1
- 名称: 消失 1, 签名改变 1, 弃用 0, 新增 1
- 证据: 没有 2.8.0 的证据，因此不比较结论

## `torch.relu`: 现有对应接口

- 首选接口  无 -> mindspore.ops.relu
- 类别  功能缺失 -> 行为不一致
- 对应接口  +mindspore.ops.relu
- 检查  +plain +zero
- 示例
  - `- 未转写`
  - `+ mindspore.ops.relu(x)`

## 记录所对应的名称

- 签名改变  `mindspore.nn.Dropout`  +dtype=mindspore.float32
- 新增  `mindspore.ops.relu`

## 其他名称

- 消失  `mindspore.ops.gone`
"""


@pytest.fixture
def run(history: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``msmap`` on the database of three releases."""
    monkeypatch.setenv("MSMAP_DB", str(history))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["msmap", *arguments])
        try:
            main.main()
        except SystemExit as left:
            return int(left.code or 0), *capsys.readouterr()
        return 0, *capsys.readouterr()

    return call


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        ("lookup torch.cat -v", CAT),
        ("lookup mindspore.nn.Dropout", DROPOUT),
        ("lookup torch.cat --mindspore 2.9 --lang zh -v", CAT_IN_2_9),
        ("port torch.cat((x,x)) --mindspore 2.10", "mindspore.mint.cat((x,x))\n"),
        ("port torch.cat((x,x)) -m 2.8.0", "mindspore.ops.concat((x,x))\n"),
        ("drift 2.9 2.10", DRIFT),
        ("drift 2.8 2.9 --names 5 --format markdown --lang zh", MARKDOWN),
        (
            "list --mindspore 2.8 --category missing",
            "torch.jit.script\t-\tmissing\tunverified\t-\t-\n"
            "torch.relu\t-\tmissing\tunverified\t-\t-\n",
        ),
    ],
)
def test_prints(arguments: str, out: str, run: Run) -> None:
    assert run(*arguments.split()) == (0, out, "")


def test_the_stored_page_is_the_one_rendered_live(run: Run, history: Path) -> None:
    """Quick answers say since when a name exists, too."""
    with KnowledgeBase.open(history) as kb:
        lines = [*page.record(kb.lookup("torch.cat"), "en")]
    assert run("lookup", "torch.cat", "-v")[1] == "".join(f"{line.text}\n" for line in lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            "lookup ops.gone",
            "msmap: MindSpore has mindspore.ops.gone only until 2.8.0; "
            "look it up with `--mindspore 2.8.0`\n",
        ),
        (
            "lookup ops.relu -m 2.8",
            "msmap: MindSpore has mindspore.ops.relu only since 2.9.0; "
            "look it up with `--mindspore 2.10.0`\n",
        ),
    ],
)
def test_a_name_of_other_releases_is_not_called_unknown(
    arguments: str, said: str, run: Run
) -> None:
    status, out, error = run(*arguments.split())
    assert (status, out, error.splitlines(keepends=True)[0]) == (1, "", said)


@pytest.mark.parametrize(
    "arguments",
    ["lookup torch.cat -m 2.7", "port torch.cat(x) -m 2.7", "list -m 2.7", "drift 2.7 2.8",
     "drift 2.8 2.7"],
)  # fmt: skip
def test_an_unknown_release_names_the_known_ones(arguments: str, run: Run) -> None:
    said = 'msmap: MindSpore release "2.7": one of 2.8.0, 2.9.0, 2.10.0\n'
    assert run(*arguments.split()) == (2, "", said)


@pytest.mark.parametrize(("form", "load"), [("json", json.loads), ("yaml", yaml.safe_load)])
def test_drift_as_data_follows_its_schema(
    form: str, load: Callable[[str], object], run: Run, history: Path
) -> None:
    status, out, _ = run("drift", "2.8", "2.10", "--format", form)
    with (
        KnowledgeBase.open(history, mindspore="2.8") as one,
        KnowledgeBase.open(history) as other,
    ):
        wanted = contracts.json_value(drift.between(one, other))
    jsonschema.validate(load(out), contracts.schemas()["drift"])
    assert (status, load(out)) == (0, wanted)


def test_lookup_as_json_says_which_release_it_is_of(run: Run, history: Path) -> None:
    _, out, _ = run("lookup", "torch.cat", "mindspore.ops.gone", "-m", "2.8", "-v", "-f", "json")
    with KnowledgeBase.open(history, mindspore="2.8") as kb:
        wanted = contracts.json_value(understood.lookup(kb, ["torch.cat", "mindspore.ops.gone"]))
    assert json.loads(out) == wanted
    assert wanted["releases"] == {"torch": "2.13.0", "mindspore": "2.8.0"}
    jsonschema.validate(wanted, contracts.schemas()["lookup"])


@pytest.mark.parametrize("curating", [True, False])
@pytest.mark.parametrize(
    ("release", "code"),
    [
        ("2.9.0", ["mindspore.ops.concat((x, x), axis=-1)", "mindspore.ops.concat((x, x), 1)"]),
        ("2.10.0", ["mindspore.mint.cat((x, x), dim=-1)", "mindspore.ops.concat((x, x), 1)"]),
    ],
)
def test_checks_that_run_are_those_of_the_release_installed(
    release: str, code: list[str], curating: bool, run: Run, releases: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """With data files and from the installed database alike."""
    ran: list[str] = []

    def lines(_: object, jobs: Iterable[Job]) -> Iterator[Line]:
        for job in jobs:
            ran.append(job.mindspore)
            yield Line(job.owner, job.check, job.hash, "verified")

    monkeypatch.setattr(local, "environment", lambda _: replace(HERE, mindspore=release))
    monkeypatch.setattr(local.Local, "lines", lines)
    data = str(releases) if curating else "nowhere"
    assert run("verify", "torch.cat", "--no-keep", "--no-mutate", "--data", data)[0] == 0
    assert ran == code


def test_a_release_without_signatures_cannot_be_verified(
    run: Run, releases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "environment", lambda _: replace(HERE, mindspore="2.11.0"))
    assert run("verify", "--no-keep", "--data", str(releases)) == (
        1,
        "",
        'msmap: MindSpore release "2.11.0": one of 2.8.0, 2.9.0, 2.10.0; '
        "`msmap signatures mindspore` reads those of the one installed\n",
    )
