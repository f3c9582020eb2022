"""Code that can't be read: what is said of it, and where."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import support

from msmap import vocabulary
from msmap.assemble.base import Base
from msmap.model import Refusal, Text
from msmap.port.attempt import attempt, unreadable

DEEP = Text("the code is nested too deeply", "代码嵌套过深")


@pytest.fixture(scope="module")
def world() -> Base:
    return support.world()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "\n\n  x = 1\ny = (",
            Refusal(
                4, 4, 4, 4, "not_python", "y = (",
                Text(
                    "not Python: line 4: '(' was never closed",
                    "不是合法的 Python 代码：第 4 行：“(” 没有闭合",
                ),
            ),
        ),
        ("-" * 9000 + "1", Refusal(1, 0, 1, 0, "too_deep", "", DEEP)),
        ("f(" * 80 + "torch.abs(x" + ")" * 81 + ".a()" * 3000,
         Refusal(1, 0, 1, 0, "too_deep", "", DEEP)),
        (
            "'\ud800'",
            Refusal(
                1, 0, 1, 0, "not_python", "",
                Text(
                    "not Python: 'utf-8' codec can't encode character '\\ud800' in position 1:"
                    " surrogates not allowed",
                    "不是合法的 Python 代码：'utf-8' codec can't encode character '\\ud800' in"
                    " position 1: surrogates not allowed",
                ),
            ),
        ),
        (
            "x" * 10_001,
            Refusal(
                1, 0, 1, 0, "too_large", "",
                Text("the code is longer than 10000 characters", "代码超过 10000 个字符"),
            ),
        ),
    ],
    ids=["syntax", "deep for the parser", "deep for the rewriter", "surrogate", "large"],
)  # fmt: skip
def test_what_cannot_be_read_is_said_once_and_with_its_place(
    code: str, expected: Refusal, world: Base
) -> None:
    done = attempt(code, world, longest=10_000 if expected.kind == "too_large" else None)
    assert (done.source, done.code, done.refusals, done.edits) == (code, None, (expected,), ())
    assert unreadable(done) == expected


@pytest.mark.parametrize(
    "code",
    [
        "y = x" + ".a()" * 900,
        "y = x" + "[0]" * 1800,
        "y = " + "not " * 1800 + "x",
        "y = " + "a if b else " * 1800 + "c",
        "y = " + "**".join(["x"] * 1800),
        "y = " + "+".join(["x"] * 1800),
        "y = " + "lambda: " * 1800 + "x",
        "if a: b\n" + "elif c: d\n" * 1800,
    ],
    ids=["calls", "subscripts", "not", "choices", "powers", "sums", "lambdas", "elif"],
)
def test_what_the_parser_takes_is_read_however_deep_it_is(code: str, world: Base) -> None:
    source = f"y = torch.abs(x)\n{code}\n"
    assert attempt(source, world).code == source.replace("torch.abs", "mindspore.ops.abs")


@pytest.mark.parametrize(("calls", "kinds"), [(150, []), (205, ["too_deep"]), (250, ["too_deep"])])
def test_what_would_be_too_deep_for_the_parser_is_not_given_out(
    calls: int, kinds: list[str], tmp_path: Path
) -> None:
    facts = support.base(
        tmp_path,
        [
            support.function("torch.zeros", "(n) -> Tensor"),
            support.method("torch.Tensor.norm", "() -> Tensor"),
        ],
        [
            support.function("mindspore.zeros", "(n)"),
            support.function("mindspore.norm", "(x)"),
        ],
        ("torch.zeros", "targets: [{api: mindspore.zeros}]\n"),
        ("torch.Tensor.norm", "targets: [{expression: 'mindspore.norm({self})', id: it}]\n"),
    )
    source = "import torch\nx = torch.zeros(3)" + ".norm()" * calls
    done = attempt(source, facts)
    assert done.refusals == tuple(Refusal(1, 0, 1, 0, kind, "", DEEP) for kind in kinds)  # type: ignore[arg-type]
    assert (done.code is None) == bool(kinds)


@pytest.mark.parametrize("code", ["a\0b", "(" * 3000])
def test_what_versions_of_python_call_otherwise_is_unreadable_in_all(
    code: str, world: Base
) -> None:
    assert unreadable(attempt(code, world)) is not None


@pytest.mark.parametrize("code", ["torch.abs(x)", "torch.cat(x)", ""])
def test_what_can_be_read_is_ported_or_refused(code: str, world: Base) -> None:
    done = attempt(code, world)
    assert unreadable(done) is None
    assert (done.whole is None) == (code == "torch.cat(x)")


def test_the_kinds_of_refusal_are_a_closed_vocabulary() -> None:
    assert list(vocabulary.REFUSALS) == list(vocabulary.RefusalKind.__args__)  # type: ignore[attr-defined]
    assert set(vocabulary.UNREADABLE) < set(vocabulary.REFUSALS)
