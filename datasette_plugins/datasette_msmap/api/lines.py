"""Everything at once: records and evidence as ND-JSON, in files that are made once."""

from __future__ import annotations

from datasette_msmap.api.table import Given
from datasette_msmap.web import encoding, packing
from datasette_msmap.web.responses import Answer, Ask

NDJSON = "application/x-ndjson; charset=utf-8"


def records(ask: Ask, given: Given) -> Answer:
    """Every record, a line each, by name."""
    return _answer(ask, "record-line", "records.ndjson")


def evidence(ask: Ask, given: Given) -> Answer:
    """What came out of every check in every environment, a line each."""
    return _answer(ask, "evidence-line", "evidence.ndjson")


def _answer(ask: Ask, schema: str, name: str) -> Answer:
    place = packing.packed(ask, name)
    told = encoding.described(ask, schema)
    return Answer(b"", NDJSON, shared=True, headers=told, packed=place)
