"""What goes into which table: one row a fact, in an order that depends on the data alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from msmap import claimed, model, vocabulary
from msmap import database as index
from msmap.assemble import families
from msmap.assemble.base import Base
from msmap.assemble.content import Content
from msmap.candidates import Probe
from msmap.evidence import attach
from msmap.evidence.names import ordered, parse
from msmap.probed import Tally
from msmap.query.search import messages
from msmap.query.search import tokens as words
from msmap.render import probe as probe_page
from msmap.render import record as page
from msmap.render import short
from msmap.render.layout import Line, marked
from msmap.signatures import lifetimes
from msmap.signatures.release import Signatures
from msmap.store import documents, editions, history

# By table; ids and what refers to them count from 1.
Rows: TypeAlias = dict[str, list[dict[str, Any]]]
# By check and family, what came out in the oldest release so far, and its row.
Runs: TypeAlias = dict[tuple[int, str], tuple[model.Evidence, dict[str, Any]]]


# The names and the guides beside a name.
Beside: TypeAlias = tuple[Sequence[str], Sequence[str]]


def of_all(found: Content) -> Rows:
    """What doesn't depend on what any record says: names, and which of them have one."""
    rows: Rows = defaultdict(list)
    base = found.base
    for key, value in (
        ("schema_version", str(index.SCHEMA_VERSION)),
        ("torch", base.torch.release),
        ("mindspore", base.mindspore.release),
    ):
        rows["meta"].append({"key": key, "value": value})
    past = [earlier.mindspore for earlier in found.earlier]
    for kind in documents.KINDS:
        rows["dictionary"].append({"kind": kind, "text": documents.dictionary(kind)})
    for known in (base.torch, *past, base.mindspore):
        _add(rows, "release", framework=known.framework, name=known.release)
    _add_apis(rows, [*past, base.mindspore], _OLDEST, base)
    _add_apis(rows, [base.torch], 1, base)
    return rows


# The id of the oldest release of MindSpore; PyTorch's is the first.
_OLDEST = 2


def numbered(found: Content) -> dict[int, Base]:
    """The base of every release of MindSpore by the release's id, the newest first."""
    newest = _OLDEST + len(found.earlier)
    return {newest - back: base for back, base in enumerate(_newest_first(found))}


def of_record(found: Content, name: str) -> Rows:
    """What a record says, in every release, and what came out of its checks."""
    rows: Rows = defaultdict(list)
    base, record = found.base, found.base.records[name]
    own = documents.encoded(record)
    _add_record(rows, record, base.mindspore, documents.deflating("record")(own))
    shared = [families.covered(record, other, base.torch) for other in record.covers]
    if shared:
        deflating = documents.Deflating(own.encode())
        for each in shared:
            rows["record"].append(_of_record(each, deflating(documents.encoded(each))))
    before = [None if name in past.same else past.records[name] for past in found.earlier]
    for edition in editions.of(record, before):
        bare = attach.record_given(edition.record, {})
        span = {"first": _OLDEST + edition.first, "last": _OLDEST + edition.last}
        others = (families.covered(bare, other, base.torch) for other in record.covers)
        for then in (bare, *others):
            document = documents.deflating("record")(documents.encoded(then))
            apis = list(dict.fromkeys(t.api for t in then.targets if t.api))
            _add(rows, "edition", torch=then.torch, **span, apis=apis, document=document)
    releases = [
        (each.mindspore.release, None if name in each.alike else each.records[name].checks)
        for each in _newest_first(found)
    ]
    _add_checks(rows, name, releases)
    _add_messages(rows, name, record.checks)
    first = _page_of(record)
    rows["page"].append(_of_page(name, first))
    if shared:
        deflating = documents.Deflating(first.encode())
        for each in shared:
            text = deflating(_page_of(each))
            rows["page"].append({"name": each.torch, "like": name, "text": text})
    return rows


def of_guide(found: Content, name: str) -> Rows:
    """What a guide says, and what came out of its checks in every release."""
    rows: Rows = defaultdict(list)
    _add_guide(rows, found.base.guides[name])
    releases = [(each.mindspore.release, each.guides[name].checks) for each in _newest_first(found)]
    _add_checks(rows, model.guide_owner(name), releases)
    _add_messages(rows, model.guide_owner(name), found.base.guides[name].checks)
    return rows


