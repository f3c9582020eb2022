"""What texts tell to write is there: each name of MindSpore's in records, guides and mistakes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.builders import naming

DATA = Path(__file__).resolve().parents[2] / "data"
_NAME = re.compile(r"(?<![\w./])mindspore(?:\.[A-Za-z_]\w*)+")
# Of these the text says that they aren't there.
ABSENT = {
    "mindspore.experimental.optim.LBFGS",
    "mindspore.finfo",
    "mindspore.mint.nn.LeakyReLU",
    "mindspore.mint.optim.LBFGS",
    "mindspore.nn.LBFGS",
}


def texts(told: Any) -> Iterator[str]:
    """All texts of a record or guide but for its checks, which run by themselves."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, list):
        for one in told:
            yield from texts(one)
    elif isinstance(told, dict):
        for key, one in told.items():
            if key not in ("checks", "says", "provoked_by"):
                yield from texts(one)


@pytest.mark.frameworks
def test_each_name_of_mindspores_in_a_text_is_there() -> None:
    files = [
        path for room in ("records", "guides", "mistakes") for path in (DATA / room).rglob("*.yaml")
    ]
    told = (yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader) for file in files)
    named = {name for one in told for text in texts(one) for name in _NAME.findall(text)}
    assert len(named) > 1000
    done = subprocess.run(
        [sys.executable, naming.__file__], input=json.dumps(sorted(named)), text=True, check=True,
        capture_output=True,
    )  # fmt: skip
    assert set(json.loads(done.stdout.splitlines()[-1])) == ABSENT
