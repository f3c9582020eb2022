"""Files of earlier releases, as what differs from the newest's."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from msmap import atomic
from msmap.errors import EvidenceError
from msmap.evidence import files
from msmap.evidence.files import Line

NAME = "torch-2.13.0_mindspore-{}_cpu_linux-x86_64"
ABS = [Line("torch.abs", check, f"{check}0", "verified") for check in ("far", "near", "sign")]
CAT = [Line("torch.cat", check, f"{check}0", "verified") for check in ("axis", "last")]
OTHER = replace(CAT[1], outcome="refuted", message="1 of 2 differ")


@pytest.fixture
def at(tmp_path: Path) -> Callable[[str], Path]:
    """Where the evidence of a MindSpore release is."""
    return lambda release: tmp_path / f"{NAME.format(release)}.jsonl"


def lines(path: Path) -> list[Line]:
    return list(files.read(path).values())


At = Callable[[str], Path]


def test_an_earlier_release_keeps_what_differs(at: At) -> None:
    files.write(at("2.10.0"), ABS + CAT)
    files.write(at("2.9.0"), [*ABS[:2], CAT[0], OTHER])
    assert at("2.9.0").read_text(encoding="utf-8").splitlines() == [
        f'{{"like":"{NAME.format("2.10.0")}"}}',
        '{"record":"torch.abs","as":"85233c9b8885","without":"sign"}',
        '{"record":"torch.cat","as":"714d82ee34f9"}',
        '{"record":"torch.cat","check":"last","hash":"last0","outcome":"refuted",'
        '"message":"1 of 2 differ"}',
    ]
    assert sorted(lines(at("2.9.0")), key=lambda li: (li.record, li.check)) == [
        *ABS[:2], CAT[0], OTHER,
    ]  # fmt: skip
    assert lines(at("2.10.0")) == ABS + CAT


@pytest.mark.parametrize(
    "now",
    [
        pytest.param([replace(ABS[0], hash="far1"), *ABS[1:], *CAT], id="a check changed"),
        pytest.param([*ABS, OTHER], id="checks changed and went"),
        pytest.param([*ABS[1:], *CAT, replace(CAT[0], check="new")], id="one came, one went"),
        pytest.param(CAT, id="a record went"),
        pytest.param([], id="all went"),
    ],
)
def test_what_an_earlier_release_showed_stays_when_the_newest_changes(
    now: list[Line], at: At
) -> None:
    """And what is alike again is implied again."""
    earlier = {"2.8.0": [*ABS, *CAT], "2.9.0": [*ABS[:2], CAT[0], OTHER]}
    files.write(at("2.10.0"), ABS + CAT)
    for release, ran in earlier.items():
        files.write(at(release), ran)
    before = {release: files.read(at(release)) for release in earlier}
    texts = {release: at(release).read_bytes() for release in earlier}
    files.write(at("2.10.0"), now)
    assert {release: files.read(at(release)) for release in earlier} == before
    files.write(at("2.10.0"), ABS + CAT)
    assert {release: at(release).read_bytes() for release in earlier} == texts


def test_a_write_stopped_at_any_file_changes_nothing_that_was_said(
    at: At, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for release in ("2.10.0", "2.9.0", "2.8.0"):
        files.write(at(release), ABS + CAT)
    kept = shutil.copytree(tmp_path, tmp_path / "kept")
    for after in range(6):
        left = after
        write = atomic.write

        def stopped(path: Path, text: str, write: Callable[[Path, str], None] = write) -> None:
            nonlocal left
            if not left:
                raise KeyboardInterrupt
            left -= 1
            write(path, text)

        with monkeypatch.context() as patched:
            patched.setattr(atomic, "write", stopped)
            try:
                files.write(at("2.10.0"), [*ABS, OTHER])
            except KeyboardInterrupt:
                assert after < 5
        assert lines(at("2.10.0")) == (ABS + CAT if after < 3 else [*ABS, OTHER])
        for release in ("2.9.0", "2.8.0"):
            assert lines(at(release)) == ABS + CAT
            shutil.copy(kept / at(release).name, at(release))
        shutil.copy(kept / at("2.10.0").name, at("2.10.0"))


def test_a_newer_release_stands_in_full_once_it_has_nearly_all(at: At) -> None:
    for release in ("2.9.0", "2.8.0"):
        files.write(at(release), ABS + CAT)
    files.write(at("2.10.0"), ABS)
    assert b'{"like":' in at("2.10.0").read_bytes()
    assert b'{"like":' not in at("2.9.0").read_bytes()
    files.write(at("2.10.0"), [*ABS, OTHER])
    assert b'{"like":' not in at("2.10.0").read_bytes()
    for release in ("2.9.0", "2.8.0"):
        assert at(release).read_bytes().startswith(f'{{"like":"{NAME.format("2.10.0")}'.encode())
        assert sorted(lines(at(release)), key=lambda li: (li.record, li.check)) == ABS + CAT


def test_families_have_nothing_to_do_with_each_other(at: At, tmp_path: Path) -> None:
    gpu = tmp_path / "torch-2.13.0_mindspore-2.9.0_gpu_linux-x86_64.jsonl"
    files.write(at("2.10.0"), ABS)
    files.write(gpu, ABS)
    files.write(tmp_path / "here.jsonl", ABS)
    assert gpu.read_bytes() == at("2.10.0").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


def test_a_file_without_the_one_that_tells_it_says_so(at: At) -> None:
    files.write(at("2.10.0"), ABS)
    files.write(at("2.9.0"), ABS)
    at("2.10.0").unlink()
    with pytest.raises(EvidenceError) as caught:
        files.read(at("2.9.0"))
    assert str(caught.value) == (
        f"{at('2.9.0')}:1: says what differs from {at('2.10.0').name}, which is not beside it; "
        "copy both"
    )


def test_other_lines_than_were_meant_are_not_taken_for_them(at: At) -> None:
    """As after a merge by hand: nothing is said of a release that it didn't show."""
    files.write(at("2.10.0"), ABS)
    files.write(at("2.9.0"), ABS)
    text = at("2.10.0").read_text(encoding="utf-8")
    at("2.10.0").write_text(text.replace("sign0", "sign1"), encoding="utf-8")
    with pytest.raises(EvidenceError) as caught:
        files.read(at("2.9.0"))
    assert str(caught.value) == (
        f"{at('2.9.0')}:2: other lines of torch.abs are meant than stand in the full file; "
        "restore both files with `git checkout`, or delete this line and run `msmap verify`"
    )
