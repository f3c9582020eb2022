"""What differs of a record: the untold first, with both sides and the caveats that tell it."""

from __future__ import annotations

from dataclasses import replace

from tests.builders.support import FIXTURES, read

from msmap.evidence import attach, differences
from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.render import differences as shown

HERE = "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64"
DIFFERS = Finding("differs", "2 of 6 values", "[1.0, 2.0]", "[1.0, 3.0]")
RAISES = Finding("raises", "TypeError: no\n  bool", "", "")


def test_differences_of_a_record() -> None:
    record = read(FIXTURES / "data").base.records["torch.cat"]
    (last, axis) = record.checks
    (caveat,) = record.caveats
    told = replace(caveat, id="told", target=axis.target, variants=("float64",))
    record = replace(record, caveats=(caveat, told, replace(told, id="shown", shown_by=("last",))))
    variants = {"float64": DIFFERS, "bool": RAISES, "graph": Finding("agrees")}
    lines = {
        ("torch.cat", "last"): Line(
            "torch.cat", "last", last.hash, "diverges_documented", mindspore_gave="ValueError: no"
        ),
        ("torch.cat", "axis"): Line("torch.cat", "axis", axis.hash, "verified", variants=variants),
    }
    lines["torch.cat", "axis"].variants["overflow"] = DIFFERS
    found = differences.of(attach.record(record, {HERE: lines}))
    assert [(d.check, d.variant, d.dtype, d.caveats, d.untold) for d in found] == [
        ("axis", "overflow", "int32", (), True),
        ("axis", "bool", "bool", (), False),
        ("last", "", "float32", ("shown",), False),
        ("axis", "float64", "float64", ("told", "shown"), False),
    ]
    assert [line.text for line in shown.lines(found)] == [
        "axis overflow int32: mindspore.ops.concat: differs, no caveat tells it",
        "    2 of 6 values",
        "    PyTorch    [1.0, 2.0]",
        "    MindSpore  [1.0, 3.0]",
        "axis bool: mindspore.ops.concat: raises",
        "    TypeError: no bool",
        "last float32: mindspore.mint.cat: diverges_documented, told by shown",
        "    MindSpore  ValueError: no",
        "axis float64: mindspore.ops.concat: differs, told by told, shown",
        "    2 of 6 values",
        "    PyTorch    [1.0, 2.0]",
        "    MindSpore  [1.0, 3.0]",
    ]
