"""Rules about PyTorch's own samples: what a record's port gets wrong has to be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from msmap.curated import schema
from msmap.evidence import probes, summary
from msmap.evidence.verification import counting
from msmap.lint import mend
from msmap.lint.rule import Found, Subject, rule
from msmap.messages import Message
from msmap.probed import Candidate, Cell, Difference, Probe, Tally, aspects
from msmap.releases import within
from msmap.sample_words import KINDS
from msmap.vocabulary import CHANCE, PROBE_OUTCOMES

# Variants of checks that are kinds of samples under another name.
_KINDS = {"zero-d": "0-d"} | {kind: kind for kind in KINDS}
# What the rewriter refuses it gives a reason for; what PyTorch refuses is no sample of an answer.
_SAID = ("refused", "accepts", "inconclusive")
_RAISES = ("raises", "no_kernel")
_RESULTS = ("differs", "gradient_differs")
# Ways in which results differ that say how much: by no more than rounding, in what they are alone.
_WAYS = ("less than 0.001", "dtype", "shape", "structure")
# How variants of checks came out that say the same of a kernel that isn't there.
_SHOWN = {"no_kernel": ("no_kernel",), "gradient_raises": ("no_kernel", "forward_only")}


@rule("record")
def samples_are_told(subject: Subject) -> Found:
    """What the port gets wrong of PyTorch's samples is in a caveat's `samples` or `variants`.

    What the rewriter refuses is told, and so are a dtype and a kind of input of which the target
    takes none, or has no kernel, of the gradient alone too, as checks show. Where other names were
    probed, every record's is, with each of its targets.
    """
    name = subject.written.torch
    probe = _probe(subject)
    if isinstance(probe, str):
        yield probe, (), mend.command("probe", name)
    untried = list(_untried(subject, probe)) if not isinstance(probe, str) else []
    if probe is None and subject.found.probes and untried:
        yield Message("never tried on PyTorch's samples"), (), mend.command("probe", name)
    for place, key in untried if probe is not None else ():
        text = Message("{} was never tried on PyTorch's samples", key)
        yield text, ("targets", place), mend.command("probe", name)
    for candidate in probe.candidates if isinstance(probe, Probe) else ():
        for difference in candidate.differences:
            cells = untold(subject, candidate, difference)
            if cells:
                yield (
                    Message("{}: {}", candidate.key, _untold(difference, cells)),
                    (),
                    _lines(subject, candidate, difference, cells),
                )


def untold(subject: Subject, candidate: Candidate, difference: Difference) -> list[Cell]:
    """The samples of a difference of which neither the record nor its checks tell."""
    shown = _shown(subject, candidate, difference)
    return [
        cell
        for cell in difference.cells
        if shown.isdisjoint((cell.dtype, *cell.kinds))
        and not _told(subject, candidate, difference, cell)
    ]


def _probe(subject: Subject) -> Probe | str | None:
    """What was found of the record's name; a sentence where that can't be read."""
    line = subject.found.probes.get(subject.written.torch)
    if line is None:
        return None
    try:
        return probes.parse(line.text)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        return Message("{}:{}: not a probe ({})", line.path, line.number, error)


def _untried(subject: Subject, probe: Probe | None) -> Iterator[tuple[int, str]]:
    """The targets that the record got after its name was tried: their places and keys.

    One that drops the call gives no answer, and one of another release is none here.
    """
    candidates = probe.candidates if probe is not None else ()
    tried = {c.key for c in candidates if c.found == "record"}
    release = subject.base.mindspore.release
    for place, target in enumerate(subject.written.targets):
        here = not target.remove and within(release, target.mindspore)
        if here and target.key not in tried:
            yield place, target.key


def _shown(subject: Subject, candidate: Candidate, difference: Difference) -> set[str]:
    """The dtypes and kinds of which the record's checks show that a kernel is missing."""
    if difference.outcome != "no_kernel" and not difference.message.startswith("no kernel"):
        return set()
    checks = summary.of(c for c in subject.record.checks if c.target == candidate.key)
    variants = checks.variants if checks is not None else {}
    outcomes = _SHOWN.get(difference.outcome, ())
    return {_KINDS.get(name, name) for o in outcomes for name in variants.get(o, ())}


