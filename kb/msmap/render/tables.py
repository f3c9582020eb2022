"""Rows of published tables with their verdicts, as text or Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msmap import vocabulary
from msmap.probed import Difference
from msmap.render import probe
from msmap.render.labels import RECORD, TABLES, word
from msmap.render.layout import BAD, CODE, DIM, GOOD, WARN, Line, line, pad
from msmap.tabled import FINDINGS, ROW_VERDICTS, SAYS, Row, Table

# In the order of verdicts.
STYLES = {
    "holds": GOOD, "partly": WARN, "held_until": WARN, "refuted": BAD, "not_testable": DIM,
}  # fmt: skip


def text(rows: Sequence[Row], tables: Sequence[Table], language: str) -> Iterator[Line]:
    """Each row in a few lines, table by table, then how many of each verdict.

    Where no row is asked for, the tables that there are, with how many rows of each verdict.
    """
    if not rows:
        width = max((len(table.id) for table in tables), default=0)
        for table in tables:
            counts = _counts(table.verdicts, language)
            yield line((pad(table.id, width), CODE), "  ", counts)
        return
    titles = {table.id: table.title.get(language) for table in tables}
    shown = ""
    for row in rows:
        if row.table != shown:
            shown = row.table
            yield line((titles[shown], DIM))
        yield from _row(row, language)
    yield line(_counts(Counter(row.verdict for row in rows), language))


def _row(row: Row, language: str) -> Iterator[Line]:
    style = STYLES[row.verdict]
    said, verdict = says(row, language), word(ROW_VERDICTS, row.verdict, language)
    yield line(
        (row.torch or "-", CODE), " -> ", (row.mindspore, CODE),
        f"  {said}{RECORD[language]['colon']}", (verdict, style),
        indent=2,
    )  # fmt: skip
    yield line((finding(row, language), DIM), indent=6)
    if row.sample is not None:
        yield from _sample(row, language)


def says(row: Row, language: str) -> str:
    """What the table says of the pair, with the parameters that it names."""
    said = word(SAYS, row.says, language)
    return f"{said} ({', '.join(row.parameters)})" if row.parameters else said


def finding(row: Row, language: str) -> str:
    """What was found of the pair, with how many samples agreed."""
    labels = TABLES[language]
    told = [word(FINDINGS, row.finding, language)]
    for key, tally in (("values", row.values), ("gradients", row.gradients)):
        if tally.tried:
            told.append(labels[key].format(tally.agreed, tally.tried))
    return labels["and"].join(told)


def _sample(row: Row, language: str) -> Iterator[Line]:
    sample = row.sample
    assert sample is not None, "who calls has looked"
    outcome = word(vocabulary.PROBE_OUTCOMES, sample.outcome, language)
    yield line((f"[{outcome}] ", WARN), (probe.short(sample.torch), CODE), indent=6)
    for said in gave(sample, language):
        yield line((said, DIM), indent=8)


def gave(sample: Difference, language: str) -> Iterator[str]:
    """What is said of a sample, what both gave, and what it starts from, as far as it is known."""
    if sample.message:
        yield probe.short(sample.message)
    if sample.torch_gave or sample.mindspore_gave:
        both = (probe.short(sample.torch_gave or "-"), probe.short(sample.mindspore_gave or "-"))
        yield f"PyTorch {both[0]}  MindSpore {both[1]}"
    if sample.inputs:
        yield probe.inputs(sample, language)


def _counts(counted: dict[str, int] | Counter[str], language: str) -> str:
    told = (
        f"{counted[verdict]} {word(ROW_VERDICTS, verdict, language)}"
        for verdict in ROW_VERDICTS
        if counted.get(verdict)
    )
    return RECORD[language]["comma"].join(told)


def markdown(rows: Sequence[Row], tables: Sequence[Table], language: str) -> Iterator[str]:
    """A list of rows, each with the call that shows what differs."""
    titles = {table.id: table.title.get(language) for table in tables}
    for row in rows:
        verdict = word(ROW_VERDICTS, row.verdict, language)
        pair = f"`{row.torch or '-'}` → `{row.mindspore}`"
        yield f"- **{verdict}**: {pair}: {says(row, language)} ({titles[row.table]})"
        yield f"  - {finding(row, language)}"
        if row.sample is not None:
            outcome = word(vocabulary.PROBE_OUTCOMES, row.sample.outcome, language)
            yield f"  - {outcome}: `{probe.short(row.sample.torch)}`"
