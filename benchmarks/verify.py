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


def fresh(job: Job) -> float:
    """Seconds of a check in a process of its own, with everything that starts and ends."""
    start = time.perf_counter()
    with Local(1) as executor:
        list(executor.lines([job]))
    return time.perf_counter() - start


def forked(jobs: Sequence[Job]) -> tuple[float, float, int]:
    """Seconds until a process is ready to fork, and from then; how many checks and variants ran."""
    twins = {(job.owner, job.check): job.twins.keys() for job in jobs}
    times = [time.perf_counter()]
    with Local() as executor:
        executor.start()
        times.append(time.perf_counter())
        lines = list(executor.lines(jobs))
        times.append(time.perf_counter())
    runs = sum(1 + len(li.variants.keys() - twins[li.record, li.check]) for li in lines)
    return times[1] - times[0], times[2] - times[1], runs


if __name__ == "__main__":
    with KnowledgeBase.open() as kb:
        jobs = plan.jobs([kb.lookup(s.torch) for s in kb.records()], kb.guides(), kb)[::EVERY]
    bare = [replace(job, variants=(), twins={}) for job in jobs]
    alone = sum(fresh(job) for job in bare[:FRESH]) / FRESH
    _, taken, _ = forked(bare)
    shared = taken / len(bare)
    ready, taken, runs = forked(jobs)
    whole = taken / len(jobs)
    print(
        f"{len(jobs)} checks, {os.cpu_count()} cores: {shared:.3f} s a check forked, "
        f"{alone:.2f} s in a fresh process: {alone / shared:.0f}x"
    )
    print(
        f"with variants {runs} runs, {whole:.3f} s a check: {WANTED:,} checks in "
        f"{(ready + whole * WANTED) / 60:.0f} min"
    )
