"""A stand-in for the process that forks: it imports no framework, its parts are any Python code.

A job's ``torch`` is JSON, part name to code; of any other job the check alone runs the code in
``MSMAP_TEST_CODE``, or agrees. What it says
it imported and runs on is in ``MSMAP_TEST_ENVIRONMENT``: ``2.13.0 2.10.0 cpu``.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator
from typing import Any

from msmap.verify.executors import guard
from msmap.verify.executors.executor import Ready
from msmap.verify.executors.zygote import Zygote
from msmap.verify.plan.job import Job

MEMORY = 300 << 20


def parts(job: Job, skip: frozenset[str]) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """The parts in order; one of the name ``!`` breaks the making of parts."""
    try:
        found = json.loads(job.torch)
    except ValueError:
        found = {"": os.environ.get("MSMAP_TEST_CODE", "pass")}
    for name, code in found.items():
        if name == "!":
            exec(code, {})
        elif name not in skip:
            yield name, lambda code=code: run(code)


def run(code: str) -> dict[str, Any]:
    """Verified, unless the code sets another ``outcome``, with what it leaves in ``said``."""
    scope: dict[str, Any] = {"said": "", "outcome": "verified", "shaken": False, "doubtful": False}
    exec(code, scope)
    flags = {name: scope[name] for name in ("shaken", "doubtful")}
    return {"outcome": scope["outcome"], "message": scope["said"], **flags}


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--width", type=int)
    options.add_argument("--limit", type=float)
    options.add_argument("--ahead", action="store_true")
    options.add_argument("--many", action="store_true")
    chosen = options.parse_args()
    guard.stand()
    zygote = Zygote(chosen.width, chosen.limit, MEMORY)
    says = os.environ.get("MSMAP_TEST_ENVIRONMENT", "2.13.0 2.10.0 cpu")
    zygote.say(Ready(*says.split()))
    zygote.serve(parts)
