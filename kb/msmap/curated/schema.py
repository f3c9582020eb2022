"""The models of what people write under data/. The model is the schema."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

from msmap import sample_words, vocabulary
from msmap.curated import arrays
from msmap.messages import Message
from msmap.signatures import parse as signatures

_CJK = r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
_BROKEN_LINE = re.compile(rf"(?<={_CJK})[ \n]+(?={_CJK})")

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$")]
TorchName = Annotated[str, StringConstraints(pattern=r"^torch(\.[A-Za-z_]\w*)+$")]
MindSporeName = Annotated[str, StringConstraints(pattern=r"^mindspore(\.[A-Za-z_]\w*)+$")]
# A name, or all that begin so: torch.cuda.nvtx.*, torch._foreach_*
TorchNames = Annotated[str, StringConstraints(pattern=r"^torch(\.[A-Za-z_]\w*)+(\.\*|\*)?$")]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_DTYPE = "bool|u?int(8|16|32|64)|float(16|32|64)|bfloat16|complex(64|128)"
_NUMBER = r"-?\d+(\.\d+)?"
Dtype = Annotated[str, StringConstraints(pattern=rf"^({_DTYPE})$")]


def _is_range(text: str) -> str:
    _, _, ends = text.partition(" in ")
    low, _, high = ends.partition("..")
    if ends and float(low) > float(high):
        raise ValueError(Message("{}: the first is the smaller one", ends))
    return text


# float32[2, 3], or int64[4] in 0..5 with the upper bound left out
InputText = Annotated[
    str,
    StringConstraints(pattern=rf"^({_DTYPE})\[(\d+(, ?\d+)*)?\]( in {_NUMBER}\.\.{_NUMBER})?$"),
    AfterValidator(_is_range),
]
Versions = Annotated[str, StringConstraints(pattern=r"^(>=|<)\d+(\.\d+)*(,(>=|<)\d+(\.\d+)*)*$")]


class Model(BaseModel):
    """A mapping in a data file; a key that isn't named here is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Bilingual(Model):
    """The same text in English and in Chinese."""

    en: Text
    zh: Text

    @field_validator("zh")
    @classmethod
    def _joined(cls, text: str) -> str:
        """Without the spaces that YAML puts where a line of Chinese was broken."""
        return _BROKEN_LINE.sub("", text)


class Case(Model):
    """What one shape of a PyTorch argument becomes: the first case that fits is used."""

    when: Annotated[
        Text,
        Field(
            description="A literal as source text, where * in a text stands for anything, or a "
            "kind: none, bool, int, float, number, str, list, tuple, tuple2, tuple4, ..., dict, "
            "subscript, call, or any (also fits every expression)."
        ),
    ]
    set: Annotated[
        dict[str, str],
        Field(description="Target parameter to source text with {placeholders}; {p[0]} is an item"),
    ] = {}
    refuse: Annotated[
        Bilingual | None, Field(description="Why this shape of argument can't be carried over")
    ] = None
    note: Bilingual | None = None
    assumes: Annotated[
        vocabulary.Assumption | None,
        Field(
            description="What the case takes the argument for: where the code doesn't prove it, "
            "the note stands in the ported file"
        ),
    ] = None


