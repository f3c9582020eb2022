"""Evidence files: a line a check, read and written without loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders.checks import EVIDENCE, check

from msmap.errors import EvidenceError
from msmap.evidence import attach
from msmap.evidence import files as evidence
from msmap.evidence.files import Line
from msmap.model import Evidence, Finding
from msmap.problems import Problem

FULL = Line(
    record="torch.cat",
    check="last",
    hash="0123456789ab",
    outcome="untestable",
    reason="no_kernel",
    message='没有内核: "Cat"\n',
    gradient="agrees",
    torch_gave="True",
    mindspore_gave="False",
)
SHORT = Line("torch.cat", "axis", "0123456789ab", "verified")

CHECK = check(id="last", hash="0123456789ab")


def test_a_file_has_a_line_a_check_in_order_without_empty_fields(tmp_path: Path) -> None:
    evidence.write(tmp_path / "here.jsonl", [FULL, SHORT])
    assert (tmp_path / "here.jsonl").read_text(encoding="utf-8") == (
        '{"record":"torch.cat","check":"axis","hash":"0123456789ab","outcome":"verified",'
        '"gradient":""}\n'
        '{"record":"torch.cat","check":"last","hash":"0123456789ab","outcome":"untestable",'
        '"reason":"no_kernel","message":"没有内核: \\"Cat\\"\\n","gradient":"agrees",'
        '"torch_gave":"True","mindspore_gave":"False"}\n'
    )


# what came out of variants -> how the line says it
GROUPS: dict[str, tuple[dict[str, Finding], str]] = {
    "agreement": (
        {"keyword": Finding("agrees"), "graph": Finding("agrees")},
        '"agrees":"keyword graph"',
    ),
    "agreement without gradients": (
        {"graph": Finding("forward_only"), "float64": Finding("forward_only")},
        '"forward_only":"graph float64"',
    ),
    "what PyTorch refuses and what has no kernel": (
        {"int32": Finding("refused"), "bool": Finding("no_kernel"), "empty": Finding("refused")},
        '"refused":"int32 empty","no_kernel":"bool"',
    ),
    "differences in detail": (
        {
            "graph": Finding("raises", message="TypeError: no"),
            "zeros": Finding(
                "differs", message="1 of 6 values", torch_gave="0", mindspore_gave="nan"
            ),
            "nonfinite": Finding("inconclusive", message="no end within 60 s"),
        },
        '"variants":{"graph":{"outcome":"raises","message":"TypeError: no"},'
        '"zeros":{"outcome":"differs","message":"1 of 6 values","torch_gave":"0",'
        '"mindspore_gave":"nan"},'
        '"nonfinite":{"outcome":"inconclusive","message":"no end within 60 s"}}',
    ),
}


@pytest.mark.parametrize("name", GROUPS)
def test_variants_are_told_in_groups_and_read_back(name: str, tmp_path: Path) -> None:
    variants, text = GROUPS[name]
    line = Line("torch.cat", "axis", "0", "verified", gradient="agrees", variants=variants)
    evidence.write(tmp_path / "here.jsonl", [line])
    assert (tmp_path / "here.jsonl").read_text(encoding="utf-8") == (
        f'{{"record":"torch.cat","check":"axis","hash":"0","outcome":"verified",{text}}}\n'
    )
    assert evidence.read(tmp_path / "here.jsonl") == {("torch.cat", "axis"): line}


def test_why_a_variant_is_refused_is_not_kept(tmp_path: Path) -> None:
    """Nor why it has no kernel: the words are PyTorch's, or the same for every dtype."""
    variants = {"bool": Finding("no_kernel", message="KernelMod"), "int32": Finding("refused")}
    evidence.write(tmp_path / "here.jsonl", [replace(SHORT, variants=variants)])
    assert evidence.read(tmp_path / "here.jsonl")["torch.cat", "axis"].variants == {
        "int32": Finding("refused"), "bool": Finding("no_kernel"),
    }  # fmt: skip


