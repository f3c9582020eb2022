"""Models that a name says how to make."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from msmap.errors import WeightsError


def made(text: str, option: str) -> Any:
    """The model that ``module:factory`` makes, or ``file.py:factory(width=8)`` does.

    A module is looked for in this folder too. This runs its code.

    Raises:
        WeightsError: there is none, or it fails; the message says what it said.
    """
    place, _, call = text.partition(":")
    if text.startswith((".", "/")) or ".py:" in text:
        place, _, call = text.partition(".py:")
        place += ".py"
    name, arguments, named = _call(text, call, option)
    try:
        module = _module(place)
        maker = getattr(module, name)
    except (ImportError, OSError, SyntaxError) as error:
        raise WeightsError(f"{option} {text}: {_said(error)}") from None
    except AttributeError:
        raise WeightsError(f"{option} {text}: {place} has no {name}") from None
    except Exception as error:
        raise WeightsError(f"{option} {text}: importing it fails: {_said(error)}") from error
    if not callable(maker):
        return maker
    try:
        return maker(*arguments, **named)
    except Exception as error:
        raise WeightsError(f"{option} {text}: making the model fails: {_said(error)}") from error


def _call(text: str, call: str, option: str) -> tuple[str, list[Any], dict[str, Any]]:
    """The name that is called, and what it is given."""
    try:
        node = ast.parse(call, mode="eval").body
        if isinstance(node, ast.Name):
            return node.id, [], {}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            given = [ast.literal_eval(one) for one in node.args]
            named = {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
            return node.func.id, given, named
    except (SyntaxError, ValueError):
        pass
    raise WeightsError(
        f"{option} {text}: a module and what makes the model, such as nets:Net, nets.py:make or "
        "'nets:Net(classes=10)'"
    )


def _module(place: str) -> ModuleType:
    if here := "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        if not place.endswith(".py"):
            return importlib.import_module(place)
        path = Path(place)
        if not path.is_file():
            raise ImportError(f"no file {place}")
        # What stands beside it is imported by it.
        sys.path.insert(0, str(path.parent.absolute()))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        # Dataclasses look for the module of their class.
        before = sys.modules.get(path.stem)
        sys.modules[path.stem] = module
        try:
            spec.loader.exec_module(module)
        finally:
            if before is not None:
                sys.modules[path.stem] = before
            sys.path.pop(0)
        return module
    finally:
        if here:
            sys.path.remove(os.getcwd())


def _said(error: BaseException) -> str:
    """What an exception says, in one line."""
    first = next(iter(str(error).strip().splitlines()), "")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def checked(model: Any, text: str, kind: str) -> Any:
    """The model itself, if it is of a class such as ``torch.nn.Module``.

    Raises:
        WeightsError: it is not.
    """
    root, _, rest = kind.partition(".")
    found: Any = importlib.import_module(root)
    for part in rest.split("."):
        found = getattr(found, part)
    if isinstance(model, found):
        return model
    raise WeightsError(f"{text} makes an object of {type(model).__name__}, no {kind}")
