"""What happens to a record, or to the checks of a guide, from one MindSpore release to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter

from msmap import model, vocabulary
from msmap.evidence.names import parse
from msmap.query.base.name_drift import Difference, Pair
from msmap.vocabulary import OUTCOMES

# What happens to a record, the worst first, in both languages.
EFFECTS: dict[str, tuple[str, str]] = {
    "lost": ("no counterpart any more", "不再有对应接口"),
    "unported": ("can't be ported any more", "无法再转写"),
    "refuted": ("a check fails now", "有检查不再通过"),
    "target": ("another best target", "首选接口改变"),
    "category": ("another category of difference", "差异类别改变"),
    "port": ("ported otherwise", "转写结果改变"),
    "gained": ("has a counterpart now", "现有对应接口"),
    "record": ("other targets, caveats or checks", "对应接口、注意事项或检查有增减"),
    "outcome": ("another outcome", "检查结论改变"),
    "variant": ("a variant comes out otherwise", "有变体结论改变"),
    "evidence": ("only figures or messages differ", "仅数值或消息不同"),
}


@dataclass(frozen=True, slots=True)
class CheckDrift:
    """A check that is ported otherwise, or came out otherwise in an environment of both releases.

    ``variants`` are those with another outcome; ``facts`` are the other fields of the evidence, and
    the findings of other variants, that differ, as pairs of before and after.
    """

    id: str
    target: str
    port: Pair | None
    outcome: Pair | None
    message: str
    variants: dict[str, Pair]
    facts: dict[str, tuple[object, object]]


@dataclass(frozen=True, slots=True)
class RecordDrift:
    """What happens to a record or, with checks alone, to a guide; ``effect`` is the worst of it."""

    name: str
    effect: str
    category: Pair | None
    verification: Pair | None
    target: Pair | None
    targets: Difference
    caveats: Difference
    checks: Difference
    example: Pair | None
    changed: tuple[CheckDrift, ...]


def _pair(before: str, after: str) -> Pair | None:
    return None if before == after else Pair(before, after)


def _difference(before: Iterable[str], after: Iterable[str]) -> Difference:
    old, new = list(before), list(after)
    return Difference(
        tuple(key for key in old if key not in new), tuple(key for key in new if key not in old)
    )


def record(
    before: model.Record, after: model.Record, environments: Sequence[str]
) -> RecordDrift | None:
    """What happens to a record, or None; ``environments`` are those that both releases have
    evidence of, without MindSpore's release: outcomes are compared there alone.
    """
    old, new = (r.targets[0].key if r.targets else "" for r in (before, after))
    changed = _checks(before.checks, after.checks, environments)
    found = RecordDrift(
        name=before.torch,
        effect="",
        category=_pair(before.category, after.category),
        verification=_pair(before.verification, after.verification) if environments else None,
        target=_pair(old, new),
        targets=_difference((t.key for t in before.targets), (t.key for t in after.targets)),
        caveats=_difference((c.id for c in before.caveats), (c.id for c in after.caveats)),
        checks=_difference((c.id for c in before.checks), (c.id for c in after.checks)),
        example=_pair(before.example_mindspore, after.example_mindspore),
        changed=changed,
    )
    return _judged(found)


def shared(found: RecordDrift | None, name: str) -> RecordDrift | None:
    """What happens to a name that shares the answer of a record, which has no example."""
    if found is None:
        return None
    values = {f.name: getattr(found, f.name) for f in fields(found)}
    return _judged(RecordDrift(**values | {"name": name, "example": None}))


def guide(
    name: str,
    before: tuple[model.Check, ...],
    after: tuple[model.Check, ...],
    environments: Sequence[str],
) -> RecordDrift | None:
    """What happens to the checks of a guide, whose owner is ``name``, or None."""
    none = Difference((), ())
    ids = _difference((c.id for c in before), (c.id for c in after))
    changed = _checks(before, after, environments)
    return _judged(RecordDrift(name, "", None, None, None, none, none, ids, None, changed))


def _judged(found: RecordDrift) -> RecordDrift | None:
    """The drift with its worst effect, or None if there is no drift."""
    outcomes = [c.outcome for c in found.changed if c.outcome is not None]
    differences = (found.targets, found.caveats, found.checks)
    happened = {
        "lost": found.target is not None and not found.target.after,
        "unported": found.example is not None and not found.example.after,
        "refuted": any(
            OUTCOMES[o.after].failed and not OUTCOMES[o.before].failed
            for o in (*outcomes, *([found.verification] if found.verification else []))
        ),
        "gained": found.target is not None and not found.target.before,
        "target": found.target is not None,
        "category": found.category is not None,
        "port": found.example is not None or any(c.port is not None for c in found.changed),
        "record": any(d.lost or d.gained for d in differences),
        "outcome": bool(outcomes) or found.verification is not None,
        "variant": any(c.variants for c in found.changed),
        "evidence": bool(found.changed),
    }
    if happened["gained"]:
        # All else follows from it, and none of it is a loss.
        happened |= {"target": False, "category": False, "port": False}
    effect = next((effect for effect in EFFECTS if happened[effect]), None)
    if effect is None:
        return None
    values = {f.name: getattr(found, f.name) for f in fields(found)}
    return RecordDrift(**values | {"effect": effect})


def _checks(
    before: Sequence[model.Check], after: Sequence[model.Check], environments: Sequence[str]
) -> tuple[CheckDrift, ...]:
    """The checks of both releases that differ: outcomes first, then ports, variants, figures."""
    theirs = {check.id: check for check in after}
    found = []
    for check in before:
        other = theirs.get(check.id)
        if other is None:
            continue
        port = _pair(check.mindspore, other.mindspore)
        were, are = _by_environment(check), _by_environment(other)
        for environment in environments or ("",):
            old, new = were.get(environment), are.get(environment)
            # Nearly always all is the same, and there are a million pairs to see that of.
            if port is not None or _said(old) != _said(new):
                drift = _evidence(other, old, new, port)
                if drift.port or drift.outcome or drift.variants or drift.facts:
                    found.append(drift)
            port = None
    return tuple(sorted(found, key=lambda c: (c.outcome is None, c.port is None, not c.variants)))


def _by_environment(check: model.Check) -> dict[str, model.Evidence]:
    """What came out of a check, by the name of where without MindSpore's release."""
    return {_elsewhere(e.environment): e for e in reversed(check.evidence)}


