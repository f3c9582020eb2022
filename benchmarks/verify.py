"""Checks a second in forked children against one fresh process a check.

Goal: at least 20 times faster. The fresh side is measured on a few checks, one after another.
"""

from __future__ import annotations

import time

from msmap.query import KnowledgeBase
from msmap.verify import plan, run

FRESH = 5

if __name__ == "__main__":
    with KnowledgeBase.open() as kb:
        jobs = plan.jobs([kb.lookup(s.torch) for s in kb.records()], kb.guides(), kb)
    start = time.perf_counter()
    for job in jobs[:FRESH]:
        list(run.outcomes([job], width=1))
    fresh = (time.perf_counter() - start) / FRESH
    start = time.perf_counter()
    count = sum(1 for _ in run.outcomes(jobs))
    forked = (time.perf_counter() - start) / count
    print(
        f"{count} checks: {forked:.3f} s a check forked, {fresh:.2f} s in a fresh process: "
        f"{fresh / forked:.0f}x"
    )
