"""What differs of the best target, as caveats of a record with a check each that shows it."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from msmap.probe import ranks
from msmap.probe.draft import sentences, short, stock
from msmap.probe.runs import AGREEING, Findings
from msmap.probe.sample import Sample
from msmap.vocabulary import CHANCE, UNSTEADY

_RAISES = ("raises", "no_kernel")
_GRADIENTS = ("gradient_differs", "gradient_raises")
# What people need not be told: the rewriter gives its reason, or PyTorch gives no answer.
_SAID = ("refused", "accepts", "inconclusive")
# Dtypes that are meant for other devices: on CPU one debugs in float32.
LOW = {"bfloat16", "float16"}
_ERROR = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Interrupt))\b")
_DTYPES = re.compile(r"dtype (\w+) and (\w+)")
_ROUNDED = re.compile(
    r"((train |eval )?(gradient)?:? ?(train: |eval: )?"
    r"values[^;,]*, by less than 0\.001 of the largest(; )?)+"
)
# What of results is told apart from other numbers, by these words of a message.
_WAYS = ("less than 0.001", "dtype", "shape", "structure")
# What is special about inputs, that first which explains most.
_TELLING = ("empty", "0-d", "nonfinite", "non-contiguous", "size-1", "negative-axis")
_STEM = re.compile(r"[^\d\[({'\"]*")
_MADE = {
    "differs": "differs", "in_place": "not-in-place", "raises": "raises", "no_kernel": "raises",
    "gradient_differs": "gradient-differs", "gradient_raises": "no-gradient", "crash": "crashes",
    "timeout": "does-not-end",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Group:
    """Samples that differ in one way on a target, the shortest first."""

    outcome: str
    message: str
    members: tuple[Sample, ...]

    @property
    def dtypes(self) -> list[str]:
        """Their dtypes, sorted."""
        return sorted({s.dtype for s in self.members if s.dtype})

    @property
    def kinds(self) -> frozenset[str]:
        """What is special about all of them."""
        return frozenset.intersection(*(frozenset(s.kinds) for s in self.members)) - {"plain"}

    @property
    def given(self) -> frozenset[str]:
        """The keywords that all of them give."""
        return frozenset.intersection(*map(keywords, self.members))

    @property
    def error(self) -> str:
        """The error's type; "" if there is none."""
        found = _ERROR.search(self.message)
        return found[1] if found else ""


def keywords(sample: Sample) -> frozenset[str]:
    """The keywords of all calls in a sample."""
    calls = (n for n in ast.walk(ast.parse(sample.torch)) if isinstance(n, ast.Call))
    return frozenset(str(k.arg) for call in calls for k in call.keywords)


@dataclass(frozen=True, slots=True)
class Told:
    """A caveat, and the checks that show it; empty where its variants do."""

    caveat: dict[str, Any]
    checks: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Instead:
    """What to write where a target differs: a sentence, and the code of a check that shows it."""

    texts: stock.Texts
    code: str


def groups(key: str, samples: Sequence[Sample], found: Findings) -> list[Group]:
    """What differs on a target and has to be told, worst first; whole dtypes that raise as one."""
    made = []
    for members in ranks.groups(key, samples, found):
        ordered = tuple(sorted(members, key=short.length))
        finding = found[key, ordered[0].id]
        if finding.outcome not in _SAID:
            made.append(Group(finding.outcome, finding.message, ordered))
    # What lies in memory that nobody wrote to is told once, though it is told apart by values.
    chance = [g for g in made if g.outcome == "differs" and "empty" in g.kinds]
    if any(g.message in CHANCE for g in chance):
        made = [g for g in made if g not in chance]
        made.append(replace(_one(chance), message=UNSTEADY))
    return list(_joined(made, key, samples, found))


def _joined(
    made: Sequence[Group], key: str, samples: Sequence[Sample], found: Findings
) -> Iterator[Group]:
    """Groups in which those are one that raise the same error for dtypes that are never taken."""
    never = whole(key, samples, found)
    together: dict[str, list[Group]] = {}
    for group in made:
        raises = group.outcome in _RAISES and set(group.dtypes) <= never
        if raises:
            together.setdefault(group.error, []).append(group)
        else:
            yield group
    for alike in together.values():
        yield _one(alike)


def _one(alike: Sequence[Group]) -> Group:
    members = sorted((s for g in alike for s in g.members), key=short.length)
    return Group(alike[0].outcome, alike[0].message, tuple(members))


