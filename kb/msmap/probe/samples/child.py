"""A forked child: gathers what a name could be tried with, tries it, and says what came out.

It says ``?ID`` before it tries a sample, and ``.SAMPLING`` at last. A sample that ended a child
before it isn't tried again.
"""

from __future__ import annotations

import os
import resource
import signal
from collections import Counter
from collections.abc import Callable

from msmap.probe.sample import Sample, Sampling
from msmap.probe.samples import choose, pool, tried
from msmap.probe.samples.call import Gap, Known

# Samples of the first dtype, and of those that raise, for each of another dtype.
MAIN = 5
MOST = 120
# Seconds of processor time that one sample may take.
_LIMIT = 10.0
_LARGEST_FILE = 64 << 20
# So many refusals in a row that the rest is given up.
_PATIENCE = 400


def run(known: Known, limit: int, lost: dict[str, str], say: Callable[[str], None]) -> None:
    """Try a name and say what came out; ``lost`` are samples that ended a child, with reasons."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    drafts, gaps = pool.gather(known)
    gaps.update(lost.values())
    found = _settled([d for d in drafts if d.id not in lost], limit, gaps, say)
    origins = Counter(draft.origin for draft in drafts)
    sampling = Sampling(known.name, tuple(found), _sorted(origins), _sorted(gaps))
    say("." + sampling.dumps())


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _settled(
    drafts: list[Sample], limit: int, gaps: Counter[str], say: Callable[[str], None]
) -> list[Sample]:
    order = {draft.id: place for place, draft in enumerate(drafts)}
    main = next((d.dtype for d in drafts if d.dtype and not d.raises), "")
    taken: Counter[str] = Counter()
    found: list[Sample] = []
    refused = 0
    for draft in choose.ranked(drafts):
        group = "raises" if draft.raises else draft.dtype
        if taken[group] >= min(limit * (MAIN if group == main else 1), MOST):
            continue
        say(f"?{draft.id}")
        signal.setitimer(signal.ITIMER_PROF, _LIMIT)
        try:
            found.append(tried.settle(draft))
            taken[group] += 1
            refused = 0
        except Gap as gap:
            gaps[gap.reason] += 1
            refused += 1
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if refused > _PATIENCE:
            break
    return sorted(found, key=lambda sample: order[sample.id])


def enter(folder: str) -> None:
    """Make the process one whose files and noise harm nobody."""
    os.chdir(folder)
    os.environ["TMPDIR"] = folder
    quiet = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(quiet, handle)
