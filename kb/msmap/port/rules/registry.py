"""What a rewriting rule is, when it runs, and the registry of all rules.

A rule is a function in a module of this package, marked with ``@rule(phase, ...)``; modules are
found by themselves. A rule sees the session and the reading of the source, and no other rule: what
two of them need stands in ``msmap.port``. docs/adding-a-rule.md walks through one.
"""

from __future__ import annotations

import ast
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, auto
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port.mode import EVERYWHERE, Mode
from msmap.port.session import Rewriter
from msmap.port.targets import Arguments

F = TypeVar("F", bound=Callable[..., Any])


class Phase(IntEnum):
    """When a rule runs, in this order, and what it is called with.

    Within a phase nothing depends on the order of the rules. ``session`` is the source while it is
    rewritten, ``use`` one use of PyTorch in it, ``record`` what that means, ``arguments`` what it
    is given.
    """

    # Runs on the whole source, before any use is written: (session).
    PREPARE = auto()
    # Writes one kind of use, in the order of the source, inner ones first: (session, use).
    USE = auto()
    # Writes a call or a name with a record itself, and returns True if it did:
    # (session, use, record) -> bool.
    INSTEAD = auto()
    # The arguments of a call, as its counterpart needs them:
    # (session, use, record, arguments) -> arguments.
    ARGUMENTS = auto()
    # Raises `Refused` for a call that can't be ported: (session, use, record).
    CHECK = auto()
    # The key of the target to take, else None: (session, use, record) -> str | None.
    TARGET = auto()
    # Whether a caveat that the call triggers doesn't apply: (session, use, on) -> bool.
    MOOT = auto()
    # What a call becomes, wrapped: (session, use, text) -> str.
    RESULT = auto()
    # Runs after a call was written: (session, use, record).
    WRITTEN = auto()
    # Runs on a class that derives from one of PyTorch's: (session, use).
    CLASS = auto()
    # Runs on a node in `session.nodes`, after all nodes in it: (session, node).
    NODE = auto()
    # Runs on the whole source, when all uses are written: (session). Layers and containers come
    # first, since a training step is proved by what they became.
    LAYERS = auto()
    TRAINING = auto()
    # Blocks and decorators that went or may go now.
    BLOCKS = auto()
    # Gradients that are taken now of what ran without any.
    GRADIENTS = auto()
    # Names that nothing which was ported needs any more.
    NAMES = auto()


@dataclass(frozen=True, slots=True)
class Rule:
    """A function, when it runs, and of what."""

    name: str
    phase: Phase
    modes: Mode
    kinds: tuple[str, ...]
    function: Callable[..., Any]


_RULES: dict[str, Rule] = {}


def rule(phase: Phase, *kinds: str, modes: Mode = EVERYWHERE) -> Callable[[F], F]:
    """Register a rule.

    Args:
        phase: when it runs, and with it what it is called with.
        kinds: of a rule that writes uses, which kinds of these (``Use.how``).
        modes: what it is for.

    Raises:
        ValueError: another rule writes the same kind of use.
    """

    def register(function: F) -> F:
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        taken = {kind for one in _RULES.values() for kind in one.kinds} & {*kinds}
        if taken or name in _RULES or bool(kinds) is not (phase is Phase.USE):
            raise ValueError(f"{name}: a rule of {', '.join(sorted(taken)) or phase.name} exists")
        _RULES[name] = Rule(name, phase, modes, kinds, function)
        return function

    return register


@cache
def every() -> tuple[Rule, ...]:
    """All rules, by phase and name."""
    package = import_module("msmap.port.rules")
    for found in pkgutil.iter_modules(package.__path__):
        import_module(f"{package.__name__}.{found.name}")
    return tuple(sorted(_RULES.values(), key=lambda one: (one.phase, one.name)))


@cache
def functions(phase: Phase, mode: Mode) -> tuple[Callable[..., Any], ...]:
    """The rules of a phase for what is rewritten."""
    return tuple(one.function for one in every() if one.phase is phase and mode in one.modes)


@cache
def writers(mode: Mode) -> dict[str, Callable[[Rewriter, Use], None]]:
    """Who writes each kind of use."""
    found = (one for one in every() if one.phase is Phase.USE and mode in one.modes)
    return {kind: one.function for one in found for kind in one.kinds}


def source(work: Rewriter, phase: Phase) -> None:
    """Run the rules of the whole source."""
    for function in functions(phase, work.mode):
        function(work)


def instead(work: Rewriter, use: Use, record: Record) -> bool:
    """Whether some rule wrote a use, of which nothing else is to be written."""
    found = functions(Phase.INSTEAD, work.mode)
    return any(function(work, use, record) for function in found)


def arguments(work: Rewriter, use: Use, record: Record, given: Arguments) -> Arguments:
    """The arguments of a call as its counterpart needs them.

    Raises:
        Refused: it can't be given them.
    """
    for function in functions(Phase.ARGUMENTS, work.mode):
        given = function(work, use, record, given)
    return given


def check(work: Rewriter, use: Use, record: Record) -> None:
    """Run the checks of a call.

    Raises:
        Refused: it can't be ported.
    """
    for function in functions(Phase.CHECK, work.mode):
        function(work, use, record)


def target(work: Rewriter, use: Use, record: Record) -> str | None:
    """The key of the target that some rule chooses for a call."""
    found = (function(work, use, record) for function in functions(Phase.TARGET, work.mode))
    return next(filter(None, found), None)


def moot(work: Rewriter, use: Use, on: str) -> bool:
    """Whether some rule knows that a caveat of a condition doesn't apply to a call."""
    return any(function(work, use, on) for function in functions(Phase.MOOT, work.mode))


def result(work: Rewriter, use: Use, text: str) -> str:
    """What a call becomes, wrapped by what some rule needs around it."""
    for function in functions(Phase.RESULT, work.mode):
        text = function(work, use, text)
    return text


def written(work: Rewriter, use: Use, record: Record) -> None:
    """Run what there is to say of a call that was written."""
    for function in functions(Phase.WRITTEN, work.mode):
        function(work, use, record)


def class_definition(work: Rewriter, use: Use) -> None:
    """Run what becomes of a class that comes from one of PyTorch's."""
    for function in functions(Phase.CLASS, work.mode):
        function(work, use)


def node(work: Rewriter, one: ast.AST) -> None:
    """Run what is written of a node after what stands in it."""
    for function in functions(Phase.NODE, work.mode):
        function(work, one)
