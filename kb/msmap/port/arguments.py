"""Arguments as source text: which kind of value they are, and what a template makes of them."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from keyword import iskeyword

UNKNOWN = object()
_SEQUENCES = (ast.Tuple, ast.List)
_LISTS = (ast.List, ast.ListComp)
_SIGNS = (ast.USub, ast.UAdd)
_NUMBERS = (int, float, complex)
_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)(?:\[(\d+)\])?\}")
_ATOMS = (
    ast.Name,
    ast.Constant,
    ast.Call,
    ast.Attribute,
    ast.Subscript,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.JoinedStr,
    ast.ListComp,
)


@dataclass(unsafe_hash=True, slots=True)
class Argument:
    """An argument as written, or a default standing in for one; made often, so it isn't frozen.

    ``items`` holds the parts of a variadic argument; ``by`` is position, keyword or default.
    ``proved`` is tensor, plain (a number or a text), list, device or file where the code around
    says so.
    ``unclear`` is where it was looked for and nothing is said;
    ``watched`` says that the code is a user's, ``maybe_none`` that it may be None.
    """

    text: str
    node: ast.expr | None
    by: str
    items: tuple[Argument, ...] | None = None
    proved: str = ""
    unclear: bool = False
    watched: bool = False
    maybe_none: bool = False

    @property
    def costly(self) -> bool:
        """Whether it must not be evaluated twice."""
        return self.watched and (self.node is None or not is_steady(self.node))

    @property
    def elements(self) -> tuple[Argument, ...] | None:
        """The parts of a variadic argument, a tuple or a list; None if it may be anything."""
        if self.items is not None:
            return self.items
        if isinstance(self.node, _SEQUENCES):
            # Its places may be those in a whole source.
            node = _parsed(_enclosed(self.text))
            parts = getattr(node, "elts", ())
            if any(isinstance(e, ast.Starred) for e in parts):
                return None
            return tuple(_part(self, e) for e in parts)
        return None


def argument(text: str, by: str = "default") -> Argument:
    """An argument made from source text; a named expression gets the parentheses it needs."""
    if text.isascii() and text.isidentifier() and not iskeyword(text):
        # The parser takes fifty times as long.
        return Argument(text, ast.Name(text, _LOAD), by)
    node = _parsed(_enclosed(text))
    if node.__class__ is ast.NamedExpr and not text.startswith("("):
        text = f"({text})"
    return Argument(text, node, by)


_LOAD = ast.Load()


def _parsed(text: str) -> ast.expr | None:
    """The expression that a text is; None if it is none. Nobody changes it: short ones are kept.

    The same few names, numbers and defaults come again and again. What is long comes once, and
    on a server anybody may send it.
    """
    return (_kept if len(text) <= _SHORT else _read)(text)


def _read(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


_SHORT = 60
_kept = lru_cache(maxsize=4096)(_read)


def _enclosed(text: str) -> str:
    """The text as Python reads it inside a call: line breaks don't end it."""
    return f"({text}\n)"


def _part(whole: Argument, node: ast.expr) -> Argument:
    text = ast.get_source_segment(_enclosed(whole.text), node)
    return argument(text or ast.unparse(node), whole.by)


_STEADY = (
    ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Compare,
    ast.BoolOp, ast.IfExp, ast.Tuple, ast.List, ast.Slice, ast.expr_context, ast.operator,
    ast.unaryop, ast.cmpop, ast.boolop,
)  # fmt: skip


_SHORTEST = (ast.Name, ast.Constant)


def is_steady(node: ast.AST) -> bool:
    """Whether evaluating an expression twice gives the same and does nothing."""
    if node.__class__ in _SHORTEST:
        return True
    if isinstance(node, ast.Call):
        # Such as float("-inf").
        number = isinstance(node.func, ast.Name) and node.func.id in ("float", "int")
        return number and all(isinstance(one, ast.Constant) for one in node.args)
    return all(isinstance(part, _STEADY) for part in ast.walk(node))


def is_atom(node: ast.expr | None) -> bool:
    """Whether an expression keeps its meaning beside any operator."""
    return isinstance(node, _ATOMS)


def embedded(text: str, open_place: bool, before_dot: bool = False) -> str:
    """Source text as it may stand in a place: in parentheses unless it needs none there."""
    whole = argument(text)
    node = whole.node
    if isinstance(node, ast.NamedExpr):
        return whole.text
    number = isinstance(node, ast.Constant) and isinstance(node.value, _NUMBERS)
    if is_atom(node) and not (number and before_dot):
        return text
    if open_place and node is not None:
        return text if _parsed(text) is not None else f"({text})"
    return f"({text})"


