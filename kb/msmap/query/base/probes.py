"""What probing found of names without a record, as the store keeps it."""

from __future__ import annotations

import json

from msmap import model
from msmap.candidates import Probe, Summary
from msmap.database import NEWEST
from msmap.probed import Tally
from msmap.query.base import decode
from msmap.query.base.rows import Row, Rows
from msmap.vocabulary import BASES, NOT_PROBED, PLATFORMS


def find(rows: Rows, name: str, release: int | None = None) -> Probe | None:
    """The probe of a canonical PyTorch name with a release, by its id; the newest if None."""
    found = rows(
        f"SELECT document FROM probe WHERE torch = ? AND release = coalesce(?, {NEWEST})",
        (name, release),
    )
    return decode.probe(json.loads(rows.inflated("probe", found[0][0]))) if found else None


def summaries(rows: Rows, release: int | None = None) -> list[Summary]:
    """A line about every probe with a release, by name."""
    found = rows(f"{_SUMMARY} WHERE release = coalesce(?, {NEWEST}) ORDER BY torch", (release,))
    return [_summary(row) for row in found]


_SUMMARY = (
    "SELECT torch, mindspore, reason, agreed, tried, gradients_agreed, gradients_tried,"
    " ascend, gpu, cpu FROM probe"
)


def _summary(row: Row) -> Summary:
    return Summary(
        torch=row[0],
        mindspore=row[1],
        reason=row[2],
        values=Tally(*row[3:5]),
        gradients=Tally(*row[5:7]),
        runs_on=tuple(p for p, runs in zip(PLATFORMS, row[7:], strict=True) if runs),
    )


def hit(rows: Rows, name: str) -> model.Hit:
    """The result of a search that a name with a probe of the newest release is."""
    found = _summary(rows(f"{_SUMMARY} WHERE torch = ? AND release = {NEWEST}", (name,))[0])
    en, zh = BASES["known" if found.reason else "probed"]
    if found.reason:
        en, zh = (f"{en}: {NOT_PROBED[found.reason][0]}", f"{zh}：{NOT_PROBED[found.reason][1]}")
    else:
        share = f"{found.values.agreed}/{found.values.tried}"
        en, zh = f"{en}: {share} samples agree", f"{zh}：样例一致 {share}"
    return model.Hit("probe", name, model.Text(en, zh), found.mindspore)


def record(found: Probe) -> model.Record | None:
    """The record by which code is ported as a probe says; None if no candidate ever agreed."""
    targets = tuple(c.target for c in found.candidates if c.target and c.values.agreed)
    if not targets:
        return None
    nothing = model.Text("", "")
    return model.Record(
        torch=found.torch,
        kind=found.kind,
        signatures=found.signatures,
        call=found.call,
        overloads=(),
        deprecated=found.deprecated,
        summary=nothing,
        category=targets[0].category,
        verification="unverified",
        targets=targets,
        missing=None,
        caveats=(),
        example_torch="",
        example_mindspore="",
        checks=(),
        references=(),
        guides=(),
    )
