"""The command line: what commands print, as text and as data."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
import yaml
from tests.builders.commands import Done, Run

from msmap import __version__
from msmap.query.base import fields, porting
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import lookup as understood

DROPOUT = """\
torch.nn.Dropout -> mindspore.nn.Dropout
Zeroes elements at random while training.
PyTorch has more parameters · verified, forward only

  PyTorch    torch.nn.Dropout(0.25)(x)
  MindSpore  mindspore.nn.Dropout(p=0.25)(x)

[silent] The first position is keep_prob. Write Dropout(p=0.1).

Targets
  1 mindspore.nn.Dropout  Ascend GPU CPU, ran on CPU  PyTorch has more parameters  verified,\
 forward only
      1 verified, forward only, 1 differs as documented
Parameters  mindspore.nn.Dropout
  p = 0.5         -> p = None  default differs (by keyword)
  inplace = False -> dropped   PyTorch only, drop
  MindSpore only, keep the default: keep_prob, dtype
Evidence  torch-2.13.0 mindspore-2.10.0 cpu linux-x86_64
Guides: training
"""
GELU = """\
torch.nn.GELU -> mindspore.nn.GELU
高斯误差线性单元。
输入参数用法不一致 · 已验证

  PyTorch    torch.nn.GELU()(x)
  MindSpore  mindspore.nn.GELU(approximate=False)(x)

对应接口
  1 mindspore.nn.GELU       Ascend GPU CPU, 已在 CPU 上运行  输入参数用法不一致  已验证
      1 项已验证；梯度一致；MindSpore 报错：float64；\
仅前向一致：bfloat16；一致：只改 import、图模式、float16
  2 mindspore.mint.nn.GELU  Ascend                           参数完全一致        此环境无法测试\
 (该算子在此设备上没有内核实现)
      更接近 PyTorch。
      1 项此环境无法测试
参数  mindspore.nn.GELU
  approximate = 'none' -> approximate = True  取值需换算: 'none' -> approximate=False;\
 'tanh' -> approximate=True
参数  mindspore.mint.nn.GELU
  一致: approximate
证据  torch-2.13.0 mindspore-2.10.0 cpu linux-x86_64
"""
EMPTY_CACHE = """\
torch.cuda.empty_cache -> remove the call
Gives cached memory back to the device.
can be removed · unverified

Targets
  1 remove the call  -  can be removed  unverified
      MindSpore manages memory itself.
Evidence  not verified
"""
SCRIPT = """\
torch.jit.script -> 没有对应接口
编译函数或模块。
功能缺失 · 未验证
请改用 mindspore.jit 装饰函数。
证据  未验证
"""
REVERSE = """\
mindspore.nn.Dropout  documented for: Ascend GPU CPU
  Dropout(keep_prob=0.5, p=None, dtype=mindspore.float32)
was in PyTorch
  torch.nn.Dropout  target 1  PyTorch has more parameters  verified, forward only
    Zeroes elements at random while training.
"""
LIST = "".join(
    "\t".join(row.split(" ")) + "\n"
    for row in (
        "torch.Tensor.size {self}.shape composite verified - CPU",
        "torch.cat mindspore.mint.cat identical verified Ascend,GPU,CPU CPU",
        "torch.cuda.empty_cache - removable unverified - -",
        "torch.jit.script - missing unverified - -",
        "torch.nn.Dropout mindspore.nn.Dropout source_more_params verified_forward_only"
        " Ascend,GPU,CPU CPU",
        "torch.nn.GELU mindspore.nn.GELU input_usage_differs verified Ascend,GPU,CPU CPU",
    )
)
STATS = """\
schema_version: 6
releases:
  torch: 2.13.0
  mindspore: 2.10.0
names:
  mindspore: 16
  torch: 15
basis:
  curated: 6
  found by running: 0
  known by name alone: 8
callables_without_signature:
category:
  composition of several APIs: 1
  identical: 1
  arguments are used differently: 1
  no counterpart: 1
  can be removed: 1
  PyTorch has more parameters: 1
verification:
  verified: 3
  unverified: 2
  verified, forward only: 1
verdict:
  no longer holds: 1
  holds: 1
  not testable here: 1
  refuted: 1
outcome:
  verified: 5
  differs as documented: 2
  untestable here: 1
  verified, forward only: 1
variants:
  all arguments by position: 1 agrees
  all arguments by keyword: 1 agrees
  keywords in another order: 1 agrees
  only required arguments: 1 agrees
  only the import changed: 2 agrees
  graph mode: 2 agrees
  float16: 2 agrees
  bfloat16: 1 forward agrees
  float64: 1 MindSpore raises
  int32: 1 PyTorch takes none
  int64: 1 PyTorch takes none
  bool: 1 no kernel here, 1 PyTorch takes none
