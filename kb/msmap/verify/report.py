"""What came out of a run, as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msmap.verify import script
from msmap.verify.runs import Run
from msmap.vocabulary import OUTCOMES


def lines(environment: str, run: Run) -> Iterator[str]:
    """The checks that failed, each with a script that repeats it; then counts."""
    outcomes = run.ledger.lines
    for line in sorted(outcomes, key=lambda li: (li.record, li.check)):
        if OUTCOMES[line.outcome].failed:
            yield f"{line.record}: {line.check}: {line.outcome}: {line.message}"
            yield "rerun it with:\n" + script.script(run.jobs[line.record, line.check])
    counts = Counter(line.outcome for line in outcomes)
    yield f"{environment}: {len(outcomes)} checks: {_said(counts)}"
    found = Counter(f.outcome for line in outcomes for f in line.variants.values())
    yield f"{found.total()} variants of them: {_said(found)}"


def _said(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items())) or "none"


def pace(count: int, runs: int, seconds: float, width: int) -> str:
    """Such as ``1,026 checks, 5,700 runs in 184 s, 31 runs a second on 2 processes``."""
    noun, processes = "check" if count == 1 else "checks", "process" if width == 1 else "processes"
    rate = f"{runs / seconds:.2g}" if runs < 10 * seconds else f"{runs / seconds:,.0f}"
    took = f"{runs:,} runs in {seconds:.0f} s"
    return f"{count:,} {noun}, {took}, {rate} runs a second on {width} {processes}"
