"""Records as people write them, joined with the signatures into what readers get."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from msmap import model, names
from msmap.assemble import derive
from msmap.assemble.derive import Side
from msmap.curated import schema
from msmap.port.attempt import attempt
from msmap.signatures.files import Api, SignatureFileError
from msmap.signatures.lifetimes import ALWAYS, Lifetime
from msmap.signatures.parse import parse

# What msmap.verify.variants makes of a check; a change makes all evidence stale.
GENERATION = 3
_PORTED = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Signatures:
    """The names of one release of one framework."""

    framework: str
    release: str
    apis: dict[str, Api]
    path: Path | None = None
    lifetimes: Mapping[str, Lifetime] = field(default_factory=dict)

    def canonical(self, name: str) -> str | None:
        """The name itself, or the one it is an alias of; None if unknown."""
        found = self.apis.get(name)
        if found is None:
            return None
        return found.alias_of or name

    def api(self, name: str) -> model.Api:
        """A known name as readers get it."""
        api, life = self.apis[name], self.lifetimes.get(name, ALWAYS)
        return model.Api(
            name, self.framework, self.release, api.kind, api.signatures, api.call, api.platforms,
            api.deprecated, life.since, life.until, life.changed,
        )  # fmt: skip

    def side(self, name: str | None, what: str = "signatures") -> Side:
        """A name's overloads, as relations see them; ``what`` is signatures or call."""
        found = self.apis.get(name or "")
        if found is None:
            return Side("function", ())
        if found.alias_of and not getattr(found, what):
            found = self.apis.get(found.alias_of, found)
        try:
            return Side(found.kind, tuple(parse(text) for text in getattr(found, what)))
        except ValueError as error:
            # A line a name, in the order in which they were read.
            line = list(self.apis).index(found.name) + 1
            raise SignatureFileError(f"{self.path}:{line}: {found.name}: {error}") from None


@dataclass
class Base:
    """Everything known, in memory, while it is being put together; the rewriter's facts."""

    torch: Signatures
    mindspore: Signatures
    records: dict[str, model.Record] = field(default_factory=dict)
    unaccounted: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    failed_ports: dict[tuple[str, str], model.Port] = field(default_factory=dict)
    guides: dict[str, model.Guide] = field(default_factory=dict)
    # The records and dtypes that the rewriter asked for while porting a record's checks.
    asked: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.asking: set[str] = set()
        self._defined = {a.defined: n for n, a in self.torch.apis.items() if a.defined}
        self._methods: dict[str, list[str]] = {}
        for name, api in self.torch.apis.items():
            if api.kind in ("method", "property"):
                self._methods.setdefault(name.rsplit(".", 1)[1], []).append(name)

    def torch_name(self, spelling: str) -> str | None:
        """The canonical PyTorch name of a spelling; a curated alias stands for itself."""
        for name in names.torch_spellings(spelling):
            if name in self.records:
                return name
            if found := self.torch.canonical(name) or self._defined.get(name):
                return found
        return None

    def find(self, name: str) -> model.Record | None:
        """The record of a canonical name, or None."""
        self.asking.add(name)
        return self.records.get(name)

    def reverses(self) -> dict[str, model.Reverse]:
        """What each canonical MindSpore name that some record writes was in PyTorch."""
        found: dict[str, list[tuple[int, model.Summary]]] = {}
        for _, record in sorted(self.records.items()):
            told: set[str] = set()
            for rank, target in enumerate(record.targets, 1):
                used = filter(None, map(self.mindspore.canonical, model.uses(target)))
                fresh = set(used) - told
                told |= fresh
                for name in fresh:
                    found.setdefault(name, []).append((rank, model.summary(record, target)))
        return {
            name: model.Reverse(
                self.mindspore.api(name), tuple(sorted(sources, key=lambda s: (s[0], s[1].torch)))
            )
            for name, sources in found.items()
        }

    def methods(self, attribute: str) -> tuple[str, ...]:
        """The PyTorch methods and properties of that bare name."""
        return tuple(self._methods.get(attribute, ()))

    def mindspore_dtype(self, name: str) -> str | None:
        """The MindSpore dtype of the same name, for a PyTorch dtype."""
        found = self.torch.apis.get(name)
        if found is None or found.kind != "dtype":
            return None
        candidates = names.mindspore_dtypes(name)
        self.asking.update(candidates)
        return next((n for n in candidates if n in self.mindspore.apis), None)


