"""A database whose every text is an attack, made from tests/fixtures/hostile."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.builders import support

from msmap.store import build as store

FIXTURE = Path(__file__).resolve().parents[1] / "fixtures" / "hostile"
TURNING = "\u202e\u2066\u200f"
PAYLOAD = (
    "<script>alert(1)</script>\"'><img src=x onerror=alert(1)></textarea></title></style>]]>"
    f"<!--{{{{7*7}}}}${{7*7}}\\{TURNING}\u2028&lt;b&gt;"
)
LONG = f"{PAYLOAD} long " * 1000
SIGNATURE = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def _filled(text: str, *, quoted: bool) -> str:
    """A fixture with the attacks in its texts, as double quotes of YAML and JSON have them."""
    for mark, value in (("PAYLOAD", PAYLOAD), ("LONG", LONG), ("PAYURL", "<b>\"'")):
        shown = json.dumps(value)[1:-1] if quoted else value
        text = text.replace(mark, shown)
    return text.replace("SIGNATURE", SIGNATURE)


def build(folder: Path) -> Path:
    """The database of the hostile data directory."""
    data = folder / "data"
    shutil.copytree(FIXTURE, data)
    for path in sorted(data.rglob("*.*")):
        path.write_text(_filled(path.read_text(encoding="utf-8"), quoted=True), encoding="utf-8")
    (evidence,) = (data / "evidence").glob("*.jsonl")
    lines = evidence.read_text(encoding="utf-8")
    evidence.unlink()
    base = support.read(data).base
    hashes = [base.guides["evil"].sections[0].checks[0].hash,
              base.records["torch.nn.Evil"].checks[0].hash]  # fmt: skip
    for found in hashes:
        lines = lines.replace("HASH", found, 1)
    evidence.write_text(lines, encoding="utf-8")
    path = folder / "msmap.db"
    store.build(data, path)
    return path
