"""What `--help` prints, in both languages: usage, what the command does, its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from inspect import cleandoc
from typing import Any

from msmap.render.layout import BOLD, CODE, Line, line, marked, pad
from msmap.width import cells
from msmap_cli import output, settings, terminal
from msmap_cli.speech import said

# What a column of words takes at most, and the rows in a pipe.
_COLUMN, _WIDTH = 30, 80


def show(ctx: Any) -> None:
    """Print the help of the command that a context is of."""
    found = list(lines(ctx))
    if settings.on_terminal():
        output.show(found)
        return
    rows = ("".join(text for text, _ in row) for each in found for row in _wrapped(each))
    output.show(line(row) for row in rows) if settings.styled() else output.show(
        [f"{row}\n" for row in rows]
    )


def _wrapped(found: Line) -> Iterator[list[tuple[str, str]]]:
    return terminal.wrapped(marked(found), _WIDTH)


def lines(ctx: Any) -> Iterator[Line]:
    """The help of a command: usage, text, arguments, options, commands."""
    command = ctx.command
    yield line((said("Usage:"), BOLD), f" {ctx.command_path} {usage(ctx)}", hang=4)
    for paragraph in said(cleandoc(command.help or "")).split("\n\n"):
        yield line()
        yield line(" ".join(paragraph.split("\n")), indent=2)
    # What the command gets nothing of is what all have.
    own = [param for param in command.params if param.expose_value and param.name != "lang"]
    every = [param for param in command.params if param not in own]
    arguments = [param for param in own if param.param_type_name == "argument"]
    options = [param for param in own if param.param_type_name == "option"]
    yield from _section(said("Arguments:"), (_argument(param, ctx) for param in arguments))
    yield from _section(said("Options:"), (_option(param, ctx) for param in options))
    yield from _section(said("Options of all commands:"), (_option(param, ctx) for param in every))
    inside = getattr(command, "commands", {})
    yield from _section(said("Commands:"), ((name, _short(c)) for name, c in inside.items()))


def usage(ctx: Any) -> str:
    """What is typed after a command, as it is written in brackets."""
    return word(" ".join(ctx.command.collect_usage_pieces(ctx)))


def word(text: str) -> str:
    """What stands for a value, in the language that is spoken, and without the words of a type."""
    for typers, (english, chinese) in _VALUES.items():
        text = re.sub(typers, chinese if settings.language() == "zh" else english, text)
    return text


def _short(command: Any) -> str:
    """What a command does, in a sentence."""
    return said(cleandoc(command.help or "")).split("\n\n")[0].replace("\n", " ")


def _section(title: str, rows: Iterable[Sequence[str]]) -> Iterator[Line]:
    listed = [(str(name), str(text)) for name, text in rows]
    if not listed:
        return
    yield line()
    yield line((title, BOLD))
    width = max((cells(name) for name, _ in listed if cells(name) <= _COLUMN), default=_COLUMN)
    for name, text in listed:
        if cells(name) > _COLUMN:
            yield line((name, CODE), indent=2, hang=4)
            yield line(text, indent=width + 4)
        else:
            yield line((f"{pad(name, width)}  ", CODE), text, indent=2, hang=width + 2)


def _argument(param: Any, ctx: Any) -> tuple[str, str]:
    given, _ = param.get_help_record(ctx)
    return word(given), _told(param, ctx)


def _option(param: Any, ctx: Any) -> tuple[str, str]:
    given, _ = param.get_help_record(ctx)
    return word(given), _told(param, ctx)


def _told(param: Any, ctx: Any) -> str:
    """The help of an argument or option, and its default and such in brackets."""
    _, text = param.get_help_record(ctx)
    help_text = param.help or ""
    rest = text.removeprefix(help_text).strip()
    if settings.language() == "zh":
        for english, chinese in _EXTRAS:
            rest = rest.replace(english, chinese)
    return " ".join(filter(None, (said(" ".join(help_text.split())), rest)))


# What Typer writes for values, and what a reader is told.
_VALUES = {
    r"<(?:int|float)(?: range)?>": ("<number>", "<数>"),
    r"<str>": ("<text>", "<文本>"),
    r"<file>": ("<file>", "<文件>"),
    r"<directory>": ("<directory>", "<目录>"),
    r"<path>": ("<path>", "<路径>"),
    r"\[OPTIONS\]": ("[OPTIONS]", "[选项]"),
    r"COMMAND \[ARGS\]\.\.\.": ("COMMAND [ARGS]...", "命令 [参数]..."),
    r"(?<![\w-])names(?=\.\.\.|\})": ("names", "名称"),
    r"(?<![\w-])words(?=\.\.\.|\})": ("words", "词语"),
    r"(?<![\w-])files(?=\.\.\.|\})": ("files", "文件"),
    r"(?<![\w-])name(?=\}|$)": ("name", "名称"),
}
# What Typer writes into brackets.
_EXTRAS = (("default: ", "默认 "), ("env var: ", "环境变量 "), ("required", "必填"), ("; ", "；"))
