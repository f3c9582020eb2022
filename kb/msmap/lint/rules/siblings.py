"""The rule about siblings: what bites in one bites in all, or is shown not to."""

from __future__ import annotations

from collections.abc import Collection

from msmap import kin, model
from msmap.lint import mend
from msmap.lint.rule import Found, Subject, rule
from msmap.messages import Message

_AGREES = ("same", "same-distribution")


@rule("record")
def siblings_agree(subject: Subject) -> Found:
    """A caveat of a sibling (torch.tanh, F.tanh, nn.Tanh) stands here too, or is shown not to."""
    written = subject.written
    cleared = {name: index for index, c in enumerate(written.checks) for name in c.clears}
    missing: dict[str, tuple[model.Caveat, list[str]]] = {}
    for other, caveat, keys in kin.expected(written.torch, subject.base.records, subject.base.kin):
        if not _agree(subject.record, caveat, keys):
            missing.setdefault(caveat.id, (caveat, []))[1].append(other.torch)
    for name, (caveat, others) in missing.items():
        if name not in cleared:
            text = Message(
                "no caveat `{}` as in {}, nor a check that clears it", name, ", ".join(others)
            )
            lines = mend.entries(written, ("caveats",), [_copied(caveat)], block=True)
            yield text, ("caveats",), lines
    for name, index in cleared.items():
        check, place = written.checks[index], ("checks", index)
        if name not in missing:
            yield (
                Message("check `{}` clears `{}`, of which no sibling tells", check.id, name),
                place,
            )
        elif check.expect not in _AGREES:
            yield Message("check `{}` expects no agreement, so it clears nothing", check.id), place


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


def _copied(caveat: model.Caveat) -> dict[str, object]:
    """A caveat as an entry, to be tried: its checks are to be written for this form."""
    made: dict[str, object] = {"id": caveat.id, "impact": caveat.impact}
    text = {"en": caveat.text.en, "zh": caveat.text.zh}
    shown = {"shown_by": caveat.shown_by, "variants": caveat.variants}
    made |= {"device": caveat.device} if caveat.device else {}
    return made | {"text": text} | {key: ids for key, ids in shown.items() if ids}
