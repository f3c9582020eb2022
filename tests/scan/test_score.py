"""Places counted, the worst first; what a baseline knows; what a project asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.model import Text
from msmap.scan import baseline, judge, score, settings
from msmap.scan.report import Api, Counts, InFile, Scanned, Site, Told
from msmap.scan.settings import BadSettings, Settings
from msmap.scan.terms import Certainty, Status


def site(
    api: str,
    status: Status = "ready",
    rule: str = "",
    path: str = "a.py",
    certainty: Certainty = "certain",
    state: str = "",
    caveats: tuple[Told, ...] = (),
) -> Site:
    """A place on the first line of a file."""
    return Site(
        path, 1, 0, 1, 9, None, certainty, status, rule, (api,), f"{api}()", "", "t", None, (),
        caveats, False, api, (0, 9), state,
    )  # fmt: skip


SITES = [
    site("torch.a"),
    site("torch.a", "care", "note"),
    site("torch.b", "missing", "missing", "b.py"),
    site("torch.Tensor.view", "unclear", "possible", certainty="possible"),
    site("torch.c", "care", "note", state="ignored"),
    site("torch.d", "care", "note", state="known"),
]


def test_what_is_ignored_or_known_counts_apart() -> None:
    assert score.counts(SITES) == Counts(
        {"missing": 1, "care": 1, "unclear": 1, "ready": 1},
        {"certain": 3, "possible": 1, "unknown": 0},
        {"note": 1, "missing": 1, "possible": 1},
        1,
        1,
    )


def test_names_and_files_come_the_worst_first() -> None:
    assert score.apis(SITES) == (
        Api("torch.b", "t", {"missing": 1}),
        Api("torch.a", "t", {"care": 1, "ready": 1}),
        Api(".view", "t", {"unclear": 1}),
    )
    assert score.files(SITES) == (
        InFile("b.py", {"missing": 1}),
        InFile("a.py", {"care": 1, "unclear": 1, "ready": 1}),
    )
    assert [s.apis[0] for s in score.findings(SITES)] == ["torch.b", "torch.a", "torch.Tensor.view"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], []),
        (["missing"], ["torch.b"]),
        (["care", "possible"], ["torch.a", "torch.Tensor.view"]),
        (["note"], ["torch.a"]),
        (["any"], ["torch.a", "torch.b", "torch.Tensor.view"]),
    ],
)
def test_words_name_what_fails(words: list[str], expected: list[str]) -> None:
    assert [s.apis[0] for s in score.failing(SITES, words)] == expected


@pytest.mark.parametrize(("trains", "expected"), [(False, "care"), (True, "ready")])
def test_a_mode_that_any_file_sets_bites_in_none(trains: bool, expected: str) -> None:
    bite = Told("m", "mode", "silent", Text("a", "b"), False)
    files = [
        Scanned("a.py", (site("torch.a", "care", "silent-caveat", caveats=(bite,)),), ()),
        Scanned("b.py", (), (), (), trains),
    ]
    assert [s.status for s in judge.settled(files, frozenset())] == [expected]


def test_a_baseline_holds_what_counts_and_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    assert baseline.write(path, SITES) == 4
    known = baseline.read(path)
    assert known == {
        ("torch.a", "note"), ("torch.b", "missing"), ("torch.Tensor.view", "possible"),
        ("torch.d", "note"),
    }  # fmt: skip
    files = [Scanned("a.py", (site("torch.b", "missing", "missing"), site("torch.a")), ())]
    assert [s.state for s in judge.settled(files, known)] == ["known", ""]
    assert baseline.write(path, []) == 0
    assert baseline.read(path) == frozenset()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 9, "findings": []}', "\x00", "[" * 9]
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(baseline.BadBaseline, match=r"b\.json"):
        baseline.read(path)


def test_the_nearest_project_says_what_is_wanted(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.msmap]\nexclude = ["old"]\nfail-on = ["missing"]\ndevice = "ascend"\n'
        'mindspore = "2.9"\nbaseline = "known.json"\n',
        encoding="utf-8",
    )
    assert settings.find(inner) == Settings(
        ("old",), ("missing",), "ascend", "2.9", tmp_path / "known.json"
    )
    (inner / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    assert settings.find(inner) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.msmap]\nexcluded = []", "tool.msmap.excluded: one of exclude, fail-on"),
        ("[tool.msmap]\nexclude = 'old'", "tool.msmap.exclude = 'old': a list of texts"),
        ("[tool.msmap]\ndevice = 3", "tool.msmap.device = 3: a text"),
        ("[tool]\nmsmap = 1", "tool.msmap is no table"),
        ("[tool", "pyproject.toml: "),
    ],
)
def test_what_nobody_can_follow_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSettings) as error:
        settings.read(path)
    assert said in str(error.value)