def whole(key: str, samples: Sequence[Sample], found: Findings) -> set[str]:
    """The dtypes of which the target agrees on no sample."""
    taken = {s.dtype for s in samples if found[key, s.id].outcome in AGREEING}
    return {s.dtype for s in samples if s.dtype} - taken


@dataclass(frozen=True, slots=True)
class Never:
    """The dtypes of which a target agrees on no sample, those on no gradient, and the keywords
    that are in no sample that it takes.
    """

    values: frozenset[str]
    gradients: frozenset[str]
    given: frozenset[str] = frozenset()

    @classmethod
    def of(cls, key: str, samples: Sequence[Sample], found: Findings) -> Never:
        """What was found of a target."""
        gradients = {s.dtype for s in samples if found[key, s.id].outcome == "agrees"}
        every = {s.dtype for s in samples if s.dtype}
        values = frozenset(whole(key, samples, found))
        raising = {s.id for s in samples if found[key, s.id].outcome in _RAISES}
        names = {n for s in samples if s.id in raising for n in keywords(s)}
        taken = {n for s in samples if s.id not in raising for n in keywords(s)}
        return cls(values, frozenset(every - gradients), frozenset(names - taken))


def together(found: Iterable[Group], never: Never) -> list[list[Group]]:
    """Groups, those together of which the same sentence is said."""
    made: list[list[Group]] = []
    by_id: dict[str, list[Group]] = {}
    for group in found:
        said = _said(group, never)
        alike = by_id.setdefault(said.id, []) if said else []
        if not alike:
            made.append(alike)
        alike.append(group)
    return made


def never_taken(group: Group, never: Never) -> bool:
    """Whether a group is of dtypes that raise whatever is given."""
    return group.outcome in _RAISES and set(group.dtypes) <= never.values


def left(group: Group, never: Never, named: Collection[str]) -> Group | None:
    """A group without dtypes that are never taken, where caveats name them or some like them."""
    if not never_taken(group, never):
        return group
    told = stock.kin(named)
    members = tuple(sample for sample in group.members if sample.dtype not in told)
    return replace(group, members=members) if members else None


def told(
    alike: Sequence[Group], others: Sequence[Group], never: Never, shown: Sample | None,
    names: set[str], taken: set[str], instead: Instead | None = None,
) -> Told:  # fmt: skip
    """The caveat of groups of which the same is said.

    Args:
        alike: the groups; a check shows the first.
        others: all groups of the target, from which their samples are told apart.
        never: dtypes that the target doesn't take at all.
        shown: the shortest sample that showed the same when it ran; None if there is none.
        names: ids of caveats so far; that of the one made is added.
        taken: ids of checks so far; those of the ones made are added.
        instead: what to write, if a way was found by which all of the samples agree.
    """
    group = alike[0]
    said = _said(group, never, instead.texts if instead else None, shown is not None)
    name = _free(said.id if said else _named(group), names)
    impact = "silent" if group.outcome in ("differs", "in_place", "gradient_differs") else "error"
    caveat: dict[str, Any] = {"id": name, "impact": said.impact if said else impact}
    if said and caveat["impact"] == "silent" and group.outcome != "in_place":
        caveat["when"] = "inputs"
    elif said and "non-contiguous" in group.kinds and group.outcome == "in_place":
        caveat["when"] = "view"
    if group.outcome not in ("in_place", "timeout"):
        caveat["device"] = ["CPU"]
    caveat["text"] = said.text if said else dict(stock.TEXTS)
    chance = said.unshown if said else {}
    check = _check(group, shown, name, taken) if shown is not None and not chance else None
    if check is None and group.outcome == "in_place" and "non-contiguous" in group.kinds:
        check = _view(group.members[0], taken)
    if check is not None:
        caveat["shown_by"] = [check["id"]]
    elif "non-contiguous" in group.kinds:
        caveat["variants"] = ["non-contiguous"]
    else:
        caveat["unverified"] = chance or dict(stock.TEXTS)
    caveat["samples"] = [_condition(one, others) for one in alike]
    if group.outcome == "in_place":
        # What isn't changed in place has nothing of it.
        caveat["own"] = True
    checks = [check] if check is not None else []
    if instead is not None and instead.code and shown is not None:
        inputs = {n: short.written(spec) for n, spec in shown.inputs.items()}
        checks.append({
            "id": _free(f"{_plain(name)}-instead", taken), "torch": shown.torch,
            "mindspore": instead.code, "inputs": inputs,
        })  # fmt: skip
    return Told(caveat, checks)


