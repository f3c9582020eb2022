"""Which caveats of the records explain a difference, and what shows that they do."""

from __future__ import annotations

from collections.abc import Iterator

from msmap.compare.terms import Cause, Facts, Finding
from msmap.model import Caveat
from msmap.recording.model import Layer

# What a caveat about the values that a layer begins with says in its name.
_BEGINNING = ("checkpoint", "table", "random", "order-of-parameters", "weight", "starts-random")


def of(finding: Finding, facts: Facts, layers: dict[str, Layer]) -> list[Cause]:
    """The caveats that explain a finding, those that are shown first; empty if none does."""
    name = finding.torch_name
    if not name:
        return []
    record = facts.named(name)
    known = facts.caveats(name, finding.mindspore_name)
    found = list(_found(finding, record, known))
    if finding.stage == "mode" and not found:
        known = facts.caveats("torch.nn.Module", "mindspore.nn.Cell")
        found = [_cause("torch.nn.Module", c, "mode") for c in known if by_mode(c)]
    return found


def by_mode(caveat: Caveat) -> bool:
    """Whether a caveat is about training and evaluation mode."""
    return caveat.when is not None and caveat.when.on == "mode"


def _found(finding: Finding, record: str, known: tuple[Caveat, ...]) -> Iterator[Cause]:
    if finding.arguments:
        names = {n for a in finding.arguments for n in (a.torch, a.mindspore) if n}
        for caveat in known:
            if caveat.parameter in names and caveat.impact != "error":
                yield _cause(record, caveat, "arguments")
        return
    if finding.stage == "mode":
        for caveat in known:
            if by_mode(caveat):
                yield _cause(record, caveat, "mode")
        return
    if finding.stage in ("state", "layers"):
        for caveat in known:
            if any(word in caveat.id for word in _BEGINNING):
                yield _cause(record, caveat, "state")
        return
    if finding.stage in ("forward", "loss", "gradient", "parameters"):
        for caveat in known:
            on = "" if caveat.when is None else caveat.when.on
            if caveat.impact == "silent" and on in ("inputs", "call", "elsewhere"):
                yield _cause(record, caveat, "unproved")


def _cause(record: str, caveat: Caveat, shown_by: str) -> Cause:
    return Cause(
        record, caveat.id, caveat.impact, caveat.parameter or "", shown_by, caveat.text.en,
        caveat.text.zh, caveat.shown_by,
    )  # fmt: skip
