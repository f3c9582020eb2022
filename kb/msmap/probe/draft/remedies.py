"""What to write instead where the best target differs: a few stock ways, tried by running them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from msmap.evidence.files import Line
from msmap.probe import runs
from msmap.probe.bench import Bench, Prepared
from msmap.probe.draft.caveats import LOW, Group, Instead, reading
from msmap.probe.draft.stock import Texts
from msmap.probe.runs import Findings
from msmap.probe.sample import Sample
from msmap.verify.plan.job import Job

# Of a group so many samples, the shortest, are tried with every way; with what is left all are.
_FEW = 3
# A call that is longer is said in words.
_LONGEST = 72
_INTEGERS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
# What to compute in, by the dtype of the input: what loses least first.
_CASTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_INTEGERS, (".long()", ".int()", ".double()", ".float()")),
    "float16": (".float()",), "bfloat16": (".float()",), "float64": (".float()",),
}  # fmt: skip
# Integers that no float32 tells apart.
_LARGE = ("int32", "int64", "uint32", "uint64")
_DTYPES = re.compile(r"dtype (\w+) and \w+")
_ROW, _SCALAR = ".reshape(1)", ".reshape(())"
_AGREES = ("agrees", "forward")


@dataclass(frozen=True, slots=True)
class Remedy:
    """One way to write a call.

    Attributes:
        given: what is called on inputs: ``.float()``; "" for nothing.
        after: what is called on the result, where ``{x}`` is the first input.
        every: whether inputs of the sample's dtype all get it, and not the first alone.
        api: another API of MindSpore's that is called instead; "" for the target.
        rounds: whether large integers lose digits by it.
    """

    given: str = ""
    after: str = ""
    every: bool = True
    api: str = ""
    rounds: bool = False

    def inputs(self, sample: Sample) -> list[str]:
        """The inputs that are converted."""
        shape = self.given == _ROW
        names = [
            name for name, spec in sample.inputs.items()
            if (_is_scalar(spec) if shape else spec.get("dtype") == sample.dtype)
        ]  # fmt: skip
        return names if self.every else names[:1]

    def texts(self, samples: Sequence[Sample], code: str = "") -> Texts:
        """What to write, for some samples; ``code`` is the whole call, if it says it all."""
        if code:
            en, zh = f"Write {code}", f"请写 {code}"
        elif self.api:
            en, zh = f"Use {self.api}", f"请改用 {self.api}"
        elif self.given == _ROW and self.after:
            en = "Write x.reshape(1), and reshape the result to ()"
            zh = "请先写 x.reshape(1)，再将结果变形为 ()"
        else:
            en, zh = self._converted(samples)
        if self.rounds:
            digits = "2**31" if self.given == ".int()" else "2**24"
            en, zh = f"{en} (exact below {digits})", f"{zh}（小于 {digits} 时精确）"
        return {"en": f"{en}.", "zh": f"{zh}。"}

    def _converted(self, samples: Sequence[Sample]) -> tuple[str, str]:
        """What to do with inputs, then with the result."""
        after = self.after.format(x="x")
        if not self.given:
            return f"Write {after}", f"请写 {after}"
        if any(len(self.inputs(sample)) > 1 for sample in samples):
            en, zh = f"Convert the inputs with {self.given}", f"请用 {self.given} 转换各输入"
        else:
            en, zh = f"Pass x{self.given}", f"请传入 x{self.given}"
        if after:
            return f"{en} and convert the result with {after}", f"{zh}，并用 {after} 转换结果"
        return en, zh

    def call(self, sample: Sample) -> str:
        """PyTorch's call with its inputs converted; its port is what MindSpore is given."""
        code = sample.torch
        for name in self.inputs(sample) if self.given else ():
            code = reading(code, name, f"{name}{self.given}")
        return code

    def cast(self, sample: Sample) -> str:
        """What stands behind the call."""
        return self.after.format(x=next(iter(sample.inputs), "x"))