def of_variants(
    group: Group, variants: Sequence[str], names: set[str], instead: Instead | None = None
) -> dict[str, Any]:
    """The caveat of variants of checks that differ in one way; arguments as in ``told``."""
    nothing = Never(frozenset(), frozenset())
    said = _said(group, nothing, instead.texts if instead else None, shown=False)
    name = _free(said.id if said else f"differs-{min(variants)}", names)
    caveat: dict[str, Any] = {"id": name, "impact": said.impact if said else "silent"}
    if said and caveat["impact"] == "silent":
        caveat["when"] = "inputs"
    text = said.text if said else dict(stock.TEXTS)
    return caveat | {"device": ["CPU"], "text": text, "variants": sorted(variants)}


def _free(base: str, taken: set[str]) -> str:
    number = next(n for n in range(1, 1000) if (base if n == 1 else f"{base}-{n}") not in taken)
    name = base if number == 1 else f"{base}-{number}"
    taken.add(name)
    return name


def _named(group: Group) -> str:
    """An id that says what happens, and to what."""
    one = group.dtypes if len(group.dtypes) == 1 and group.dtypes != ["float32"] else []
    return "-".join([_MADE[group.outcome], *sorted(group.kinds)[:1], *one])


def needs_more(group: Group) -> bool:
    """Whether a way to write it otherwise is worth a search: no other dtype, nothing that is
    known to be lost, will do where these are what the kernels lack.
    """
    low = bool(group.dtypes) and set(group.dtypes) <= LOW and bool(group.error)
    lost = group.message in CHANCE or is_rounding(group.message)
    return not (low or lost or group.outcome in ("in_place", "crash", "timeout"))


def _said(
    group: Group, never: Never, instead: stock.Texts | None = None, shown: bool = True
) -> stock.Said | None:
    """What is said of it without a person, if there is a sentence for it."""
    found = _fact(group, never, instead)
    if found is not None:
        return found
    dtype = group.outcome == "differs" and _DTYPES.fullmatch(group.message)
    whole = set(group.dtypes) <= never.values
    return sentences.about(
        "dtype" if dtype else group.outcome, group.dtypes, group.kinds, group.error, whole,
        instead, shown,
    )  # fmt: skip


def _fact(group: Group, never: Never, instead: stock.Texts | None) -> stock.Said | None:
    """What many records say of it."""
    if group.outcome in _RAISES:
        return _raising(group, never, instead)
    if group.outcome == "gradient_raises":
        if group.dtypes == ["bfloat16"] and "Reduce" in group.message:
            return stock.broadcast_gradient(group.error)
        if set(group.dtypes) <= never.gradients:
            return stock.dtypes(group.dtypes, group.error, gradient=True, instead=instead)
        if "empty" in group.kinds:
            return stock.empty(group.error, gradient=True, instead=instead)
        return None
    return _differing(group, instead)


def _raising(group: Group, never: Never, instead: stock.Texts | None) -> stock.Said | None:
    if set(group.dtypes) <= never.values:
        return stock.dtypes(group.dtypes, group.error, instead=instead)
    if "empty" in group.kinds:
        return stock.empty(group.error, instead=instead)
    if "0-d" in group.kinds:
        return stock.zero_d(group.error, instead)
    given = sorted(group.given & never.given)
    return stock.argument(given[0], group.error, instead) if given else None


def _differing(group: Group, instead: stock.Texts | None) -> stock.Said | None:
    gradient = group.outcome == "gradient_differs"
    if group.outcome == "in_place":
        return stock.not_in_place("non-contiguous" in group.kinds)
    if group.outcome not in ("differs", "gradient_differs"):
        return None
    found = _DTYPES.fullmatch(group.message)
    if found and len(group.dtypes) <= 1:
        return stock.result_dtype(found[1], found[2])
    if group.message in CHANCE and "empty" in group.kinds:
        return stock.of_nothing()
    if group.dtypes == ["float64"] and is_rounding(group.message):
        return stock.rounded(gradient)
    return stock.nonfinite(gradient, instead) if "nonfinite" in group.kinds else None


def is_rounding(message: str) -> bool:
    """Whether nothing differs but values by a small part of the largest."""
    return _ROUNDED.fullmatch(message) is not None


