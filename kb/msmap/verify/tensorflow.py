"""What statements say of TensorFlow, run where it is installed.

All of it runs in one process of its own: TensorFlow and MindSpore don't go together in one.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata, util
from typing import Any

from msmap.claimed import Claim
from msmap.errors import CannotVerify, installing

_LIMIT = 600.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a statement's lines were to give, and gave."""

    claim: str
    wanted: str
    gave: str

    @property
    def agrees(self) -> bool:
        """Whether it is what the statement says."""
        return self.wanted == self.gave


def run(claims: Sequence[Claim]) -> tuple[str, list[Outcome]]:
    """The TensorFlow release, and the outcome of every statement that has lines for it.

    Raises:
        CannotVerify: it is not installed, or can't be imported.
    """
    if util.find_spec("tensorflow") is None:
        raise CannotVerify(
            "TensorFlow is not installed. Install it with {}, in an environment of its own: it "
            "wants a newer NumPy than MindSpore",
            installing("tensorflow"),
        )
    proofs = [(claim.name, claim.tensorflow) for claim in claims if claim.tensorflow]
    lines = [(proof.code, proof.gives) for _, proof in proofs]
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "msmap.verify.tensorflow"], input=json.dumps(lines),
            env=environment, capture_output=True, text=True, encoding="utf-8", timeout=_LIMIT,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise CannotVerify("TensorFlow didn't end within {:g} s", _LIMIT) from None
    if done.returncode:
        last = (done.stderr.strip() or f"status {done.returncode}").splitlines()[-1]
        raise CannotVerify("TensorFlow can't run: {}", last)
    answers = json.loads(done.stdout.splitlines()[-1])
    release = next(
        metadata.version(name)
        for name in ("tensorflow", "tensorflow-cpu")
        if any(d.metadata["Name"] == name for d in metadata.distributions(name=name))
    )
    outcomes = [
        Outcome(name, proof.gives, gave)
        for (name, proof), gave in zip(proofs, answers, strict=True)
    ]
    return release, outcomes


def _value(code: str, scope: dict[str, Any]) -> Any:
    """What the last expression of some lines gives, with tensors as arrays."""
    import tensorflow as tf

    tree = ast.parse(code)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        raise SyntaxError("the last line must be an expression")
    exec(compile(ast.Module(tree.body[:-1], []), "<statement>", "exec"), scope)
    value = eval(compile(ast.Expression(last.value), "<statement>", "eval"), scope)
    return value.numpy() if tf.is_tensor(value) else value


def _serve() -> None:
    """Run lines that come as JSON, each with what it should give; answer with what it gives."""
    import numpy as np
    import tensorflow as tf

    from msmap.verify.trial import reasons, shown, trial

    answers: list[str] = []
    for code, gives in json.load(sys.stdin):
        tf.keras.utils.set_random_seed(trial.SEED)
        try:
            value = _value(code, {"tf": tf, "np": np})
            answers.append(gives if shown.fits(value, gives) else shown.one(value))
        except Exception as error:
            answers.append(reasons.brief(error))
    print(json.dumps(answers))


if __name__ == "__main__":
    _serve()
