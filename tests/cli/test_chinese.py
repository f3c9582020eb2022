"""The command line in Chinese: help and messages, all of them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from inspect import cleandoc
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.builders.commands import Run

from msmap import errors, phrases
from msmap.curated import load
from msmap.lint.rules import RULES
from msmap.port import attempt
from msmap.problems import DataError
from msmap.query.knowledge_base import KnowledgeBase
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


@cache
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


@cache
def helps() -> list[str]:
    """The help of all commands."""
    return sorted(set(filter(None, helped(shared.added(app.app)))))


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


@cache
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


@pytest.fixture
def chinese_speaking() -> Iterator[None]:
    settings.read(["--lang", "zh"])
    yield
    settings.read([])


def unspoken(said: Iterable[str]) -> list[str]:
    """What isn't there in Chinese, or loses a value there."""
    return [
        text
        for text in said
        if not CHINESE.search(told := chinese.TEXTS.get(text.removeprefix("msmap: "), ""))
        or len(re.findall(r"\{\d?\}", told)) != text.count("{}")
    ]


# All texts of a kind are one case: they are found by reading the source.
def test_every_help_is_there_in_chinese() -> None:
    found = [text for text in helps() if not CHINESE.search(chinese.TEXTS.get(text, ""))]
    assert (found, len(helps()) > 100) == ([], True)


def test_every_message_is_there_in_chinese() -> None:
    assert (unspoken(messages()), len(messages()) > 100) == ([], True)


def test_what_rules_ask_for_and_find_is_there_in_chinese() -> None:
    said = [*RULES_SAY, *wrong()]
    assert (unspoken(said), len(said) > 90) == ([], True)


def test_a_problem_that_was_found_is_told_in_chinese(chinese_speaking: None) -> None:
    """All but names, code and what others say."""
    words = re.compile(r"\b(?:no|has|is|says|stands|belongs|defaults|expects|agrees)\b")
    english = [
        text for text in FOUND
        if not CHINESE.search(said := speech.spoken(text))
        or words.search(re.sub(r"`[^`]*`|“[^”]*”|(?:torch|mindspore).*|：[^：]*$", "", said))
    ]  # fmt: skip
    assert (english, len(FOUND) > len(RULES)) == ([], True)


# What stands where a value of another kind is wanted.
STRANGE = [None, 3, -1, 2.5, True, "", "x y", [], {}, [None], {"a": 1}, [["x"]]]


