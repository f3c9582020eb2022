"""Records of earlier MindSpore releases: what they leave out, and what isn't assembled again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import sample, support
from tests.builders.support import function, named

from msmap import model
from msmap.assemble import narrow as earlier
from msmap.assemble.base import Base
from msmap.assemble.content import Content
from msmap.errors import UnknownRelease
from msmap.signatures import files
from msmap.signatures.files import Api


@pytest.fixture(scope="module")
def bases(releases: Path) -> dict[str, Base]:
    """The base of each release, assembled together."""
    found = support.read_all(releases)
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


def again(directory: Path, found: Content) -> list[Base]:
    """The bases of the earlier releases, all of each put together."""
    return [support.read(directory, base.mindspore.release).base for base in found.earlier]


@pytest.fixture(params=["fixture", "sample"])
def records(request: pytest.FixtureRequest, releases: Path, tmp_path: Path) -> Path:
    """The directory of three releases; some of the records that ship, in three of its releases."""
    return releases if request.param == "fixture" else sample.directory(tmp_path, earlier=2)


def test_what_is_taken_from_the_next_release_is_as_if_assembled_again(records: Path) -> None:
    """Only what a release changes is assembled for it; alone, all of it is."""
    found = support.read_all(records)
    alone = again(records, found)
    assert [
        {name: timeless(record) for name, record in base.records.items()} for base in found.earlier
    ] == [base.records for base in alone]
    assert [base.guides for base in found.earlier] == [base.guides for base in alone]
    newer = (*found.earlier[1:], found.base)
    shared = [
        then.asked[name] is next_.asked[name]
        for then, next_ in zip(found.earlier, newer, strict=True)
        for name in then.asked
    ]
    assert any(shared)
    assert not all(shared)


TORCH = [
    function("torch.abs", "(input: Tensor)"),
    function("torch.exp", "(input: Tensor)"),
    function("torch.neg", "(input: Tensor)"),
    function("torch.ones", "(size, *, dtype: dtype | None = None)"),
    function("torch.relu", "(input: Tensor)"),
    function("torch.sum", "(input: Tensor)"),
    named("torch.float64", "dtype"),
]
MINDSPORE = [
    Api("mindspore.exp", "function", ("(input)",), alias_of="mindspore.ops.exp"),
    function("mindspore.ops.abs", "(input)"),
    function("mindspore.ops.exp", "(input)"),
    function("mindspore.ops.neg", "(input)"),
    function("mindspore.ops.ones", "(size, dtype=None)"),
    function("mindspore.ops.other", "(input)"),
    function("mindspore.ops.relu", "(input)"),
    function("mindspore.ops.sum", "(input)"),
    named("mindspore.float64", "dtype"),
]
# A record's target, and the check that is ported.
RECORDS = {
    "torch.abs": ("mindspore.ops.abs", "torch.abs(x)"),
    "torch.exp": ("mindspore.exp", "torch.exp(x)"),
    "torch.neg": ("mindspore.ops.neg", "torch.neg(torch.abs(x))"),
    "torch.ones": ("mindspore.ops.ones", "torch.ones((2,), dtype=torch.float64)"),
    "torch.relu": ("mindspore.ops.relu", "torch.relu(x)"),
    "torch.sum": ("mindspore.ops.sum", "torch.sum(torch.neg(x))"),
}
CAVEAT = """\
caveats:
  - id: slow
    impact: note
    mindspore: "<1.1"
    text: {en: It is slow., zh: 速度较慢。}
    unverified: {en: Nobody measured it., zh: 未经测量。}
"""


@pytest.mark.parametrize(
    ("earlier_api", "expected"),
    [
        pytest.param(None, [], id="nothing"),
        pytest.param(function("mindspore.ops.other", "(x)"), [], id="a name of no record"),
        pytest.param(
            function("mindspore.ops.sum", "(input, eps=0)"), ["torch.sum"], id="its target"
        ),
        pytest.param("mindspore.ops.sum", ["torch.sum"], id="its target is not there"),
        pytest.param(
            function("mindspore.ops.exp", "(x)"), [],
            id="what its target is an alias of, which has a signature of its own",
        ),
        pytest.param(
            function("mindspore.ops.abs", "(x)"), ["torch.abs", "torch.neg"],
            id="the target of a record that its check names",
        ),
        pytest.param("mindspore.float64", ["torch.ones"], id="a dtype that its check names"),
    ],
)  # fmt: skip
def test_what_makes_checks_be_ported_again_for_an_earlier_release(
    earlier_api: Api | str | None, expected: list[str], tmp_path: Path
) -> None:
    """What the earlier release has instead, or the name that it lacks; no caveat ever does."""
    for name, (target, code) in RECORDS.items():
        path = tmp_path / "records" / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        body = f"targets: [{{api: {target}}}]\nchecks: [{{id: a, torch: '{code}'}}]\n"
        path.write_text(support.yaml(name, body + CAVEAT * (name == "torch.relu")))
    now = {api.name: api for api in MINDSPORE}
    then = dict(now)
    if isinstance(earlier_api, str):
        del then[earlier_api]
    elif earlier_api:
        then[earlier_api.name] = earlier_api
    files.write(TORCH, tmp_path / "signatures" / "torch-1.0.jsonl")
    files.write(then.values(), tmp_path / "signatures" / "mindspore-1.0.jsonl")
    files.write(now.values(), tmp_path / "signatures" / "mindspore-1.1.jsonl")
    found = support.read_all(tmp_path)
    (past,), (alone,) = found.earlier, again(tmp_path, found)
    afresh = (n for n, asked in past.asked.items() if asked is not found.base.asked[n])
    assert sorted(afresh) == expected
    assert {name: timeless(record) for name, record in past.records.items()} == alone.records


def test_what_is_announced_of_a_name_in_an_expression_is_its_release_s(tmp_path: Path) -> None:
    path = tmp_path / "records" / "torch.relu.yaml"
    path.parent.mkdir()
    target = "{id: twice, expression: 'mindspore.ops.relu({input}) + 0'}"
    path.write_text(support.yaml("torch.relu", f"targets: [{target}]\n"))
    goes = replace(
        function("mindspore.ops.relu", "(input)"), deprecated="will be removed after version 1.1"
    )
    files.write(TORCH, tmp_path / "signatures" / "torch-1.0.jsonl")
    files.write(MINDSPORE, tmp_path / "signatures" / "mindspore-1.0.jsonl")
    others = [api for api in MINDSPORE if api.name != goes.name]
    files.write([*others, goes], tmp_path / "signatures" / "mindspore-1.1.jsonl")
    found = support.read_all(tmp_path)
    notes = [base.records["torch.relu"].targets[0].note for base in (*found.earlier, found.base)]
    assert notes == [
        None,
        model.Text(
            en="MindSpore announces that mindspore.ops.relu is removed after 1.1.",
            zh="MindSpore 已宣布 mindspore.ops.relu 将在 1.1 之后移除。",
        ),
    ]


@pytest.mark.parametrize("wanted", ["2.8", "2.8.0"])
def test_a_release_is_read_alone(wanted: str, releases: Path) -> None:
    assert support.read(releases, wanted).base.mindspore.release == "2.8.0"


def test_a_release_without_signatures_says_how_to_get_them(releases: Path) -> None:
    with pytest.raises(UnknownRelease) as caught:
        support.read(releases, "2.6.0")
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
