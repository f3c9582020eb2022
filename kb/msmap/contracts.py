"""The JSON Schemas of what people write, commands print and the API answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from msmap import atomic, model, vocabulary
from msmap.compare import report as comparing
from msmap.curated import claims, families, finding, schema, tables, written
from msmap.evidence import environments
from msmap.query.base.record_drift import EFFECTS
from msmap.query.drift import drift
from msmap.query.names import answers
from msmap.scan import report

SHIPPED = Path(__file__).with_name("schemas")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_FILES: dict[str, Any] = {
    "record": schema.Record,
    "guide-file": schema.Guide,
    "claims-file": claims.Claims,
    "source-file": claims.Source,
    "table-file": tables.Table,
    "synonyms-file": finding.Synonyms,
    "mistake-file": finding.Mistake,
    "family-file": families.Family,
}
_OUTPUTS: dict[str, Any] = {
    "lookup": answers.Lookup,
    "lookup-summary": answers.Briefs,
    "search": answers.Search,
    "explain": answers.Explained,
    "list": answers.List,
    "port": answers.Ported,
    "port-files": answers.PortedFiles,
    "guide": answers.Guides,
    "claims": answers.Claims,
    "stats": answers.Stats,
    "coverage": answers.Coverage,
    "names": answers.Names,
    "scan": report.Report,
    "compare": comparing.Compared,
    "weights": comparing.Checked,
    "drift": drift.Drift,
    "evidence-show": answers.Proof,
    "evidence-run": answers.Repeat,
    "evidence-diff": environments.Comparison,
    "error": answers.Error,
    "record-line": model.Record,
    "evidence-line": answers.Outcome,
}


# Closed lists, by the object that has them and its field.
_CLOSED: dict[str, dict[str, Iterable[str]]] = {
    "Record": {"category": vocabulary.CATEGORIES, "verification": vocabulary.VERIFICATIONS},
    "Target": {
        "category": vocabulary.CATEGORIES,
        "verification": vocabulary.VERIFICATIONS,
        "reason": ("", *vocabulary.UNTESTABLE_REASONS),
        "runs_on": vocabulary.PLATFORMS,
        "ran_on": vocabulary.PLATFORMS,
    },
    "Summary": {
        "category": vocabulary.CATEGORIES,
        "verification": vocabulary.VERIFICATIONS,
        "runs_on": vocabulary.PLATFORMS,
        "ran_on": vocabulary.PLATFORMS,
        "reason": ("", *vocabulary.NOT_PROBED),
    },
    "Short": {
        "kind": ("record", "probe", "reverse"),
        "category": ("", *vocabulary.CATEGORIES),
        "verification": ("", *vocabulary.VERIFICATIONS),
        "runs_on": vocabulary.PLATFORMS,
        "ran_on": vocabulary.PLATFORMS,
        "reason": ("", *vocabulary.NOT_PROBED),
    },
    "Parameter": {"relation": vocabulary.RELATIONS},
    "Caveat": {"impact": vocabulary.IMPACTS, "device": vocabulary.PLATFORMS},
    "Told": {
        "on": vocabulary.TRIGGERS,
        "impact": vocabulary.IMPACTS,
        "device": vocabulary.PLATFORMS,
    },
    "When": {"on": vocabulary.TRIGGERS},
    "Evidence": {
        "outcome": vocabulary.VERIFICATIONS,
        "reason": ("", *vocabulary.UNTESTABLE_REASONS),
    },
    "Finding": {"outcome": vocabulary.VARIANT_OUTCOMES},
    "Check": {"expect": get_args(vocabulary.Expect), "modes": get_args(vocabulary.Mode)},
    "Reference": {"kind": get_args(vocabulary.ReferenceKind)},
    "Refusal": {"kind": vocabulary.REFUSALS},
    "Claim": {"verdict": vocabulary.VERDICTS},
    "Hit": {
        "kind": ("record", "guide", "probe"),
        "by": ("name", "message", "words", "guess"),
    },
    "Probe": {"reason": ("", *vocabulary.NOT_PROBED), "stale": ("", *vocabulary.STALE)},
    "Candidate": {"runs_on": vocabulary.PLATFORMS},
    "Unrecorded": {"reason": ("", *vocabulary.NOT_PROBED)},
    "Difference": {"outcome": vocabulary.PROBE_OUTCOMES},
    "RecordDrift": {"effect": EFFECTS},
}


def _closed(made: dict[str, Any]) -> dict[str, Any]:
    """A schema in which the fields of closed lists say what may stand in them."""
    for name, found in [(made.get("title", ""), made), *made.get("$defs", {}).items()]:
        # Two classes of one name have their modules in front.
        for key, values in _CLOSED.get(name.rpartition("__")[2], {}).items():
            place = found.get("properties", {}).get(key, {})
            place = place.get("items", place)
            if place.get("type") == "string":
                place["enum"] = list(values)
    return made


class _Written(GenerateJsonSchema):
    """What is written, not what is taken: the version is always there, though nobody gives it."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return field.get("name") == "schema_version" or super().field_is_required(field, total)


class _Light(_Written):
    """What has no evidence unless all of it is asked for."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return field.get("name") != "evidence" and super().field_is_required(field, total)


# What is written otherwise than it is read.
_AS_WRITTEN: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "record": written.of_record,
    "family-file": written.of_family,
}
# Commands that print what came out of checks with ``-v`` alone.
_LIGHT = ("lookup", "guide")


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by name: of files (record, guide-file, ...), of commands' and the API's JSON."""
    found = {}
    for name, described in (_FILES | _OUTPUTS).items():
        adapter = TypeAdapter(described)
        if name in _FILES:
            made = _AS_WRITTEN.get(name, dict)(adapter.json_schema())
        else:
            generator = _Light if name in _LIGHT else _Written
            made = adapter.json_schema(mode="serialization", schema_generator=generator)
        found[name] = {"$schema": _DIALECT, **(made if name in _FILES else _closed(made))}
    return found


def json_value(answered: Any) -> Any:
    """An answer as JSON carries it: tuples are lists."""
    return json.loads(json.dumps(answers.plain(answered)))


def text(made: dict[str, Any]) -> str:
    """A schema as it stands in its file."""
    return json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write(directory: Path) -> list[Path]:
    """Write all schemas to a directory, one file each."""
    paths = []
    for name, made in schemas().items():
        paths.append(directory / f"{name}.json")
        atomic.write(paths[-1], text(made))
    return paths