def ways(group: Group, others: Sequence[str] = ()) -> Iterator[Remedy]:
    """The ways that are worth trying for a group, the simplest first.

    Args:
        group: what differs.
        others: other APIs of MindSpore's that agree on all of its samples.
    """
    dtype = _DTYPES.fullmatch(group.message)
    if dtype:
        yield Remedy(after=f".astype(mindspore.{dtype[1]})")
    casts = [c for c in _CASTS.get(min(group.dtypes, default=""), ()) if _fits(c, group.dtypes)]
    forms = [Remedy(c, rounds=_rounds(c, group.dtypes)) for c in casts]
    forms.sort(key=lambda form: form.rounds)
    forms += [replace(form, every=False) for form in forms] if _several(group) else []
    yield from forms
    yield from (Remedy(api=api) for api in others)
    back = ".astype({x}.dtype)"
    yield from (replace(form, after=after) for form in forms for after in (back, ".bool()"))
    if "0-d" in group.kinds:
        yield Remedy(_ROW, _SCALAR)
        yield Remedy(_ROW)


def _fits(cast: str, dtypes: Sequence[str]) -> bool:
    """Whether a cast is one for each of the dtypes, and changes some."""
    changes = any(dtype != _RESULT[cast] for dtype in dtypes)
    return changes and all(cast in _CASTS.get(dtype, ()) for dtype in dtypes)


_RESULT = {".long()": "int64", ".int()": "int32", ".double()": "float64", ".float()": "float32"}


def _rounds(cast: str, dtypes: Sequence[str]) -> bool:
    return cast in (".float()", ".int()") and any(d in _LARGE for d in dtypes if d != _RESULT[cast])


def _several(group: Group) -> bool:
    """Whether some sample has more than one input that would be converted."""
    return any(len(Remedy(".float()").inputs(sample)) > 1 for sample in group.members)


def _is_scalar(spec: Mapping[str, object]) -> bool:
    """Whether an input has no axes."""
    return (
        spec.get("shape") == []
        or spec.get("edge") == "zero-d"
        or ("shape" not in spec and "values" in spec and not isinstance(spec["values"], list))
    )


