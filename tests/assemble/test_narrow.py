"""Records of earlier MindSpore releases: what they leave out, and what isn't assembled again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from msmap import model
from msmap.assemble import content
from msmap.assemble import narrow as earlier
from msmap.assemble.base import Base
from msmap.errors import UnknownRelease

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bases(releases: Path) -> dict[str, Base]:
    """The base of each release, assembled together."""
    found = content.read_all(releases)
    return {base.mindspore.release: base for base in (*found.earlier, found.base)}


def keys(record: model.Record) -> list[str]:
    return [target.key for target in record.targets]


def test_each_release_has_a_base(bases: dict[str, Base]) -> None:
    assert list(bases) == ["2.8.0", "2.9.0", "2.10.0"]


def test_a_target_that_a_release_lacks_is_left_out_and_the_next_is_ported_to(
    bases: dict[str, Base],
) -> None:
    told = {
        release: (keys(base.records["torch.cat"]), base.records["torch.cat"].checks[0].mindspore)
        for release, base in bases.items()
    }
    older = (["mindspore.ops.concat"], "mindspore.ops.concat((x, x), axis=-1)")
    newest = ["mindspore.mint.cat", "mindspore.ops.concat"]
    assert told == {
        "2.8.0": older,
        "2.9.0": older,
        "2.10.0": (newest, "mindspore.mint.cat((x, x), dim=-1)"),
    }


def test_a_record_without_any_target_left_says_so_and_runs_nothing(bases: dict[str, Base]) -> None:
    record = bases["2.8.0"].records["torch.relu"]
    assert (record.category, record.targets, record.checks) == ("missing", (), ())
    assert record.missing == model.Text(
        "MindSpore 2.8.0 doesn't have mindspore.ops.relu; other releases do.",
        "MindSpore 2.8.0 中没有 mindspore.ops.relu；其他版本中有。",
    )


def test_a_caveat_of_other_releases_is_left_out_with_the_check_that_shows_it(
    bases: dict[str, Base],
) -> None:
    told = {
        release: (
            [c.id for c in base.records["torch.relu"].caveats],
            [c.id for c in base.records["torch.relu"].checks],
        )
        for release, base in bases.items()
    }
    assert told["2.9.0"] == (["slow"], ["plain", "zero"])
    assert told["2.10.0"] == ([], ["plain"])


def test_a_name_says_since_when_and_until_when_it_exists(bases: dict[str, Base]) -> None:
    lives = {
        target.api: (target.since, target.until, target.changed)
        for record in bases["2.10.0"].records.values()
        for target in record.targets
        if target.since or target.until or target.changed
    }
    assert lives == {
        "mindspore.mint.cat": ("2.10.0", "", ()),
        "mindspore.nn.Dropout": ("", "", ("2.9.0",)),
        "mindspore.ops.relu": ("2.9.0", "", ()),
    }
    assert bases["2.8.0"].mindspore.api("mindspore.ops.gone").until == "2.8.0"


def test_evidence_belongs_to_the_release_that_it_was_found_with(bases: dict[str, Base]) -> None:
    told = {
        release: [(e.environment, e.outcome) for e in base.records["torch.cat"].checks[0].evidence]
        for release, base in bases.items()
    }
    assert told == {
        "2.8.0": [],
        "2.9.0": [("torch-2.13.0_mindspore-2.9.0_cpu_linux-x86_64", "refuted")],
        "2.10.0": [("torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64", "verified")],
    }
    assert [b.records["torch.cat"].verification for b in bases.values()] == [
        "unverified", "refuted", "verified",
    ]  # fmt: skip


def timeless(record: model.Record) -> model.Record:
    """A record without what only all releases together can say of it."""
    targets = (replace(t, since="", until="", changed=()) for t in record.targets)
    return replace(record, targets=tuple(targets))


@pytest.mark.parametrize("real", [False, True], ids=["fixture", "data"])
def test_what_is_taken_from_the_newest_release_is_as_if_assembled_again(
    real: bool, releases: Path
) -> None:
    """Only what a release changes is assembled for it; alone, all of it is."""
    directory = ROOT / "data" if real else releases
    found = content.read_all(directory)
    again = {
        name: content.read(directory, name).base
        for name in (base.mindspore.release for base in found.earlier)
    }
    assert {
        base.mindspore.release: {n: timeless(r) for n, r in base.records.items()}
        for base in found.earlier
    } == {name: base.records for name, base in again.items()}
    assert [b.guides for b in found.earlier] == [b.guides for b in again.values()]
    assert any(len(base.asked) < len(base.records) for base in found.earlier)


@pytest.mark.parametrize("wanted", ["2.8", "2.8.0"])
def test_a_release_is_read_alone(wanted: str, releases: Path) -> None:
    assert content.read(releases, wanted).base.mindspore.release == "2.8.0"


def test_a_release_without_signatures_says_how_to_get_them(releases: Path) -> None:
    with pytest.raises(UnknownRelease) as caught:
        content.read(releases, "2.6.0")
    assert str(caught.value) == (
        'MindSpore release "2.6.0": one of 2.8.0, 2.9.0, 2.10.0; '
        "`msmap signatures mindspore` reads those of the one installed"
    )


@pytest.mark.parametrize(
    ("code", "lacks"),
    [
        ("mindspore.mint.cat((x, x))", True),
        ("ms.mint.cat((x, x))", True),
        ("mindspore.ops.cat((x, x))", False),
        ("mindspore.mint.category(x)", False),
        ("mindspore.nothing.known(x)", False),
        ("x.mint.cat", False),
    ],
)
def test_code_lacks_what_only_the_newest_release_has(
    code: str, lacks: bool, bases: dict[str, Base]
) -> None:
    past, newest = bases["2.9.0"].mindspore, bases["2.10.0"].mindspore
    assert earlier.lacks(code, past, newest) is lacks