def of_documents(found: Content, kept: Path | None = None) -> Rows:
    """The documents and what they state, synonyms, errors explained, and when all changed.

    What git told is taken from the folder where earlier builds have ``kept`` it.
    """
    rows: Rows = defaultdict(list)
    for source in found.sources():
        _add_source(rows, source)
    for claim in found.claims():
        _add_claim(rows, claim)
    for synonyms in found.files.synonyms:
        for group in synonyms.item.groups:
            _add(rows, "synonym", words=[words.folded(phrase) for phrase in group])
    for mistake in found.mistakes():
        rows["mistake"].append({"id": mistake.id, "document": documents.encoded(mistake)})
    rows["history"] += history.of_all(found, kept)
    return rows


def of_reverse(name: str, found: model.Reverse) -> Rows:
    """The page of a MindSpore name, so that the quickest lookup only has to print it."""
    return {"page": [_of_page(name, _page(lambda tongue: [page.reverse(found, tongue)]))]}


def of_probe(
    found: Probe, release: int, beside: tuple[Sequence[str], Sequence[str]] | None
) -> Rows:
    """What probing found of a name with a release of MindSpore.

    Args:
        found: the probe.
        release: the id of the release.
        beside: the names and the guides beside it, for the page that the newest release has; None
            with an earlier one, which nothing is printed or found by.
    """
    rows: Rows = defaultdict(list)
    first = found.first
    values, gradients = (first.values, first.gradients) if first else (Tally(), Tally())
    runs_on = first.runs_on if first else ()
    _add(
        rows, "probe", torch=found.torch, release=release,
        namespace=found.torch.rpartition(".")[0], mindspore=first.mindspore if first else "",
        reason=found.reason, agreed=values.agreed, tried=values.tried,
        gradients_agreed=gradients.agreed, gradients_tried=gradients.tried,
        ascend="Ascend" in runs_on, gpu="GPU" in runs_on, cpu="CPU" in runs_on,
        document=documents.deflating("probe")(documents.encoded(found)),
    )  # fmt: skip
    if beside is not None:
        told = (f"{found.torch} {found.best.mindspore if found.best else ''}", "", "")
        _add_document(rows, "probe", found.torch, told)
        text = _page(
            lambda tongue: (
                short.probe(found, tongue, *beside), probe_page.probe(found, tongue, *beside)
            )
        )  # fmt: skip
        rows["page"].append(_of_page(found.torch, text))
    return rows


def of_environments(used: Collection[tuple[int, str]], found: Content) -> Rows:
    """The environments in which something came out, newest release first.

    Args:
        used: as ``_add_checks`` gives them under ``environment``.
        found: what the releases are.
    """
    rows: Rows = defaultdict(list)
    families: dict[str, int] = {}
    seen: set[str] = set()
    bases = numbered(found)
    order = {name: place for place, name in enumerate(ordered({name for _, name in used}))}
    for release, name in sorted(used, key=lambda use: (-use[0], order[use[1]])):
        if name in seen:
            continue
        seen.add(name)
        where = parse(name)
        _add(
            rows, "environment", name=name, torch=where.torch,
            mindspore=bases[release].mindspore.release,
            device=where.device, machine=where.machine, release=release,
            family=families.setdefault(where.elsewhere, len(families) + 1),
        )  # fmt: skip
    return rows


def _newest_first(found: Content) -> list[Base]:
    return [found.base, *reversed(found.earlier)]


def _page(made: Callable[[str], Iterable[Iterable[Line]]]) -> str:
    """A page, or the short one and the full one, in all languages."""
    pages = (lines for tongue in vocabulary.LANGUAGES for lines in made(tongue))
    return index.FOLD.join("".join(f"{marked(line)}\n" for line in lines) for lines in pages)


def _page_of(record: model.Record) -> str:
    return _page(lambda tongue: (short.record(record, tongue), page.record(record, tongue)))


def _of_page(name: str, text: str) -> dict[str, Any]:
    return {"name": name, "like": "", "text": documents.deflating("page")(text)}