def _condition(group: Group, others: Sequence[Group]) -> dict[str, Any]:
    """What its samples have in common, and samples of the other groups have not."""
    made: dict[str, Any] = {"outcomes": [group.outcome]}
    if group.dtypes:
        made["dtypes"] = group.dtypes
    if group.kinds:
        made["kinds"] = [next((k for k in _TELLING if k in group.kinds), min(group.kinds))]
    like = [g for g in others if g is not group and g.outcome == group.outcome]
    stem = _stem(group.message)
    way = next((way for way in _WAYS if way in group.message), "")
    if way and group.outcome in ("differs", "gradient_differs"):
        # Or the caveat would tell of results that are wrong as well.
        made["message"] = way
    elif like and stem and not any(stem in g.message for g in like):
        made["message"] = stem
    return made


def _stem(message: str) -> str:
    """What a message begins with, without figures and names; after the error's type."""
    text = message.partition("Error: ")[2] or message
    found = _STEM.match(text)
    return (found[0] if found else "")[:40].strip(" .,;:")


def _check(group: Group, shown: Sample, name: str, taken: set[str]) -> dict[str, Any] | None:
    """The check that fails the day that the difference is gone."""
    check: dict[str, Any] = {"id": _free(_plain(name), taken), "torch": shown.torch}
    if group.outcome in _GRADIENTS:
        code = gradient(shown)
        if code is None:
            return None
        check |= {"torch": code[0], "mindspore": code[1]}
    elif group.outcome == "in_place":
        check["torch"] = f"{shown.torch}\n{next(iter(shown.inputs))}"
    check["inputs"] = {n: short.written(spec) for n, spec in shown.inputs.items()}
    if group.outcome == "crash":
        return check | {"expect": "crashes"}
    if group.outcome == "timeout":
        return None
    if group.error:
        return check | {"expect": "raises", "raises": group.error}
    return check | {"expect": "differs"}


_GRIDS = {"float": [[1.5, 2.5], [3.5, 4.5]], "int": [[1, 2], [3, 4]]}


def _view(sample: Sample, taken: set[str]) -> dict[str, Any] | None:
    """The check that a column keeps its values; None if the call has no form for it."""
    first, *others = sample.inputs
    spec = sample.inputs[first]
    grid = next((g for kind, g in _GRIDS.items() if kind in spec["dtype"]), None)
    if grid is None or not sample.torch.startswith(f"{first}.") or "\n" in sample.torch:
        return None
    inputs = {n: f"{sample.inputs[n]['dtype']}[2]" for n in others}
    whole, column = reading(sample.torch, first, "grid[:, 1]"), reading(sample.torch, first, "t")
    return {
        "id": _free("view", taken), "torch": f"{whole}\ngrid",
        "mindspore": f"t = grid[:, 1]\n{{{{ {column} }}}}\ngrid",
        "inputs": {"grid": {"values": grid, "dtype": spec["dtype"]}, **inputs},
        "expect": "differs", "gradient": False,
    }  # fmt: skip


def _plain(name: str) -> str:
    """The id of the check that shows a caveat: what it is about."""
    return name.removeprefix("no-").removesuffix("-on-cpu")


def gradient(sample: Sample) -> tuple[str, str] | None:
    """Code of both sides that gives the gradient of a call's sum; None if the call has none.

    That of MindSpore stands as a check has it, with the port of the call in braces.
    """
    name = next((n for n, s in sample.inputs.items() if "float" in s["dtype"]), None)
    if name is None or "\n" in sample.torch:
        return None
    once = f"t = {name}.clone().requires_grad_()"
    if sample.name.endswith("_"):
        # It changes a copy: a leaf may not be. As a statement, or nothing is written back.
        inside = reading(sample.torch, name, "made")
        return (
            f"{once}\nmade = t * 1\n{inside}\ntorch.autograd.grad(made.sum(), t)[0]",
            f"def run(t):\n    made = t * 1\n    {{{{ {inside} }}}}\n    return made.sum()\n"
            f"mindspore.grad(run)({name})",
        )
    inside = reading(sample.torch, name, "t")
    return (
        f"{once}\ntorch.autograd.grad({inside}.sum(), t)[0]",
        f"mindspore.grad(lambda t: {{{{ {inside} }}}}.sum())({name})",
    )


def reading(code: str, name: str, other: str) -> str:
    """Code that reads another variable."""
    nodes = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name) and n.id == name]
    for node in sorted(nodes, key=lambda n: n.col_offset, reverse=True):
        code = code[: node.col_offset] + other + code[node.end_col_offset :]
    return code