records: 6
guides: 1
claims: 4
caveats: 2
checks: 9
evidence: 9
"""
CLAIMS = """\
modes/starts-in-training  refuted
  Cells start in training mode.
  now: They start in evaluation mode.
  stands in: manual#modes
  shown by: training#start
  contradicts: modes/starts-in-evaluation

modes/starts-in-evaluation  holds
  Cells start in evaluation mode.
  stands in: manual#dropout, manual#modes
  shown by: training#start

modes/keep-prob  no longer holds (since 2.0)
  The rate of Dropout is kept.
  now: There is p now.
  stands in: manual#dropout

modes/many-cards  not testable here (needs several devices)
  All cards get the seed.
  now: Not run.
  stands in: manual#modes

1 holds, 1 no longer holds, 1 refuted, 1 not testable here
"""
REFUTED = """\
modes/starts-in-training  不成立
  Cell 默认处于训练模式。
  现状: 默认处于推理模式。
  出处: manual#modes
  证据: training#start
  与之矛盾: modes/starts-in-evaluation

1 不成立
"""
KEEP_PROB = """\
- **refuted**: Cells start in training mode.
  - now: They start in evaluation mode.
  - shown by: `training#start`
  - stands in: Manual: Modes
- **no longer holds (since 2.0)**: The rate of Dropout is kept.
  - now: There is p now.
  - stands in: Manual: Dropout
"""
GUIDE = """\
# 训练与推理

网络层如何得知当前所处的模式。

## 选择模式

PyTorch 的层默认处于训练模式，MindSpore 的 Cell 默认处于推理模式。

```python
# PyTorch
net.train()
```

```python
# MindSpore
net.set_train()
```

## 设置学习率

学习率是一个参数（mindspore.nn.Flatten 没有）。

`torch.nn.Dropout`

"""


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["lookup", "torch.nn.Dropout", "-v"], DROPOUT),
        (["lookup", "-v", "nn.GELU", "--lang", "zh"], GELU),
        (["lookup", "cuda.empty_cache", "--verbose"], EMPTY_CACHE),
        (["lookup", "jit.script", "-l", "zh", "-v"], SCRIPT),
        (["lookup", "mindspore.nn.Dropout"], REVERSE),
        (["lookup", "jit.script", "Dropout", "-l", "en"], None),
        (["search", "tensor"],
         "torch.Tensor.size  The shape of a tensor, or one dimension of it.\n"
         "torch.cat          Joins tensors along a dimension.\n"),
        (["search", "模式", "训练", "--lang", "zh"],
         "guide training    训练与推理\n"
         "    PyTorch 的层默认处于训练模式，MindSpore 的 Cell 默认处于推理模式。\n"
         "torch.nn.Dropout  训练时将元素随机置零。\n"),
        (["search", "tensor", "--limit", "1", "-l", "zh"],
         "torch.Tensor.size  张量的形状，或其中一维的大小。\n"),
        (["list"], LIST),
        (["list", "--namespace", "torch.nn", "--verification", "verified"],
         LIST.splitlines(keepends=True)[-1]),
        (["list", "--category", "missing"],
         "torch.jit.script\t-\tmissing\tunverified\t-\t-\n"),
        (["list", "--device", "GPU", "--category", "identical"],
         LIST.splitlines(keepends=True)[1]),
        (["port", "torch.cat((a, b), 1)"], "mindspore.mint.cat((a, b), 1)\n"),
        (["stats"], STATS),
        (["guide"], "training  Training and evaluation\n"),
        (["claims"], CLAIMS),
        (["claims", "modes", "--verdict", "refuted", "--lang", "zh"], REFUTED),
        (["claims", "--about", "nn.Dropout", "-f", "markdown"], KEEP_PROB),
        (["guide", "training", "--lang", "zh"], GUIDE),
        (["--version"], f"msmap {__version__}\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_prints_text(arguments: list[str], out: str | None, run: Run) -> None:
    """Results go to standard output, whole; several pages have an empty line between them."""
    if out is None:
        out = "\n".join(run("lookup", name, "-l", "en").out for name in arguments[1:3])
    assert run(*arguments) == Done(0, out, "")


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (
            ["lookup", "torch.nn.Dropout", "-v"],
            """\
## `torch.nn.Dropout` → `mindspore.nn.Dropout`

Zeroes elements at random while training.

```python
# PyTorch
torch.nn.Dropout(0.25)(x)
# MindSpore
mindspore.nn.Dropout(p=0.25)(x)
```

- **silent**: The first position is keep_prob. Write Dropout(p=0.1).