def base(
    torch: Signatures,
    mindspore: Signatures,
    records: Iterable[schema.Record],
    guides: Iterable[schema.Guide],
    done: Mapping[str, model.Record] | None = None,
) -> Base:
    """Everything joined: relations and categories derived, checks ported, examples written.

    ``done`` are records that came out the same for another release.
    """
    records, guides, done = list(records), list(guides), done or {}
    made = Base(torch, mindspore)
    for record in records:
        made.records[record.torch] = done.get(record.torch) or _record(record, made)
    for record in (r for r in records if r.torch not in done):
        made.asking = made.asked[record.torch] = set()
        made.records[record.torch] = _with_checks(record, made)
    for guide in guides:
        made.guides[guide.id] = _guide(guide, made)
    return made


def _record(record: schema.Record, made: Base) -> model.Record:
    """The record without its checks, which need all other records to be ported."""
    api = made.torch.apis.get(record.torch)
    source = made.torch.side(record.torch)
    if record.overloads:
        source = Side(source.kind, tuple(parse(text) for text in record.overloads))
    targets = tuple(_target(record, t, source, made) for t in record.targets)
    return model.Record(
        torch=record.torch,
        kind=source.kind,
        signatures=tuple(s.text for s in made.torch.side(record.torch).signatures),
        call=tuple(s.text for s in made.torch.side(record.torch, "call").signatures),
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
        )
        for c in sorted(caveats, key=lambda c: order.index(c.impact))
    )


def _target(record: schema.Record, target: schema.Target, source: Side, made: Base) -> model.Target:
    api = made.mindspore.apis.get(target.api or "")
    side = made.mindspore.side(target.api)
    call = made.mindspore.side(target.api, "call")
    both = Side(side.kind, side.signatures)
    if side.kind == "class" and source.kind != "class":
        both = Side(side.kind, (*side.signatures, *call.signatures))
    relations = derive.Relations((), ())
    inputs = derive.Relations((), ())
    if not target.remove:
        relations = derive.parameters(target.parameters, source, both, target.expression)
    if source.kind == "class" and call.signatures:
        forward = made.torch.side(record.torch, "call")
        if forward.signatures:
            inputs = derive.parameters(target.inputs, forward, call, by_position=True)
    made.unaccounted[record.torch, target.key] = relations.unaccounted + inputs.unaccounted
    if api is not None and api.alias_of and not api.platforms:
        api = made.mindspore.apis.get(api.alias_of, api)
    documented = api.platforms if api else ()
    life = made.mindspore.lifetimes.get(target.api or "", ALWAYS)
    return model.Target(
        key=target.key,
        api=target.api,
        kind=side.kind if target.api else "expression",
        expression=target.expression,
        remove=target.remove,
        category=derive.category(
            target,
            # Layers are called by position: another name of an input is no difference.
            (*relations.parameters, *(p for p in inputs.parameters if p.relation != "renamed")),
            record.caveats,
        ),
        verification="unverified",
        reason="",
        signatures=tuple(s.text for s in side.signatures),
        call=tuple(s.text for s in call.signatures),
        runs_on=tuple(documented if target.runs_on is None else target.runs_on),
        deprecated=api.deprecated if api else "",
        given=tuple(target.given),
        absent=tuple(target.absent),
        parameters=relations.parameters,
        inputs=inputs.parameters,
        state=tuple(
            model.State(s.torch, s.mindspore, s.value, derive.text(s.note)) for s in target.state
        ),
        members=dict(target.members),
        returns=None
        if target.returns is None
        else model.Returns(
            target.returns.relation,
            target.returns.value,
            dict(target.returns.fields),
            model.Text(target.returns.text.en, target.returns.text.zh),
        ),
        mindspore=target.mindspore or "",
        note=derive.text(target.note),
        since=life.since,
        until=life.until,
        changed=life.changed,
    )


def _with_checks(record: schema.Record, made: Base) -> model.Record:
    found = made.records[record.torch]
    checks = tuple(
        check(c, record.torch, record.inputs, made, found.targets) for c in record.checks
    )
    example = record.example or next((c.torch for c in checks if c.expect != "raises"), "")
    mindspore = record.example_mindspore or ""
    if example and not mindspore and record.targets and not record.targets[0].remove:
        mindspore = _port(example, (record.torch, "example"), made).code or ""
    return replace(
        found, checks=checks, example_torch=example.strip(), example_mindspore=mindspore.strip()
    )