def _told(subject: Subject, candidate: Candidate, difference: Difference, cell: Cell) -> bool:
    """Whether a reader of the record knows of some samples that differ."""
    if difference.outcome in _SAID:
        return True
    if difference.outcome in _RAISES and _takes_none(candidate, cell):
        return True
    caveats = [c for c in subject.written.caveats if c.target in (None, candidate.key)]
    return all(_told_by_one(subject, candidate, part, cell, caveats) for part in _parts(difference))


def _told_by_one(
    subject: Subject, candidate: Candidate, difference: Difference, cell: Cell,
    caveats: Sequence[schema.Caveat],
) -> bool:  # fmt: skip
    """Whether a caveat tells of samples that differ in one way."""
    if any(_fits(told, difference, cell) for caveat in caveats for told in caveat.samples):
        return True
    return any(
        _varies(name, difference, cell) and _as_seen(subject, candidate, name, difference)
        for caveat in caveats
        for name in caveat.variants
    )


def _parts(difference: Difference) -> list[Difference]:
    """Each way in which results differ by itself: who tells that indices are int32 doesn't tell
    that they are others.
    """
    if difference.outcome not in _RESULTS:
        return [difference]
    # What says nothing of a way shows what came out, or was cut.
    ways = [part for part in difference.message.split("; ") if aspects(part) != {"form"}]
    return [replace(difference, message=part) for part in ways] or [difference]


def _takes_none(candidate: Candidate, cell: Cell) -> bool:
    """Whether all samples of the dtype, or of a kind, raise: the record says so by itself."""
    tallies = [candidate.dtypes.get(cell.dtype)]
    tallies += [candidate.kinds.get(kind) for kind in cell.kinds if kind != "plain"]
    return any(tally is not None and tally.tried > 1 and not tally.agreed for tally in tallies)


def _varies(variant: str, difference: Difference, cell: Cell) -> bool:
    """Whether samples are of the inputs that a variant of checks has."""
    if difference.outcome == "in_place" and variant == "in-place":
        return True
    return variant == cell.dtype or _KINDS.get(variant) in cell.kinds


def _as_seen(
    subject: Subject, candidate: Candidate, variant: str, difference: Difference
) -> bool:  # fmt: skip
    """Whether a variant shows results that differ so: who reads that it rounds isn't told of
    results that are wrong. Of nothing any result may come.
    """
    if difference.outcome not in _RESULTS or variant == "empty":
        return True
    shown = (counting(c) for c in subject.record.checks if c.target == candidate.key)
    found = [e.variants[variant] for e in shown if e is not None and variant in e.variants]
    seen = (aspects(f.message) for f in found if f.outcome == "differs")
    return aspects(difference.message) <= frozenset().union(*seen)


def _fits(told: schema.Told, difference: Difference, cell: Cell) -> bool:
    return (
        difference.outcome in (told.outcomes or (difference.outcome,))
        and cell.dtype in (told.dtypes or (cell.dtype,))
        and (not told.kinds or not set(told.kinds).isdisjoint(cell.kinds))
        and set(told.given) <= set(cell.given)
        and told.message in difference.message
    )


def _untold(difference: Difference, cells: list[Cell]) -> str:
    count = sum(cell.count for cell in cells)
    dtypes = ", ".join(sorted({c.dtype for c in cells if c.dtype}))
    kinds = ", ".join(sorted({kind for c in cells for kind in c.kinds}))
    what = PROBE_OUTCOMES[difference.outcome][0]
    said = f": {difference.message}" if difference.message else ""
    code = difference.torch.replace("\n", "; ")
    samples = Message("1 sample") if count == 1 else Message("{} samples", count)
    return Message("{} ({}; {}), {}{}; as `{}`", samples, dtypes, kinds, what, said, code)


