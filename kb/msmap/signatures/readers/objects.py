"""Public objects of an imported framework: what they are and how they are called."""

from __future__ import annotations

import ast
import datetime
import enum
import functools
import inspect
import re
import textwrap
import types
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from msmap.signatures.readers import docstrings
from msmap.signatures.readers import texts as render

_NUMBERS = (bool, int, float, complex, str, bytes, type(None), datetime.timedelta)
_PLAIN = (*_NUMBERS, tuple, list, dict, set, frozenset)


@dataclass(frozen=True, slots=True)
class Named:
    """A public name and the object it gives; `owner` is the class of a member."""

    name: str
    value: object
    kind: str
    owner: type | None = None

    @property
    def home(self) -> str:
        """The namespace or class the name is in."""
        return self.name.rpartition(".")[0]


def belongs(value: object, root: str) -> bool:
    """Whether an object is the framework's own rather than something it imported."""
    home = attribute(value, "__module__")
    if isinstance(value, type) or inspect.isroutine(value) or isinstance(home, str):
        if isinstance(home, str):
            return home.split(".")[0] in (root, "pybind11_builtins")
        return inspect.isroutine(value)
    if isinstance(value, _PLAIN):
        return True
    return type(value).__module__.split(".")[0] == root


def kind_of(value: object, dtype: type) -> str:
    """The kind of a module-level object."""
    if isinstance(value, dtype):
        return "dtype"
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    # A member of an enumeration may be callable.
    is_member = hasattr(type(value), "__members__")
    return "function" if callable(value) and not is_member else "constant"


def members(
    owner: type, name: str, stop: Iterable[type], also: Container[str] = ()
) -> Iterator[Named]:
    """The public members a class has itself or from bases not in `stop`, and those `also`."""
    inherited = {
        base for other in set(stop) - {owner} if issubclass(owner, other) for base in other.__mro__
    }
    bases = [
        base for base in owner.__mro__ if base.__module__ != "builtins" and base not in inherited
    ]
    listed = {key for base in bases for key in vars(base) if not key.startswith("_") or key in also}
    for key in sorted(listed):
        raw = inspect.getattr_static(owner, key)
        yield Named(f"{name}.{key}", raw, _member_kind(raw), owner)


