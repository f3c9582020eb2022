"""Which class each layer of a model is of, read from the source of its classes; nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path as File

from msmap.code import files as project
from msmap.code.files import Unreadable
from msmap.errors import WeightsError
from msmap.infer.modules import Modules
from msmap.infer.resolve import Facts
from msmap.infer.values.lattice import Class, Function, settled
from msmap.weights.arguments import Made
from msmap.weights.bodies import NO_CODE, Body, ClassOf, own, sets, shared
from msmap.weights.layers import Inside, Layers
from msmap.weights.shapes import UNKNOWN, Shape, fits, joined
from msmap.weights.tensors import Held


@dataclass(slots=True)
class Read:
    """A class of a source as a table of layers.

    Where several classes may stand at a path, it is the one that has such ``tensors`` as are there.
    """

    root: Shape
    tensors: dict[str, dict[str, int]]
    _held: dict[int, dict[str, Shape]] = field(default_factory=dict)
    _found: dict[str, Shape | None] = field(default_factory=dict)

    def kind(self, path: str) -> str | None:
        """The class of the layer at a path, as the source says; None if it doesn't."""
        one = self._at(path)
        return None if one is None else one.kind or None

    def made(self, path: str) -> tuple[Made, ...]:
        """With what the layer at a path is made, by any of the calls that may make it."""
        one = self._at(path)
        every = () if one is None else one.options or (one,)
        return tuple(option.given or Made() for option in every if option.entry is None)

    def holds(self, name: str) -> bool | None:
        """Whether anything in the class sets an attribute of a name on its object."""
        entry = self.root.entry
        return None if entry is None or entry.is_open else sets(entry, name)

    @property
    def ties(self) -> list[tuple[str, ...]]:
        """What constructors set to a part of the same object: ``self.head.weight = self.e.weight``.

        Whether each of them runs isn't asked.
        """
        found: list[tuple[str, ...]] = []
        for path in dict.fromkeys(above for name in self.tensors for above in _above(name)):
            one = self._at(path)
            before = f"{path}." if path else ""
            for option in () if one is None else one.options or (one,):
                if option.entry is not None:
                    found += [(before + a, before + b) for a, b in shared(option.entry)]
        return found

    def _at(self, path: str) -> Shape | None:
        if path not in self._found:
            above, _, name = path.rpartition(".")
            if not path:
                found: Shape | None = self.root
            else:
                outer = self._at(above)
                found = None if outer is None else self._part(outer, name)
            self._found[path] = None if found is None else self._chosen(path, found)
        return self._found[path]

    def _chosen(self, path: str, one: Shape) -> Shape:
        """The option that has the tensors of a path."""
        its = self.tensors.get(path)
        if not one.options or not its:
            return one
        fit = [option for option in one.options if option.kind is None or fits(option, its)]
        return joined(fit) if fit else UNKNOWN

    def _part(self, one: Shape, name: str) -> Shape | None:
        found: list[Shape] = []
        for option in one.options or (one,):
            held = option.held
            if option.kind is None:
                found.append(UNKNOWN)
            if option.entry is not None:
                if id(option) not in self._held:
                    self._held[id(option)] = held | ClassOf(option, 0).fields()
                held = self._held[id(option)]
            if name in held:
                found.append(held[name])
            else:
                found += [shape for pattern, shape in held.items() if fnmatchcase(name, pattern)]
        return joined(found) if found else None


def _above(path: str) -> list[str]:
    """A path and all that it stands in, the outermost first."""
    parts = path.split(".")
    return ["", *(".".join(parts[: at + 1]) for at in range(len(parts)) if path)]


def read(place: str, facts: Facts, tensors: Mapping[str, Held]) -> Layers:
    """The layers of a class that stands in a file, as ``FILE.py:Class`` names it.

    It may be a function that makes the model, too. What a class or a function is given is what its
    defaults are. ``tensors`` are those of the checkpoint.

    Raises:
        WeightsError: there is none; the message lists those that are.
    """
    name, _, wanted = place.rpartition(":")
    path = File(name)
    if not name or not name.endswith(".py") or not wanted.isidentifier():
        raise WeightsError("{}: a file and a class, such as net.py:Net", place)
    try:
        files = project.find([path.absolute().parent]).files
        project.parse(path, project.read(path).text)
        module = Modules([*files, path.absolute()], facts).at(path.absolute())
        reading = module.reading()
    except Unreadable as error:
        raise WeightsError("{}: {}", path, error.unread.reason.en) from None
    except (OSError, SyntaxError, ValueError) as error:
        raise WeightsError("{}: {}", path, error) from None
    found = settled(reading.lookup(wanted)) if reading.is_bound(wanted) else None
    call = ast.Call(ast.Name(wanted, ast.Load()), [], [])
    if isinstance(found, Class):
        root = own(found.entry, None)
    elif isinstance(found, Function) and isinstance(found.node, ast.FunctionDef):
        maker = Body(reading, NO_CODE, None, 0)
        root = maker.made_of(found, call)
    else:
        known = [node.name for node in reading.source.all(ast.ClassDef)]
        raise WeightsError("{} has no class {}: has {}", path, wanted, ", ".join(known) or "none")
    by: dict[str, dict[str, int]] = {}
    for full, tensor in tensors.items():
        where, _, inner = full.rpartition(".")
        by.setdefault(where, {})[inner] = len(tensor.shape)
    return Inside(Read(root, by))
