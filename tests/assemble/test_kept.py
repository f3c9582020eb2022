"""What an earlier run has left: never anything else than what a run without it gives."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.builders.support import write_releases

from msmap.assemble import content, kept
from msmap.errors import SignatureFileError
from msmap.lint import run as lint
from msmap.problems import DataError
from msmap.store import build as store
from msmap.store import file
from msmap.verify.plan.variants import GENERATION

DROPOUT = "records/torch/nn/Dropout.yaml"
CAT = "records/torch/cat.yaml"
GELU = "records/torch/nn/GELU.yaml"
GUIDE = "guides/training.yaml"
SCRIPT = "records/torch/jit/script.yaml"
FAMILY = "families/twice.yaml"
NEWEST = "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64.jsonl"


@dataclass(frozen=True)
class Ground:
    """Where a directory stands, as it was, what a run left that saw it so, and what came of it."""

    here: Path
    left: Path
    linted: list[str]
    built: tuple[bytes, object]

    def lay(self) -> Path:
        """The data directory as it was, below the current one."""
        shutil.rmtree("data", ignore_errors=True)
        shutil.copytree("before", "data")
        return Path("data")


@pytest.fixture(scope="module")
def ground(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """The small data directory in three releases; a record and a guide port by cat."""
    here = tmp_path_factory.mktemp("kept")
    left = here / "left"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        directory = Path(shutil.copytree(data, "data"))
        write_releases(directory)
        joined = "  - {id: joined, torch: 'torch.cat((torch.nn.GELU()(x), x), 1)'}\n"
        swap(GELU, "inputs:", f"{joined}inputs:")
        joined = "      - {id: joined, torch: 'torch.cat((x, x), dim=0)'}\n"
        swap(GUIDE, "  - id: learning-rate", f"{joined}  - id: learning-rate")
        swap(GUIDE, "sections:", "inputs: {x: 'float32[2]'}\nsections:")
        (directory / "families").mkdir()
        (directory / FAMILY).write_text(
            "id: twice\nabout: {en: Joined., zh: 拼接。}\n"
            "checks:\n  twice: {torch: 'torch.nn.Dropout(p=0.0)(x)'}\n",
            encoding="utf-8",
        )
        swap(DROPOUT, "summary:", "like: twice\nsummary:")
        swap(DROPOUT, "checks:", "checks:\n  - twice")
        swap(SCRIPT, "missing:", "covers: [torch.tanh]\nmissing:")
        shutil.copytree("data", "before")
        for every in (False, True):
            read(directory, left / f"read-{every}", every).keep({})
        return Ground(
            here, left, linted(directory, left / "lint"), built(directory, left / "build")
        )


@pytest.fixture
def directory(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That directory; what is left of it at the end is thrown away."""
    monkeypatch.chdir(ground.here)
    return ground.lay()


@pytest.fixture
def folder(ground: Ground, tmp_path: Path) -> Path:
    """What an earlier run left that saw the directory as it was: a folder a command."""
    return Path(shutil.copytree(ground.left, tmp_path / "left"))


def read(directory: Path, folder: Path, every: bool) -> kept.Reading:
    return kept.read(directory, folder, generation=GENERATION, every=every)


def swap(name: str, old: str, new: str) -> None:
    path = Path("data") / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def nothing() -> None:
    pass


def another_text() -> None:
    swap(DROPOUT, "Zeroes elements at random", "Zeroes 3 elements at random")


def another_target() -> None:
    """Of a record by which others are ported."""
    swap(CAT, "  - api: mindspore.mint.cat\n", "")


def another_parameter() -> None:
    swap(
        CAT,
        "{torch: dim, mindspore: axis, relation: renamed}",
        "{torch: dim, mindspore: axis, relation: value_transformed, value: '7'}",
    )


def no_target() -> None:
    text = (Path("data") / CAT).read_text(encoding="utf-8")
    head, _, rest = text.partition("targets:")
    rest = rest[rest.index("checks:") :].replace("target: mindspore.ops.concat", "gradient: true")
    missing = "missing: {en: There is none., zh: 没有。}\n"
    (Path("data") / CAT).write_text(head + missing + rest, encoding="utf-8")


def another_caveat() -> None:
    swap(CAT, "This name is older.", "This name is 9 years older.")


def another_family() -> None:
    """What a record says that is like it is another, though its file is as it was."""
    swap(FAMILY, "(x)", "(x + 1)")


def a_family_that_lacks_something() -> None:
    swap(FAMILY, "  twice:", "  thrice:")


def no_family() -> None:
    (Path("data") / FAMILY).unlink()


def more_caveats() -> None:
    """More than any other has."""
    told = "{id: more-%d, impact: note, text: {en: More., zh: 更多。}, unverified: {en: A, zh: 一}}"
    more = "".join(f"  - {told % number}\n" for number in range(20))
    swap(DROPOUT, "caveats:\n", f"caveats:\n{more}")


