"""Tasks and answers that fill the pipes between a run and its zygote."""

from __future__ import annotations

import sys

from msmap.verify.executors.executor import Finished, Task
from msmap.verify.executors.talk import Own
from msmap.verify.plan.job import Job

# Says something long before it reads each task, as zygotes do whose child has ended meanwhile.
ZYGOTE = """
import sys
from msmap.verify.executors import executor
from msmap.verify.executors.executor import Finished, Ready, Result
say = lambda message: (sys.stdout.write(executor.dumps(message)), sys.stdout.flush())
say(Ready("1", "2", "cpu"))
task = executor.loads(sys.stdin.readline())
while task:
    say(Finished(task.job.owner, task.job.check, Result("verified", "long " * 100_000), {}))
    line = sys.stdin.readline()
    task = executor.loads(line) if line else None
"""
MANY = 12


def test_a_zygote_that_speaks_while_it_is_spoken_to_is_heard() -> None:
    code = "x\n" * 100_000
    tasks = [Task(job(number, code), ()) for number in range(MANY)]
    talk = Own([sys.executable, "-c", ZYGOTE], {})
    try:
        heard = [m.check for m in talk.converse(tasks, 4) if isinstance(m, Finished)]
    finally:
        talk.end()
    assert heard == [str(number) for number in range(MANY)]


def job(number: int, code: str) -> Job:
    return Job(
        owner="torch.mul", check=str(number), hash="", torch=code, mindspore="", inputs={},
        expect="same", gives={}, gradient=True, modes=(), rtol=None, atol=None, raises=None,
        state=(), variants=(),
    )  # fmt: skip
