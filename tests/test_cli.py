"""The command line: what it prints, where, and with which status it leaves."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import jsonschema
import pytest
import typer
import yaml

from msmap import __version__, answers, index
from msmap.query import KnowledgeBase
from msmap_cli import app, main


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``msmap`` on the small database, as the installed command does."""
    monkeypatch.setenv("MSMAP_DB", str(database))
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str, stdin: str = "", **environment: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["msmap", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        try:
            main.main()
        except SystemExit as left:
            status = left.code
        else:
            status = 0
        assert status is None or isinstance(status, int)
        return Done(status or 0, *capsys.readouterr())

    return call


def child(
    code: Sequence[str], database: Path, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter with the small database."""
    environment = os.environ | {"MSMAP_DB": str(database), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *code], stdout=stdout, stderr=subprocess.PIPE, env=environment,
        encoding="utf-8", check=False,
    )  # fmt: skip


DROPOUT = """\
torch.nn.Dropout -> mindspore.nn.Dropout
Zeroes elements at random while training.
PyTorch has more parameters · verified, forward only

  PyTorch    torch.nn.Dropout(0.25)(x)
  MindSpore  mindspore.nn.Dropout(p=0.25)(x)

[silent] The first position is keep_prob. Write Dropout(p=0.1).

Targets
  1 mindspore.nn.Dropout  Ascend GPU CPU  PyTorch has more parameters  verified, forward only
      1 verified, forward only, 1 differs as documented; largest error 0.004
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
  1 mindspore.nn.GELU       Ascend GPU CPU  输入参数用法不一致  已验证
      1 项已验证；最大误差 1.5e-07 (1.3 ulps)；梯度一致；MindSpore 报错：float64；\
仅前向一致：bfloat16；一致：只改 import、图模式、float16
  2 mindspore.mint.nn.GELU  Ascend          参数完全一致        此环境无法测试\
 (该算子在此设备上没有内核实现)
      更接近 PyTorch。
      1 项此环境无法测试
参数  mindspore.nn.GELU
  approximate = 'none' -> approximate = True  取值需换算: 'none' -> approximate=False;\
 'tanh' -> approximate=True
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
mindspore.nn.Dropout  runs on: Ascend GPU CPU
  Dropout(keep_prob=0.5, p=None, dtype=mindspore.float32)
was in PyTorch
  torch.nn.Dropout  target 1  PyTorch has more parameters  verified, forward only
    Zeroes elements at random while training.
"""
LIST = "".join(
    "\t".join(row.split(" ")) + "\n"
    for row in (
        "torch.Tensor.size {self}.shape composite verified CPU",
        "torch.cat mindspore.mint.cat identical verified Ascend,GPU,CPU",
        "torch.cuda.empty_cache - removable unverified -",
        "torch.jit.script - missing unverified -",
        "torch.nn.Dropout mindspore.nn.Dropout source_more_params verified_forward_only"
        " Ascend,GPU,CPU",
        "torch.nn.GELU mindspore.nn.GELU input_usage_differs verified Ascend,GPU,CPU",
    )
)
STATS = """\
schema_version: 2
releases:
  torch: 2.13.0
  mindspore: 2.10.0
names:
  mindspore: 16
  torch: 15
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
outcome:
  verified: 5
  differs as documented: 2
  untestable here: 1
  verified, forward only: 1
records: 6
guides: 1
caveats: 2
checks: 9
evidence: 9
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

学习率是一个参数。

`torch.nn.Dropout`

"""


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["lookup", "torch.nn.Dropout"], DROPOUT),
        (["lookup", "nn.GELU", "--lang", "zh"], GELU),
        (["lookup", "cuda.empty_cache"], EMPTY_CACHE),
        (["lookup", "jit.script", "-l", "zh"], SCRIPT),
        (["lookup", "mindspore.nn.Dropout"], REVERSE),
        (["lookup", "jit.script", "Dropout", "-l", "en"], None),
        (["search", "tensor"],
         "torch.Tensor.size  The shape of a tensor, or one dimension of it.\n"
         "torch.cat          Joins tensors along a dimension.\n"),
        (["search", "模式", "训练", "--lang", "zh"], "guide training  训练与推理\n"),
        (["search", "tensor", "--limit", "1", "-l", "zh"],
         "torch.Tensor.size  张量的形状，或其中一维的大小。\n"),
        (["list"], LIST),
        (["list", "--namespace", "torch.nn", "--verification", "verified"],
         LIST.splitlines(keepends=True)[-1]),
        (["list", "--category", "missing"],
         "torch.jit.script\t-\tmissing\tunverified\t-\n"),
        (["list", "--device", "GPU", "--category", "identical"],
         LIST.splitlines(keepends=True)[1]),
        (["port", "torch.cat((a, b), 1)"], "mindspore.mint.cat((a, b), 1)\n"),
        (["stats"], STATS),
        (["guide"], "training  Training and evaluation\n"),
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
            ["lookup", "torch.nn.Dropout"],
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

| Targets | runs on | | |
|---|---|---|---|
| `mindspore.nn.Dropout` | Ascend GPU CPU | PyTorch has more parameters | verified, forward only |

- `mindspore.nn.Dropout`: 1 verified, forward only, 1 differs as documented; largest error 0.004

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
| PyTorch | MindSpore | | | |
|---|---|---|---|---|
| `torch.cuda.empty_cache` | `-` | `removable` | `unverified` | `-` |
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
  "schema_version": 2,
  "query": "拼接",
  "hits": [
    {
      "kind": "record",
      "name": "torch.cat",
      "title": {
        "en": "Joins tensors along a dimension.",
        "zh": "沿指定维度拼接张量。"
      },
      "snippet": "mindspore.mint.cat"
    }
  ]
}
""",
        "",
    )


ANSWERS: dict[str, tuple[list[str], Callable[[KnowledgeBase], Any]]] = {
    "lookup": (
        ["cat", "ops.cat", "torch.relu", "nothing"],
        lambda kb: answers.lookup(kb, ["cat", "ops.cat", "torch.relu", "nothing"]),
    ),
    "search": (
        ["training"],
        lambda kb: answers.Search(2, "training", tuple(kb.search("training"))),
    ),
    "list": ([], lambda kb: answers.List(2, tuple(kb.records()))),
    "port": (
        ["torch.cat(a, out=torch.nn.Dropout(inplace=True))"],
        lambda kb: answers.Ported(2, kb.port("torch.cat(a, out=torch.nn.Dropout(inplace=True))")),
    ),
    "guide": (["training"], lambda kb: answers.Guides(2, (kb.guide("training"),))),
    "stats": ([], lambda kb: answers.Stats(2, **kb.stats())),
}


@pytest.mark.parametrize("command", ANSWERS)
def test_json_and_yaml_carry_the_objects_of_the_library(
    command: str, run: Run, kb: KnowledgeBase
) -> None:
    """And fit the schema that `msmap schema` prints for the command."""
    arguments, answer = ANSWERS[command]
    found = json.loads(run(command, *arguments, "--format", "json").out)
    assert found == json.loads(json.dumps(answers.plain(answer(kb))))
    assert found == yaml.safe_load(run(command, *arguments, "--format", "yaml").out)
    jsonschema.validate(found, json.loads(run("schema", command).out))


@pytest.mark.parametrize(
    ("arguments", "done"),
    [
        (["search", "zzz", "zzz"], Done(1, "", 'msmap: nothing found for "zzz zzz"\n')),
        (["list", "--namespace", "torch.zzz"], Done(1, "", "msmap: no record fits\n")),
        (
            ["port", "torch.cat((a, b), out=c)"],
            Done(1, "", "1:1: torch.cat: `out=c`: `out` has no counterpart in MindSpore\n"),
        ),
        (
            ["port", "x = 1\ny = torch.relu(x)", "-l", "zh"],
            Done(1, "", "2:5: torch.relu 已知，但尚无记录\n"),
        ),
        (
            ["port", "torch.nn.Dropout(0.1, inplace=True)"],
            Done(0, "mindspore.nn.Dropout(p=0.1)\n", "note: `inplace` is dropped\n"),
        ),
        (["port", "x +"], Done(2, "", "msmap: not Python: invalid syntax\n")),
        (["port", "x = (1"], Done(2, "", "msmap: not Python: '(' was never closed\n")),
        (
            ["port", "1" + "+1" * 20000],
            Done(2, "", "msmap: the code is nested too deeply\n"),
        ),
        (["guide", "zzz"], Done(1, "", "msmap: zzz is not known; nearest: training\n")),
        (
            ["list", "--verification", "odd"],
            Done(
                2,
                "",
                'msmap: verification "odd": one of verified, verified_with_tolerance, '
                "verified_forward_only, diverges_documented, refuted, inconclusive, untestable, "
                "unverified, stale\n",
            ),
        ),
        (["signatures", "tf"], Done(2, "", 'msmap: "tf": one of torch, mindspore\n')),
        (
            ["schema", "odd"],
            Done(
                2,
                "",
                'msmap: schema "odd": one of drift, evidence-diff, evidence-show, guide, '
                "guide-file, list, lookup, port, record, search, stats\n",
            ),
        ),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_fails_says_so_on_standard_error(arguments: list[str], done: Done, run: Run) -> None:
    """Status 1: nothing found or refused; 2: wrong usage, or code that isn't Python."""
    assert run(*arguments) == done


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("torch.relu", "msmap: torch.relu is known, but not curated yet"),
        ("Dense", "msmap: mindspore.nn.Dense is known, but no record maps to it"),
        ("torch.catt", 'msmap: "torch.catt" is not a name of PyTorch or MindSpore'),
    ],
)
def test_a_name_without_an_answer_is_followed_by_the_nearest(
    name: str, first: str, run: Run, kb: KnowledgeBase
) -> None:
    near = answers.answer(kb, name).nearest
    assert run("lookup", name) == Done(1, "", f"{first}\nnearest: {', '.join(near)}\n")


def test_what_is_found_is_printed_also_if_something_else_is_not(run: Run) -> None:
    done = run("lookup", "zzzzzzzzzz", "cuda.empty_cache")
    assert (done.status, done.out.strip("\n"), done.err) == (
        1,
        run("lookup", "cuda.empty_cache").out.strip("\n"),
        'msmap: "zzzzzzzzzz" is not a name of PyTorch or MindSpore\n',
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["lookup"],
        ["search"],
        ["port"],
        ["nothing"],
        ["lookup", "--nothing", "cat"],
        ["lookup", "cat", "--format", "xml"],
        ["lookup", "cat", "--lang", "fr"],
        ["list", "--device", "TPU"],
        ["search", "cat", "--limit", "0"],
        ["guide", "training", "more"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_2_with_nothing_on_standard_output(
    arguments: list[str], run: Run
) -> None:
    done = run(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "Usage: " in done.err


@pytest.mark.parametrize(
    ("arguments", "stdin", "names"),
    [
        (["-"], "torch.cat\ncuda.empty_cache\n", ["torch.cat", "cuda.empty_cache"]),
        (["-"], " torch.cat\t\r\n\n cat", ["torch.cat", "cat"]),
        (["cat", "-", "Dropout"], "ops.cat", ["cat", "ops.cat", "Dropout"]),
    ],
    ids=["lines", "any white space", "between others"],
)
def test_a_dash_reads_names_from_standard_input(
    arguments: list[str], stdin: str, names: list[str], run: Run
) -> None:
    assert run("lookup", *arguments, stdin=stdin) == run("lookup", *names)


def test_a_dash_with_nothing_on_standard_input_is_wrong_usage(run: Run) -> None:
    assert run("lookup", "-") == Done(2, "", "msmap: no names on standard input\n")


def test_a_dash_reads_code_from_standard_input(run: Run) -> None:
    code = "y = torch.cat((a, b))  # joined\nz = y.size(0)\n"
    assert run("port", "-", stdin=code) == Done(
        0, "y = mindspore.mint.cat((a, b))  # joined\nz = y.shape[0]\n", ""
    )


@pytest.mark.parametrize(
    "name",
    ["'", '"', "a\0b", "zzz\0", "\udcff", "*", "%", "cat OR", "\u202e"],
    ids=ascii,
)
@pytest.mark.parametrize("command", ["lookup", "search", "guide"])
def test_odd_bytes_are_not_found_and_nothing_worse(command: str, name: str, run: Run) -> None:
    """Arguments that aren't UTF-8 reach Python as lone surrogates."""
    done = run(command, name)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("msmap: ")
    assert "database" not in done.err


@pytest.mark.parametrize(
    ("environment", "chinese"),
    [
        ({}, False),
        ({"LANG": "zh_CN.UTF-8"}, True),
        ({"LANG": "ZH"}, True),
        ({"LANG": "C.UTF-8"}, False),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, False),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, True),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, True),
        ({"LC_CTYPE": "zh_CN.UTF-8"}, False),
    ],
    ids=str,
)
def test_the_locale_decides_the_language(
    environment: dict[str, str], chinese: bool, run: Run
) -> None:
    """For the quick path and for all others; --lang decides before it."""
    tongue = "zh" if chinese else "en"
    expected = run("lookup", "cat", "--lang", tongue)
    assert run("lookup", "cat", **environment) == expected
    assert run("lookup", "cat", "--format", "text", **environment) == expected
    assert run("lookup", "cat", "--lang", "en", **environment) == run(
        "lookup", "cat", LC_ALL="en_US.UTF-8"
    )


@pytest.mark.parametrize("locale", ["en_US.UTF-8", "zh_CN.UTF-8"])
@pytest.mark.parametrize(
    "names",
    [
        ["torch.Tensor.size"], ["torch.cat"], ["torch.cuda.empty_cache"], ["torch.jit.script"],
        ["torch.nn.Dropout"], ["torch.nn.GELU"], ["mindspore.ops.cat"], ["mindspore.mint.cat"],
        ["mindspore.nn.Dropout", "cat", "ops.concat"], ["cat", "cat"], ["relu"], ["cat", "zzzzzz"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_stored_pages_print_what_the_full_path_prints(
    names: list[str], locale: str, run: Run
) -> None:
    """A plain lookup prints stored pages; with --format text the same is rendered again."""
    assert run("lookup", *names, LANG=locale) == run(
        "lookup", *names, "--format", "text", LANG=locale
    )


@pytest.mark.parametrize("name", ["torch.nn.Dropout", "ops.cat"])
def test_a_plain_lookup_into_a_pipe_imports_nothing_heavy(name: str, database: Path) -> None:
    code = (
        "import sys; sys.argv = ['msmap', 'lookup', sys.argv[1]]\n"
        "from msmap_cli.main import main; main()\n"
        "heavy = {'typer', 'click', 'rich', 'pydantic', 'sqlalchemy', 'sqlmodel', 'yaml',"
        " 'numpy', 'torch', 'mindspore', 'json', 'msmap.model', 'msmap.query'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = child(["-c", code, name], database)
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert done.stdout.splitlines()[0].startswith(("torch.nn.Dropout", "mindspore.ops.cat"))


@pytest.mark.parametrize(
    "arguments",
    [["lookup", "cat", "-f", "json"], ["search", "cat"], ["list"], ["stats"], ["port", "x"]],
    ids=" ".join,
)
def test_reading_needs_nothing_that_only_building_needs(
    arguments: list[str], database: Path
) -> None:
    code = (
        "import sys; sys.argv[0] = 'msmap'\n"
        "from msmap_cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'pydantic', 'sqlalchemy', 'sqlmodel', 'sqlite_utils', 'numpy', 'torch',"
        " 'mindspore', 'datasette'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = child(["-c", code, *arguments], database)
    assert (done.returncode, done.stderr) == (0, "[]\n")


@pytest.mark.parametrize(
    "arguments",
    [["lookup", "cat"], ["list"], ["lookup", *["Dropout"] * 99, "-f", "json"], ["--help"]],
    ids=lambda arguments: " ".join(arguments)[:20],
)
def test_a_reader_that_stops_reading_ends_it_quietly(arguments: list[str], database: Path) -> None:
    """As in `msmap list | head -1`: the pipe is closed before anything is written."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = child(["-m", "msmap_cli.main", *arguments], database, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def commands() -> dict[str, click.Command]:
    """Every command as it is declared, by name."""
    group = typer.main.get_command(app.app)
    found: dict[str, click.Command] = group.commands  # type: ignore[attr-defined]
    return found


def test_there_are_these_commands() -> None:
    assert sorted(commands()) == [
        "build", "drift", "evidence", "guide", "lint", "list", "lookup", "port", "schema", "search",
        "signatures", "stats", "verify",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_and_option_has_help(name: str, run: Run) -> None:
    command = commands()[name]
    silent = [
        p.name for p in command.params if not getattr(p, "help", None) and p.name not in ("help",)
    ]
    assert (bool(command.help), silent) == (True, [])
    done = run(name, "--help")
    assert (done.status, done.err) == (0, "")
    assert f"msmap {name} " in done.out
    assert (command.help or "").splitlines()[0] in " ".join(done.out.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["lookup", "torch.cat"],
        ["lookup", "torch.cat", "-f", "json"],
        ["lookup", "mindspore.nn.Dropout"],
        ["search", "cat"],
        ["list"],
        ["port", "torch.cat(x)"],
        ["stats"],
        ["guide"],
        ["guide", "training"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("damage", ["missing", "text", "truncated", "empty", "overwritten"])
def test_without_a_sound_database_every_command_says_what_to_do(
    damage: str, arguments: list[str], run: Run, database: Path, tmp_path: Path
) -> None:
    """One line, which names the file; status 1; no traceback."""
    path = tmp_path / "msmap.db"
    content = database.read_bytes()
    files = {
        "text": b"not a database, but long enough" * 99,
        "truncated": content[: len(content) // 2],
        "empty": b"",
        "overwritten": content[:4096] + b"\xff" * (len(content) - 4096),
    }
    if damage in files:
        path.write_bytes(files[damage])
    done = run(*arguments, MSMAP_DB=str(path))
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith("msmap: ")
    assert str(path) in done.err
    assert "`msmap build`" in done.err


def test_build_says_what_went_in(checkout: Path, run: Run) -> None:
    assert run("build", "--output", "new.db") == Done(
        0, "new.db: 6 records, 1 guides, 9 checks, 31 names\n", ""
    )
    assert run("lookup", "cat", MSMAP_DB="new.db").status == 0


def test_build_writes_where_commands_read(checkout: Path, run: Run) -> None:
    done = run("build", "--data", str(checkout), MSMAP_DB="mine.db")
    assert done.out.startswith("mine.db: 6 records")
    assert run("lookup", "cat").status == 0


def test_build_and_lint_outside_a_checkout_say_what_they_expect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    message = (
        "data:1: no data here: expected a directory `records` (run from a checkout, or --data) "
        "[schema]\nmsmap: 1 problem(s) in the data; nothing was changed\n"
    )
    assert run("build", "-o", "new.db") == Done(1, "", message)
    assert run("lint") == Done(1, "", message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("output", ["data", "data/LICENSE/msmap.db"])
def test_build_says_what_it_cannot_write(output: str, checkout: Path, run: Run) -> None:
    """A directory stands in the place of the file, or a file in that of a directory."""
    (checkout / "LICENSE").write_text("CC0", encoding="utf-8")
    done = run("build", "-o", output)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith("msmap: ")
    assert output.removesuffix("/msmap.db") in done.err
    assert list(Path().rglob(".*.db*")) == []


HEAD = "torch: torch.tanh\nsummary: {en: E., zh: 中。}\n"
ONE_CHECK = HEAD + "targets:\n  - api: mindspore.ops.tanh\nchecks:\n  - id: one\n    torch: "
GUIDE_HEAD = "id: more\ntitle: {en: E., zh: 中。}\nsummary: {en: E., zh: 中。}\n"
SECTION = "sections:\n  - id: a\n    title: {en: E., zh: 中。}\n    text: {en: E., zh: 中。}\n"


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("records/torch/tanh.yaml", "", "1: the file is empty"),
        ("records/torch/tanh.yaml", HEAD + "colour: red\nmissing: {en: E., zh: 中。}\n",
         "3: unknown key `colour`"),
        ("records/torch/tanh.yaml", HEAD + "missing: {en: E.}\n",
         "3: key `missing.zh` is missing"),
        ("records/torch/tanh.yaml", HEAD + HEAD, "3: key `torch` stands twice"),
        ("records/torch/tanh.yaml", HEAD + "targets: [\n",
         "4: not YAML: did not find expected node content"),
        ("records/torch/tanh.yaml", HEAD + "missing: {en: E., zh: 中。}\ncaveats:\n  - id: A b\n",
         None),
        ("records/torch/tanh.yaml", HEAD, "1: file: a record has either targets or missing"),
        ("guides/more.yaml", GUIDE_HEAD + "records: []\n", "1: key `sections` is missing"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", [["build", "-o", "new.db"], ["lint"]], ids=["build", "lint"])
def test_a_file_that_breaks_the_schema_is_named_with_its_line(
    command: list[str], file: str, text: str, problem: str | None, checkout: Path, run: Run
) -> None:
    """A problem of None: several, one a line, and their count at the end."""
    (checkout / file).write_text(text, encoding="utf-8")
    if problem is None:
        place = f"{checkout / file}"
        said = (
            f"{place}:5: caveats.0.id: 'A b': string should match pattern "
            "'^[a-z0-9][a-z0-9-]*$' [schema]\n"
            f"{place}:5: key `caveats.0.impact` is missing [schema]\n"
            f"{place}:5: key `caveats.0.text` is missing [schema]\n"
            "msmap: 3 problem(s) in the data; nothing was changed\n"
        )
    else:
        said = (
            f"{checkout / file}:{problem} [schema]\n"
            "msmap: 1 problem(s) in the data; nothing was changed\n"
        )
    assert run(*command) == Done(1, "", said)
    assert not Path("new.db").exists()


TANH = "records/torch/tanh.yaml"
NONSENSE = {
    "a check that isn't Python": (TANH, ONE_CHECK + "torch.tanh(\n", 6),
    "a check that can't be ported": (TANH, ONE_CHECK + "torch.relu(x)\n", 6),
    "a port inside a check that isn't Python": (
        TANH, ONE_CHECK + "torch.tanh(x)\n    mindspore: '{{ torch.tanh( }}'\n", 6,
    ),
    "an input without an end": (TANH, ONE_CHECK + "torch.tanh(x)\ninputs:\n  x: float32[2\n", 9),
    "an input with half a range": (
        TANH, ONE_CHECK + "torch.tanh(x)\ninputs:\n  x: float32[2] in 1\n", 9,
    ),
    "an overload without an end": (TANH, ONE_CHECK + "torch.tanh(x)\noverloads: ['(x']\n", 8),
    "a date that isn't one": (TANH, HEAD + "missing: {en: E., zh: 2020-13-45}\n", 3),
    "an anchor inside itself": (
        TANH, HEAD + "targets:\n  - &a {api: mindspore.ops.tanh, note: *a}\n", 4,
    ),
    "a value to set with an unknown placeholder": (
        TANH,
        HEAD + "targets:\n  - api: mindspore.ops.tanh\n    parameters:\n"
        "      - {mindspore: input, relation: target_only_must_set, value: '{nothing}'}\n"
        "checks:\n  - id: one\n    torch: torch.tanh(x)\n",
        6,
    ),
    "a returned value with an unknown placeholder": (
        TANH,
        HEAD + "targets:\n  - api: mindspore.ops.tanh\n"
        "    returns: {relation: type_differs, value: '{other}', text: {en: E., zh: 中。}}\n"
        "checks:\n  - id: one\n    torch: torch.tanh(x)\n",
        5,
    ),
    "a guide's check that isn't Python": (
        "guides/more.yaml",
        GUIDE_HEAD + SECTION + "    checks:\n      - id: c\n        torch: torch.cat(\n",
        9,
    ),
    "a guide's check that can't be ported": (
        "guides/more.yaml",
        GUIDE_HEAD + SECTION + "    checks:\n      - id: c\n        torch: torch.relu(x)\n",
        9,
    ),
    "a guide that is there already": (
        "guides/zz.yaml", GUIDE_HEAD.replace("more", "training") + SECTION, 1,
    ),
    "a signature file that isn't one": ("signatures/torch-2.14.0.jsonl", '{"name": 1}\n', 1),
    "a signature file that isn't UTF-8": ("signatures/torch-2.14.0.jsonl", "\udcff\n", 1),
    "a signature without an end": (
        "signatures/torch-2.14.0.jsonl",
        '{"name": "torch.cat", "kind": "function", "signatures": ["(x"]}\n',
        1,
    ),
    "evidence with a merge conflict": ("evidence/here.jsonl", "<<<<<<< HEAD\n", 1),
    "evidence that isn't UTF-8": ("evidence/here.jsonl", "\udcff\n", 1),
}  # fmt: skip


@pytest.mark.parametrize("nonsense", NONSENSE)
@pytest.mark.parametrize("command", [["build", "-o", "new.db"], ["lint"]], ids=["build", "lint"])
def test_content_that_makes_no_sense_is_named_with_its_line(
    command: list[str], nonsense: str, checkout: Path, run: Run
) -> None:
    """Whatever is wrong: a line that starts with file and line, status 1, and no traceback."""
    file, text, line = NONSENSE[nonsense]
    (checkout / file).write_bytes(text.encode("utf-8", "surrogateescape"))
    done = run(*command)
    said = [text.removeprefix("msmap: ") for text in (done.out + done.err).splitlines()]
    assert done.status == 1
    assert [text for text in said if text.startswith(f"{checkout / file}:{line}: ")] != []
    assert not Path("new.db").exists()


def test_lint_names_a_check_without_code(checkout: Path, run: Run) -> None:
    text = ONE_CHECK + "'# nothing'\n"
    (checkout / "records/torch/tanh.yaml").write_text(text, encoding="utf-8")
    done = run("lint", "torch.tanh")
    assert done.status == 1
    assert re.search(
        r"^data/records/torch/tanh.yaml:[67]: check `one`.*names-are-known", done.out, re.M
    )


def test_an_input_that_is_wrong_is_one_problem_in_plain_words(checkout: Path, run: Run) -> None:
    text = ONE_CHECK + "torch.tanh(x)\ninputs:\n  x: float32[2\n"
    (checkout / "records/torch/tanh.yaml").write_text(text, encoding="utf-8")
    said = run("lint").err.splitlines()
    assert len(said) == 2
    assert said[0].startswith("data/records/torch/tanh.yaml:9: inputs.x: 'float32[2': ")


def test_lint_of_sound_records_says_so(checkout: Path, run: Run) -> None:
    assert run("lint") == Done(0, "", "no problems\n")


def test_lint_prints_problems_with_file_line_and_rule(checkout: Path, run: Run) -> None:
    """All, those of the records named, and those of rules that aren't skipped."""
    for name in ("cat", "jit/script"):
        path = checkout / "records" / "torch" / f"{name}.yaml"
        text = path.read_text(encoding="utf-8") + "guides: [nowhere]\n"
        path.write_text(text, encoding="utf-8")
    cat = "data/records/torch/cat.yaml:24: no guide `nowhere` [guides-exist]\n"
    script = "data/records/torch/jit/script.yaml:8: no guide `nowhere` [guides-exist]\n"
    assert run("lint") == Done(1, cat + script, "msmap: 2 problem(s)\n")
    assert run("lint", "torch.jit.script") == Done(1, script, "msmap: 1 problem(s)\n")
    assert run("lint", "torch.nn.GELU") == Done(0, "", "no problems\n")
    assert run("lint", "--skip", "guides-exist") == Done(0, "", "no problems\n")


@pytest.mark.parametrize(
    "arguments", [["torch.nn.Droput"], ["--skip", "no-such-rule"]], ids=" ".join
)
def test_lint_does_not_give_the_all_clear_for_what_is_not_there(
    arguments: list[str], checkout: Path, run: Run
) -> None:
    """A misspelt record or rule is an error that names it."""
    done = run("lint", *arguments)
    assert done.status != 0
    assert arguments[-1] in done.err


def test_lint_lists_its_rules(run: Run) -> None:
    done = run("lint", "--rules")
    lines = done.out.splitlines()
    assert (done.status, done.err, lines) == (0, "", sorted(lines))
    assert lines[0] == (
        "best-target-is-proved: The port to each target is executed by a check that expects the "
        "same outcome."
    )


def test_a_database_elsewhere_is_found_by_its_variable(
    run: Run, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by a relative path, and with characters that mean something in a URI."""
    shutil.copy(database, tmp_path / "a?b #1%.db")
    monkeypatch.chdir(tmp_path)
    expected = run("lookup", "cat")
    assert run("lookup", "cat", MSMAP_DB="a?b #1%.db") == expected


def test_an_empty_variable_means_the_shipped_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MSMAP_DB", "")
    assert index.path() == index.SHIPPED
