"""What a user names on the command line, found, made and run: ``module:factory``."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
import sysconfig
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msmap.errors import BadRecording

# Where code stands that is nobody's own: ours, Python's, and what was installed.
_OTHERS = (
    "<",
    str(Path(__file__).parents[1]),
    *{str(path) for name, path in sysconfig.get_paths().items() if name.endswith("lib")},
    sysconfig.get_path("stdlib"),
)
_FIELDS = ("model", "inputs", "loss", "optimizer")


@dataclass(slots=True)
class Job:
    """What a factory made: a model, and what it is given, judged by and trained with.

    ``inputs`` are those of one call (a tuple, or a mapping of keywords), or a list with those of
    each step. ``train`` is called with the model, and does everything itself.
    """

    name: str
    model: Any
    inputs: Any = None
    loss: Callable[..., Any] | None = None
    optimizer: Any = None
    train: Callable[..., Any] | None = None
    scope: dict[str, Any] = field(default_factory=dict)

    def batches(self) -> list[Any]:
        """The inputs of each step."""
        return list(self.inputs) if isinstance(self.inputs, list) else [self.inputs]


def make(name: str, train: str | None = None) -> Job:
    """What ``module:factory``, ``file.py:factory`` or ``module:factory(width=8)`` makes.

    A module is looked for in this folder too. This runs its code.

    Args:
        name: of a class, or a function that gives a model, or model, inputs, loss and optimizer
            (as many as there are) in a tuple or a mapping; with plain arguments, if it has some.
        train: the name of a function of the same module that trains the model.

    Raises:
        BadRecording: there is no such module or name, or it raised.
    """
    path, _, call = name.partition(":")
    if ".py:" in name:
        path, _, call = name.partition(".py:")
        path += ".py"
    factory, args, kwargs = _call(name, path, call)
    scope = vars(_module(path, name))
    found = scope.get(factory)
    if not callable(found):
        known = [n for n, v in scope.items() if callable(v) and not n.startswith("_")]
        raise BadRecording(
            "{}: {} has no function or class {}; it has {}",
            name,
            path,
            factory,
            ", ".join(known) or "-",
        )
    if _is_model(found):
        job = Job(name, found)
    else:
        with _watching():
            job = _job(name, guarded(name, lambda: found(*args, **kwargs)))
    job.scope = scope
    if train is not None:
        if not callable(scope.get(train)):
            raise BadRecording("{}: {} has no function {} to train with", name, path, train)
        job.train = scope[train]
    return job


def _call(name: str, path: str, call: str) -> tuple[str, list[Any], dict[str, Any]]:
    """The name that is called, and what it is given."""
    try:
        node = ast.parse(call, mode="eval").body
        if path and isinstance(node, ast.Name):
            return node.id, [], {}
        if path and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            args = [ast.literal_eval(one) for one in node.args]
            named = {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
            return node.func.id, args, named
    except (SyntaxError, ValueError):
        pass
    raise BadRecording(
        "{}: name a module and what makes the model, such as nets:Net, nets.py:make or "
        "'nets:Net(classes=10)'",
        name,
    )


def _watching() -> Any:
    if "mindspore" not in sys.modules:
        return nullcontext()
    from msmap.record import constructors

    return constructors.watching()


def _module(path: str, name: str) -> Any:
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    if not path.endswith(".py"):
        return guarded(name, lambda: importlib.import_module(path))
    file = Path(path)
    if not file.is_file():
        raise BadRecording("{}: no such file", path)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    sys.path.insert(0, str(file.resolve().parent))
    loader = spec.loader
    guarded(name, lambda: loader.exec_module(module))
    return module


def guarded(name: str, run: Callable[[], Any]) -> Any:
    """What a user's code gives.

    Raises:
        BadRecording: it raised; the message says what, and in which line.
    """
    try:
        return run()
    except BadRecording:
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        # The last line of the user's own.
        own = [f for f in frames if not f.filename.startswith(_OTHERS)]
        where = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
        # MindSpore draws lines before what it says.
        said = next((s for s in str(error).splitlines() if any(map(str.isalnum, s))), "").strip()
        what = f"{type(error).__name__}: {said}" if said else type(error).__name__
        raise BadRecording("{}: raised {}{}", name, what, where) from error


def _job(name: str, made: Any) -> Job:
    if isinstance(made, dict):
        unknown = set(made) - set(_FIELDS)
        if unknown or "model" not in made:
            raise BadRecording(
                "{}: gave a mapping with {}; it has model, and may have inputs, loss and optimizer",
                name,
                ", ".join(map(str, made)),
            )
        return Job(name, **made)
    if isinstance(made, tuple) and made and all(_is_model(one) for one in made):
        return Job(name, made)
    if isinstance(made, tuple):
        if not 1 <= len(made) <= len(_FIELDS):
            raise BadRecording(
                "{}: gave {} things; it gives {}", name, len(made), ", ".join(_FIELDS)
            )
        made_fields = dict(zip(_FIELDS, made, strict=False))
        return Job(name, **made_fields)
    return Job(name, made)


def _is_model(value: Any) -> bool:
    torch, mindspore = sys.modules.get("torch"), sys.modules.get("mindspore")
    return (torch is not None and isinstance(value, torch.nn.Module)) or (
        mindspore is not None and isinstance(value, mindspore.nn.Cell)
    )
