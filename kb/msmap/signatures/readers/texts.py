"""Signature texts: one canonical spelling for annotations, defaults and parameters."""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import math
import re
from collections.abc import Callable, Iterable

Resolve = Callable[[str], str | None]
"""Gives the public dotted name of a name used as a default, or None when there is none."""
PublicName = Callable[[object], str | None]
"""Gives the public dotted name of an object, or None when it has none."""

UNKNOWN = "..."
_MARKS: dict[object, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}

# Some docstrings declare parameters as in C++: `bool pivot=True`.
_DECLARED = re.compile(r"(?<=[(\s])(?:bool|int|float|str|Tensor) (?=\w)")
# Others mark keyword parameters after `*size` once more: `*size, *, dtype=None`.
_STARRED = re.compile(r"(\*\w+), \*, ")
_ALIASES = {
    "_int": "int",
    "_float": "float",
    "_bool": "bool",
    "_str": "str",
    "_bytes": "bytes",
    "_complex": "complex",
    "_dtype": "dtype",
    "_device": "device",
    "_layout": "layout",
    "_qscheme": "qscheme",
    "_size": "Sequence[int]",
    "_symsize": "Sequence[int | SymInt]",
    "_ratio_any_t": "float | tuple[float, ...]",
    "_ratio_2_t": "float | tuple[float, float]",
    "_ratio_3_t": "float | tuple[float, float, float]",
    "_size_any_t": "int | tuple[int, ...]",
    "_size_1_t": "int | tuple[int]",
    "_size_2_t": "int | tuple[int, int]",
    "_size_3_t": "int | tuple[int, int, int]",
    "_size_any_opt_t": "int | tuple[int | None, ...]",
    "_size_2_opt_t": "int | tuple[int | None, int | None]",
    "_size_3_opt_t": "int | tuple[int | None, int | None, int | None]",
}


class _Shorten(ast.NodeTransformer):
    """An annotation with short names and without forward-reference quotes."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Attribute | ast.Name):
            owner = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
            if owner == "return_types":
                return ast.Attribute(ast.Name(owner), node.attr)
            return self.visit_Name(ast.Name(node.attr))
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        alias = _ALIASES.get(node.id)
        return node if alias is None else ast.parse(alias, mode="eval").body

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        try:
            inner = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return node
        return self._expression(inner)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id == "ForwardRef" and node.args:
            return self._expression(node.args[0])
        self.generic_visit(node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        # A type variable prints as ~T or +T_co.
        return self._expression(node.operand)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        value = self._expression(node.value)
        literal = isinstance(value, ast.Name) and value.id == "Literal"
        part = node.slice if literal else self._expression(node.slice)
        return ast.Subscript(value, part)

    def _expression(self, node: ast.expr) -> ast.expr:
        shortened = self.visit(node)
        assert isinstance(shortened, ast.expr)
        return shortened


def annotation(node: ast.expr) -> str:
    """An annotation's short text: torch.Tensor becomes Tensor, _int becomes int."""
    shortened = _Shorten().visit(node)
    return ast.unparse(ast.fix_missing_locations(shortened))


def default(value: object, public: PublicName) -> str:
    """A default's Python source text, `...` for a value that source cannot express."""
    if value is None or type(value) in (bool, int, str, bytes, complex):
        return repr(value)
    if type(value) is float:
        return repr(value) if math.isfinite(value) else f"float('{value!r}')"
    if type(value) in (tuple, list, set, frozenset, dict):
        return _container(value, public)
    return _named(value, public)


def _container(value: object, public: PublicName) -> str:
    if isinstance(value, dict):
        pairs = (f"{default(k, public)}: {default(v, public)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, set | frozenset):
        inner = ", ".join(sorted(default(item, public) for item in value))
        text = "{" + inner + "}" if inner else "set()"
        return text if isinstance(value, set) else f"frozenset({text if inner else ''})"
    assert isinstance(value, tuple | list)
    items = [default(item, public) for item in value]
    if isinstance(value, list):
        return "[" + ", ".join(items) + "]"
    return f"({items[0]},)" if len(items) == 1 else "(" + ", ".join(items) + ")"


def _named(value: object, public: PublicName) -> str:
    if isinstance(value, enum.Enum):
        owner = _named(type(value), public)
        return UNKNOWN if UNKNOWN in (owner, value._name_) else f"{owner}.{value._name_}"
    name = public(value)
    if name is not None:
        return name
    if not isinstance(value, type) and not inspect.isroutine(value):
        return UNKNOWN
    home, qualname = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if home is None or not re.fullmatch(r"[A-Za-z][\w.]*", f"{home}.{qualname}"):
        return UNKNOWN
    if re.search(r"\b_", home):
        return UNKNOWN
    return qualname if home == "builtins" else f"{home}.{qualname}"


def signature(found: inspect.Signature, public: PublicName) -> str:
    """An inspected signature's text."""
    posonly = [p for p in found.parameters.values() if p.kind is p.POSITIONAL_ONLY]
    parts: list[str] = []
    star = False
    for parameter in found.parameters.values():
        if posonly and parameter.kind is not parameter.POSITIONAL_ONLY and "/" not in parts:
            parts.append("/")
        if parameter.kind is parameter.VAR_POSITIONAL:
            star = True
        elif parameter.kind is parameter.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        parts.append(_inspected(parameter, public))
    if posonly and "/" not in parts:
        parts.append("/")
    return f"({', '.join(parts)})" + _returned(found.return_annotation)


def _inspected(parameter: inspect.Parameter, public: PublicName) -> str:
    mark = _MARKS.get(parameter.kind, "")
    noted = _noted(parameter.annotation)
    text: str = mark + parameter.name + (f": {noted}" if noted else "")
    if parameter.default is parameter.empty:
        return text
    return text + (" = " if noted else "=") + default(parameter.default, public)


def _noted(noted: object) -> str:
    if noted is inspect.Parameter.empty:
        return ""
    text = noted if isinstance(noted, str) else inspect.formatannotation(noted)
    try:
        return annotation(ast.parse(text, mode="eval").body)
    except SyntaxError:
        return ""


def _returned(noted: object) -> str:
    text = _noted(noted)
    return f" -> {text}" if text else ""


def written(text: str, resolve: Resolve) -> str | None:
    """A written signature such as `(x, dim=0) -> Tensor` in canonical spelling, None if broken."""
    for candidate in (text, _DECLARED.sub("", text), _STARRED.sub(r"\1, ", text)):
        try:
            node = ast.parse(f"def f{candidate}: ...").body[0]
        except (SyntaxError, ValueError):
            continue
        assert isinstance(node, ast.FunctionDef)
        return definition(node, resolve)
    return None


def definition(
    node: ast.FunctionDef | ast.AsyncFunctionDef, resolve: Resolve, *, bound: bool = False
) -> str:
    """A parsed definition's signature text, without its first parameter if `bound`."""
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(spec.defaults))
    given = list(zip(positional, [*missing, *spec.defaults], strict=True))
    slash = len(spec.posonlyargs)
    if bound and given:
        given, slash = given[1:], slash - 1
    parts = [_parameter(arg, value, resolve) for arg, value in given]
    if slash > 0:
        parts.insert(slash, "/")
    if spec.vararg:
        parts.append("*" + _parameter(spec.vararg, None, resolve))
    elif spec.kwonlyargs:
        parts.append("*")
    pairs = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    parts += [_parameter(arg, value, resolve) for arg, value in pairs]
    if spec.kwarg:
        parts.append("**" + _parameter(spec.kwarg, None, resolve))
    arrow = f" -> {annotation(node.returns)}" if node.returns else ""
    return f"({', '.join(parts)}){arrow}"


