"""What the API answers with: the same objects as the commands, from the same functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from datasette_msmap.api import openapi, parts
from datasette_msmap.api.table import Given
from datasette_msmap.web import encoding
from datasette_msmap.web.refusals import Refused, short, wrong
from datasette_msmap.web.responses import DEVICES, Answer, Ask
from msmap import claimed, model, releases, tabled
from msmap.errors import NotFound
from msmap.port.attempt import unreadable
from msmap.query.base import bulk, porting
from msmap.query.drift import drift as drifts
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import brief as briefly
from msmap.query.names import lookup as understood
from msmap.query.names import pasted_names as pasted
from msmap.query.names.statements import statements

# What whole answers to many names may have in all; a record has about 12 kB.
_MOST = 4_000_000


def _base(ask: Ask, given: Given) -> KnowledgeBase:
    """The knowledge base as of the release and for the device that were asked for."""
    return ask.served.as_of(given.maybe("mindspore"), DEVICES.get(given.maybe("device") or ""))


def _cut(
    ask: Ask, given: Given, schema: str, found: Any, headers: Mapping[str, str] | None = None
) -> Answer:
    """An answer, with the fields alone that were asked for."""
    if fields := _fields(given, schema):
        found = parts.cut(answers.plain(found), schema, fields)
        schema += parts.CUT
    return encoding.answer(ask, schema, found, headers=headers)


def _fields(given: Given, schema: str) -> list[str]:
    """The fields that were asked for of answers of a schema.

    Raises:
        Refused: one is none of theirs; it may be one of another view.
    """
    known = parts.fields(openapi.schema(schema), schema)
    for name in (found := given.several("fields")):
        if name not in known:
            raise wrong("fields", name, known)
    return found


def lookup(ask: Ask, given: Given) -> Answer:
    """What is known of a name; what nobody knows is an error here."""
    name, kb = given.text("name"), _base(ask, given)
    if given.maybe("view") == "summary":
        (brief,) = briefly.briefly(kb, [name])
        if not brief.found:
            kb.lookup(name)
        return _cut(ask, given, "lookup-summary", answers.Briefs(kb.releases(), (brief,)))
    asked = (given.maybe(key) for key in ("mindspore", "device", "fields"))
    if not (any(asked) or kb.is_mindspore(name)):
        document = bulk.document(kb, kb.torch_name(name) or name)
        if document is not None:
            told = answers.Lookup(kb.releases(), (answers.Answer(name, True, "curated"),))
            return encoding.answer_around(ask, "lookup", told, "record", document)
    told = understood.lookup(kb, [name])
    for found in told.answers:
        if not found.found:
            other = None if found.known else pasted.other(found.query)
            raise NotFound(
                found.query, found.known, found.nearest, found.elsewhere, found.guides,
                other.said[0] if other else "",
            )  # fmt: skip
    return _cut(ask, given, "lookup", told)


def lookups(ask: Ask, given: Given) -> Answer:
    """What is known of each of many names; what nobody knows is no error here."""
    kb, names = _base(ask, given), given.several("names")
    if given.maybe("view") != "full":
        found = answers.Briefs(kb.releases(), tuple(briefly.briefly(kb, names)))
        return _cut(ask, given, "lookup-summary", found)
    fields = _fields(given, "lookup")
    whole = answers.plain(answers.Lookup(kb.releases(), ()))
    size = 0
    for one in answers.many(kb, names):
        made = answers.plain(one)
        if fields:
            (made,) = parts.cut({"answers": [made]}, "lookup", fields)["answers"]
        size += len(encoding.text(made))
        if size > _MOST:
            raise Refused(
                400,
                f"the answer would have more than {_MOST:,} bytes: ask for fewer names, for some"
                " fields, or with view=summary; records.ndjson has all records",
            )
        whole["answers"] = [*whole["answers"], made]
    return encoding.answer(ask, "lookup" + (parts.CUT if fields else ""), whole)


def reverse(ask: Ask, given: Given) -> answers.Lookup:
    """What a MindSpore name was in PyTorch."""
    kb, name = _base(ask, given), given.text("name")
    found = answers.Answer(name, True, "curated", reverse=kb.reverse(name))
    return answers.Lookup(kb.releases(), (found,))


def search(ask: Ask, given: Given) -> Answer:
    """What a text leads to: records, guides and probes."""
    query, offset = given.text("q"), given.number("offset")
    # One more tells whether there is a next page.
    end = offset + given.number("limit")
    found = answers.search(ask.kb, query, end + 1, given.maybe("kind"))
    _, headers = parts.page(ask, given, found.hits)
    # How many there are in all nobody has counted.
    headers = {"link": ", ".join(parts.without_last(headers["link"]))}
    return _cut(ask, given, "search", replace(found, hits=found.hits[offset:end]), headers)


def listed(ask: Ask, given: Given) -> Answer:
    """Records that fit the filters."""
    filters = {name: given.maybe(name) for name in ("namespace", "category", "verification")}
    device = DEVICES.get(given.maybe("device") or "")
    found, headers = parts.page(ask, given, _base(ask, given).records(**filters, device=device))
    return _cut(ask, given, "list", answers.List(tuple(found)), headers)


def names(ask: Ask, given: Given) -> Answer:
    """Names of PyTorch without a record."""
    wanted = given.maybe("namespace"), given.maybe("basis")
    found, headers = parts.page(ask, given, briefly.without_record(ask.kb, *wanted))
    return _cut(ask, given, "names", answers.Names(tuple(found)), headers)


def coverage(ask: Ask, given: Given) -> answers.Coverage:
    """What of PyTorch has an answer, by namespace."""
    return answers.coverage(ask.kb, given.maybe("namespace"))


def drift(ask: Ask, given: Given) -> drifts.Drift:
    """What changes from one release to another; of the two newest if none is named."""
    known = list(ask.kb.known_releases())
    wanted = given.maybe("from") or known[-2:][0], given.maybe("to") or known[-1]
    before, after = (releases.choose(release, known, "MindSpore") for release in wanted)
    return drifts.between(ask.served.as_of(before), ask.served.as_of(after))


def evidence(ask: Ask, given: Given) -> answers.Proof:
    """The checks of a record, and what came out of each."""
    record = _base(ask, given).lookup(given.text("name"))
    part = given.maybe("environment") or ""
    checks = (_only(check, part) for check in record.checks)
    return answers.Proof(record.torch, tuple(checks))


def _only(check: model.Check, part: str) -> model.Check:
    return replace(check, evidence=tuple(e for e in check.evidence if part in e.environment))


def guides(ask: Ask, given: Given) -> Answer:
    """All guides."""
    return _cut(ask, given, "guide", answers.Guides(tuple(ask.kb.guides())))


def guide(ask: Ask, given: Given) -> Answer:
    """One guide."""
    return _cut(ask, given, "guide", answers.Guides((ask.kb.guide(given.text("id")),)))


def claims(ask: Ask, given: Given) -> Answer:
    """Statements and rows of tables that fit the filters, and what they stand in."""
    filters = {name: given.maybe(name) for name in ("verdict", "source", "about", "topic")}
    try:
        told = statements(ask.kb, **filters)
    except NotFound as error:
        wrong = next(name for name, value in filters.items() if value == error.name)
        raise Refused(400, f"{wrong} {short(error.name)}: not known", error.nearest) from None
    found: list[claimed.Claim | tabled.Row] = [*told.claims, *told.rows]
    shown, headers = parts.page(ask, given, found)
    claims = tuple(one for one in shown if isinstance(one, claimed.Claim))
    rows = tuple(one for one in shown if isinstance(one, tabled.Row))
    return _cut(ask, given, "claims", replace(told, claims=claims, rows=rows), headers)


def stats(ask: Ask, given: Given) -> answers.Stats:
    """Counts."""
    return answers.Stats(**ask.once(KnowledgeBase.stats))


def port(ask: Ask, given: Given) -> answers.Ported:
    """PyTorch code as MindSpore code, or why there is none, and what bites at which call."""
    kb, code, probed = _base(ask, given), given.text("code"), given.maybe("probed") == "1"
    done = porting.attempt(kb, code, probed)
    if (refusal := unreadable(done)) is not None:
        raise Refused(400, refusal.reason.en)
    return answers.Ported(done, porting.calls(kb, code, probed))