def test_variants_are_read_in_the_order_of_the_vocabulary(tmp_path: Path) -> None:
    names = ["groups", "zeros", "keyword", "positional"]
    variants = {name: Finding("agrees") for name in names}
    evidence.write(tmp_path / "here.jsonl", [replace(SHORT, variants=variants)])
    found = evidence.read(tmp_path / "here.jsonl")["torch.cat", "axis"].variants
    assert list(found) == ["positional", "keyword", "zeros", "groups"]


def test_the_order_in_which_variants_ran_does_not_show(tmp_path: Path) -> None:
    found = []
    for order in (1, -1):
        variants = {
            n: Finding(o)
            for n, o in [
                ("graph", "differs"),
                ("zeros", "raises"),
                ("int32", "refused"),
                ("bool", "refused"),
            ][::order]
        }
        evidence.write(tmp_path / "here.jsonl", [replace(SHORT, variants=variants)])
        found.append((tmp_path / "here.jsonl").read_text(encoding="utf-8"))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "message",
    ["", "two\nlines", "carriage\rreturn", "tab\t", "quote \" and \\", "中文", "form\x0cfeed",
     "next\x85line", "line\u2028separator", "paragraph\u2029separator", "nul\0"],
    ids=ascii,
)  # fmt: skip
def test_what_is_written_is_read_back(message: str, tmp_path: Path) -> None:
    """Whatever an error message has in it, the file can be read again and says the same."""
    lines = {("torch.cat", "axis"): SHORT, ("torch.cat", "last"): replace(FULL, message=message)}
    evidence.write(tmp_path / "here.jsonl", lines.values())
    assert evidence.read(tmp_path / "here.jsonl") == lines


def test_writing_replaces_the_whole_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    evidence.write(tmp_path / "here.jsonl", [FULL])
    evidence.write(tmp_path / "here.jsonl", [SHORT])
    assert evidence.read(tmp_path / "here.jsonl") == {("torch.cat", "axis"): SHORT}
    assert [p.name for p in tmp_path.iterdir()] == ["here.jsonl"]


def test_an_empty_file_has_no_outcomes(tmp_path: Path) -> None:
    evidence.write(tmp_path / "here.jsonl", [])
    assert (tmp_path / "here.jsonl").read_bytes() == b""
    assert evidence.read(tmp_path / "here.jsonl") == {}


