"""The command line in Chinese: help and messages, all of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import pytest
from tests.builders.commands import Run

from msmap import errors
from msmap.lint.rules import RULES
from msmap_cli import app, chinese, settings, shared, speech
from msmap_cli.chinese import lint

ROOT = Path(__file__).resolve().parents[2]
CHINESE = re.compile("[\u4e00-\u9fff]")
# What says something, and where: its first argument is the text.
SAYING = {"fail", "say", "said", "progress", "BadParameter"}
# What stands in every language as it is: values alone, marks and names.
NOTHING_TO_SAY = re.compile(r"[\W\d_]*(msmap[\W\d_]*)?")


def texts(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be, with {} for what isn't known."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            part.value if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        for left in texts(node.left) or ["{}"]:
            for right in texts(node.right) or ["{}"]:
                yield left + right


def spoken(path: Path, raised: set[str]) -> Iterator[str]:
    """The messages of a module: what is said, and what errors carry that are told as they are."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if (name in SAYING and "msmap_cli" in str(path)) or name in raised:
            yield from (text for text in texts(node.args[0]) if not NOTHING_TO_SAY.fullmatch(text))


def messages() -> list[str]:
    """All messages of the command line."""
    raised = {
        name for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.MsmapError)
    } - {"NotFound"}  # fmt: skip
    found = {
        text
        for source in ("cli", "kb", "datasette_plugins")
        for path in (ROOT / source).rglob("*.py")
        for text in spoken(path, raised)
    }
    return sorted(found)


def helped(command: Any, path: str = "") -> Iterator[str]:
    """The help of a command and of all that belongs to it."""
    yield cleandoc(command.help or "")
    yield from (" ".join(p.help.split()) for p in command.params if getattr(p, "help", None))
    for name, other in getattr(command, "commands", {}).items():
        yield from helped(other, f"{path} {name}")


