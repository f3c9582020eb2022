"""What a scan found as workflow commands of GitHub: annotations beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msmap.model import Unread
from msmap.problems import Problem
from msmap.render import View, scan
from msmap.render.labels import SCAN, word
from msmap.scan import score
from msmap.scan.report import Report, Site
from msmap.scan.terms import RULES

_LEVELS = {"missing": "error", "care": "warning", "unclear": "notice"}


def tell(answer: Report, view: View) -> Iterator[str]:
    """A command for each finding, file that can't be read, and comment that ignores nothing."""
    for site in score.findings(answer.sites):
        yield _finding(site, view)
    for told in answer.unread:
        yield _unread(told, view)
    for unused in answer.unused:
        said = word(RULES, "unused-ignore", view.language)
        at = {"file": unused.path, "line": unused.line, "title": "msmap: unused-ignore"}
        if unused.cell is not None:
            said = f"{SCAN[view.language]['cell'].format(unused.cell, unused.line)}: {said}"
            del at["line"]
        yield _command("warning", at, said)


def problems(found: Iterable[Problem]) -> Iterator[str]:
    """A command for each problem in data files."""
    for problem in found:
        at: dict[str, object] = {"file": problem.path.as_posix(), "line": problem.line}
        said = f"{problem.message}\n{problem.mend}".rstrip()
        yield _command("error", {**at, "title": f"msmap lint: {problem.rule}"}, said)


def _finding(site: Site, view: View) -> str:
    said = scan.said(site, view.language)
    at: dict[str, object] = {"file": site.path}
    if site.cell is None:
        at |= {"line": site.line, "endLine": site.end_line}
        if site.line == site.end_line:
            at |= {"col": site.column + 1, "endColumn": site.end_column}
    else:
        said = f"{SCAN[view.language]['cell'].format(site.cell, site.line)}: {said}"
    return _command(_LEVELS[site.status], {**at, "title": f"msmap: {site.rule}"}, said)


def _unread(told: Unread, view: View) -> str:
    at: dict[str, object] = {"file": told.path}
    if told.line is not None:
        at["line"] = told.line
    return _command("error", {**at, "title": "msmap: unread"}, told.reason.get(view.language))


def _command(level: str, properties: dict[str, object], message: str) -> str:
    """One command on one line, whatever stands in its parts."""
    parts = (
        f"{name}={_escaped(str(value)).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{level} {','.join(parts)}::{_escaped(message)}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