def _parameter(arg: ast.arg, value: ast.expr | None, resolve: Resolve) -> str:
    noted = f": {annotation(arg.annotation)}" if arg.annotation else ""
    if value is None:
        return arg.arg + noted
    return arg.arg + noted + (" = " if noted else "=") + _expression(value, resolve)


def _expression(node: ast.expr, resolve: Resolve) -> str:
    """A default written in source, its names made public, `...` if one of them is not."""
    resolved = _Resolve(resolve)
    changed = resolved.visit(node)
    return UNKNOWN if resolved.failed else ast.unparse(ast.fix_missing_locations(changed))


class _Resolve(ast.NodeTransformer):
    """An expression whose names are replaced by their public spelling."""

    def __init__(self, resolve: Resolve) -> None:
        self.resolve = resolve
        self.failed = False

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._public(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._public(node)

    def _public(self, node: ast.expr) -> ast.expr:
        text = ast.unparse(node)
        if isinstance(node, ast.Name) and hasattr(builtins, text):
            return node
        name = self.resolve(text)
        if name is None:
            self.failed = True
            return node
        return ast.parse(name, mode="eval").body


def filled(text: str, others: Iterable[str]) -> str:
    """A signature with its unknown defaults taken from other spellings of it."""
    known: dict[str, str] = {}
    for other in others:
        for name, value in _defaults(other):
            known.setdefault(name, value)
    for name, value in _defaults(text):
        if value == UNKNOWN and known.get(name, UNKNOWN) != UNKNOWN:
            pattern = rf"(?<=[( ])({name}(?:: [^=]*?)? ?= ?)\.\.\."
            text = re.sub(pattern, _appending(known[name]), text, count=1)
    return text


def starred(text: str, others: Iterable[str]) -> str:
    """A signature whose trailing parameters are keyword-only if another spelling says so."""
    node = parsed(text)
    spec = node.args
    for other in others:
        said = parsed(other).args
        at = len(said.args)
        trailing = spec.args[at:]
        if spec.kwonlyargs or spec.vararg or not trailing or len(trailing) > len(spec.defaults):
            continue
        same = [arg.arg for arg in spec.args[:at]] == [arg.arg for arg in said.args]
        if same and {arg.arg for arg in trailing} <= {arg.arg for arg in said.kwonlyargs}:
            split = len(spec.defaults) - len(trailing)
            spec.kwonlyargs, spec.args = trailing, spec.args[:at]
            spec.kw_defaults, spec.defaults = [*spec.defaults[split:]], spec.defaults[:split]
            return definition(node, str)
    return text


def parsed(text: str) -> ast.FunctionDef:
    """The definition that a signature text stands for."""
    node = ast.parse(f"def f{text}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def _appending(value: str) -> Callable[[re.Match[str]], str]:
    return lambda match: match.group(1) + value


def _defaults(text: str) -> list[tuple[str, str]]:
    spec = parsed(text).args
    positional = [*spec.posonlyargs, *spec.args]
    given = positional[len(positional) - len(spec.defaults) :]
    pairs = [*zip(given, spec.defaults, strict=True)]
    named = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    pairs += [(arg, value) for arg, value in named if value is not None]
    return [(arg.arg, ast.unparse(value)) for arg, value in pairs]


def useless(text: str) -> bool:
    """Whether a signature only says that anything may be passed."""
    return re.fullmatch(r"\(\*args(: \w+)?, \*\*kwargs(: \w+)?\)( -> .*)?", text) is not None


def parses(text: str) -> bool:
    """Whether `def f<text>: ...` is Python."""
    try:
        ast.parse(f"def f{text}: ...")
    except (SyntaxError, ValueError):
        return False
    return True
