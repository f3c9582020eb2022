"""The rule about forms of one operation: what bites in one bites in the others, or is shown not to."""

from __future__ import annotations

from collections.abc import Collection

from msmap import kin, model
from msmap.lint.rule import Found, Subject, rule

_AGREES = ("same", "same-distribution")


@rule("record")
def siblings_agree(subject: Subject) -> Found:
    """A caveat of another form (torch.tanh, F.tanh, nn.Tanh) stands here too, or is shown not to.

    It is to be tried where a target of both rests on one operation of MindSpore's. What agrees
    instead is a check with `clears: [its id]`; a caveat of `variants` alone is cleared where all of
    them agree. What no other form has is `own: true` in the record that tells of it.
    """
    cleared = {
        name: index
        for index, check in enumerate(subject.written.checks)
        for name in check.clears
    }
    told: dict[str, list[str]] = {}
    for other, caveat, keys in kin.expected(subject.record.torch, subject.base.records):
        if not _agree(subject.record, caveat, keys):
            told.setdefault(caveat.id, []).append(other.torch)
    for name, others in told.items():
        if name not in cleared:
            yield f"no caveat `{name}`, of which {', '.join(others)} tells", ("caveats",)
    for name, index in cleared.items():
        check = subject.written.checks[index]
        if name not in told:
            yield f"check `{check.id}` clears `{name}`, of which no form tells", ("checks", index)
        elif check.expect not in _AGREES:
            yield f"check `{check.id}` expects no agreement, so it clears nothing", ("checks", index)


def _agree(record: model.Record, caveat: model.Caveat, keys: Collection[str]) -> bool:
    """Whether the variants that alone show a caveat agree wherever they are run on some targets."""
    if caveat.shown_by or not caveat.variants:
        return False
    found = {
        finding.outcome
        for check in record.checks
        if check.target in keys
        for evidence in check.evidence
        for name, finding in evidence.variants.items()
        if name in caveat.variants
    }
    return "agrees" in found and found <= {"agrees", "refused"}