class Parameter(Model):
    """How one parameter (or several) of the PyTorch API is carried over."""

    torch: Annotated[
        str | list[str] | None, Field(description="PyTorch parameter; several when merged")
    ] = None
    mindspore: Annotated[
        str | list[str] | None, Field(description="MindSpore parameter; several when split")
    ] = None
    relation: vocabulary.Relation
    value: Annotated[
        str | None,
        Field(
            description="Target value as source text with {placeholders} of PyTorch parameters; "
            "with target_only_must_set the value to set"
        ),
    ] = None
    cases: list[Case] = []
    allow: Annotated[
        list[str],
        Field(description="Literal values that may be dropped from an unsupported parameter"),
    ] = []
    keyword: Annotated[
        bool, Field(description="Always pass by keyword, because the position means another thing")
    ] = False
    note: Bilingual | None = None

    @property
    def torch_names(self) -> tuple[str, ...]:
        """The PyTorch parameters it is about."""
        return _names(self.torch)

    @property
    def mindspore_names(self) -> tuple[str, ...]:
        """The MindSpore parameters it is about."""
        return _names(self.mindspore)

    @model_validator(mode="after")
    def _sides_fit_relation(self) -> Parameter:
        sides = vocabulary.RELATIONS[self.relation].sides
        found = (bool(self.torch_names), bool(self.mindspore_names))
        if found != sides:
            wanted = {
                (True, True): Message("both"),
                (True, False): "only torch",
                (False, True): "only mindspore",
            }[sides]
            raise ValueError(Message('relation "{}" names {} sides', self.relation, wanted))
        return self