def _lines(
    subject: Subject, candidate: Candidate, difference: Difference, cells: list[Cell]
) -> str:
    """A caveat that tells of samples, and a check that shows it by the shortest of them."""
    name = mend.slug(difference.outcome, *difference.sample.split("-")[:2])
    several = len(subject.written.targets) > 1
    where = {
        "outcomes": [difference.outcome],
        "dtypes": sorted({c.dtype for c in cells if c.dtype}),
    }
    raises = difference.outcome in (*_RAISES, "gradient_raises")
    caveat = mend.caveat(
        mend.TODO,
        impact="error" if raises else "silent",
        **({"target": candidate.key} if several else {}),
        shown_by=[name],
        samples=[{key: value for key, value in where.items() if value}],
    )
    expect = "raises" if raises else "differs"
    check = mend.check(name, difference.torch, inputs=difference.inputs, expect=expect)
    written = subject.written
    return "\n".join(
        (mend.entries(written, ("caveats",), [caveat], block=True),
         mend.entries(written, ("checks",), [check], block=True))
    )  # fmt: skip


@rule("record")
def samples_say_what_differs(subject: Subject) -> Found:
    """Samples of a caveat that all differ in one way are told of by it, in their `message`.

    Who tells of results that are rounded, or of another dtype, whatever the message, would tell of
    results that are wrong too, the day they are.
    """
    probe = _probe(subject)
    for index, caveat in enumerate(subject.written.caveats):
        for place, told in enumerate(caveat.samples if isinstance(probe, Probe) else ()):
            assert isinstance(probe, Probe)
            word = "" if told.message else _common(told, caveat, probe)
            if word:
                where = ("caveats", index, "samples", place)
                yield (
                    Message("caveat `{}`: all that these samples show is `{}`", caveat.id, word),
                    where,
                    mend.key(where, "message", word),
                )


def _common(told: schema.Told, caveat: schema.Caveat, probe: Probe) -> str:
    """What all messages of the samples of which an entry tells have in common; "" for nothing."""
    own = (c for c in probe.candidates if c.found == "record" and caveat.target in (None, c.key))
    fit = [d for c in own for d in c.differences if any(_fits(told, d, x) for x in d.cells)]
    if any(d.outcome not in _RESULTS for d in fit):
        return ""
    messages = {d.message for d in fit}
    return next((w for w in _WAYS if messages and all(w in message for message in messages)), "")


@rule("record")
def best_target_is_best(subject: Subject) -> Found:
    """No other candidate agrees on more of PyTorch's samples than the first target.

    Where one does, it comes first, or `first` of the target says why not.
    """
    probe = _probe(subject)
    if not isinstance(probe, Probe) or not subject.written.targets:
        return
    first = subject.written.targets[0]
    own = [c for c in probe.candidates if c.found == "record"]
    mine = next((c for c in own if c.key == first.key), None)
    if mine is None or first.first is not None or first.given or first.absent:
        return
    most = max((c.values.tried for c in own), default=0)
    for other in probe.candidates:
        if other.values.tried >= most and _better(other, mine):
            text = Message(
                "{} agrees on {} of PyTorch's samples, {} on {}",
                other.key,
                _counted(other.values),
                mine.key,
                _counted(mine.values),
            )
            yield text, ("targets", 0), mend.key(("targets", 0), "first", mend.TEXTS)
            return


def _better(other: Candidate, mine: Candidate) -> bool:
    """Whether it agrees on a larger part of the samples, chance left out.

    Where nothing is summed, the result may be memory that nobody wrote to: sometimes zeros.
    """
    chance = [d for c in (mine, other) for d in c.differences if d.message in CHANCE]
    kinds = {kind for d in chance for kind in d.kinds} & {"empty"}
    shares = []
    for candidate in (other, mine):
        left_out = [candidate.kinds.get(kind, Tally()) for kind in kinds]
        agreed = candidate.values.agreed - sum(t.agreed for t in left_out)
        tried = candidate.values.tried - sum(t.tried for t in left_out)
        shares.append(Tally(agreed, tried).share)
    return shares[0] > shares[1]


def _counted(tally: Tally) -> str:
    return f"{tally.agreed}/{tally.tried}"