def held(owner: type) -> set[str]:
    """The public members that a class defines itself, and what its constructor keeps."""
    found = {*vars(owner), *(attribute(owner, "__constants__") or ())}  # type: ignore[misc]
    found |= set(vars(owner).get("__annotations__", ()))
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
    except (OSError, TypeError, SyntaxError):
        # Of what is written in C there is no source.
        tree = ast.Module([], [])
    makers = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
    found |= {
        node.attr
        for maker in makers[:1]
        for node in ast.walk(maker)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
    return {leaf for leaf in found if isinstance(leaf, str) and not leaf.startswith("_")}


def _member_kind(raw: object) -> str:
    if isinstance(raw, staticmethod | classmethod) or inspect.isroutine(raw):
        return "property" if inspect.isgetsetdescriptor(raw) else "method"
    if isinstance(raw, type):
        return "class"
    descriptor = isinstance(raw, property | functools.cached_property)
    if descriptor or inspect.isgetsetdescriptor(raw) or inspect.ismemberdescriptor(raw):
        return "property"
    return "method" if callable(raw) else "constant"


def attribute(value: object, name: str) -> object:
    """An attribute, None also when looking for it fails.

    A backend's object may refuse every attribute on a machine without its device.
    """
    try:
        return getattr(value, name, None)
    except Exception:
        return None


def safe_repr(value: object) -> str:
    """An object's repr, "" when making it fails."""
    try:
        return repr(value)
    except Exception:
        return ""


def identified(named: Named) -> bool:
    """Whether another name of the same object is another name of the same API."""
    # Equal small constants are one object in Python without being one API; so is nothing.
    return named.value is not None and named.kind in ("class", "function", "method", "dtype")


def public_names(found: Sequence[Named], other: dict[str, str], root: str) -> render.PublicName:
    """A function from an object to its canonical public name."""
    names = {id(n.value): n.name for n in found if n.name not in other and identified(n)}

    def public(value: object) -> str | None:
        said = "" if isinstance(value, type) else safe_repr(value)
        if re.fullmatch(rf"{root}\.[a-z]\w*", said):
            return said
        return names.get(id(value))

    return public


def inspected(value: object, public: render.PublicName, *, bound: bool = False) -> str | None:
    """The text of `inspect.signature`, without the first parameter if `bound`."""
    if not callable(value):
        return None
    try:
        found = inspect.signature(value)
    except (ValueError, TypeError, NameError):
        return None
    parameters = list(found.parameters.values())
    if bound and parameters and parameters[0].kind is not parameters[0].VAR_POSITIONAL:
        found = found.replace(parameters=parameters[1:])
    text = render.signature(found, public)
    return text if render.parses(text) else None


def signature(named: Named, public: render.PublicName) -> str | None:
    """What `inspect` says of how a name is called: a class by its constructor."""
    if isinstance(named.value, type):
        return constructor(named.value, public)
    if named.owner is None:
        return inspected(named.value, public)
    member = getattr(named.owner, named.name.rpartition(".")[2])
    bound = not isinstance(named.value, staticmethod | classmethod)
    return inspected(member, public, bound=bound)


def constructor(value: type, public: render.PublicName) -> str | None:
    """The inspected signature of creating an instance."""
    own = (attribute(value, "__init__"), attribute(value, "__new__"))
    if own == (object.__init__, object.__new__):
        return "()"
    if issubclass(value, enum.Enum):
        return "(value)"
    text = inspected(value, public)
    if text is not None and text.endswith("*args, **kwargs)"):
        text = _better(inspected(own[0], public, bound=True), text)
    if text is None and issubclass(value, BaseException):
        return "(*args)"
    return None if text is None else text.rsplit(" -> ", 1)[0]


def _better(other: str | None, text: str) -> str:
    """The first signature if it names the parameters that the second one hides."""
    if other is None or "*" in other.partition(" -> ")[0]:
        return text
    return other


def unwrapped(
    value: object, public: render.PublicName, *, bound: bool = False, depth: int = 3
) -> str | None:
    """The signature shared by the functions a decorator's closure keeps, None without one."""
    texts: set[str | None] = set()
    for function in _kept(value):
        text = inspected(function, public, bound=bound)
        if text is not None and render.useless(text) and depth > 1:
            text = unwrapped(function, public, bound=bound, depth=depth - 1) or text
        texts.add(text)
    if len(texts) > 1:
        texts = {text and text.rsplit(" -> ", 1)[0] for text in texts}
    return texts.pop() if len(texts) == 1 else None


def _kept(value: object) -> list[types.FunctionType]:
    found = []
    for cell in getattr(value, "__closure__", None) or ():
        try:
            content = cell.cell_contents
        except ValueError:
            continue
        if isinstance(content, types.FunctionType):
            found.append(content)
    return found


def defined(named: Named) -> str:
    """Where an object says it is defined, "" when that is its name or unknown."""
    value = named.value
    if named.kind not in ("class", "function", "method"):
        return ""
    function = attribute(value, "__func__") or value
    home = attribute(function, "__module__")
    qualname = attribute(function, "__qualname__")
    if not isinstance(home, str) or not isinstance(qualname, str) or "<" in qualname:
        return ""
    full = f"{home}.{qualname}"
    return "" if full == named.name else full


def documentation(value: object) -> str:
    """An object's own docstring, "" without one."""
    doc = attribute(value, "__doc__")
    if not isinstance(doc, str) or doc == type(value).__doc__:
        return ""
    if isinstance(value, type) and any(doc is vars(b).get("__doc__") for b in value.__mro__[1:]):
        return ""
    return doc


def deprecation(named: Named, doc: str) -> str:
    """The note that an API is deprecated, from its decorator or its docstring."""
    if named.kind == "module":
        return ""
    said = attribute(named.value, "__deprecated__")
    if not isinstance(said, str):
        return docstrings.deprecation(doc)
    # Deprecating another name of a function marks the function itself as well.
    names = rf"{re.escape(named.name)}|{named.name.rpartition('.')[2]}"
    replacement = rf"\b[Uu]se `?(?:{names})\b"
    return "" if re.search(replacement, said) else docstrings.note(said)
