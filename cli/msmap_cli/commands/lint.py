"""What is wrong in the data files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from msmap.render.layout import CODE, Line, line
from msmap_cli.opening import loading
from msmap_cli.options import Cached, Data, Names, Report
from msmap_cli.output import emit, fail, say, show

if TYPE_CHECKING:
    from msmap.problems import Problem


def lint(
    names: Names = None,
    data: Data = Path("data"),
    skip: Annotated[list[str] | None, typer.Option(help="A rule to leave out.")] = None,
    cached: Cached = True,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules and stop.")] = False,
    form: Annotated[
        Report, typer.Option("--format", "-f", help="How to print the result.")
    ] = "text",
) -> None:
    """Check the records: schema, signatures, checks, both languages.

    Below what is missing stand the lines to paste, or the command to run.
    """

    def work() -> Any:
        from msmap import cache
        from msmap.lint import run as engine
        from msmap.lint.rules import RULES
        from msmap.verify.plan.variants import GENERATION

        if rules:
            return RULES
        place = cache.folder() if cached else None
        return engine.run(data, set(skip or ()), names or None, generation=GENERATION, cache=place)

    if names:
        _known(data, names)
    found = loading(work)
    if rules:
        show(line(f"{name}: {rule.doc.splitlines()[0]}") for name, rule in sorted(found.items()))
        return
    if form == "json":
        emit({"problems": [asdict(p) | {"path": str(p.path)} for p in found]}, form)
    else:
        show(lines(found))
    if found:
        fail(f"{len(found)} problem(s)", 1)
    say("no problems")


def lines(found: Iterable[Problem]) -> Iterator[Line]:
    """Each problem, and below it what mends it."""
    for problem in found:
        said, *mend = str(problem).splitlines()
        yield line(said)
        for text in mend:
            yield line((text.lstrip(), CODE), indent=len(text) - len(text.lstrip()))


def _known(data: Path, names: list[str]) -> None:
    """Leave with a message if nothing is called so."""
    from msmap.curated.paths import path_of

    for name in names:
        places = [data / "records" / path_of(name)]
        places += [data / kind / f"{name}.yaml" for kind in ("guides", "claims", "sources")]
        if not any(path.is_file() for path in places):
            fail(f"nothing is called {name}: there is no {places[0]}", 1)
