"""Modules outside the source of which some names pass on what they are given."""

from __future__ import annotations

from dataclasses import dataclass

from msmap.infer.values.lattice import OTHER, Builtin, Members, Value

# What Python's own library gives back of what it was given, or of what it holds.
_PASSING = {
    "copy": ("copy", "deepcopy", "replace"),
    "random": ("choice", "choices", "sample"),
    "itertools": ("chain", "cycle", "islice", "repeat", "tee", "product", "zip_longest"),
    "functools": ("reduce", "partial"),
    "collections": ("deque", "OrderedDict", "defaultdict", "ChainMap"),
    "pickle": ("load", "loads"),
    "operator": ("itemgetter", "attrgetter", "methodcaller"),
    "dataclasses": ("replace",),
    "heapq": ("heappop", "heappushpop", "nlargest", "nsmallest"),
    "types": ("SimpleNamespace", "MethodType"),
    "queue": ("Queue", "PriorityQueue", "LifoQueue", "SimpleQueue"),
    "weakref": ("ref", "proxy"),
    "importlib": ("import_module",),
    "tqdm": ("tqdm",),
}


# The modules of tqdm that have what it has itself.
BARS = ("auto", "autonotebook", "notebook", "std")


@dataclass(unsafe_hash=True, slots=True)
class Library(Members):
    """A module of which some names pass on what they are given: Python's own, or tqdm."""

    name: str

    def member(self, name: str) -> Value:
        """What one of its names stands for."""
        return self if self.name == "tqdm" and name in BARS else of_library(self.name, name)


def of_library(module: str, name: str = "") -> Value:
    """What a module of Python's own library, or a name of it, stands for."""
    if module not in _PASSING:
        return OTHER
    if not name:
        return Library(module)
    return Builtin(f"{module}.{name}") if name in _PASSING[module] else OTHER
