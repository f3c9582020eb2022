"""What is said of arguments that a command can't take, with what may have been meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from msmap_cli import helping
from msmap_cli.speech import said


def lines(error: Any) -> Iterator[str]:
    """What is wrong, what may have been meant, and where to read more.

    Typer keeps its click to itself, so an error is known by its name and by what it carries.
    """
    ctx = error.ctx
    path = ctx.command_path if ctx is not None else "msmap"
    yield f"{path}: {_wrong(error, ctx)}"
    if ctx is not None:
        yield f"{said('Usage:')} {path} {helping.usage(ctx)}"
        yield said("`{} --help` tells more", path)


def _wrong(error: Any, ctx: Any) -> str:
    kind = type(error).__name__
    if kind == "NoSuchOption":
        root = ctx.find_root().command
        if ctx.command is not root and error.option_name in _words(root):
            return said("{} stands alone: `msmap {}`", error.option_name, error.option_name)
        told = said("there is no option {}", error.option_name)
        return _meant(told, error.option_name, _words(ctx.command))
    if kind == "MissingParameter":
        return said(
            "{} is missing", helping.word(error.param.make_metavar(ctx)).removesuffix("...")
        )
    if kind == "BadParameter":
        return _unfit(error, ctx)
    if kind == "BadOptionUsage":
        return said(error.message.replace("'", "").removesuffix(".").lower())
    # The word that may have been meant stands in quotes.
    message = re.sub(r"(Did you mean) '(.+)'", r"\1 \2", error.message)
    return said(message.removesuffix("."))


def _words(command: Any) -> list[str]:
    """All options of a command."""
    return [word for param in command.params for word in _options(param)]


def _unfit(error: Any, ctx: Any) -> str:
    """A value that an option or argument can't take."""
    param = error.param
    name = _options(param)[0] if _options(param) else param.make_metavar(ctx)
    folded = not getattr(param.type, "case_sensitive", True)
    choices = [str(c).lower() if folded else str(c) for c in getattr(param.type, "choices", ())]
    given, _, wanted = error.message.partition(" is not a valid ")
    if wanted.startswith(("int", "float")):
        return said("{}: {} is no number", name, given.strip("'"))
    if not choices:
        return f"{name}: {said(error.message.removesuffix('.'))}"
    given = error.message.partition(" is not ")[0].strip("'")
    told = said('{} "{}": one of {}', name, given, ", ".join(choices))
    return _meant(told, given, choices)


def _options(param: Any) -> list[str]:
    longest = sorted(param.opts, key=lambda word: not word.startswith("--"))
    return [*longest, *param.secondary_opts] if param.param_type_name == "option" else []


# Other names of devices: torch_npu's, PyTorch's, and a chip's.
_DEVICES = {"npu": "ascend", "cuda": "gpu", "npu:0": "ascend", "cuda:0": "gpu", "910b": "ascend"}


def _meant(told: str, given: str, known: Iterable[str]) -> str:
    known = list(known)
    other = _DEVICES.get(given.lower())
    near = [other] if other in known else get_close_matches(given, known, n=1)
    return said("{}; did you mean {}?", told, near[0]) if near else told
