"""Evidence files: a line a check, read and written without loss, and what they say together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from msmap import evidence
from msmap.evidence import EvidenceError, Line
from msmap.model import Check, Evidence

FULL = Line(
    record="torch.cat",
    check="last",
    hash="0123456789ab",
    outcome="untestable",
    reason="no_kernel",
    message='没有内核: "Cat"\n',
    max_abs=0.0,
    max_rel=1.5e-7,
    gradient="agrees",
    torch_gave="True",
    mindspore_gave="False",
)
SHORT = Line("torch.cat", "axis", "0123456789ab", "verified")

CHECK = Check(
    id="last",
    torch="torch.cat((x, x))",
    mindspore="mindspore.mint.cat((x, x))",
    ported=True,
    target="mindspore.mint.cat",
    inputs={},
    expect="same",
    gives={},
    gradient=True,
    modes=(),
    rtol=None,
    atol=None,
    why=None,
    raises=None,
    hash="0123456789ab",
    evidence=(),
)
RAN = Evidence("here", "verified", "", "", None, None, "", "", "")


def ran(outcome: str) -> Check:
    """The check with an outcome."""
    return replace(CHECK, evidence=(replace(RAN, outcome=outcome),))


def test_a_file_has_a_line_a_check_in_order_without_empty_fields(tmp_path: Path) -> None:
    evidence.write(tmp_path / "here.jsonl", [FULL, SHORT])
    assert (tmp_path / "here.jsonl").read_text(encoding="utf-8") == (
        '{"record": "torch.cat", "check": "axis", "hash": "0123456789ab", "outcome": "verified"}\n'
        '{"record": "torch.cat", "check": "last", "hash": "0123456789ab", "outcome": "untestable", '
        '"reason": "no_kernel", "message": "没有内核: \\"Cat\\"\\n", "max_abs": 0.0, '
        '"max_rel": 1.5e-07, "gradient": "agrees", "torch_gave": "True", '
        '"mindspore_gave": "False"}\n'
    )


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
        b"<<<<<<< HEAD",
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
        GOOD.strip()[:-1] + b', "max_abs": "small"}',
        GOOD.replace(b"torch.cat", b"torch.\xff").strip(),
    ],
    ids=ascii,
)
def test_a_broken_line_is_named_with_file_and_line(line: bytes, tmp_path: Path) -> None:
    """And the message says how to make the file again."""
    path = tmp_path / "here.jsonl"
    path.write_bytes(GOOD + line + b"\n" + GOOD)
    with pytest.raises(EvidenceError) as caught:
        evidence.read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:2: not a line of evidence (")
    assert message.endswith("); run `msmap verify --all` to make the file again")


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
    assert evidence.attach(CHECK, "torch.cat", environments).evidence == (
        Evidence(
            "one", "untestable", "no_kernel", '没有内核: "Cat"\n', 0.0, 1.5e-7, "agrees", "True",
            "False",
        ),
        Evidence("three", "verified", "", "", 0.0, 1.5e-7, "agrees", "True", "False"),
    )  # fmt: skip


def test_what_ran_with_another_hash_is_stale() -> None:
    """A check that changed has no evidence of what it does now, however good it was."""
    environments = {"here": {("torch.cat", "last"): replace(SHORT, hash="ba9876543210")}}
    assert evidence.attach(CHECK, "torch.cat", environments).evidence == (
        replace(RAN, outcome="stale"),
    )


def test_a_check_that_nobody_ran_has_no_evidence() -> None:
    assert evidence.attach(CHECK, "torch.cat", {}) == CHECK


@pytest.mark.parametrize(
    ("outcomes", "verification"),
    [
        ([], "unverified"),
        (["verified"], "verified"),
        (["verified", "verified_with_tolerance"], "verified_with_tolerance"),
        (["verified_with_tolerance", "verified_forward_only"], "verified_forward_only"),
        (["diverges_documented", "verified"], "verified"),
        (["untestable", "verified"], "verified"),
        (["untestable", "diverges_documented"], "diverges_documented"),
        (["untestable"], "untestable"),
        (["verified", "stale"], "stale"),
        (["verified", "inconclusive", "stale"], "inconclusive"),
        (["verified", "refuted", "inconclusive"], "refuted"),
    ],
)
def test_the_worst_check_decides(outcomes: list[str], verification: str) -> None:
    """Bad news shows, the weakest agreement counts, a documented difference lowers nothing."""
    checks = [ran(outcome) for outcome in outcomes]
    assert verification.summarise(checks) == (verification, "")
    assert verification.summarise(reversed(checks)) == (verification, "")


def test_a_check_that_never_ran_leaves_the_target_unverified() -> None:
    assert verification.summarise([ran("verified"), CHECK]) == ("unverified", "")


def test_an_untestable_target_says_why() -> None:
    check = replace(CHECK, evidence=(replace(RAN, outcome="untestable", reason="no_kernel"),))
    assert verification.summarise([check]) == ("untestable", "no_kernel")
