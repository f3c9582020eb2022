"""Samples run as records port them: a table by dtype, and what differs and nobody tells."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from msmap.assemble import content, tables
from msmap.lint.rule import Subject
from msmap.messages import Message
from msmap.probe import reasons, samples, truth
from msmap.probe.bench import Bench
from msmap.probe.truth import Truth
from msmap.probe.turned import Turned
from msmap.probed import Difference
from msmap.render.layout import BOLD, CODE, DIM, Line, line
from msmap.verify.plan.choose import Shard
from msmap.verify.plan.variants import GENERATION
from msmap.vocabulary import PROBE_OUTCOMES, TRUTHS
from msmap_cli import running
from msmap_cli.output import emit, fail, progress, show
from msmap_cli.probing import canonical

# Names that are sampled and run together, and the seconds that a sample may take.
_BUNDLE = 6
_SECONDS = 30.0


def run(
    data: Path, names: Sequence[str], limit: int, jobs: int | None, shard: Shard | None, form: str
) -> int:
    """Run the samples of records and print what became of them; 1 if one has no record."""
    found = content.read(data, generation=GENERATION)
    published = tables.published(found.base, (table.item for table in found.files.tables))
    bench = Bench(found.base, published)
    subjects = {
        record.item.torch: Subject(record, found.base.records[record.item.torch], found)
        for record in found.files.records
    }
    chosen = list(dict.fromkeys(canonical(bench, names)))
    unknown = [name for name in chosen if name not in subjects]
    if unknown:
        fail(Message("{} has no record", unknown[0]), 1)
    chosen = chosen or [n for n in subjects if not reasons.before(bench.torch.apis[n])]
    if shard is not None:
        chosen = [name for name in chosen if shard.has(name)]
    made: list[Truth] = []
    width = jobs or os.cpu_count() or 1
    told = Turned(bench).told
    with (
        running.executor(jobs, _SECONDS, "cpu", None) as executor,
        samples.Sampler(bench.torch.apis, limit, width, told) as room,
    ):
        for start in range(0, len(chosen), _BUNDLE):
            progress(f"{len(made)}/{len(chosen)} {chosen[start]}")
            part = [subjects[name] for name in chosen[start : start + _BUNDLE]]
            samplings = room.read([subject.written.torch for subject in part])
            made += truth.of(bench, part, samplings, executor, executor.environments[0])
    progress("")
    made.sort(key=lambda one: one.name)
    if form == "json":
        emit({"names": [asdict(one) for one in made]}, form)
    else:
        show(_lines(made))
    return 0


def _lines(made: Sequence[Truth]) -> Iterator[Line]:
    """A table by dtype, then what nobody tells, name by name."""
    counts: dict[str, Counter[str]] = {}
    for one in made:
        for dtype, count in one.dtypes.items():
            counts.setdefault(dtype or "-", Counter()).update(count)
    whole = sum(counts.values(), Counter[str]())
    columns = [word for word in TRUTHS if whole[word] or word in ("loud", "silent")]
    heads = [TRUTHS[word][0] for word in columns]
    yield line((_row("", heads, heads), BOLD))
    for dtype, count in sorted(counts.items()):
        yield line(_row(dtype, [f"{count[word]:,}" for word in columns], heads))
    yield line(_row(f"{len(made):,} names", [f"{whole[word]:,}" for word in columns], heads))
    for one in made:
        if one.untold:
            yield line((one.name, BOLD))
        for difference in one.untold:
            yield from _untold(difference)


def _row(name: str, values: Sequence[str], heads: Sequence[str]) -> str:
    cells = (f"{value:>{max(len(head), 7)}}" for value, head in zip(values, heads, strict=True))
    return "  ".join((f"{name:<12}", *cells)).rstrip()


def _untold(found: Difference) -> Iterator[Line]:
    where = f"[{', '.join(found.dtypes)}; {', '.join(found.kinds)}]"
    what = PROBE_OUTCOMES[found.outcome][0]
    yield line(f"{found.count} {what} {where}: {found.message}", indent=2)
    yield line((found.torch, CODE), (f"  {found.sample}", DIM), indent=4)
