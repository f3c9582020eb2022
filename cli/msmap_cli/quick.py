"""The commonest calls, `msmap lookup NAME...` and `msmap --version`, with next to no imports.

Both the pages and the records are stored as they are printed.
"""

from __future__ import annotations

import os
import sys

from msmap import database
from msmap_cli import settings

# From typing it would cost a tenth of a cold start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from msmap.query.names.cold import Lost

_OPTIONS = {
    "--format": ("form", ("text", "json")), "-f": ("form", ("text", "json")),
    "--lang": ("language", settings.LANGUAGES), "-l": ("language", settings.LANGUAGES),
    "--color": ("color", settings.WHEN),
}  # fmt: skip


def commands() -> list[str]:
    """All commands: declaring them would take longer than an answer."""
    from msmap_cli.words import TABLE

    return TABLE[""][""].split("|")


def meant(arguments: list[str]) -> list[str]:
    """The arguments with the command that they mean: a name alone is looked up.

    Options that all commands share may stand before the command; `help CMD` is `CMD --help`.
    """
    place = _word(arguments)
    if place is None:
        return ["lookup", *arguments] if _of_lookup(arguments) else arguments
    word, before, after = arguments[place], arguments[:place], arguments[place + 1 :]
    if word == "help":
        return [*before, *(other for other in after if other != "help"), "--help"]
    # What stands before it is the command's as well as the program's.
    return [word, *before, *after] if word in commands() else ["lookup", *arguments]


def _word(arguments: list[str]) -> int | None:
    """Where the first word stands that is no option."""
    rest = iter(enumerate(arguments))
    for place, argument in rest:
        if argument in settings.VALUED:
            next(rest, None)
        elif argument == "--":
            return place + 1 if arguments[place + 1 :] else None
        elif argument == "-" or not argument.startswith("-"):
            return place
    return None


def _of_lookup(arguments: list[str]) -> bool:
    """Whether options without a word are those of a lookup, of which the name is missing."""
    if not arguments or arguments[0] in ("--version", "-V"):
        return False
    from msmap_cli.words import TABLE

    return arguments[0] not in TABLE[""] and arguments[0].partition("=")[0] in TABLE["lookup"]


def near_command(arguments: list[str]) -> str | None:
    """The command that the first word may have been meant as."""
    from difflib import get_close_matches

    place = _word(arguments)
    words = [] if place is None else [arguments[place]]
    near = get_close_matches(words[0], commands(), n=1, cutoff=0.7) if words else []
    return near[0] if near else None


def run(arguments: list[str]) -> int | None:
    """The exit status; None, with nothing printed, if all of the program is needed."""
    if arguments in (["--version"], ["-V"]):
        from msmap import __version__

        sys.stdout.write(f"msmap {__version__}\n")
        return 0
    asked = _asked(arguments)
    if asked is None:
        return None
    wanted, chosen = asked
    tongue = settings.language(chosen.get("language"))
    from msmap.query.names import cold

    if chosen.get("form") == "json":
        data = cold.lookup(wanted)
        if data is None:
            return None
        from msmap.query.base import fields
        from msmap_cli import output

        output.emit(data[0] if "full" in chosen else fields.light(data[0]), "json")
        return _missing(data[1], tongue)
    found = cold.pages(wanted, tongue, "full" in chosen)
    if found is None:
        return None
    if found[0]:
        _show("\n".join([page + _also(near, tongue) for page, near in found[0]]))
    return _missing(found[1], tongue)


def _asked(arguments: list[str]) -> tuple[list[str], dict[str, str]] | None:
    """The names to look up and what was chosen; None if it is anything else."""
    # What is stored is for all devices.
    if arguments[:1] != ["lookup"] or os.environ.get("MSMAP_DEVICE"):
        return None
    if arguments[1:2] in (["import"], ["from"]):
        return None
    wanted: list[str] = []
    chosen: dict[str, str] = {}
    rest = iter(arguments[1:])
    for argument in rest:
        if not argument.startswith("-"):
            wanted.append(argument)
            continue
        if argument in ("-v", "--verbose"):
            chosen["full"] = argument
            continue
        if argument == "--no-pager":
            continue
        option, equals, value = argument.partition("=")
        if option not in _OPTIONS or (equals and not option.startswith("--")):
            return None
        name, values = _OPTIONS[option]
        value = value if equals else next(rest, "")
        if value not in values:
            return None
        chosen[name] = value
    return (wanted, chosen) if wanted else None


def _also(near: list[str], tongue: str) -> str:
    """The line below a page that says what else its name may mean, as pages are stored."""
    if not near:
        return ""
    from msmap.render import namesakes

    return f"{database.HANG * 4}{database.FAINT}{namesakes.words(near, tongue)}\n"


def _show(text: str) -> None:
    if not settings.drawn():
        sys.stdout.write(database.plain(text))
        return
    from msmap_cli import terminal

    terminal.page(text)


def _missing(lost: list[Lost], tongue: str) -> int:
    """Say what is known of names without an answer; the exit status."""
    if not lost:
        return 0
    from msmap.render import missing
    from msmap_cli import output

    for name, known, guides, near in lost:
        output.write_error(
            "msmap: " + "\n".join(missing.lines(name, tongue, known, None, guides, near))
        )
    return 1
