"""A record made from what runs found: targets, checks, caveats; people write what is TODO."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from msmap.curated import schema
from msmap.errors import MsmapError
from msmap.names import in_place
from msmap.probe import ranks, runs
from msmap.probe.bench import Bench, Prepared
from msmap.probe.candidates import Idea, ranked
from msmap.probe.draft import (
    announced,
    caveats,
    choose,
    copied,
    refined,
    remedies,
    shared,
    short,
    siblings,
    stock,
    trial,
)  # fmt: skip
from msmap.probe.draft.caveats import Group
from msmap.probe.draft.drafted import Drafted
from msmap.probe.draft.trial import Run
from msmap.probe.runs import VOID, Findings
from msmap.probe.sample import Sample, Sampling
from msmap.probed import Candidate, Probe
from msmap.vocabulary import IMPACTS

_AGREES = ("agrees", "forward")
_FORWARD = ("gradient_differs", "gradient_raises")
_VALUES = (*_AGREES, *_FORWARD)
# Of each group of differences so many samples are said shortly, to find the shortest that shows it.
_TRIED = 3
# So many targets, and caveats of one target, a record has at most to begin with.
_TARGETS = 3
# One in so many samples must agree on a further target alone.
_WORTH = 10
_CAVEATS = 8
# As many values as comparing distributions takes.
_MANY = "float32[40, 50]"
_VARIED = {"nonfinite", "empty"}


def draft(
    bench: Bench, probe: Probe, sampling: Sampling, run: Run, like: str = ""
) -> Drafted:  # fmt: skip
    """The record of a name that was probed.

    Args:
        bench: what is known.
        probe: what was found of the name.
        sampling: what it is tried with.
        run: runs jobs.
        like: the sibling whose summary, targets and caveats are taken over where they hold; the
            nearest that has a record if none is named, but without its summary.

    Raises:
        MsmapError: there is nothing to draft from.
    """
    if probe.reason:
        raise MsmapError("{}: nothing was run, so there is nothing to draft from", probe.name)
    near = like or siblings.nearest(bench, probe.name)
    whole = like or (near if siblings.alike(near, probe.name) and bench.splits(near) else "")
    work = _Work(bench, copied.prepared(bench, probe, whole), probe, sampling, run)
    work.try_all()
    for target in refined.targets(bench, work.prepared, probe, work.first):
        ideas = [Idea(target.api or "", "record", target, probe.name)]
        other = _Work(bench, bench.prepare(probe.name, whole, ideas), probe, sampling, run)
        other.try_all(target.key)
        if other.agreed() > work.agreed():
            work = other
    work.like = bool(like) or siblings.alike(near, probe.name)
    return work.record(near)


class _Work:
    """One draft under way: its samples, and what came of them on each candidate."""

    def __init__(
        self, bench: Bench, prepared: Prepared, probe: Probe, sampling: Sampling, run: Run
    ) -> None:  # fmt: skip
        self.bench, self.prepared, self.probe, self.run = bench, prepared, probe, run
        self.samples = [s for s in sampling.samples if not s.raises and not s.random]
        self.random = [s for s in sampling.samples if s.random and not s.raises]
        self.raising = [s for s in sampling.samples if s.raises]
        self.found: Findings = {}
        self.keys: list[str] = []
        self.said: list[str] = []
        self.guess = False
        # Whether a sibling's record says what this one does.
        self.like = False
        # Why the first target stands before one that agrees on more.
        self.better: dict[str, str] = {}

    @property
    def first(self) -> str:
        return self.keys[0]

    def agreed(self) -> int:
        """How many samples agree on the target that the rewriter takes for them."""
        return sum(self._outcome(self._taken(s), s) in _AGREES for s in self.samples)

    def try_all(self, refined: str = "") -> None:
        """Run all samples on the candidates that agree at all, and choose the targets.

        ``refined`` is one that is said otherwise than when it was probed.
        """
        keys = self._candidates(refined)
        self._tried(self.samples, keys)
        void = {sample for (_, sample), f in self.found.items() if f.outcome in VOID}
        self.samples = [s for s in self.samples if s.id not in void]
        self.keys = self._undominated(keys)
        mint = [k for k in self.prepared.targets if _is_mint(k) and k not in keys]
        few = runs.handful(self.samples)
        self._tried(few, mint)
        lacking = (k for k in mint if few and all(self._outcome(k, s) == "no_kernel" for s in few))
        # What only computes a result would lose it: nothing is written back.
        if not (any(map(_is_mint, self.keys)) or in_place(self.probe.name)):
            self.keys += [k for k in lacking if _keeps_names(self.prepared.targets[k])][:1]
        # What changes its input where it has a kernel is PyTorch's own way.
        if self.keys and self.first.startswith("copy-"):
            leaf = self.probe.name.rpartition(".")[2]
            own = [k for k in self.prepared.targets if k == f"mindspore.Tensor.{leaf}"]
            self._tried(few, own)
            bare = few and all(self._outcome(k, s) == "no_kernel" for k in own for s in few)
            self.keys += own if bare else []

    def _candidates(self, refined: str) -> list[str]:
        """The candidates that were tried with all samples and agree on some, best first."""
        # One of several that share the overloads was tried on what the others take, too.
        parts = {key for key in self.prepared.targets if self._is_part(key)}
        known = [
            c for c in self.probe.candidates
            if c.key in self.prepared.targets and c.key not in parts and not self._renewed(c)
        ]  # fmt: skip
        most = max((c.values.tried for c in known), default=0)
        good = [
            c.key for c in known
            if c.key == refined or (c.values.agreed and c.values.tried >= most)
        ]  # fmt: skip
        seen = {c.key for c in known}
        keys = [*good, *(k for k in self.prepared.targets if k not in seen)]
        if not keys:
            keys = [c.key for c in known][:1]
            self.guess = True
            self.said.append("no candidate agrees on a sample: the target is a guess")
        return keys

    def _renewed(self, candidate: Candidate) -> bool:
        """Whether a sibling's copy was tried under the key of the one that was made here."""
        made = self.prepared.ideas[candidate.key].found == "record"
        return candidate.key.startswith("copy-") and made and candidate.found != "record"

    def _whole(self, key: str) -> int:
        return sum(self._outcome(key, sample) in _AGREES for sample in self.samples)

    def _wrong(self, key: str) -> int:
        return sum(self._outcome(key, sample) == "differs" for sample in self.samples)

    def _is_part(self, key: str) -> bool:
        """Whether a target is for some overloads alone."""
        target = self.prepared.targets[key]
        return bool(target.given or target.absent)

    def _undominated(self, keys: Sequence[str]) -> list[str]:
        """The best, those that agree where none before them does, and one of mint's.

        Targets that share the overloads count as one: what any of them agrees on.
        """
        agreed = {k: {s.id for s in self.samples if self._outcome(k, s) in _VALUES} for k in keys}
        parts = sorted(filter(self._is_part, keys), key=lambda key: -len(agreed[key]))
        together = agreed | dict.fromkeys(parts, set().union(*(agreed[k] for k in parts)))
        ordered = [*parts, *(key for key in keys if key not in parts)]
        chosen: list[str] = []
        # Gradients count where values don't tell.
        worth = {k: len(together[k]) + self._whole(k) / 1e4 for k in ordered}
        for key in choose.order(self.prepared, worth, {k: self._wrong(k) for k in ordered}):
            new = agreed[key] - set().union(*(agreed[k] for k in chosen))
            mint = _is_mint(key) and not any(map(_is_mint, chosen)) and bool(agreed[key])
            more = len(new) * _WORTH > len(self.samples) or bool(new and key in parts)
            idle = any(self._outcome(key, s) == "in_place" for s in self.samples)
            # A copy that is silently wrong somewhere would need caveats of its own.
            copy = key.startswith(choose.COPIES)
            idle |= copy and bool(chosen) and self._wrong(key) > self._wrong(chosen[0])
            if not chosen or ((mint or more) and not idle):
                chosen.append(key)
        self._praised(chosen[0], together)
        return chosen[: max(_TARGETS, len(parts))]

    def _praised(self, first: str, agreed: dict[str, set[str]]) -> None:
        """Remember which target agrees on more than the first, and in which dtypes."""
        best = max(agreed, key=lambda key: len(agreed[key]))
        # What changes its input agrees with less of what only computes a result.
        if len(agreed[best]) > len(agreed[first]) and not first.startswith("copy-"):
            more = agreed[best] - agreed[first]
            dtypes = {s.dtype for s in self.samples if s.id in more and s.dtype}
            numpys = bool(dtypes) and best.startswith(choose.COPIES)
            self.better = stock.first(best, sorted(dtypes)) if numpys else dict(stock.TEXTS)

    def _tried(self, samples: Iterable[Sample], keys: Sequence[str]) -> None:
        """Find what samples give on candidates."""
        job = runs.job(self.bench, self.prepared, samples, keys, self.found)
        if job.variants:
            for line in self.run([job]):
                self.found |= runs.read(self.prepared, line, job)

    def _outcome(self, key: str, sample: Sample) -> str:
        found = self.found.get((key, sample.id))
        return found.outcome if found is not None else ""

    def _taken(self, sample: Sample) -> str:
        """The target that the rewriter takes for a sample; "" for none."""
        return next((k for k in self.keys if self._outcome(k, sample) != "refused"), "")

    def record(self, near: str) -> Drafted:
        """The record, with what a sibling's says."""
        name = self.probe.name
        other = self.bench.base.written.get(near)
        if other is not None and self.like:
            self.said.append(f"the summary is that of {near}")
        summary = other.summary.model_dump() if other and self.like else dict(stock.TEXTS)
        data: dict[str, Any] = {
            "torch": name, "summary": summary, "overloads": [],
            "targets": [self._target(key) for key in self.keys], "caveats": [], "inputs": {},
            "checks": self._checks(),
        }  # fmt: skip
        if self.better:
            data["targets"][0]["first"] = self.better
        trial.accounted(self.bench, data)
        taken = {check["id"] for check in data["checks"]}
        over = self._held(data, self._sibling(near, taken))
        made = self._differences(taken, [told.caveat for told in over])
        # Of these no caveat stays without its check.
        for told in (*over, *made, *self._accepted(taken)):
            data["caveats"].append(told.caveat)
            data["checks"] += told.checks
        own = {told.caveat["id"] for told in made}
        said, varied = trial.settled(self.bench, data, self.run, own)
        self.said += said
        data["caveats"] += announced.caveats(
            data["targets"], self._as_good(), self.bench.mindspore.apis
        )  # fmt: skip
        data["caveats"] += self._varied(varied, {caveat["id"] for caveat in data["caveats"]})
        # The most dangerous first; of each kind those of a sibling, then what is most frequent.
        data["caveats"].sort(key=lambda caveat: list(IMPACTS).index(caveat["impact"]))
        self._refused()
        shared.share_inputs(data)
        return Drafted({key: value for key, value in data.items() if value}, tuple(self.said))

    def _as_good(self) -> list[str]:
        """Other APIs that agree on every sample on which the first target does."""
        agreed = [s for s in self.samples if self._outcome(self.first, s) in _AGREES]
        others = [k for k, t in self.prepared.targets.items() if t.api == k != self.first]
        return [k for k in others if agreed and all(self._outcome(k, s) in _AGREES for s in agreed)]

    def _varied(self, varied: Iterable[trial.Varied], names: set[str]) -> list[dict[str, Any]]:
        """Caveats of variants that differ: those of one kind together, integers as one."""
        alike: dict[tuple[str, str, tuple[str, ...], bool], list[trial.Varied]] = {}
        for one in varied:
            outcome = "gradient_differs" if "gradient" in one.message else "differs"
            whole = one.sample.dtype.startswith(("int", "uint", "bool"))
            way = (one.target or self.first, outcome, one.sample.kinds, whole)
            alike.setdefault(way, []).append(one)
        made = []
        for (key, outcome, *_), some in alike.items():
            group = Group(outcome, some[0].message, tuple(one.sample for one in some))
            trials = remedies.Trials(self.bench, self.prepared, self.run, key, self.found)
            instead = trials.found([group], None) if caveats.needs_more(group) else None
            variants = [one.name for one in some]
            caveat = caveats.of_variants(group, variants, names, instead)
            made.append(caveat | ({"target": key} if key != self.first else {}))
        return made

    def _target(self, key: str) -> dict[str, Any]:
        found = self.prepared.targets[key].model_dump(exclude_defaults=True)
        for parameter in found.get("parameters", ()):
            if ranked(self.prepared.ideas[key].owner) != ranked(self.probe.name):
                # What is said of four numbers is wrong of six.
                parameter.pop("note", None)
            for case in parameter.get("cases", ()):
                # That it becomes nothing is said too, for whoever reads the draft.
                if case.keys() == {"when"}:
                    case["set"] = {}
        return {name: value for name, value in found.items() if value and name != "first"}

    def _shortened(self, samples: Iterable[Sample], keys: Sequence[str]) -> dict[str, list[Sample]]:
        """Samples said shortly, the shortest first, by id; what they give is found too."""
        made = {sample.id: short.proposals(sample) for sample in samples}
        self._tried(chain.from_iterable(made.values()), keys)
        return made

    def _checks(self) -> list[dict[str, Any]]:
        """Checks that the targets agree on: each shows something that no other does."""
        shows = self._shows()
        good = {s.id: s for s in self.samples if self._outcome(self._taken(s), s) in shows}
        # Variants of every check have these.
        agreeing = {i: s for i, s in good.items() if not _VARIED & set(s.kinds)} or good
        able = {i: s for i, s in agreeing.items() if short.proposals(s)}
        shown = {i: (s, choose.features(self.bench, self.prepared, s)) for i, s in able.items()}
        chosen = choose.checks(shown)
        made = self._shortened([s for _, s in chosen], self.keys)
        checks = []
        for name, sample in chosen:
            key = self._taken(sample)
            short_ones = (s for s in made[sample.id] if self._outcome(key, s) in shows)
            if (one := next(short_ones, None)) is not None:
                without = {"gradient": False} if self._outcome(key, one) in _FORWARD else {}
                checks.append(_check(name, one) | without)
        checks += self._by_chance()
        for key in self.keys[1:]:
            if (one := self._proof(key, chosen, made)) is not None:
                word = key.removeprefix("mindspore.").split(".")[0].lower()
                checks.append(_check(word, one) | {"target": key})
        return checks

    def _by_chance(self) -> list[dict[str, Any]]:
        """A check of a random result: that many values are distributed alike."""
        plain = [s for s in self.random if s.dtype in ("float32", "") and s.kinds == ("plain",)]
        if not self.random:
            return []
        for sample in sorted(plain, key=short.length):
            spec = dict.fromkeys(sample.inputs, _MANY)
            code = {"id": "distribution", "torch": sample.torch, "expect": "same-distribution"}
            return [code | ({"inputs": spec} if spec else {})]
        self.said.append("results are random: checks of shapes and distributions are to write")
        return []

    def _accepted(self, taken: set[str]) -> list[caveats.Told]:
        """A caveat that some calls are taken that PyTorch refuses, with the shortest of them."""
        made = self._shortened(self.raising, [self.first]) if not self.guess else {}
        every = [one for forms in made.values() for one in forms]
        found = [s for s in every if self._outcome(self.first, s) == "accepts"]
        if not found:
            return []
        check = _check("accepted", min(found, key=short.length)) | {"expect": "torch-raises"}
        if check["id"] in taken:
            return []
        taken.add(check["id"])
        caveat = {
            "id": "takes-what-pytorch-refuses", "impact": "note", "device": ["CPU"],
            "text": dict(stock.ACCEPTED), "shown_by": [check["id"]],
        }  # fmt: skip
        return [caveats.Told(caveat, [check])]

    def _shows(self) -> tuple[str, ...]:
        """What a sample must give to become a check: of a guess, no more than that it can't run."""
        if self.guess:
            return ("no_kernel",)
        whole = [s for s in self.samples if self._outcome(self._taken(s), s) in _AGREES]
        # What has no gradient here is shown by its values.
        return _AGREES if any(not _VARIED & set(s.kinds) for s in whole) else _VALUES

    def _proof(
        self, key: str, chosen: Sequence[tuple[str, Sample]], made: dict[str, list[Sample]]
    ) -> Sample | None:
        """The shortest sample that proves a target that isn't the first."""
        every = [one for _, sample in chosen for one in made[sample.id]]
        agreed = [one for one in every if self._outcome(key, one) in _AGREES]
        return next(iter(agreed or every), None)

    def _differences(self, taken: set[str], over: list[dict[str, Any]]) -> list[caveats.Told]:
        """Caveats of what differs on the best target, but for what those taken over tell."""
        samples = [s for s in self.samples if self._taken(s) == self.first]
        if self.guess:
            return []
        found = caveats.groups(self.first, samples, self.found)
        never = caveats.Never.of(self.first, samples, self.found)
        named = {name for caveat in over for name in caveat.get("variants", ())}
        untold = siblings.untold(found, over, self._message)
        rest = [one for g in untold if (one := caveats.left(g, never, named)) is not None]
        left = caveats.together(rest, never)
        if len(left) > _CAVEATS:
            self.said.append(f"{len(left) - _CAVEATS} more ways to differ are left out")
        if self.like:
            # A dtype of which nothing is taken needs no caveat, and its sibling may have none.
            left = [a for a in left if not caveats.never_taken(a[0], never)]
        made = []
        names = {caveat["id"] for caveat in over}
        tried = [s for alike in left[:_CAVEATS] for s in alike[0].members[:_TRIED]]
        shorter = self._shortened(tried, [self.first])
        trials = remedies.Trials(self.bench, self.prepared, self.run, self.first, self.found)
        for alike in left[:_CAVEATS]:
            shown = self._shown(alike[0], shorter)
            more = caveats.needs_more(alike[0])
            instead = trials.found(alike, shown) if more else None
            made.append(caveats.told(alike, found, never, shown, names, taken, instead))
        return made

    def _shown(self, group: Group, shorter: dict[str, list[Sample]]) -> Sample | None:
        """The shortest form of the group's samples that differs as they do."""
        one = self.found[self.first, group.members[0].id]
        way = (one.outcome, group.error or ranks.way(one))
        able = []
        for sample in group.members[:_TRIED]:
            for form in shorter[sample.id]:
                found = self.found[self.first, form.id]
                error = group.error if group.error in found.message else ""
                if (found.outcome, error or ranks.way(found)) == way:
                    able.append(form)
                    break
        return min(able, key=short.length, default=None)

    def _sibling(self, near: str, taken: set[str]) -> list[caveats.Told]:
        """A sibling's caveats with their checks, written for this name; whether they hold is to
        be seen.
        """
        record = self.bench.base.written.get(near)
        made = []
        for caveat in record.caveats if record is not None else ():
            assert record is not None, "it has caveats"
            todo = stock.TODO in (caveat.text.en, caveat.text.zh)
            if caveat.own or todo or caveat.target not in (None, *self.keys):
                continue
            told = siblings.taken_over(record, caveat, self.probe.name, taken)
            if told is not None:
                made.append(told)
                self.said.append(f"caveat {caveat.id} is in the words of {near}")
        return made

    def _held(self, data: dict[str, Any], over: list[caveats.Told]) -> list[caveats.Told]:
        """The caveats of a sibling but for those of which a check shows something else here."""
        checks = [check for told in over for check in told.checks]
        told = {"caveats": [told.caveat for told in over], "checks": checks}
        wrong, broken = (
            trial.contradicted(self.bench, data | told, self.run) if checks else ({}, {})
        )
        held = []
        for one in over:
            ids = one.caveat.get("shown_by", [])
            why = next((wrong[i] for i in ids if i in wrong), "")
            if ids and broken.keys() >= set(ids) and "variants" not in one.caveat:
                # What it tells of is told anew: nothing would show it.
                why = broken[ids[0]]
            if not ids and "variants" not in one.caveat and not self._occurs(one.caveat):
                why = "no sample differs so"
            if why:
                self.said.append(f"caveat {one.caveat['id']} doesn't hold here: {why}")
            else:
                held.append(one)
        return held

    def _occurs(self, caveat: dict[str, Any]) -> bool:
        """Whether a caveat tells of some samples that differ on the best target."""
        samples = [s for s in self.samples if self._taken(s) == self.first]
        found = caveats.groups(self.first, samples, self.found)
        left = siblings.untold(found, [caveat], self._message)
        return sum(len(g.members) for g in left) < sum(len(g.members) for g in found)

    def _message(self, sample: Sample) -> str:
        return self.found[self.first, sample.id].message

    def _refused(self) -> None:
        """Say what the rewriter refuses."""
        reasons: dict[str, int] = {}
        for sample in self.samples:
            found = self.found.get((self.first, sample.id))
            if found is not None and found.outcome == "refused" and not self._taken(sample):
                reasons[found.message] = reasons.get(found.message, 0) + 1
        self.said += [f"{count} samples are refused: {why}" for why, count in reasons.items()]


def _keeps_names(target: schema.Target) -> bool:
    """Whether all parameters are called as in PyTorch: what couldn't be run is right then."""
    return all(p.torch == p.mindspore for p in target.parameters)


def _is_mint(key: str) -> bool:
    return key.startswith("mindspore.mint.")


def _check(name: str, sample: Sample) -> dict[str, Any]:
    inputs = {n: short.written(spec) for n, spec in sample.inputs.items()}
    return {"id": name, "torch": sample.torch} | ({"inputs": inputs} if inputs else {})
