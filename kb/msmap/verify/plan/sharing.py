"""Which jobs may run in a child that others run in: those that compute, and leave nothing behind.

A fork, and the first operator in it, take a third of what most checks take. What is shared shows
agreement only: whatever else comes out is found again in a child of its own.
"""

from __future__ import annotations

import ast
import re

from msmap.verify.plan.job import Job

# What a name says of a call that changes how later ones run, reads what was before, or draws.
_LASTING = re.compile(
    r"^(set|use|enable|disable|init|register|save|load|jit|compile|reset|clear|lock|unlock)(_|$)"
    r"|seed|context|grad_enabled|hook|cache|autocast|deterministic|threads|thread|backend"
    r"|distributed|communication|cuda|(^|_)npu|memory|stream|runtime|profiler|multiprocessing|dataset"
    r"|optim|experimental|library|serialization|generator|default|anomaly|finfo"
    r"|rand|drop|bernoulli|multinomial|normal(?!i)|poisson|shuffle|noise|uniform|exponential_"
    r"|geometric|cauchy|(^|_)r?sample|empty|resize",
    re.IGNORECASE,
)
# A network and an optimizer that a check is given.
_TRAINS = {"net", "optimizer"}
_EXPECTED = ("same", "differs")
_INPUTS = "inputs"
_WRITES = (ast.Assign, ast.AugAssign, ast.Expr, ast.Import, ast.ImportFrom)
# What is imported for a function or two, and settles nothing.
_PLAIN = {"copy", "math", "numpy", "operator", "scipy"}
# How an operator is called by its name.
_OPERATOR = re.compile(r"__(i|r)?[a-z]+__")
_OF_OBJECTS = {"__class__", "__dict__", "__globals__", "__builtins__", "__init__", "__import__"}


def may_share(job: Job) -> bool:
    """Whether a child may run other jobs before and after this one.

    One with other inputs runs often enough to be worth a child, and most raise for some dtype.
    Where nobody says what MindSpore gives instead, it may be memory that another job wrote.
    """
    if job.ranks or job.expect not in _EXPECTED or any(_INPUTS in v for v in job.variants):
        return False
    if job.expect == "differs" and "mindspore" not in job.gives:
        return False
    return computes(job.torch) and computes(job.mindspore)


def computes(code: str) -> bool:
    """Whether code only calls what computes, and binds names of its own."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return False
    if not all(isinstance(s, _WRITES) for s in tree.body):
        return False
    return all(_harmless(node) for node in ast.walk(tree))


def _harmless(node: ast.AST) -> bool:
    match node:
        case ast.Name(name):
            return not (name in _TRAINS or name.startswith("__") or _LASTING.search(name))
        case ast.Attribute(_, name, ast.Load()):
            if _OPERATOR.fullmatch(name):
                return name not in _OF_OBJECTS
            return not _LASTING.search(name)
        case ast.Import(names):
            return all(n.name.partition(".")[0] in _PLAIN for n in names)
        case ast.ImportFrom(module, _, 0):
            return str(module).partition(".")[0] in _PLAIN
        case ast.Attribute() | ast.ImportFrom():
            return False
        case _:
            return True
