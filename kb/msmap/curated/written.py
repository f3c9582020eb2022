"""The schemas of records and families as they are written: records leave things to families."""

from __future__ import annotations

from typing import Any

from msmap.curated.families import KINDS, LIKE, WITH

_NAME = {"type": "string", "description": "An entry of a family"}
_WITH = {
    "type": "object",
    "description": "What placeholders of the family stand for",
    "additionalProperties": True,
}
# The lists of a record and of a target whose entries may be a family's.
_LISTS = {
    "": {kind: kind for kind in ("targets", "caveats", "checks")},
    "Target": {"parameters": "parameters", "inputs": "parameters"},
}


def of_record(made: dict[str, Any]) -> dict[str, Any]:
    """The schema of records with ``like``: entries may be a family's, by name or with their own."""
    described = made["$defs"]
    for kind, model in KINDS.items():
        whole = described[model.__name__]
        own = {
            key: {"anyOf": [value, {"type": "null"}]} for key, value in whole["properties"].items()
        }
        described[_like(kind)] = {
            "type": "object",
            "description": "An entry of a family with keys of its own; null leaves one out",
            "properties": {LIKE: _NAME, WITH: _WITH, **own},
            "required": [LIKE],
            "additionalProperties": False,
        }
    for name, lists in _LISTS.items():
        for owner in (made,) if not name else (described[name], described[_like("targets")]):
            for key, kind in lists.items():
                _open(owner["properties"][key], kind)
    families = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    made["properties"] |= {
        LIKE: {**families, "description": "The families that the record is like"},
        WITH: _WITH,
    }
    return made


def of_family(made: dict[str, Any]) -> dict[str, Any]:
    """The schema of families: entries have keys of what they become, whose values may be open."""
    for kind, model in KINDS.items():
        keys: dict[str, Any] = {key: {} for key in model.model_fields}
        for name, field in model.model_fields.items():
            if field.description:
                keys[name] = {"description": field.description}
        entry = {"type": "object", "properties": keys, "additionalProperties": False}
        made["properties"][kind]["additionalProperties"] = entry
    return made


def _open(field: dict[str, Any], kind: str) -> None:
    """Let a list have names of a family's entries."""
    for place in (field, *field.get("anyOf", ())):
        if "items" in place:
            place["items"] = {"anyOf": [place["items"], {"$ref": f"#/$defs/{_like(kind)}"}, _NAME]}


def _like(kind: str) -> str:
    return f"Like{KINDS[kind].__name__}"
