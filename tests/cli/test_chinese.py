"""The command line in Chinese: help and messages, all of them."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Iterator
from functools import cache
from inspect import cleandoc
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from babel.messages.catalog import Catalog
from babel.messages.frontend import CommandLineInterface
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from tests.builders.commands import Run

from msmap import phrases
from msmap.curated import load
from msmap.errors import MsmapError, NotFound
from msmap.lint.rules import RULES
from msmap.messages import Message, joined
from msmap.port import attempt
from msmap.problems import DataError
from msmap.query.knowledge_base import KnowledgeBase
from msmap_cli import app, extract, settings, shared, speech

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "cli/msmap_cli/locale/zh/LC_MESSAGES/msmap.po"
CHINESE = re.compile("[\u4e00-\u9fff]")
# A value, with the form in which it is written.
SLOT = re.compile(r"(?<!\{)\{\d?((?:![rs])?(?::[^{}]*)?)\}(?!\})")


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The texts that the command of docs/translating.md finds in the source."""
    template = tmp_path_factory.mktemp("texts") / "msmap.pot"
    options = ["-F", str(ROOT / "pyproject.toml"), "-o", str(template)]
    CommandLineInterface().run(["pybabel", "-q", "extract", *options, str(ROOT)])
    with template.open("rb") as file:
        return {message.id for message in read_po(file) if message.id}


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    """The Chinese texts as translators write them."""
    with CATALOGUE.open("rb") as file:
        return read_po(file)


@cache
def helps() -> list[str]:
    """The help of all commands."""
    return sorted(set(filter(None, helped(shared.added(app.app)))))


def helped(command: Any) -> Iterator[str]:
    """The help of a command and of all that belongs to it."""
    yield cleandoc(command.help or "")
    yield from (" ".join(p.help.split()) for p in command.params if getattr(p, "help", None))
    for other in getattr(command, "commands", {}).values():
        yield from helped(other)


@pytest.fixture
def chinese_speaking() -> Iterator[None]:
    settings.read(["--lang", "zh"])
    yield
    settings.read([])


# All texts of a kind are one case: they are found by reading the source.
def test_every_text_has_a_translation_and_every_translation_a_text(
    texts: set[str], catalogue: Catalog
) -> None:
    """`.ci/texts` takes new ones into the catalogue, and what nobody says any more out of it."""
    known = {message.id for message in catalogue if message.id}
    assert (sorted(texts - known), sorted(known - texts)) == ([], [])
    assert len(texts) > 500


def test_every_translation_is_chinese_and_has_the_values_of_its_text(catalogue: Catalog) -> None:
    wrong = [
        message.id
        for message in catalogue
        if message.id
        and (
            message.fuzzy
            or not re.search("[\u4e00-\u9fff：；]", str(message.string))
            or sorted(SLOT.findall(str(message.string))) != sorted(SLOT.findall(message.id))
        )
    ]
    assert wrong == []


def test_the_compiled_catalogue_is_that_of_the_translators(catalogue: Catalog) -> None:
    """`.ci/texts` compiles it."""
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        compiled = {message.id: message.string for message in read_mo(file) if message.id}
    assert compiled == {message.id: message.string for message in catalogue if message.id}


def test_every_help_is_found_in_the_source(texts: set[str]) -> None:
    assert ([text for text in helps() if text not in texts], len(helps()) > 100) == ([], True)


def test_what_every_rule_asks_for_is_found_in_the_source(texts: set[str]) -> None:
    asked = {text for rule in RULES.values() for text in rule.doc.splitlines()}
    assert (sorted(asked - texts), len(asked) > 40) == ([], True)


def finished(path: Path) -> Iterator[tuple[str, int]]:
    """Where a module says something in a text that is finished: an f-string, or a sum."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and (node.args or node.keywords):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            place = {"Problem": 2, "wrong": 2, "problem": 1}.get(name, 0)
            said = node.args[place : place + 1]
            if name in {*extract.CALLS, "Problem", "wrong", "problem"}:
                yield from ((path.name, one.lineno) for one in said if is_finished(one, place))
        elif isinstance(node, ast.Yield) and "lint" in path.parts and node.value is not None:
            said = node.value.elts[:1] if isinstance(node.value, ast.Tuple) else []
            yield from ((path.name, one.lineno) for one in said if is_finished(one, 1))


def is_finished(node: ast.expr, place: int) -> bool:
    """Whether a text has words and no template; one that isn't the first must be a ``Message``."""
    if isinstance(node, ast.JoinedStr):
        words = "".join(p.value for p in node.values if isinstance(p, ast.Constant))
        return re.search("[A-Za-z]{2,}", words) is not None
    if isinstance(node, ast.BinOp):
        return is_finished(node.left, place) or is_finished(node.right, place)
    return place > 0 and isinstance(node, ast.Constant) and " " in str(node.value)


