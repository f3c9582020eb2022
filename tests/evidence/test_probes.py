"""Files of probes: a line a name, read and written without loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.errors import EvidenceError
from msmap.evidence import probes
from msmap.probed import Candidate, Cell, Difference, Probe, Tally
from msmap.problems import Problem

DIFFERENCE = Difference(
    outcome="differs",
    count=3,
    message="类型 int64 and int32",
    dtypes=("int64",),
    kinds=("plain", "0-d"),
    sample="op-3-int64",
    torch="torch.mul(input, other)",
    mindspore="mindspore.mint.mul(input, other)",
    inputs={"input": {"shape": [2], "dtype": "int64"}},
    torch_gave="[1, 2]",
    mindspore_gave="[1, 2]",
    cells=(Cell("int64", ("plain",), ("alpha",), 2), Cell("int64", ("0-d",))),
)
FULL = Probe(
    name="torch.mul",
    hash="0123456789ab",
    samples={"op": 12, "error": 1},
    gaps={"dtype": 2},
    candidates=(
        Candidate(
            target={
                "api": "mindspore.mint.mul",
                "parameters": [{"torch": "out", "relation": "universal_absent"}],
            },
            found="same_name",
            values=Tally(9, 12),
            gradients=Tally(4, 4),
            errors=Tally(0, 1),
            dtypes={"float32": Tally(6, 6), "int64": Tally(3, 6)},
            kinds={"plain": Tally(9, 12)},
            differences=(DIFFERENCE,),
        ),
        Candidate(target={"api": "mindspore.numpy.multiply"}, found="form", values=Tally(1, 4)),
    ),
)
BARE = Probe("torch.cuda.synchronize", "0123456789ab", reason="accelerator")


def test_a_file_has_a_line_a_name_in_order_without_what_is_usual(tmp_path: Path) -> None:
    probes.write(tmp_path / "here.jsonl", [FULL, BARE])
    assert (tmp_path / "here.jsonl").read_text(encoding="utf-8") == (
        '{"name":"torch.cuda.synchronize","hash":"0123456789ab","reason":"accelerator"}\n'
        '{"name":"torch.mul","hash":"0123456789ab","samples":{"op":12,"error":1},'
        '"gaps":{"dtype":2},"candidates":['
        '{"target":{"api":"mindspore.mint.mul",'
        '"parameters":[{"torch":"out","relation":"universal_absent"}]},'
        '"found":"same_name","values":[9,12],"gradients":[4,4],"errors":[0,1],'
        '"dtypes":{"float32":[6,6],"int64":[3,6]},"kinds":{"plain":[9,12]},'
        '"differences":[{"outcome":"differs","count":3,"message":"类型 int64 and int32",'
        '"dtypes":["int64"],"kinds":["plain","0-d"],"sample":"op-3-int64",'
        '"torch":"torch.mul(input, other)","mindspore":"mindspore.mint.mul(input, other)",'
        '"inputs":{"input":{"shape":[2],"dtype":"int64"}},'
        '"torch_gave":"[1, 2]","mindspore_gave":"[1, 2]",'
        '"cells":[["int64",["plain"],["alpha"],2],["int64",["0-d"],[],1]]}]},'
        '{"target":{"api":"mindspore.numpy.multiply"},"found":"form","values":[1,4]}]}\n'
    )


@pytest.mark.parametrize("probe", [FULL, BARE], ids=["full", "bare"])
def test_what_is_written_is_read(probe: Probe) -> None:
    assert probes.parse(probes.line(probe)) == probe


def test_merging_replaces_names_and_drops_those_that_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "here.jsonl"
    gone, old = Probe("torch.gone", "0"), Probe("torch.mul", "0")
    probes.write(path, [gone, old, BARE])
    probes.merge(path, [FULL], known={"torch.mul", "torch.cuda.synchronize"})
    assert probes.read(path) == {BARE.name: BARE, FULL.name: FULL}


def test_merging_makes_the_file(tmp_path: Path) -> None:
    path = probes.path(tmp_path, "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64")
    probes.merge(path, [BARE], known={BARE.name})
    assert probes.read_all(tmp_path / "probes") == {path.stem: {BARE.name: BARE}}


# a broken line -> what is said of it
BROKEN = {
    "no JSON": ("<<<<<<< ours", "Expecting value: line 1 column 1 (char 0)"),
    "another key": (
        '{"name":"a","hash":"0","extra":1}',
        "Probe.__init__() got an unexpected keyword argument 'extra'",
    ),
    "another reason": (
        '{"name":"a","hash":"0","reason":"tired"}',
        'reason "tired": one of constant, accelerator, service, internal, no_result, no_samples, '
        "no_candidate, no_port",
    ),
    "another origin": (
        '{"name":"a","hash":"0","samples":{"sky":1}}',
        'origin "sky": one of op, module, optimizer, error, docstring, mindspore, pattern, made',
    ),
    "another kind": (
        '{"name":"a","hash":"0","candidates":[{"target":{},"found":"form","kinds":{"odd":[1,1]}}]}',
        'kind "odd": one of plain, 0-d, empty, size-1, non-contiguous, broadcasting, '
        "negative-axis, nonfinite",
    ),
    "no tally": (
        '{"name":"a","hash":"0","candidates":[{"target":{},"found":"form","values":[3,2]}]}',
        "tally [3, 2]",
    ),
}


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_line_is_named(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "here.jsonl"
    path.write_text(f"{probes.line(BARE)}\n{text}\n", encoding="utf-8")
    message = f"not a probe ({said}); delete it, and `msmap probe` runs its name again"
    problems: list[Problem] = []
    assert probes.read(path, problems) == {BARE.name: BARE}
    assert problems == [Problem(path, 2, message, "evidence")]
    with pytest.raises(EvidenceError) as caught:
        probes.read(path)
    assert str(caught.value) == f"{path}:2: {message}"


def test_a_scan_names_lines_without_reading_them(tmp_path: Path) -> None:
    """What isn't written as a probe is has no name, and is found out when it is read."""
    texts = [probes.line(BARE).encode(), b"<<<<<<< ours", b'{"name":"torch.x', b'{"hash":"0"}']
    path = tmp_path / "here.jsonl"
    path.write_bytes(b"\n".join(texts))
    named = [BARE.name, "", "torch.x", ""]
    assert list(probes.scan(path)) == [
        (number, name, text)
        for number, (name, text) in enumerate(zip(named, texts, strict=True), 1)
    ]
