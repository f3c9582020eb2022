"""What is wrong in the data files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from msmap.messages import Message
from msmap.render.layout import BOLD, CODE, DIM, Line, line
from msmap_cli.opening import loading
from msmap_cli.options import Cached, Data, Names
from msmap_cli.output import emit, fail, say, show
from msmap_cli.speech import spoken

if TYPE_CHECKING:
    from msmap.lint.fix import Fixed
    from msmap.lint.rule import Rule
    from msmap.problems import Problem

# `github`, `sarif`: modules of msmap.render, which know problems too.
LintForm = Literal["text", "json", "github", "sarif"]


def lint(
    names: Names = None,
    data: Data = Path("data"),
    skip: Annotated[list[str] | None, typer.Option(help="A rule to leave out.")] = None,
    cached: Cached = True,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Write files in the one layout, without what follows."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would write, and write nothing.")
    ] = False,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules and stop.")] = False,
    explained: Annotated[
        str | None,
        typer.Option("--explain", metavar="RULE", help="Say what a rule asks for, and stop."),
    ] = None,
    form: Annotated[
        LintForm, typer.Option("--format", "-f", help="How to print the result.")
    ] = "text",
) -> None:
    """Check the records: schema, signatures, checks, both languages.

    Below what is missing stand the lines to paste, or the command to run. --fix mends what needs no
    person: the layout of all files that people write (their comments stay), references that follow
    from the names, and what a record's families say.

    Exit status: 0 no problems, 1 some, 2 wrong usage.
    """

    def work() -> Any:
        from msmap import cache
        from msmap.lint import run as engine
        from msmap.lint.rules import RULES
        from msmap.problems import DataError
        from msmap.verify.plan.variants import GENERATION

        if rules or explained:
            return RULES
        place = cache.folder() if cached else None
        try:
            return engine.run(
                data, set(skip or ()), names or None, generation=GENERATION, cache=place
            )
        except DataError as error:
            # What reads a report gets one, also of files that can't be read.
            if form == "text":
                raise
            return list(error.problems)

    if names:
        _known(data, names)
    if fix or diff:
        _fix(data, names, write=not diff)
        return
    found = loading(work)
    if explained:
        show(_explained(explained, found))
        return
    if rules:
        firsts = {name: rule.doc.splitlines()[0] for name, rule in sorted(found.items())}
        show(line(f"{name}: {spoken(text)}") for name, text in firsts.items())
        return
    _tell(found, form)
    if found:
        fail(Message("{} problem(s)", len(found)), 1)
    say("no problems")


def _fix(data: Path, names: list[str] | None, *, write: bool) -> None:
    """Write files as they should be written, or show how; leave with status 1 if some can't be."""

    def work() -> Any:
        # It reads comments with ruamel.yaml, which nothing else needs.
        from msmap.lint import fix

        return fix.fix(data, names or None, write=write)

    fixed, problems = loading(work)
    if write:
        show(line(str(found.path)) for found in fixed)
    else:
        show(row for found in fixed for row in _changed(found))
    show(lines(problems))
    if problems or (fixed and not write):
        count = len(problems) if problems else len(fixed)
        fail(
            Message("{} problem(s)", count)
            if problems
            else Message("{} file(s) would be written", count),
            1,
        )
    say(Message("{} file(s) written", len(fixed)) if fixed else "nothing to fix")


def _changed(found: Fixed) -> Iterator[Line]:
    """How a file would be written, as `diff -u` shows it."""
    from difflib import unified_diff

    before, after = found.before.splitlines(), found.after.splitlines()
    name = str(found.path)
    for row in unified_diff(before, after, name, name, lineterm=""):
        yield line(row)


def _tell(found: list[Problem], form: LintForm) -> None:
    if form == "json":
        emit({"problems": [asdict(p) | {"path": str(p.path)} for p in found]}, form)
    elif form == "github":
        from msmap.render import github

        show(github.problems(_spoken(found)))
    elif form == "sarif":
        from msmap.lint.rules import RULES
        from msmap.render import sarif

        docs = {name: spoken(rule.doc) for name, rule in RULES.items()}
        show(sarif.problems(_spoken(found), docs))
    else:
        show(lines(found))


def _spoken(found: Iterable[Problem]) -> list[Problem]:
    """The problems in the language that is spoken; as data they are the same everywhere."""
    return [replace(problem, message=spoken(problem.message)) for problem in found]


def _explained(name: str, known: Mapping[str, Rule]) -> Iterator[Line]:
    """What a rule asks for; leave with status 2 if there is none of that name."""
    if name not in known:
        from difflib import get_close_matches

        from msmap_cli.speech import said

        near = [rule for rule in known if name in rule] or get_close_matches(name, known, n=3)
        meant = said("nearest: {}", ", ".join(near)) if near else said("`msmap lint --rules`")
        fail(Message("{}; {}", said("there is no rule {}", name), meant), 2)
    rule = known[name]
    yield line((name, BOLD), (f"  {rule.scope}", DIM))
    yield from (line(spoken(text)) for text in rule.doc.splitlines())
    yield line((f"msmap lint --skip {name}", CODE), indent=2)


def lines(found: Iterable[Problem]) -> Iterator[Line]:
    """Each problem, and below it what mends it."""
    for problem in _spoken(found):
        said, *mend = str(problem).splitlines()
        yield line(said)
        for text in mend:
            yield line((text.lstrip(), CODE), indent=len(text) - len(text.lstrip()))


def _known(data: Path, names: list[str]) -> None:
    """Leave with a message if nothing is called so."""
    from msmap.curated.paths import path_of

    for name in names:
        places = [data / "records" / path_of(name)]
        places += [
            data / kind / f"{name}.yaml" for kind in ("guides", "claims", "sources", "families")
        ]
        if not any(path.is_file() for path in places):
            fail(Message("nothing is called {}: there is no {}", name, places[0]), 1)
