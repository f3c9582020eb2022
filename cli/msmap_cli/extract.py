"""The texts of the command line, for `pybabel extract`: nothing imports this at run time.

Help stands in docstrings and in ``help=``, what lint's rules ask for in their docstrings; all else
is the first argument of a call such as ``Message("no check `{}`", name)``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from inspect import cleandoc
from pathlib import PurePath
from typing import IO

from msmap import errors

_ERRORS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.MsmapError) and name != "NotFound"
}
# The functions and errors whose first argument is a text.
CALLS = _ERRORS | {"Message", "said", "say", "report", "fail", "progress", "BadParameter"}
# What is the same in every language: values and marks, and where in a file something is.
_PLAIN = re.compile(r"[\W\d_]*")
_SLOT = re.compile(r"\{[^{}]*\}")

Extracted = tuple[int, None, str, list[str]]


def texts(
    file: IO[bytes], keywords: Collection[str], tags: Collection[str], options: Mapping[str, str]
) -> Iterator[Extracted]:
    """The texts of a file as Babel wants them: line, function, text, comments.

    The option ``docs`` says whose docstrings are shown: those of ``commands`` or of ``rules``.
    """
    docs, place = options.get("docs"), PurePath(file.name)
    tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _said(node)
            yield from _help(node) if docs == "commands" else ()
        elif isinstance(node, ast.FunctionDef) and (doc := ast.get_docstring(node, clean=False)):
            if docs == "rules" and _decorated(node, "rule("):
                for paragraph in doc.strip().split("\n\n"):
                    yield node.lineno, None, " ".join(paragraph.split()), []
            elif docs == "commands" and node in tree.body and _is_command(node, place):
                yield node.lineno, None, cleandoc(doc), []


def _is_command(function: ast.FunctionDef, place: PurePath) -> bool:
    if place.parent.name == "commands" and re.match(rf"{place.stem}(_|$)", function.name):
        return True
    return _decorated(function, "app.command(", "app.callback(")


def _decorated(function: ast.FunctionDef, *begins: str) -> bool:
    return any(ast.unparse(one).startswith(begins) for one in function.decorator_list)


def _said(call: ast.Call) -> Iterator[Extracted]:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    if name in CALLS and call.args and (text := _text(call.args[0])) and says_something(text):
        yield call.lineno, None, text, []


def _help(call: ast.Call) -> Iterator[Extracted]:
    for keyword in call.keywords:
        if keyword.arg == "help" and (text := _text(keyword.value)):
            yield call.lineno, None, " ".join(text.split()), []


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def says_something(text: str) -> bool:
    """Whether a text has words, or marks that Chinese writes otherwise.

    >>> [says_something(text) for text in ("{}: {}", "{}:{}: {}", "{} pages", "  {}")]
    [True, False, True, False]
    """
    if _PLAIN.fullmatch(_SLOT.sub("", text)):
        return re.search(r"[:;] ", text) is not None and not text.startswith("{}:{}")
    return True