def _names(value: str | list[str] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


class State(Model):
    """One parameter or buffer of a layer, by its name on both sides."""

    torch: str
    mindspore: Annotated[str | None, Field(description="None: MindSpore has no such state")] = None
    value: Annotated[
        str, Field(description="NumPy expression that turns PyTorch's `value` into MindSpore's")
    ] = "value"
    back: Annotated[
        str | None, Field(description="The same the other way; needed where `value` is changed")
    ] = None
    note: Bilingual | None = None


class Returns(Model):
    """How what comes back differs."""

    relation: vocabulary.ReturnRelation
    value: Annotated[
        str | None,
        Field(description="Expression around the ported call, {result}, that gives PyTorch's form"),
    ] = None
    fields: Annotated[
        dict[str, str],
        Field(description="Field of PyTorch's result to what replaces it: values -> [0]"),
    ] = {}
    text: Bilingual


class Target(Model):
    """One way to write the API in MindSpore."""

    api: Annotated[MindSporeName | None, Field(description="The counterpart")] = None
    expression: Annotated[
        str | None,
        Field(description="A composition instead, with {placeholders} of PyTorch parameters"),
    ] = None
    remove: Annotated[bool, Field(description="The call is dropped in MindSpore")] = False
    id: Annotated[Slug | None, Field(description="Names an expression, for checks")] = None
    given: Annotated[
        list[str], Field(description="Used when all of these PyTorch parameters are given")
    ] = []
    absent: Annotated[
        list[str], Field(description="Used when none of these PyTorch parameters is given")
    ] = []
    parameters: list[Parameter] = []
    inputs: Annotated[
        list[Parameter], Field(description="The same for forward -> construct of a layer")
    ] = []
    state: list[State] = []
    members: Annotated[
        dict[str, str],
        Field(description="Methods that a subclass defines, under their new name"),
    ] = {}
    returns: Returns | None = None
    runs_on: Annotated[
        list[vocabulary.Platform] | None,
        Field(description="Where it really runs, when the docstring is wrong or silent"),
    ] = None
    mindspore: Versions | None = None
    note: Bilingual | None = None
    first: Annotated[
        Bilingual | None,
        Field(description="Why it stands first though another agrees on more samples"),
    ] = None

    @property
    def key(self) -> str:
        """What checks and evidence call this target."""
        return self.id or self.api or "remove"

    @model_validator(mode="after")
    def _one_form(self) -> Target:
        if sum((self.api is not None, self.expression is not None, self.remove)) != 1:
            raise ValueError(Message("a target has exactly one of api, expression, remove"))
        if self.expression is not None and self.id is None:
            raise ValueError(Message("a target that is an expression needs an id"))
        return self


class Told(Model):
    """Samples of PyTorch's that a caveat tells of: those that fit all that is said."""

    outcomes: Annotated[list[str], Field(description="What came out: differs, raises, ...")] = []
    dtypes: list[Dtype] = []
    kinds: Annotated[list[str], Field(description="What is special: empty, 0-d, ...")] = []
    given: Annotated[list[str], Field(description="Optional parameters, all given")] = []
    message: Annotated[str, Field(description="Part of what was said")] = ""

    @model_validator(mode="after")
    def _says_something(self) -> Told:
        if not (self.outcomes or self.dtypes or self.kinds or self.given or self.message):
            raise ValueError(
                Message("of `samples`, say which: outcomes, dtypes, kinds, given or message")
            )
        _check(self.outcomes, vocabulary.PROBE_OUTCOMES, "outcome")
        _check(self.kinds, sample_words.KINDS, "kind")
        return self


def _check(words: list[str], known: Iterable[str], what: str) -> None:
    for word in words:
        if word not in known:
            raise ValueError(Message('{} "{}": one of {}', what, word, ", ".join(known)))


class When(Model):
    """When a caveat bites; all that is said must hold."""

    on: vocabulary.Trigger = "call"
    given: Annotated[list[str], Field(description="PyTorch parameters, all given")] = []
    omitted: Annotated[list[str], Field(description="PyTorch parameters, none given")] = []
    position: Annotated[list[str], Field(description="PyTorch parameters given by position")] = []
    values: Annotated[
        dict[str, str],
        Field(
            description="PyTorch parameter to what its argument is, as `when` of a case, or"
            " `not 2|2.0`, none of them"
        ),
    ] = {}

    @property
    def parameters(self) -> set[str]:
        """The parameters that it names."""
        return {*self.given, *self.omitted, *self.position, *self.values}


class Caveat(Model):
    """Something that bites, and the check that shows it."""

    id: Slug
    impact: vocabulary.Impact
    device: Annotated[
        list[vocabulary.Platform],
        Field(description="Where it was seen, if nothing says that it holds everywhere"),
    ] = []
    text: Bilingual
    parameter: Annotated[
        str | None, Field(description="The parameter it explains, whose relation says the category")
    ] = None
    shown_by: Annotated[
        list[Slug], Field(description="Checks that fail when it stops holding")
    ] = []
    variants: Annotated[
        list[str],
        Field(description="Variants of checks that differ, or raise, because of it"),
    ] = []
    samples: Annotated[
        list[Told], Field(description="PyTorch's own samples that differ, or raise, because of it")
    ] = []
    unverified: Annotated[
        Bilingual | None, Field(description="Why no check shows it; one of the three is needed")
    ] = None
    target: Annotated[str | None, Field(description="The target it is about, if not all")] = None
    own: Annotated[
        bool,
        Field(description="About what this API alone has, and no sibling: its name, its state"),
    ] = False
    when: Annotated[
        vocabulary.Trigger | When | None,
        Field(description="Which calls it bites; left out, it follows from the rest"),
    ] = None
    mindspore: Versions | None = None

    @model_validator(mode="after")
    def _shown_or_marked(self) -> Caveat:
        if bool(self.shown_by or self.variants) == (self.unverified is not None):
            raise ValueError(Message("a caveat has either shown_by (or variants) or unverified"))
        return self

    @field_validator("variants")
    @classmethod
    def _are_variants(cls, names: list[str]) -> list[str]:
        _check(names, vocabulary.VARIANTS, "variant")
        return names


class Input(Model):
    """A NumPy array that both sides start from."""

    shape: list[int] | None = None
    values: Annotated[object | None, Field(description="Nested lists instead of a shape")] = None
    dtype: Dtype = "float32"
    low: float | None = None
    high: float | None = None

    @model_validator(mode="after")
    def _shape_or_values(self) -> Input:
        if (self.shape is None) == (self.values is None):
            raise ValueError(Message("an input has either shape or values"))
        if any(size < 0 for size in self.shape or ()):
            raise ValueError(Message("`shape`: no size is below 0"))
        if None not in (self.low, self.high) and float(str(self.low)) > float(str(self.high)):
            raise ValueError(Message("`low` is above `high`"))
        if self.values is not None and (wrong := arrays.mistake(self.values, self.dtype)):
            raise ValueError(wrong)
        return self


class Tolerance(Model):
    """A tolerance wider than the dtype's default, with its reason."""

    rtol: float
    atol: float
    why: Bilingual


class Check(Model):
    """A few lines for both frameworks, and what must come out."""

    id: Slug
    torch: Text
    mindspore: Annotated[
        Text | None,
        Field(description="Left out: the port of the torch side. {{ expr }} is the port of expr"),
    ] = None
    target: Annotated[str | None, Field(description="Port with this target, not the best")] = None
    inputs: dict[str, InputText | Input] = {}
    expect: vocabulary.Expect = "same"
    gives: Annotated[
        dict[Literal["torch", "mindspore"], str],
        Field(description="What a differing check gives on each side, as printed"),
    ] = {}
    gradient: Annotated[bool, Field(description="Compare gradients of float inputs too")] = True
    modes: list[vocabulary.Mode] | None = None
    ranks: Annotated[
        int,
        Field(ge=0, le=8, description="Processes to run in, as torchrun and msrun start them"),
    ] = 0
    tolerance: Tolerance | None = None
    raises: Annotated[str | None, Field(description="Part of the error message")] = None
    clears: Annotated[
        list[Slug],
        Field(description="Caveats of siblings that this agreement shows not to hold here"),
    ] = []

    @model_validator(mode="after")
    def _ranks_make_their_own(self) -> Check:
        if self.ranks and self.inputs:
            raise ValueError(
                Message("`ranks` make their tensors themselves: there are no `inputs`")
            )
        return self


class Reference(Model):
    """A page that says something about the API."""

    kind: vocabulary.ReferenceKind
    url: Annotated[str, StringConstraints(pattern=r"^https://\S+$")]


class Record(Model):
    """One PyTorch API and what becomes of it in MindSpore."""

    torch: TorchName
    summary: Bilingual
    overloads: Annotated[
        list[str],
        Field(description="PyTorch's overloads, the one to assume first, where calls don't tell"),
    ] = []
    targets: list[Target] = []
    missing: Annotated[
        Bilingual | None, Field(description="There is no counterpart: what to do instead")
    ] = None
    caveats: list[Caveat] = []
    inputs: Annotated[dict[str, InputText | Input], Field(description="Shared by the checks")] = {}
    example: Annotated[str | None, Field(description="The PyTorch line shown first")] = None
    example_mindspore: Annotated[
        str | None, Field(description="Its MindSpore line, where no single call can be ported")
    ] = None
    checks: list[Check] = []
    references: list[Reference] = []
    guides: list[Slug] = []
    covers: Annotated[
        list[TorchNames],
        Field(description="Other names that share the answer, each without a record of its own"),
    ] = []

    @field_validator("overloads")
    @classmethod
    def _are_signatures(cls, texts: list[str]) -> list[str]:
        for text in texts:
            signatures.parse(text)
        return texts

    @model_validator(mode="after")
    def _targets_or_missing(self) -> Record:
        if bool(self.targets) == (self.missing is not None):
            raise ValueError(Message("a record has either targets or missing"))
        if self.covers and not all(target.remove for target in self.targets):
            raise ValueError(
                Message("`covers` shares what is missing or removed: a target is of one API")
            )
        return self


class Section(Model):
    """A part of a guide."""

    id: Slug
    title: Bilingual
    text: Bilingual
    torch: str | None = None
    mindspore: str | None = None
    checks: list[Check] = []


class Guide(Model):
    """A topic that is no single API."""

    id: Slug
    title: Bilingual
    summary: Bilingual
    sections: Annotated[list[Section], Field(min_length=1)]
    inputs: dict[str, InputText | Input] = {}
    records: list[TorchName] = []
    references: list[Reference] = []
