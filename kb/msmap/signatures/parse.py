"""The text of a signature, as it stands in the files under data/signatures, taken apart."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import lru_cache

from msmap.messages import Message

POSITIONAL_ONLY = "positional_only"
POSITIONAL = "positional_or_keyword"
VARIADIC = "var_positional"
KEYWORD_ONLY = "keyword_only"
VARIADIC_KEYWORDS = "var_keyword"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its name, kind, default as source text (None if required) and annotation."""

    name: str
    kind: str
    default: str | None = None
    annotation: str = ""

    @property
    def required(self) -> bool:
        """Whether a call without it fails."""
        return self.default is None and self.kind not in (VARIADIC, VARIADIC_KEYWORDS)

    @property
    def positional(self) -> bool:
        """Whether it can be given by position, one argument each."""
        return self.kind in (POSITIONAL_ONLY, POSITIONAL)


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of one overload, in order.

    ``positional`` are those that can be given by position, one argument each; ``variadic`` is
    ``*args``, or None; ``open_keywords`` says that any keyword is accepted (``**kwargs``).
    """

    text: str
    parameters: tuple[Parameter, ...]
    # Asked for with every argument of every call that is ported.
    _named: dict[str, Parameter] = field(init=False, repr=False, compare=False)
    positional: tuple[Parameter, ...] = field(init=False, repr=False, compare=False)
    variadic: Parameter | None = field(init=False, repr=False, compare=False)
    open_keywords: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kinds = {p.kind: p for p in reversed(self.parameters)}
        for name, value in (
            ("_named", {p.name: p for p in reversed(self.parameters)}),
            ("positional", tuple(p for p in self.parameters if p.positional)),
            ("variadic", kinds.get(VARIADIC)),
            ("open_keywords", VARIADIC_KEYWORDS in kinds),
        ):
            object.__setattr__(self, name, value)

    def get(self, name: str) -> Parameter | None:
        """The parameter of that name, or None."""
        return self._named.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters, in order."""
        return tuple(p.name for p in self.parameters)


# More than thousands of records have: parsing the same again and again takes most of the time.
@lru_cache(maxsize=1 << 14)
def parse(text: str) -> Signature:
    """The signature written in ``text``, such as ``(input: Tensor, dim: int = -1, *, out=None)``.

    Raises:
        ValueError: the text isn't the parameter list of a Python function.
    """
    try:
        function = ast.parse(f"def f{text}: ...").body[0]
    except SyntaxError as error:
        raise ValueError(Message("{!r} is not a signature: {}", text, error.msg)) from None
    if not isinstance(function, ast.FunctionDef):
        raise ValueError(Message("{!r} is not a signature", text))
    arguments = function.args
    found: list[Parameter] = []
    plain = [(a, POSITIONAL_ONLY) for a in arguments.posonlyargs]
    plain += [(a, POSITIONAL) for a in arguments.args]
    first_default = len(plain) - len(arguments.defaults)
    for index, (argument, kind) in enumerate(plain):
        default = arguments.defaults[index - first_default] if index >= first_default else None
        found.append(_parameter(argument, kind, default))
    if arguments.vararg:
        found.append(_parameter(arguments.vararg, VARIADIC, None))
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(argument, KEYWORD_ONLY, value))
    if arguments.kwarg:
        found.append(_parameter(arguments.kwarg, VARIADIC_KEYWORDS, None))
    return Signature(text, tuple(found))


@lru_cache(maxsize=1 << 14)
def overloads(texts: tuple[str, ...]) -> tuple[Signature, ...]:
    """The signatures written in some texts.

    Raises:
        ValueError: one of them is none.
    """
    return tuple(map(parse, texts))


def _parameter(argument: ast.arg, kind: str, default: ast.expr | None) -> Parameter:
    return Parameter(
        argument.arg,
        kind,
        None if default is None else ast.unparse(default),
        "" if argument.annotation is None else ast.unparse(argument.annotation),
    )


def same_default(one: str | None, other: str | None) -> bool:
    """Whether two defaults, as source text, stand for the same value on both frameworks.

    ``1e-05`` equals ``0.00001``, ``torch.float32`` equals ``mindspore.float32``, ``1`` equals
    ``1.0`` (but not ``True``), and a default that can't be expressed (``...``) equals nothing.
    """
    if one is None or other is None or "..." in (one, other):
        return one is None and other is None
    return _value(one) == _value(other)


@lru_cache(maxsize=4096)
def _value(text: str) -> object:
    try:
        return _tagged(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        for prefix in ("torch.", "mindspore."):
            text = text.removeprefix(prefix)
        return ("name", text)


def _tagged(value: object) -> object:
    """A literal with its kind, so that neither True nor 'x' equals a number or a name."""
    if isinstance(value, tuple | list):
        return (type(value).__name__, *map(_tagged, value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return ("number", float(value))
    return (type(value).__name__, value)
