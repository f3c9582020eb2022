"""A drafted record verified as a written one would be: what doesn't come out is taken out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msmap.assemble import records
from msmap.assemble.base import Base
from msmap.curated import schema
from msmap.evidence.files import Line
from msmap.lint import mend
from msmap.probe import mapping
from msmap.probe.bench import Bench
from msmap.probe.draft import stock
from msmap.probe.sample import Sample
from msmap.verify.plan import choose
from msmap.verify.plan.job import Job
from msmap.verify.plan.variants import GENERATION as VARIANTS
from msmap.vocabulary import OUTCOMES

# Runs jobs; gives what came out of each.
Run = Callable[[Sequence[Job]], Sequence[Line]]
# Longer results say nothing to a reader.
_LONG = 60
_KEPT = ("untestable",)
# What samples call a kind of input that has another name as a variant.
_KIND = {"zero-d": "0-d"}
# Outcomes of samples of which a variant says no more than that it differs.
_DIFFERING = {"differs", "gradient_differs"}
# Outcomes of variants that no caveat is about.
_FINE = ("agrees", "refused")


def join(bench: Bench, data: Mapping[str, Any]) -> Base:
    """A record's data, joined with both releases and everything that is written."""
    written = schema.Record(**data)
    base = bench.base
    return records.join(
        base.torch, base.mindspore, [written], [], VARIANTS, others=base.records
    )  # fmt: skip


def accounted(bench: Bench, data: dict[str, Any]) -> None:
    """Say of parameters what the signatures leave open: other defaults, and what one side lacks."""
    base = join(bench, data)
    for target in data["targets"]:
        key = target.get("id") or target.get("api")
        for side in ("parameters", "inputs"):
            points = base.unaccounted.get((data["torch"], key, side), ())
            for found in mend.pairs(point.parameter for point in points):
                entry = {k: v for k, v in mend.parameter(found).items() if k != "note"}
                target.setdefault(side, []).append(entry)
    joined = join(bench, data).records[data["torch"]]
    for target, made in zip(data["targets"], joined.targets, strict=True):
        known = {p.torch: p for p in made.parameters}
        for entry in target.get("parameters", ()):
            name = entry.get("torch")
            one = known.get((name,)) if isinstance(name, str) else None
            if "note" in entry or one is None:
                continue
            note = _note(entry, name, one.torch_default, one.mindspore_default)
            if note:
                entry["note"] = note


def _note(
    entry: Mapping[str, Any], name: str, torch: str | None, mindspore: str | None
) -> dict[str, str] | None:
    """What explains a parameter's relation; TODO where nobody knows yet."""
    if entry["relation"] == "default_differs":
        if torch is None:
            return dict(stock.TEXTS)
        if mindspore is None:
            return stock.needed(name, torch)
        return stock.default(name, torch, mindspore)
    return stock.note(name) if entry["relation"].startswith("source_only") else None


def contradicted(
    bench: Bench, data: dict[str, Any], run: Run
) -> tuple[dict[str, str], dict[str, str]]:
    """What checks that are to differ or to raise gave, where it is something else, by id.

    Returns:
        those that contradict what they show; and those of which PyTorch itself raises: they were
        only badly written for this name, and show nothing.
    """
    joined = join(bench, data)
    jobs = choose.jobs([joined.records[data["torch"]]], [], joined)
    shows = {job.check for job in jobs if job.expect not in ("same", "same-distribution")}
    lines = run([job for job in jobs if job.check in shows])
    refuted = {line.check: line.message for line in lines if line.outcome == "refuted"}
    broken = {i: text for i, text in refuted.items() if text.startswith("PyTorch raised")}
    return {i: text for i, text in refuted.items() if i not in broken}, broken