def another_check() -> None:
    swap(DROPOUT, "torch.nn.Dropout(0.25)(x)", "torch.nn.Dropout(0.5)(x)")


def two_at_once() -> None:
    another_target()
    another_check()


def another_guide() -> None:
    swap(GUIDE, "torch.nn.Dropout(0.5)", "torch.nn.Dropout(0.75)")


def another_advice() -> None:
    """Of a record that covers other names."""
    swap(SCRIPT, "Decorate the function", "Decorate the functions")


def other_names() -> None:
    swap(SCRIPT, "covers: [torch.tanh]", "covers: [torch.relu, torch.nn.functional.*]")


def no_other_names() -> None:
    swap(SCRIPT, "covers: [torch.tanh]\n", "")


def another_claim() -> None:
    swap("claims/modes.yaml", "training#start", "training#stop")


def another_source() -> None:
    path = next((Path("data") / "sources").iterdir())
    swap(f"sources/{path.name}", "covered_by: [", "covered_by: [nothing, ")


def edit_evidence(edit: Callable[[dict[str, str]], None], name: str = NEWEST) -> None:
    path = Path("data") / "evidence" / name
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    edit(next(line for line in lines if line.get("record") == "torch.cat" and "check" in line))
    path.write_text(
        "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8"
    )


def another_outcome() -> None:
    edit_evidence(lambda line: line.update(outcome="refuted", message="2 is not 3"))


def evidence_that_is_none() -> None:
    edit_evidence(lambda line: line.update(outcome="nonsense"))


def evidence_cut_off() -> None:
    path = Path("data") / "evidence" / NEWEST
    path.write_bytes(path.read_bytes()[:-20])


def evidence_of_nobody() -> None:
    path = Path("data") / "evidence" / NEWEST
    path.write_text(path.read_text(encoding="utf-8") + "<<<<<<< mine\n", encoding="utf-8")


def no_evidence() -> None:
    (Path("data") / "evidence" / NEWEST).unlink()


def another_signature() -> None:
    swap("signatures/torch-2.13.0.jsonl", "dim", "dimension")


def another_record() -> None:
    text = (Path("data") / CAT).read_text(encoding="utf-8").replace("torch.cat", "torch.concat")
    (Path("data") / "records/torch/concat.yaml").write_text(text, encoding="utf-8")


def no_record() -> None:
    (Path("data") / CAT).unlink()


def renamed_file() -> None:
    (Path("data") / CAT).rename(Path("data") / "records/torch/dog.yaml")


def renamed_record() -> None:
    swap(CAT, "torch: torch.cat\n", "torch: torch.concat\n")


def the_name_of_another() -> None:
    swap(CAT, "torch: torch.cat\n", "torch: torch.nn.GELU\n")


def not_yaml() -> None:
    swap(CAT, "targets:", "targets: [")


# What is changed, and which files have to be looked at again; None: all.
CHANGES: list[tuple[Callable[[], None], set[str] | None]] = [
    (nothing, set()),
    (another_text, {DROPOUT}),
    (another_target, {CAT, GELU, GUIDE}),
    (another_parameter, {CAT, GELU, GUIDE}),
    (no_target, {CAT, GELU, GUIDE}),
    (another_caveat, {CAT}),
    (another_family, {DROPOUT}),
    (a_family_that_lacks_something, None),
    (no_family, None),
    (more_caveats, {DROPOUT}),
    (another_check, {DROPOUT}),
    (two_at_once, {CAT, GELU, GUIDE, DROPOUT}),
    (another_guide, {GUIDE}),
    (another_advice, {SCRIPT}),
    (other_names, {SCRIPT}),
    (no_other_names, {SCRIPT}),
    (another_claim, set()),
    (another_source, set()),
    (another_outcome, {CAT}),
    (evidence_that_is_none, None),
    (evidence_cut_off, None),
    (evidence_of_nobody, None),
    (no_evidence, None),
    (another_signature, None),
    (another_record, None),
    (no_record, None),
    (renamed_file, None),
    (renamed_record, None),
    (the_name_of_another, None),
    (not_yaml, None),
]
ALL = pytest.mark.parametrize(("change", "redone"), CHANGES, ids=[c.__name__ for c, _ in CHANGES])


def linted(directory: Path, folder: Path | None = None, *names: str) -> list[str]:
    """What lint says, or why it can't."""
    try:
        found = lint.run(directory, (), names or None, generation=GENERATION, cache=folder)
    except DataError as error:
        found = error.problems
    return [str(problem) for problem in found]


