"""What a scan found as a table: a place a line, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from msmap.render import View
from msmap.scan.report import Report

_COLUMNS = (
    "path", "cell", "line", "column", "end_line", "end_column", "status", "certainty", "rule",
    "state", "api", "target", "source", "port", "said", "caveats", "fingerprint",
)  # fmt: skip
# What a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def tell(answer: Report, view: View) -> Iterator[str]:
    """A header, and a line for each place; lines end as RFC 4180 has it."""
    made = io.StringIO(newline="")
    table = csv.writer(made)
    table.writerow(_COLUMNS)
    for site in answer.sites:
        table.writerow(
            _safe(value)
            for value in (
                site.path, "" if site.cell is None else site.cell, site.line, site.column + 1,
                site.end_line, site.end_column + 1, site.status, site.certainty, site.rule,
                site.state, "|".join(site.apis), site.target, site.source, site.port,
                "\n".join(text.get(view.language) for text in site.told),
                " ".join(told.id for told in site.caveats), site.fingerprint,
            )
        )  # fmt: skip
    yield made.getvalue()


def _safe(value: str | int) -> str | int:
    """A cell that no spreadsheet runs: source code may begin with what it takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