def settled(
    bench: Bench, data: dict[str, Any], run: Run, own: Collection[str]
) -> tuple[list[str], list[Varied]]:  # fmt: skip
    """Run a record's checks, and leave in it what came out as it says.

    Args:
        bench: what is known.
        data: the record, changed in place.
        run: runs jobs.
        own: ids of caveats that were found for this very name: they stay, without their check.

    Returns:
        what was taken out, and what differs and is in no caveat, a sentence each; and those
        variants of the latter that have other inputs.
    """
    said: list[str] = []
    for check in _overloaded(bench, data):
        said.append(_without(data, check, "can't be ported"))
    said += _caveats(data, own)
    joined = join(bench, data)
    jobs = choose.jobs([joined.records[data["torch"]]], [], joined)
    lines = {line.check: line for line in run(jobs)}
    for check in list(data["checks"]):
        line = lines.get(check["id"])
        if line is None or not (OUTCOMES[line.outcome].shows or line.outcome in _KEPT):
            why = f"{line.outcome}: {line.message}" if line else "nothing came out"
            said.append(_without(data, check["id"], why))
        elif check.get("expect") == "differs":
            gave = {"torch": line.torch_gave, "mindspore": line.mindspore_gave}
            if all(gave.values()) and gave["torch"] != gave["mindspore"] and _is_value(gave):
                check["gives"] = gave
    said += _caveats(data, own)
    _by_variants(data, lines.values())
    said += _shared(data, lines.values(), own)
    found, varied = _variants(data, lines.values(), jobs)
    return said + found, varied


def _overloaded(bench: Bench, data: dict[str, Any]) -> list[str]:
    """The checks that can't be ported, when overloads are stated wherever that helps.

    Samples were ported with all of them, the first of which is assumed where several fit.
    """
    found = _unported(bench, data)
    overloads = list(mapping.overloads(data["torch"], bench.torch))
    if not found or len(overloads) < 2 or data.get("overloads"):
        return found
    left = _unported(bench, data | {"overloads": overloads})
    if len(left) < len(found):
        data["overloads"] = overloads
    return min(found, left, key=len)


def _unported(bench: Bench, data: Mapping[str, Any]) -> list[str]:
    ids = {check["id"] for check in data["checks"]}
    failed = join(bench, data).failed_ports
    return [check for owner, check in failed if owner == data["torch"] and check in ids]


def _by_variants(data: dict[str, Any], lines: Collection[Line]) -> None:
    """Name the variants that show caveats which lost their check, or never had one."""
    for caveat in data["caveats"]:
        if caveat.get("unverified") != stock.TEXTS:
            continue
        silent = caveat["impact"] == "silent"
        names = {
            name for line in lines for name, finding in line.variants.items()
            if finding.outcome not in _FINE and (finding.outcome == "differs") == silent
            and _is_of(caveat, name)
        }  # fmt: skip
        if names:
            del caveat["unverified"]
            caveat["variants"] = sorted(names)


def _is_of(caveat: Mapping[str, Any], variant: str) -> bool:
    """Whether a caveat's samples are of a variant's kind, or of no kind and its dtype."""
    kind = _KIND.get(variant, variant)
    return any(
        kind in told["kinds"] if "kinds" in told else variant in told.get("dtypes", ())
        for told in caveat.get("samples", ())
    )


def _shared(data: dict[str, Any], lines: Collection[Line], own: Collection[str]) -> list[str]:
    """Take out the caveats of a sibling that only variants show, where none of these differs."""
    found = {n for line in lines for n, f in line.variants.items() if f.outcome not in _FINE}
    idle = [
        c["id"] for c in data["caveats"]
        if c["id"] not in own and "shown_by" not in c and "unverified" not in c
        and found.isdisjoint(c.get("variants", ()))
    ]  # fmt: skip
    data["caveats"] = [c for c in data["caveats"] if c["id"] not in idle]
    return [f"caveat {name} of a sibling doesn't hold here" for name in idle]


def _is_value(gave: Mapping[str, str]) -> bool:
    return all(len(text) <= _LONG and "[" not in text[1:2] for text in gave.values())


