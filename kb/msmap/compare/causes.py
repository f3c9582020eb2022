"""Which caveats of the records explain a difference, and what shows that they do."""

from __future__ import annotations

from collections.abc import Iterator

from msmap.compare.terms import Cause, Facts, Finding
from msmap.model import Caveat

# What a caveat about the values that a layer begins with says in its name.
_BEGINNING = ("checkpoint", "table", "random", "order-of-parameters")
# Sections of guides that tell what no record of one layer does, by the kind of a finding.
_GUIDES = {
    "untied": ("parameters", "tied"),
    "tied_there": ("parameters", "tied"),
    "state_turned": ("checkpoints-across-frameworks", "order-and-shape"),
    "state_begins": ("checkpoints-across-frameworks", "names"),
}


def of(finding: Finding, facts: Facts) -> list[Cause]:
    """The caveats that explain a finding, those that are shown first; empty if none does."""
    name = finding.torch_name
    record = facts.named(name) if name else ""
    known = facts.caveats(name, finding.mindspore_name) if name else ()
    found = list(_found(finding, record, known, facts))
    if not found and finding.arguments and name:
        # What is known of the layer bites whoever writes the function: it is mixed up with it.
        akin = facts.akin(name, _parameters(finding, facts))
        found = [_cause(form, c, "form") for form, c in akin if c.impact == "silent"]
    if not found and finding.kind in _GUIDES:
        guide, part = _GUIDES[finding.kind]
        section = facts.section(guide, part)
        if section is not None:
            text, checks = section
            found = [Cause(f"guide:{guide}", part, "silent", "", "state", text.en, text.zh, checks)]
    if finding.stage == "mode" and not found:
        known = facts.caveats("torch.nn.Module", "mindspore.nn.Cell")
        found = [_cause("torch.nn.Module", c, "mode") for c in known if by_mode(c)]
    return found


def by_mode(caveat: Caveat) -> bool:
    """Whether a caveat is about training and evaluation mode."""
    return caveat.when is not None and caveat.when.on == "mode"


def _found(
    finding: Finding, record: str, known: tuple[Caveat, ...], facts: Facts
) -> Iterator[Cause]:
    if finding.arguments:
        names = _parameters(finding, facts)
        for caveat in known:
            if caveat.parameter in names and caveat.impact != "error":
                yield _cause(record, caveat, "arguments")
        return
    if finding.stage == "mode":
        for caveat in known:
            if by_mode(caveat):
                yield _cause(record, caveat, "mode")
        return
    if finding.kind in ("state_begins", "state_shape"):
        for caveat in known:
            if any(word in caveat.id for word in _BEGINNING):
                yield _cause(record, caveat, "state")
        return
    # What is said of all modules explains no numbers of one.
    if finding.torch_name == "torch.nn.Module":
        return
    if finding.stage in ("forward", "loss", "gradient", "parameters"):
        for caveat in known:
            on = "" if caveat.when is None else caveat.when.on
            if caveat.impact == "silent" and on in ("inputs", "call", "elsewhere"):
                yield _cause(record, caveat, "unproved")


def _parameters(finding: Finding, facts: Facts) -> frozenset[str]:
    """The names of the arguments that differ, and of all that become the same one."""
    api = finding.torch_name, finding.mindspore_name
    names = frozenset(n for a in finding.arguments for n in (a.torch, a.mindspore) if n)
    return names.union(*(facts.becoming(*api, a.mindspore) for a in finding.arguments))


def _cause(record: str, caveat: Caveat, shown_by: str) -> Cause:
    return Cause(
        record, caveat.id, caveat.impact, caveat.parameter or "", shown_by, caveat.text.en,
        caveat.text.zh, caveat.shown_by,
    )  # fmt: skip