def test_what_leaves_something_gives_what_one_gives_that_does_not(
    directory: Path, ground: Ground
) -> None:
    assert (linted(directory), built(directory)) == (ground.linted, ground.built)
    assert ground.built[0]
    assert "[schema]" not in "".join(ground.linted)


@ALL
def test_lint_says_the_same(
    directory: Path,
    folder: Path,
    ground: Ground,
    change: Callable[[], None],
    redone: set[str] | None,
) -> None:
    """Also of one record, and when the change is taken back."""
    change()
    for name in ("torch.cat", "torch.nn.GELU", "training", "modes"):
        assert linted(directory, folder / "lint", name) == linted(directory, None, name)
    assert linted(directory, folder / "lint") == linted(directory)
    assert linted(ground.lay(), folder / "lint") == ground.linted


def built(directory: Path, folder: Path | None = None) -> tuple[bytes, object]:
    """The bytes of the database and what the build says, or why there is none."""
    path = Path("built.db")
    try:
        said: object = store.build(directory, path, folder)
    except (DataError, SignatureFileError) as error:
        return b"", str(error)
    return path.read_bytes(), said


@ALL
def test_a_build_gives_the_same_bytes(
    directory: Path,
    folder: Path,
    ground: Ground,
    change: Callable[[], None],
    redone: set[str] | None,
) -> None:
    """Also when the change is taken back."""
    change()
    after = built(directory)
    assert built(directory, folder / "build") == after
    assert built(directory, folder / "build") == after
    assert built(ground.lay(), folder / "build") == ground.built


# Changes after which every row has another number, beside those after which all is looked at.
RENUMBERED = (more_caveats, other_names, no_other_names)


@ALL
def test_rows_of_what_is_as_it_was_are_not_written_again(
    directory: Path,
    folder: Path,
    change: Callable[[], None],
    redone: set[str] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    change()
    filled = []
    fill = file.fill
    monkeypatch.setattr(file, "fill", lambda *told: (filled.append(1), fill(*told)))
    (data, _) = built(directory, folder / "build")
    again = redone is None or change in RENUMBERED
    assert bool(filled) == (again and data != b"")


@pytest.mark.parametrize("damage", ["gone", "flipped", "older"])
def test_without_the_file_that_was_left_all_is_made_again(
    directory: Path, tmp_path: Path, damage: str
) -> None:
    folder = tmp_path / "kept"
    built(directory, folder)
    (left,) = folder.glob("*-file.kept")
    old = left.read_bytes()
    another_caveat()
    built(directory, folder)
    if damage == "gone":
        left.unlink()
    elif damage == "flipped":
        left.write_bytes(old[:-1] + bytes([old[-1] ^ 1]))
    else:
        left.write_bytes(old)
    another_text()
    assert built(directory, folder) == built(directory)


@pytest.mark.parametrize("every", [False, True], ids=["newest", "every"])
@ALL
def test_only_what_changed_is_put_together_again(
    directory: Path,
    folder: Path,
    change: Callable[[], None],
    redone: set[str] | None,
    every: bool,
) -> None:
    change()
    if change in (not_yaml, the_name_of_another, a_family_that_lacks_something, no_family):
        with pytest.raises(DataError):
            read(directory, folder / f"read-{every}", every)
        return
    found = read(directory, folder / f"read-{every}", every).redone
    assert found == (None if redone is None else {str(directory / name) for name in redone})


def test_lint_looks_again_at_other_forms_of_what_changed(
    directory: Path, lint_cases: Path, tmp_path: Path
) -> None:
    """What is wrong of torch.relu is that a caveat of torch.nn.ReLU lacks."""
    layer = "records/torch/nn/ReLU.yaml"
    for name in (layer, "records/torch/relu.yaml"):
        shutil.copyfile(lint_cases / "siblings-agree" / name, directory / name)
    before = linted(directory)
    assert linted(directory, tmp_path / "kept") == before
    swap(layer, "nan-becomes-zero", "nan-is-lost")
    after = linted(directory, tmp_path / "kept")
    assert after == linted(directory)
    assert after != before


def test_changes_add_up(directory: Path, tmp_path: Path) -> None:
    """Each run goes on from what the one before has left."""
    folder = tmp_path / "kept"
    for change in (
        nothing, another_text, another_caveat, another_family, another_outcome, another_parameter,
        another_check, another_guide, more_caveats, another_claim, another_record, nothing,
    ):  # fmt: skip
        change()
        assert linted(directory, folder) == linted(directory), change.__name__
        assert built(directory, folder) == built(directory), change.__name__


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kept"

    def late(*arguments: object, **options: object) -> object:
        found = real(*arguments, **options)  # type: ignore[arg-type]
        another_text()
        return found

    real = content.read_all
    with monkeypatch.context() as patch:
        patch.setattr(content, "read_all", late)
        built(directory, folder)
    assert built(directory, folder) == built(directory)
