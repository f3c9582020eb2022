"""Records as people write them, joined with the signatures into what readers get."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from msmap import kin, model
from msmap.assemble import announced, checks, derive, families
from msmap.assemble.base import Base
from msmap.curated import schema
from msmap.signatures.lifetimes import ALWAYS
from msmap.signatures.parse import parse
from msmap.signatures.release import Side, Signatures

if TYPE_CHECKING:
    from collections.abc import MutableMapping


@dataclass(frozen=True, slots=True)
class Like:
    """Another release put together, and what differs: what is the same is taken from there.

    ``moved`` are the names of MindSpore under which it has something else.
    """

    base: Base
    moved: Set[str]


def join(
    torch: Signatures,
    mindspore: Signatures,
    records: Iterable[schema.Record],
    guides: Iterable[schema.Guide],
    generation: int,
    like: Like | None = None,
    about: Collection[str] | None = None,
    others: Mapping[str, model.Record] | None = None,
    shared: Mapping[str, str] | None = None,
) -> Base:
    """Everything joined: relations and categories derived, checks ported, examples written.

    Args:
        torch: the names of PyTorch.
        mindspore: the names of one release of MindSpore.
        records: as far as they hold for it.
        guides: the same.
        generation: what variants are made of a check, as ``verify.plan.variants`` counts it.
        like: another release, already joined.
        about: the records and guides whose checks are wanted; all if None.
        others: records that stand as they are, for what is ported by them.
        shared: the names that these cover, each with the name of its record.
    """
    made = Base(torch, mindspore, generation)
    made.written = {record.torch: record for record in records}
    made.topics = {guide.id: guide for guide in guides}
    made.best = {name: kin.best_api(record.targets) for name, record in made.written.items()}
    if others is not None:
        # A ChainMap writes into its first alone.
        made.records = ChainMap({}, cast("MutableMapping[str, model.Record]", others))
    made.families = {n: r for n, r in (shared or {}).items() if r not in made.written}
    own = made.written.keys() | made.records.keys()
    for record in made.written.values():
        found = _alike(record, like) or unchecked(record, made)
        if record.covers:
            if not found.covers:
                found = replace(found, covers=families.names(record.covers, torch, own))
            made.families |= dict.fromkeys(found.covers, record.torch)
        made.records[record.torch] = found
    other = _ported_otherwise(made, like) if like else set()
    for record in (r for r in made.written.values() if about is None or r.torch in about):
        name = record.torch
        if (
            like
            and name not in other
            and _same_checks(record, like.base.written[name])
            and like.base.asked[name].isdisjoint(other)
        ):
            made.asked[name] = like.base.asked[name]
            made.records[name] = _checked_as(made.records[name], like.base.records[name])
            continue
        made.asking = made.asked[name] = set()
        made.records[name] = _with_checks(record, made)
    for guide in made.topics.values():
        owner = model.guide_owner(guide.id)
        if about is not None and guide.id not in about:
            made.guides[guide.id] = _guide(_unchecked(guide), made)
            continue
        if (
            like
            and guide.sections == like.base.topics[guide.id].sections
            and like.base.asked[owner].isdisjoint(other)
        ):
            made.asked[owner] = like.base.asked[owner]
            made.guides[guide.id] = like.base.guides[guide.id]
            continue
        made.asking = made.asked[owner] = set()
        made.guides[guide.id] = _guide(guide, made)
    return made


def _unchecked(guide: schema.Guide) -> schema.Guide:
    sections = [section.model_copy(update={"checks": []}) for section in guide.sections]
    return guide.model_copy(update={"sections": sections})


def _alike(record: schema.Record, like: Like | None) -> model.Record | None:
    """The record of another release, where all that it is made of is the same."""
    if like is None or like.base.written[record.torch] != record:
        return None
    names = (announced.written(target.api, target.expression) for target in record.targets)
    if not like.moved.isdisjoint(name for each in names for name in each):
        return None
    return like.base.records[record.torch]


def _ported_otherwise(made: Base, like: Like) -> set[str]:
    """The records, and the names of MindSpore, by which code may be ported otherwise."""
    records = {
        name
        for name, record in made.records.items()
        if record is not like.base.records[name]
        and _carried(record) != _carried(like.base.records[name])
    }
    return records | set(like.moved)


def _carried(record: model.Record) -> tuple[object, ...]:
    """All of a record that decides how code is ported, and what its checks hash to."""
    targets = (
        replace(t, runs_on=(), deprecated="", note=None, since="", until="", changed=())
        for t in record.targets
    )
    return record.kind, record.signatures, record.call, record.overloads, tuple(targets)


def _same_checks(record: schema.Record, other: schema.Record) -> bool:
    return record is other or (
        record.checks == other.checks
        and record.inputs == other.inputs
        and record.example == other.example
        and record.example_mindspore == other.example_mindspore
    )


def _checked_as(record: model.Record, other: model.Record) -> model.Record:
    """A record with the checks and the example that another release has."""
    if record is other:
        return record
    return replace(
        record,
        checks=other.checks,
        example_torch=other.example_torch,
        example_mindspore=other.example_mindspore,
    )


def unchecked(record: schema.Record, made: Base) -> model.Record:
    """The record without its checks, which need all other records to be ported."""
    api = made.torch.apis.get(record.torch)
    source = made.torch.side(record.torch)
    if record.overloads:
        source = Side(source.kind, tuple(parse(text) for text in record.overloads))
    targets = tuple(target(record.torch, t, source, made, record.caveats) for t in record.targets)
    return model.Record(
        torch=record.torch,
        kind=source.kind,
        signatures=made.torch.texts(record.torch),
        call=made.torch.texts(record.torch, "call"),
        overloads=tuple(record.overloads),
        deprecated=api.deprecated if api else "",
        summary=model.Text(record.summary.en, record.summary.zh),
        category=targets[0].category if targets else "missing",
        verification="unverified",
        targets=targets,
        missing=derive.text(record.missing),
        caveats=_caveats(record.caveats),
        example_torch="",
        example_mindspore="",
        checks=(),
        references=tuple(model.Reference(r.kind, r.url) for r in record.references),
        guides=tuple(record.guides),
    )


def _caveats(caveats: Sequence[schema.Caveat]) -> tuple[model.Caveat, ...]:
    order = ("silent", "error", "speed", "note")
    return tuple(
        model.Caveat(
            id=c.id,
            impact=c.impact,
            text=model.Text(c.text.en, c.text.zh),
            parameter=c.parameter,
            shown_by=tuple(c.shown_by),
            unverified=derive.text(c.unverified),
            target=c.target,
            mindspore=c.mindspore or "",
            variants=tuple(c.variants),
            device=tuple(c.device),
            own=c.own,
            when=_when(c.when),
        )
        for c in sorted(caveats, key=lambda c: order.index(c.impact))
    )


def _when(written: str | schema.When | None) -> model.When | None:
    if written is None:
        return None
    if isinstance(written, str):
        return model.When(written)
    return model.When(
        written.on,
        tuple(written.given),
        tuple(written.omitted),
        tuple(written.position),
        written.values,
    )


def target(
    torch: str, written: schema.Target, source: Side, made: Base,
    caveats: Sequence[schema.Caveat] = (),
) -> model.Target:  # fmt: skip
    """A target of a PyTorch name, with all that follows from the signatures of both sides.

    Args:
        torch: the name.
        written: what somebody wrote of the target.
        source: the overloads of the name.
        made: where the names are; what nothing tells of is added to its ``unaccounted``.
        caveats: those of the record, which may make the category a worse one.
    """
    api = made.mindspore.apis.get(written.api or "")
    side = made.mindspore.side(written.api)
    call = made.mindspore.side(written.api, "call")
    both = Side(side.kind, side.signatures)
    if side.kind == "class" and source.kind != "class":
        both = Side(side.kind, (*side.signatures, *call.signatures))
    relations = derive.Relations((), ())
    inputs = derive.Relations((), ())
    if not written.remove:
        relations = derive.parameters(written.parameters, source, both, written.expression)
    if source.kind == "class" and call.signatures:
        forward = made.torch.side(torch, "call")
        if forward.signatures:
            inputs = derive.parameters(written.inputs, forward, call, by_position=True)
    for key, found in (("parameters", relations), ("inputs", inputs)):
        made.unaccounted[torch, written.key, key] = found.unaccounted
    if api is not None and api.alias_of and not api.platforms:
        api = made.mindspore.apis.get(api.alias_of, api)
    documented = api.platforms if api else ()
    life = made.mindspore.lifetimes.get(written.api or "", ALWAYS)
    return model.Target(
        key=written.key,
        api=written.api,
        kind=side.kind if written.api else "expression",
        expression=written.expression,
        remove=written.remove,
        category=derive.category(
            written,
            # Layers are called by position: another name of an input is no difference.
            (*relations.parameters, *(p for p in inputs.parameters if p.relation != "renamed")),
            caveats,
        ),
        verification="unverified",
        reason="",
        signatures=made.mindspore.texts(written.api),
        call=made.mindspore.texts(written.api, "call"),
        runs_on=tuple(documented if written.runs_on is None else written.runs_on),
        deprecated=api.deprecated if api else "",
        given=tuple(written.given),
        absent=tuple(written.absent),
        parameters=relations.parameters,
        inputs=inputs.parameters,
        state=tuple(
            model.State(s.torch, s.mindspore, s.value, derive.text(s.note), s.back)
            for s in written.state
        ),
        members=dict(written.members),
        returns=None
        if written.returns is None
        else model.Returns(
            written.returns.relation,
            written.returns.value,
            dict(written.returns.fields),
            model.Text(written.returns.text.en, written.returns.text.zh),
        ),
        mindspore=written.mindspore or "",
        note=_note(written, made),
        since=life.since,
        until=life.until,
        changed=life.changed,
    )


def _note(target: schema.Target, made: Base) -> model.Text | None:
    """What is said of a target, why it stands first, and which of its APIs are to go."""
    said = [model.Text(t.en, t.zh) for t in (target.note, target.first) if t is not None]
    said += announced.removals(target.api, target.expression, made.mindspore)
    if not said:
        return None
    return model.Text(" ".join(t.en for t in said), "".join(t.zh for t in said))


def _with_checks(record: schema.Record, made: Base) -> model.Record:
    found = made.records[record.torch]
    ready = checks.ready(record.checks, record.torch, record.inputs, made, found.targets)
    example = record.example or next((c.torch for c in ready if c.expect != "raises"), "")
    mindspore = record.example_mindspore or ""
    if example and not mindspore and record.targets and not record.targets[0].remove:
        mindspore = _ported(example, record, ready)
        if not mindspore:
            mindspore = checks.port(example, (record.torch, "example"), made).whole or ""
    return replace(
        found, checks=ready, example_torch=example.strip(), example_mindspore=mindspore.strip()
    )


def _ported(example: str, record: schema.Record, ready: Iterable[model.Check]) -> str:
    """The port of an example, if a check of the same code has it already."""
    for written, check in zip(record.checks, ready, strict=True):
        if check.ported and written.target is None and check.torch == example:
            return check.mindspore
    return ""


def _guide(guide: schema.Guide, made: Base) -> model.Guide:
    owner = model.guide_owner(guide.id)
    return model.Guide(
        id=guide.id,
        title=model.Text(guide.title.en, guide.title.zh),
        summary=model.Text(guide.summary.en, guide.summary.zh),
        sections=tuple(
            model.Section(
                id=s.id,
                title=model.Text(s.title.en, s.title.zh),
                text=model.Text(s.text.en, s.text.zh),
                torch=s.torch,
                mindspore=s.mindspore,
                checks=checks.ready(s.checks, owner, guide.inputs, made),
            )
            for s in guide.sections
        ),
        records=tuple(guide.records),
        references=tuple(model.Reference(r.kind, r.url) for r in guide.references),
    )