| Targets | documented for | | |
|---|---|---|---|
| `mindspore.nn.Dropout` | Ascend GPU CPU, ran on CPU | PyTorch has more parameters | verified,\
 forward only |

- `mindspore.nn.Dropout`: 1 verified, forward only, 1 differs as documented

| PyTorch | MindSpore | |
|---|---|---|
| `p = 0.5` | `p = None` | default differs |
| `inplace = False` | - | PyTorch only, drop |
| - | `keep_prob = 0.5` | MindSpore only, keep default |
| - | `dtype = mindspore.float32` | MindSpore only, keep default |

""",
        ),
        (
            ["lookup", "mindspore.nn.GELU", "-l", "zh"],
            """\
## `mindspore.nn.GELU`

- `torch.nn.GELU` (第几选择 1, 输入参数用法不一致): 高斯误差线性单元。

""",
        ),
        (
            ["lookup", "torch.jit.script"],
            """\
## `torch.jit.script` → `no counterpart`

Compiles a function or a module.

Decorate the function with mindspore.jit instead.


""",
        ),
        (
            ["search", "tensor", "-l", "zh"],
            """\
- `torch.Tensor.size`: 张量的形状，或其中一维的大小。
- `torch.cat`: 沿指定维度拼接张量。
""",
        ),
        (
            ["list", "--namespace", "torch.cuda"],
            """\
| PyTorch | MindSpore | | | | |
|---|---|---|---|---|---|
| `torch.cuda.empty_cache` | `-` | `removable` | `unverified` | `-` | `-` |
""",
        ),
        (
            ["port", "torch.cat((a, b))"],
            """\
```python
mindspore.mint.cat((a, b))
```
""",
        ),
        (["guide", "training", "-l", "zh"], GUIDE),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_prints_markdown(arguments: list[str], out: str, run: Run) -> None:
    assert run(*arguments, "--format", "markdown") == Done(0, out, "")


def test_counts_in_markdown_are_a_list_in_a_list(run: Run) -> None:
    expected = [line.replace(line.lstrip(), "- " + line.lstrip()) for line in STATS.splitlines()]
    assert run("stats", "-f", "markdown") == Done(0, "\n".join(expected) + "\n", "")


def test_prints_json_with_every_field_and_no_escapes(run: Run) -> None:
    assert run("search", "拼接", "--format", "json") == Done(
        0,
        """\
{
  "schema_version": 6,
  "query": "拼接",
  "hits": [
    {
      "kind": "record",
      "name": "torch.cat",
      "title": {
        "en": "Joins tensors along a dimension.",
        "zh": "沿指定维度拼接张量。"
      },
      "snippet": "mindspore.mint.cat",
      "by": "words",
      "context": {
        "en": "",
        "zh": ""
      }
    }
  ]
}
""",
        "",
    )


REFUSED = "torch.cat(a, out=torch.nn.Dropout(inplace=True))"
ANSWERS: dict[str, tuple[list[str], Callable[[KnowledgeBase], Any]]] = {
    "lookup": (
        ["cat", "ops.cat", "torch.relu", "nothing"],
        lambda kb: understood.lookup(kb, ["cat", "ops.cat", "torch.relu", "nothing"]),
    ),
    "search": (
        ["training"],
        lambda kb: answers.Search("training", tuple(kb.search("training"))),
    ),
    "list": ([], lambda kb: answers.List(tuple(kb.records()))),
    "port": (
        [REFUSED],
        lambda kb: answers.Ported(kb.port(REFUSED), porting.calls(kb, REFUSED)),
    ),
    "guide": (
        ["training"],
        lambda kb: answers.Guides((kb.guide("training"),)),
    ),
    "claims": (
        ["--source", "manual", "--verdict", "holds"],
        lambda kb: answers.Claims(tuple(kb.claims("holds", "manual")), tuple(kb.sources())),
    ),
    "stats": ([], lambda kb: answers.Stats(**kb.stats())),
}


@pytest.mark.parametrize("command", ANSWERS)
def test_json_and_yaml_carry_the_objects_of_the_library(
    command: str, run: Run, kb: KnowledgeBase
) -> None:
    """And fit the schema that `msmap schema` prints for the command."""
    arguments, answer = ANSWERS[command]
    found = json.loads(run(command, *arguments, "--format", "json").out)
    whole = json.loads(json.dumps(answers.plain(answer(kb))))
    if command in ("lookup", "guide"):
        full = json.loads(run(command, *arguments, "--format", "json", "-v").out)
        assert full == whole
        jsonschema.validate(full, json.loads(run("schema", command).out))
    assert found == fields.light(whole)
    assert found == yaml.safe_load(run(command, *arguments, "--format", "yaml").out)
    jsonschema.validate(found, json.loads(run("schema", command).out))