GOOD = b'{"record": "torch.cat", "check": "axis", "hash": "0123456789ab", "outcome": "verified"}\n'


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"verified",
        b"null",
        b"[]",
        b"{}",
        b'{"record": "torch.cat"}',
        GOOD.strip()[:-1],
        GOOD.strip()[:-1] + b', "colour": "red"}',
        GOOD.replace(b'"torch.cat"', b"[]").strip(),
        GOOD.replace(b'"verified"', b"1").strip(),
        GOOD.replace(b'"verified"', b'"proved"').strip(),
        GOOD.strip()[:-1] + b', "reason": "lazy"}',
        GOOD.strip()[:-1] + b', "message": 1}',
        GOOD.replace(b"torch.cat", b"torch.\xff").strip(),
        *(
            GOOD.strip()[:-1] + b", " + group + b"}"
            for group in (
                b'"agrees": 1',
                b'"agrees": ["graph"]',
                b'"agrees": "graph upside-down"',
                b'"forward_only": {"graph": 0}',
                b'"variants": ["graph"]',
                b'"variants": {"graph": "differs"}',
                b'"variants": {"graph": {}}',
                b'"variants": {"graph": {"outcome": "proved"}}',
                b'"variants": {"upside-down": {"outcome": "differs"}}',
                b'"variants": {"graph": {"outcome": "differs", "colour": "red"}}',
                b'"variants": {"graph": {"outcome": "differs", "message": 1}}',
            )
        ),
    ],
    ids=ascii,
)
def test_a_broken_line_is_named_with_file_and_line(line: bytes, tmp_path: Path) -> None:
    """And the message says how to have it again; who reads on gets all others."""
    path = tmp_path / "here.jsonl"
    path.write_bytes(GOOD + line + b"\n" + GOOD)
    with pytest.raises(EvidenceError) as caught:
        evidence.read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:2: not a line of evidence (")
    assert message.endswith("); delete it, and `msmap verify` runs its check again")
    problems: list[Problem] = []
    assert evidence.read(path, problems) == evidence.read_all(tmp_path, problems=[])["here"]
    assert len(evidence.read(path, [])) == 1
    assert [(p.path, p.line) for p in problems] == [(path, 2)]


def test_a_conflict_of_a_merge_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "here.jsonl"
    path.write_bytes(b"<<<<<<< HEAD\n" + GOOD + b"=======\n" + GOOD + b">>>>>>> theirs\n")
    problems: list[Problem] = []
    assert len(evidence.read(path, problems)) == 1
    assert [p.line for p in problems] == [1, 3, 5]
    assert {p.message for p in problems} == {
        "a conflict of a merge; take one side whole with `git checkout --ours` or `--theirs`, "
        "then `msmap verify` runs what it lacks"
    }


def test_what_can_not_be_read_is_gone_with_the_next_outcome(tmp_path: Path) -> None:
    path = tmp_path / "here.jsonl"
    evidence.write(path, [SHORT])
    good = path.read_bytes()
    path.write_bytes(b"{\n" + good)
    evidence.merge(path, [], {})
    assert path.read_bytes() == good


def test_every_environment_is_read_by_its_name(tmp_path: Path) -> None:
    evidence.write(tmp_path / "torch-2.13.0_cpu.jsonl", [SHORT])
    evidence.write(tmp_path / "torch-2.12.0_cpu.jsonl", [FULL])
    (tmp_path / "README.md").write_text("not evidence", encoding="utf-8")
    assert evidence.read_all(tmp_path) == {
        "torch-2.12.0_cpu": {("torch.cat", "last"): FULL},
        "torch-2.13.0_cpu": {("torch.cat", "axis"): SHORT},
    }


def test_without_a_directory_there_is_no_evidence(tmp_path: Path) -> None:
    assert evidence.read_all(tmp_path / "nowhere") == {}


def test_evidence_of_one_release_is_read_alone_and_the_newest_comes_last(tmp_path: Path) -> None:
    lines = {("torch.abs", "sign"): Line("torch.abs", "sign", "0", "verified")}
    for release in ("2.10.0", "2.9.0"):
        evidence.write(tmp_path / f"torch-2.13.0_mindspore-{release}_cpu.jsonl", lines.values())
    # Broken, and nobody's business who asks for another release.
    (tmp_path / "torch-2.13.0_mindspore-2.8.0_cpu.jsonl").write_text("{", encoding="utf-8")
    assert evidence.read_all(tmp_path, "2.9.0") == {"torch-2.13.0_mindspore-2.9.0_cpu": lines}
    (tmp_path / "torch-2.13.0_mindspore-2.8.0_cpu.jsonl").unlink()
    assert list(evidence.read_all(tmp_path)) == [
        "torch-2.13.0_mindspore-2.9.0_cpu", "torch-2.13.0_mindspore-2.10.0_cpu",
    ]  # fmt: skip


def test_a_check_gets_the_outcome_of_every_environment_that_ran_it() -> None:
    environments = {
        "one": {("torch.cat", "last"): FULL},
        "two": {("torch.cat", "other"): FULL, ("torch.stack", "last"): FULL},
        "three": {("torch.cat", "last"): replace(FULL, outcome="verified", reason="", message="")},
    }
    assert attach.check(CHECK, "torch.cat", environments).evidence == (
        Evidence(
            "one", "untestable", "no_kernel", '没有内核: "Cat"\n', "agrees", "True", "False", {}
        ),
        Evidence("three", "verified", "", "", "agrees", "True", "False", {}),
    )


def test_what_ran_with_another_hash_is_stale() -> None:
    """A check that changed has no evidence of what it does now, however good it was."""
    environments = {"here": {("torch.cat", "last"): replace(SHORT, hash="ba9876543210")}}
    assert attach.check(CHECK, "torch.cat", environments).evidence == (
        replace(EVIDENCE, outcome="stale"),
    )


def test_a_check_that_nobody_ran_has_no_evidence() -> None:
    assert attach.check(CHECK, "torch.cat", {}) == CHECK
