"""What the checks of a record share."""

from __future__ import annotations

from typing import Any


def share_inputs(data: dict[str, Any]) -> None:
    """Put inputs that several checks have at the top of the record."""
    uses: dict[str, dict[str, int]] = {}
    for check in data["checks"]:
        for name, spec in check.get("inputs", {}).items():
            if isinstance(spec, str):
                counts = uses.setdefault(name, {})
                counts[spec] = counts.get(spec, 0) + 1
    shared = {n: max(counts, key=lambda spec: counts[spec]) for n, counts in uses.items()}
    shared = {n: spec for n, spec in shared.items() if uses[n][spec] > 1}
    data["checks"] = [_own(check, shared) for check in data["checks"]]
    data["inputs"] = shared


def _own(check: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    """A check with the inputs that are its own."""
    inputs = {n: s for n, s in check.get("inputs", {}).items() if shared.get(n) != s}
    return {name: value for name, value in (check | {"inputs": inputs}).items() if value != {}}