def yielded(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a rule says is wrong: what is yielded first, what it is called, and what is returned."""
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).append(node.value)
    for node in ast.walk(function):
        if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
            first = node.value.elts[0]
            yield from named.get(first.id, []) if isinstance(first, ast.Name) else [first]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "unported":
            yield node.args[0]
        elif isinstance(node, ast.Return) and node.value is not None and function.returns:
            yield from [node.value] if ast.unparse(function.returns) == "str" else []


def wrong() -> list[str]:
    """All that rules say is wrong."""
    return sorted(
        {
            text
            for path in (ROOT / "kb/msmap/lint").rglob("*.py")
            if path.name not in ("mend.py", "run.py")
            for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(function, ast.FunctionDef)
            for expression in yielded(function)
            for text in texts(expression)
            if not NOTHING_TO_SAY.fullmatch(text.replace("{}", ""))
        }
    )


RULES_SAY = sorted({text for rule in RULES.values() for text in rule.doc.splitlines()})
# A fixture of each rule has what it says.
FOUND = sorted(
    text
    for path in (ROOT / "tests/fixtures/lint").glob("*/expected.txt")
    for text in re.findall(r"^\S+:\d+: (.*) \[[\w-]+\]$", path.read_text("utf-8"), re.M)
)
HELPS = sorted(set(filter(None, helped(shared.added(app.app)))))


@pytest.fixture
def chinese_speaking() -> Iterator[None]:
    settings.read(["--lang", "zh"])
    yield
    settings.read([])


@pytest.mark.parametrize("text", HELPS, ids=lambda text: text[:40])
def test_every_help_is_there_in_chinese(text: str) -> None:
    assert CHINESE.search(chinese.TEXTS.get(text, ""))


@pytest.mark.parametrize("text", messages(), ids=lambda text: text[:40])
def test_every_message_is_there_in_chinese(text: str) -> None:
    """And keeps its values."""
    told = chinese.TEXTS.get(text.removeprefix("msmap: "), "")
    slots = len(re.findall(r"\{\d?\}", told))
    assert (bool(CHINESE.search(told)), slots) == (True, text.count("{}"))


@pytest.mark.parametrize("text", [*RULES_SAY, *wrong()], ids=lambda text: text[:40])
def test_what_rules_ask_for_and_find_is_there_in_chinese(text: str) -> None:
    """And keeps its values."""
    told = chinese.TEXTS.get(text, "")
    slots = len(re.findall(r"\{\d?\}", told))
    assert (bool(CHINESE.search(told)), slots) == (True, text.count("{}"))


def test_a_problem_that_was_found_is_told_in_chinese(chinese_speaking: None) -> None:
    """All but names, code and what others say."""
    words = re.compile(r"\b(?:no|has|is|says|stands|belongs|defaults|expects|agrees)\b")
    english = [
        text for text in FOUND
        if not CHINESE.search(said := speech.spoken(text))
        or words.search(re.sub(r"`[^`]*`|“[^”]*”|(?:torch|mindspore).*|：[^：]*$", "", said))
    ]  # fmt: skip
    assert (english, len(FOUND) > len(RULES)) == ([], True)


def test_nothing_is_translated_that_nobody_says() -> None:
    """Help and messages that are gone are gone in Chinese too; what Typer says is left out."""
    typers = {
        t for t in chinese.TEXTS if re.match("Got |No such|option |Missing|'|File|Dir|Path", t)
    }
    systems = {t for t in chinese.TEXTS if re.match(r"\{\}(: [NP]|; free| is not in)", t)}
    headings = {t for t in chinese.TEXTS if t.endswith(":")}
    # What problems are put together of.
    parts = {*RULES_SAY, *wrong(), *lint.PARTS}
    ours = {text.removeprefix("msmap: ") for text in (*HELPS, *messages(), *parts)}
    assert sorted(set(chinese.TEXTS) - typers - systems - headings - ours) == []


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("msmap: no record fits", "msmap: 没有符合的记录"),
        ('msmap: device "tpu": one of ascend, gpu', "msmap: 设备 “tpu”：应为 ascend, gpu 之一"),
        ("no check `a` in b/c", "b/c 中没有检查项 `a`"),
        ("3 problem(s)\nno problems", "3 个问题\n没有问题"),
        ("what nobody knows: x", "what nobody knows: x"),
        (
            "a.json is no weight map: [{name: name}, {name: function}]",
            "a.json 不是权重映射：应为 [{name: name}, {name: function}]",
        ),
        ("已是中文", "已是中文"),
        ("", ""),
    ],
)
def test_a_finished_message_is_told_in_chinese(
    message: str, told: str, chinese_speaking: None
) -> None:
    assert speech.spoken(message) == told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["lookup", "--hlep"], "没有选项 --hlep；是否想写 --help？"),
        (["search", "a", "--limit", "0"], "0 不在范围 x>=1 内"),
        (["lookup", "cat", "-f", "jsn"], "应为 text, json, yaml, markdown 之一；是否想写 json？"),
        (["lookup"], "缺少 名称"),
        (["guide", "a", "b"], "多余的参数 (b)"),
        (["evidence", "shwo"], "没有命令 shwo；是否想写 show？"),
        (["biuld"], "是否想运行命令 build？"),
        (["search", "zzz"], "没有找到“zzz”"),
        (["list", "--namespace", "torch.zzz"], "没有符合的记录"),
        (["lookup", "cat", "-m", "1.0"], "应为"),
        (["port", "torch.nn.Dropout(0.1, inplace=True)"], "说明：`inplace` 已删除"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_goes_wrong_is_told_in_chinese(arguments: list[str], told: str, run: Run) -> None:
    assert told in run("--lang", "zh", *arguments).err
    assert told in run(*arguments, MSMAP_LANG="zh").err


@pytest.mark.parametrize("name", ["", "lookup", "evidence show", "scan"])
def test_help_is_chinese_all_through(name: str, run: Run) -> None:
    """But for names, words to type and values."""
    done = run(*name.split(), "-h", "--lang", "zh")
    assert done.status == 0
    assert done.out.startswith("用法： msmap")
    assert re.search(r"(?<![\w.$~/<|-])[a-z]+ [a-z]+ [a-z]+ [a-z]+(?![\w|>])", done.out) is None