@cache
def _elsewhere(environment: str) -> str:
    return parse(environment).elsewhere


_FACTS = tuple(
    field.name
    for field in fields(model.Evidence)
    if field.name not in ("environment", "outcome", "variants")
)
_facts = attrgetter(*_FACTS)
_all_said = attrgetter("outcome", "variants", *_FACTS)


def _said(evidence: model.Evidence | None) -> tuple[object, ...] | None:
    """All of what came out but where."""
    return None if evidence is None else _all_said(evidence)


def _evidence(
    check: model.Check, old: model.Evidence | None, new: model.Evidence | None, port: Pair | None
) -> CheckDrift:
    """How what came out of a check, and its port, differ; the check is the newer one."""
    outcome = _pair(old.outcome if old else "unverified", new.outcome if new else "unverified")
    message = new.message if new is not None and outcome is not None else ""
    variants: dict[str, Pair] = {}
    facts: dict[str, tuple[object, object]] = {}
    if old is not None and new is not None:
        for name, *pair in zip(_FACTS, _facts(old), _facts(new), strict=True):
            if pair[0] != pair[1]:
                facts[name] = pair[0], pair[1]
        for name in filter(new.variants.__contains__, old.variants):
            one, two = old.variants[name], new.variants[name]
            if one.outcome != two.outcome:
                variants[name] = Pair(one.outcome, two.outcome)
            elif one != two:
                facts[name] = (one, two)
    return CheckDrift(check.id, check.target, port, outcome, message, _sorted(variants), facts)


def _sorted(variants: dict[str, Pair]) -> dict[str, Pair]:
    """Variants in the order of their vocabulary."""
    return {name: variants[name] for name in vocabulary.VARIANTS if name in variants}
