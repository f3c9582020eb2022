"""What is wrong in the data files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from msmap.render.layout import line
from msmap_cli.opening import loading
from msmap_cli.options import Data, Names
from msmap_cli.output import fail, say, show


def lint(
    names: Names = None,
    data: Data = Path("data"),
    skip: Annotated[list[str] | None, typer.Option(help="A rule to leave out.")] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules and stop.")] = False,
) -> None:
    """Check the records: schema, signatures, checks, both languages."""

    def work() -> Any:
        from msmap.lint import run as engine
        from msmap.lint.rules import RULES
        from msmap.verify.plan.variants import GENERATION

        if rules:
            return RULES
        return engine.run(data, set(skip or ()), names or None, generation=GENERATION)

    if names:
        _known(data, names)
    found = loading(work)
    if rules:
        show(line(f"{name}: {rule.doc.splitlines()[0]}") for name, rule in sorted(found.items()))
        return
    show(line(str(problem)) for problem in found)
    if found:
        fail(f"{len(found)} problem(s)", 1)
    say("no problems")


def _known(data: Path, names: list[str]) -> None:
    """Leave with a message if nothing is called so."""
    from msmap.curated.paths import path_of

    for name in names:
        places = [data / "records" / path_of(name)]
        places += [data / kind / f"{name}.yaml" for kind in ("guides", "claims", "sources")]
        if not any(path.is_file() for path in places):
            fail(f"nothing is called {name}: there is no {places[0]}", 1)