def _add(rows: Rows, table: str, **row: Any) -> int:
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
            # Where a record has an alias, that is what the others are aliases of.
            known = api.alias_of or name
            home = base.stand_ins.get(known, known)
            facts = {
                "framework": newest.framework, "name": name, "kind": api.kind,
                "signatures": list(api.signatures), "call": list(api.call),
                "platforms": list(api.platforms), "deprecated": api.deprecated,
                "alias_of": "" if home == name else home, "defined": api.defined,
                "first": oldest + span.first,
                "since": life.since, "changed": list(life.changed),
            }  # fmt: skip
            if span.last < len(history) - 1:
                last = oldest + span.last
                _add(rows, "past_api", **facts, last=last, until=life.until)
                continue
            held = {"base": api.base, "members": list(api.members)}
            _add(rows, "api", **facts, **held, release=newest.release)
            _add(
                rows, "spelling", framework=newest.framework, name=name,
                leaf=name.rsplit(".", 1)[-1], curated=base.answers(name),
                documented=not api.undocumented,
            )  # fmt: skip


def _add_record(
    rows: Rows, record: model.Record, mindspore: Signatures, document: bytes
) -> None:  # fmt: skip
    rows["record"].append(_of_record(record, document))
    for rank, target in enumerate(record.targets, 1):
        number = _add(
            rows, "target", torch=record.torch, rank=rank, key=target.key,
            api=target.api or "", expression=target.expression or "", category=target.category,
            verification=target.verification, reason=target.reason,
            ascend="Ascend" in target.runs_on, gpu="GPU" in target.runs_on,
            cpu="CPU" in target.runs_on, ran_on=list(target.ran_on), mindspore=target.mindspore,
            **_both("note", target.note),
        )  # fmt: skip
        for name in dict.fromkeys(map(mindspore.canonical, model.uses(target))):
            if name is not None:
                _add(rows, "target_name", target=number, name=name)
        for side, parameters in (("arguments", target.parameters), ("inputs", target.inputs)):
            for p in parameters:
                _add(
                    rows, "parameter", target=number, side=side, torch=", ".join(p.torch),
                    mindspore=", ".join(p.mindspore), relation=p.relation, derived=p.derived,
                    torch_default=p.torch_default, mindspore_default=p.mindspore_default,
                    value=p.value, **_both("note", p.note),
                )  # fmt: skip
        for s in target.state:
            _add(rows, "state", target=number, torch=s.torch, mindspore=s.mindspore,
                 value=s.value)  # fmt: skip
    for c in record.caveats:
        _add(
            rows, "caveat", torch=record.torch, slug=c.id, impact=c.impact,
            parameter=c.parameter or "", shown_by=list(c.shown_by), **_both("text", c.text),
            **_both("unverified", c.unverified),
        )  # fmt: skip
    for r in record.references:
        _add(rows, "reference", torch=record.torch, kind=r.kind, url=r.url)
    targets = " ".join(t.api or t.expression or "" for t in record.targets)
    summary = f"{record.summary.en} {record.summary.zh}"
    told = (" ".join((record.torch, *record.covers, targets)), summary, " ".join(_texts(record)))
    _add_document(rows, "record", record.torch, told)


def _of_record(record: model.Record, document: bytes) -> dict[str, Any]:
    """The row of a record, or of a name that shares its answer."""
    best = record.targets[0] if record.targets else None
    return {
        "torch": record.torch, "namespace": record.torch.rsplit(".", 1)[0],
        "kind": record.kind, "family": record.family,
        "mindspore": (best.api or best.expression or "") if best else "",
        "category": record.category, "verification": record.verification,
        "summary_en": record.summary.en, "summary_zh": record.summary.zh,
        "example_torch": record.example_torch, "example_mindspore": record.example_mindspore,
        **_both("missing", record.missing),
        "document": document,
    }  # fmt: skip


