"""Checks a second in forked children against one fresh process a check; what 10,000 would take.

Goals: at least 20 times faster, and 10,000 checks with all their variants in a quarter of an hour
on two cores. Every tenth check of the base is run, the fresh side on a few, one after another.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace

from msmap.query.knowledge_base import KnowledgeBase
from msmap.verify.executors.local import Local
from msmap.verify.plan import choose as plan
from msmap.verify.plan.job import Job

EVERY = 10
FRESH = 5
WANTED = 10_000


def seconds(jobs: Sequence[Job], width: int | None = None) -> tuple[float, int]:
    """Seconds with everything that starts and ends, and how many checks and variants ran."""
    start = time.perf_counter()
    twins = {(job.owner, job.check): job.twins.keys() for job in jobs}
    with Local(width) as executor:
        lines = list(executor.lines(jobs))
    runs = sum(1 + len(li.variants.keys() - twins[li.record, li.check]) for li in lines)
    return time.perf_counter() - start, runs


if __name__ == "__main__":
    with KnowledgeBase.open() as kb:
        jobs = plan.jobs([kb.lookup(s.torch) for s in kb.records()], kb.guides(), kb)[::EVERY]
    bare = [replace(job, variants=(), twins={}) for job in jobs]
    fresh = sum(seconds([job], 1)[0] for job in bare[:FRESH]) / FRESH
    imports, _ = seconds(bare[:1])
    forked = (seconds(bare)[0] - imports) / len(bare)
    taken, runs = seconds(jobs)
    whole = (taken - imports) / len(jobs)
    print(
        f"{len(jobs)} checks, {os.cpu_count()} cores: {forked:.3f} s a check forked, "
        f"{fresh:.2f} s in a fresh process: {fresh / forked:.0f}x"
    )
    print(
        f"with variants {runs} runs, {whole:.3f} s a check: {WANTED:,} checks in "
        f"{whole * WANTED / 60:.0f} min"
    )
