"""A loss that becomes a function, and what scales it: what one part of a port tells the others."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from msmap.code import bindings
from msmap.code.bindings import Body, Place


@dataclass(eq=False)
class Scaling:
    """What scales the loss of one step, and where it unscales gradients and adapts itself.

    ``unscales`` are the statements that unscale ahead of the step, for what clips gradients.
    """

    scaler: ast.expr
    adjusts: ast.stmt
    unscales: list[ast.stmt] = field(default_factory=list)

    @property
    def own(self) -> list[ast.stmt]:
        """The statements that go, or are written anew."""
        return [*self.unscales, self.adjusts]


@dataclass(eq=False)
class Loss:
    """What becomes a function: the statements that compute a loss, and its gradients.

    ``forward`` are the statements that compute the loss, with what stands between, but for what is
    ``apart``; ``given`` are the names that they take, ``kept`` those of them that are used
    elsewhere; ``anchor`` is the place before which a function may be defined.
    """

    body: Body
    place: Place
    backward: ast.stmt
    loss: ast.expr
    optimizer: ast.expr
    apart: list[ast.stmt]
    forward: list[ast.stmt] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    anchor: ast.stmt | None = None
    # The blocks without gradients among the statements that compute it, and what they set that
    # gradients would flow through.
    cuts: list[ast.With] = field(default_factory=list)
    constants: list[ast.expr] = field(default_factory=list)
    # The statement that keeps the loss on an object, behind all others that compute it.
    keeping: ast.Assign | None = None
    # What scales it.
    scaling: Scaling | None = None

    @property
    def first(self) -> ast.stmt:
        """Where its function is called."""
        return self.forward[0] if self.forward else self.keeping or self.backward

    @property
    def parts(self) -> list[ast.stmt]:
        """The statements that compute the loss, each before those in it."""
        found = list(self.forward)
        for node in found:
            found += [inner for block in bindings.blocks(node) for inner in block]
        return found
