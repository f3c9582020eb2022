"""What the documents show of the program, printed by the program itself.

`cog -I docs -r README.md docs/*.md` writes it into them; a test holds them to it.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer import Typer

PLAIN = {
    "COLUMNS": "100", "TERM": "dumb", "LC_ALL": "C.UTF-8", "TYPER_USE_RICH": "0", "NO_COLOR": "1",
}  # fmt: skip


def output(command: str) -> str:
    """What a command such as ``msmap lookup nn.Dropout`` prints, both streams."""
    os.environ |= PLAIN
    # A child has it imported: of help there are pages of all commands.
    from msmap_cli import app, main  # noqa: F401

    with TemporaryFile() as printed:
        arguments = (main.main, shlex.split(command), printed.fileno())
        child = multiprocessing.get_context("fork").Process(target=_run, args=arguments)
        child.start()
        child.join()
        printed.seek(0)
        return printed.read().decode("utf-8")


def _run(main: Callable[[], object], words: list[str], printed: int) -> None:
    """Run a command whose streams are a file; a new process has nothing in theirs."""
    for number in (1, 2):
        os.dup2(printed, number)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.argv = words
    main()


def session(*commands: str) -> str:
    """Commands with what they print, as a fenced block."""
    lines: list[str] = []
    for command in commands:
        lines += [f"$ {command}", *output(command).rstrip().splitlines(), ""]
    return "\n".join(["```console", *lines]).rstrip() + "\n```\n"


def top(command: str, rows: int) -> str:
    """A command with the first rows that it prints, as a fenced block."""
    lines = output(command).splitlines()
    shown = [*lines[:rows], *(["..."] if len(lines) > rows else [])]
    return "\n".join(["```console", f"$ {command}", *shown, "```"]) + "\n"


def variants() -> str:
    """What a check is run with besides its own inputs."""
    from msmap.vocabulary import VARIANTS

    return "\n".join(f"- `{name}`: {label}" for name, (label, _) in VARIANTS.items())


def refusals() -> str:
    """Why the rewriter leaves a place as it is."""
    from msmap.vocabulary import REFUSALS

    return "\n".join(f"- `{name}`: {label}" for name, (label, _) in REFUSALS.items())


def limits() -> str:
    """What one process of the site does at most."""
    from dataclasses import fields

    from datasette_msmap.web.config import Limits

    rows = [f"| `{f.name}` | {f.default:,} | {f.metadata['says']} |" for f in fields(Limits)]
    return "\n".join(["| limit | default | what it is |", "|---|---|---|", *rows])


def editor_settings() -> str:
    """What an editor may set."""
    from dataclasses import fields

    from msmap.editor.settings import Settings

    rows = [f"| `{f.name}` | {f.default!r} | {f.metadata['says']} |" for f in fields(Settings)]
    return "\n".join(["| setting | default | what it is |", "|---|---|---|", *rows])


def tools() -> str:
    """The tools of the server for assistants."""
    import asyncio

    from msmap.assistant import server
    from msmap.assistant.bases import Bases

    declared = asyncio.run(server.make(Bases(), Path(), "en").list_tools())
    rows = [
        f"| `{tool.name}` | {', '.join(f'`{name}`' for name in tool.input_schema['properties'])} |"
        f" {tool.description} |"
        for tool in declared
    ]
    return "\n".join(["| tool | arguments | what it gives |", "|---|---|---|", *rows])


def commands() -> list[tuple[str, ...]]:
    """The words of all commands, groups before what is in them, in the order of the help."""
    from msmap_cli.app import app

    return _commands(app, ())


def _commands(app: Typer, words: tuple[str, ...]) -> list[tuple[str, ...]]:
    names = [str(c.name or getattr(c.callback, "__name__", "")) for c in app.registered_commands]
    found = [(*words, name) for name in names]
    for group in app.registered_groups:
        if isinstance(group.name, str):
            found.append((*words, group.name))
        below = (*words, group.name) if isinstance(group.name, str) else words
        if group.typer_instance is not None:
            found += _commands(group.typer_instance, below)
    return found


def rules() -> str:
    """The lint rules with their documentation, as a list."""
    from msmap.lint.rules import RULES

    docs = {name: rule.doc.replace("\n", "\n\n    ") for name, rule in sorted(RULES.items())}
    return "".join(f"- `{name}`: {text}\n" for name, text in docs.items())


def rooms(source: str) -> str:
    """What each folder below a source root holds, by the first lines of its packages."""
    root = Path(__file__).resolve().parents[1]
    lines = ["| room | what it is |", "|---|---|"]
    for package in sorted((root / source).rglob("__init__.py")):
        folder = package.parent.relative_to(root / source)
        doc = ast.get_docstring(ast.parse(package.read_text(encoding="utf-8"))) or ""
        lines.append(f"| `{folder.as_posix()}` | {doc.splitlines()[0]} |")
    return "\n".join(lines) + "\n"


def floors() -> str:
    """The rooms by floor, the highest first, as the test of the arrows has them."""
    path = Path(__file__).resolve().parents[1] / "tests" / "test_layers.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "FLOORS" and node.value
    )
    lines = ["| floor | rooms |", "|---|---|", "| doors | `msmap_cli`, `datasette_msmap` |"]
    for number, rooms in reversed([*enumerate(known)]):
        lines.append(f"| {number} | {', '.join(f'`{name}`' for name in rooms if name)} |")
    return "\n".join(lines) + "\n"


def phases() -> str:
    """The phases of rewriting, in their order, with the rules of each."""
    from msmap.port.rules import registry

    lines = ["| phase | rules |", "|---|---|"]
    for phase in registry.Phase:
        rules = [one.name for one in registry.every() if one.phase is phase]
        files = dict.fromkeys(name.partition(".")[0] for name in rules)
        lines.append(f"| `{phase.name}` | {', '.join(f'`{name}`' for name in files)} |")
    return "\n".join(lines) + "\n"
