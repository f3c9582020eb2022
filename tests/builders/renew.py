"""Gives the evidence below tests/fixtures the hashes of the checks as they are now.

Run `python -m tests.builders.renew` after a change of `variants.GENERATION` or of a fixture. Lines
whose hash is all zeros are stale by intent.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.builders import support

from msmap.evidence import files as evidence
from msmap.model import owned

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
STALE = "000000000000"


def renew(case: Path) -> None:
    """Write the evidence of a data directory anew, with the signatures of the small base."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        shutil.copytree(case, data)
        shutil.copytree(FIXTURES / "data" / "signatures", data / "signatures", dirs_exist_ok=True)
        base = support.read(data).base
    checks = owned(base.records.values(), base.guides.values())
    hashes = {(owner, c.id): c.hash for owner, found in checks.items() for c in found}
    for path in (case / "evidence").glob("*.jsonl"):
        lines = evidence.read(path)
        evidence.write(
            path,
            [
                line if line.hash == STALE else replace(line, hash=hashes[key])
                for key, line in lines.items()
            ],
        )


if __name__ == "__main__":
    for found in [FIXTURES / "data", *sorted((FIXTURES / "lint").iterdir())]:
        if (found / "evidence").is_dir():
            renew(found)
