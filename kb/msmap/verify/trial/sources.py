"""What MindSpore makes of its own source when it compiles, made before any child needs it."""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import isfunction
from types import FunctionType, ModuleType

# Where the functions are that MindSpore's compiler reads besides those of a check: measured over
# every twentieth check, nine in ten. It reads a source once a process, and a child is a new one.
_READ = (
    "mindspore.graph._parse.standard_method",
    "mindspore.nn.optim.optimizer",
    "mindspore.ops._grad_experimental.grad_implementations",
    "mindspore.ops._primitive_cache",
    "mindspore.ops._utils.arg_dtype_cast",
    "mindspore.ops._utils.arg_handler",
    "mindspore.ops.auto_generate.gen_ops_def",
    "mindspore.ops.function.array_func",
)
_READ_WHOLE = "mindspore.ops.composite.multitype_ops."
# What compiling and layers import only when they are used first.
_LATE = ("mindspore.graph._parse.compile_config", "mindspore.ops.tensor_method")


def parse() -> int:
    """Fill MindSpore's cache of parsed sources; how many there are in it.

    It runs no operator, and what a release has no more is left out.
    """
    for name in (*_LATE, *_READ):
        _module(name)
    try:
        from mindspore.graph._parse.parser import Parser
    except ImportError:
        return 0
    for function in _functions():
        try:
            Parser(function, None).parse()
        except Exception:
            # What can't be parsed is for the check that needs it.
            continue
    return len(Parser.ast_cache)


def _module(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except ImportError:
        return None


def _functions() -> list[FunctionType]:
    wanted = [n for n in sys.modules if n in _READ or n.startswith(_READ_WHOLE)]
    return [
        value
        for name in wanted
        for value in list(vars(sys.modules[name]).values())
        if isfunction(value) and value.__module__ == name
    ]