class Trials:
    """Ways to write the calls of one name, tried on its best target."""

    def __init__(
        self, bench: Bench, prepared: Prepared, run: Callable[[Sequence[Job]], Sequence[Line]],
        key: str, found: Findings,
    ) -> None:  # fmt: skip
        self._bench, self._prepared, self._run = bench, prepared, run
        self._key, self._found = key, found

    def of(self, groups: Sequence[Group], shown: Sample | None) -> Remedy | None:
        """The simplest way in which all samples of the groups give what PyTorch does, if any.

        Args:
            groups: those of which one thing is said.
            shown: the sample of the check that shows them, tried with them.
        """
        members = [sample for group in groups for sample in group.members]
        # What is said is said of all of them: a way that suits some alone would mislead.
        one = Group(groups[0].outcome, groups[0].message, tuple(members))
        if any(map(_is_other, members)) and groups[0].error:
            members = [sample for sample in members if _is_other(sample)]
        members += [shown] if shown is not None else []
        if any("\n" in sample.torch for sample in members) or one.outcome == "in_place":
            return None
        if self._prepared.name.endswith("_"):
            return None
        left = list(ways(one, self._others(members)))
        for some in (members[:_FEW], members[_FEW:]):
            left = self._agreeing(left, some)
        return next(iter(left), None)

    def found(self, groups: Sequence[Group], shown: Sample | None) -> Instead | None:
        """What to write where some groups differ, if a way is found by which they agree."""
        every = [sample for group in groups for sample in group.members]
        if shown is not None and not _is_other(shown) and any(map(_is_other, every)):
            shown = None
        remedy = self.of(groups, shown)
        if remedy is None:
            return None
        if shown is None:
            return Instead(remedy.texts(every), "")
        return Instead(remedy.texts(every, self._call(remedy, shown)), self.code(remedy, shown))

    def _call(self, remedy: Remedy, shown: Sample) -> str:
        """MindSpore's whole call under the usual names; "" if more than inputs is given, or it is
        long.
        """
        names = dict(zip(shown.inputs, "xy", strict=False))
        if len(names) < len(shown.inputs) or not _is_bare(shown):
            return ""
        changed = {names[name]: spec for name, spec in shown.inputs.items()}
        # Under names that nothing has, none is taken for another.
        code = shown.torch
        for name in names:
            code = reading(code, name, f"_{name}_")
        for name, usual in names.items():
            code = reading(code, f"_{name}_", usual)
        ported = self._ported(remedy, replace(shown, torch=code, inputs=changed)) or ""
        return ported if len(ported) <= _LONGEST else ""

    def code(self, remedy: Remedy, shown: Sample) -> str:
        """What the check of a remedy has on the side of MindSpore's."""
        if remedy.api:
            return self._bench.port(self._prepared, shown, remedy.api).code or ""
        return f"{{{{ {remedy.call(shown)} }}}}{remedy.cast(shown)}"

    def _others(self, members: Sequence[Sample]) -> list[str]:
        """Other APIs that agree on all of these samples, and on most of all that they were tried
        with: what agrees where there is nothing to compute may compute something else.
        """
        keys = [k for k, t in self._prepared.targets.items() if k != self._key and t.api == k]
        ids = {sample.id for sample in members}
        found = []
        for key in keys:
            tried = {s: f.outcome in _AGREES for (k, s), f in self._found.items() if k == key}
            if tried and 2 * sum(tried.values()) > len(tried):
                found += [key] if all(tried.get(sample, True) for sample in ids) else []
        return found

    def _agreeing(self, left: Sequence[Remedy], samples: Sequence[Sample]) -> list[Remedy]:
        """Those ways by which each of some samples agrees."""
        if not left or not samples:
            return list(left)
        calls = []
        for number, remedy in enumerate(left):
            codes = [self._ported(remedy, sample) for sample in samples]
            if None in codes:
                continue
            key = remedy.api or self._key
            calls += [
                runs.call(f"{number}/{place}", sample, str(code), self._prepared, key)
                for place, (sample, code) in enumerate(zip(samples, codes, strict=True))
            ]
        lines = self._run([runs.of(self._prepared.name, calls)]) if calls else []
        fine = {n for line in lines for n, f in line.variants.items() if f.outcome in _AGREES}
        right = {n for n in range(len(left)) if {f"{n}/{p}" for p in range(len(samples))} <= fine}
        return [remedy for number, remedy in enumerate(left) if number in right]

    def _ported(self, remedy: Remedy, sample: Sample) -> str | None:
        """What MindSpore is given of a sample; None if it can't be written so."""
        changed = replace(sample, torch=remedy.call(sample))
        code = self._bench.port(self._prepared, changed, remedy.api or self._key).code
        cast = remedy.cast(sample)
        if code is None or not cast:
            return code
        # What isn't a call would have the cast of a part of it alone.
        is_call = isinstance(ast.parse(code, mode="eval").body, ast.Call)
        return f"{code}{cast}" if is_call else f"({code}){cast}"


def _is_other(sample: Sample) -> bool:
    """Whether a sample is of a dtype that is computed with on CPU: of those that raise, one debugs
    in float32 where the others need another way.
    """
    return sample.dtype not in LOW


def _is_bare(sample: Sample) -> bool:
    """Whether a call is given its inputs, each once and in order, and nothing else."""
    body = ast.parse(sample.torch, mode="eval").body
    if not isinstance(body, ast.Call) or body.keywords:
        return False
    first = [body.func.value] if isinstance(body.func, ast.Attribute) else []
    given = [node.id for node in (*first, *body.args) if isinstance(node, ast.Name)]
    return [name for name in given if name != "torch"] == list(sample.inputs) and all(
        isinstance(node, ast.Name) for node in body.args
    )
