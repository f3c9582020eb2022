"""Records, probes, guides, statements and names out of what the store keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from msmap import claimed, model, tabled
from msmap.candidates import Candidate, Probe
from msmap.probed import Cell, Difference, Tally
from msmap.query.base import name_drift
from msmap.query.base.record_drift import CheckDrift, RecordDrift

# The columns of a name that tables of names share, in the order of ``api``.
API = "name, framework, kind, signatures, call, platforms, deprecated, since, changed, alias_of"


def api(row: Sequence[Any]) -> model.Api:
    """A public name from the columns ``API``, its release, and until when it existed."""
    signatures, call, platforms, changed = (tuple(json.loads(row[n])) for n in (3, 4, 5, 8))
    return model.Api(
        row[0], row[1], row[10], row[2], signatures, call, platforms, row[6], row[7], row[11],
        changed,
    )  # fmt: skip


def text(value: Any) -> model.Text | None:
    """A bilingual text, or None."""
    return None if value is None else model.Text(**value)


def _text(value: Any) -> model.Text:
    return model.Text(**value)


def _tuples(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    return data | {key: tuple(data[key]) for key in keys}


def _parameter(data: dict[str, Any]) -> model.Parameter:
    data = _tuples(data, "torch", "mindspore", "allow") | {"note": text(data["note"])}
    data["cases"] = tuple(
        model.Case(c["when"], c["set"], text(c["refuse"]), text(c["note"]), c["assumes"])
        for c in data["cases"]
    )
    return model.Parameter(**data)


def _target(data: dict[str, Any]) -> model.Target:
    data = _tuples(data, "signatures", "call", "runs_on", "ran_on", "given", "absent", "changed")
    data["parameters"] = tuple(map(_parameter, data["parameters"]))
    data["inputs"] = tuple(map(_parameter, data["inputs"]))
    data["state"] = tuple(model.State(**s | {"note": text(s["note"])}) for s in data["state"])
    if data["returns"] is not None:
        data["returns"] = model.Returns(
            **data["returns"] | {"text": _text(data["returns"]["text"])}
        )
    data["note"] = text(data["note"])
    return model.Target(**data)


def _caveat(data: dict[str, Any]) -> model.Caveat:
    both = {"text": _text(data["text"]), "unverified": text(data["unverified"])}
    when = data.get("when")
    if when is not None:
        when = model.When(**_tuples(when, "given", "omitted", "position"))
    return model.Caveat(**_tuples(data, "shown_by", "variants", "device") | both | {"when": when})


def evidence(data: dict[str, Any]) -> model.Evidence:
    """What came out of a check in an environment, from its fields."""
    variants = {name: model.Finding(**fields) for name, fields in data["variants"].items()}
    return model.Evidence(**_tuples(data, "unexplained") | {"variants": variants})


def _check(data: dict[str, Any]) -> model.Check:
    data = _tuples(data, "modes") | {"why": text(data["why"])}
    data["evidence"] = tuple(map(evidence, data["evidence"]))
    return model.Check(**data)


def record(data: dict[str, Any]) -> model.Record:
    """The record whose fields are ``data``."""
    data = _tuples(data, "signatures", "call", "overloads", "guides", "covers")
    return model.Record(
        **data
        | {
            "summary": _text(data["summary"]),
            "missing": text(data["missing"]),
            "targets": tuple(map(_target, data["targets"])),
            "caveats": tuple(map(_caveat, data["caveats"])),
            "checks": tuple(map(_check, data["checks"])),
            "references": tuple(model.Reference(**r) for r in data["references"]),
        }
    )


def probe(data: dict[str, Any]) -> Probe:
    """The probe whose fields are ``data``."""
    found = _tuples(data, "signatures", "call")
    return Probe(**found | {"candidates": tuple(map(_candidate, data["candidates"]))})


def _candidate(data: dict[str, Any]) -> Candidate:
    target = data["target"]
    read = _tuples(data, "runs_on") | {
        "differences": tuple(map(_difference, data["differences"])),
        "target": None if target is None else _target(target),
    }
    read |= {key: Tally(**data[key]) for key in ("values", "gradients", "errors")}
    for split in ("dtypes", "kinds"):
        read[split] = {key: Tally(**tally) for key, tally in data[split].items()}
    return Candidate(**read)


def _difference(data: dict[str, Any]) -> Difference:
    cells = tuple(Cell(**_tuples(cell, "kinds", "given")) for cell in data["cells"])
    return Difference(**_tuples(data, "dtypes", "kinds") | {"cells": cells})


def guide(data: dict[str, Any]) -> model.Guide:
    """The guide whose fields are ``data``."""
    sections = tuple(
        model.Section(
            **s
            | {
                "title": _text(s["title"]),
                "text": _text(s["text"]),
                "checks": tuple(map(_check, s["checks"])),
            }
        )
        for s in data["sections"]
    )
    return model.Guide(
        **_tuples(data, "records")
        | {
            "title": _text(data["title"]),
            "summary": _text(data["summary"]),
            "sections": sections,
            "references": tuple(model.Reference(**r) for r in data["references"]),
        }
    )


def claim(data: dict[str, Any]) -> claimed.Claim:
    """The statement whose fields are ``data``."""
    return claimed.Claim(
        **_tuples(data, "about", "contradicts")
        | {
            "title": _text(data["title"]),
            "says": _text(data["says"]),
            "now": text(data["now"]),
            "stands_in": tuple(claimed.Place(**p) for p in data["stands_in"]),
            "shown_by": tuple(claimed.Shown(**s) for s in data["shown_by"]),
            "tensorflow": claimed.Proof(**data["tensorflow"]) if data["tensorflow"] else None,
        }
    )


def row(data: dict[str, Any]) -> tabled.Row:
    """The row of a published table whose fields are ``data``."""
    tallies = {key: Tally(**data[key]) for key in ("values", "gradients")}
    sample = None if data["sample"] is None else _difference(data["sample"])
    return tabled.Row(**_tuples(data, "parameters") | tallies | {"sample": sample})


def source(data: dict[str, Any]) -> claimed.Source:
    """The document whose fields are ``data``."""
    sections = tuple(
        claimed.Part(s["id"], _text(s["title"]), tuple(s["covered_by"])) for s in data["sections"]
    )
    return claimed.Source(**data | {"title": _text(data["title"]), "sections": sections})


def record_drift(data: dict[str, Any]) -> RecordDrift:
    """What happens to a record between two releases, from its fields."""
    pairs = {k: _pair(data[k]) for k in ("category", "verification", "target", "example")}
    lists = {
        key: name_drift.Difference(**_tuples(data[key], "lost", "gained"))
        for key in ("targets", "caveats", "checks")
    }
    changed = tuple(map(_check_drift, data["changed"]))
    return RecordDrift(**data | pairs | lists | {"changed": changed})


def _check_drift(data: dict[str, Any]) -> CheckDrift:
    told = {key: _pair(data[key]) for key in ("port", "outcome")}
    variants = {name: name_drift.Pair(**pair) for name, pair in data["variants"].items()}
    facts = {name: (_fact(one), _fact(other)) for name, (one, other) in data["facts"].items()}
    return CheckDrift(**data | told | {"variants": variants, "facts": facts})


def _fact(value: Any) -> object:
    """A field of evidence: a text, a list of variants, or what a variant gave."""
    if isinstance(value, dict):
        return model.Finding(**value)
    return tuple(value) if isinstance(value, list) else value


def _pair(value: Any) -> name_drift.Pair | None:
    return None if value is None else name_drift.Pair(**value)
