"""A forked child: gathers what a name could be tried with, tries it, and says what came out.

It says ``?ID`` before it tries a sample, and ``.SAMPLING`` at last. A sample that ended a child
before it isn't tried again.
"""

from __future__ import annotations

import os
import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msmap.probe.sample import Sample, Sampling
from msmap.probe.samples import choose, layers, tried
from msmap.probe.samples.call import Gap, Known
from msmap.probe.samples.pool import Pool
from msmap.verify.executors import processes

# How many times the limit there may be of the first dtype.
MAIN = 4
MOST = 120
# How many times the limit may be examples of MindSpore's.
_TURNED = 2
# Seconds of processor time that one sample may take.
_LIMIT = 10.0
_GATHERING = 60.0
_LARGEST_FILE = 64 << 20
# So many refusals in a row that the rest is given up.
_PATIENCE = 200


def run(
    known: Known, limit: int, told: str, lost: dict[str, str], say: Callable[[str], None]
) -> None:
    """Try a name and say what came out.

    ``told`` are examples of MindSpore's, and ``lost`` samples that ended a child, with reasons.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    layers.remember()
    with _bounded(_GATHERING):
        pool = Pool(known, limit, told)
    drafts = [draft for draft in pool.samples if draft.id not in lost]
    found = _settled(drafts, pool.own, limit, pool.gaps, say)
    if not pool.is_whole and all(sample.raises for sample in found):
        with _bounded(_GATHERING):
            pool.complete()
        more = [d for d in pool.samples if d.id not in lost and d not in drafts]
        found += _settled(more, frozenset(), limit, pool.gaps, say)
    # They come on top: what is chosen of the others is the same with them and without.
    with _bounded(_GATHERING):
        theirs = [d for d in pool.turned() if d.id not in lost]
    taken = {s.id: s for s in _taken(theirs, limit * _TURNED, choose.Spread(), pool.gaps, say)}
    found += [taken[draft.id] for draft in theirs if draft.id in taken]
    gaps = pool.gaps + Counter(lost.values())
    origins = Counter(draft.origin for draft in pool.samples)
    sampling = Sampling(known.name, tuple(found), _sorted(origins), _sorted(gaps))
    say("." + sampling.dumps())


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _settled(
    drafts: list[Sample],
    own: frozenset[str],
    limit: int,
    gaps: Counter[str],
    say: Callable[[str], None],
) -> list[Sample]:
    """So many samples of each group that PyTorch takes, in the order in which they were made."""
    groups: dict[tuple[str, bool], list[Sample]] = {}
    for draft in drafts:
        group = ("raises" if draft.raises else draft.dtype, draft.id in own)
        groups.setdefault(group, []).append(draft)
    main = next((d.dtype for d in drafts if d.dtype and not d.raises), "")
    spread = choose.Spread()
    taken: dict[str, Sample] = {}
    count: Counter[str] = Counter()
    for (name, is_own), pool in groups.items():
        most = min(limit * _share(name, is_own, main), MOST) - count[name]
        chosen = _taken(pool, most, spread, gaps, say)
        count[name] += len(chosen)
        taken |= {sample.id: sample for sample in chosen}
    return [taken[draft.id] for draft in drafts if draft.id in taken]


def _taken(
    pool: list[Sample],
    most: int,
    spread: choose.Spread,
    gaps: Counter[str],
    say: Callable[[str], None],
) -> list[Sample]:
    """So many samples of one group that PyTorch takes, the best to take first."""
    taken: list[Sample] = []
    refused = 0
    for draft in spread.order(pool):
        if len(taken) >= most or refused > _PATIENCE:
            break
        say(f"?{draft.id}")
        try:
            with _bounded(_LIMIT):
                taken.append(tried.settle(draft))
        except Gap as gap:
            gaps[gap.reason] += 1
            refused += 1
        else:
            spread.take(draft)
            refused = 0
    return taken


def _share(name: str, is_own: bool, main: str) -> int:
    """How many times the limit of a dtype there may be, with those that were taken before."""
    if name not in ("", main):
        return 1
    return MAIN if is_own else MAIN * 3 // 2


@contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """End this process if what is done within takes more processor time."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def enter(folder: str, parent: int) -> None:
    """Make the process one whose files and noise harm nobody, and that ends with its parent."""
    processes.die_with(parent)
    processes.die_first()
    os.chdir(folder)
    os.environ["TMPDIR"] = folder
    quiet = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(quiet, handle)
