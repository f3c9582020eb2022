"""The man page, made from what `--help` says: `python docs/man.py` writes docs/man/msmap.1.

A test holds the file to it, and the wheel installs it below share/man.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from msmap import __version__
from msmap_cli.app import app

PAGE = Path(__file__).with_name("man") / "msmap.1"
VARIABLES = {
    "MSMAP_DB": "The database to read instead of the one that is shipped.",
    "MSMAP_DEVICE": "What answers are for: ascend, gpu or cpu; as the option --device.",
    "MSMAP_CACHE": "Where results are kept between runs; empty for nowhere.",
    "NO_COLOR": "Set to anything: no colours on a terminal.",
}


def page() -> str:
    """The whole page as roff."""
    group: Any = typer.main.get_command(app)
    return "".join(f"{line}\n" for line in (*_head(group), *_commands(group, ()), *_tail()))


def _head(group: Any) -> Iterator[str]:
    yield f'.TH MSMAP 1 "" "msmap {__version__}" "User Commands"'
    yield ".SH NAME"
    yield f"msmap \\- {_text(_first(group.help))}"
    yield ".SH SYNOPSIS"
    yield ".B msmap"
    yield "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]"
    yield ".br"
    yield ".B msmap"
    yield "\\fINAME\\fR..."
    yield ".SH OPTIONS"
    yield from _options(group)
    yield ".SH COMMANDS"


def _commands(group: Any, words: tuple[str, ...]) -> Iterator[str]:
    for name, command in group.commands.items():
        if getattr(command, "hidden", False):
            continue
        path = (*words, name)
        yield f'.SS "{_text(" ".join(("msmap", *path, *_usage(command))))}"'
        yield from _paragraphs(command.help)
        yield from _options(command)
        if hasattr(command, "commands"):
            yield from _commands(command, path)


def _usage(command: Any) -> Iterator[str]:
    """The arguments of a command, as its usage names them."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            name = parameter.metavar or parameter.name.upper()
            more = "..." if parameter.nargs != 1 and not name.endswith(("...", "]")) else ""
            yield f"{name}{more}"


def _options(command: Any) -> Iterator[str]:
    for parameter in command.params:
        if not getattr(parameter, "help", None) or getattr(parameter, "hidden", False):
            continue
        is_option = parameter.param_type_name == "option"
        yield ".TP"
        if is_option:
            names = [*parameter.opts, *parameter.secondary_opts]
            value = "" if parameter.is_flag else f" \\fI{_text(_value(parameter))}\\fR"
            yield ", ".join(f"\\fB{_text(name)}\\fR" for name in names) + value
        else:
            yield f"\\fI{_text(parameter.metavar or parameter.name)}\\fR"
        yield _text(parameter.help)


def _value(parameter: Any) -> str:
    choices = getattr(parameter.type, "choices", None)
    if parameter.metavar:
        return str(parameter.metavar)
    if choices:
        return "|".join(str(getattr(choice, "value", choice)) for choice in choices)
    return str(parameter.type.name).upper()


def _paragraphs(text: str | None) -> Iterator[str]:
    for number, paragraph in enumerate(re.split(r"\n\s*\n", inspect.cleandoc(text or ""))):
        if number:
            yield ".PP"
        yield _text(paragraph)


def _first(text: str | None) -> str:
    return inspect.cleandoc(text or "").partition("\n\n")[0].rstrip(".")


def _text(text: str) -> str:
    """A text on a line, in which nothing is a request."""
    one = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{one}" if one.startswith((".", "'")) else one


def _tail() -> Iterator[str]:
    yield ".SH ENVIRONMENT"
    for name, said in VARIABLES.items():
        yield ".TP"
        yield f"\\fB{name}\\fR"
        yield _text(said)
    yield ".SH FILES"
    yield ".TP"
    yield "\\fIpyproject.toml\\fR"
    yield _text("The table [tool.msmap] says what a scan leaves out, fails on and answers for.")


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