def check(
    written: schema.Check,
    owner: str,
    inputs: dict[str, str | schema.Input],
    made: Base,
    targets: Sequence[model.Target] = (),
) -> model.Check:
    """A check ready to run: both sides written out, inputs in one form, and its hash."""
    ported = written.mindspore is None
    place = (owner, written.id)
    mindspore = written.mindspore or ""
    used_targets: list[str] = []

    def port(code: str) -> str:
        done = _port(code, place, made, written.target)
        used_targets.extend(key for name, key in done.targets if name == owner)
        return done.code or ""

    if ported:
        mindspore = port(written.torch)
    elif "{{" in mindspore:
        mindspore = _PORTED.sub(lambda m: port(m[1].strip()), mindspore)
        if place in made.failed_ports:
            # Half a check is none: lint says what can't be ported.
            mindspore = ""
    used = {**inputs, **written.inputs}
    code = f"{written.torch}\n{mindspore}"
    plain = {name: _input(value) for name, value in used.items() if re.search(rf"\b{name}\b", code)}
    made_check = model.Check(
        id=written.id,
        torch=written.torch.strip(),
        mindspore=mindspore.strip(),
        ported=ported,
        target=written.target or next(iter(used_targets), "") or _chosen(mindspore, targets),
        inputs=plain,
        expect=written.expect,
        gives={str(side): text for side, text in written.gives.items()},
        gradient=written.gradient,
        modes=tuple(written.modes or ()),
        rtol=written.tolerance.rtol if written.tolerance else None,
        atol=written.tolerance.atol if written.tolerance else None,
        why=derive.text(written.tolerance.why) if written.tolerance else None,
        raises=written.raises,
        hash="",
        evidence=(),
    )
    state = model.state_of(targets, made_check.target)
    # Variants are ports by the same mapping.
    mapping = _mapping(targets) if ported and written.expect == "same" else ()
    return replace(made_check, hash=fingerprint(made_check, state, mapping))


def _mapping(targets: Sequence[model.Target]) -> list[object]:
    """All that the rewriter reads of some targets."""
    return [
        (t.key, t.given, t.absent, t.returns and (t.returns.value, t.returns.fields),
         [_relation(p) for p in (*t.parameters, *t.inputs)])
        for t in targets
    ]  # fmt: skip


def _relation(p: model.Parameter) -> tuple[object, ...]:
    cases = [(c.when, c.set, c.refuse is None) for c in p.cases]
    defaults = (p.torch_default, p.mindspore_default)
    return (p.torch, p.mindspore, p.relation, defaults, p.value, cases, p.allow, p.keyword)


def fingerprint(
    made: model.Check, state: Sequence[model.State], mapping: Sequence[object] = ()
) -> str:
    """Twelve hexadecimal digits over all that decides what a check does, and its variants."""
    untold = ("id", "hash", "evidence", "why", "target", "ported")
    content: dict[str, object] = {
        f.name: getattr(made, f.name) for f in fields(made) if f.name not in untold
    }
    content["state"] = [(s.torch, s.mindspore, s.value) for s in state]
    if mapping:
        content["mapping"], content["generation"] = mapping, GENERATION
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _chosen(mindspore: str, targets: Sequence[model.Target]) -> str:
    """The target that the MindSpore side uses: the longest API name in it, else the best."""
    named = [
        t.key
        for t in targets
        if t.api is not None and re.search(rf"{re.escape(t.api)}(?![\w.])", mindspore)
    ]
    if named:
        return max(named, key=len)
    methods = [
        t.key
        for t in targets
        if t.kind == "method" and f".{str(t.api).rsplit('.', 1)[1]}(" in mindspore
    ]
    return (methods or [t.key for t in targets[:1]] or [""])[0]


def _port(code: str, place: tuple[str, str], made: Base, target: str | None = None) -> model.Port:
    """The port of a piece of code; what can't be ported is remembered in the base."""
    done = attempt(code, made, target, place[0])
    if done.code is None:
        made.failed_ports[place] = done
    return done


_SHORT = re.compile(r"^(?P<dtype>[a-z]+\d*)\[(?P<shape>[\d, ]*)\]( in (?P<range>\S+))?$")


def _input(value: str | schema.Input) -> dict[str, object]:
    """An input in full, from a mapping or from ``int64[4] in 0..5`` (upper bound excluded)."""
    if isinstance(value, schema.Input):
        return {k: v for k, v in value.model_dump().items() if v is not None}
    match = _SHORT.match(value)
    assert match is not None, "the schema allows no other text"
    shape = [int(n) for n in match["shape"].replace(" ", "").split(",") if n]
    full: dict[str, object] = {"shape": shape, "dtype": match["dtype"]}
    if match["range"]:
        low, _, high = match["range"].partition("..")
        full |= {"low": float(low), "high": float(high)}
    return full


def _guide(guide: schema.Guide, made: Base) -> model.Guide:
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
                checks=tuple(check(c, f"guide:{guide.id}", guide.inputs, made) for c in s.checks),
            )
            for s in guide.sections
        ),
        records=tuple(guide.records),
        references=tuple(model.Reference(r.kind, r.url) for r in guide.references),
    )
