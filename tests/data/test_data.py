"""The records that ship: clean, proved on this release, and ported as they say."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import jsonschema
import pytest
from tests.builders import sample

from msmap import contracts, database
from msmap.curated import load
from msmap.evidence import files as evidence
from msmap.evidence import probes
from msmap.lint import run as engine
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import lookup as understood
from msmap.query.names.statements import statements
from msmap.signatures import release
from msmap.verify.plan.variants import GENERATION
from msmap_cli import terminal

DATA = Path(__file__).resolve().parents[2] / "data"
# What the first release promised to cover.
PROMISED = """
torch.nn.Dropout torch.nn.Conv2d torch.nn.BatchNorm2d torch.nn.LayerNorm torch.nn.Linear
torch.nn.Embedding torch.nn.LSTM torch.nn.MultiheadAttention torch.nn.MaxPool2d torch.nn.AvgPool2d
torch.nn.GELU torch.nn.LeakyReLU torch.nn.CrossEntropyLoss torch.nn.SmoothL1Loss
torch.nn.functional.pad torch.nn.functional.interpolate
torch.nn.functional.scaled_dot_product_attention torch.cat torch.stack torch.permute
torch.transpose torch.max torch.std torch.topk torch.where torch.einsum torch.Tensor.view
torch.Tensor.add_ torch.Tensor.size torch.optim.SGD torch.optim.AdamW
torch.optim.lr_scheduler.StepLR torch.nn.init.kaiming_uniform_ torch.no_grad torch.save torch.load
torch.device torch.nn.Module torch.cuda.is_available
""".split()  # noqa: SIM905
TOPICS = """
automatic-differentiation batch-norm checkpoints-across-frameworks convolution-and-pooling
custom-backward custom-training-steps data-loading decoding default-initialisation
devices-and-context distributed-set-up dropout error-messages execution-model export-and-onnx
graph-mode image-transforms in-place-methods initialisers
learning-rates masks-and-indexing mixed-precision modules-and-cells optimizers parameters
random-numbers saving-and-loading sequences-and-samplers several-networks stopping-gradients
submodules tensors-and-parameters testing-a-ported-cell training-and-evaluation-mode
transpose-and-permute type-promotion warm-up-and-resuming weight-decay why-is-it-slow
""".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def kb(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


def test_no_rule_complains(between_runs: Path | None) -> None:
    """`msmap lint` has nothing to say, so every check has current, passing evidence too."""
    found = engine.run(DATA, generation=GENERATION, cache=between_runs)
    assert [str(problem) for problem in found] == []


def test_nothing_is_kept_of_what_is_gone() -> None:
    """Evidence is of checks that stand in a record or guide, probes of names that PyTorch has."""
    written = load.load(DATA)
    records = [loaded.item for loaded in written.records]
    checks = {(record.torch, c.id) for record in records for c in record.checks}
    for guide in [loaded.item for loaded in written.guides]:
        owner = f"guide:{guide.id}"
        checks |= {(owner, c.id) for section in guide.sections for c in section.checks}
    files = evidence.read_all(DATA / "evidence")
    gone = {name: sorted(lines.keys() - checks) for name, lines in files.items()}
    known = release.read(DATA, "torch").apis.keys() | {record.torch for record in records}
    found = {path.stem: probes.read(path, []) for path in (DATA / "probes").glob("*.jsonl")}
    assert gone == {name: [] for name in files}
    assert {name: sorted(lines.keys() - known) for name, lines in found.items()} == {
        name: [] for name in found
    }


def test_promised_records_are_there(kb: KnowledgeBase) -> None:
    assert [name for name in PROMISED if kb.find(name) is None] == []


def test_there_is_a_guide_for_every_topic(kb: KnowledgeBase) -> None:
    assert [guide.id for guide in kb.guides()] == TOPICS


def test_every_statement_has_been_run_or_says_why_not(kb: KnowledgeBase) -> None:
    """In the environment of the newest release at least."""
    newest = f"_mindspore-{kb.releases()['mindspore']}_"
    bare = [
        claim.name
        for claim in kb.claims()
        if claim.verdict in ("holds", "refuted")
        and not claim.tensorflow
        and not any(newest in name for shown in claim.shown_by for name in shown.outcomes)
    ]
    assert bare == []


@pytest.mark.parametrize("form", ["lookup", "list", "guide", "claims", "stats"])
def test_json_satisfies_its_schema(kb: KnowledgeBase, form: str) -> None:
    """What each command prints as JSON for what ships satisfies the schema that ships."""
    names = sample.some([summary.torch for summary in kb.records()])
    made = {
        "lookup": lambda: understood.lookup(kb, [*names, "mindspore.nn.Dense", "torch.nothing"]),
        "list": lambda: answers.List(tuple(kb.records())),
        "guide": lambda: answers.Guides(tuple(kb.guides())),
        "claims": lambda: statements(kb, source="mapping-master"),
        "stats": lambda: answers.Stats(**kb.stats()),
    }[form]()
    document = contracts.json_value(made)
    jsonschema.validate(document, contracts.schemas()[form])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_short_page_fits_on_a_screen(shipped: Path, language: str) -> None:
    """Nearly all leave a row of the 24 of a small terminal, of 80 cells, for the prompt; all
    take no more than 48.
    """
    with closing(database.connect(str(shipped))) as connection:
        names = [name for (name,) in connection.execute("SELECT torch FROM record")]
        pages = {name: database.page(connection, name, language) or "" for name in names}
    rows = {
        name: sum(1 for stored in page.split("\n")[:-1] for _ in terminal.wrapped(stored, 80))
        for name, page in pages.items()
    }
    assert {name: n for name, n in rows.items() if not 0 < n <= 48} == {}
    assert sum(n < 24 for n in rows.values()) >= 0.94 * len(rows)
    assert rows["torch.nn.Dropout"] < 24


def test_paths_do_not_differ_by_case_alone() -> None:
    """A checkout on a file system that folds case loses nothing."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=DATA.parent, capture_output=True, text=True, check=False
    ).stdout.splitlines() or [str(p.relative_to(DATA.parent)) for p in DATA.rglob("*")]
    folded = Counter(path.lower() for path in listed)
    assert [path for path, count in folded.items() if count > 1] == []


@pytest.mark.frameworks
def test_evidence_is_what_running_gives(tmp_path: Path) -> None:
    """Running the checks of a record again gives the same outcomes on any processor."""
    import shutil

    shutil.copytree(DATA, tmp_path / "data")
    before = outcomes(tmp_path / "data")
    done = subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", "verify", "nn.Dropout", "nn.Conv2d", "torch.max"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert outcomes(tmp_path / "data") == before


def outcomes(data: Path) -> dict[tuple[str, str, str], tuple[str, str, dict[str, str]]]:
    """What came out of each check and of its variants, by environment, record and check."""
    return {
        (name, *key): (
            line.outcome, line.gradient, {v: f.outcome for v, f in line.variants.items()},
        )
        for name, lines in evidence.read_all(data / "evidence").items()
        for key, line in lines.items()
    }  # fmt: skip
