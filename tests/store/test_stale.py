"""What probing found is stale where something else would be run now, and readers are told why."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import probing

from msmap.evidence import probes
from msmap.probe import bench as benches
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.render import markdown
from msmap.render import probe as page
from msmap.store import build as store

DROPOUT = "torch.nn.functional.dropout"


def _as_it_is(data: Path) -> None:
    pass


def _ran_with(torch: str, mindspore: str) -> Callable[[Path], None]:
    """The same found with other releases."""

    def change(data: Path) -> None:
        path = probes.path(data, probing.ENVIRONMENT)
        name = probing.ENVIRONMENT.replace("2.13.0", torch).replace("2.10.0", mindspore)
        path.rename(probes.path(data, name))

    return change


def _other_target(data: Path) -> None:
    """The layer's record, from which the function has a candidate, says otherwise what to write."""
    path = data / "records" / "torch" / "nn" / "Dropout.yaml"
    text = path.read_text(encoding="utf-8")
    relation = "torch: inplace, relation: source_only"
    changed = text.replace(f"{relation}_droppable", f"{relation}_unsupported")
    assert changed != text
    path.write_text(changed, encoding="utf-8")


def _other_pairs(data: Path) -> None:
    """A table pairs the function with what nobody thought of."""
    path = data / "tables" / "pairs.yaml"
    row = f"  same:\n    - [{DROPOUT}, mindspore.nn.GELU]\n"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("  same:\n", row), encoding="utf-8")


def _more_samples(data: Path) -> None:
    """The function tried with more samples than usual."""
    bench, path = benches.read(data), probes.path(data, probing.ENVIRONMENT)
    found = probes.read(path)
    now = bench.hash(bench.chosen(DROPOUT), 40)
    probes.write(path, (found | {DROPOUT: replace(found[DROPOUT], hash=now, limit=40)}).values())


@pytest.mark.parametrize(
    ("change", "dropout", "softmax"),
    [
        (_as_it_is, "", ""),
        (_more_samples, "", ""),
        (_ran_with("2.12.0", "2.10.0"), "release", "release"),
        (_ran_with("2.13.0", "2.9.0"), "release", "release"),
        (_other_target, "changed", ""),
        (_other_pairs, "changed", ""),
    ],
    ids=["as-it-is", "more-samples", "torch", "mindspore", "target", "pairs"],
)
def test_a_probe_is_stale_where_another_would_be_run(
    change: Callable[[Path], None], dropout: str, softmax: str, probing: Path, tmp_path: Path
) -> None:
    data, path = tmp_path / "data", tmp_path / "msmap.db"
    shutil.copytree(probing, data)
    change(data)
    store.build(data, path)
    with KnowledgeBase.open(path) as kb:
        told = [kb.tried(name) for name in (DROPOUT, "torch.nn.Softmax")]
    assert [probe.stale for probe in told if probe] == [dropout, softmax]


SAID = {
    "en": "not curated, and not run: no inputs are known that it takes; with other releases of the"
    " frameworks than today's",
    "zh": "未经人工整理，也未运行：没有已知的可用输入；运行时的框架版本与当前版本不同",
}


@pytest.mark.parametrize("language", SAID)
def test_readers_are_told(language: str, probing: Path, tmp_path: Path) -> None:
    """In the second line of the page, and in Markdown."""
    data, path = tmp_path / "data", tmp_path / "msmap.db"
    shutil.copytree(probing, data)
    _ran_with("2.13.0", "2.9.0")(data)
    store.build(data, path)
    with KnowledgeBase.open(path) as kb:
        answer = answers.answer(kb, DROPOUT)
    assert answer.probe is not None
    lines = ["".join(text for text, _ in line.parts) for line in page.head(answer.probe, language)]
    assert lines[1] == SAID[language]
    assert f"**{SAID[language]}**\n" in [*markdown.probe(answer.probe, language)]


def test_a_build_of_what_changed_knows_what_has_become_stale(probing: Path, tmp_path: Path) -> None:
    """Also where what is asked for again rests on records that weren't read."""
    data, cache = tmp_path / "data", tmp_path / "cache"
    shutil.copytree(probing, data)
    (path,) = (data / "probes").iterdir()
    lines = path.read_text(encoding="utf-8")

    def other_line() -> None:
        path.write_text(lines.replace("no_samples", "no_port"), encoding="utf-8")

    store.build(data, tmp_path / "kept.db", cache)
    for change in (other_line, lambda: _other_target(data), lambda: _other_pairs(data)):
        change()
        store.build(data, tmp_path / "kept.db", cache)
        store.build(data, tmp_path / "anew.db")
        assert (tmp_path / "kept.db").read_bytes() == (tmp_path / "anew.db").read_bytes()
