"""Whether evidence is the same on processors with other instructions; no ratio, but as long a run.

``python benchmarks/instructions.py [NAME...]`` runs the checks of those records, or of all, once
under each setting and lists the lines that differ from those of the first, which is what
``msmap verify`` sets itself. Exit status 1 if any differs that no rule here names.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from msmap.evidence import environments

DATA = Path("data")
SETTINGS: dict[str, dict[str, str]] = {
    "as ever": {},
    "AVX2": {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2", "MKL_CBWR": ""},
    "AVX512": {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE", "ATEN_CPU_CAPABILITY": "avx512",
               "MKL_CBWR": ""},
    "all that is there": {"ONEDNN_MAX_CPU_ISA": "", "ATEN_CPU_CAPABILITY": "", "MKL_CBWR": ""},
}  # fmt: skip
# Reason to lines that may differ: those that the instructions decide, where the first setting makes
# them one, and those of memory that nobody wrote to.
RULES = {
    "PyTorch's fused attention loses a nan with AVX512, in float64 too": {
        ("torch.nn.functional.scaled_dot_product_attention", "causal-longer-queries"),
    },
    "nan and inf spread to other values of a convolution with AVX512": {
        ("torch.nn.functional.conv3d", "variable-padding"),
    },
    "of nothing it gives memory that nobody wrote": {
        ("torch.nn.MultiLabelMarginLoss", "sum"),
        ("torch.nn.functional.multilabel_margin_loss", "sum"),
    },
    "it reads behind what it is given, where mostly something else lies in a second run": {
        ("torch.nn.functional.binary_cross_entropy", "short-weight"),
        ("torch.polar", "broadcast"),
        ("torch.polar", "plain"),
    },
}  # fmt: skip


def ran(setting: str, names: list[str], folder: Path) -> Path:
    """The evidence of a run, as a file below a folder."""
    place = folder / setting
    place.mkdir()
    for part in DATA.iterdir():
        if part.name != "evidence":
            (place / part.name).symlink_to(part.resolve())
    command = [sys.executable, "-m", "msmap_cli.main", "verify", f"--data={place}"]
    plain = {k: v for k, v in os.environ.items() if k not in SETTINGS["AVX2"]}
    subprocess.run(command + (names or ["--all"]), env=plain | SETTINGS[setting], check=False)
    (found,) = (place / "evidence").glob("*.jsonl")
    return found


def main() -> int:
    """Run, compare and say what differs."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        first, *others = (ran(setting, sys.argv[1:], Path(folder)) for setting in SETTINGS)
        for setting, path in zip(list(SETTINGS)[1:], others, strict=True):
            found = environments.compare(first, path)
            print(f"{setting}: {found.same} lines the same, {len(found.changes)} differ")
            for change in found.changes:
                key = change.record, change.check
                reason = next((why for why, lines in RULES.items() if key in lines), "")
                failed += not reason
                print(f"  {change.record}: {change.check}: {reason or change.fields}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