def _add_checks(
    rows: Rows, owner: str, releases: Sequence[tuple[str, Sequence[model.Check] | None]]
) -> None:
    """The checks of an owner, each release's that no newer one has so, and what came out of them.

    A run has the name of its family, as ``of_environments`` numbers them, in place of its number;
    what came out where is told under ``environment``.

    Args:
        rows: where to.
        owner: a record, or a guide.
        releases: each with the checks that it has, newest first; None where these and what came out
            of them are those of the one before.
    """
    runs: Runs = {}
    used: dict[int, set[str]] = {}
    for back, (mindspore, checks) in enumerate(releases):
        release = _OLDEST + len(releases) - 1 - back
        if checks is None:
            used[release] = {parse(name).within(mindspore) for name in used[release + 1]}
            for row in rows["run"]:
                if row["first"] == release + 1:
                    row["first"] = release
            continue
        used[release] = {e.environment for c in checks for e in c.evidence}
        families = {name: parse(name).elsewhere for name in used[release]}
        known = {(row["slug"], row["hash"]): row["id"] for row in rows["check"]}
        for c in checks:
            number = known.get((c.id, c.hash)) or _add(
                rows, "check", owner=owner, slug=c.id, torch=c.torch, mindspore=c.mindspore,
                ported=c.ported, target=c.target, expect=c.expect, hash=c.hash, current=not back,
            )  # fmt: skip
            for e in c.evidence:
                _add_run(rows, e, number, families[e.environment], release, runs)
    rows["environment"] = [
        {"release": release, "name": name} for release in used for name in sorted(used[release])
    ]


def _add_run(
    rows: Rows, found: model.Evidence, check: int, family: str, release: int, runs: Runs
) -> None:
    """What came out of a check; where the next newer release had the same, that row says so."""
    newer, row = runs.get((check, family), (None, {}))
    if newer is not None and row["first"] == release + 1 and _came_out(newer) == _came_out(found):
        row["first"] = release
        return
    told = dict(zip(_RUN, _came_out(found), strict=True))
    told["variants"] = documents.said(found.variants)
    _add(rows, "run", check=check, family=family, first=release, last=release, **told)
    runs[check, family] = found, rows["run"][-1]


# All of what came out but where.
_RUN = tuple(name for name in model.Evidence.__dataclass_fields__ if name != "environment")
_came_out = attrgetter(*_RUN)


def _add_messages(rows: Rows, owner: str, checks: Sequence[model.Check]) -> None:
    """The errors that were given in an owner's checks, each once."""
    told: set[str] = set()
    for check in checks:
        for text in messages.given(check):
            if text not in told:
                told.add(text)
                _add(rows, "message", owner=owner, slug=check.id, text=text)


def _add_guide(rows: Rows, guide: model.Guide) -> None:
    rows["guide"].append(
        {"id": guide.id, **_both("title", guide.title), **_both("summary", guide.summary),
         "document": documents.encoded(guide)}
    )  # fmt: skip
    texts = [t for s in guide.sections for t in (s.text.en, s.text.zh, s.torch, s.mindspore)]
    titles = [t for s in guide.sections for t in (s.title.en, s.title.zh)]
    title = (guide.title.en, guide.title.zh, guide.summary.en, guide.summary.zh, *titles)
    _add_document(
        rows, "guide", guide.id, (guide.id, " ".join(title), " ".join(filter(None, texts)))
    )


def _add_document(rows: Rows, kind: str, name: str, told: tuple[str, str, str]) -> None:
    """What search finds, with its names, its title and the rest of its words."""
    names, title, body = map(words.cut, told)
    _add(rows, "document", kind=kind, name=name, names=names, title=title, body=body)


def _add_source(rows: Rows, source: claimed.Source) -> None:
    rows["source"].append(
        {"id": source.id, **_both("title", source.title), "language": source.language,
         "mindspore": source.mindspore, "url": source.url, "document": documents.encoded(source)}
    )  # fmt: skip


def _add_claim(rows: Rows, claim: claimed.Claim) -> None:
    rows["claim"].append(
        {"name": claim.name, "topic": claim.topic, "verdict": claim.verdict, "until": claim.until,
         "reason": claim.reason, **_both("says", claim.says), **_both("now", claim.now),
         "document": documents.encoded(claim)}
    )  # fmt: skip
    for place in claim.stands_in:
        _add(rows, "claim_place", claim=claim.name, source=place.source, section=place.section)
    for name in claim.about:
        _add(rows, "claim_subject", claim=claim.name, name=name)


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