def test_no_message_is_put_together_before_it_is_translated() -> None:
    """What isn't a template with its values is found by no extraction."""
    found = [
        place
        for source in ("cli", "kb", "datasette_plugins")
        for path in (ROOT / source).rglob("*.py")
        for place in finished(path)
    ]
    assert found == []


def test_a_message_keeps_its_template_and_its_values() -> None:
    inner = MsmapError("no check `{}`", "shape")
    error = MsmapError("{}: {}", Path("a.yaml"), inner)
    assert str(error) == "a.yaml: no check `shape`"
    assert (error.message.template, error.message.values) == ("{}: {}", ("a.yaml", inner.message))
    assert str(NotFound("cta", None, ("torch.cat",))) == "cta is not known; nearest: torch.cat"


def test_a_message_stays_one_in_another_process_and_in_an_error_of_it() -> None:
    error = pickle.loads(pickle.dumps(MsmapError("{:,} of {!r}", 1234, "x")))
    again = MsmapError(error.message)
    assert (str(again), again.message.template) == ("1,234 of 'x'", "{:,} of {!r}")


def test_a_template_without_values_is_not_filled() -> None:
    assert Message("[{name: name}]") == "[{name: name}]"


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


def written(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be, with {} for what isn't known."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            part.value if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from written(node.body)
        yield from written(node.orelse)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        for left in written(node.left) or ["{}"]:
            for right in written(node.right) or ["{}"]:
                yield left + right


def reasons() -> list[tuple[str, int, str]]:
    """All reasons and notes of the rewriter and the scanner whose Chinese stands beside them."""
    found = []
    for folder in ("code", "infer", "port", "scan"):
        for path in sorted((ROOT / "kb/msmap" / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = getattr(getattr(node, "func", None), "id", "")
                if isinstance(node, ast.Call) and name in (
                    "Text",
                    "Refused",
                    "Left",
                    "_Unfit",
                    "NoNotebook",
                ):
                    both = [list(written(value)) for value in node.args]
                    said = [one for one in both if one and re.search("[a-z]{3}", one[0])]
                    chinese = [one for one in both if one and CHINESE.search(one[0])]
                    if said and any(" " in text for text in said[0]):
                        found.append((path.name, node.lineno, "".join(map("".join, chinese))))
    return found


def test_every_reason_of_the_rewriter_has_its_chinese() -> None:
    found = reasons()
    missing = [(name, line) for name, line, text in found if not CHINESE.search(text)]
    assert (missing, len(found) > 40) == ([], True)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (Message("no record fits"), "没有符合的记录"),
        (Message('device "{}": one of {}', "tpu", "a, b"), "设备 “tpu”：应为 a, b 之一"),
        (Message("no check `{}` in {}", "a", "b/c"), "b/c 中没有检查项 `a`"),
        (Message("{:,} of {:,} files", 1, 2345), "第 1 个文件，共 2,345 个"),
        (
            Message("{} is no weight map: [{{name: name}}, {{name: function}}]", "a.json"),
            "a.json 不是权重映射：应为 [{name: name}, {name: function}]",
        ),
        (
            Message("{}: {}", "a.txt", OSError("No space left on device")),
            "a.txt：磁盘空间不足",
        ),
        (
            joined("; ", [Message("no check `{}`", "a"), Message("no check `{}`", "b")]),
            "没有检查项 `a`；没有检查项 `b`",
        ),
        # A value is no template, and a finished sentence of msmap's is none either.
        (Message("no check `{}`", "{}"), "没有检查项 `{}`"),
        ("no check `a`", "no check `a`"),
        ("what nobody knows: x", "what nobody knows: x"),
        ("No such command 'a'. Did you mean b?", "没有命令 a；是否想写 b？"),
        ("已是中文", "已是中文"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_message_is_told_in_chinese(message: str, told: str, chinese_speaking: None) -> None:
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
