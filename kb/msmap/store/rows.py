"""What goes into which table: one row a fact, in an order that depends on the data alone."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, TypeAlias

from sqlmodel import SQLModel

from msmap import database as index
from msmap import model, vocabulary
from msmap.assemble.base import Base
from msmap.assemble.content import Content
from msmap.evidence import attach
from msmap.evidence.names import parse
from msmap.query import words
from msmap.render import record as page
from msmap.render.layout import Line, marked
from msmap.signatures import lifetimes
from msmap.signatures.release import Signatures
from msmap.store import editions, tables

Rows: TypeAlias = dict[type[SQLModel], list[dict[str, Any]]]
# By check and family, what came out in the oldest release so far, and its row.
Runs: TypeAlias = dict[tuple[int, int], tuple[model.Evidence, dict[str, Any]]]


def of(found: Content) -> Rows:
    """Every row of the database, by table, in a fixed order."""
    base = found.base
    rows: Rows = {
        table: []
        for table in (
            tables.Meta, tables.Release, tables.Api, tables.PastApi, tables.Record, tables.Edition,
            tables.Target, tables.TargetName, tables.Parameter, tables.State, tables.Caveat,
            tables.Check, tables.Environment, tables.Run, tables.Reference, tables.Guide,
            tables.Source, tables.Claim, tables.ClaimPlace, tables.ClaimSubject, tables.Page,
            tables.Document, tables.Spelling,
        )
    }  # fmt: skip
    for key, value in (
        ("schema_version", str(index.SCHEMA_VERSION)),
        ("torch", base.torch.release),
        ("mindspore", base.mindspore.release),
    ):
        rows[tables.Meta].append({"key": key, "value": value})
    past = [earlier.mindspore for earlier in found.earlier]
    oldest = len(rows[tables.Release]) + 2
    for known in (base.torch, *past, base.mindspore):
        _add(rows, tables.Release, framework=known.framework, name=known.release)
    _add_apis(rows, [*past, base.mindspore], oldest, base)
    _add_apis(rows, [base.torch], 1, base)
    for name in sorted(base.records):
        _add_record(rows, base.records[name], base.mindspore)
        before = [None if name in past.same else past.records[name] for past in found.earlier]
        for edition in editions.of(base.records[name], before):
            bare = attach.record_given(edition.record, {})
            _add(
                rows, tables.Edition, torch=name, first=oldest + edition.first,
                last=oldest + edition.last, document=_deflated(_json(bare)),
            )  # fmt: skip
    for name in sorted(base.guides):
        _add_guide(rows, base.guides[name])
    for source in found.sources():
        _add_source(rows, source)
    for claim in found.claims():
        _add_claim(rows, claim)
    newest = oldest + len(past)
    runs: Runs = {}
    for back, each in enumerate((base, *reversed(found.earlier))):
        _add_checks(rows, each, newest - back, newest, runs)
    _add_pages(rows, base)
    return rows


def _add_pages(rows: Rows, base: Base) -> None:
    """The text of every page, so that the quickest lookup only has to print it."""
    for name, record in sorted(base.records.items()):
        texts = {tongue: _page(page.record(record, tongue)) for tongue in vocabulary.LANGUAGES}
        rows[tables.Page].append({"name": name, **texts})
    for name, found in sorted(base.reverses().items()):
        texts = {tongue: _page(page.reverse(found, tongue)) for tongue in vocabulary.LANGUAGES}
        rows[tables.Page].append({"name": name, **texts})


def _page(lines: Iterable[Line]) -> bytes:
    return _deflated("".join(f"{marked(line)}\n" for line in lines))


def _add(rows: Rows, table: type[SQLModel], **row: Any) -> int:
    row["id"] = len(rows[table]) + 1
    rows[table].append(row)
    return int(row["id"])


def _add_apis(rows: Rows, history: Sequence[Signatures], oldest: int, base: Base) -> None:
    """The names of a framework's newest release, and what was otherwise before.

    Args:
        rows: where to.
        history: the names of each release, oldest first.
        oldest: the id of the oldest release.
        base: which names have records.
    """
    newest = history[-1]
    for name, spans in sorted(lifetimes.spans([s.apis for s in history]).items()):
        life = newest.lifetimes.get(name, lifetimes.ALWAYS)
        for span in spans:
            api = span.api
            facts = {
                "framework": newest.framework, "name": name, "kind": api.kind,
                "signatures": list(api.signatures), "call": list(api.call),
                "platforms": list(api.platforms), "deprecated": api.deprecated,
                "alias_of": api.alias_of, "defined": api.defined, "first": oldest + span.first,
                "since": life.since, "changed": list(life.changed),
            }  # fmt: skip
            if span.last < len(history) - 1:
                last = oldest + span.last
                _add(rows, tables.PastApi, **facts, last=last, until=life.until)
                continue
            _add(rows, tables.Api, **facts, release=newest.release)
            _add(
                rows, tables.Spelling, framework=newest.framework, name=name,
                leaf=name.rsplit(".", 1)[-1], curated=name in base.records,
            )  # fmt: skip


def _add_record(rows: Rows, record: model.Record, mindspore: Signatures) -> None:
    best = record.targets[0] if record.targets else None
    written = (best.api or best.expression or "") if best else ""
    rows[tables.Record].append(
        {
            "torch": record.torch, "namespace": record.torch.rsplit(".", 1)[0],
            "kind": record.kind, "mindspore": written, "category": record.category,
            "verification": record.verification, "summary_en": record.summary.en,
            "summary_zh": record.summary.zh, "example_torch": record.example_torch,
            "example_mindspore": record.example_mindspore,
            "missing_en": record.missing.en if record.missing else "",
            "missing_zh": record.missing.zh if record.missing else "",
            "document": _deflated(_json(record)),
        }
    )  # fmt: skip
    for rank, target in enumerate(record.targets, 1):
        number = _add(
            rows, tables.Target, torch=record.torch, rank=rank, key=target.key,
            api=target.api or "", expression=target.expression or "", category=target.category,
            verification=target.verification, reason=target.reason,
            ascend="Ascend" in target.runs_on, gpu="GPU" in target.runs_on,
            cpu="CPU" in target.runs_on, ran_on=list(target.ran_on), mindspore=target.mindspore,
            **_both("note", target.note),
        )  # fmt: skip
        for name in dict.fromkeys(map(mindspore.canonical, model.uses(target))):
            if name is not None:
                _add(rows, tables.TargetName, target=number, name=name)
        for side, parameters in (("arguments", target.parameters), ("inputs", target.inputs)):
            for p in parameters:
                _add(
                    rows, tables.Parameter, target=number, side=side, torch=", ".join(p.torch),
                    mindspore=", ".join(p.mindspore), relation=p.relation, derived=p.derived,
                    torch_default=p.torch_default, mindspore_default=p.mindspore_default,
                    value=p.value, **_both("note", p.note),
                )  # fmt: skip
        for s in target.state:
            _add(rows, tables.State, target=number, torch=s.torch, mindspore=s.mindspore,
                 value=s.value)  # fmt: skip
    for c in record.caveats:
        _add(
            rows, tables.Caveat, torch=record.torch, slug=c.id, impact=c.impact,
            parameter=c.parameter or "", shown_by=list(c.shown_by), **_both("text", c.text),
            **_both("unverified", c.unverified),
        )  # fmt: skip
    for r in record.references:
        _add(rows, tables.Reference, torch=record.torch, kind=r.kind, url=r.url)
    targets = " ".join(t.api or t.expression or "" for t in record.targets)
    _add(
        rows, tables.Document, kind="record", name=record.torch,
        names=words.cut(f"{record.torch} {targets}"),
        title=words.cut(f"{record.summary.en} {record.summary.zh}"),
        body=words.cut(" ".join(_texts(record))),
    )  # fmt: skip


def _add_checks(rows: Rows, base: Base, release: int, newest: int, runs: Runs) -> None:
    """The checks of a release that no newer one has so, and what came out of them there.

    Args:
        rows: where to.
        base: what the release has.
        release: its id; the newest one's comes first, then one after the other downwards.
        newest: the id of the newest release.
        runs: what newer releases had.
    """
    known = {(row["owner"], row["slug"], row["hash"]): row["id"] for row in rows[tables.Check]}
    families = {parse(row["name"]).elsewhere: row["family"] for row in rows[tables.Environment]}
    seen: dict[str, int] = {}
    records = (record for _, record in sorted(base.records.items()))
    guides = (guide for _, guide in sorted(base.guides.items()))
    for owner, checks in model.owned(records, guides).items():
        for c in checks:
            number = known.get((owner, c.id, c.hash)) or _add(
                rows, tables.Check, owner=owner, slug=c.id, torch=c.torch, mindspore=c.mindspore,
                ported=c.ported, target=c.target, expect=c.expect, hash=c.hash,
                current=release == newest,
            )  # fmt: skip
            for e in c.evidence:
                if e.environment not in seen:
                    where = parse(e.environment)
                    family = families.setdefault(where.elsewhere, len(families) + 1)
                    seen[e.environment] = family
                    _add(
                        rows, tables.Environment, name=e.environment, torch=where.torch,
                        mindspore=base.mindspore.release, device=where.device,
                        machine=where.machine, family=family, release=release,
                    )  # fmt: skip
                _add_run(rows, e, number, seen[e.environment], release, runs)


def _add_run(
    rows: Rows, found: model.Evidence, check: int, family: int, release: int, runs: Runs
) -> None:
    """What came out of a check; where the next newer release had the same, that row says so."""
    newer, row = runs.get((check, family), (None, {}))
    if newer is not None and row["first"] == release + 1 and _came_out(newer) == _came_out(found):
        row["first"] = release
        return
    told = dict(zip(_RUN, _came_out(found), strict=True))
    told["variants"] = {name: _said(f) for name, f in found.variants.items()}
    _add(rows, tables.Run, check=check, family=family, first=release, last=release, **told)
    runs[check, family] = found, rows[tables.Run][-1]


# All of what came out but where.
_RUN = tuple(name for name in model.Evidence.__dataclass_fields__ if name != "environment")
_came_out = attrgetter(*_RUN)


def _add_guide(rows: Rows, guide: model.Guide) -> None:
    rows[tables.Guide].append(
        {"id": guide.id, **_both("title", guide.title), **_both("summary", guide.summary),
         "document": _json(guide)}
    )  # fmt: skip
    texts = [t for s in guide.sections for t in (s.title.en, s.title.zh, s.text.en, s.text.zh)]
    title = (guide.title.en, guide.title.zh, guide.summary.en, guide.summary.zh)
    _add(
        rows, tables.Document, kind="guide", name=guide.id, names=words.cut(guide.id),
        title=words.cut(" ".join(title)), body=words.cut(" ".join(texts)),
    )  # fmt: skip


def _add_source(rows: Rows, source: model.Source) -> None:
    rows[tables.Source].append(
        {"id": source.id, **_both("title", source.title), "language": source.language,
         "mindspore": source.mindspore, "url": source.url, "document": _json(source)}
    )  # fmt: skip


def _add_claim(rows: Rows, claim: model.Claim) -> None:
    rows[tables.Claim].append(
        {"name": claim.name, "topic": claim.topic, "verdict": claim.verdict, "until": claim.until,
         "reason": claim.reason, **_both("says", claim.says), **_both("now", claim.now),
         "document": _json(claim)}
    )  # fmt: skip
    for place in claim.stands_in:
        _add(rows, tables.ClaimPlace, claim=claim.name, source=place.source, section=place.section)
    for name in claim.about:
        _add(rows, tables.ClaimSubject, claim=claim.name, name=name)


def _texts(record: model.Record) -> Iterable[str]:
    for c in record.caveats:
        yield from (c.text.en, c.text.zh)
    for t in record.targets:
        for p in (*t.parameters, *t.inputs):
            yield from (*p.torch, *p.mindspore)
            if p.note is not None:
                yield from (p.note.en, p.note.zh)
        if t.note is not None:
            yield from (t.note.en, t.note.zh)
    if record.missing is not None:
        yield from (record.missing.en, record.missing.zh)


def _both(name: str, text: model.Text | None) -> dict[str, str]:
    return {f"{name}_en": text.en if text else "", f"{name}_zh": text.zh if text else ""}


def _json(item: model.Record | model.Guide | model.Source | model.Claim) -> str:
    # Copying it all into dictionaries first, as asdict does, takes thrice as long.
    return _ENCODER.encode(item)


def _deflated(text: str) -> bytes:
    """A text a third to a fifth as long; to read it takes less than a tenth of a millisecond."""
    return zlib.compress(text.encode(), 9)


@lru_cache(maxsize=1024)
def _said(finding: model.Finding) -> dict[str, Any]:
    """The fields of a finding that say anything."""
    return {k: v for k, v in _plain(finding).items() if v not in ("", None)}


def _plain(item: Any) -> dict[str, Any]:
    names, values = _fields(item.__class__)
    return dict(zip(names, values(item), strict=True))


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, ...], attrgetter[Any]]:
    """The names of all fields, and what gives their values."""
    names = tuple(field.name for field in fields(kind))
    return names, attrgetter(*names)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)