def _without(data: dict[str, Any], check: str, why: str) -> str:
    """Take a check out of a record."""
    data["checks"] = [c for c in data["checks"] if c["id"] != check]
    for caveat in data["caveats"]:
        caveat["shown_by"] = [c for c in caveat.get("shown_by", ()) if c != check]
    return f"check {check} is left out: {why}"


def _caveats(data: dict[str, Any], own: Collection[str]) -> list[str]:
    """Take out the caveats that nothing shows any more, but for those found here."""
    said, kept = [], []
    for caveat in data["caveats"]:
        if not caveat.get("shown_by"):
            caveat.pop("shown_by", None)
        if caveat.keys() & {"shown_by", "variants", "unverified"}:
            kept.append(caveat)
        elif caveat["id"] in own:
            kept.append(caveat | {"unverified": dict(stock.TEXTS)})
        else:
            said.append(f"caveat {caveat['id']} of a sibling doesn't hold here")
    data["caveats"] = kept
    return said


@dataclass(frozen=True, slots=True)
class Varied:
    """A variant of a check that differs and is in no caveat: its name, how it differs, what was
    run, and the target that the check is pinned to, "" if none.
    """

    name: str
    message: str
    sample: Sample
    target: str = ""


def _variants(
    data: dict[str, Any], lines: Collection[Line], jobs: Collection[Job]
) -> tuple[list[str], list[Varied]]:
    """Name the variants that differ in the caveats of their dtype or kind; else in one to write.

    Returns:
        what was found, a sentence each; and those of other inputs that are in no caveat.
    """
    found: dict[str, tuple[str, str]] = {}
    for line in lines:
        for name, finding in line.variants.items():
            if finding.outcome == "differs":
                found.setdefault(name, (line.check, finding.message))
    left = {}
    for name, what in found.items():
        fitting = [c for c in data["caveats"] if name in c.get("variants", ()) or _about(c, name)]
        for caveat in fitting[:1]:
            caveat["variants"] = sorted({*caveat.get("variants", ()), name})
        if not fitting:
            left[name] = what
    said = [f"variant {name} differs ({': '.join(what)})" for name, what in left.items()]
    by_check = {job.check: job for job in jobs}
    targets = {check["id"]: check.get("target", "") for check in data["checks"]}
    varied = []
    for name, (check, message) in left.items():
        sample = _sample(data["torch"], by_check[check], name)
        if sample is not None:
            varied.append(Varied(name, message, sample, targets[check]))
    rest = sorted(left.keys() - {one.name for one in varied})
    if rest:
        data["caveats"].append({
            "id": f"differs-{rest[0]}", "impact": "silent", "device": ["CPU"],
            "text": dict(stock.TEXTS), "variants": rest,
        })  # fmt: skip
    return said, varied


def _sample(owner: str, job: Job, name: str) -> Sample | None:
    """A variant as a sample; None if it has the inputs of the check and another call."""
    variant = next((one for one in job.variants if one["name"] == name), {})
    inputs = variant.get("inputs")
    if inputs is None or variant.get("graph"):
        return None
    dtype = next((str(s["dtype"]) for n, s in inputs.items() if s != job.inputs[n]), "")
    kind = _KIND.get(name, name)
    return Sample(
        owner, f"{job.check}-{name}", "made", job.torch, inputs, dtype,
        (kind,) if kind != dtype else ("plain",), variant.get("gradient", True),
    )  # fmt: skip


def _about(caveat: Mapping[str, Any], variant: str) -> bool:
    """Whether a caveat tells of samples that differ as a variant does."""
    kind = _KIND.get(variant, variant)
    return any(
        not _DIFFERING.isdisjoint(told.get("outcomes", ()))
        and (variant in told.get("dtypes", ()) or kind in told.get("kinds", ()))
        for told in caveat.get("samples", ())
    )