def steps(node: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all values of a document."""
    if at:
        yield at
    inside = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for key, value in inside:
        yield from steps(value, (*at, key))


def shape_of(way: tuple[Any, ...]) -> tuple[Any, ...]:
    """A way to a value, wherever in a list it leads."""
    return tuple("" if isinstance(key, int) else key for key in way)


def short(node: Any) -> Any:
    """A document without items of lists that have nothing but what those before them have."""
    if isinstance(node, dict):
        return {key: short(value) for key, value in node.items()}
    if not isinstance(node, list):
        return node
    kept, known = [], set()
    for item in node:
        shapes = {(), *map(shape_of, steps(item))}
        if not shapes <= known:
            kept.append(short(item))
            known |= shapes
    return kept


def spoiled(document: Any) -> Iterator[Any]:
    """A document with a mistake put into it, of each kind at each place."""
    shapes = set()
    for *above, last in steps(document):
        shape = shape_of((*above, last))
        if shape in shapes:
            continue
        shapes.add(shape)
        for wrong in (*STRANGE, ...):
            copy = json.loads(json.dumps(document))
            holder = copy
            for key in above:
                holder = holder[key]
            if wrong is ... and isinstance(holder, dict):
                holder["nothing"] = holder.pop(last)
            elif wrong is not ...:
                holder[last] = wrong
            yield copy


def complaints(folder: str) -> set[str]:
    """All that is said of a file of a folder with mistakes in it."""
    places = (load.paths(ROOT / name)[folder] for name in ("tests/fixtures/data", "data"))
    files = next(filter(None, places))[:5]
    texts = (file.read_text(encoding="utf-8") for file in files)
    documents = (spoiled(short(yaml.load(text, yaml.CSafeLoader))) for text in texts)
    found = set()
    for wrong in chain(STRANGE, chain.from_iterable(documents)):
        try:
            load.read(Path("file.yaml"), folder, json.dumps(wrong).encode())
        except DataError as error:
            found |= {problem.message for problem in error.problems}
    return found


@pytest.mark.parametrize("folder", load.paths(ROOT / "data"))
def test_what_is_wrong_with_a_file_is_told_in_chinese(folder: str, chinese_speaking: None) -> None:
    """All but keys, values and what may stand there."""
    found = complaints(folder)
    given = re.compile(r"`[^`]*`|“[^”]*”|'[^']*'|[\[{].*?[\]}]|：应为 .* 之一")
    english = [
        text for text in found
        if not CHINESE.search(said := speech.spoken(text))
        or re.search(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}", given.sub("", said))
    ]  # fmt: skip
    assert (english, len(found) > 3) == ([], True)


def checks_of_files() -> list[str]:
    """What is raised of a file as it is read, and by the models of what stands there."""
    found = set()
    for path in (ROOT / "kb/msmap/curated").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and name in ("ValueError", "Problem", "wrong"):
                place = {"ValueError": 0}.get(name, 2)
                said = texts(node.args[place]) if len(node.args) > place else ()
                found |= {f"{{}}: {text}" if name == "ValueError" else text for text in said}
    return sorted(found)


def test_what_models_refuse_is_there_in_chinese() -> None:
    said = {
        text: phrases.told(text.replace("{}", "x"), chinese.TEXTS) for text in checks_of_files()
    }
    english = [text for text, told in said.items() if not CHINESE.search(told)]
    assert (english, len(said) > 3) == ([], True)


def libyaml() -> list[str]:
    """What libyaml may say is wrong, from the library itself."""
    library = yaml._yaml.__file__
    words = re.findall(
        rb"(?<![ -~])(?:did not find|found|could not find) [ -~]{5,}", Path(library).read_bytes()
    )
    words += re.findall(
        rb"[ -~]{3,} (?:is|are) not allowed(?: in this context)?", Path(library).read_bytes()
    )
    return sorted({word.decode() for word in words})


@pytest.mark.parametrize("text", libyaml())
def test_what_yaml_says_is_there_in_chinese(text: str) -> None:
    assert CHINESE.search(phrases.chinese(text))


@pytest.mark.parametrize(
    "text",
    [
        "id: [1", "id: {a: b", "a: b: c", "a:\n\t- b", "a: *b", "a: @b", "a: 'b", "- a\nb: c",
        "a: !b c", "a: !!int x", "a: 2020-13-45", "a: 1\n--- \nb: 2", "a: &b [*b]", "a: 1\na: 2",
        "a: \x07", "%YAML 3.0\n---\na: 1",
    ],
)  # fmt: skip
def test_what_is_no_yaml_is_told_in_chinese(text: str, chinese_speaking: None) -> None:
    with pytest.raises(DataError) as raised:
        load.read(Path("file.yaml"), "records", text.encode())
    said = [speech.spoken(problem.message) for problem in raised.value.problems]
    assert [s for s in said if not CHINESE.search(s) or re.search(r"[a-z]{3,} [a-z]{3,}", s)] == []


@pytest.mark.parametrize(
    "code",
    [
        "x +", "x = (1", "x = 1)", "x = (1]", "if x:\ny = 1", "if x\n  y", "x = 'a",
        "x = \"\"\"a", "f(a=1, 2)", "print 1", "1 = x", "f() = 1", "x = 1 y = 2", "x = 0777",
        "x = 1a", "if x = 1: pass", "try:\n    x\ny", "if x:\n    y\n  z", "x = \u201c1\u201d",
        "x = \\ 1", "del f()", "x = [1, 2", "x = f'{'", "class A\n  pass", "x\0",
    ],
)  # fmt: skip
def test_what_is_no_python_is_told_in_chinese(code: str, kb: KnowledgeBase) -> None:
    """As Python 3.10 to 3.14 say it."""
    [refusal] = attempt.attempt(code, kb).refusals
    assert re.search(r"[A-Za-z]{3,} [a-z]{3,} [a-z]{2,}", refusal.reason.zh) is None


CALLS = {
    "torch.cat()": "缺少 `tensors`",
    "torch.cat(a, 1, 2, 3)": "最多接受 2 个位置参数",
    "torch.cat(a, axes=1)": "没有参数 `axes`",
    "torch.cat(a, 1, dim=1)": "`dim` 传入了两次",
    "torch.cat(*a)": "无法从代码判断 *a 填入哪些参数",
}


@pytest.mark.parametrize("code", CALLS)
def test_why_a_call_fits_no_overload_is_told_in_chinese(code: str, kb: KnowledgeBase) -> None:
    [refusal] = kb.port(code).refusals
    assert refusal.reason.zh == f"torch.cat：参数与任何重载都不匹配（{CALLS[code]}）"


def reasons() -> list[tuple[str, int, str]]:
    """All reasons and notes of the rewriter and the scanner whose Chinese stands beside them."""
    found = []
    for folder in ("code", "port", "scan"):
        for path in sorted((ROOT / "kb/msmap" / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = getattr(getattr(node, "func", None), "id", "")
                if isinstance(node, ast.Call) and name in ("Text", "Refused", "Left", "_Unfit"):
                    both = [list(texts(value)) for value in node.args]
                    said = [one for one in both if one and re.search("[a-z]{3}", one[0])]
                    written = [one for one in both if one and CHINESE.search(one[0])]
                    if said and any(" " in text for text in said[0]):
                        found.append((path.name, node.lineno, "".join(map("".join, written))))
    return found


def test_every_reason_of_the_rewriter_has_its_chinese() -> None:
    found = reasons()
    missing = [(name, line) for name, line, text in found if not CHINESE.search(text)]
    assert (missing, len(found) > 40) == ([], True)


def test_what_stands_in_a_reason_is_there_in_chinese() -> None:
    """What a notebook lacks, what the system says, and how a file isn't encoded."""
    said = set()
    for name in ("notebooks", "project"):
        for node in ast.walk(ast.parse((ROOT / f"kb/msmap/code/{name}.py").read_text("utf-8"))):
            called = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and called in ("NoNotebook", "ValueError"):
                said |= set(texts(node.args[0]))
    assert said
    assert [text for text in said if not CHINESE.search(phrases.CHINESE.get(text, ""))] == []


def test_nothing_is_translated_that_nobody_says() -> None:
    """Help and messages that are gone are gone in Chinese too; what Typer says is left out."""
    typers = {
        t for t in chinese.TEXTS if re.match("Got |No such|option |Missing|'|File|Dir|Path", t)
    }
    systems = {t for t in chinese.TEXTS if re.match(r"\{\}(: [NP]|; free| is not in)", t)}
    headings = {t for t in chinese.TEXTS if t.endswith(":")}
    # What problems are put together of.
    parts = {*RULES_SAY, *wrong(), *lint.PARTS, *lint.FILES, *phrases.CHINESE}
    ours = {text.removeprefix("msmap: ") for text in (*helps(), *messages(), *parts)}
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
