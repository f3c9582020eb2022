"""Records in a list, and counts: what text and Markdown show alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from msmap import vocabulary
from msmap.render.labels import GROUP, word
from msmap.render.layout import Line, line, table

if TYPE_CHECKING:
    from msmap.candidates import Summary as ProbeSummary
    from msmap.model import Summary
    from msmap.query.names import answers


def row(found: Summary) -> tuple[str, ...]:
    """A record in a list of records."""
    devices = (",".join(listed) or "-" for listed in (found.runs_on, found.ran_on))
    return found.torch, found.mindspore or "-", found.category, found.verification, *devices


def probe_row(found: ProbeSummary) -> tuple[str, ...]:
    """A name without a record in a list of those: its best candidate, samples, gradients."""
    tallies = (f"{t.agreed}/{t.tried}" if t.tried else "-" for t in (found.values, found.gradients))
    devices = ",".join(found.runs_on) or "-"
    return found.torch, found.mindspore or "-", found.reason or "-", *tallies, devices


def coverage(found: answers.Coverage, language: str) -> list[tuple[str, ...]]:
    """Namespaces with how many names they have, by what answers rest on, below a head and a sum."""
    words = _COVERAGE[language]
    every = (replace(found.total, namespace=words["all"]), *found.namespaces)
    return [words["head"], *(tuple(map(str, asdict(covered).values())) for covered in every)]


_COVERAGE: dict[str, dict[str, Any]] = {
    "en": {
        "head": ("namespace", "names", "with a record", "of these verified", "found by running",
                 "known by name alone"),
        "all": "all",
    },
    "zh": {
        "head": ("命名空间", "名称", "有记录", "其中已验证", "由运行得出", "仅知其名"),
        "all": "全部",
    },
}  # fmt: skip


def unrecorded(found: answers.Names) -> list[tuple[str, ...]]:
    """Names without a record: their best candidates, samples that agree, why nothing was run."""
    return [
        (
            each.torch,
            each.mindspore or "-",
            f"{each.values.agreed}/{each.values.tried}" if each.values.tried else "-",
            each.reason or "-",
        )
        for each in found.names
    ]


def briefs(found: answers.Briefs) -> list[tuple[str, ...]]:
    """Names as they were asked, each with what answers it."""
    rows: list[tuple[str, ...]] = []
    for each in found.answers:
        told = each.brief
        if told is None:
            rows.append((each.query, "-", each.basis or "-", ", ".join(each.nearest) or "-"))
            continue
        other = told.torch if told.kind == "reverse" else told.mindspore
        rows.append((told.name, next(iter(other), "-"), each.basis or "-", told.category or "-"))
    return rows


def ported(found: answers.PortedFiles, language: str) -> list[tuple[str, ...]]:
    """Files that were ported, with a head and a sum; those without PyTorch are in that alone."""
    words = _PORTED[language]
    rows = [words["head"]]
    for file in found.files:
        if file.edits or file.left or file.verified or file.told:
            said = words["written"] if file.written else ""
            said = file.kept.get(language) if file.kept is not None else said
            said = said or ("" if file.edits else words["same"])
            rows.append((file.path, str(file.verified), str(file.told), str(file.left), said))
    counts = [(f.verified, f.told, f.left) for f in found.files]
    sums = (str(sum(column)) for column in zip(*counts, strict=True)) if counts else "000"
    changed = sum(1 for file in found.files if file.edits)
    said = words["sum"].format(len(found.files), changed, len(found.unread))
    return [*rows, ("", *sums, said)]


_PORTED: dict[str, dict[str, Any]] = {
    "en": {
        "head": ("file", "verified", "told", "left", ""),
        "written": "written",
        "same": "nothing changes",
        "sum": "{} file(s) read, {} change; {} not read",
    },
    "zh": {
        "head": ("文件", "已验证", "有说明", "未转换", ""),
        "written": "已写入",
        "same": "无改动",
        "sum": "共读取 {} 个文件，其中 {} 个有改动；{} 个未能读取",
    },
}


def group(found: answers.Group, language: str) -> Iterator[Line]:
    """What a namespace holds and how to list it, or the names that fit a pattern."""
    labels = GROUP[language]
    yield line(labels["count"].format(found.pattern, found.records, found.probes))
    if found.namespace:
        yield line(labels["list"].format(found.namespace))
        return
    yield from table([(name, target or "-") for name, target in found.names[:_SHOWN]], 44)
    if (left := found.records + found.probes - _SHOWN) > 0:
        yield line(labels["more"].format(left))


# As many names of a pattern are listed.
_SHOWN = 50


def stats(found: answers.Stats, language: str) -> Iterator[Line]:
    """Each count on a line, those of a kind below its name."""
    vocabularies = {
        "basis": vocabulary.BASES,
        "category": vocabulary.CATEGORIES,
        "verification": vocabulary.VERIFICATIONS,
        "verdict": vocabulary.VERDICTS,
        "outcome": vocabulary.VERIFICATIONS,
        "variants": vocabulary.VARIANTS,
    }
    for key, value in asdict(found).items():
        if not isinstance(value, dict):
            yield line(f"{key}: {value}")
            continue
        yield line(f"{key}:")
        for name, count in value.items():
            terms = vocabularies.get(key, {})
            label = word(terms, name, language) if name in terms else name
            yield line(f"{label}: {_counted(count, language)}", indent=2)


def _counted(count: int | str | dict[str, int], language: str) -> str:
    """A count or a release, or the counts of a variant by its outcomes."""
    if not isinstance(count, dict):
        return str(count)
    terms = vocabulary.VARIANT_OUTCOMES
    return ", ".join(f"{n} {word(terms, outcome, language)}" for outcome, n in count.items())