def kind(node: ast.expr | None) -> str:
    """The kind of literal: none, bool, int, float, str, tuple, list, or unknown."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, _SIGNS):
        inner = kind(node.operand)
        return inner if inner in ("int", "float") else "unknown"
    if isinstance(node, ast.Constant):
        if node.value is None:
            return "none"
        name = type(node.value).__name__
        return name if name in ("bool", "int", "float", "str") else "unknown"
    if isinstance(node, ast.Tuple):
        return "tuple"
    if isinstance(node, _LISTS):
        return "list"
    return "unknown"


# Shapes of expressions that a case may ask for.
_NODES: dict[str, type | tuple[type, ...]] = {
    "subscript": ast.Subscript,
    "call": ast.Call,
    "dict": (ast.Dict, ast.DictComp),
}


_SIGNED = ("negative", "nonnegative", "any_sign")


def sign(found: Argument) -> str:
    """What the code shows of the sign of a number, or of the numbers in a tuple.

    "negative" where one is, "nonnegative" where none is, "any_sign" where it doesn't show.
    """
    parts = found.elements if isinstance(found.node, _SEQUENCES) or found.items else (found,)
    known = [UNKNOWN] if parts is None else [fold(part.text) for part in parts]
    numbers = [one for one in known if isinstance(one, int | float)]
    if any(one < 0 for one in numbers):
        return "negative"
    return "nonnegative" if len(numbers) == len(known) else "any_sign"


def fits(found: Argument, when: str) -> bool:
    """Whether an argument has the shape that a case asks for."""
    if when == "any":
        return True
    if when == "given":
        return found.by != "default"
    if when in _SIGNED:
        return sign(found) == when
    this = "tuple" if found.items is not None else kind(found.node)
    if when == "number":
        return this in ("int", "float")
    if match := re.fullmatch(r"tuple(\d+)", when):
        return found.elements is not None and len(found.elements) == int(match[1])
    if when == "tuple":
        return this in ("tuple", "list")
    if when == "list":
        return "list" in (this, found.proved)
    if when in _NODES:
        return isinstance(found.node, _NODES[when])
    if when in ("none", "bool", "int", "float", "str", "expression"):
        return this == ("unknown" if when == "expression" else when)
    left, right = fold(found.text), fold(when)
    if isinstance(left, str) and isinstance(right, str) and "*" in right:
        return fnmatchcase(left, right)
    return right is not UNKNOWN and type(left) is type(right) and left == right


def fill(template: str, arguments: Mapping[str, Argument]) -> str:
    """The template with its {placeholders} replaced by the arguments' source text.

    A compound argument is put in parentheses where it stands beside an operator. One that must not
    be evaluated twice becomes the argument of a function where the template names it twice.

    Raises:
        KeyError: a placeholder names no parameter, or an item of something that isn't a sequence.
    """

    for name, text in _repeated(template, arguments):
        inner = {**arguments, name: Argument(text, ast.Name(text, ast.Load()), "position")}
        return f"(lambda {text}: {fill(template, inner)})({arguments[name].text})"

    def replace(match: re.Match[str]) -> str:
        found = arguments[match[1]]
        if match[2] is not None:
            if found.elements is None or int(match[2]) >= len(found.elements):
                raise KeyError(match[0])
            found = found.elements[int(match[2])]
        before, after = template[: match.start()].rstrip(), template[match.end() :].lstrip()
        if found.items is not None:
            return found.text
        keyword = before.endswith("=") and not before.endswith(("==", "<=", ">=", "!="))
        opened = before[-1:] in ("", "(", ",", "[") or keyword
        closed = after[:1] in ("", ")", ",", "]")
        alone = not before and not after
        starred = found.text.startswith("*")
        if opened and closed and not alone and (found.node is not None or starred):
            return found.text
        return found.text if alone else embedded(found.text, False, after.startswith("."))

    return _PLACEHOLDER.sub(replace, template)


def _repeated(template: str, arguments: Mapping[str, Argument]) -> Iterator[tuple[str, str]]:
    """The arguments that a template would evaluate twice and mustn't, with names for them."""
    named = [match[1] for match in _PLACEHOLDER.finditer(template) if match[2] is None]
    for name in dict.fromkeys(named):
        if named.count(name) > 1 and name in arguments and arguments[name].costly:
            taken = " ".join([template, *(a.text for a in arguments.values())])
            text = "x" if name == "self" else name
            while re.search(rf"\b{text}\b", _PLACEHOLDER.sub("", taken)):
                text += "_"
            yield name, text


def placeholders(template: str) -> set[str]:
    """The names of the parameters that a template uses."""
    return {match[1] for match in _PLACEHOLDER.finditer(template)}


_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}


def fold(text: str) -> object:
    """The value of a literal or of arithmetic on literals, else ``UNKNOWN``."""
    try:
        node = _parsed(text)
        return UNKNOWN if node is None else _fold(node)
    except (ValueError, TypeError, ZeroDivisionError):
        return UNKNOWN


# No literal is one of these: to let literal_eval find out costs a traceback and a cycle.
_NO_LITERALS = (ast.Name, ast.Attribute, ast.Subscript)


def _fold(node: ast.expr) -> object:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, _NO_LITERALS):
        return UNKNOWN
    if isinstance(node, ast.BinOp):
        left, right = _fold(node.left), _fold(node.right)
        if UNKNOWN in (left, right):
            return UNKNOWN
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        apply = _BINARY.get(type(node.op))
        return apply(left, right) if numbers and apply else UNKNOWN  # type: ignore[arg-type]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _fold(node.operand)
        return UNKNOWN if inner is UNKNOWN else not inner
    return ast.literal_eval(node)
