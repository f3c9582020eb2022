"""What a scan found as SARIF 2.1.0, which code hosts and editors read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from msmap.model import Unread
from msmap.problems import Problem
from msmap.render import View, scan
from msmap.render.labels import SCAN, word
from msmap.scan import score
from msmap.scan.report import Report, Site, Unused
from msmap.scan.terms import RULES

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"missing": "error", "care": "warning", "unclear": "note", "ready": "none"}
# By rule, where it isn't its status that tells.
_OF_RULES = {"unread": "error", "unused-ignore": "note", "missing": "error"}
_ROOT = "SRCROOT"


def tell(answer: Report, view: View) -> Iterator[str]:
    """One run: a rule for each kind, a result for each finding and for what can't be read."""
    results = [_result(site, view) for site in score.findings(answer.sites)]
    results += [_unread(told, view) for told in answer.unread]
    results += [_unused(unused, view) for unused in answer.unused]
    # What nobody counts any more is told as suppressed.
    results += [
        {**_result(site, view), "suppressions": [_suppression(site)]}
        for site in answer.sites
        if site.state and site.rule
    ]
    used = {result["ruleId"] for result in results}
    rules = [rule for rule in RULES if rule in used]
    for result in results:
        result["ruleIndex"] = rules.index(result["ruleId"])
    run = {
        "tool": {
            "driver": {
                "name": "msmap",
                "semanticVersion": answer.version,
                "rules": [_rule(rule) for rule in rules],
                "properties": {"releases": answer.releases, "device": answer.device},
            }
        },
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "where the scan was run"}}},
        "results": results,
        "properties": {"counts": answer.counts.status, "certainty": answer.counts.certainty},
    }
    made = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    yield json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def problems(found: Sequence[Problem], documented: Mapping[str, str]) -> Iterator[str]:
    """One run of lint: a rule for each kind of problem in data files, a result for each.

    Args:
        found: the problems.
        documented: what rules ask for, by name; what no rule found has no text.
    """
    rules = sorted({problem.rule for problem in found})
    results = [
        {
            "ruleId": problem.rule,
            "ruleIndex": rules.index(problem.rule),
            "level": "error",
            "message": {"text": f"{problem.message}\n{problem.mend}".rstrip()},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": _artifact(problem.path.as_posix()),
                        "region": {"startLine": max(problem.line, 1)},
                    }
                }
            ],
        }
        for problem in found
    ]
    described = [
        {"id": rule, "fullDescription": {"text": documented.get(rule) or rule}} for rule in rules
    ]
    run = {
        "tool": {"driver": {"name": "msmap lint", "rules": described}},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "where lint was run"}}},
        "results": results,
    }
    made = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    yield json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def _rule(rule: str) -> dict[str, Any]:
    en, zh = RULES[rule]
    return {
        "id": rule,
        "name": "".join(part.capitalize() for part in rule.split("-")),
        "shortDescription": {"text": en},
        "fullDescription": {"text": f"{en} / {zh}"},
        "defaultConfiguration": {"level": _OF_RULES.get(rule, "warning")},
    }


def _result(site: Site, view: View) -> dict[str, Any]:
    said = scan.said(site, view.language)
    location: dict[str, Any] = {"artifactLocation": _artifact(site.path)}
    if site.cell is None:
        location["region"] = _region(site)
    else:
        said = f"{SCAN[view.language]['cell'].format(site.cell, site.line)}: {said}"
    found: dict[str, Any] = {
        "ruleId": site.rule,
        "level": _LEVELS[site.status],
        "message": {"text": said},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"msmapPlace/v1": site.fingerprint},
        "properties": {
            "status": site.status,
            "certainty": site.certainty,
            "apis": list(site.apis),
            "port": site.port,
            "caveats": [told.id for told in site.caveats if not told.mended],
        },
    }
    return found


def _region(site: Site) -> dict[str, int]:
    """Where a place stands, in UTF-16 code units from 1."""
    return {
        "startLine": site.line,
        "startColumn": site.utf16[0] + 1,
        "endLine": site.end_line,
        "endColumn": site.utf16[1] + 1,
    }


def _suppression(site: Site) -> dict[str, str]:
    return {"kind": "inSource" if site.state == "ignored" else "external"}


def _unread(told: Unread, view: View) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(told.path)}
    if told.line is not None:
        location["region"] = {"startLine": told.line}
    return {
        "ruleId": "unread",
        "level": "error",
        "message": {"text": told.reason.get(view.language)},
        "locations": [{"physicalLocation": location}],
    }


def _unused(unused: Unused, view: View) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(unused.path)}
    said = word(RULES, "unused-ignore", view.language)
    if unused.cell is None:
        location["region"] = {"startLine": unused.line}
    return {
        "ruleId": "unused-ignore",
        "level": "note",
        "message": {"text": ": ".join(filter(None, (said, ", ".join(unused.rules))))},
        "locations": [{"physicalLocation": location}],
    }


def _artifact(path: str) -> dict[str, str]:
    """A file by its address: relative to where the scan was run, or whole where it is elsewhere."""
    address = quote(path.encode(errors="surrogateescape"))
    if path.startswith("/"):
        return {"uri": f"file://{address}"}
    return {"uri": address, "uriBaseId": _ROOT}
