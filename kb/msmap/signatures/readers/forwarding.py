"""Parameters of an `__init__(*args, **kwargs)` that hands them to its base class."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable

from msmap.signatures.readers import docstrings
from msmap.signatures.readers import texts as render


def constructor(cls: type, public: render.PublicName, resolve: render.Resolve) -> str | None:
    """The base class's parameters that remain for the caller, None if nothing is handed on."""
    at = next((i for i, base in enumerate(cls.__mro__) if "__init__" in vars(base)), 0)
    init = vars(cls.__mro__[at]).get("__init__")
    parent = next((b for b in cls.__mro__[at + 1 :] if "__init__" in vars(b)), object)
    init = inspect.unwrap(init) if isinstance(init, types.FunctionType) else None
    if init is None or parent.__module__.split(".")[0] != cls.__module__.split(".")[0]:
        # What another package's class accepts changes with that package's version.
        return None
    tree = _tree(init)
    call = _handed_on(tree) if tree else None
    if tree is None or call is None:
        return None
    taken = 1 + sum(not isinstance(arg, ast.Starred) for arg in call.args)
    fixed = {keyword.arg for keyword in call.keywords}
    parameters = list(inspect.signature(vars(parent)["__init__"]).parameters.values())[taken:]
    kept = [parameter for parameter in parameters if parameter.name not in fixed]
    text = render.signature(inspect.Signature(kept), public)
    return render.written(_extended(text, tree, inspect.getdoc(cls) or ""), resolve)


def _tree(function: Callable[..., object]) -> ast.Module | None:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return None


def _handed_on(tree: ast.Module) -> ast.Call | None:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith(").__init__"):
            continue
        if any(isinstance(arg, ast.Starred) for arg in node.args):
            return node
    return None


def _extended(text: str, tree: ast.Module, doc: str) -> str:
    """A signature with the keywords that the body takes out of `kwargs` itself."""
    documented = docstrings.argument_defaults(doc)
    taken = dict.fromkeys(_key(node) for node in ast.walk(tree))
    added = [f"{name}={documented.get(name, render.UNKNOWN)}" for name in taken if name]
    if not added:
        return text
    star = [] if "*" in text else ["*"]
    return "(" + ", ".join([text[1:-1], *star, *added]) + ")"


def _key(node: ast.AST) -> str:
    """The name in `kwargs["name"]`, "" for any other expression."""
    if not isinstance(node, ast.Subscript) or ast.unparse(node.value) != "kwargs":
        return ""
    key = node.slice.value if isinstance(node.slice, ast.Constant) else ""
    return key if isinstance(key, str) else ""
