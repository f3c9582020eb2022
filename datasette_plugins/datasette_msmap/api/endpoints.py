"""What the API answers with: the same objects as the commands, from the same functions."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from datasette_msmap.api.table import Given
from datasette_msmap.web import encoding
from datasette_msmap.web.refusals import Refused, short
from datasette_msmap.web.responses import DEVICES, Answer, Ask
from msmap import model
from msmap.errors import NotFound
from msmap.port.attempt import unreadable
from msmap.query import answers, bulk, porting, understood
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.statements import statements

_CODE_TYPES = ("application/json", "text/plain", "text/x-python")


def _base(ask: Ask, given: Given) -> KnowledgeBase:
    """The knowledge base as of the release and for the device that were asked for."""
    return ask.served.as_of(given.maybe("mindspore"), DEVICES.get(given.maybe("device") or ""))


def lookup(ask: Ask, given: Given) -> answers.Lookup | Answer:
    """What is known of a name; what nobody knows is an error here."""
    name, kb = given.text("name"), _base(ask, given)
    if not (given.maybe("mindspore") or given.maybe("device") or kb.is_mindspore(name)):
        document = bulk.document(kb, kb.torch_name(name) or name)
        if document is not None:
            told = answers.Lookup(kb.releases(), (answers.Answer(name, True, "curated"),))
            return encoding.answer_around(ask, "lookup", told, "record", document)
    told = understood.lookup(kb, [name])
    for found in told.answers:
        if not found.found:
            raise NotFound(found.query, found.known, found.nearest, found.elsewhere, found.guides)
    return told


def reverse(ask: Ask, given: Given) -> answers.Lookup:
    """What a MindSpore name was in PyTorch."""
    kb, name = _base(ask, given), given.text("name")
    found = answers.Answer(name, True, "curated", reverse=kb.reverse(name))
    return answers.Lookup(kb.releases(), (found,))


def search(ask: Ask, given: Given) -> answers.Search:
    """What a text leads to: records, guides and probes."""
    query = given.text("q")
    return answers.search(ask.kb, query, given.number("limit"), given.maybe("kind"))


def listed(ask: Ask, given: Given) -> answers.List:
    """Records that fit the filters."""
    filters = {name: given.maybe(name) for name in ("namespace", "category", "verification")}
    device = DEVICES.get(given.maybe("device") or "")
    found = _base(ask, given).records(**filters, device=device)
    return answers.List(tuple(found))


def evidence(ask: Ask, given: Given) -> answers.Proof:
    """The checks of a record, and what came out of each."""
    record = _base(ask, given).lookup(given.text("name"))
    part = given.maybe("environment") or ""
    checks = (_only(check, part) for check in record.checks)
    return answers.Proof(record.torch, tuple(checks))


def _only(check: model.Check, part: str) -> model.Check:
    return replace(check, evidence=tuple(e for e in check.evidence if part in e.environment))


def guides(ask: Ask, given: Given) -> answers.Guides:
    """All guides."""
    return answers.Guides(tuple(ask.kb.guides()))


def guide(ask: Ask, given: Given) -> answers.Guides:
    """One guide."""
    return answers.Guides((ask.kb.guide(given.text("id")),))


def claims(ask: Ask, given: Given) -> answers.Claims:
    """Statements that fit the filters, and the documents that they stand in."""
    filters = {name: given.maybe(name) for name in ("verdict", "source", "about", "topic")}
    try:
        return statements(ask.kb, **filters)
    except NotFound as error:
        wrong = next(name for name, value in filters.items() if value == error.name)
        raise Refused(400, f"{wrong} {short(error.name)}: not known", error.nearest) from None


def stats(ask: Ask, given: Given) -> answers.Stats:
    """Counts."""
    return answers.Stats(**ask.once(KnowledgeBase.stats))


def port(ask: Ask, given: Given) -> answers.Ported:
    """PyTorch code as MindSpore code, or why there is none."""
    kb, code = _base(ask, given), given.text("code")
    done = porting.attempt(kb, code, given.maybe("probed") == "1")
    if (refusal := unreadable(done)) is not None:
        raise Refused(400, refusal.reason.en)
    return answers.Ported(done)


def posted(ask: Ask) -> dict[str, str]:
    """The arguments in the body of a request: code as it is, or a JSON object of arguments.

    Raises:
        Refused: it is neither.
    """
    kind = ask.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()
    if kind not in _CODE_TYPES:
        raise Refused(415, f'content type "{short(kind)}": one of {", ".join(_CODE_TYPES)}')
    try:
        written = ask.body.decode()
    except UnicodeDecodeError:
        raise Refused(400, "the body is not UTF-8") from None
    if kind != "application/json":
        return {"code": written}
    return _object(written)


def _object(written: str) -> dict[str, str]:
    try:
        found: Any = json.loads(written)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None
    if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
        raise Refused(400, 'the body is not an object of strings such as {"code": "..."}')
    return found
